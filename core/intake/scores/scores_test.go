package scores

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// table reads files of testdata and joins them, each a system of its name without its ending.
func table(t *testing.T, pattern string) *Table {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", filepath.FromSlash(pattern)))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	var list []*Table
	for _, name := range names {
		base := filepath.Base(name)
		x, err := Read(filepath.ToSlash(name), strings.TrimSuffix(base, filepath.Ext(base)), readFile(t, name),
			Options{})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, x)
	}
	out, err := Join(names, list)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// expected are the figures that the tools gave for testdata; scripts/oracle/scores/make.py has their versions in it.
type expected struct {
	Cut        map[string]map[string]float64 `json:"ndcg_cut_10"`
	Map        map[string]map[string]float64 `json:"map"`
	MTEB       map[string]map[string]float64 `json:"mteb"`
	Ragas      map[string]map[string][]*float64
	Citations  map[string][]string
	Nuggetizer map[string]struct {
		Queries []map[string]any
		All     map[string]any
	}
}

func oracle(t *testing.T) (e expected) {
	t.Helper()
	if err := json.Unmarshal(readFile(t, "testdata/expected.json"), &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// get is a score by names; NaN is one that is missing.
func (t *Table) get(system, item, measure string) float64 {
	s, okS := t.system[system]
	i, okI := t.item[item]
	m, okM := t.column[measure]
	if !okS || !okI || !okM {
		return math.Inf(1) // a name that is not there is no missing score
	}
	return t.Value(s, i, m)
}

func near(a, b, tolerance float64) bool {
	return a == b || math.Abs(a-b) <= tolerance || a != a && b != b
}

// TestEvaluationsOfOtherToolsAreReadAsTheyAre: the scores of three runs of 12 queries as ir_measures 0.4.3, trec_eval
// 9.0.4, PyTerrier 1.0, pytrec_eval-terrier 0.5.11 and autojudge-evaluate 1.1.0 write them, which round to 4 digits
// but for PyTerrier and pytrec_eval.
func TestEvaluationsOfOtherToolsAreReadAsTheyAre(t *testing.T) {
	want := oracle(t)
	for _, c := range []struct {
		files     string
		systems   int
		tolerance float64
	}{
		{"ir_measures/*.txt", 3, 5.1e-5}, {"trec_eval/*.txt", 3, 5.1e-5}, {"pyterrier/perquery.csv", 3, 1e-12},
		{"autojudge/tot.txt", 3, 5.1e-5},
		{"autojudge/ir_measures.txt", 3, 5.1e-5}, {"autojudge/jsonl.txt", 3, 5.1e-5}, {"pytrec_eval/*.json", 1, 1e-15},
	} {
		x := table(t, c.files)
		if len(x.Systems) != c.systems || len(x.Items) != 12 || x.Noun != "query" || slices.Contains(x.Items, "all") {
			t.Errorf("%s: systems %q, items %q (%s)", c.files, x.Systems, x.Items, x.Noun)
		}
		for measure, by := range map[string]map[string]map[string]float64{"nDCG@10": want.Cut, "AP": want.Map} {
			for system, queries := range by {
				if c.systems == 1 && system != "hybrid" {
					continue
				}
				for q, v := range queries {
					if got := x.get(system, q, measure); !near(got, v, c.tolerance) {
						t.Errorf("%s: %s of %s for %s is %v, want %v", c.files, measure, system, q, got, v)
					}
				}
			}
		}
	}
}

// TestAResultOfMTEBIsTheMeanOfItsSubsets: mteb 2.26.24, TaskResult.get_score(splits=["test"]), which to_disk rounds
// to 6 digits.
func TestAResultOfMTEBIsTheMeanOfItsSubsets(t *testing.T) {
	x := table(t, "mteb/*/*/[ABG]*.json")
	if x.Noun != "task" || len(x.Systems) != 2 {
		t.Errorf("%q of %s", x.Systems, x.Noun)
	}
	for system, tasks := range oracle(t).MTEB {
		for task, v := range tasks {
			if got := x.get(system, task, "main_score"); !near(got, v, 1e-12) {
				t.Errorf("%s on %s: %v, want %v", system, task, got, v)
			}
		}
	}
}

// TestContextsAreComparedByIDAsRagasDoes: ragas 0.4.3, IDBasedContextPrecision and IDBasedContextRecall; None there
// is a missing score.
func TestContextsAreComparedByIDAsRagasDoes(t *testing.T) {
	x := table(t, "ragas/*.jsonl")
	for system, measures := range oracle(t).Ragas {
		for measure, values := range measures {
			for n, v := range values {
				want := math.NaN()
				if v != nil {
					want = *v
				}
				if got := x.get(system, fmt.Sprintf("question %d", n), measure); !near(got, want, 1e-15) {
					t.Errorf("%s of %s for question %d: %v, want %v", measure, system, n, got, want)
				}
			}
		}
	}
}

// TestNuggetRecallIsNuggetizers: nuggetizer 0.0.5, core.metrics, which scripts/calculate_metrics.py runs: by answer,
// and the means of the report are its means of all.
func TestNuggetRecallIsNuggetizers(t *testing.T) {
	for system, want := range oracle(t).Nuggetizer {
		for _, pattern := range []string{"nuggetizer/" + system + ".jsonl", "nuggetizer/metrics-" + system + ".jsonl"} {
			x := table(t, pattern)
			for _, q := range want.Queries {
				for measure, v := range q {
					if measure != "qid" {
						if got := x.get(x.Systems[0], q["qid"].(string), measure); !near(got, v.(float64), 1e-15) {
							t.Errorf("%s: %s for %v is %v, want %v", pattern, measure, q["qid"], got, v)
						}
					}
				}
			}
			r, err := x.Report(Asked{})
			if err != nil {
				t.Fatal(err)
			}
			for m, measure := range r.Measures {
				if v := want.All[measure].(float64); !near(r.Columns[m].Means[0], v, 1e-14) {
					t.Errorf("%s: %s of all is %v, want %v", pattern, measure, r.Columns[m].Means[0], v)
				}
			}
		}
	}
}

// TestAnswersAreRunsOfWhatTheyCite: autojudge-base 1.0.0, extract_doc_ids_from_report(cited_only=True), of the same
// answers as the RAG track of 2026 and as RAGTIME of 2026 exchange them.
func TestAnswersAreRunsOfWhatTheyCite(t *testing.T) {
	want := oracle(t).Citations
	for _, name := range []string{"rag", "ragtime"} {
		b := readFile(t, "testdata/citations/"+name+".jsonl")
		if !DetectCitations(b) || Detect(b) != "" {
			t.Errorf("%s is not recognised", name)
		}
		run, err := Citations(name, b)
		if err != nil {
			t.Fatal(err)
		}
		if run.Tag != "answers" || run.NumQueries() != len(want) {
			t.Errorf("%s: %q, %d topics", name, run.Tag, run.NumQueries())
		}
		for topic, docs := range want {
			var got []string
			if i := run.Query(topic); i >= 0 {
				for _, e := range run.Ranked(i, collection.DocIDDescending, nil) {
					got = append(got, e.Doc)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, docs) {
				t.Errorf("%s, topic %s: %q, want %q", name, topic, got, docs)
			}
		}
	}
	for _, c := range []struct {
		text string
		line int
		says string
	}{
		{`{"references":[],"answer":[]}`, 1, `without "topic_id"`},
		{`{"topic_id":"1","references":["a"],"answer":[{"citations":[1]}]}`, 1, "citation 1 is no place"},
		{`{"topic_id":"1","references":["a"],"answer":"x"}`, 1, "without a list of sentences"},
		{"{\"topic_id\":\"1\",\"answer\":[]}\n{\"topic_id\":\"1\",\"answer\":[]}\n", 2, "answered twice"},
		{`{"topic_id":"1","answer":[{"citations":[""]}]}`, 1, "an id of one line"}, {"x", 1, "objects of JSON"},
	} {
		_, err := Citations("f", []byte(c.text))
		if p, ok := err.(*collection.ParseError); !ok || p.Line != c.line || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
}

// FuzzCitations: reading ends with a run, or an error in the file.
func FuzzCitations(f *testing.F) {
	for _, name := range []string{"rag", "ragtime"} {
		if b, err := os.ReadFile("testdata/citations/" + name + ".jsonl"); err == nil {
			f.Add(b)
		}
	}
	f.Add([]byte(`{"topic_id":1,"answer":[{"citations":["a",{}]}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		DetectCitations(b)
		run, err := Citations("f", b)
		if _, ok := err.(*collection.ParseError); err != nil && !ok {
			t.Fatalf("%T: %v", err, err)
		}
		if err == nil && run == nil {
			t.Fatal("no run and no error")
		}
	})
}

const (
	longTable = "run,query,measure,value\nA,1,nDCG@10,0.5\nA,2,nDCG@10,0.25\nB,1,nDCG@10,0.75\nB,2,nDCG@10,1\n"
	wideTable = "Model,SciFact,FiQA2018\nBM25,0.665,0.236\nE5,0.701,0.41\n"
)

// TestATableOfScoresIsNeverJudgments: neither detection nor reading takes it for qrels or a run, whatever it was
// asked to prefer.
func TestATableOfScoresIsNeverJudgments(t *testing.T) {
	files := map[string]string{"long": longTable, "wide": wideTable,
		"without a header": "A 1 nDCG@10 0.5\nA 2 nDCG@10 0.25\nB 1 nDCG@10 0.75\n",
		"tot":              "runA coverage 1 0.5\nrunA coverage 2 0.25\nrunB coverage 1 1.0\nrunB coverage 2 0.0\n",
		"ir_measures":      "1\tnDCG@10\t0.5\n2\tnDCG@10\t0.25\nnDCG@10\t0.375\n"}
	for _, pattern := range []string{"*/*.txt", "*/*.csv", "[ans]*/*.jsonl", "r*s/*.jsonl", "*/*.json",
		"mteb/*/*/[ABG]*.json"} {
		names, _ := filepath.Glob(filepath.Join("testdata", filepath.FromSlash(pattern)))
		for _, name := range names {
			if strings.Contains(filepath.ToSlash(name), "/results/") {
				continue // rankings
			}
			files[name] = string(readFile(t, name))
		}
	}
	if len(files) < 20 {
		t.Fatalf("only %d files", len(files))
	}
	for name, text := range files {
		if Detect([]byte(text)) == "" {
			t.Errorf("%s is not recognised", name)
		}
		for _, prefer := range []collection.Format{collection.Unknown, collection.QrelsTREC, collection.RunTREC} {
			c, err := collection.Read(name, strings.NewReader(text), collection.Options{Prefer: prefer})
			if err == nil && (c.Qrels != nil || c.Run != nil) {
				t.Errorf("%s, preferring %q: read as %s", name, prefer, c.Format)
			}
		}
	}
}

// TestRunsAndJudgmentsAreNoScores: what the other readers know stays theirs.
func TestRunsAndJudgmentsAreNoScores(t *testing.T) {
	for _, text := range []string{
		"", "\n", "1 Q0 d1 1 0.5 bm25\n1 Q0 d2 2 0.4 bm25\n", "1 0 d1 1\n1 0 d2 0\n", "1 0 d1 1.0\n1 0 d2 0.0\n",
		"query-id\tcorpus-id\tscore\n1\td1\t1\n", "1\td1\t1\n1\td2\t2\n",
		"query_id,doc_id,score\n1,d1,0.5\n", "qid,docid,docno,rank,score,query\n1,0,d1,0,2.5,x\n",
		"qid,text,difficulty\n1,what,3\n2,who,2\n", "query_id,chunk_id,score\n1,7,0.5\n1,8,0.25\n",
		"query_id,doc_id,relevance\n1,d1,2\n", "qid,query\n1,what is it\n2,who is it\n",
		"id,title,price\n1,A chair,2.5\n2,A table,3\n", `{"1": {"d1": 0.5, "d2": 0.25}}`, `{"1": {"d1": 1}}`,
		`[{"query": "x", "type": "t", "relevant_articles": {"a": 1}}]`,
		`{"_id": "d1", "text": "x", "title": "y"}`,
		`{"queries": {"q": {"text": "x"}}, "documents": {}, "qrels": {"q": {"d": 1}}}`,
		"<top>\n<num> 1\n</top>\n", "query\tdocument\tmeasure\tvalue\n1\td1\tx\t1\n", "a b c d\n", "{", "[",
		`{"nuggets": 1}`,
	} {
		if s := Detect([]byte(text)); s != "" {
			t.Errorf("%q is taken for %s", text, s)
		}
		if _, err := Read("x", "x", []byte(text), Options{}); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

func TestWhatCannotBeReadIsRefusedWithItsLine(t *testing.T) {
	for _, c := range []struct {
		text string
		opt  Options
		line int
		says string
	}{
		{"run,query,measure,value\nA,1,AP,0.5\nA,2,AP,high\n", Options{}, 3, `score "high" is not a number`},
		{"run,query,measure,value\nA,1,AP,0.5\nA,1,AP,0.6\n", Options{}, 3,
			`"A" has two scores for query "1" by AP: 0.5 (line 2) and 0.6`},
		{"run,query,measure,value\nA,1,AP,0.5\nA,,AP,0.6\n", Options{}, 3, "a score without the id of a query"},
		{"run,query,measure,value\nA,1,AP,0.5,\n", Options{}, 2, "5 columns, expected 4: check for an unquoted " +
			"separator"},
		{"run,query,measure,value\nA,1,AP,NaN\n", Options{}, 0, "holds no score"},
		{"model,a,b\nx,0.5,0.5\ny,0.5,\"0,5\"\n", Options{}, 3, `score "0,5" is not a number`},
		{"model,a,a\nx,0.5,0.5\n", Options{}, 1, `columns 2 and 3 are both named "a"`},
		{"model,a\nx,0.5\ny,1\n", Options{}, 0, "with one item a system nothing can be tested"},
		{",a,b\nx,0.5,0.5\ny,1,0\n", Options{}, 0, "rows may be systems or items"},
		{"name,AP,nDCG@10\nx,0.5,0.5\ny,1,0\n", Options{}, 0, "these are means, and without the score of every item " +
			"nothing can be tested"},
		{strings.Repeat("1\tAP\t0.5\n", 9) + "2\tAP\n", Options{}, 10, "2 columns, expected 3"},
		{`{"mteb_version": "2", "task_name": "T", "scores": {"dev": [{"main_score": 1}], "train": []}}`, Options{}, 1,
			`several splits (dev, train) and none is "test"`},
		{`{"mteb_version": "2", "task_name": "T", "scores": {}}`, Options{}, 1, "holds no split"},
		{`{"mteb_version": "2", "scores": {}}`, Options{}, 0, `no "task_name"`},
		{"{\"retrieved_context_ids\": [1], \"reference_context_ids\": [1]}\n{\"retrieved_context_ids\": [1], " +
			"\"reference_context_ids\": null}\n", Options{}, 2, `without "reference_context_ids"`},
		{"{\"qid\": \"1\", \"nuggets\": [{\"text\": \"x\", \"importance\": \"vital\"}]}\n", Options{}, 1,
			"a nugget without an assignment"},
		{"{\"qid\": \"1\", \"nuggets\": [{\"importance\": \"vital\", \"assignment\": \"maybe\"}]}\n", Options{}, 1,
			`assignment "maybe"`},
		{"{\"qid\": \"1\", \"docid\": \"d\", \"nuggets\": []}\n", Options{}, 1, "nugget recall is of answers"},
		{"{\"qid\": \"1\", \"nuggets\": []}\n{\"qid\": \"1\", \"nuggets\": []}\n", Options{}, 2,
			"answered twice, in line 1 and here"},
		{`{"1": {"AP": 0.5}, "2": {"AP": "x"}}`, Options{}, 1, "the score is not a number"},
		{longTable, Options{Systems: "diagonal"}, 0, "not one of rows, columns"},
	} {
		_, err := Read("f", "f", []byte(c.text), c.opt)
		var line int
		if p, ok := err.(*collection.ParseError); ok {
			line = p.Line
		}
		if err == nil || !strings.Contains(err.Error(), c.says) || line != c.line {
			t.Errorf("%q: %v (line %d), want %q in line %d", c.text, err, line, c.says, c.line)
		}
	}
}

func TestALayoutSaysWhatIsASystem(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opt        Options
		systems    []string
		items      []string
		measures   []string
		noun       string
	}{
		{"a score a row", longTable, Options{}, []string{"A", "B"}, []string{"1", "2"}, []string{"nDCG@10"}, "query"},
		{"systems in rows", wideTable, Options{}, []string{"BM25", "E5"}, []string{"SciFact", "FiQA2018"},
			[]string{"score"}, "item"},
		{"systems in columns", "task\tBM25\tE5\nSciFact\t0.6\t0.7\nFiQA\t0.2\t0.4\n", Options{}, []string{"BM25",
			"E5"}, []string{"SciFact", "FiQA"}, []string{"score"}, "task"},
		{"a column a measure", "model,task,AP,nDCG@10\nx,1,0.5,0.6\ny,1,0.5,0.6\n", Options{}, []string{"x", "y"},
			[]string{"1"}, []string{"AP", "nDCG@10"}, "task"},
		{"one system, a column a measure", "qid,AP,nDCG@10\n1,0.5,0.6\n2,0.5,0.6\n", Options{}, []string{"f"},
			[]string{"1", "2"}, []string{"AP", "nDCG@10"}, "query"},
		{"one system, one measure", "qid,score\n1,0.5\n2,0.25\n", Options{}, []string{"f"}, []string{"1", "2"},
			[]string{"score"}, "query"},
		{"rows without a name", ",a,b\nx,0.5,0.5\ny,1,0\n", Options{Systems: "rows"}, []string{"x", "y"}, []string{"a",
			"b"}, []string{"score"}, "item"},
		{"columns without a name", ",a,b\nx,0.5,0.5\ny,1,0\n", Options{Systems: "columns"}, []string{"a", "b"},
			[]string{"x", "y"}, []string{"score"}, "query"},
		{"a leaderboard",
			"Rank (Borda);Model;Number of Parameters (B);Licence;Mean " +
				"(Task);T1;T2\n1;x;7;MIT;0.5;0.4;0.6\n2;y;1;MIT;0.4;0.3;0.5\n",
			Options{}, []string{"x", "y"}, []string{"T1", "T2"}, []string{"score"}, "item"},
		{"JSON of systems", `{"x": {"1": 0.5, "2": 1}, "y": {"1": 0.25, "2": null}}`, Options{Systems: "rows"},
			[]string{"x", "y"}, []string{"1", "2"}, []string{"score"}, "item"},
		{"JSON of systems, queries and measures", `{"x": {"1": {"AP": 0.5}}, "y": {"1": {"AP": 0.25}}}`, Options{},
			[]string{"x", "y"}, []string{"1"}, []string{"AP"}, "query"},
		{"JSON of systems, measures and queries", `{"x": {"AP": {"1": 0.5}}, "y": {"AP": {"1": 0.25}}}`, Options{},
			[]string{"x", "y"}, []string{"1"}, []string{"AP"}, "query"},
		{"several runids", "map \t1\t0.5\nrunid \tall\tfirst\nmap \tall\t0.5\nmap \t1\t0.75\nrunid " +
			"\tall\tsecond\nmap \tall\t0.75\n", Options{}, []string{"first", "second"}, []string{"1"}, []string{"AP"},
			"query"},
	} {
		x, err := Read("f", "f", []byte(c.text), c.opt)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !slices.Equal(x.Systems, c.systems) || !slices.Equal(x.Items, c.items) || !slices.Equal(x.Measures,
			c.measures) || x.Noun != c.noun {
			t.Errorf("%s: %q %q %q %s", c.name, x.Systems, x.Items, x.Measures, x.Noun)
		}
	}
}

// TestTheRuleForMissingScores: x lacks a score for b, y none; c has none at all.
func TestTheRuleForMissingScores(t *testing.T) {
	text := "model,a,b,c,d,e\nx,0.5,,NaN,0.5,1\ny,0.25,1,-,0.5,0\n"
	for _, c := range []struct {
		rule    string
		systems int
		items   []string
		mean    float64 // of y; by zero, of x
		says    string
	}{
		{"", 2, []string{"a", "d", "e"}, 0.25, "2 scores are missing (x on b, every system on c): 2 items are left " +
			"out for every system (b, c), 3 of 5 are compared"},
		{LeaveSystems, 1, []string{"a", "b", "d", "e"}, 0.4375, "1 system is left out (x)"},
		{CountZero, 2, []string{"a", "b", "d", "e"}, 0.5, "each counts 0"},
	} {
		x, err := Read("f", "f", []byte(text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := x.Report(Asked{Missing: c.rule})
		if err != nil {
			t.Fatal(err)
		}
		var items []string
		for _, q := range r.Queries {
			items = append(items, q.ID)
		}
		at := len(r.Systems) - 1
		if c.rule == CountZero {
			at = 0
		}
		said := ""
		for _, w := range r.Warnings {
			said += r.Say(w, 0) + "\n"
		}
		if len(r.Systems) != c.systems || !slices.Equal(items, c.items) || r.Columns[0].Means[at] != c.mean ||
			!strings.Contains(said, c.says) {
			t.Errorf("%q: %d systems, %q, mean %v: %s", c.rule, len(r.Systems), items, r.Columns[0].Means[at], said)
		}
		if !r.Whole() {
			t.Errorf("%q: the report does not fit its own shape", c.rule)
		}
	}
	x, err := Read("f", "f", []byte("model,a,b\nx,1,\ny,,1\nz,1,1\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	// One system has all items, with which there is nothing to compare: that is no advice.
	if _, err = x.Report(Asked{}); err == nil || err.Error() != "no item has a score by score from every system: 2 scores "+
		"are missing (x on b, y on a). Instead, -missing zero counts each gap 0" {
		t.Error(err)
	}
	// Of four systems two have all: the advice holds. So does that of the other measure.
	x, err = Read("f", "f", []byte("model,task,main,AP\nw,1,1,1\nw,2,1,\nx,1,1,1\ny,2,1,\nz,1,1,1\nz,2,.5,1\ny,1,,1\n"),
		Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err = x.Report(Asked{Measures: []string{"main"}}); err == nil || !strings.Contains(err.Error(), "Instead, "+
		"-missing systems compares the 2 systems without a gap, -m AP has 1 task with a score from every system or "+
		"-missing zero counts each gap 0") {
		t.Error(err)
	}
	for _, a := range []Asked{{Measures: []string{"main"}, Missing: LeaveSystems}, {Measures: []string{"AP"}},
		{Measures: []string{"main"}, Missing: CountZero}} {
		if r, err := x.Report(a); err != nil || len(r.Systems) < 2 {
			t.Errorf("the advice %+v: %v", a, err)
		}
	}
}

// TestLessIsBetterWhereItIsSaid: a table of latencies ranks the fastest first.
func TestLessIsBetterWhereItIsSaid(t *testing.T) {
	text := "model,task,pages\nslow,1,9\nslow,2,8\nslow,3,9\nfast,1,1\nfast,2,2\nfast,3,1\n"
	x, err := Read("f", "f", []byte(text), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for lower, want := range map[string]string{"": "slow", "pages": "fast"} {
		a := Asked{}
		if lower != "" {
			a.Lower = []string{lower}
		}
		r, err := x.Report(a)
		if err != nil {
			t.Fatal(err)
		}
		best := r.Ranking()[0]
		if rank := r.Conclusion().Ranks()[best]; r.Systems[best].Label != want || rank.Rank != 1 {
			t.Errorf("%q: %s leads, in place %+v", lower, r.Systems[best].Label, rank)
		}
	}
	if _, err := x.Report(Asked{Lower: []string{"s"}}); err == nil {
		t.Error("a measure that is not there is taken")
	}
}

// TestALeaderboardOpens: 181 models on 41 tasks, as MTEB has them, with the tests of all 16,290 pairs. It logs the
// time, which should be below 2 s.
func TestALeaderboardOpens(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a second")
	}
	draw := rand.New(rand.NewPCG(34, 41))
	var b strings.Builder
	b.WriteString("Model")
	for i := range 41 {
		fmt.Fprintf(&b, ",Task%d", i)
	}
	for s := range 181 {
		fmt.Fprintf(&b, "\nmodel-%d", s)
		for range 41 {
			fmt.Fprintf(&b, ",%.4f", 0.3+float64(s)/600+draw.Float64()/4)
		}
	}
	start := time.Now()
	x, err := Read("f", "f", []byte(b.String()), Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := x.Report(Asked{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%v", time.Since(start))
	if len(r.Pairs) != 181*180/2 || len(r.Queries) != 41 {
		t.Errorf("%d pairs on %d tasks", len(r.Pairs), len(r.Queries))
	}
}

// FuzzRead: whatever the bytes are, reading ends with a table that makes a report that fits, or with an error in the
// file. The length of the input says which of the tables is reported and by which rule: a report takes longer than
// all of the reading.
func FuzzRead(f *testing.F) {
	for _, pattern := range []string{"*/*", "mteb/*/*/*.json"} {
		names, _ := filepath.Glob(filepath.Join("testdata", filepath.FromSlash(pattern)))
		for _, name := range names {
			if b, err := os.ReadFile(name); err == nil {
				f.Add(b[:min(len(b), 2000)])
			}
		}
	}
	for _, s := range []string{longTable, wideTable, `{"x": {"1": {"AP": 0.5}}}`, `{"1": {"AP": 1}}`,
		"map 1 .5\nrunid all x\n", "a;b\n1;2\n", "\ufeffrun,query,value\n\"a\",1,2\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		Detect(b)
		for n, opt := range []Options{{}, {Systems: "rows"}, {Systems: "columns"}} {
			x, err := Read("f", "f", b, opt)
			if err != nil {
				if _, ok := err.(*collection.ParseError); !ok {
					t.Fatalf("%T: %v", err, err)
				}
				continue
			}
			if n != len(b)%3 || x.Cells() == 0 || x.Cells() > 60 {
				continue
			}
			if r, err := x.Report(Asked{Missing: Missing[len(b)/3%3]}); err == nil && !r.Whole() {
				t.Fatal("the report does not fit")
			}
		}
	})
}

// TestManyPairsAreNotResampled: 33 systems are 528 pairs. The t test counts, and the report says why; who asks for
// resampling gets it.
func TestManyPairsAreNotResampled(t *testing.T) {
	for systems, want := range map[int]string{32: "randomisation", 33: "t"} {
		x := New("made", "query")
		for s := range systems {
			for q := range 6 { // too few for the t test to be chosen by itself
				if err := x.Add(fmt.Sprint("s", s), fmt.Sprint(q), "AP", float64((s*7+q*(3+s%5))%13)/13); err != nil {
					t.Fatal(err)
				}
			}
		}
		r, err := x.Report(Asked{})
		if err != nil {
			t.Fatal(err)
		}
		why := r.Test.Why(say.Plain)
		if many := strings.Contains(why, "528 pairs are too many to resample each"); many != (want == "t") ||
			(r.Protocol().Test == "t") != many {
			t.Errorf("%d systems: %s", systems, why)
		}
		if want == "t" {
			again, err := Again(r, Asked{})
			if err != nil || again.Hash != r.Hash || again.Test.Why(say.Plain) != why {
				t.Errorf("looked at again: %v", err)
			}
		}
	}
}

// What describes or sums up a system is no item of a leaderboard, whatever it is called, and an item is none of it.
func TestAColumnIsTakenByItsScaleAndMeaning(t *testing.T) {
	for _, c := range []struct{ head, x, y, items string }{
		{"Model,Model Size (Million Parameters),Memory Usage (GB),Average (56 datasets),T1,T2,T3",
			"x,7110,26.45,66.6,70.1,64.2,65.5", "y,110,0.42,60.4,61.5,55,64.7", "T1 T2 T3"},
		{"Model,Params,dim,T1,T2", "x,110M,768,.5,.6", "y,33M,384,.4,.5", "T1 T2"},
		{"Model,n_params,hiddenSize,T1,T2", "x,110000000,768,.5,.6", "y,33000000,384,.4,.5", "T1 T2"},
		{"Model,latency (ms),T1,T2", "x,12.5,.5,.6", "y,3.5,.4,.5", "T1 T2"},
		{"Model,QPS,T1,T2,T3", "x,1200,.5,.6,.1", "y,300,.4,.5,.2", "T1 T2 T3"},
		{"Model,Everything,T1,T2,T3", "x,.4,.5,.6,.1", "y,.3667,.4,.5,.2", "T1 T2 T3"},
		{"Model,NewsDateRetrieval,TokenTask", "x,.43,.51", "y,.36,.41", "NewsDateRetrieval TokenTask"},
		{"Model,T1,T2", "x,1200,1100", "y,1100,1050", "T1 T2"}, // ratings
	} {
		x, err := Read("f", "f", []byte(c.head+"\n"+c.x+"\n"+c.y+"\n"), Options{})
		if err != nil || strings.Join(x.Items, " ") != c.items || len(x.Systems) != 2 {
			t.Errorf("%s: %v %+v", c.head, err, x)
		}
		if n := strings.Count(c.head, ","); err == nil && n > len(x.Items) && len(x.Warnings) == 0 {
			t.Errorf("%s: nothing says what is left out", c.head)
		}
	}
	// A column on a smaller scale may be either: it is asked for, and what the caller says decides.
	unsure := "Model,Zeta,T1,T2\nx,0.5,40.5,50.2\ny,0.25,41.5,50.1\n"
	if _, err := Read("f", "f", []byte(unsure), Options{}); err == nil || !strings.Contains(err.Error(),
		`column "Zeta" (0.25 to 0.5) is on another scale than "T1" (40.5 to 41.5)`) {
		t.Error(err)
	}
	if x, err := Read("f", "f", []byte(unsure), Options{Systems: "rows", Columns: []string{"T1", "Zeta"}}); err != nil ||
		strings.Join(x.Items, " ") != "T1 Zeta" {
		t.Error(err)
	}
}

// Columns of one row a question are measures of the file, unless their names are those of systems; less of a time is
// better, and it is not the one that is tested.
func TestColumnsOfQuestionsAreMeasures(t *testing.T) {
	for _, c := range []struct {
		head              string
		systems, measures string
	}{
		{"question,answer_relevancy,context_recall", "f", "answer_relevancy context_recall"},
		{"user_question_id,x,y", "", ""}, // no column says what the rows are
		{"sample,Helpfulness,Tone", "f", "Helpfulness Tone"},
		{"qid,latency_ms,hit_rate", "f", "latency_ms hit_rate"},
		{"query,bm25,dense", "bm25 dense", "score"},
		{"query,ours,baseline,latency", "ours baseline", "score"},
		{"task,Alpha,Beta", "Alpha Beta", "score"},
		{"dataset,hit_rate,mrr", "f", "hit_rate RR"},
	} {
		row := strings.Repeat(",.5", strings.Count(c.head, ","))
		x, err := Read("f", "f", []byte(c.head+"\na"+row+"\nb"+row+"\n"), Options{})
		if c.systems == "" {
			if err == nil {
				t.Errorf("%s is read as %q by %q", c.head, x.Systems, x.Measures)
			}
			continue
		}
		if err != nil || strings.Join(x.Systems, " ") != c.systems || strings.Join(x.Measures, " ") != c.measures {
			t.Errorf("%s: %v %+v", c.head, err, x)
		}
	}
	x, err := Read("f", "f", []byte("qid,latency_ms,hit_rate\n1,5,1\n2,7,0\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := x.Report(Asked{})
	if err != nil || r.Measures[0] != "hit_rate" || !r.Columns[1].Lower || r.Columns[0].Lower {
		t.Errorf("%v %+v", err, r)
	}
}

// A measure that has a score for some tasks alone takes no task from another: it is over the tasks that have it from
// every system, and the report says over how many. By hand: Accuracy is over task 1, and over tasks 1, 2 and 4 its
// means are 0.6 and 0.5. A measure without any such task is left out.
func TestEachMeasureHasItsOwnCompleteCases(t *testing.T) {
	x, err := Read("f", "f", []byte("model,task,main_score,accuracy,ap\nx,1,.5,.5,.1\nx,2,.6,.6,\nx,3,.7,,\nx,4,.7,.7,\n"+
		"y,1,.4,.4,\ny,2,.5,.5,\ny,3,.9,.3,\ny,4,.5,.6,.2\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := x.Report(Asked{})
	if err != nil || len(r.Queries) != 4 || !slices.Equal(r.Measures, []string{"main_score", "Accuracy"}) || !r.Whole() {
		t.Fatalf("%v %+v", err, r)
	}
	near := func(what string, got, want float64) {
		if !(math.Abs(got-want) < 1e-12) {
			t.Errorf("%s is %v, not %v", what, got, want)
		}
	}
	near("the mean", r.Columns[0].Means[1], 2.3/4)
	c := &r.Columns[1]
	near("the mean of x", c.Means[0], 0.6)
	near("the mean of y", c.Means[1], 0.5)
	near("the median of y", c.Median[1], 0.5)
	low, high := report.BoundsOf("Accuracy").Interval([]float64{.5, .6, .7}, 0.95)
	near("the lower end", c.Low[0], low)
	near("the upper end", c.High[0], high)
	tests, err := r.TestOn(1, nil)
	if err != nil || len(tests.Pairs) != 1 {
		t.Fatal(err)
	}
	// 2 of 2³ signs
	if p := tests.Pairs[0]; p.Better != 0 || p.Worse != 3 || p.Equal != 0 || math.Abs(p.P-2/8.0) > 1e-12 {
		t.Errorf("%+v", p)
	}
	var said []string
	for _, w := range r.Warnings {
		said = append(said, r.Say(w, 0))
	}
	text := strings.Join(said, "\n")
	for _, want := range []string{"Accuracy is over 3 of 4 tasks: those for which every system has it",
		"AP is left out: no task that is compared has it from every system"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	// by the other measure, as a file and as a report that is asked again
	for name, of := range map[string]func() (*report.Report, error){
		"table":  func() (*report.Report, error) { return x.Report(Asked{Measures: []string{"accuracy", "main_score"}}) },
		"report": func() (*report.Report, error) { return Again(r, Asked{Measures: []string{"accuracy", "main_score"}}) },
	} {
		r, err := of()
		if err != nil || len(r.Queries) != 3 || len(r.Measures) != 2 || !r.Whole() || r.Coverage[0].Queries != 3 {
			t.Fatalf("%s: %v %+v", name, err, r)
		}
		near(name+": the mean of main_score", r.Columns[1].Means[0], 1.8/3)
		if on := r.On(1); on != r {
			t.Errorf("%s: main_score lacks a task", name)
		}
	}
}
