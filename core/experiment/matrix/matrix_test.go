package matrix

import (
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// session is a small collection made of a few words: 40 documents, 12 judged queries (one of them answered by no
// document by words), vectors of two dimensions.
func session(t testing.TB) *experiment.Session {
	t.Helper()
	r := rand.New(rand.NewSource(1))
	words := []string{"harbour", "strike", "ferry", "crane", "storm", "pilot", "market", "lock", "tide", "quay",
		"signal", "anchor"}
	c := &collection.Collection{Qrels: collection.NewQrels()}
	v := bundle.SourceVectors{Model: bundle.Model{Name: "minilm", Label: "toy", Revision: "r1"},
		Docs: &dense.Vectors{Dim: 2}, Queries: &dense.Vectors{Dim: 2}}
	for d := range 40 {
		var text []string
		for range 5 + r.Intn(20) {
			text = append(text, words[r.Intn(11)])
		}
		id := fmt.Sprintf("d%02d", d)
		c.Docs = append(c.Docs, collection.Doc{ID: id, Title: words[d%11], Text: strings.Join(text, " ")})
		v.DocIDs = append(v.DocIDs, id)
		v.Docs.Rows = append(v.Docs.Rows, int8(r.Intn(255)-127), int8(r.Intn(255)-127))
		v.Docs.Scales = append(v.Docs.Scales, 1.0/127)
	}
	for q := range 12 {
		id := fmt.Sprintf("q%02d", q)
		text := words[q] + " " + words[(q*5+1)%11]
		if q == 11 {
			text = words[11]
		}
		c.Queries = append(c.Queries, collection.Query{ID: id, Text: text})
		for range 6 {
			c.Qrels.Add(id, fmt.Sprintf("d%02d", r.Intn(40)), float64(r.Intn(4)))
		}
		v.QueryIDs = append(v.QueryIDs, id)
		v.Queries.Rows = append(v.Queries.Rows, int8(r.Intn(255)-127), int8(r.Intn(255)-127))
		v.Queries.Scales = append(v.Queries.Scales, 1.0/127)
	}
	return sessionOf(t, bundle.Source{ID: "toy", Name: "Toy", Collection: c, Vectors: []bundle.SourceVectors{v}})
}

// sessionOf is a session of a collection.
func sessionOf(t testing.TB, source bundle.Source) *experiment.Session {
	t.Helper()
	files := map[string][]byte{}
	m, err := bundle.Build(source, func(name string, data []byte) error {
		files[name] = data
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	fetch := func(f bundle.File) ([]byte, error) { return files[f.Name], nil }
	b, err := bundle.Open(m, fetch)
	if err != nil {
		t.Fatal(err)
	}
	return experiment.NewSession(b, fetch)
}

func plan(t testing.TB, s *experiment.Session, spec string) *Plan {
	t.Helper()
	read, err := ReadSpec([]byte(spec))
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPlan(read, s.Ref())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const five = `{"systems": ["bm25(k1=0.6|1.2)", "bm25 >> rm3?", "dense", "rrf(bm25, dense, k=1|60) >> cut(10|20)"], ` +
	`"measures": ["nDCG@10", "AP"], "baseline": "bm25"}`

func finished(t testing.TB, s *experiment.Session, spec string, hands int) *Outcome {
	t.Helper()
	x, err := Open(plan(t, s, spec), s, &Memory{})
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Run(Options{Hands: hands}); err != nil {
		t.Fatal(err)
	}
	out, err := x.Outcome(Provenance{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPlan(t *testing.T) {
	s := session(t)
	p := plan(t, s, `{"systems": ["bm25(b=0.4|0)", "bm25", "bm25(epsilon=1)", "rrf(bm25, dense?)", "bm25 >> `+
		`cut(5|20)", "bm25?"]}`)
	var runs []string
	for _, r := range p.Runs {
		runs = append(runs, r.Notation)
	}
	if got := strings.Join(runs, "; "); got != "bm25; bm25(b=0); rrf(bm25, dense); bm25 >> cut(20)" {
		t.Errorf("the runs are %s", got)
	}
	// bm25 twice more: on its own, and with "bm25?" on
	if len(p.Merged) != 2 || p.Merged[0] != (Merged{"bm25", 0}) || p.Merged[1] != (Merged{"bm25", 0}) {
		t.Errorf("merged: %v", p.Merged)
	}
	if p.Written != len(p.Runs)+len(p.Merged)+len(p.Refused) || p.Written != 10 {
		t.Errorf("%d written, %v", p.Written, p.Refused)
	}
	for i, want := range []string{"epsilon has no effect with variant=lucene", "rrf combines at least 2 pipelines",
		"cut leaves 5 documents, and R@20 looks at 20", "nothing is left"} {
		if !strings.Contains(p.Refused[i].Why, want) {
			t.Errorf("refused %q: %s; want %q", p.Refused[i].Written, p.Refused[i].Why, want)
		}
	}
	if !strings.Contains(p.Said(), "4 runs; 2 written ones are the same as another; 4 combinations cannot be") {
		t.Errorf("said: %s", p.Said())
	}
}

func TestPlanRefuses(t *testing.T) {
	s := session(t)
	for _, x := range []struct{ name, spec, want string }{
		{"no systems", `{"systems": []}`, "no system"},
		{"no member of that name", `{"sytems": ["bm25"]}`, `did you mean systems?`},
		{"a member twice", `{"seed": 1, "seed": 2}`, "appears twice"},
		{"cut off", `{"systems": ["bm25"`, "line 1"},
		{"a measure that is deeper than the rankings", `{"systems": ["bm25"], "measures": ["nDCG@1000"], "depth": 100}`,
			"set depth to at least 1000"},
		{"a measure that is deeper than any ranking", `{"systems": ["bm25"], "measures": ["nDCG@20000"]}`,
			"the limit is 10000"},
		{"a measure that there is not", `{"systems": ["bm25"], "measures": ["nope"]}`, "nope"},
		{"a baseline that is not a run", `{"systems": ["bm25", "dense"], "baseline": "bm25(k1=2)"}`,
			"is none of the runs"},
		{"no run that can be", `{"systems": ["bm26"]}`, "did you mean bm25?"},
		{"too many runs", `{"systems": ["bm25(k1=0..50/0.1)"]}`, "501 runs are too many: the limit is 400"},
		{"a thousand million runs", `{"systems": ["bm25(k1=0..1/0.001,b=0..1/0.001,title=1..1000)"]}`,
			"runs are too many"},
		{"a policy that there is not", `{"systems": ["bm25"], "policy": "nope=1"}`, "nope"},
		{"a negative depth", `{"systems": ["bm25"], "depth": -1}`, "depth is between"},
		{"a tree of a stage that there is not", "{\"systems\": [\"bm25\",\n {\"stage\": \"bm26\"}]}",
			`line 2, column 2: unknown stage "bm26"; did you mean bm25?`},
		{"a tree of a value that cannot be", "{\n\"baseline\": {\"stage\": \"bm25\",\n\"params\": {\"k1\": -1}}}",
			"line 3, column 18: "},
		{"a tree with another member", `{"systems": {"stage": "bm25", "parms": {}}}`, "did you mean params?"},
		{"a measure that is a tree", `{"measures": [{"stage": "bm25"}]}`,
			"line 1, column 15: measures: expected a string"},
		{"an ablation of what no collection can build", `{"ablate": "rrf(bm25, dense) >> rm3 >> mmr"}`,
			"ablate: rrf(bm25, dense) >> rm3 >> mmr cannot be: it searches again by words, so it must follow " +
				"a bm25 stage"},
		{"a run that no collection can build", `{"systems": ["rrf(bm25, dense) >> rm3"]}`,
			"it searches again by words, so it must follow a bm25 stage, as in bm25 >> rm3; here it follows rrf"},
		{"feedback within a fusion", `{"systems": ["rrf(bm25, dense >> rocchio)"]}`,
			"bm25 >> rocchio; here it follows dense"},
		{"a text for a threshold", "{\"search_modes\": \"dense\",\n\"score_thresholds\": [\"high\"]}",
			"line 2, column 22: score_thresholds: expected a number, found a string"},
		{"a text for a cutoff", `{"k_values_for_metrics": ["ten"]}`, "k_values_for_metrics: expected a number"},
		{"a number for a mode", `{"search_modes": [1]}`, "search_modes: expected a string"},
		{"a threshold beyond the scores", `{"systems": ["rrf(bm25, dense)"], "thresholds": [0.5]}`,
			"no document can reach the score 0.5: scores of rrf end at 0.032787"},
		{"a config and systems", `{"systems": ["bm25"], "search_modes": ["dense"]}`, "give one of the two"},
	} {
		spec, err := ReadSpec([]byte(x.spec))
		if err == nil {
			_, err = NewPlan(spec, s.Ref())
		}
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v; want %q", x.name, err, x.want)
		}
	}
}

// A tree is the pipeline that it is the tree of: the plan is the same, also of what was printed as a tree.
func TestTrees(t *testing.T) {
	s := session(t)
	text := plan(t, s, `{"systems": ["bm25", "rrf(bm25, ql, k=10) >> cut(20)"], "baseline": "bm25", "ablate": `+
		`"rrf(bm25, ql)"}`)
	tree := plan(t, s,
		`{"systems": ["bm25", {"input": {"args": [{"stage": "bm25"}, {"stage": "ql"}], "stage": "rrf",
		"params": {"k": 10}}, "stage": "cut", "params": {"n": 20}}],
		"baseline": {"stage": "bm25"}, "ablate": {"stage": "rrf", "args": [{"stage": "bm25"}, {"stage": "ql"}]}}`)
	if tree.Hash != text.Hash {
		t.Errorf("trees make the plan %+v, texts %+v", tree.Spec, text.Spec)
	}
	longest := `{"stage": "bm25", "params": {"k1": 1}}`
	for range pipeline.MaxStages - 1 {
		longest = `{"stage": "cut", "params": {"n": 99}, "input": ` + longest + `}`
	}
	plan(t, s, `{"systems": [`+longest+`]}`)
	if _, err := ReadSpec([]byte(`{"systems": [` + strings.Repeat(`{"stage": "cut", "input": `, 1000))); err == nil {
		t.Error("a thousand stages were read")
	}
	for _, p := range []*Plan{text, tree} {
		for i := range p.Runs {
			data, _ := p.Runs[i].node.MarshalJSON()
			again := plan(t, s, `{"systems": `+string(data)+`}`)
			if len(again.Runs) != 1 || again.Runs[0].Notation != p.Runs[i].Notation {
				t.Errorf("%s is printed as %s", p.Runs[i].Notation, data)
			}
		}
	}
}

// The matrix of 2 depths, 2 modes, reranker on and off, one rrf k, 2 thresholds is 2 × 2 × 2 × 1 × 2 = 16 runs. With a
// second rrf k it is written as 32, of which the 8 of the dense mode that differ in it alone are the same as the other
// 8.
func TestConfigMatrix(t *testing.T) {
	s := session(t)
	const matrix = `{"primary_k": 10, "k_values_for_metrics": [5, 20], "top_k_values": [20, 50], "search_modes": ["semantic", "hybrid"],
		"use_reranker": [true, false], "reranker": "mmr", "rrf_k_values": [60], "score_thresholds": [0.0, 0.01]}`
	p := plan(t, s, matrix)
	if p.Spec.Configured != 16 || p.Written != 16 || len(p.Runs) != 16 || len(p.Merged) != 0 || p.Depth != 50 {
		t.Errorf("%d configured, %d written, %d runs, %d merged, depth %d; want 16, 16, 16, 0, 50", p.Spec.Configured,
			p.Written, len(p.Runs), len(p.Merged), p.Depth)
	}
	if p.Measures()[0] != "nDCG@10" || len(p.Measures()) != 12 {
		t.Errorf("measures: %v", p.Measures())
	}
	p = plan(t, s, strings.Replace(matrix, "[60]", "[10, 60]", 1))
	if p.Spec.Configured != 32 || len(p.Runs) != 24 || len(p.Merged) != 8 {
		t.Errorf("two rrf ks: %d configured, %d runs, %d merged; want 32, 24, 8", p.Spec.Configured, len(p.Runs),
			len(p.Merged))
	}
	for _, x := range []struct{ name, old, new, want string }{
		{"a depth less than a cutoff", "[20, 50]", "[10, 50]", "top_k 10 is below the cutoff 20"},
		{"no modes", `["semantic", "hybrid"]`, "[]", "it is empty"},
		{"a mode that there is not", "semantic", "telepathy", `"telepathy" is not one of`},
		{"a reranker that there is not", `"mmr"`, `"nope"`, "unknown stage"},
	} {
		_, err := ReadSpec([]byte(strings.Replace(matrix, x.old, x.new, 1)))
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v; want %q", x.name, err, x.want)
		}
	}
}

func TestStatesOfQueries(t *testing.T) {
	out := finished(t, session(t), `{"systems": ["bm25", "dense", "rrf(bm25, dense)", "dense(model=none)"]}`, 1)
	// q11's word is in no document
	for run, want := range []Status{
		{State: Completed, Evaluated: 11, Empty: 1},
		{State: Completed, Evaluated: 12},
		{State: Completed, Evaluated: 12},
		{State: Broken, NotRun: 12},
	} {
		got := out.Status[run]
		if strings.Contains(got.Why, "none") == (want.State == Completed) {
			t.Errorf("run %d: why is %q", run, got.Why)
		}
		if got.Why = ""; !reflect.DeepEqual(got, want) {
			t.Errorf("run %d: %+v, want %+v", run, got, want)
		}
	}
	if f := out.Failures[0]; len(f) != 1 || f[0].Query != "q11" || f[0].State != Empty {
		t.Errorf("failures of bm25: %v", f)
	}
	if len(out.Compared) != 3 || len(out.Report.Systems) != 3 {
		t.Errorf("compared: %v", out.Compared)
	}
}

// faulty answers as a broken stage would.
type faulty struct {
	stage.Ranker
	rank func(k int) ([]rank.Hit, error)
}

func (f *faulty) Rank(_ rank.Query, k int, _ rank.Filter, _ []rank.Hit) ([]rank.Hit, error) {
	return f.rank(k)
}

// A query that cannot be answered fails alone, a stage that throws too, and what is no fault of either is an error that
// is not kept.
func TestFailuresStayTheirOwn(t *testing.T) {
	s := session(t)
	x, err := Open(plan(t, s, `{"systems": ["bm25"]}`), s, &Memory{})
	if err != nil {
		t.Fatal(err)
	}
	gone := errors.New("the file is gone")
	var none []int
	for _, c := range []struct {
		name  string
		rank  func(k int) ([]rank.Hit, error)
		want  State
		why   string
		again bool
		err   error
	}{
		{"hits", func(int) ([]rank.Hit, error) {
			return []rank.Hit{{Doc: 1, Score: 2}}, nil
		}, Evaluated, "", false, nil},
		{"no hit", func(int) ([]rank.Hit, error) { return nil, nil }, Empty, "", false, nil},
		{"no answer", func(int) ([]rank.Hit, error) {
			return nil, &rank.Unanswerable{Reason: "no vector"}
		}, Failed, "no vector", false, nil},
		{"a panic", func(k int) ([]rank.Hit, error) {
			return nil, fmt.Errorf("%d", none[k])
		}, Failed, "crashed", true, nil},
		{"a fault elsewhere", func(int) ([]rank.Hit, error) { return nil, gone }, NotRun, "", false, gone},
	} {
		l, again, err := x.ask(&faulty{rank: c.rank}, 0, 0, nil)
		if l.state != c.want || !strings.Contains(l.why, c.why) || again != c.again || err != c.err {
			t.Errorf("%s: %+v, %v, %v", c.name, l, again, err)
		}
	}
}

// What is shared changes nothing, nor does how many hands there are: the values are those that each system has when it
// is alone.
func TestSharingAndHandsChangeNothing(t *testing.T) {
	s := session(t)
	one := finished(t, s, five, 1)
	if one.Reused == 0 {
		t.Error("nothing was reused")
	}
	for _, hands := range []int{2, 3, 50} {
		if got := finished(t, s, five, hands); got.Hash != one.Hash || got.Report.Hash != one.Report.Hash {
			t.Errorf("%d hands: another hash", hands)
		}
	}
	for i := range one.Plan.Runs {
		alone := finished(t, session(t), `{"systems": ["`+one.Plan.Runs[i].Notation+
			`"], "measures": ["nDCG@10", "AP"]}`, 1)
		if alone.Reused != 0 {
			t.Errorf("%s alone reuses", one.Plan.Runs[i].Notation)
		}
		for m := range one.Report.Columns {
			for q, v := range alone.Report.Columns[m].Values[0] {
				if w := one.Report.Columns[m].Values[i][q]; v != w {
					t.Errorf("%s, query %d: %v alone, %v with others", one.Plan.Runs[i].Notation, q, v, w)
				}
			}
		}
	}
	ev, err := s.Evaluate(experiment.Spec{Systems: []string{"bm25", "dense", "rrf(bm25, dense)"},
		Measures: []string{"nDCG@10"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	again := finished(t, s, `{"systems": ["bm25", "dense", "rrf(bm25, dense)"], "measures": ["nDCG@10"]}`, 1)
	for i := range 3 { // what Home and Search show
		if a, b := ev.Columns[0].Means[i], again.Report.Columns[0].Means[i]; a != b {
			t.Errorf("system %d: %v on the page, %v here", i, a, b)
		}
	}
}

// folder is a Store in a file that loses what was written after some byte, as when the machine stops.
type folder struct {
	name string
	left int // bytes until it stops; negative: never
}

var errStopped = errors.New("the machine stopped")

func (f *folder) Load() ([]byte, error) {
	b, err := os.ReadFile(f.name)
	if os.IsNotExist(err) {
		return nil, nil
	}
	return b, err
}

func (f *folder) Append(b []byte) error {
	if f.left == 0 {
		return errStopped
	}
	var err error
	if f.left > 0 && len(b) > f.left {
		b, err = b[:f.left], errStopped
	}
	if f.left > 0 {
		f.left -= len(b)
	}
	w, e := os.OpenFile(f.name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if e != nil {
		return e
	}
	defer w.Close()
	if _, e := w.Write(b); e != nil {
		return e
	}
	return err
}

func (f *folder) Cut(n int) error { return os.Truncate(f.name, int64(n)) }

// Killed at 50 random bytes of what is kept, and killed again on the way, an experiment ends with the hash of an
// unbroken one.
func TestKilledAtFiftyPoints(t *testing.T) {
	s := session(t)
	want := finished(t, s, five, 1).Hash
	whole := &Memory{}
	x, err := Open(plan(t, s, five), s, whole)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Run(Options{}); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewSource(14))
	for n := range 50 {
		f := &folder{name: filepath.Join(t.TempDir(), "journal"), left: r.Intn(len(whole.data))}
		at := f.left
		for tries := 0; ; tries++ {
			x, err := Open(plan(t, s, five), s, f) // a new process knows nothing but the file
			if err == nil {
				err = x.Run(Options{Hands: 1 + n%3})
			}
			if err != nil {
				if !errors.Is(err, errStopped) {
					t.Fatal(err)
				}
				if f.left = -1; tries == 0 {
					f.left = r.Intn(len(whole.data))
				}
				continue
			}
			out, err := x.Outcome(Provenance{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if out.Hash != want {
				t.Errorf("killed at byte %d: hash %s, want %s", at, out.Hash, want)
			}
			break
		}
	}
}

// Cancelled at any query, what is done is kept, and not done again.
func TestCancelAndResume(t *testing.T) {
	s := session(t)
	want := finished(t, s, five, 1).Hash
	store := &Memory{}
	left := 0
	for stops := 0; ; stops++ {
		x, err := Open(plan(t, s, five), s, store)
		if err != nil {
			t.Fatal(err)
		}
		left = 7
		err = x.Run(Options{Cancel: func() bool { left--; return left < 0 }})
		if errors.Is(err, ErrCancelled) {
			if got := x.Status(); got[0].State == Pending || x.done != 7*(stops+1) {
				t.Fatalf("after stop %d: %d done, %+v", stops, x.done, got[0])
			}
			continue
		}
		if err != nil || stops < 5 {
			t.Fatal(stops, err)
		}
		out, err := x.Outcome(Provenance{}, nil)
		if err != nil || out.Hash != want {
			t.Fatalf("hash %v, %v", out, err)
		}
		for _, st := range out.Status {
			if st.Kept == 0 && st.State == Completed && stops > 20 {
				t.Errorf("nothing of %+v was kept", st)
			}
		}
		return
	}
}

// A Spec that has grown finds what was done for the smaller one.
func TestAGrownSpecKeepsWhatIsDone(t *testing.T) {
	s, store := session(t), &Memory{}
	for i, spec := range []string{`{"systems": ["bm25"]}`, `{"systems": ["dense", "bm25(k1=2|0.9)"]}`} {
		x, err := Open(plan(t, s, spec), s, store)
		if err != nil {
			t.Fatal(err)
		}
		if i == 1 && (x.status[2].Kept != 12 || x.status[0].Kept != 0 || x.status[1].Kept != 0) {
			t.Errorf("kept: %+v", x.status)
		}
		if err := x.Run(Options{}); err != nil {
			t.Fatal(err)
		}
	}
}

func FuzzReadJournal(f *testing.F) {
	f.Add([]byte(journalHead))
	f.Add(append([]byte(journalHead),
		piece([]entry{{"aa", 1, list{state: Empty}}, {"bb", 2, list{state: Failed, why: "no vector"}}})...))
	f.Fuzz(func(t *testing.T, b []byte) {
		all, whole, err := readJournal(b)
		if err != nil {
			return
		}
		if whole > len(b) {
			t.Fatalf("%d of %d bytes", whole, len(b))
		}
		again, n, err := readJournal(b[:whole])
		if err != nil || n != whole || len(again) != len(all) {
			t.Fatalf("cut at %d: %d, %d entries, %v", whole, n, len(again), err)
		}
	})
}

func FuzzReadSpec(f *testing.F) {
	f.Add([]byte(five))
	f.Add([]byte(`{"systems": ["ql", {"stage": "cut", "params": {"n": 20}, "input": {"stage": "bm25"}}], "baseline": ` +
		`{"stage": "ql"}}`))
	f.Add([]byte(`{"search_modes": ["hybrid"], "top_k_values": [10, 20], "use_reranker": [true], "reranker": "mmr"}`))
	for _, x := range hostile {
		if len(x.spec) < 2000 {
			f.Add([]byte(x.spec))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := ReadSpec(b)
		if err != nil {
			if len(err.Error()) > 2000 {
				t.Fatalf("a message of %d bytes", len(err.Error()))
			}
			return
		}
		if len(s.Systems) == 0 && s.Ablate == "" {
			t.Fatal("a spec without systems")
		}
		p, err := NewPlan(s, report.Ref{})
		if err != nil {
			return
		}
		if len(p.Runs)+len(p.Merged)+len(p.Refused) != p.Written {
			t.Fatalf("%d runs, %d merged, %d refused of %d", len(p.Runs), len(p.Merged), len(p.Refused), p.Written)
		}
		again, err := ReadSpec(s.JSON())
		if err != nil {
			t.Fatalf("%v in %s", err, s.JSON())
		}
		if q, err := NewPlan(again, report.Ref{}); err != nil || q.Hash != p.Hash {
			t.Fatalf("written and read it is another plan: %v, %s", err, s.JSON())
		}
	})
}

// Thresholds that no score of a stage reaches are refused while planning, those that one may reach are not. The highest
// scores: 2/(60 + 1) for rrf of two, 2/(0 + 1) with k=0, 2·2·1 for combmnz of two lists between 0 and 1, 1 for a
// weighted sum of them.
func TestThresholdsBeyondEveryScore(t *testing.T) {
	s := session(t)
	for _, x := range []struct {
		system    string
		threshold string
		refused   string
	}{
		{"rrf(bm25, dense)", "0.0327", ""},
		{"rrf(bm25, dense)", "0.0328", "scores of rrf end at 0.032787"},
		{"rrf(bm25, dense, k=0) >> cut(50)", "2", ""},
		{"rrf(bm25, dense, k=0) >> cut(50)", "2.1", "scores of rrf end at 2"},
		{"combmnz(bm25, dense)", "4", ""},
		{"combmnz(bm25, dense)", "4.5", "scores of combmnz end at 4"},
		{"combsum(bm25, dense, norm=none)", "40", ""},
		{"combsum(bm25, dense, norm=zmuv)", "40", ""},
		{"wsum(bm25, dense)", "1", ""},
		{"wsum(bm25, dense)", "1.5", "scores of wsum end at 1"},
		{"rrf(bm25, dense) >> mmr", "0.5", ""},
		{"bm25", "1000", ""},
	} {
		p := plan(t, s, `{"systems": ["dense", "`+x.system+`"], "measures": ["nDCG@5"], "thresholds": [null, `+
			x.threshold+`]}`)
		why := ""
		for _, r := range p.Refused {
			why += r.Why
		}
		if p.Written != 4 || len(p.Runs) != 4-len(p.Refused) || (why == "") != (x.refused == "") ||
			!strings.Contains(why, x.refused) {
			t.Errorf("%s from %s: %d runs, refused %q, want %q", x.system, x.threshold, len(p.Runs), why, x.refused)
		}
	}
}

// No score of a plan is above what Highest says of its pipeline.
func TestHighestIsReachedByNoScore(t *testing.T) {
	for _, text := range []string{"rrf(bm25, dense, ql)", "rrf(bm25, bm25)", "isr(bm25, dense, bm25)",
		"combmax(bm25, dense)", "combmin(bm25, dense)", "combmed(bm25, dense, ql)", "combanz(bm25, dense)",
		"combsum(bm25, bm25, ql)", "combmnz(bm25, bm25)", "combmnz(bm25, dense, norm=sum)",
		"combsum(bm25, dense, norm=rank)", "combsum(bm25, dense, norm=borda)", "combsum(bm25, dense, norm=inverted)",
		"wsum(bm25, bm25)"} {
		n, err := stage.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		highest, _, known := stage.Highest(n)
		if !known {
			t.Fatalf("%s: nothing is known", text)
		}
		out := finished(t, session(t), `{"systems": ["`+text+`"], "measures": ["nDCG@5"]}`, 1)
		for i := range out.Input.Runs[0].Run.NumQueries() {
			for _, v := range out.Input.Runs[0].Run.Scores(i) {
				if v > highest*(1+1e-12) {
					t.Errorf("%s: score %v above %v", text, v, highest)
				}
			}
		}
	}
}

// A threshold that empties every list makes no system of zeros, and a set of an ablation that failed leaves the
// comparison of the others.
func TestFailedRunsLeaveTheReport(t *testing.T) {
	s := session(t)
	out := finished(t, s, `{"systems": ["bm25"], "measures": ["nDCG@5"], "thresholds": [0, 1000]}`, 1)
	if len(out.Compared) != 1 || out.Status[1].State != Broken ||
		out.Status[1].Why != "no document of any query reaches the score 1000" {
		t.Errorf("compared %v, %+v", out.Compared, out.Status[1])
	}
	out = finished(t, s, `{"systems": ["bm25"], "measures": ["nDCG@5"], "ablate": "rrf(bm25, dense(model=none)) `+
		`>> cut(10)"}`, 1)
	var text strings.Builder
	if err := out.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if out.Ablation != nil || !strings.Contains(text.String(), "  ablate: ") ||
		!strings.Contains(text.String(), "was not run to the end") {
		t.Errorf("%+v\n%s", out.Ablation, text.String())
	}
	if strings.Contains(text.String(), "bm25 is the same as bm25") || len(out.Plan.Merged) != 0 &&
		out.Plan.Merged[0].Written == "bm25" {
		t.Errorf("%v", out.Plan.Merged)
	}
	p := plan(t, s, `{"systems": ["bm25", "bm25"], "measures": ["nDCG@5"]}`)
	if got := p.Merged[0].Said(p); got != "bm25 appears twice" {
		t.Error(got)
	}
}

// Patterns are counted of 22 runs, whose figure shows them, and what is left out of 41 is said in the sentence.
func TestPatternsOfManyRuns(t *testing.T) {
	s := session(t)
	for runs, said := range map[string]bool{"0.1..2.2/0.1": false, "0.1..4.1/0.1": true} {
		out := finished(t, s, `{"systems": ["bm25(k1=`+runs+`)"], "measures": ["nDCG@5"]}`, 1)
		if err := out.Analyse(s, nil); err != nil {
			t.Fatal(err)
		}
		wrong := out.Analyses[len(out.Analyses)-1]
		if got := strings.Contains(wrong.Sentence, "Of 41 runs the first 40 are looked into"); got != said ||
			len(wrong.Tables) == 0 {
			t.Errorf("%s: %q", runs, wrong.Sentence)
		}
		if n := len(wrong.Tables[0].Columns) - 5; n != min(40, len(out.Report.Systems)) || n < 22 {
			t.Errorf("%s: %d of %d runs", runs, n, len(out.Report.Systems))
		}
	}
}
