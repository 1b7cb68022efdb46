// Package play is the screen on which a ranking is played with: lists that are dragged, the measures that follow, and
// their arithmetic.
package play

import (
	"math"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/play"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Make is the screen for a page.
func Make(a *state.App) (state.Screen, vugu.Builder) {
	s := screen.New(a)
	return s, &Play{Play: s}
}

// Play is the screen.
type Play struct {
	Play   *screen.Play
	Lesson bool // it is a part of a lesson, which says what it is there for
}

// T is the table.
func (c *Play) T() *play.Table { return c.Play.Hand.Table }

// List is one of the lists.
type List struct {
	play *Play
	N    int // from 0
}

// Lists are one list or two.
func (c *Play) Lists() []List {
	if c.T().Second {
		return []List{{c, 0}, {c, 1}}
	}
	return []List{{c, 0}}
}

// Row is a row of a list: a document, or the line of the cutoff.
type Row struct {
	Cut   bool
	Key   string
	Place int // from 0
	Doc   int
	Card  play.Doc
	Under bool   // below the cutoff
	Swap  string // what changing places with the next one would do, "" for the last
	Sign  string // class of that
	Away  string // where the document stands in the other list
}

// Rows are those of a list.
func (l List) Rows() []Row {
	t := l.play.T()
	m, ok := t.Measure()
	k := m.Cutoff()
	var swaps []float64
	if ok {
		swaps = t.Swaps(m, l.N)
	}
	var out []Row
	for i, d := range t.Lists[l.N] {
		if ok && k > 0 && i == k {
			out = append(out, Row{Cut: true, Key: "cut", Place: k})
		}
		r := Row{Key: strconv.Itoa(d), Place: i, Doc: d, Card: t.Docs[d], Under: k > 0 && i >= k, Sign: "ghost"}
		if i < len(swaps) {
			v := swaps[i]
			if m.Info().Lower {
				v = -v
			}
			switch {
			case math.Abs(v) < 0.0005: // a swap that changes nothing is not worth a sign
			case v > 0:
				r.Swap, r.Sign = say.Page.Signed(swaps[i], 3), "ghost up"
			default:
				r.Swap, r.Sign = say.Page.Signed(swaps[i], 3), "ghost down"
			}
		}
		if t.Second {
			switch at := t.Place(1-l.N, d); {
			case at < 0:
				r.Away = "not in " + say.Letter(1-l.N)
			case at == i:
				r.Away = "= " + say.Letter(1-l.N)
			default:
				r.Away = say.Letter(1-l.N) + " " + strconv.Itoa(at+1)
			}
		}
		out = append(out, r)
	}
	if ok && k > 0 && k >= len(t.Lists[l.N]) {
		out = append(out, Row{Cut: true, Key: "cut", Place: k})
	}
	return out
}

// Class is that of a row.
func (r Row) Class() string {
	switch {
	case r.Cut:
		return "cut"
	case r.Under:
		return "under"
	}
	return ""
}

// Name is what a document is called.
func (c *Play) Name(doc int) string { return say.Visible(c.Play.Hand.Name(doc)) }

// Grip names what is held.
func (l List) Grip(r Row) string {
	return "Rank " + strconv.Itoa(r.Place+1) + ", " + screen.GradeWords(r.Card.Grade) + ": " + l.play.Name(r.Doc) +
		". Alt and arrow keys move it, 0 to 4 grade it, minus takes the grade away."
}

// GripID is the id of a handle.
func (l List) GripID(r Row) string {
	return "grip-" + strconv.Itoa(l.N) + "-" + strconv.Itoa(r.Doc)
}

// GradeText is a grade in its square.
func GradeText[T int32 | float64](g T) string {
	if g == measure.Unjudged {
		return "?"
	}
	return strconv.Itoa(int(g))
}

// GradeClass is its colour.
func GradeClass[T int32 | float64](g T) string {
	if g == measure.Unjudged {
		return "grade q"
	}
	return "grade g" + strconv.Itoa(int(min(3, g)))
}

// GradeLabel says what the square does.
func (c *Play) GradeLabel(doc int) string {
	return screen.GradeWords(c.T().Docs[doc].Grade) + "; change the grade of " + c.Name(doc)
}

// SwapLabel says what a ghost is.
func (c *Play) SwapLabel(r Row) string {
	m, _ := c.T().Measure()
	return "Swap ranks " + strconv.Itoa(r.Place+1) + " and " + strconv.Itoa(r.Place+2) + ": " + m.String() + " " +
		r.Swap
}

// Topics are the sub-topics that can be chosen: one more than are in use.
func (c *Play) Topics() []int {
	if !c.Play.Hand.Diversity {
		return nil
	}
	n := 3
	for _, d := range c.T().Docs {
		for j := range play.MaxTopics {
			if d.Topics>>j&1 != 0 {
				n = max(n, min(play.MaxTopics, j+2))
			}
		}
	}
	out := make([]int, n)
	for j := range out {
		out[j] = j
	}
	return out
}

// Letter is that of a sub-topic.
func Letter(topic int) string { return string(rune('a' + topic)) }

// Has says whether a document is about a sub-topic.
func (c *Play) Has(doc, topic int) string {
	return strconv.FormatBool(c.T().Docs[doc].Topics>>topic&1 != 0)
}

// Hold begins a gesture.
func (c *Play) Hold() { c.Play.Hand.Hold() }

// Drag takes what is held to where it is held over.
func (l List) Drag(event vugu.DOMEvent) {
	l.play.Play.Hand.Drag(l.N, int(event.PropFloat64("detail", "from")), int(event.PropFloat64("detail", "to")))
}

// GripKey moves, grades and removes by key.
func (l List) GripKey(event vugu.DOMEvent, r Row) {
	key := event.PropString("key")
	alt := event.PropBool("altKey")
	switch {
	case alt && key == "ArrowUp", alt && key == "ArrowDown", alt && key == "Home", alt && key == "End":
		event.PreventDefault()
		by := map[string]int{"ArrowUp": -1, "ArrowDown": 1, "Home": -r.Place, "End": len(l.play.T().Lists[l.N]) - 1 -
			r.Place}[key]
		l.play.Play.Hand.Step(l.N, r.Place, by)
	case alt || event.PropBool("ctrlKey") || event.PropBool("metaKey"):
	case len(key) == 1 && key[0] >= '0' && key[0] <= '0'+play.MaxGrade:
		l.play.Play.Hand.Grade(r.Doc, int32(key[0]-'0'))
	case key == "-":
		l.play.Play.Hand.Grade(r.Doc, measure.Unjudged)
	case key == "Delete":
		l.play.Play.Hand.Take(l.N, r.Place)
	}
}

// CutKey pulls the line by key.
func (c *Play) CutKey(event vugu.DOMEvent, r Row) {
	if by := ui.Upwards(event); by != 0 {
		event.PreventDefault()
		c.Play.Hand.Hold()
		c.Play.Hand.Drag(0, screen.Cut, r.Place+by)
	}
}

// Heading is what is found.
func (c *Play) Heading() string {
	t := c.T()
	m, ok := t.Measure()
	if !ok {
		return "Play"
	}
	if !t.Second {
		return m.String() + " of this order is " + say.Page.Number(t.Value(m, 0), 4) + "."
	}
	won := [2]int{}
	for _, m := range t.Measures {
		a, b := t.Value(m, 0), t.Value(m, 1)
		if m.Info().Lower {
			a, b = b, a
		}
		switch {
		case a > b+1e-12:
			won[0]++
		case b > a+1e-12:
			won[1]++
		}
	}
	n := len(t.Measures)
	switch {
	case won[0] == 0 && won[1] == 0:
		return "A and B are equal under every measure here."
	case won[0] == n || won[1] == n:
		who := 0
		if won[1] == n {
			who = 1
		}
		return say.Letter(who) + " wins under every measure here."
	}
	return "A wins " + strconv.Itoa(won[0]) + " of " + say.Count(n, "measure", "measures") + ", B " +
		strconv.Itoa(won[1]) + "."
}

// Caption is above a list.
func (l List) Caption() string {
	s := say.Count(len(l.play.T().Lists[l.N]), "document", "documents")
	if l.play.T().Second {
		s = "List " + say.Letter(l.N) + ", " + s
	}
	return s
}

// Out are documents that are not in a list.
func (l List) Out() []int { return l.play.T().Out(l.N) }

// Value is that of a measure.
func (l List) Value(m measure.Measure) string {
	return say.Page.Number(l.play.T().Value(m, l.N), 4)
}

// Change is by how much the last step changed it.
func (l List) Change(i int) string {
	if v := l.play.Play.Hand.Change(i, l.N); math.Abs(v) >= 0.00005 {
		return say.Page.Signed(v, 4)
	}
	return ""
}

// ChangeClass says whether that is better.
func (l List) ChangeClass(i int) string {
	v := l.play.Play.Hand.Change(i, l.N)
	if l.play.T().Measures[i].Info().Lower {
		v = -v
	}
	if v < 0 {
		return "num change down"
	}
	return "num change up"
}

// Chosen marks the measure that is unfolded.
func (c *Play) Chosen(i int) string { return strconv.FormatBool(i == c.T().Chosen) }

// Groups are the measures by chapter.
func (c *Play) Groups() []Group {
	var out []Group
	for _, in := range measure.All() {
		if n := len(out); n == 0 || out[n-1].Name != string(in.Group) {
			out = append(out, Group{Name: string(in.Group)})
		}
		g := &out[len(out)-1]
		g.Names = append(g.Names, in.Name)
	}
	return out
}

// Group is a chapter.
type Group struct {
	Name  string
	Names []string
}

// Add takes a measure in.
func (c *Play) Add(event vugu.DOMEvent) {
	if s := event.PropString("target", "value"); s != "" {
		c.Play.Hand.Measure(s)
	}
}

// Param is a parameter of the measure that is unfolded.
type Param struct {
	measure.Param
	play *Play
}

// Params are the parameters of the measure that is unfolded.
func (c *Play) Params() (out []Param) {
	if m, ok := c.T().Measure(); ok {
		for _, p := range m.Info().Params {
			out = append(out, Param{p, c})
		}
	}
	return out
}

// IsRange, IsNumber, IsBool, IsChoice and IsText say how a parameter is set.
func (p Param) IsRange() bool { return p.Kind == measure.KindFloat && p.Max > p.Min && p.Max <= 1 }

// IsNumber is for numbers without a rail.
func (p Param) IsNumber() bool {
	return p.Kind == measure.KindInt || p.Kind == measure.KindFloat && !p.IsRange()
}

// IsBool is for switches.
func (p Param) IsBool() bool { return p.Kind == measure.KindBool }

// IsChoice is for one of a few.
func (p Param) IsChoice() bool { return p.Kind == measure.KindChoice }

// IsText is for gains and lists.
func (p Param) IsText() bool {
	return p.Kind == measure.KindGains || p.Kind == measure.KindList
}

// Step is that of a number.
func (p Param) Step() string {
	if p.Kind == measure.KindInt {
		return "1"
	}
	return "any"
}

// Setting is what the parameter is now.
func (p Param) Setting() string {
	m, _ := p.play.T().Measure()
	return m.Setting(p.Name)
}

// On says whether the switch is on.
func (p Param) On() bool { return p.Setting() == "True" }

// Set sets the parameter.
func (p Param) Set(event vugu.DOMEvent) {
	v := event.PropString("target", "value")
	if p.Kind == measure.KindBool {
		v = "False"
		if event.PropBool("target", "checked") {
			v = "True"
		}
	}
	p.play.Play.Hand.Set(p.play.T().Chosen, p.Name, v)
}

// Unfolding is the arithmetic of a list.
func (l List) Unfolding() *measure.Unfolding {
	m, _ := l.play.T().Measure()
	return m.Unfold(l.play.T().Topic(l.N))
}

// DocOf is the document of a part.
func (l List) DocOf(p measure.Part) int { return l.play.T().Lists[l.N][p.Place-1] }

// Work is how a term comes about.
func Work(p measure.Part) string {
	if p.Work == "" {
		return "–"
	}
	return say.Work(p.Work)
}

// Number writes a figure of the arithmetic.
func Number(v float64) string { return say.Page.Number(v, 4) }

// Exactly is the value down to its last digit.
func Exactly(v float64) string { return say.Exact(v) }

// Steps is the arithmetic in lines.
func Steps(u *measure.Unfolding) string { return say.Work(strings.Join(u.Steps(), "; ")) }

// Formula is that of the measure.
func (c *Play) Formula() string {
	m, ok := c.T().Measure()
	if !ok {
		return ""
	}
	return m.Info().Formula
}

// Definition is where the measure is defined.
func (c *Play) Definition() string {
	m, ok := c.T().Measure()
	if !ok {
		return ""
	}
	return ui.ToMeasure(m.String())
}

// Title is above the arithmetic.
func (c *Play) Title() string {
	m, ok := c.T().Measure()
	if !ok {
		return "The arithmetic"
	}
	return "How " + m.String() + " is calculated"
}

// FigureTitle is above that of a list.
func (l List) FigureTitle() string {
	m, _ := l.play.T().Measure()
	s := m.String() + " term by term"
	if l.play.T().Second {
		s += ", list " + say.Letter(l.N)
	}
	return s
}

// Typing takes what is typed.
func (c *Play) Typing(event vugu.DOMEvent) { c.Play.Text.Type(event.PropString("target", "value")) }

// Submit reads it.
func (c *Play) Submit(event vugu.DOMEvent) {
	event.PreventDefault()
	c.Play.Text.Read()
}

// Length says how long the link is.
func (c *Play) Length() string {
	return "The link has " + strconv.Itoa(len(c.T().Link())) + " of at most " + say.Thousands(play.MaxLink) +
		" characters."
}

// Here names what is played with.
func (c *Play) Here() string { return "A ranking by hand" }

// Hash is empty: there is no report here.
func (c *Play) Hash() string { return "" }

// Status leaves it to the page to say what it does.
func (c *Play) Status() string { return "" }

// Exporting is never.
func (c *Play) Exporting() bool { return false }

// Cancel has nothing to cancel.
func (c *Play) Cancel() {}

// Find is the field for grades.
func (c *Play) Find() string { return "play-text" }

// Step does nothing: there are no queries.
func (c *Play) Step(int) {}

// Escape has nothing to close.
func (c *Play) Escape() bool { return false }

// Class is the class of the list's section.
func (l List) Class() string { return "col " + ui.SystemClass(l.N) }
