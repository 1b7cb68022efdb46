// Package learn is the screen of the lessons: the list of them, and one of them.
package learn

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/lesson"
	"github.com/rankbox/rankbox/core/lesson/figure"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/learn"
	"github.com/rankbox/rankbox/wasm/app/state/play"
	"github.com/rankbox/rankbox/wasm/app/ui"
	playui "github.com/rankbox/rankbox/wasm/app/ui/play"
	"github.com/vugu/vugu"
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

// L is the open lesson, nil where none is.
func (c *Learn) L() *lesson.Lesson { return c.Learn.Lesson() }

// Heads are the lessons of the list, in English.
func (c *Learn) Heads() []lesson.Head {
	s := c.Learn.Set()
	if s == nil {
		c.Learn.Lesson() // asks for them
		return nil
	}
	var out []lesson.Head
	for _, l := range s.Lessons {
		out = append(out, l.Head)
	}
	return out
}

// All is how many lessons there are.
func (c *Learn) All() int { return len(c.Heads()) }

// Listing says that the list is shown.
func (c *Learn) Listing() bool { return c.Learn.Name == "" }

// InClass says that a class is open.
func (c *Learn) InClass() bool { return c.Learn.Name == screen.Classroom }

// InCapstone says that the capstone is open.
func (c *Learn) InCapstone() bool { return c.Learn.Name == screen.Finale }

// Missing says that a lesson was asked for that there is not, or that is still fetched.
func (c *Learn) Missing() string {
	if c.Learn.Apart() || c.Listing() && c.Heads() != nil || c.L() != nil {
		return ""
	}
	if s := c.Learn.Set(); s != nil && !c.Listing() && s.Find(c.Learn.Name) == nil {
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
	switch n := c.needs(h); len(n) {
	case 0:
	case 1:
		s += " · after lesson " + n[0]
	default:
		s += " · after lessons " + strings.Join(n, " and ")
	}
	if c.Learn.Done[h.Name] {
		s += " · done"
	} else if c.Learn.Begun(h.Name) {
		s += " · begun"
	}
	return s
}

// Next is the lesson to take after the open one, or from the list; nil if all are done, or if nothing was begun.
func (c *Learn) Next() *lesson.Head {
	if c.Learn.App.Engine.Phase == state.Loading || c.Listing() && len(c.Learn.Picked) == 0 {
		return nil
	}
	return c.Learn.Next(c.Learn.Name)
}

// Progress says how many lessons are done, and what to do with the next one.
func (c *Learn) Progress() string {
	s := strconv.Itoa(len(c.Learn.Done)) + " of " + say.Count(c.All(), "lesson", "lessons") + " done. "
	if h := c.Next(); h != nil && c.Learn.Begun(h.Name) {
		return s + "Resume"
	}
	return s + "Next"
}

// needs are the numbers of the lessons that one builds on.
func (c *Learn) needs(h lesson.Head) (out []string) {
	for _, name := range h.After {
		for _, x := range c.Heads() {
			if x.Name == name {
				out = append(out, strconv.Itoa(x.Number))
			}
		}
	}
	return out
}

// Shown says whether a step is shown: those behind the prediction once that is made. Without scripts, and in print, all are.
func (c *Learn) Shown(step int) bool {
	if c.L() != nil && len(c.L().Steps[step]) == 0 { // a remix left it out
		return false
	}
	return step == 0 || c.Learn.App.Engine.Phase == state.Loading || c.Learn.Predicted()
}

// Chosen says whether a step is in the remix, Choose puts it in or takes it out.
func (c *Learn) Chosen(step int) bool { return c.Learn.Draft().Draft.Steps[step] }

// Choose puts a step into the remix or takes it out.
func (c *Learn) Choose(event vugu.DOMEvent, step int) {
	c.Learn.Mix(func(r *lesson.Remix) { r.Steps[step] = event.PropBool("target", "checked") })
}

// Five are the steps' numbers.
func Five() []int { return []int{0, 1, 2, 3, 4} }

// Mix takes what is typed into the remix: "title", "where", "note" and "docs".
func (c *Learn) Mix(event vugu.DOMEvent, what string) {
	v := target(event)
	c.Learn.Mix(func(r *lesson.Remix) {
		switch what {
		case "title":
			r.Title = v
		case "where":
			r.Where = v
		case "note":
			r.Note = v
		case "docs":
			c.Learn.Draft().Docs = v
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

// Node is a lesson in the picture of how they build on each other.
type Node struct {
	Head lesson.Head
	X, Y int
	From [][2]int // where lines come from
}

// Nodes are the lessons in columns: each to the right of those that it needs, and as near to the row of the first of
// them as there is room, so that few lines cross.
func (c *Learn) Nodes() []Node {
	heads := c.Heads()
	column := map[string]int{}
	taken := map[[2]int]bool{} // column and row
	row := map[string]int{}
	at := map[string][2]int{}
	var out []Node
	for _, h := range heads { // a lesson stands behind those that it needs
		n := Node{Head: h}
		for _, a := range h.After {
			column[h.Name] = max(column[h.Name], column[a]+1)
		}
		col := column[h.Name]
		near := 0
		if len(h.After) > 0 {
			near = row[h.After[0]]
		}
		r := near
		for d := 1; taken[[2]int{col, r}]; d++ {
			if r = near + d; taken[[2]int{col, r}] && near >= d {
				r = near - d
			}
		}
		taken[[2]int{col, r}], row[h.Name] = true, r
		n.X, n.Y = 30+col*110, 26+r*44
		at[h.Name] = [2]int{n.X, n.Y}
		for _, a := range h.After {
			n.From = append(n.From, at[a])
		}
		out = append(out, n)
	}
	return out
}

// Box is the size of the picture.
func (c *Learn) Box() string {
	w, h := 0, 0
	for _, n := range c.Nodes() {
		w, h = max(w, n.X+30), max(h, n.Y+26)
	}
	return "0 0 " + strconv.Itoa(w) + " " + strconv.Itoa(h)
}

// PictureSays says in words what the picture shows.
func (c *Learn) PictureSays() string {
	var parts []string
	for _, h := range c.Heads() {
		if n := c.needs(h); len(n) > 0 {
			parts = append(parts, strconv.Itoa(h.Number)+" needs "+strings.Join(n, " and "))
		}
	}
	return "How the lessons build on each other: " + strings.Join(parts, "; ") + "."
}

// Variants are four exercises for paper, of the kind that the lesson ends in: the one that is worked out.
func (c *Learn) Variants() []*lesson.Exercise {
	x := c.L()
	var last *lesson.Block
	for _, step := range x.Steps {
		for i, b := range step {
			if b.Kind == lesson.Drill {
				last = &step[i]
			}
		}
	}
	if last == nil {
		return nil
	}
	var out []*lesson.Exercise
	for i := range 4 {
		out = append(out, lesson.Make(last.Name, 2, screen.Seed("sheet", x.Name, i)))
	}
	return out
}

// KeyOf is the key to an exercise on paper.
func KeyOf(e *lesson.Exercise) string {
	if e.Order != nil {
		return strings.ToUpper(e.Working[:1]) + e.Working[1:]
	}
	return e.Written(e.Answer) + " (" + e.Working + ")"
}

// Mistaken are the wrong answers to it that are known, and what one who gives them has done.
func Mistaken(e *lesson.Exercise) []string {
	var out []string
	for _, m := range e.Wrong {
		out = append(out, e.Written(m.Value)+": "+m.Name)
	}
	return out
}

// Letter names a variant.
func Letter(i int) string { return say.Letter(i) }

// Plan is what a teacher does in which minute: the steps take what they take, rounded so that they add up to the minutes of the lesson.
func (c *Learn) Plan() []string {
	doing := []string{"predict: everybody commits to an answer", "do: one at the projector, or each on a laptop", "see: the sum, term by term", "check: the exercises", "the same on real data"}
	var out []string
	for i, n := range Whole(c.L().Takes(), c.L().Minutes) {
		if n > 0 { // a remix may lack a step
			out = append(out, strconv.Itoa(n)+" min "+doing[i])
		}
	}
	return out
}

// Deck says that the lesson is shown slide by slide, NotesOpen that its notes are.
func (c *Learn) Deck() bool { return c.L() != nil && c.Learn.Deck() }

// NotesOpen says that this window shows the teacher's notes.
func (c *Learn) NotesOpen() bool { return c.L() != nil && c.Learn.Notes }

// Page says that the lesson is shown as a page.
func (c *Learn) Page() bool { return c.L() != nil && !c.Learn.Deck() && !c.Learn.Notes }

// On is the slide on show.
func (c *Learn) On() *lesson.Slide {
	s := c.Learn.Slides()
	return &s[c.Learn.At()]
}

// SlideClass sets a slide of a few words large.
func (c *Learn) SlideClass() string {
	if c.Learn.Large() {
		return "lesson part slide large"
	}
	return "lesson part slide"
}

// Count says which slide is on show, of how many.
func (c *Learn) Count() string {
	return strconv.Itoa(c.Learn.At()+1) + " of " + strconv.Itoa(len(c.Learn.Slides()))
}

// MarkdownPath is the address of its slides for Marp, reveal.js or pandoc.
func (c *Learn) MarkdownPath() string { return screen.PathOf(c.L().Name) + ".md" }

// NotesPath is the address of the notes of the open lesson.
func (c *Learn) NotesPath() string { return screen.PathOf(c.L().Name) + "#notes" }

// Outline says what a slide shows, in a line.
func (c *Learn) Outline(s lesson.Slide) string {
	out := StepTitle(s.Step)
	if s.End {
		return "What to remember"
	}
	if len(s.Blocks) == 0 {
		return out
	}
	j := s.Blocks[0]
	b := &c.L().Steps[s.Step][j]
	words := b.Note
	for _, x := range b.Spans {
		words += x.Text
	}
	switch b.Kind {
	case lesson.Figure:
		words = "the figure"
	case lesson.Drill:
		words = "exercise " + strconv.Itoa(j+1)
	case lesson.Judging:
		words = "judge"
	}
	if r := []rune(words); len(r) > 70 {
		words = string(r[:70]) + " …"
	}
	return out + ": " + words
}

// Keys are a way to the goal of each figure, and the answers to the exercises of this device.
func (c *Learn) Keys() (out []string) {
	for i, step := range c.L().Steps {
		for j := range step {
			b := &step[j]
			switch b.Kind {
			case lesson.Figure:
				if b.Level == 0 {
					out = append(out, "Figure: "+b.Note)
				}
			case lesson.Drill:
				e := c.Learn.Exercise(c.Learn.Key(i, j), b)
				out = append(out, "Exercise "+strconv.Itoa(j+1)+": "+KeyOf(e))
			}
		}
	}
	return out
}

// Whole rounds minutes to whole ones that make a sum: down, and up where most is cut off, the earlier one first of two alike. A step that
// takes any time gets a minute.
func Whole(takes []float64, sum int) []int {
	all := 0.0
	for _, t := range takes {
		all += t
	}
	scale := float64(sum) / max(all, 1e-9)
	out, cut := make([]int, len(takes)), make([]float64, len(takes))
	for i, t := range takes {
		t *= scale
		out[i] = int(t)
		if t > 0 {
			out[i] = max(1, out[i])
		}
		cut[i] = t - float64(out[i])
		sum -= out[i]
	}
	for ; sum > 0 && all > 0; sum-- {
		i := slices.Index(cut, slices.Max(cut))
		out[i]++
		cut[i]--
	}
	return out
}

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
	if x == nil || !c.Learn.Deck() && !c.Learn.Notes {
		return false
	}
	switch {
	case key == "ArrowRight" || key == "PageDown":
		c.Learn.Turn(1)
	case key == "ArrowLeft" || key == "PageUp":
		c.Learn.Turn(-1)
	case len(key) == 1 && key[0] >= '1' && key[0] <= '5' && c.Learn.Deck() && c.Learn.Question() != "" &&
		!c.Learn.Room.For(c.Learn.Question()):
		for i, b := range x.Steps[0] {
			if b.Kind == lesson.Question {
				c.Learn.Vote(c.Learn.Key(0, i), len(b.Options), int(key[0]-'1'), 1)
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
func (c *Block) K() string { return c.Learn.Key(c.Step, c.At) }

// Is says of which kind the block is.
func (c *Block) Is(k lesson.Kind) bool { return c.B.Kind == k }

// Live says that the page reacts.
func (c *Block) Live() bool { return c.Learn.App.Engine.Phase != state.Loading }

// Picked says which option was chosen, −1 for none.
func (c *Block) Picked() int {
	if i, ok := c.Learn.Picked[c.K()]; ok && i < len(c.B.Options) {
		return i
	}
	return -1
}

// Open says that the answer is shown.
func (c *Block) Open() bool { return c.Picked() >= 0 || c.Learn.Revealed[c.K()] }

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

// Voting says that a class votes.
func (c *Block) Voting() bool { return c.Learn.App.View.Presenter }

// MayCollect says that phones can be asked this question: the site has rooms, and none asks it yet.
func (c *Block) MayCollect() bool {
	return c.Voting() && c.Learn.Room.There && !c.Learn.Room.For(c.K())
}

// Phones says that a room is open, whose code the class needs.
func (c *Block) Phones() bool { return c.Voting() && c.Learn.Room.Code != "" }

// Raising says that hands are counted for this question, not phones.
func (c *Block) Raising() bool { return c.Voting() && !c.Learn.Room.For(c.K()) }

// Counted says that votes are drawn beside the options: not while phones vote.
func (c *Block) Counted() bool { return c.Voting() && !c.Learn.Room.Hidden(c.K()) }

// RoomOpen says that phones may vote on this question, RoomHidden that their votes are not shown yet.
func (c *Block) RoomOpen() bool { return c.RoomHidden() && c.Learn.Room.State == "open" }

// RoomHidden says that their votes are not shown yet.
func (c *Block) RoomHidden() bool { return c.Learn.Room.Hidden(c.K()) }

// RoomSays says how far the votes on this question are, or what went wrong.
func (c *Block) RoomSays() string {
	r := c.Learn.Room
	s := say.Count(r.Votes(), "vote", "votes")
	switch {
	case r.Fault != "":
		return r.Fault
	case !r.For(c.K()):
		return "Voting is closed."
	case r.State == "closed":
		return s + ". Voting is closed."
	case r.Votes() == 0 && r.Unreachable():
		return s + ". Phones cannot open this address."
	}
	return s
}

// RoomCode is the code in two groups.
func (c *Block) RoomCode() string {
	code := c.Learn.Room.Code
	return code[:len(code)/2] + " " + code[len(code)/2:]
}

// RoomBox and RoomPath draw the address that phones open as a QR code.
func (c *Block) RoomBox() string { box, _ := drawn(c.Learn.Room.Link()); return box }

// RoomPath draws the dark modules.
func (c *Block) RoomPath() string { _, path := drawn(c.Learn.Room.Link()); return path }

// Hands are the votes for an option, before and after.
func (c *Block) Hands(i int) string {
	v := c.Learn.Votes[c.K()]
	if v == nil {
		return "0"
	}
	s := strconv.Itoa(v[0][i])
	if c.Learn.Revealed[c.K()] {
		s += " → " + strconv.Itoa(v[1][i])
	}
	return s
}

// Votes is how wide the bar of an option is, of 100: hands before the reveal and after it, 0 and 1, to the same scale.
func (c *Block) Votes(after, i int) string {
	v := c.Learn.Votes[c.K()]
	if v == nil {
		return "0"
	}
	return strconv.Itoa(100 * v[after][i] / max(1, slices.Max(v[0]), slices.Max(v[1])))
}

// Vote counts a hand.
func (c *Block) Vote(i, by int) { c.Learn.Vote(c.K(), len(c.B.Options), i, by) }

// Table is the ranking that is played with.
func (c *Block) Table() *play.Play { return c.Learn.Table(c.K(), c.B) }

// E is the exercise.
func (c *Block) E() *lesson.Exercise { return c.Learn.Exercise(c.K(), c.B) }

// D is what was answered.
func (c *Block) D() screen.Drill { return c.Learn.Drills[c.K()] }

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
func (c *Block) Level() int { return c.Learn.Level(c.K(), c.B) }

// SetLevel chooses it.
func (c *Block) SetLevel(event vugu.DOMEvent) {
	if n, err := strconv.Atoi(target(event)); err == nil {
		c.Learn.SetLevel(c.K(), c.B, n)
	}
}

// Typing takes an answer.
func (c *Block) Typing(event vugu.DOMEvent) {
	c.Learn.Type(c.K(), event.PropString("target", "value"))
}

// Submit checks it.
func (c *Block) Submit(event vugu.DOMEvent) {
	event.PreventDefault()
	c.Learn.Submit(c.K(), c.B)
}

// Score says how many were right.
func (c *Block) Score() string {
	if n := c.D().Correct; n > 0 {
		return say.Count(n, "exercise", "exercises") + " right so far."
	}
	return ""
}

// Width is how long a bar is, in parts of 300 of the longest.
func (c *Block) Width(bar int) string {
	most := 0.0
	for _, x := range c.B.Values {
		most = max(most, x, -x)
	}
	if most == 0 {
		return "0"
	}
	return strconv.FormatFloat(300*math.Abs(c.B.Values[bar])/most, 'f', 1, 64)
}

// Tick is a mark of both axes.
type Tick struct{ Text, X, Y string }

// Ticks are those of a precision-recall curve.
func Ticks() []Tick {
	return []Tick{{"0", "0", "204"}, {"0.5", "100", "104"}, {"1", "200", "4"}}
}

// CurveSays says in words what is drawn.
func (c *Block) CurveSays() string {
	var names []string
	for _, r := range c.B.Rows {
		names = append(names, r[0])
	}
	return "Precision over recall of " + strings.Join(names, " and ") + ": a saw by rank, and the stairs of interpolated precision above it."
}

// CurveKey is how a curve is drawn, in words.
func CurveKey(i int) string { return []string{"full line:", "dashed:"}[min(1, i)] }

// Grades are those that are given.
func Grades() []int { return []int{0, 1, 2, 3} }

// Judged is the grade that was given to an article, −1 for none.
func (c *Block) Judged(i int) int {
	if g := c.Learn.Judgments[c.K()]; i < len(g) {
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
	return say.Count(c.Unjudged(), "article is", "articles are") + " still without your grade: 3 answers the query, 2 in a substantial part, 1 touches it, 0 not at all."
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
	}{{"You and the first judge", mine, first}, {"You and the second", mine, second}, {"The two of them", first, second}} {
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
