package export

import (
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
)

// What is typed in a line: conditions, policies, and which queries are shown in which order. Nothing of it panics; what
// is understood is understood again as it is written.
func FuzzNotations(f *testing.F) {
	for _, s := range []string{"nDCG@10>=-2%", "nDCG(dcg='exp-log2')@10 > +0.01", "RBP(p=0.8)<.5",
		"ties=docid-asc missing=skip rel=2 test=t correction=by", "B-A>0.1", "-spread", "a", "C - b <= 1e-3"} {
		f.Add(s)
	}
	r := &report.Report{}
	r.Measures = []string{"AP"}
	for _, name := range []string{"x", "y", "z"} {
		r.Systems = append(r.Systems, report.System{Label: name})
	}
	r.Columns = []report.Column{{Measure: "AP", Values: [][]float64{{0, 0.5, 1}, {1, 0.5, 0}, {0.25, 0.25, 0.25}}}}
	for _, q := range []string{"1", "2", "3"} {
		r.Queries = append(r.Queries, report.Query{ID: q})
	}
	f.Fuzz(func(t *testing.T, s string) {
		if g, err := gates.ParseGate(s); err == nil {
			again, err := gates.ParseGate(g.Measure + g.Op + s[len(s)-len(afterOp(s)):])
			if err != nil || again.Measure != g.Measure || again.Op != g.Op || again.Value != g.Value ||
				again.Change != g.Change || again.Percent != g.Percent {
				t.Errorf("gate %q: %+v, again %+v, %v", s, g, again, err)
			}
		}
		if p, x, err := compare.ReadPolicy(s); err == nil {
			if q, y, err := compare.ReadPolicy(compare.WritePolicy(p, x)); err != nil || q != p || y != x {
				t.Errorf("policy %q: %+v %+v, again %+v %+v, %v", s, p, x, q, y, err)
			}
		}
		for _, way := range [][2]string{{s, ""}, {"", s}, {s, s}} {
			list, err := r.Select(0, way[0], way[1])
			seen := map[int]bool{}
			for _, q := range list {
				if err != nil || q < 0 || q >= len(r.Queries) || seen[q] {
					t.Fatalf("select %q: %v, %v", way, list, err)
				}
				seen[q] = true
			}
		}
	})
}

// afterOp returns what follows the operator of a gate that was read.
func afterOp(s string) string {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '<' || s[i] == '>' {
			if i+1 < len(s) && s[i+1] == '=' {
				i++
			}
			return s[i+1:]
		}
	}
	return ""
}
