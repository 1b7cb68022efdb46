package compare

import (
	"github.com/rankbox/rankbox/core/evaluate/evaluation"

	"math"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
)

// What other tools say of single queries is what their means are made of, and the reasons lead from one value to the
// other.
func TestSaidOfEveryQueryMakesTheMeans(t *testing.T) {
	qrels := collection.NewQrels()
	for _, j := range []struct {
		query, doc string
		grade      int
	}{{"1", "a", 2}, {"1", "b", 0}, {"1", "c", 1}, {"2", "a", 1}, {"2", "2", 1}, {"3", "c", 1}} {
		qrels.Add(j.query, j.doc, float64(j.grade))
	}
	b := collection.NewRunBuilder("r")
	for _, e := range []struct {
		query, doc string
		score      float64
	}{{"1", "x", 2}, {"1", "a", 2}, {"1", "c", 2}, {"2", "2", 3}, {"2", "a", 1}} {
		// query 1 all ties, query 2 a document of its own id, query 3 missing
		if err := b.Add(e.query, e.doc, e.score); err != nil {
			t.Fatal(err)
		}
	}
	run, _ := b.Run()
	c, err := Open(Input{Qrels: qrels, Runs: []Named{{Name: "r", Run: run}},
		Measures: []string{"nDCG@10", "RR@10", "AP"}})
	if err != nil {
		t.Fatal(err)
	}
	differing := 0
	for _, m := range []string{"nDCG@10", "RR@10", "AP"} {
		opinions, err := c.Opinions(m, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range opinions {
			if o.As == "" {
				continue
			}
			sum, n := 0.0, 0
			for _, q := range c.Queries() {
				said, err := c.Said(m, []int{0}, q)
				if err != nil {
					t.Fatal(err)
				}
				var ours evaluation.Unfolded
				if u, err := c.Unfold(m, 0, q); err != nil {
					t.Fatal(err)
				} else {
					ours = *u
				}
				v, counts := ours.Value, true
				for _, x := range said {
					if x.Tool != o.Tool {
						continue
					}
					differing++
					if x.Ours != ours.Value || x.As != o.As || len(x.Reasons) == 0 || x.Why(say.Plain) == "" {
						t.Errorf("%s, %s, query %s: %+v; here it is %v, called %s", m, o.Tool, q, x, ours.Value, o.As)
					}
					at := x.Ours
					for _, r := range x.Reasons {
						if math.Abs(r.Before-at) > 1e-12 {
							t.Errorf("%s, %s, query %s: the reasons jump from %v to %v", m, o.Tool, q, at, r.Before)
						}
						at = r.After
					}
					if x.TheirsCounts && math.Abs(at-x.Theirs) > 1e-9 {
						t.Errorf("%s, %s, query %s: the reasons end at %v, the tool says %v", m, o.Tool, q, at,
							x.Theirs)
					}
					v, counts = x.Theirs, x.TheirsCounts
				}
				if counts {
					sum, n = sum+v, n+1
				}
			}
			if n != o.Queries[0] || math.Abs(sum/float64(n)-o.Means[0]) > 1e-9 {
				t.Errorf("%s, %s: %d queries, mean %v; the opinion has %d and %v", m, o.Tool, n, sum/float64(n),
					o.Queries[0], o.Means[0])
			}
		}
	}
	if differing < 12 {
		t.Errorf("only %d differences to look at", differing)
	}
	if _, err := c.Said("AP", []int{0}, "9"); err == nil {
		t.Error("a query without judgments is no error")
	}
}
