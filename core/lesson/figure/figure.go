// Package figure is the movable figures of the lessons: one for each idea, with a state that named handles change, a
// goal, and the figures that follow. It draws nothing: a [View] is rows and marks that one component of the page shows.
// It computes no measure: values, terms, intervals and scores come from core/measure, core/significance and core/rank.
//
// Order of the pipeline: what a lesson names → [Pack] at the build → [Data] → [Kind.New] → [Figure] → [Moved] →
// [Figure.Goals] and [Figure.View]. [Solve] looks for the shortest way to a goal: the build refuses a goal without one.
//
// A new figure is a file, a line of [Kinds], and "!figure name data : targets" in a lesson.
package figure

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/play"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
)

// Kind is a kind of figures.
type Kind struct {
	Name    string
	Minutes float64 // that a student moves it: an estimate
	// New makes the figure of data. It refuses data of another shape, which a link may hold.
	New func(Data) (Figure, error)
}

// Kinds are all of them, in the order of the lessons.
var Kinds = []Kind{cutoff, area, points, gains, systems, ties, pool, judges, readers, centre, power, postings, weights,
	words, fusion, probes, expansion, answer}

// packs make the data of what a lesson names, for figures of other data than rankings. Only the build has them.
var packs = map[string]func(Given) (Data, error){"systems": packSystems, "pool": packPool, "judges": packJudges,
	"centre": packCentre, "power": packPower, "words": packWords, "postings": packPostings,
	"weights": packWeights, "fusion": packFusion, "probes": packProbes,
	"expansion": packExpansion, "answer": packAnswer}

// Pack makes the data of a figure of what a lesson names. The rankings themselves are it where nothing else is named.
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

// Named returns a kind by its name, nil for an unknown one.
func Named(name string) *Kind {
	for i := range Kinds {
		if Kinds[i].Name == name {
			return &Kinds[i]
		}
	}
	return nil
}

// Given is what a lesson names behind "!figure".
type Given struct {
	Tables     []Ranking
	Reports    []*report.Report
	Graded     []Graded
	Scored     []Scored
	Postings   []Postings
	Near       []Neighbours
	Expansions []Expansion
	Answers    []Answer
	Targets    []float64 // of the goal
}

// Ranking is a ranking by the name that the lesson gives it.
type Ranking struct {
	Name string
	*play.Table
}

// Graded is a document with the grades of two judges.
type Graded struct {
	Title         string
	First, Second int
}

// Scored is a document with the numbers that its BM25 score comes from.
type Scored struct {
	Title                 string
	Grade                 int
	Docs, Length, Average float64 // documents of the collection, length of this one as BM25 takes it, average length
	Words                 []Word
}

// Word is a word of a query in one document.
type Word struct {
	Name   string
	TF, DF float64
}

// Data is what a figure is made of.
type Data struct {
	Tables  []*play.Table
	Rows    [][]string
	Values  []float64
	Targets []float64
}

// State is where the handles of a figure stand. A figure knows what each number is.
type State []int

// Handle is what a student moves.
type Handle struct {
	Name, Label string
	Row         int // the row of the view that holds it, from 1; 0 beside the plot
	// A slider from Min to Max, or one of Choices, the first of them Min
	Min, Max, At int
	Says         string // where it stands, in words or with a unit
	Choices      []string
	Press        bool // a button instead
}

// Move moves a handle to a place, or presses the button of a row.
type Move struct {
	Name string
	To   int
}

// Goal is a condition of the goal, or a figure beside it where Want is "". It is met where Far, the distance to what is
// wanted, is 0.
type Goal struct {
	Label, Value, Want string
	Far                float64
}

// Met says whether the condition is met.
func (g Goal) Met() bool { return g.Far <= 1e-9 }

// Figure is a figure of one lesson.
type Figure interface {
	// Asks says what to reach.
	Asks() string
	Start() State
	Handles(State) []Handle
	// Set makes the move, which is within the bounds of its handle. It changes a copy.
	Set(State, Move) State
	Goals(State) []Goal
	View(State) View
}

// View is what a figure shows.
type View struct {
	Heads []string // of the columns behind the title
	First string   // head of the titles, "" for "Article"
	Rows  []Row
	Cut   int      // rows above the line of a cutoff; 0 for no line
	Plot  *Plot    // nil for none
	Sums  []string // the arithmetic
}

// Row is a document, a query or a word.
type Row struct {
	Key, Rank, Grade, Title string // Grade is "" where it has none
	Cells                   []string
	Class                   string // "under" a cutoff, "lit", "hole" or ""
}

// Plot is a drawing: marks in the units of its box, in the order of the fields.
type Plot struct {
	W, H  float64
	Says  string // in words, for who does not see it
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

// Line is a path.
type Line struct{ D, Class string }

// Dot is a point.
type Dot struct {
	X, Y, R float64
	Class   string
}

// Text is a label; Anchor is "start", "middle" or "end".
type Text struct {
	X, Y         float64
	Anchor, Text string
}

// The marks of a plot: not inlined, since a dozen figures have many of them and the page carries their code.
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

// New makes the figure of a name.
func New(name string, d Data) (Figure, error) {
	k := Named(name)
	if k == nil {
		return nil, fmt.Errorf("there is no figure %q", name)
	}
	return k.New(d)
}

// Moved makes a move; ok is false where no handle allows it.
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

// Reached says whether every condition is met.
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

// Solve tries the moves from the most promising states of each length: as many states, and as long ways.
const (
	mostStates = 250
	mostMoves  = 30
)

// Solve returns a short way from the start to the goal; ok is false where it finds none.
func Solve(f Figure) (way []Move, ok bool) {
	type node struct {
		s   State
		way []Move
		far float64
	}
	level := []node{{s: f.Start(), far: far(f, f.Start())}}
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
					next = append(next, node{s, append(slices.Clone(n.way), m), far(f, s)})
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

// far is how far a state is from the goal.
func far(f Figure, s State) float64 {
	sum := 0.0
	for _, g := range f.Goals(s) {
		if g.Want != "" {
			sum += g.Far
		}
	}
	return sum
}

// moves are all that the handles allow.
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

// Way says in words how the goal is reached: the teacher's key. It is an error where the goal is reached at the start
// or
// where Solve finds no way.
func Way(f Figure) (string, error) {
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
				step += ", rank " + text(h.Row)
			case len(h.Choices) > 0:
				if h.Row > 0 {
					step += ", " + strings.ToLower(cmp.Or(f.View(s).First, "article")) + " " + text(h.Row)
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

// need is an error where data has not so many of them, or not so many tables with documents.
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

// value is the score of a measure by its notation.
func value(notation string, t *measure.Topic) float64 {
	m, err := measure.Parse(notation)
	if err != nil {
		return 0
	}
	return m.Score(t)
}

// unfolded is its arithmetic; nil for an unknown one.
func unfolded(notation string, t *measure.Topic) *measure.Unfolding {
	m, err := measure.Parse(notation)
	if err != nil {
		return &measure.Unfolding{}
	}
	return m.Unfold(t)
}

// sum writes the last step of an arithmetic: "P@5 = 3 / 5 = 0.6".
func sum(notation string, t *measure.Topic) string {
	u := unfolded(notation, t)
	out := notation + " = " + short(u.Sum)
	if u.By != "" {
		out += " / " + short(u.Divisor)
	}
	return out + " = " + digits(u.Value)
}

// scale is the place of a share of the way from one place to another.
func scale(share, from, to float64) float64 { return from + float64(share*(to-from)) }

func say100(share float64) string { return say.Page.Percent(share, 0) }
func digits(v float64) string     { return say.Page.Number(v, 3) }
func short(v float64) string      { return say.Page.Short(v) }

// Rounded is a text with its numbers to three decimals at most.
func Rounded(text string) string {
	var b strings.Builder
	for n := 0; text != ""; text, n = text[n:], 0 {
		for n < len(text) && (text[n] == '.' || text[n] >= '0' && text[n] <= '9') {
			n++
		}
		for n > 0 && text[n-1] == '.' { // of the sentence
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

// adds is a term: one that adds nothing is a plain 0.
func adds(v float64) string {
	if v == 0 {
		return "0"
	}
	return digits(v)
}

func at(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
func text(n int) string   { return strconv.Itoa(n) }

// descending returns the numbers of n things by their scores, highest first, equal ones in their order. One order of
// numbers serves all figures: each kind of thing that is sorted itself costs the page 9 kB of code.
func descending(n int, score func(i int) float64) []int {
	order, scores := make([]int, n), make([]float64, n)
	for i := range order {
		order[i], scores[i] = i, score(i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order
}

// atLeast and atMost are conditions.
func atLeast(label string, v, want float64) Goal {
	return Goal{label, digits(v), "at least " + short(want), max(0, want-v)}
}

func atMost(label string, n, want int) Goal {
	return Goal{label, text(n), "at most " + text(want), float64(max(0, n-want)) / 10}
}

// path is a line through points, broken where a new one begins.
type path struct{ d string }

func (p *path) to(x, y float64) {
	pen := "L"
	if p.d == "" {
		pen = "M"
	}
	p.d += pen + at(x) + " " + at(y)
}

// unmet is the distance of a condition that is met or not.
func unmet(ok bool) float64 {
	if ok {
		return 0
	}
	return 1
}
