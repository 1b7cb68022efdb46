package compare

import (
	"flag"
	"math"
	"math/rand"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/measure"
)

var update = flag.Bool("update", false, "write the golden files anew")

// fixture reads testdata: four queries that can be checked by hand.
func fixture(t testing.TB, measures ...string) Input {
	t.Helper()
	judgments, err := collection.Read("qrels.txt", open(t, "qrels.txt"), collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	qrels := judgments.Qrels
	in := Input{Name: "Fixture", Qrels: qrels, Measures: measures}
	if measures == nil {
		in.Measures = []string{"nDCG@10", "AP", "RR", "P@2", "Judged@10"}
	}
	for _, name := range []string{"alpha", "beta", "gamma"} {
		run, _, err := collection.ReadRun(open(t, name+".run"), name+".run", collection.Options{})
		if err != nil {
			t.Fatal(err)
		}
		in.Runs = append(in.Runs, Named{Name: name, Run: run})
	}
	return in
}

func open(t testing.TB, name string) *strings.Reader {
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReader(string(b))
}

// random makes an Input of runs with ties, unjudged documents, negative grades and missing queries.
func random(t testing.TB, rnd *rand.Rand, runs, queries, depth int) Input {
	t.Helper()
	in := Input{Name: "random", Qrels: collection.NewQrels(), Diversity: collection.NewDiversity(),
		Preferences: collection.NewPreferences()}
	doc := func() string { return "d" + strconv.Itoa(rnd.Intn(2*depth)) }
	for q := range queries {
		id := "q" + strconv.Itoa(q)
		in.Qrels.Touch(id)
		for range rnd.Intn(depth) {
			d, g := doc(), rnd.Intn(5)-1
			in.Qrels.Add(id, d, float64(g))
			in.Diversity.Add(id, strconv.Itoa(rnd.Intn(3)), d, float64(max(g, 0)))
		}
		prefer(t, &in, id)
		in.Queries = append(in.Queries, collection.Query{ID: id, Type: []string{"short", "long"}[q%2]})
	}
	for s := range runs {
		b := collection.NewRunBuilder("tag" + strconv.Itoa(s))
		for q := range queries {
			if rnd.Intn(8) == 0 {
				continue
			}
			seen := map[string]bool{}
			for range rnd.Intn(depth + 1) {
				if d := doc(); !seen[d] {
					seen[d] = true
					b.Add("q"+strconv.Itoa(q), d, float64(rnd.Intn(3*depth))/7)
				}
			}
		}
		run, _ := b.Run()
		in.Runs = append(in.Runs, Named{Name: "run" + strconv.Itoa(s), Run: run})
	}
	if in.Qrels.Len() == 0 {
		in.Qrels.Add("q0", "d0", 1)
	}
	return in
}

// prefer adds preferences about the judged documents of a query: of two users, the second with two subgroups.
func prefer(t testing.TB, in *Input, query string) {
	in.Qrels.Each(query, func(doc string, grade float64) {
		n := int(doc[len(doc)-1])
		for _, j := range []struct {
			group, sub string
			level      float64
			some       bool
		}{{"u1", "0", float64(max(grade, 0)), true}, {"u2", "a", float64(n % 4), n%3 != 0},
			{"u2", "b", float64(n % 4), n%3 != 1}} {
			if !j.some {
				continue
			}
			if err := in.Preferences.Add(query, j.group, j.sub, doc, j.level); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// everyMeasure returns one notation of every measure of the registry and some with other parameters.
func everyMeasure() []string {
	out := []string{"nDCG@10", "nDCG(dcg='exp-log2')@5", "nDCG(gains={1:2,2:5})", "nDCG(judged_only=True)@10",
		"DCG(gains={0:-1})@7", "AP@5", "AP(rel=2)", "AP(judged_only=True)", "RBP(p=0.5)", "RBP(rel=1)@4",
		"RBP(max_rel=5)", "ERR(max_rel=3)", "SetP(relative=True)", "F(beta=2)@5", "NumRet(rel=2)", "Judged",
		"P(judged_only=True)@3", "SetF(beta=0.5)"}
	for _, in := range measure.All() {
		text := in.Name
		if m, err := measure.Parse(text); err == nil {
			out = append(out, m.String())
		} else if m, err := measure.Parse(text + "@5"); err == nil {
			out = append(out, m.String())
		} else {
			out = append(out, in.Example.Measure)
		}
	}
	return out
}

func TestTermsSumToTheValue(t *testing.T) {
	// the registry's Score is the oracle, which equals trec_eval and ir_measures in its own package
	rnd := rand.New(rand.NewSource(1))
	for _, policy := range []measure.Policy{{}, {Unjudged: measure.Condensed}, {Ties: measure.Input},
		{Gain: measure.Exponential, Rel: 2}, {Depth: 4}} {
		for range 15 {
			in := random(t, rnd, 2, 4, 12)
			in.Policy = policy
			c, err := Open(in)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range everyMeasure() {
				for _, q := range c.Queries() {
					u, err := c.Unfold(text, 0, q)
					if err != nil {
						t.Fatal(err)
					}
					sum := u.Base
					for _, r := range u.Rows {
						sum += r.Share
					}
					if math.Abs(sum-u.Value) > 1e-12*max(1, math.Abs(u.Value)) {
						t.Errorf("%s under %q, %s: terms sum to %v, value %v", text, policy.String(), q, sum, u.Value)
					}
					e, err := c.Explain(text, 0, 1, q)
					if err != nil {
						t.Fatal(err)
					}
					sum = 0
					for _, d := range e.Changes {
						sum += d.Diff
					}
					if math.Abs(sum-e.Diff) > 1e-12*max(1, math.Abs(e.ValueA), math.Abs(e.ValueB)) {
						t.Errorf("%s under %q, %s: changes sum to %v, difference %v", text, policy.String(), q, sum,
							e.Diff)
					}
				}
			}
		}
	}
}

// trec_eval 9.0.4 reads scores with atof into a float: 1e39 and 2e39 are both infinite there, and above the largest
// finite score.
func TestSinglePrecisionPastItsRange(t *testing.T) {
	judgments, err := collection.Read("qrels", strings.NewReader("q 0 top 1\n"), collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	qrels := judgments.Qrels
	for text, want := range map[string]float64{
		"q Q0 top 1 3.4028234663852886e38 x\nq Q0 b 2 1e39 x\nq Q0 c 3 2e39 x\n":      1.0 / 3,
		"q Q0 top 1 1e39 x\nq Q0 c 2 2e39 x\n":                                        1, // tied: the larger id first
		"q Q0 top 1 -3.4028234663852886e38 x\nq Q0 z 2 -1e39 x\nq Q0 zz 3 -2e39 x\n":  1,
		"q Q0 top 1 0.1 x\nq Q0 a 2 0.10000000000000001 x\nq Q0 b 3 0.1000000001 x\n": 1, // equal in single precision
	} {
		run, _, err := collection.ReadRun(strings.NewReader(text), "run", collection.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Compare(Input{Qrels: qrels, Runs: []Named{{Name: "x", Run: run}}, Measures: []string{"RR"},
			Policy: measure.Policy{Float32: true}}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Columns[0].Values[0][0]; got != want {
			t.Errorf("%q: RR %v, want %v", text, got, want)
		}
	}
}
