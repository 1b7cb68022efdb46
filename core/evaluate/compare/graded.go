package compare

import (
	"math"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// Graded says that an Input was rebuilt from grades by rank, as links carry them. Its documents have no identity:
// their ids are made up, one run's unjudged document is not another's, and tied documents are in the order in which
// they were measured. Measures see none of that. Whatever needs documents is refused.
type Graded struct {
	Depth    int               // rankings end there, 0 where they are whole
	Trimmed  bool              // rankings end behind their last judged document, so that only Measures can be computed
	Sizes    [][]int           // where Trimmed: the documents of the ranking of a judged query by a run
	Measures []string          // those that were computed of the whole rankings
	Policy   measure.Policy    // under which the rankings were read
	Counted  []report.Coverage // of each run, what was counted of the whole rankings: Foreign, Documents, Tied, TiedIn
}

// ErrGrades is what questions wrap that need documents.
var ErrGrades = say.Faultf("compare",
	"this comparison has grades by rank, not documents; ask for the file with its documents")

// needsDocuments returns ErrGrades for what grades by rank do not tell, and nil where documents are known.
func (c *Comparison) needsDocuments(what string) error {
	if c.in.Graded == nil {
		return nil
	}
	return say.Faultf("compare", "%s needs documents: %w", what, ErrGrades)
}

// Graded returns whether the comparison has grades by rank alone.
func (c *Comparison) Graded() bool { return c.in.Graded != nil }

// CutDepth is the depth to which every measure looks, 0 where one looks at whole rankings.
func (in *Input) CutDepth() int {
	k := 0
	for _, text := range in.Measures {
		m, err := measure.Parse(text)
		if err != nil {
			return 0
		}
		m = in.Policy.Apply(m)
		if m.Cutoff() == 0 || in.Policy.Unjudged == measure.Condensed || strings.Contains(m.String(), "judged_only") {
			return 0
		}
		k = max(k, m.Cutoff())
	}
	return max(k, 0)
}

// check refuses measures and policies that the grades do not reach.
func (g *Graded) check(in *Input) error {
	was, p := g.Policy, in.Policy
	switch {
	case p.Ties != was.Ties || p.Float32 != was.Float32:
		return say.Faultf("compare: open", "another order of tied documents needs their scores: %w", ErrGrades)
	case was.Depth > 0 && (p.Depth == 0 || p.Depth > was.Depth):
		return say.Faultf("compare: open",
			"this comparison has the first %d documents of each ranking: depth may not be larger", was.Depth)
	case g.Trimmed:
		for _, m := range in.Measures {
			if x, err := measure.Parse(m); err == nil && !slices.Contains(g.Measures, x.String()) {
				return say.Faultf("compare: open",
					"%s is not a measure of this comparison, which has no more of its rankings: %w", m, ErrGrades)
			}
		}
		if p.String() != was.String() {
			return say.Faultf("compare: open", "another policy needs whole rankings: %w", ErrGrades)
		}
	case g.Depth > 0 && (p.Depth == 0 || p.Depth > g.Depth):
		if k := in.CutDepth(); k == 0 || k > g.Depth {
			return say.Faultf("compare: open",
				"this comparison has the first %d documents of each ranking: a measure or policy looks deeper", g.Depth)
		}
	}
	return nil
}

// note writes into a report what was counted of the whole rankings, and that no bounds are known.
func (g *Graded) note(r *report.Report) {
	for s := range r.Coverage {
		u, was := &r.Coverage[s], &g.Counted[s]
		u.Foreign, u.Documents, u.Tied, u.TiedIn = was.Foreign, was.Documents, was.Tied, was.TiedIn
	}
	for m := range r.Columns {
		for _, v := range r.Columns[m].Bounds() {
			for s := range *v {
				(*v)[s] = math.NaN()
			}
		}
	}
	r.Warnings = append([]report.Warning{{Kind: report.GradesOnly, System: -1, Column: -1, N: g.Depth}}, r.Warnings...)
}

// Gives reports whether the comparison has the queries and measures of a report, and gives the same value, bit for
// bit, for every run and query. Means, intervals, tests and letters follow from those. cancel may be nil; the error
// is ErrCancelled.
func (c *Comparison) Gives(r *report.Report, cancel func() bool) (bool, error) {
	e := &c.Evaluation
	if len(r.Systems) != e.Systems || len(r.Queries) != e.Queries || len(r.Columns) != len(e.Applied) ||
		!slices.EqualFunc(r.Queries, c.queries, func(q report.Query, id string) bool { return q.ID == id }) {
		return false, nil
	}
	same := true
	err := e.Each(func() bool { return !same || cancel != nil && cancel() }, func(s, q int, t *measure.Topic) {
		for m, a := range e.Applied {
			same = same && math.Float64bits(a.Score(t)) == math.Float64bits(r.Columns[m].Values[s][q])
		}
	})
	if !same {
		return false, nil
	}
	return err == nil, err
}
