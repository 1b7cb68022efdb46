package tune

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// session has two documents and n queries: those of even number ask why, and d1 is relevant to them; the others ask for
// a fact, and d2 is. The run a has d1 above d2 everywhere, the run b the other way round. To those that are planted the
// other document is relevant.
func session(t *testing.T, n int, planted ...string) *experiment.Session {
	t.Helper()
	c := &collection.Collection{Qrels: collection.NewQrels(),
		Docs: []collection.Doc{{ID: "d1", Title: "ferry", Text: "the ferry"},
			{ID: "d2", Title: "lock", Text: "the lock"}}}
	a, b := &strings.Builder{}, &strings.Builder{}
	for q := range n {
		id, text, doc := fmt.Sprintf("q%02d", q), "why did the ferry stop", "d1"
		if q%2 == 1 {
			text, doc = "how many locks", "d2"
		}
		if slices.Contains(planted, id) {
			doc = map[string]string{"d1": "d2", "d2": "d1"}[doc]
		}
		c.Queries = append(c.Queries, collection.Query{ID: id, Text: text})
		c.Qrels.Add(id, doc, 1)
		fmt.Fprintf(a, "%s Q0 d1 1 2 a\n%s Q0 d2 2 1 a\n", id, id)
		fmt.Fprintf(b, "%s Q0 d2 1 9 b\n%s Q0 d1 2 5 b\n", id, id)
	}
	files := map[string][]byte{}
	m, err := bundle.Build(bundle.Source{ID: "toy", Name: "Toy", Collection: c}, func(name string, data []byte) error {
		files[name] = data
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	fetch := func(f bundle.File) ([]byte, error) { return files[f.Name], nil }
	x, err := bundle.Open(m, fetch)
	if err != nil {
		t.Fatal(err)
	}
	s := experiment.NewSession(x, fetch)
	for name, text := range map[string]*strings.Builder{"a": a, "b": b} {
		r, _, err := collection.ReadRun(strings.NewReader(text.String()), name, collection.Options{})
		if err != nil || s.SetRun(name, r) != 0 {
			t.Fatal(name, err)
		}
	}
	return s
}

func result(t *testing.T, s *experiment.Session, text, measure string) *Result {
	t.Helper()
	j, err := Start(s, stage.MustParse(text), measure)
	if err != nil {
		t.Fatal(err)
	}
	for more := true; more; {
		if more, err = j.Step(); err != nil {
			t.Fatal(err)
		}
	}
	r, err := j.Result()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// By hand: with weight w document d1 gets w and d2 1 - w, so P@1 of a why is 1 above 0.5 and else 0 (at 0.5 both are
// equal, and d2 has the larger id), and that of a fact the other way round. Over all 20 every weight is worth 0.5, so
// the start stays, 0.5. On held-out queries a choice over all is worse: where a fold holds more facts than whys the
// others taught 0.55, which loses its facts; elsewhere 0.5 wins its facts only. By type it is 1: 0.55 for why, 0.5 for
// facts.
func TestWhatIsTunedIsJudgedByOtherQueries(t *testing.T) {
	r := result(t, session(t, 20), "wsum(run(a), run(b))", "P@1")
	if len(r.Knob.Values) != 21 || r.Knob.Values[r.Knob.Start] != "0.5" {
		t.Fatalf("%+v", r.Knob)
	}
	for i, m := range r.Means {
		if m != .5 {
			t.Errorf("weight %s: %v", r.Knob.Values[i], m)
		}
	}
	held := 0.0
	var whys, facts [matrix.Folds]float64
	for i, f := range matrix.Deal(20, matrix.Folds, 1) {
		if i%2 == 0 {
			whys[f]++
		} else {
			facts[f]++
		}
	}
	for f := range matrix.Folds {
		if facts[f] > whys[f] {
			held += whys[f]
		} else {
			held += facts[f]
		}
	}
	if held == 10 {
		t.Fatal("the folds have as many of both: the test shows nothing")
	}
	if c := r.All; r.Knob.Values[c.Best] != "0.5" || c.Tuned != .5 || c.HeldOut != held/20 ||
		c.Optimism != c.Tuned-c.HeldOut || c.Queries != 20 {
		t.Errorf("over all: %+v, want held out %v", c, held/20)
	}
	want := map[string]string{"analytical": "0.55", "factual": "0.5"}
	for _, c := range r.Types {
		if r.Knob.Values[c.Best] != want[c.Type] || c.HeldOut != 1 || c.Tuned != 1 || c.Queries != 10 {
			t.Errorf("%+v", c)
		}
	}
	if len(r.Types) != 2 || r.ByTuned != 1 || r.ByHeldOut != 1 {
		t.Errorf("by type %v tuned, %v held out of %d types", r.ByTuned, r.ByHeldOut, len(r.Types))
	}
}

// A query that is planted so that another value wins: the choice over all follows it, and so does that of folds that
// may look at it. The value by which the planted query itself is judged stays what it was. By hand: 0.55 wins 11 of 20
// then, 0.5 wins 9.
func TestAPlantedQueryDoesNotChooseTheValueThatItIsJudgedBy(t *testing.T) {
	const text, planted, at = "wsum(run(a), run(b))", "q05", 5
	before, after := result(t, session(t, 20), text, "P@1"), result(t, session(t, 20, planted), text, "P@1")
	values := before.Knob.Values
	if values[before.All.Best] != "0.5" || values[after.All.Best] != "0.55" {
		t.Fatalf("chosen over all: %s, then %s; want 0.5, then 0.55", values[before.All.Best], values[after.All.Best])
	}
	own, moved := matrix.Deal(20, matrix.Folds, 1)[at], 0
	for f, v := range after.All.Folds {
		switch {
		case f == own && v != before.All.Folds[f]:
			t.Errorf("the fold of the planted query is judged by %s, before it was planted by %s", values[v],
				values[before.All.Folds[f]])
		case f != own && v != before.All.Folds[f]:
			moved++
		}
	}
	if moved == 0 {
		t.Error("no other fold followed the planted query: the test shows nothing")
	}
}

// Too few queries, no weight, a part that cannot answer: each is said.
func TestWhatCannotBeTuned(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"no fusion", "bm25 >> cut(5)", "no fusion with anything to tune"},
		{"a fusion without a weight", "combsum(run(a), run(b))", "no fusion with anything to tune"},
		{"a run that is not there", "wsum(bm25, run(c))", "no stored run called c"},
	}
	s := session(t, 20)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j, err := Start(s, stage.MustParse(tt.text), "nDCG@10")
			if err == nil {
				_, err = j.Step()
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
	if _, err := Start(session(t, 9), stage.MustParse("wsum(run(a), run(b))"), "nDCG@10"); err == nil ||
		!strings.Contains(err.Error(), "9 judged queries") {
		t.Errorf("nine queries: %v", err)
	}
}

// Field names: OpenSearch's documentation of normalization-processor (2.10) and score-ranker-processor (2.19),
// Weaviate's of hybrid search.
func TestSettingsOfOtherPrograms(t *testing.T) {
	s := session(t, 20)
	tests := []struct {
		text string
		// parts that stand in the file, or one that stands in the reason against it, after a !
		weaviate, opensearch []string
	}{
		{"wsum(bm25, dense,weight=0.35)", []string{`"alpha": 0.65`, `"fusionType": "relativeScoreFusion"`},
			[]string{`"phase_results_processors"`, `"normalization-processor"`, `"technique": "min_max"`,
				`"technique": "arithmetic_mean"`, "[0.35, 0.65]"}},
		{"wsum(dense, bm25,weight=0.3)", []string{`"alpha": 0.3,`}, []string{"[0.3, 0.7]"}},
		{"wsum(bm25, dense,norm=zmuv) >> cut(5)", []string{"!no equivalent in Weaviate"},
			[]string{`"technique": "z_score"`}},
		{"wsum(bm25, dense,norm=max)", []string{"!no equivalent in Weaviate"}, []string{"!norm=max has no equivalent"}},
		{"wmnz(bm25, dense)", []string{"!no equivalent in Weaviate"}, []string{"!wmnz has no equivalent"}},
		{"rrf(bm25, dense)", []string{`"alpha": 0.5`, `"fusionType": "rankedFusion"`},
			[]string{`"score-ranker-processor"`, `"technique": "rrf"`, `"rank_constant": 60`}},
		{"rrf(bm25, dense,k=20)", []string{"!no equivalent in Weaviate"},
			[]string{`"rank_constant": 20`,
				`. For OpenSearch 3.1 or later: 2.19 and 3.0 rank by 60 unless rank_constant stands within ` +
					`\"parameters\": {}"`}},
		{"rrf(bm25, dense, late)", []string{"!one bm25 and one dense"}, []string{"!joins 3 rankings"}},
		{"rrf(bm25, dense,k=0)", []string{"!no equivalent in Weaviate"}, []string{"!from 1 to 10,000"}},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			j, err := Start(s, stage.MustParse(tt.text), "nDCG@10")
			if err != nil {
				t.Fatal(err)
			}
			r := &Result{Pipeline: j.n, Knob: j.knob, Measure: "nDCG@10"}
			c := &Choice{Best: j.knob.Start, Tuned: .72, HeldOut: .7}
			for i, want := range [][]string{tt.weaviate, tt.opensearch} {
				made := []func(*Choice) ([]byte, error){r.Weaviate, r.OpenSearch}[i]
				got, err := made(c)
				for _, w := range want {
					if reason, not := strings.CutPrefix(w, "!"); not {
						if err == nil || !strings.Contains(err.Error(), reason) {
							t.Errorf("error %v, want %q", err, reason)
						}
					} else if err != nil || !strings.Contains(string(got), w) {
						t.Errorf("%s lacks %s (%v)", got, w, err)
					}
				}
				if err == nil && !json.Valid(got) {
					t.Errorf("%s is no JSON", got)
				}
				if err == nil && !strings.Contains(string(got),
					"nDCG@10 0.700 on queries held out, 0.720 on the queries that chose it") {
					t.Errorf("%s does not say what it is worth", got)
				}
				if err == nil && !strings.Contains(tt.text, "k=20") && strings.Contains(string(got), "3.1") {
					t.Errorf("%s speaks of a version that makes no difference", got)
				}
			}
		})
	}
	if n := number(1 - .95); n != "0.05" {
		t.Errorf("1 - 0.95 is written %s", n)
	}
}

// The description stands in a file, and other programs know no sign but the hyphen.
func TestSettingsHaveTheSignsOfFiles(t *testing.T) {
	n, err := stage.Parse("rrf(bm25, ql)")
	if err != nil {
		t.Fatal(err)
	}
	got := (&Result{Measure: "P@5"}).about(&Choice{HeldOut: -0.25, Tuned: 0.5}, n)
	if want := "Tuned by Rankbox for all queries: P@5 -0.250 on queries held out, 0.500 on"; !strings.HasPrefix(got,
		want) {
		t.Error(got)
	}
}
