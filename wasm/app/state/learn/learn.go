// Package learn is the Learn screen without its looks: which lesson is open, what was predicted and answered, what a
// reader moves, and the votes of a class. The lessons and their exercises are package core/teach/lesson's. What was answered
// stays on this device until it is deleted. Nothing is sent but a question that a class votes on from phones.
//
// Order of the pipeline: the path names a lesson → Lessons has it from the page, or fetches all of them → a prediction
// opens the steps behind it → Answers makes exercises of the seed and checks them.
package learn

import (
	"maps"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/play"
)

// ID is the name of the screen.
const ID share.Screen = "learn"

// Learn is the screen: its stores, and what takes several of them.
type Learn struct {
	App *state.App

	Lessons  Lessons
	Answers  Answers
	Deck     Deck
	Votes    Votes
	Figures  Figures
	Remix    Remix
	Class    *Class
	Capstone *Capstone
	Room     *Room // in which the class votes from phones

	given []message.File // last
}

// New is the screen as it begins.
func New(a *state.App) *Learn {
	l := &Learn{App: a}
	lessons, answers, votes, deck := &l.Lessons, &l.Answers, &l.Votes, &l.Deck
	l.Class = newClass(a, lessons, answers)
	l.Capstone = newCapstone(a, lessons, answers)
	l.Room = newRoom(a, votes, deck)
	l.Lessons = Lessons{app: a, arrived: l.Room.follow}
	l.Answers = Answers{app: a, lessons: lessons, capstone: l.Capstone, Picked: map[string]int{},
		Drills: map[string]Drill{}, Judgments: map[string][]int{}, Reached: map[string]bool{}, Done: map[string]bool{}}
	l.Deck = Deck{app: a, lessons: lessons, shown: l.Room.follow}
	l.Votes = Votes{app: a, Of: map[string]*[2][]int{}, Revealed: map[string]bool{}}
	l.Figures = Figures{app: a, answers: answers, figures: map[string]*Figure{}, rankings: map[string]*play.Play{},
		tosses: map[string]*lesson.Tosses{}}
	l.Remix = Remix{app: a, lessons: lessons, ensure: l.Ensure}
	return l
}

// ID is the name of the screen.
func (l *Learn) ID() share.Screen { return ID }

// PathOf is where a lesson is: /learn/ndcg.
func PathOf(name string) string {
	p := state.Path(ID)
	if name != "" {
		p += "/" + name
	}
	return p
}

// Path is that of the open lesson.
func (l *Learn) Path() string { return PathOf(l.Lessons.Name) }

// ReadPath opens the lesson of a path.
func (l *Learn) ReadPath(path string) {
	rest := strings.Trim(strings.TrimPrefix(path, state.Path(ID)), "/")
	l.Lessons.Name, _, _ = strings.Cut(rest, "/") // behind it stood a language once
	l.Deck.Step, l.Deck.Part, l.Deck.Notes, l.Lessons.Remixed = 0, 0, false, nil
	if l.Lessons.Name == Classroom {
		l.Class.leave()
	}
}

// Fragment is the class, where one is open; otherwise the path says everything.
func (l *Learn) Fragment() (string, bool) {
	if l.Lessons.Name == Classroom {
		if f := l.Class.fragment(); f != "" {
			return "#" + f, true
		}
	}
	if l.Lessons.Remixed != nil && l.Lessons.Remixed.Of == l.Lessons.Name {
		return "#" + l.Lessons.Remixed.Link(), true
	}
	if l.Deck.Notes {
		return "#" + notes, true
	}
	if l.Deck.Open() && l.Deck.Step+l.Deck.Part > 0 {
		f := "#" + StepID(l.Deck.Step)
		if l.Deck.Part > 0 {
			f += "." + strconv.Itoa(l.Deck.Part+1)
		}
		return f, true
	}
	if l.Lessons.Name == Finale && l.Capstone.Seed != "1" {
		return "#" + l.Capstone.fragment(), true
	}
	return "", true
}

// ReadLink opens a class, a capstone, a remixed lesson or a step in presenter view.
func (l *Learn) ReadLink(fragment string) {
	if at, ok := strings.CutPrefix(fragment, steps); ok && l.Lessons.Name != "" && !l.Lessons.Apart() {
		at, part, _ := strings.Cut(at, ".")
		if n, err := strconv.Atoi(at); err == nil && n >= 1 && n <= len(lesson.Steps) {
			l.Deck.Step = n - 1
		}
		if n, err := strconv.Atoi(part); err == nil && n >= 1 && n <= 100 {
			l.Deck.Part = n - 1
		}
		return
	}
	if fragment == notes && l.Lessons.Name != "" && !l.Lessons.Apart() {
		l.Deck.Notes = true
		return
	}
	if strings.HasPrefix(fragment, lesson.Remixed) {
		if err := l.Remix.open(fragment); err != nil {
			problem(l.App, err)
		}
		return
	}
	if strings.HasPrefix(fragment, capstones) {
		if err := l.Capstone.open(fragment); err != nil {
			problem(l.App, err)
		}
		l.Lessons.Name = Finale
		return
	}
	if err := l.Class.open(fragment); err != nil {
		problem(l.App, err)
		return
	}
	l.Lessons.Name = Classroom
}

// CopyLink puts the lesson's address onto the clipboard.
func (l *Learn) CopyLink() bool {
	f, _ := l.Fragment()
	l.App.Sharing.CopyText(l.App.Browser.Origin() + l.Path() + f)
	return true
}

// Begin takes what the device remembers, and fetches what is missing.
func (l *Learn) Begin() {
	l.Answers.recall()
	if l.App.Settings.Screen == ID {
		l.Ensure()
		l.Presented()
	}
}

// StepID is the element of a step, and what an address has behind "#" in presenter view.
func StepID(step int) string { return steps + strconv.Itoa(step+1) }

const (
	steps = "step-"
	notes = "notes" // the fragment of the window with the teacher's notes
)

// Presented goes to the step that was shown last, when presenter view begins.
func (l *Learn) Presented() {
	if l.Deck.Open() {
		l.App.View.FocusOn(StepID(l.Deck.Step))
	}
	if l.Deck.Open() || l.Deck.Notes {
		l.Deck.listen()
	}
	if l.Deck.Open() {
		l.Room.seek()
	}
}

// Ensure sees to it that the open lesson, or the list, is there or on its way.
func (l *Learn) Ensure() {
	l.Lessons.asked = l.Lessons.asked && !l.Lessons.refused
	// who puts a class together sees the exercises of all lessons; the capstone comes with them
	if s := &l.Lessons; s.Set() == nil || s.Name == Classroom && l.Class.Teaching || s.Name == Finale ||
		!s.Apart() && s.Name != "" && s.Current() == nil {
		l.Lessons.fetch()
	}
}

// TakesFiles says that files are for this screen while it is open, but for a student of a class, who takes nothing.
func (l *Learn) TakesFiles() bool {
	return l.App.Settings.Screen == ID && (l.Lessons.Name != Classroom || l.Class.Teaching)
}

// AddFiles takes what students hand in, or a remixed lesson; what is neither goes on to Compare.
func (l *Learn) AddFiles(files []message.File) {
	l.given = files
	l.Class.Submissions.Read(files)
}

// Takes says that the votes of phones, and what students handed in, are for this screen.
func (l *Learn) Takes(k message.Kind) bool { return k == message.Papers || k == message.Room }

// Receive takes them.
func (l *Learn) Receive(r message.Reply) {
	if r.Kind == message.Room {
		s, _ := r.Answer.(*message.RoomSeen)
		l.Room.received(s)
		return
	}
	l.Class.Submissions.Reading = false
	if p, ok := r.Answer.(*message.PapersRead); ok && l.Lessons.Name == Classroom {
		l.Class.Submissions.received(p)
	} else if ok {
		l.unpack(p)
	}
}

// Died forgets what was asked of the worker that ended.
func (l *Learn) Died(string) { l.Class.Submissions.Reading = false }

// Go opens a lesson, "" the list of all.
func (l *Learn) Go(name string) {
	old := l.App.History.Present()
	l.Lessons.Name, l.Deck.Step, l.Deck.Part, l.Deck.Notes, l.Lessons.Remixed = name, 0, 0, false, nil
	l.App.History.Keep(old, "")
	l.App.Location.Write(true)
	l.Ensure()
	l.Room.follow()
	l.App.View.Draw()
}

type saved struct {
	name, student string
	picked        map[string]int
	drills        map[string]Drill
	positions     positions
}

// Save returns where the visitor is.
func (l *Learn) Save() any {
	a := &l.Answers
	return saved{l.Lessons.Name, a.Student, maps.Clone(a.Picked), maps.Clone(a.Drills), l.Figures.positions()}
}

// Restore puts it back.
func (l *Learn) Restore(x any) {
	s, a := x.(saved), &l.Answers
	l.Lessons.Name, a.Student, a.Picked, a.Drills = s.name, s.student, maps.Clone(s.picked), maps.Clone(s.drills)
	l.Figures.restore(s.positions)
}

// Pick commits to an answer of a question; it is not changed afterwards, but undone.
func (l *Learn) Pick(key string, option int) {
	if _, ok := l.Answers.Picked[key]; ok {
		return
	}
	old := l.App.History.Present()
	l.Room.known(key)
	l.Answers.Picked[key] = option
	l.App.History.Keep(old, "")
	l.Answers.store()
	l.App.View.Draw()
}

// Predicted says whether the question of the first step was answered, or a presenter has gone on, so that the other
// steps may be shown.
func (l *Learn) Predicted() bool {
	x := l.Lessons.Current()
	if x == nil {
		return false
	}
	if l.App.View.Presenter && l.Deck.Step > 0 {
		return true
	}
	for i, b := range x.Steps[0] {
		if b.Kind == lesson.Question {
			if _, ok := l.Answers.Picked[l.Lessons.Key(0, i)]; !ok && !l.Votes.Revealed[l.Lessons.Key(0, i)] {
				return false
			}
		}
	}
	return true
}

// Reveal shows the answer to a class; hands that go up then are of the second round.
func (l *Learn) Reveal(key string) {
	l.Room.known(key)
	l.Votes.Revealed[key] = true
	l.App.View.Draw()
}

// Who sets what exercises are made of: a student's number or name.
func (l *Learn) Who(name string) {
	if len(name) > 60 {
		name = name[:60]
	}
	if name == l.Answers.Student {
		return
	}
	l.Answers.Student = strings.ToValidUTF8(name, "")
	clear(l.Figures.tosses) // they are a student's, as exercises are
	for k, d := range l.Answers.Drills {
		l.Answers.Drills[k] = Drill{Level: d.Level, Correct: d.Correct}
	}
	l.Answers.store()
	l.App.View.Draw()
}
