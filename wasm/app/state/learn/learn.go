// Package learn is the Learn screen without its looks: which lesson is open, what was predicted, the ranking that is played with, exercises
// and their answers, and the votes of a class. The lessons and their exercises are package core/lesson's. What was answered stays on this
// device until it is deleted. Nothing is sent but a question that a teacher has a class vote on from phones.
//
// Order of the pipeline: the path names a lesson → it was rendered with the page, or the page fetches all of them → a prediction opens the
// steps behind it → exercises are made of the seed and checked here.
package learn

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/lesson"
	"github.com/rankbox/rankbox/core/lesson/figure"
	"github.com/rankbox/rankbox/core/message"
	table "github.com/rankbox/rankbox/core/play"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/wire"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/play"
)

// ID is the name of the screen.
const ID share.Screen = "learn"

// kept is the key under which the device remembers what was answered.
const kept = "rankbox-learn"

// Library is where the lessons come from: the page fetches them, or says what went wrong. It needs no worker for that,
// nor to ask what the site's edge offers; the answer is empty if there is none.
type Library interface {
	Lessons(done func(lessons []byte, problem string))
	Edge(done func(offer []byte, problem string))
}

// Learn is the screen.
type Learn struct {
	App *state.App

	Name       string // of the open lesson, "" for the list of all
	Student    string // what exercises are made of
	Picked     map[string]int
	Votes      map[string]*[2][]int // of a class, before and after the reveal
	Revealed   map[string]bool
	Drills     map[string]Drill
	Judgments  map[string][]int // of a block: a grade an article, −1 for none
	Reached    map[string]bool  // blocks with a figure whose goal was reached
	Done       map[string]bool  // lessons whose exercises were answered
	Step, Part int              // that presenter view is at: a step, and how many slides behind its first
	Notes      bool             // this window shows the teacher's notes
	Class      *Class
	Capstone   *Capstone
	Room       *Room         // in which the class votes from phones
	Remixed    *lesson.Remix // the open lesson as a teacher has changed it, nil where it is as it was written

	set     *lesson.Set
	whole   bool // the set has the steps of every lesson
	asked   bool // for the whole set
	refused bool // it did not come
	tables  map[string]*play.Play
	tosses  map[string]*lesson.Tosses

	figures   map[string]*Figure
	listening bool // to the other windows

	mixed, from *lesson.Lesson // the remixed lesson, and of which it was made
	draft       *Remix
	given       []message.File // last

	classes []string // of which the device remembers answers
}

// Drill is an exercise that is being answered.
type Drill struct {
	Number  int // how many there were before
	Level   int // that was chosen, 0 for the lesson's
	Typed   string
	Said    string // of the answer, "" before
	Right   bool
	Tried   bool // Last is the number that was answered last
	Last    float64
	Missed  int  // answers that no known mistake gives, and orders that do not meet the conditions
	Solved  bool // the solution was shown
	Correct int  // how many were right
	Order   []int
}

// Over says that the exercise takes no answer any more.
func (d Drill) Over() bool { return d.Right || d.Solved }

// New is the screen as it begins.
func New(a *state.App) *Learn {
	l := &Learn{App: a, Picked: map[string]int{}, Votes: map[string]*[2][]int{}, Revealed: map[string]bool{}, Drills: map[string]Drill{}, Judgments: map[string][]int{}, Reached: map[string]bool{}, figures: map[string]*Figure{}, Done: map[string]bool{}, tables: map[string]*play.Play{}, tosses: map[string]*lesson.Tosses{}}
	l.Class, l.Capstone, l.Room = newClass(l), newCapstone(l), newRoom(l)
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
func (l *Learn) Path() string { return PathOf(l.Name) }

// ReadPath opens the lesson of a path.
func (l *Learn) ReadPath(path string) {
	rest := strings.Trim(strings.TrimPrefix(path, state.Path(ID)), "/")
	l.Name, _, _ = strings.Cut(rest, "/") // behind it stood a language once
	l.Step, l.Part, l.Notes, l.Remixed = 0, 0, false, nil
	if l.Name == Classroom {
		l.Class.leave()
	}
}

// Apart says that no lesson is open but a class or the capstone.
func (l *Learn) Apart() bool { return l.Name == Classroom || l.Name == Finale }

// Fragment is the class, where one is open; otherwise the path says everything.
func (l *Learn) Fragment() (string, bool) {
	if l.Name == Classroom {
		if f := l.Class.fragment(); f != "" {
			return "#" + f, true
		}
	}
	if l.Remixed != nil && l.Remixed.Of == l.Name {
		return "#" + l.Remixed.Link(), true
	}
	if l.Notes {
		return "#" + notes, true
	}
	if l.Deck() && l.Step+l.Part > 0 {
		f := "#" + StepID(l.Step)
		if l.Part > 0 {
			f += "." + strconv.Itoa(l.Part+1)
		}
		return f, true
	}
	if l.Name == Finale && l.Capstone.Seed != "1" {
		return "#" + l.Capstone.fragment(), true
	}
	return "", true
}

// ReadLink opens a class, a capstone, a remixed lesson or a step in presenter view.
func (l *Learn) ReadLink(fragment string) {
	if at, ok := strings.CutPrefix(fragment, steps); ok && l.Name != "" && !l.Apart() {
		at, part, _ := strings.Cut(at, ".")
		if n, err := strconv.Atoi(at); err == nil && n >= 1 && n <= len(lesson.Steps) {
			l.Step = n - 1
		}
		if n, err := strconv.Atoi(part); err == nil && n >= 1 && n <= 100 {
			l.Part = n - 1
		}
		return
	}
	if fragment == notes && l.Name != "" && !l.Apart() {
		l.Notes = true
		return
	}
	if strings.HasPrefix(fragment, lesson.Remixed) {
		if err := l.openRemix(fragment); err != nil {
			l.problem(err)
		}
		return
	}
	if strings.HasPrefix(fragment, capstones) {
		if err := l.Capstone.open(fragment); err != nil {
			l.problem(err)
		}
		l.Name = Finale
		return
	}
	if err := l.Class.open(fragment); err != nil {
		l.problem(err)
		return
	}
	l.Name = Classroom
}

// CopyLink puts the lesson's address onto the clipboard.
func (l *Learn) CopyLink() bool {
	f, _ := l.Fragment()
	l.App.Sharing.CopyText(l.App.Browser.Origin() + l.Path() + f)
	return true
}

// Set is what is known of the lessons: what the page was rendered with, until all are fetched.
func (l *Learn) Set() *lesson.Set {
	if l.set == nil && len(l.App.Lessons) > 0 {
		s := &lesson.Set{}
		if wire.Unmarshal(l.App.Lessons, s) == nil {
			l.set = s
		}
	}
	return l.set
}

// Lesson is the open one, nil where it is not there yet or there is none.
func (l *Learn) Lesson() *lesson.Lesson {
	s := l.Set()
	if s == nil {
		l.fetch()
		return nil
	}
	if l.Name == "" || l.Apart() {
		return nil
	}
	if x := s.Find(l.Name); x != nil && len(x.Steps) > 0 {
		return l.mix(x)
	}
	l.fetch()
	return nil
}

// fetch asks for all lessons, once.
func (l *Learn) fetch() {
	if l.asked || l.whole || l.App.Engine.Phase == state.Loading {
		return
	}
	library, ok := l.App.Browser.(Library)
	if !ok { // a page that is only rendered
		return
	}
	l.asked, l.refused = true, false
	library.Lessons(l.fetched)
}

// fetched takes all lessons, or what went wrong. They are asked for again when somebody goes to one.
func (l *Learn) fetched(lessons []byte, problem string) {
	s := &lesson.Set{}
	l.refused = true
	switch {
	case problem != "":
		l.App.Notices.Problem = &message.Problem{What: "The lessons could not be fetched: " + problem + ".",
			Where: "the lessons", Do: "Check your connection, then open the lesson again."}
	case wire.Unmarshal(lessons, s) != nil:
		l.App.Notices.Problem = &message.Problem{What: "The lessons are of another version of this site than the page.",
			Where: "the lessons", Do: "Reload the page."}
	default:
		l.set, l.whole, l.refused = s, true, false
		l.Room.follow()
	}
	l.App.View.Draw()
}

// Begin takes what the device remembers, and fetches what is missing.
func (l *Learn) Begin() {
	l.recall()
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
	if l.Deck() {
		l.App.View.FocusOn(StepID(l.Step))
	}
	if l.Deck() || l.Notes {
		l.listen()
	}
	if l.Deck() {
		l.Room.seek()
	}
}

// Ensure sees to it that the open lesson, or the list, is there or on its way.
func (l *Learn) Ensure() {
	l.asked = l.asked && !l.refused
	// who puts a class together sees the exercises of all lessons; the capstone comes with them
	if l.Set() == nil || l.Name == Classroom && l.Class.Teaching || l.Name == Finale || !l.Apart() && l.Name != "" && l.Lesson() == nil {
		l.fetch()
	}
}

// TakesFiles says that files are for this screen while it is open, but for a student of a class, who takes nothing.
func (l *Learn) TakesFiles() bool {
	return l.App.Settings.Screen == ID && (l.Name != Classroom || l.Class.Teaching)
}

// AddFiles takes what students hand in, or a remixed lesson; what is neither goes on to Compare.
func (l *Learn) AddFiles(files []message.File) {
	l.given = files
	l.Class.Give(files)
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
	l.Class.Read = false
	if p, ok := r.Answer.(*message.PapersRead); ok && l.Name == Classroom {
		l.Class.received(p)
	} else if ok {
		l.unpack(p)
	}
}

// Died forgets what was asked of the worker that ended.
func (l *Learn) Died(string) { l.Class.Read = false }

// Go opens a lesson, "" the list of all.
func (l *Learn) Go(name string) {
	old := l.App.History.Present()
	l.Name, l.Step, l.Part, l.Notes, l.Remixed = name, 0, 0, false, nil
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
	tables        map[string]*table.Table
	figures       map[string]figure.State
}

// Save returns where the visitor is.
func (l *Learn) Save() any {
	s := saved{l.Name, l.Student, maps.Clone(l.Picked), maps.Clone(l.Drills), map[string]*table.Table{},
		map[string]figure.State{}}
	for k, f := range l.figures {
		s.figures[k] = f.State
	}
	for k, p := range l.tables {
		s.tables[k] = p.Hand.Table.Clone()
	}
	return s
}

// Restore puts it back.
func (l *Learn) Restore(x any) {
	s := x.(saved)
	l.Name, l.Student, l.Picked, l.Drills = s.name, s.student, maps.Clone(s.picked), maps.Clone(s.drills)
	for k, p := range l.tables {
		if t, ok := s.tables[k]; ok {
			p.Hand.Table = t.Clone()
		} else {
			delete(l.tables, k)
		}
	}
	for k, f := range l.figures {
		if state, ok := s.figures[k]; ok {
			f.State = state
		} else {
			delete(l.figures, k)
		}
	}
}

// Key names a block of the open lesson.
func (l *Learn) Key(step, block int) string {
	return l.Name + "." + strconv.Itoa(step) + "." + strconv.Itoa(block)
}

// Table is the ranking of a block, made when it is first looked at.
func (l *Learn) Table(key string, b *lesson.Block) *play.Play {
	key += " " + b.Link // a remix has another one
	p, ok := l.tables[key]
	if !ok {
		p = play.New(l.App)
		if t, err := table.Decode(b.Link); err == nil {
			p.Hand.Table = t
		}
		l.tables[key] = p
	}
	return p
}

// Pick commits to an answer of a question; it is not changed afterwards, but undone.
func (l *Learn) Pick(key string, option int) {
	if _, ok := l.Picked[key]; ok {
		return
	}
	old := l.App.History.Present()
	l.known(key)
	l.Picked[key] = option
	l.App.History.Keep(old, "")
	l.store()
	l.App.View.Draw()
}

// Predicted says whether the question of the first step was answered, or a presenter has gone on, so that the other steps may be shown.
func (l *Learn) Predicted() bool {
	x := l.Lesson()
	if x == nil {
		return false
	}
	if l.App.View.Presenter && l.Step > 0 {
		return true
	}
	for i, b := range x.Steps[0] {
		if b.Kind == lesson.Question {
			if _, ok := l.Picked[l.Key(0, i)]; !ok && !l.Revealed[l.Key(0, i)] {
				return false
			}
		}
	}
	return true
}

// Judge gives an article of a block a grade.
func (l *Learn) Judge(key string, articles, at, grade int) {
	g := l.Judgments[key]
	for len(g) < articles {
		g = append(g, -1)
	}
	if at < 0 || at >= articles || grade < 0 || grade > 3 {
		return
	}
	g[at] = grade
	l.Judgments[key] = g
	l.store()
	l.App.View.Draw()
}

// Vote counts a hand for an option, in the round that is open; a negative one takes a hand back.
func (l *Learn) Vote(key string, options, option, by int) {
	v := l.Votes[key]
	if v == nil {
		v = &[2][]int{make([]int, options), make([]int, options)}
		l.Votes[key] = v
	}
	round := l.round(key)
	if option >= 0 && option < len(v[round]) {
		v[round][option] = max(0, v[round][option]+by)
	}
	l.App.View.Draw()
}

// Reveal shows the answer to a class; hands that go up then are of the second round.
func (l *Learn) Reveal(key string) {
	l.known(key)
	l.Revealed[key] = true
	l.App.View.Draw()
}

// Exercise is the one that a block asks now.
func (l *Learn) Exercise(key string, b *lesson.Block) *lesson.Exercise {
	return lesson.Make(b.Name, l.Level(key, b), Seed(l.Student, key, l.Drills[key].Number))
}

// Level is that of a block's exercises: what was chosen, or what the lesson says.
func (l *Learn) Level(key string, b *lesson.Block) int {
	if n := l.Drills[key].Level; n > 0 {
		return n
	}
	return b.Level
}

// SetLevel chooses it, and asks an exercise of that level. One that was answered rightly does not come back.
func (l *Learn) SetLevel(key string, b *lesson.Block, level int) {
	if level < 1 || level > lesson.Levels || level == l.Level(key, b) {
		return
	}
	d := l.Drills[key]
	next := Drill{Number: d.Number, Correct: d.Correct}
	if d.Over() {
		next.Number++
	}
	if level != b.Level {
		next.Level = level
	}
	l.renew(key, next)
}

// Seed is that of a student's exercise: who, which block, how many before.
func Seed(student, key string, number int) string {
	return strings.TrimSpace(student) + "|" + key + "|" + strconv.Itoa(number)
}

// Type takes what is typed as an answer.
func (l *Learn) Type(key, text string) {
	d := l.Drills[key]
	d.Typed = text
	l.Drills[key] = d
}

// Answer checks an answer.
func (l *Learn) Answer(key string, b *lesson.Block, value float64) {
	e := l.Exercise(key, b)
	if e == nil || l.Drills[key].Over() {
		return
	}
	old := l.App.History.Present()
	d := l.Drills[key]
	d.Tried, d.Last = true, value
	l.Drills[key] = d
	l.judge(key, e, e.Check(value))
	l.App.History.Keep(old, "")
	l.App.View.Draw()
}

// judge notes what is said of an answer.
func (l *Learn) judge(key string, e *lesson.Exercise, v lesson.Verdict) {
	d := l.Drills[key]
	d.Said, d.Right = e.Says(v), v.Right
	switch {
	case v.Right:
		d.Correct++
	case e.Order != nil, v.Mistake == "":
		d.Missed++
	}
	if d.Missed > 1+min(1, len(e.Order)) { // an order gets one try more
		d.Solved = true
		if e.Order == nil { // instead of the hint
			d.Said = "Not yet."
		}
		d.Said += " " + e.Solution() + " Try another one."
	}
	l.Drills[key] = d
	if l.finished() {
		l.Done[l.Name] = true
	}
	l.store()
}

// Order is how the documents of an exercise stand that asks for an order.
func (l *Learn) Order(key string, b *lesson.Block) []int {
	d := l.Drills[key]
	if e := l.Exercise(key, b); len(d.Order) != len(e.Order) {
		d.Order = nil
		for i := range e.Order {
			d.Order = append(d.Order, i)
		}
		l.Drills[key] = d
	}
	return d.Order
}

// MoveOrder moves one of them, SubmitOrder checks them.
func (l *Learn) MoveOrder(key string, b *lesson.Block, from, to int) {
	old := l.App.History.Present()
	d := l.Drills[key]
	d.Order = slices.Clone(l.Order(key, b))
	moved(d.Order, from, to)
	l.Drills[key] = d
	l.App.History.Keep(old, "order "+key)
	l.App.View.Draw()
}

// SubmitOrder checks the order.
func (l *Learn) SubmitOrder(key string, b *lesson.Block) {
	if l.Drills[key].Over() {
		return
	}
	old := l.App.History.Present()
	e := l.Exercise(key, b)
	l.judge(key, e, e.CheckOrder(l.Order(key, b)))
	l.App.History.Keep(old, "")
	l.App.View.Draw()
}

// Submit checks what was typed.
func (l *Learn) Submit(key string, b *lesson.Block) {
	v, ok := lesson.ReadAnswer(l.Drills[key].Typed)
	if !ok {
		d := l.Drills[key]
		d.Said = "That isn't a number. Write 0.75 or 3/4."
		l.Drills[key] = d
		l.App.View.Draw()
		return
	}
	l.Answer(key, b, v)
}

// finished says whether every exercise of the open lesson was answered rightly at least once.
func (l *Learn) finished() bool {
	x := l.Lesson()
	if x == nil {
		return false
	}
	for i, step := range x.Steps {
		for j, b := range step {
			if b.Kind == lesson.Drill && l.Drills[l.Key(i, j)].Correct == 0 {
				return false
			}
		}
	}
	return true
}

// Another makes another exercise of a block.
func (l *Learn) Another(key string) {
	d := l.Drills[key]
	l.renew(key, Drill{Number: d.Number + 1, Level: d.Level, Correct: d.Correct})
}

// renew puts a fresh exercise in the place of one.
func (l *Learn) renew(key string, d Drill) {
	old := l.App.History.Present()
	l.Drills[key] = d
	l.App.History.Keep(old, "")
	l.store()
	l.App.View.Draw()
}

// Who sets what exercises are made of: a student's number or name.
func (l *Learn) Who(name string) {
	if len(name) > 60 {
		name = name[:60]
	}
	if name == l.Student {
		return
	}
	l.Student = strings.ToValidUTF8(name, "")
	clear(l.tosses) // they are a student's, as exercises are
	for k, d := range l.Drills {
		l.Drills[k] = Drill{Level: d.Level, Correct: d.Correct}
	}
	l.store()
	l.App.View.Draw()
}

// store has the device remember what was answered: a line each.
func (l *Learn) store() {
	var b strings.Builder
	b.WriteString("who\t" + strings.Join(strings.Fields(l.Student), " ") + "\n")
	for _, k := range slices.Sorted(maps.Keys(l.Picked)) {
		b.WriteString("pick\t" + k + "\t" + strconv.Itoa(l.Picked[k]) + "\n")
	}
	for _, k := range slices.Sorted(maps.Keys(l.Drills)) {
		b.WriteString("drill\t" + k + "\t" + strconv.Itoa(l.Drills[k].Number) + "\t" + strconv.Itoa(l.Drills[k].Correct) + "\t" + strconv.Itoa(l.Drills[k].Level) + "\n")
	}
	for _, k := range slices.Sorted(maps.Keys(l.Done)) {
		b.WriteString("done\t" + k + "\n")
	}
	for _, k := range slices.Sorted(maps.Keys(l.Reached)) {
		b.WriteString("reached\t" + k + "\n")
	}
	for _, k := range slices.Sorted(maps.Keys(l.Judgments)) {
		b.WriteString("judged\t" + k)
		for _, g := range l.Judgments[k] {
			b.WriteString("\t" + strconv.Itoa(g))
		}
		b.WriteByte('\n')
	}
	for _, id := range l.classes {
		b.WriteString("class\t" + id + "\n")
	}
	if l.Capstone.begun() {
		b.WriteString(l.Capstone.line())
	}
	l.App.Browser.Remember(kept, b.String())
}

// recall takes back what it remembers; lines that it does not understand are passed over.
func (l *Learn) recall() {
	for _, line := range strings.Split(l.App.Browser.Recall(kept), "\n") {
		f := strings.Split(line, "\t")
		number := func(i int) int {
			if i >= len(f) {
				return -1
			}
			n, err := strconv.Atoi(f[i])
			if err != nil {
				return -1
			}
			return n
		}
		switch {
		case f[0] == "who" && len(f) == 2:
			l.Student = f[1]
		case f[0] == "pick" && len(f) == 3 && number(2) >= 0:
			l.Picked[f[1]] = number(2)
		case f[0] == "drill" && (len(f) == 4 || len(f) == 5) && number(2) >= 0 && number(3) >= 0: // without a level before there was a choice
			l.Drills[f[1]] = Drill{Number: number(2), Correct: number(3), Level: min(max(0, number(4)), lesson.Levels)}
		case f[0] == "done" && len(f) == 2:
			l.Done[f[1]] = true
		case f[0] == "reached" && len(f) == 2:
			l.Reached[f[1]] = true
		case f[0] == "judged" && len(f) > 2 && len(f) <= 22:
			l.Judgments[f[1]] = nil
			for i := range f[2:] {
				l.Judgments[f[1]] = append(l.Judgments[f[1]], max(-1, min(3, number(i+2))))
			}
		case f[0] == "class" && len(f) == 2 && !slices.Contains(l.classes, f[1]):
			l.classes = append(l.classes, f[1])
		case f[0] == "capstone":
			l.Capstone.recall(f)
		}
	}
}

// Forget deletes everything that the device remembers of the lessons.
func (l *Learn) Forget() {
	old := l.App.History.Present()
	l.Student = ""
	clear(l.Picked)
	clear(l.Drills)
	clear(l.Done)
	clear(l.Reached)
	clear(l.Judgments)
	for _, id := range l.classes {
		l.App.Browser.Remember(keptClass+id, "")
	}
	l.classes = nil
	l.Capstone.draw(l.Capstone.Seed)
	l.App.Browser.Remember(kept, "")
	l.App.History.Keep(old, "")
	l.App.Notices.Say("What this device remembered of the lessons is deleted.")
}

// Remembers says whether there is anything to delete.
func (l *Learn) Remembers() bool {
	return l.Student != "" || len(l.Picked) > 0 || len(l.Drills) > 0 || len(l.Done) > 0 || len(l.Reached) > 0 ||
		len(l.classes) > 0 || len(l.Judgments) > 0 || l.Capstone.begun()
}
