package experiment

import "github.com/rankbox/rankbox/core/wire"

// Report is what an experiment found. It holds no time, no machine and no path: the same Spec on the same bundle gives the same
// Report, bit for bit, natively and in wasm, and so the same Hash.
type Report struct {
	Collection Ref
	Systems    []System
	Measures   []string // canonical notation, in the order of the columns; the first is the one that is tested
	Baseline   int      // index into Systems
	Queries    []Topic
	Columns    []Column // one a measure
	Pairs      []Pair   // every pair of systems, on the first measure
	Test       Test
	Finding    string // one sentence
	Note       string // interval, test, p and n in a line
	Hash       string // SHA-256 of everything above, 64 hex digits
}

// Ref says which collection a report is about.
type Ref struct {
	ID, Name, Hash, Licence string
	Documents, Queries      int
	Judgments               int
	Analyzer                string
}

// System is one column of an experiment.
type System struct {
	Notation string // canonical pipeline
	Label    string // "BM25, title ×3"
	Missing  int    // judged queries it could not answer; they count 0
	Why      string // why not, of the first of them
}

// Topic is one query of a report.
type Topic struct {
	ID, Text, Type, Difficulty string
	Relevant                   int // documents with grade ≥ 1
}

// Column is one measure over all systems and queries.
type Column struct {
	Measure string
	Values  [][]float64 // [system][query]
	Means   []float64   // a system
	Low     []float64   // lower end of the 95 % bootstrap interval of the mean, a system
	High    []float64
	Groups  []string // letters a system: two that share one cannot be told apart
	Best    float64  // the best mean: the largest, or the smallest where smaller is better
}

// Pair is the comparison of two systems on the first measure: B minus A.
type Pair struct {
	A, B      int
	Diff      float64
	Low, High float64 // 95 % bootstrap interval of Diff
	P         float64 // of the test, before correction
	Adjusted  float64 // after correction over all pairs: Holm's, unless Testing says another one
	Effect    float64 // Cohen's d_z; NaN where the differences do not vary
	Better    int     // queries on which B is better
	Worse     int
	Equal     int
}

// Test says which test was used and why.
type Test struct {
	Name     string
	Why      string
	Warnings []string
}

// Wire walks the report.
func (r *Report) Wire(c *wire.Codec) {
	r.wireContent(c)
	c.String(&r.Hash)
}

func (r *Report) wireContent(c *wire.Codec) {
	r.Collection.Wire(c)
	wire.List(c, &r.Systems, func(s *System) {
		c.String(&s.Notation)
		c.String(&s.Label)
		c.Int(&s.Missing)
		c.String(&s.Why)
	})
	c.Strings(&r.Measures)
	c.Int(&r.Baseline)
	wire.Structs(c, &r.Queries)
	wire.List(c, &r.Columns, func(m *Column) {
		c.String(&m.Measure)
		wire.List(c, &m.Values, c.Floats)
		c.Floats(&m.Means)
		c.Floats(&m.Low)
		c.Floats(&m.High)
		c.Strings(&m.Groups)
		c.Float(&m.Best)
	})
	wire.Structs(c, &r.Pairs)
	c.String(&r.Test.Name)
	c.String(&r.Test.Why)
	c.Strings(&r.Test.Warnings)
	c.String(&r.Finding)
	c.String(&r.Note)
	if c.Reading() && !r.fits() {
		c.Fail()
	}
}

// Wire walks the reference.
func (k *Ref) Wire(c *wire.Codec) {
	for _, s := range []*string{&k.ID, &k.Name, &k.Hash, &k.Licence} {
		c.String(s)
	}
	c.Int(&k.Documents)
	c.Int(&k.Queries)
	c.Int(&k.Judgments)
	c.String(&k.Analyzer)
}

// Wire walks the topic.
func (t *Topic) Wire(c *wire.Codec) {
	c.String(&t.ID)
	c.String(&t.Text)
	c.String(&t.Type)
	c.String(&t.Difficulty)
	c.Int(&t.Relevant)
}

// fits checks that a report that was read has the shape that everything relies on.
func (r *Report) fits() bool {
	n, q := len(r.Systems), len(r.Queries)
	if len(r.Columns) != len(r.Measures) || r.Baseline < 0 || r.Baseline >= max(n, 1) {
		return false
	}
	for _, c := range r.Columns {
		if len(c.Values) != n || len(c.Means) != n || len(c.Low) != n || len(c.High) != n || len(c.Groups) != n {
			return false
		}
		for _, v := range c.Values {
			if len(v) != q {
				return false
			}
		}
	}
	for _, p := range r.Pairs {
		if p.A < 0 || p.A >= n || p.B < 0 || p.B >= n {
			return false
		}
	}
	return true
}

// Pair returns the comparison of system b with system a, turned round where it is kept the other way, and false where there is
// none.
func (r *Report) Pair(a, b int) (Pair, bool) {
	for _, p := range r.Pairs {
		if p.A == a && p.B == b {
			return p, true
		}
		if p.A == b && p.B == a {
			p.A, p.B = a, b
			p.Diff, p.Low, p.High, p.Effect = -p.Diff, -p.High, -p.Low, -p.Effect
			p.Better, p.Worse = p.Worse, p.Better
			return p, true
		}
	}
	return Pair{}, false
}

// Wire walks the pair.
func (p *Pair) Wire(c *wire.Codec) {
	for _, i := range []*int{&p.A, &p.B, &p.Better, &p.Worse, &p.Equal} {
		c.Int(i)
	}
	for _, f := range []*float64{&p.Diff, &p.Low, &p.High, &p.P, &p.Adjusted, &p.Effect} {
		c.Float(f)
	}
}
