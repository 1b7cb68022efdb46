// Package figure holds the interactive figures of the lessons. A figure has a state that named handles change, a
// goal, and values that follow from the state. It draws nothing: a page component shows the rows and marks of a
// [View]. Measures, tests and scores come from core/measure, core/measure/significance and core/retrieve/rank.
//
// Order of the pipeline: a lesson's data → [Pack] at the build → [Data] → [Kind.New] → [Figure] → [Moved] →
// [Figure.Goals] and [Figure.View]. The build requires that [Solve] reaches the goal. To add a figure, add a file,
// a line of [Kinds], and "!figure name data : targets" in a lesson.
package figure

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/measure"
)

// Kind is a kind of figure.
type Kind struct {
	Name    string
	Minutes float64 // estimated time that a student spends
	// New makes the figure. It refuses data of another shape, because a link may contain anything.
	New func(Data) (Figure, error)
}

// Kinds lists all kinds in the order of the lessons.
var Kinds = []Kind{cutoff, area, points, gains, systems, ties, pool, judges, readers, centre, power, postings, weights,
	words, fusion, probes, expansion, answer}

// packs prepare a lesson's data for figures that use more than rankings. Only the build has them.
var packs = map[string]func(Given) (Data, error){"systems": packSystems, "pool": packPool, "judges": packJudges,
	"centre": packCentre, "power": packPower, "words": packWords, "postings": packPostings,
	"weights": packWeights, "fusion": packFusion, "probes": packProbes,
	"expansion": packExpansion, "answer": packAnswer}

// Pack prepares a lesson's data for a figure. By default the data are the rankings themselves.
func Pack(name string, g Given) (Data, error) {
	if pack := packs[name]; pack != nil {
		return pack(g)
	}
	d := Data{Targets: g.Targets}
	for _, t := range g.Tables {
		d.Tables = append(d.Tables, t.Table)
	}
	return d, nil
}

// Named returns the kind with a name, or nil.
func Named(name string) *Kind {
	for i := range Kinds {
		if Kinds[i].Name == name {
			return &Kinds[i]
		}
	}
	return nil
}

// Given is the data that a lesson names after "!figure".
type Given struct {
	Tables     []Ranking
	Reports    []*report.Report
	Graded     []Graded
	Scored     []Scored
	Postings   []Postings
	Near       []Neighbours
	Expansions []Expansion
	Answers    []Answer
	Targets    []float64 // targets of the goal
}

// Ranking is a ranking with its name in the lesson.
type Ranking struct {
	Name string
	*play.Table
}

// Graded is a document with the grades of two judges.
type Graded struct {
	Title         string
	First, Second int
}

// Scored is a document with the numbers behind its BM25 score.
type Scored struct {
	Title                 string
	Grade                 int
	Docs, Length, Average float64 // documents of the collection, length of this one in BM25, average length
	Words                 []Word
}

// Word is a query word in one document.
type Word struct {
	Name   string
	TF, DF float64
}

// Data is the input of a figure.
type Data struct {
	Tables  []*play.Table
	Rows    [][]string
	Values  []float64
	Targets []float64
}

// State holds the positions of the handles of a figure, which knows the meaning of each number.
type State []int

// Handle is a control that a student moves.
type Handle struct {
	Name, Label string
	Row         int // the row of the view that contains it, from 1; 0 if beside the plot
	// A slider from Min to Max, or one of Choices, the first of which is Min.
	Min, Max, At int
	Says         string // its position in words or with a unit
	Choices      []string
	Press        bool // a button instead
}

// Move moves a handle, or presses the button of a row.
type Move struct {
	Name string
	To   int
}

// Goal is a condition of the goal or, if Want is "", a figure beside it. Far is the distance to the target; at 0
// the condition is met.
type Goal struct {
	Label, Value, Want string
	Far                float64
}

// Met reports whether the condition is met.
func (g Goal) Met() bool { return g.Far <= 1e-9 }

// Figure is a figure of one lesson.
type Figure interface {
	// Asks describes the goal.
	Asks() string
	Start() State
	Handles(State) []Handle
	// Set makes a move within the bounds of its handle, on a copy.
	Set(State, Move) State
	Goals(State) []Goal
	View(State) View
}

// View is the display of a figure.
type View struct {
	Heads []string // headers of the columns after the title
	First string   // header of the titles, "" for "Article"
	Rows  []Row
	Cut   int      // rows above the cutoff line; 0 for no line
	Plot  *Plot    // nil for none
	Sums  []string // the arithmetic
}

// Row is a document, a query or a word.
type Row struct {
	Key, Rank, Grade, Title string // Grade is "" if there is none
	Cells                   []string
	Class                   string // "under" a cutoff, "lit", "hole" or ""
}

// Plot is a drawing: marks in the units of its box, in the order of the fields.
type Plot struct {
	W, H  float64
	Says  string // text alternative
	Rects []Rect
	Lines []Line
	Dots  []Dot
	Texts []Text
}

// Rect is a bar or an area.
type Rect struct {
	X, Y, W, H float64
	Class      string
}

// Line is an SVG path.
type Line struct{ D, Class string }

// Dot is a circle.
type Dot struct {
	X, Y, R float64
	Class   string
}

// Text is a label; Anchor is "start", "middle" or "end".
type Text struct {
	X, Y         float64
	Anchor, Text string
}

// The marks of a plot are not inlined, to save code on the page: a dozen figures have many of them.
//
//go:noinline
func (p *Plot) rect(x, y, w, h float64, class string) {
	p.Rects = append(p.Rects, Rect{x, y, w, h, class})
}

//go:noinline
func (p *Plot) line(d, class string) { p.Lines = append(p.Lines, Line{d, class}) }

//go:noinline
func (p *Plot) dot(x, y, r float64, class string) { p.Dots = append(p.Dots, Dot{x, y, r, class}) }

//go:noinline
func (p *Plot) text(x, y float64, anchor, s string) { p.Texts = append(p.Texts, Text{x, y, anchor, s}) }

// New makes the figure with a name.
func New(name string, d Data) (Figure, error) {
	k := Named(name)
	if k == nil {
		return nil, fmt.Errorf("there is no figure %q", name)
	}
	return k.New(d)
}

// Moved makes a move; ok is false if no handle allows it.
func Moved(f Figure, s State, m Move) (next State, ok bool) {
	for _, h := range f.Handles(s) {
		if h.Name != m.Name {
			continue
		}
		if h.Press && h.Row == m.To || !h.Press && m.To >= h.Min && m.To <= h.Max && m.To != h.At {
			return f.Set(slices.Clone(s), m), true
		}
	}
	return s, false
}

// Reached reports whether every condition is met.
func Reached(f Figure, s State) bool {
	conditions := 0
	for _, g := range f.Goals(s) {
		if g.Want == "" {
			continue
		}
		if conditions++; !g.Met() {
			return false
		}
	}
	return conditions > 0
}

// Solve is a beam search: beam width and maximum length of a solution.
const (
	mostStates = 250
	mostMoves  = 30
)

// Solve returns a short sequence of moves to the goal; ok is false if it finds none.
func Solve(f Figure) (way []Move, ok bool) {
	type node struct {
		s   State
		way []Move
		far float64
	}
	level := []node{{s: f.Start(), far: distance(f, f.Start())}}
	seen := map[string]bool{fmt.Sprint(level[0].s): true}
	for range mostMoves {
		if Reached(f, level[0].s) {
			return level[0].way, true
		}
		var next []node
		for _, n := range level {
			for _, m := range moves(f, n.s) {
				s := f.Set(slices.Clone(n.s), m)
				if k := fmt.Sprint(s); !seen[k] {
					seen[k] = true
					next = append(next, node{s, append(slices.Clone(n.way), m), distance(f, s)})
				}
			}
		}
		if len(next) == 0 {
			break
		}
		slices.SortStableFunc(next, func(a, b node) int { return cmp.Compare(a.far, b.far) })
		level = next[:min(len(next), mostStates)]
	}
	return nil, false
}

// distance returns the distance of a state to the goal.
func distance(f Figure, s State) float64 {
	sum := 0.0
	for _, g := range f.Goals(s) {
		if g.Want != "" {
			sum += g.Far
		}
	}
	return sum
}

// moves returns all moves that the handles allow.
func moves(f Figure, s State) (out []Move) {
	for _, h := range f.Handles(s) {
		if h.Press {
			out = append(out, Move{h.Name, h.Row})
			continue
		}
		for to := h.Min; to <= h.Max; to++ {
			if to != h.At {
				out = append(out, Move{h.Name, to})
			}
		}
	}
	return out
}

// DescribeSolution puts a solution into words, for the teacher's key. It returns an error if the start meets the
// goal or Solve finds no solution.
func DescribeSolution(f Figure) (string, error) {
	way, ok := Solve(f)
	switch {
	case !ok:
		return "", errors.New("its goal is out of reach")
	case len(way) == 0:
		return "", errors.New("its goal is reached at the start")
	}
	s := f.Start()
	var steps []string
	for _, m := range way {
		for _, h := range f.Handles(s) {
			if h.Name != m.Name || h.Press && h.Row != m.To {
				continue
			}
			step := h.Label
			switch {
			case h.Press && h.Row > 0:
				step += ", rank " + itoa(h.Row)
			case len(h.Choices) > 0:
				if h.Row > 0 {
					step += ", " + strings.ToLower(cmp.Or(f.View(s).First, "article")) + " " + itoa(h.Row)
				}
				step += ": " + h.Choices[m.To-h.Min]
			}
			s = f.Set(slices.Clone(s), m)
			if !h.Press && len(h.Choices) == 0 {
				for _, to := range f.Handles(s) {
					if to.Name == m.Name {
						step += ": " + to.Says
					}
				}
			}
			steps = append(steps, step)
			break
		}
	}
	return strings.Join(steps, "; then ") + ".", nil
}

// need returns an error if data has too few targets or non-empty tables.
func (d Data) need(tables, targets int) error {
	if len(d.Tables) != tables || len(d.Targets) != targets {
		return fmt.Errorf("it takes %d rankings and %s", tables, say.Count(targets, "target", "targets"))
	}
	for _, t := range d.Tables {
		if len(t.Lists[0]) < 2 {
			return errors.New("a ranking has two documents at least")
		}
	}
	return nil
}

// scoreOf returns the score of a measure given by its notation.
func scoreOf(notation string, t *measure.Topic) float64 {
	m, err := measure.Parse(notation)
	if err != nil {
		return 0
	}
	return m.Score(t)
}

// arithmeticOf returns the arithmetic of a measure, or nil if it is unknown.
func arithmeticOf(notation string, t *measure.Topic) *measure.Unfolding {
	m, err := measure.Parse(notation)
	if err != nil {
		return &measure.Unfolding{}
	}
	return m.Unfold(t)
}

// resultOf formats the last step of an arithmetic: "P@5 = 3 / 5 = 0.6".
func resultOf(notation string, t *measure.Topic) string {
	u := arithmeticOf(notation, t)
	out := notation + " = " + brief(u.Sum)
	if u.By != "" {
		out += " / " + brief(u.Divisor)
	}
	return out + " = " + digits(u.Value)
}

// scale interpolates between two positions.
func scale(share, from, to float64) float64 { return from + float64(share*(to-from)) }

func say100(share float64) string { return say.Page.Percent(share, 0) }
func digits(v float64) string     { return say.Page.Number(v, 3) }
func brief(v float64) string      { return say.Page.Short(v) }

// Rounded returns a text with its numbers rounded to at most three decimals.
func Rounded(text string) string {
	var b strings.Builder
	for n := 0; text != ""; text, n = text[n:], 0 {
		for n < len(text) && (text[n] == '.' || text[n] >= '0' && text[n] <= '9') {
			n++
		}
		for n > 0 && text[n-1] == '.' { // the full stop of the sentence
			n--
		}
		_, decimals, _ := strings.Cut(text[:n], ".")
		v, err := strconv.ParseFloat(text[:n], 64)
		switch {
		case n == 0:
			n = 1
			b.WriteString(text[:1])
		case len(decimals) > 3 && err == nil:
			b.WriteString(digits(v))
		default:
			b.WriteString(text[:n])
		}
	}
	return b.String()
}

// formatTerm formats a term: zero is a plain 0.
func formatTerm(v float64) string {
	if v == 0 {
		return "0"
	}
	return digits(v)
}

func coord(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
func itoa(n int) string      { return strconv.Itoa(n) }

// descending returns the indices of n things by descending score, ties by index. All figures share this sort,
// because each further type to sort adds 9 kB of code to the page.
func descending(n int, score func(i int) float64) []int {
	order, scores := make([]int, n), make([]float64, n)
	for i := range order {
		order[i], scores[i] = i, score(i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order
}

// atLeast and atMost build conditions.
func atLeast(label string, v, want float64) Goal {
	return Goal{label, digits(v), "at least " + brief(want), max(0, want-v)}
}

func atMost(label string, n, want int) Goal {
	return Goal{label, itoa(n), "at most " + itoa(want), float64(max(0, n-want)) / 10}
}

// path builds an SVG path, broken where a new line begins.
type path struct{ d string }

func (p *path) to(x, y float64) {
	pen := "L"
	if p.d == "" {
		pen = "M"
	}
	p.d += pen + coord(x) + " " + coord(y)
}

// conditionDistance is the distance of a yes-or-no condition.
func conditionDistance(ok bool) float64 {
	if ok {
		return 0
	}
	return 1
}
