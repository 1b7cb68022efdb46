// Package learn is the screen of the lessons: the list of them, and one of them.
package learn

import (
	"math"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/core/teach/lesson/figure"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/learn"
	"github.com/rankbox/rankbox/wasm/app/state/play"
	"github.com/rankbox/rankbox/wasm/app/ui"
	playui "github.com/rankbox/rankbox/wasm/app/ui/play"
)

// Make is the screen for a page.
func Make(a *state.App) (state.Screen, vugu.Builder) {
	s := screen.New(a)
	return s, &Learn{Learn: s}
}

// Learn is the screen.
type Learn struct {
	Learn *screen.Learn
}

// L is the open lesson, nil where none is. The template calls it in many places: inlined it takes a kilobyte.
//
//go:noinline
func (c *Learn) L() *lesson.Lesson { return c.Learn.Lessons.Current() }

// Heads are the lessons of the list, in English.
func (c *Learn) Heads() []lesson.Head {
	s := c.Learn.Lessons.Set()
	if s == nil {
		c.Learn.Lessons.Current() // asks for them
		return nil
	}
	var out []lesson.Head
	for _, l := range s.Lessons {
		out = append(out, l.Head)
	}
	return out
}

// Listing says that the list is shown.
func (c *Learn) Listing() bool { return c.Learn.Lessons.Name == "" }

// Missing says that a lesson was asked for that there is not, or that is still fetched.
func (c *Learn) Missing() string {
	if c.Learn.Lessons.Apart() || c.Listing() && c.Heads() != nil || c.L() != nil {
		return ""
	}
	if s := c.Learn.Lessons.Set(); s != nil && !c.Listing() && s.Find(c.Learn.Lessons.Name) == nil {
		return "There is no lesson of this name."
	}
	return "Fetching the lessons …"
}

// Open follows a link to a lesson.
func (c *Learn) Open(event vugu.DOMEvent, name string) {
	if ui.PlainClick(event) {
		c.Learn.Go(name)
	}
}

// About is what a lesson takes.
func (c *Learn) About(h lesson.Head) string {
	s := "Lesson " + strconv.Itoa(h.Number) + " · " + strconv.Itoa(h.Minutes) + " minutes"
	switch n := needs(c.Heads(), h); len(n) {
	case 0:
	case 1:
		s += " · after lesson " + n[0]
	default:
		s += " · after lessons " + strings.Join(n, " and ")
	}
	if c.Learn.Answers.Done[h.Name] {
		s += " · done"
	} else if c.Learn.Answers.Begun(h.Name) {
		s += " · begun"
	}
	return s
}

// Next is the lesson to take after the open one, or from the list; nil if all are done, or if nothing was begun.
func (c *Learn) Next() *lesson.Head {
	if c.Learn.App.Engine.Phase == state.Loading || c.Listing() && len(c.Learn.Answers.Picked) == 0 {
		return nil
	}
	return c.Learn.Answers.Next(c.Learn.Lessons.Name)
}

// Progress says how many lessons are done, and what to do with the next one.
func (c *Learn) Progress() string {
	s := strconv.Itoa(len(c.Learn.Answers.Done)) + " of " + say.Count(len(c.Heads()), "lesson", "lessons") + " done. "
	if h := c.Next(); h != nil && c.Learn.Answers.Begun(h.Name) {
		return s + "Resume"
	}
	return s + "Next"
}

// Shown says whether a step is shown: those behind the prediction once that is made. Without scripts, and in print, all
// are.
func (c *Learn) Shown(step int) bool {
	if c.L() != nil && len(c.L().Steps[step]) == 0 { // a remix left it out
		return false
	}
	return step == 0 || c.Learn.App.Engine.Phase == state.Loading || c.Learn.Predicted()
}

// Choose puts a step into the remix or takes it out.
func (c *Learn) Choose(event vugu.DOMEvent, step int) {
	c.Learn.Remix.Mix(func(r *lesson.Remix) { r.Steps[step] = event.PropBool("target", "checked") })
}

// Five are the steps' numbers.
func Five() []int { return []int{0, 1, 2, 3, 4} }

// Mix takes what is typed into the remix: "title", "where", "note" and "docs".
func (c *Learn) Mix(event vugu.DOMEvent, what string) {
	v := target(event)
	c.Learn.Remix.Mix(func(r *lesson.Remix) {
		switch what {
		case "title":
			r.Title = v
		case "where":
			r.Where = v
		case "note":
			r.Note = v
		case "docs":
			c.Learn.Remix.Draft().Docs = v
		}
	})
}

// StepTitle is above a step.
func StepTitle(step int) string {
	return strconv.Itoa(step+1) + " · " + lesson.Titles[step]
}

// StepID is that of a step.
func StepID(step int) string { return screen.StepID(step) }

// Who takes a student's number or name.
func (c *Learn) Who(event vugu.DOMEvent) { c.Learn.Who(event.PropString("target", "value")) }

// Deck says that the lesson is shown slide by slide, NotesOpen that its notes are.
func (c *Learn) Deck() bool { return c.L() != nil && c.Learn.Deck.Open() }

// NotesOpen says that this window shows the teacher's notes.
func (c *Learn) NotesOpen() bool { return c.L() != nil && c.Learn.Deck.Notes }

// Page says that the lesson is shown as a page.
func (c *Learn) Page() bool { return c.L() != nil && !c.Learn.Deck.Open() && !c.Learn.Deck.Notes }

// On is the slide on show.
func (c *Learn) On() *lesson.Slide {
	s := c.Learn.Deck.Slides()
	return &s[c.Learn.Deck.At()]
}

// SlideClass sets a slide of a few words large.
func (c *Learn) SlideClass() string {
	if c.Learn.Deck.Large() {
		return "lesson part slide large"
	}
	return "lesson part slide"
}

// MarkdownPath is the address of its slides for Marp, reveal.js or pandoc.
func (c *Learn) MarkdownPath() string { return screen.PathOf(c.L().Name) + ".md" }

// NotesPath is the address of the notes of the open lesson.
func (c *Learn) NotesPath() string { return screen.PathOf(c.L().Name) + "#notes" }

// Here says what is open.
func (c *Learn) Here() string { return "Lessons" }

// Hash is empty: there is no report here.
func (c *Learn) Hash() string { return "" }

// Status says nothing.
func (c *Learn) Status() string { return "" }

// Exporting is never.
func (c *Learn) Exporting() bool { return false }

// Cancel has nothing to cancel.
func (c *Learn) Cancel() {}

// Find is the first of the list.
func (c *Learn) Find() string { return "main" }

// Step does nothing: there are no queries.
func (c *Learn) Step(int) {}

// Escape has nothing to close.
func (c *Learn) Escape() bool { return false }

// Key goes through the steps in presenter view, and counts hands there.
func (c *Learn) Key(key string) bool {
	x := c.L()
	if x == nil || !c.Learn.Deck.Open() && !c.Learn.Deck.Notes {
		return false
	}
	switch {
	case key == "ArrowRight" || key == "PageDown":
		c.Learn.Turn(1)
	case key == "ArrowLeft" || key == "PageUp":
		c.Learn.Turn(-1)
	case len(key) == 1 && key[0] >= '1' && key[0] <= '5' && c.Learn.Deck.Open() && c.Learn.Deck.Question() != "" &&
		!c.Learn.Room.For(c.Learn.Deck.Question()):
		for i, b := range x.Steps[0] {
			if b.Kind == lesson.Question {
				c.Learn.Votes.Count(c.Learn.Lessons.Key(0, i), len(b.Options), int(key[0]-'1'), 1)
			}
		}
	default:
		return false
	}
	return true
}

var _ vugu.Builder = (*playui.Play)(nil) // templates name it

// Block is a part of a step.
type Block struct {
	Learn    *screen.Learn
	Step, At int
	B        *lesson.Block
	Slide    *lesson.Slide // that it is a part of; nil where the whole lesson is shown
}

// K names the block.
func (c *Block) K() string { return c.Learn.Lessons.Key(c.Step, c.At) }

// Is says of which kind the block is.
func (c *Block) Is(k lesson.Kind) bool { return c.B.Kind == k }

// Live says that the page reacts.
func (c *Block) Live() bool { return c.Learn.App.Engine.Phase != state.Loading }

// Picked says which option was chosen, −1 for none.
func (c *Block) Picked() int {
	if i, ok := c.Learn.Answers.Picked[c.K()]; ok && i < len(c.B.Options) {
		return i
	}
	return -1
}

// Open says that the answer is shown.
func (c *Block) Open() bool { return c.Picked() >= 0 || c.Learn.Votes.Revealed[c.K()] }

// OptionClass marks the right answer and the one that was chosen, once there is one.
func (c *Block) OptionClass(i int) string {
	s := "option"
	if c.Open() && c.B.Options[i].Right {
		s += " right"
	}
	if c.Picked() == i {
		s += " picked"
	}
	return s
}

// OptionSays says the same in words.
func (c *Block) OptionSays(i int) string {
	switch {
	case !c.Open():
		return ""
	case c.B.Options[i].Right && c.Picked() == i:
		return "✓ your answer, and right"
	case c.B.Options[i].Right:
		return "✓ this is it"
	case c.Picked() == i:
		return "your answer"
	}
	return ""
}

// Verdict is above the reason.
func (c *Block) Verdict() string {
	switch i := c.Picked(); {
	case i < 0:
		return ""
	case c.B.Options[i].Right:
		return "Right."
	}
	return strings.TrimSpace("Not quite. " + c.B.Options[c.Picked()].Slip)
}

// Vote counts a hand.
func (c *Block) Vote(i, by int) { c.Learn.Votes.Count(c.K(), len(c.B.Options), i, by) }

// Table is the ranking that is played with.
func (c *Block) Table() *play.Play { return c.Learn.Figures.Ranking(c.K(), c.B) }

// E is the exercise.
func (c *Block) E() *lesson.Exercise { return c.Learn.Answers.Exercise(c.K(), c.B) }

// D is what was answered.
func (c *Block) D() screen.Drill { return c.Learn.Answers.Drills[c.K()] }

// Answered says whether a number was answered last.
func (c *Block) Answered(v float64) bool { d := c.D(); return d.Tried && d.Last == v }

// AnswerClass marks the number that was answered last, as right or wrong.
func (c *Block) AnswerClass(v float64) string {
	switch {
	case !c.Answered(v):
		return "option"
	case c.D().Right:
		return "option right"
	}
	return "option picked"
}

// Choosing says that the answer is chosen among options.
func (c *Block) Choosing() bool { return c.Level() == 1 && c.E().Order == nil }

// Writing says that it is typed.
func (c *Block) Writing() bool { return c.Level() > 1 && c.E().Order == nil }

// Level is that of the exercise.
func (c *Block) Level() int { return c.Learn.Answers.Level(c.K(), c.B) }

// SetLevel chooses it.
func (c *Block) SetLevel(event vugu.DOMEvent) {
	if n, err := strconv.Atoi(target(event)); err == nil {
		c.Learn.Answers.SetLevel(c.K(), c.B, n)
	}
}

// Typing takes an answer.
func (c *Block) Typing(event vugu.DOMEvent) {
	c.Learn.Answers.Type(c.K(), event.PropString("target", "value"))
}

// Submit checks it.
func (c *Block) Submit(event vugu.DOMEvent) {
	event.PreventDefault()
	c.Learn.Answers.Submit(c.K(), c.B)
}

// Score says how many were right.
func (c *Block) Score() string {
	if n := c.D().Correct; n > 0 {
		return say.Count(n, "exercise", "exercises") + " right so far."
	}
	return ""
}

// Width is how long a bar is, in parts of 300 of the longest.
func Width(values []float64, bar int) string {
	most := 0.0
	for _, x := range values {
		most = max(most, x, -x)
	}
	if most == 0 {
		return "0"
	}
	return strconv.FormatFloat(300*math.Abs(values[bar])/most, 'f', 1, 64)
}

// Tick is a mark of both axes.
type Tick struct{ Text, X, Y string }

// Ticks are those of a precision-recall curve.
func Ticks() []Tick {
	return []Tick{{"0", "0", "204"}, {"0.5", "100", "104"}, {"1", "200", "4"}}
}

// CurveSays says in words what is drawn.
func CurveSays(rows [][]string) string {
	var names []string
	for _, r := range rows {
		names = append(names, r[0])
	}
	return "Precision over recall of " + strings.Join(names, " and ") +
		": a saw by rank, and the stairs of interpolated precision above it."
}

// CurveKey is how a curve is drawn, in words.
func CurveKey(i int) string { return []string{"full line:", "dashed:"}[min(1, i)] }

// Grades are those that are given.
func Grades() []int { return []int{0, 1, 2, 3} }

// Judged is the grade that was given to an article, −1 for none.
func (c *Block) Judged(i int) int {
	if g := c.Learn.Answers.Judgments[c.K()]; i < len(g) {
		return g[i]
	}
	return -1
}

// Items are the articles to judge that are shown: all of them, or those of a slide.
func (c *Block) Items() (out []int) {
	from, to := 0, len(c.B.Rows)
	if c.Slide != nil {
		from, to = c.Slide.From, c.Slide.To
	}
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// Results says that what the judgments come to is shown.
func (c *Block) Results() bool {
	return c.Unjudged() == 0 && (c.Slide == nil || len(c.Items()) == 0)
}

// Unjudged is how many articles are left.
func (c *Block) Unjudged() int {
	n := 0
	for i := range c.B.Rows {
		if c.Judged(i) < 0 {
			n++
		}
	}
	return n
}

// JudgingLeft says so.
func (c *Block) JudgingLeft() string {
	return say.Count(c.Unjudged(), "article is", "articles are") +
		" still without your grade: 3 answers the query, 2 in a substantial part, 1 touches it, 0 not at all."
}

// Kappas are the agreements of three judges by hand.
func (c *Block) Kappas() []string {
	var mine, first, second []int
	for i, r := range c.B.Rows {
		a, _ := strconv.Atoi(r[2]) // as the build wrote them
		b, _ := strconv.Atoi(r[3])
		mine, first, second = append(mine, c.Judged(i)), append(first, a), append(second, b)
	}
	var out []string
	for _, p := range []struct {
		name string
		a, b []int
	}{{"You and the first judge", mine, first}, {"You and the second", mine, second},
		{"The two of them", first, second}} {
		text, _ := figure.Kappa(p.a, p.b)
		out = append(out, p.name+": "+text+".")
	}
	return out
}

// Cell is the class of a cell: numbers stand right.
func Cell(text string) string {
	if text == "" || text == "–" || text == "?" || strings.IndexAny(text, "0123456789.−-+<") == 0 {
		return ""
	}
	return "words"
}

// Over is the class of the head over a column: it stands where the cells under it stand.
func Over(rows [][]string, column int) string {
	for _, r := range rest(rows) {
		if column < len(r) && Cell(r[column]) != "" {
			return "words"
		}
	}
	return ""
}

func first(rows [][]string) []string {
	if len(rows) == 0 {
		return nil
	}
	return rows[0]
}

func rest(rows [][]string) [][]string {
	if len(rows) == 0 {
		return nil
	}
	return rows[1:]
}

func text(n int) string { return strconv.Itoa(n) }
