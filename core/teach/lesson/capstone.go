package lesson

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// Field is the pool of systems from which the capstone draws three anonymous ones: their answers to every query of
// the demo, and the reports on every three of them.
type Field struct {
	Measure string
	Systems []Entrant
	Queries []Asked
	Titles  []string
	Trios   []Trio
}

// Entrant is a system of the field: its pipeline, its value for every query, and the head of its lists.
type Entrant struct {
	Notation, Label string
	Values          []float64 // by query
	Heads           [][]Shown // by query, best first
}

// Shown is a document of a list.
type Shown struct{ Title, Grade int } // index in Titles; the grade, measure.Unjudged for none

// Asked is a query.
type Asked struct{ ID, Text, Kind string }

// Trio is a summary of the report on three systems.
type Trio struct {
	Systems [3]int // indices in Systems, the best by mean first
	Means   [3]float64
	// Diff, Low and High of the best minus the second, with an uncorrected interval.
	Best    report.Pair
	Finding string
}

// HeadDepth is how many documents of a list are shown.
const HeadDepth = 5

// Entrants are the systems of the capstone, in the notation of pipelines. Lessons teach all of them: 11 the title
// weight, 6 and 7 k1 = 0, 13 the effect of b = 0, 14 dense retrieval and fusion.
var Entrants = []string{"bm25", "bm25(title=3)", "bm25(k1=0)", "bm25(b=0)", "dense", "rrf(bm25, dense)"}

// TrioOf summarises a report on three systems; at are their indices in a Field.
func TrioOf(r *report.Report, at [3]int) Trio {
	c := &r.Columns[0]
	order := r.Ranking()
	t := Trio{Finding: r.Sentence(say.Page)}
	for i, s := range order {
		t.Systems[i], t.Means[i] = at[s], c.Means[s]
	}
	p, _ := r.Pair(order[1], order[0])
	// of this pair alone, as students work it out
	if o, err := report.Paired(c.Measure, c.Values[order[1]], c.Values[order[0]], nil); err == nil {
		p.Low, p.High = o.Low, o.High
	}
	t.Best = p
	return t
}

// Case is a trio with shuffled letters.
type Case struct {
	Field   *Field
	Trio    *Trio
	Letters [3]int // X, Y and Z are these indices in Trio.Systems
	Seed    string
}

// Draw draws the case of a seed. It avoids trios whose two best systems have equal means: they have no best system.
func (f *Field) Draw(seed string) *Case {
	h := fnv.New64a()
	h.Write([]byte("capstone\x00" + strings.TrimSpace(seed)))
	rng := rand.New(rand.NewPCG(h.Sum64(), 12))
	for range 1000 {
		t := &f.Trios[rng.IntN(len(f.Trios))]
		letters := [3]int{0, 1, 2}
		rng.Shuffle(3, func(i, j int) { letters[i], letters[j] = letters[j], letters[i] })
		if t.Means[0]-t.Means[1] > 0.002 {
			return &Case{f, t, letters, seed}
		}
	}
	return nil
}

// Anonym are the letters of the three systems.
var Anonym = []string{"X", "Y", "Z"}

// System returns the system with a letter, Values its figures.
func (c *Case) System(letter int) *Entrant {
	return &c.Field.Systems[c.Trio.Systems[c.Letters[letter]]]
}

// letter returns the letter of an index in the trio.
func (c *Case) letter(place int) int { return slices.Index(c.Letters[:], place) }

// KindRow holds the means of three systems on the queries of one kind.
type KindRow struct {
	Kind    string
	Queries int
	Means   [3]float64 // of X, Y, Z
}

// Kinds returns the means by kind of query, sorted by name.
func (c *Case) Kinds() []KindRow {
	var out []KindRow
	for _, q := range c.Field.Queries {
		if !slices.ContainsFunc(out, func(r KindRow) bool { return r.Kind == q.Kind }) {
			out = append(out, KindRow{Kind: q.Kind})
		}
	}
	before := func(a, b KindRow) int { return strings.Compare(a.Kind, b.Kind) }
	sort.Slice(out, func(i, j int) bool { return before(out[i], out[j]) < 0 })
	for i := range out {
		r := &out[i]
		for j, q := range c.Field.Queries {
			if q.Kind != r.Kind {
				continue
			}
			r.Queries++
			for l := range r.Means {
				r.Means[l] += c.System(l).Values[j]
			}
		}
		for l := range r.Means {
			r.Means[l] /= float64(r.Queries)
		}
	}
	return out
}

// Deviation returns the standard deviation (n − 1) of the per-query differences of two systems.
func (c *Case) Deviation(a, b int) float64 {
	x, y := c.System(a).Values, c.System(b).Values
	mean := 0.0
	for i := range x {
		mean += x[i] - y[i]
	}
	mean /= float64(len(x))
	sum := 0.0
	for i := range x {
		d := x[i] - y[i] - mean
		sum += float64(d * d)
	}
	return math.Sqrt(sum / float64(max(1, len(x)-1)))
}

// Student returns Student's 95 % interval of the mean difference of two systems, which is worked out by hand: the
// difference ± t × deviation / √n, t being about 2.
func (c *Case) Student(a, b int) (low, high float64) {
	x, y := c.System(a).Values, c.System(b).Values
	n := float64(len(x))
	mean := significance.Mean(x) - significance.Mean(y)
	half := float64(significance.StudentQuantile(0.975, n-1)*c.Deviation(a, b)) / math.Sqrt(n)
	return mean - half, mean + half
}

// Claims are a student's findings; −1 and NaN mean no answer.
type Claims struct {
	Which      [3]int  // X, Y and Z are these indices in Field.Systems
	Best       int     // letter of the best system
	Difference float64 // best mean minus second best mean
	Low, High  float64 // 95 % interval of it
	Apart      int     // 1 if the two can be told apart, else 0
	Kind       string  // kind of query on which the best leads the second by most
	Why        string
}

// Line is a claim beside the report's figure.
type Line struct {
	Claim, Yours, Report string
	Agrees               bool
	Note                 string
}

// Tolerances of the claims.
const (
	DifferenceOff = 0.005
	IntervalOff   = 0.02
)

// ahead returns the kind of query on which the best system leads the second by most.
func (c *Case) ahead() (kind string, by float64) {
	a, b := c.letter(0), c.letter(1)
	by = math.Inf(-1)
	for _, r := range c.Kinds() {
		if d := r.Means[a] - r.Means[b]; d > by+1e-12 {
			kind, by = r.Kind, d
		}
	}
	return kind, by
}

// Compare compares each claim with the report.
func (c *Case) Compare(k Claims) []Line {
	var out []Line
	add := func(claim, yours, says string, agrees bool, note string) {
		out = append(out, Line{claim, yours, says, agrees, note})
	}
	for l, name := range Anonym {
		is, yours := c.Trio.Systems[c.Letters[l]], "–"
		if k.Which[l] >= 0 && k.Which[l] < len(c.Field.Systems) {
			yours = c.Field.Systems[k.Which[l]].Label
		}
		add("which system "+name+" is", yours, c.Field.Systems[is].Label, k.Which[l] == is, "")
	}
	letter := func(l int) string {
		if l < 0 || l > 2 {
			return "–"
		}
		return Anonym[l]
	}
	best, second := c.letter(0), c.letter(1)
	add("the best by mean "+c.Field.Measure, letter(k.Best),
		Anonym[best]+", "+orDash(c.Trio.Means[0])+"; then "+Anonym[second]+", "+orDash(c.Trio.Means[1]), k.Best == best,
		"")
	p := &c.Trio.Best
	add("by how much it is ahead of the second", orDash(k.Difference), orDash(p.Diff),
		math.Abs(k.Difference-p.Diff) <= DifferenceOff, "± "+strconv.FormatFloat(DifferenceOff, 'f', -1,
			64)+" counts as the same")
	margin := strconv.FormatFloat(IntervalOff, 'f', -1, 64)
	is := func(low, high float64) bool {
		return math.Abs(k.Low-low) <= IntervalOff && math.Abs(k.High-high) <= IntervalOff
	}
	low, high := c.Student(best, second)
	near, note := is(p.Low, p.High), "of this pair alone; ± "+margin+" counts as the same"
	switch {
	case k.Low > k.High:
		near, note = false, "an interval goes from its lower end to its upper end"
	case k.Difference < k.Low || k.Difference > k.High:
		near, note = false, "the interval of a difference contains that difference"
	case !near && is(low, high):
		near, note = true, "Student's interval, as computed by hand. The report's also leaves room for queries that were "+
			"not asked. Either counts"
	}
	add("the 95 % interval of that", orDash(k.Low)+" to "+orDash(k.High), orDash(p.Low)+" to "+orDash(p.High), near,
		note)
	apart := 0
	if p.Adjusted < report.Alpha {
		apart = 1
	}
	add("whether the two can be told apart", apartWords(k.Apart),
		apartWords(apart)+", "+say.Page.P(p.Adjusted)+" after the correction for three comparisons", k.Apart == apart,
		"")
	kind, by := c.ahead()
	yours := k.Kind
	if yours == "" {
		yours = "–"
	}
	add("on which kind of query it is furthest ahead", yours, kind+", by "+orDash(by), k.Kind == kind, "")
	return out
}

func orDash(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return decimals(v)
}

func apartWords(n int) string {
	switch n {
	case 0:
		return "no"
	case 1:
		return "yes"
	}
	return "–"
}

// wire codes the field.
func (f *Field) wire(c *wire.Codec) {
	c.String(&f.Measure)
	wire.List(c, &f.Systems, func(e *Entrant) {
		c.Fields(&e.Notation, &e.Label)
		wire.List(c, &e.Values, func(v *float64) { c.Float(v) })
		wire.List(c, &e.Heads, func(h *[]Shown) { wire.List(c, h, func(s *Shown) { c.Fields(&s.Title, &s.Grade) }) })
	})
	wire.List(c, &f.Queries, func(q *Asked) { c.Fields(&q.ID, &q.Text, &q.Kind) })
	c.Strings(&f.Titles)
	wire.List(c, &f.Trios, func(t *Trio) {
		for i := range t.Systems {
			c.Int(&t.Systems[i])
			c.Float(&t.Means[i])
		}
		t.Best.Wire(c)
		c.String(&t.Finding)
	})
	if c.Reading() && !f.valid() {
		c.Fail()
	}
}

// valid reports whether every index in it is valid.
func (f *Field) valid() bool {
	for _, e := range f.Systems {
		if len(e.Values) != len(f.Queries) || len(e.Heads) != len(f.Queries) {
			return false
		}
		for _, h := range e.Heads {
			if slices.ContainsFunc(h, func(s Shown) bool { return s.Title < 0 || s.Title >= len(f.Titles) }) {
				return false
			}
		}
	}
	for _, t := range f.Trios {
		for _, s := range t.Systems {
			if s < 0 || s >= len(f.Systems) {
				return false
			}
		}
	}
	return true
}
