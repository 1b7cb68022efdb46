package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake/golden"
)

const goldenSets = "../../core/intake/golden/testdata"

// Golden sets in the shapes of public repositories run as they are (core/intake/golden/testdata/README.md says whose). Every
// query finds what it expects with BM25 over the six documents beside them. ragas.jsonl holds results of its own.
// Hand computation for it: the relevant document is result 2 of the first query, so RR = 1/2 and nDCG = 1/log2 3 =
// 0.6309, and result 1 of the second: means 0.75 and 0.8155. rank-eval-answer.json lacks the second relevant document
// of one query: nDCG = 2/(2 + 1/log2 3) = 0.7602, R = 1/2. The provider of
// promptfoo-results.json ranks refunds.md second.
func TestGoldenSetsOfOtherToolsRunUnchanged(t *testing.T) {
	over := []string{"-s", "bm25", "-documents", filepath.Join(goldenSets, "docs")}
	for _, c := range []struct {
		file string
		args []string
		want []string
		errs string
	}{
		{"golden.yaml", nil, []string{"Help centre: 3 queries", "3 of 3 queries", "passed  RR@10>=0.9"}, ""},
		{"expected-ids.json", over, []string{"2 of 2 queries", "nDCG@10  1.0000"}, ""},
		{"relevant-docs.json", over, []string{"2 of 2 queries", "R@10  1.0000"}, ""},
		{"relevance-grades.json", over, []string{"2 of 2 queries", "RR@10  1.0000"}, ""},
		{"gold-set.jsonl", over, []string{"2 of 2 queries", "RR@10  1.0000"}, `"collection" of a query is unknown`},
		{"sources.jsonl", over, []string{"2 of 2 queries", "nDCG@10  1.0000"}, ""},
		{"cases.json", over, []string{"2 of 2 queries"}, `"contains" of an expected document is unknown`},
		{"expect-path.yaml", over, []string{"2 of 2 queries", "nDCG@10  1.0000"}, ""},
		{"expected-doc-id.jsonl", over, []string{"2 of 2 queries"},
			`"reset-password" is taken for "reset-password.md"`},
		{"expected.yaml", over, []string{"2 queries", "1 of 1 query"}, "1 query expects nothing yet"},
		{"ragas.jsonl", nil, []string{"results in", "2 of 2 queries", "nDCG@10  0.8155", "RR@10  0.7500"}, ""},
		{"langsmith.json", over, []string{"2 of 2 queries", "nDCG@10  1.0000"}, ""},
		{"langsmith-experiment.jsonl", nil, []string{"results in", "2 of 2 queries", "nDCG@10  0.8155", "R@10  1.0000"},
			""},
		{"promptfooconfig.yaml", over, []string{"2 of 2 queries"}, `:12: assertions of type "latency" are ignored`},
		{"promptfoo-results.json", nil, []string{"results in", "2 of 2 queries", "nDCG@10  0.6309", "RR@10  0.5000"},
			`assertions of type "latency" are ignored`},
		{"promptfoo-results.jsonl", nil, []string{"results in", "2 of 2 queries", "nDCG@10  0.6309"},
			`assertions of type "latency" are ignored`},
		{"llamaindex.json", over[:2], []string{"2 of 2 queries", "nDCG@10  1.0000"}, ""},
		{"rank-eval.json", over, []string{"2 of 2 queries", "nDCG@10  1.0000"}, ""},
		{"rank-eval.json", []string{"-results", filepath.Join(goldenSets, "rank-eval-answer.json")},
			[]string{"2 of 2 queries", "nDCG@10  0.8801", "R@10  0.7500"}, ""},
		{"quepid.csv", over, []string{"3 queries", "2 of 2 queries"}, "1 query expects nothing yet"},
		{"rre.json", over, []string{"3 queries", "2 of 2 queries"}, "1 query expects nothing yet"},
		{"rre-2020.json", over, []string{"2 of 2 queries", "nDCG@10  1.0000"}, ""},
	} {
		t.Run(c.file, func(t *testing.T) {
			code, out, errs := call("", append([]string{"check", filepath.Join(goldenSets, c.file)}, c.args...)...)
			if code != 0 || !strings.Contains(errs, c.errs) || c.errs == "" && errs != "" {
				t.Errorf("code %d: %s", code, errs)
			}
			for _, want := range c.want {
				if !strings.Contains(out, want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
		})
	}
}

// sample-queries.json asks for concepts among the first results and a lowest score, and has no judgments.
func TestSampleQueries(t *testing.T) {
	shared := os.Getenv("RANKBOX_SHARED")
	if shared == "" {
		t.Skip("RANKBOX_SHARED is not set")
	}
	name := filepath.Join(shared, "fixtures", "sample-queries.json")
	code, out, errs := call("", "check", name, "-s", "bm25", "-documents", wire)
	if code != 0 || !strings.Contains(out, "2 of 2 queries found what was expected") {
		t.Errorf("%d %s\n%s", code, errs, out)
	}
	code, out, errs = call("", "check", name, "-s", "bm25 >> cut(1)", "-documents", wire)
	if code != 1 || !strings.Contains(out, `concept "`) || !strings.Contains(errs, "condition failed") {
		t.Errorf("one result: %d %s\n%s", code, errs, out)
	}
}

// putIn writes a file of a folder and returns its name.
func putIn(t *testing.T, dir, name, text string) string {
	t.Helper()
	name = filepath.Join(dir, name)
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// demo writes a golden set of the demo collection whose results are in a file beside it, with BM25's as baseline. It
// returns the set, and BM25's results by query.
func demo(t *testing.T) (set, results string, first *collection.Run) {
	t.Helper()
	dir := t.TempDir()
	set, results = filepath.Join(dir, "demo.yaml"), filepath.Join(dir, "results.run")
	if code, _, errs := call("", "check", "-quiet", "-init", wire, "-o", set); code != 0 {
		t.Fatal(code, errs)
	}
	data, err := os.ReadFile(set)
	if err != nil {
		t.Fatal(err)
	}
	from := strings.Index(string(data), "results:")
	to := strings.Index(string(data), "queries:")
	text := "results:\n  file: results.run\nmeasures: [nDCG@10]\nrequire: measured\nbaseline: base.rankbox\n"
	putIn(t, dir, "demo.yaml", string(data[:from])+text+string(data[to:]))
	code, out, errs := call("", "search", wire, "-s", "bm25", "-k", "30")
	if code != 0 {
		t.Fatal(errs)
	}
	putIn(t, dir, "results.run", out)
	if code, _, errs := call("", "check", set, "-update"); code != 0 {
		t.Fatal(code, errs)
	}
	if first, _, err = collection.ReadRun(strings.NewReader(out), "bm25", collection.Options{}); err != nil {
		t.Fatal(err)
	}
	return set, results, first
}

// A regression of .05 nDCG@10 that is planted into the demo's results fails, and the unchanged ones pass. The power
// that the check prints agrees: what is planted is more than it says can be detected. The same loss in few queries is
// less than it says, and is called chance.
func TestCheckFindsAPlantedRegression(t *testing.T) {
	set, results, first := demo(t)
	code, out, errs := call("", "check", set)
	if code != 0 || !strings.Contains(out, "UNCHANGED  harbour-wire  nDCG@10  0.6317 -> 0.6317") {
		t.Fatalf("unchanged: %d %s\n%s", code, errs, out)
	}
	if !strings.Contains(out, "nDCG@10: a loss of ") || !strings.Contains(out, "with 44 queries: ") || !strings.Contains(out, "no query moved") {
		t.Errorf("its power is not told:\n%s", out)
	}
	qrels, err := os.ReadFile(wire + "/qrels/test.tsv")
	if err != nil {
		t.Fatal(err)
	}
	content, err := collection.Read("test.tsv", strings.NewReader(string(qrels)), collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	judged := content.Qrels
	for _, c := range []struct {
		name    string
		most    float64 // that a query loses; 1: all that it found
		code    int
		verdict string
		found   bool // more than can be detected
	}{
		{"spread over many queries", 0.12, 1, "REGRESSED", true},
		{"in few queries", 1, 0, "UNCHANGED", false},
	} {
		var run strings.Builder
		planted := plant(&run, first, judged, 0.05, c.most)
		if err := os.WriteFile(results, []byte(run.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		code, out, errs := call("", "check", set)
		if code != c.code || !strings.Contains(out, c.verdict+"  harbour-wire  nDCG@10  0.6317 -> ") {
			t.Errorf("%s: %d %s\n%s", c.name, code, errs, out)
		}
		var before, after, detectable float64
		_, at, _ := strings.Cut(out, c.verdict+"  harbour-wire  nDCG@10  ")
		if _, err := fmt.Sscanf(at, "%f -> %f", &before, &after); err != nil {
			t.Fatal(err, out)
		}
		if !strings.Contains(out, "    q") || !strings.Contains(out, "houseboat fees under By-law 42\"  1.0000 -> ") {
			t.Errorf("%s: the queries that moved are not called by their texts\n%s", c.name, out)
		}
		if math.Abs(before-after-planted) > 0.0002 || math.Abs(planted-0.05) > 0.005 {
			t.Errorf("%s: planted %v, measured %v - %v", c.name, planted, before, after)
		}
		_, at, _ = strings.Cut(out, "nDCG@10: a loss of ")
		if _, err := fmt.Sscanf(at, "%f", &detectable); err != nil {
			t.Fatal(err, out)
		}
		if (planted > detectable) != c.found {
			t.Errorf("%s: %v is planted, and %v can be detected", c.name, planted, detectable)
		}
	}
}

// plant writes a run in which queries lose nDCG@10 until its mean has lost so much: the best documents of a query move
// down one by one, as long as the query loses no more than most. All relevant ones are removed if that is 1. It returns
// the loss, by a computation of its own:
// sums of grade / log2(rank + 1), over that of the best order.
func plant(out *strings.Builder, run *collection.Run, judged *collection.Qrels, loss, most float64) float64 {
	lists := map[string][]string{}
	for i, q := range run.Queries() {
		for _, e := range run.Ranked(i, collection.DocIDDescending, nil) {
			lists[q] = append(lists[q], e.Doc)
		}
	}
	ndcg := func(q string, list []string) float64 {
		var grades []float64
		judged.Each(q, func(_ string, g float64) { grades = append(grades, g) })
		best, sum := 0.0, 0.0
		for rank := 1; rank <= 10 && len(grades) > 0; rank++ {
			at := 0
			for i, g := range grades {
				if g > grades[at] {
					at = i
				}
			}
			best += float64(grades[at]) / math.Log2(float64(rank+1))
			grades = append(grades[:at], grades[at+1:]...)
		}
		for i, d := range list[:min(10, len(list))] {
			g, _ := judged.Grade(q, d)
			sum += float64(g) / math.Log2(float64(i+2))
		}
		if best == 0 {
			return 0
		}
		return sum / best
	}
	lost, n := 0.0, float64(len(run.Queries()))
	for _, q := range run.Queries() {
		list := lists[q]
		was, gone := ndcg(q, list), 0.0
		for from := 0; from+1 < len(list) && lost+gone < loss*n; from++ {
			next := append([]string{}, list...)
			next[from], next[from+1] = next[from+1], next[from]
			if most == 1 {
				next = slices.DeleteFunc(next, func(d string) bool { g, _ := judged.Grade(q, d); return g > 0 })
			}
			if l := was - ndcg(q, next); l > gone && l <= most && lost+l < (loss+0.004)*n {
				list, gone = next, l
			}
		}
		lost += gone
		for i, d := range list {
			fmt.Fprintf(out, "%s Q0 %s %d %d planted\n", q, d, i+1, len(list)-i)
		}
	}
	return lost / n
}

// With -site the comment links to the report on a site: the link alone gives the figures of the check again. A site
// that is none is refused. Without rankings there is a verdict and no link.
func TestTheCommentLinksToTheQueries(t *testing.T) {
	set, _, _ := demo(t)
	dir := t.TempDir()
	comment, report := filepath.Join(dir, "c.md"), filepath.Join(dir, "r.json")
	code, _, errs := call("", "check", set, "-site", "https://rankbox.example/", "-comment", comment, "-save", report)
	data, err := os.ReadFile(comment)
	if code != 0 || err != nil {
		t.Fatal(code, errs, err)
	}
	_, rest, _ := strings.Cut(string(data), "](<")
	link, _, ok := strings.Cut(rest, ">)")
	if !ok || !strings.HasPrefix(link, "https://rankbox.example/compare#runs=") {
		t.Fatalf("no link:\n%s", data)
	}
	code, out, errs := call("", "verify", link)
	if code != 0 || !strings.Contains(out, "link: the figures match") {
		t.Errorf("%d %s\n%s", code, errs, out)
	}
	_, rest, _ = strings.Cut(out, "hash ")
	hash, _, _ := strings.Cut(rest, "\n")
	if code, out, _ = call("", "verify", report); code != 0 || !strings.Contains(out, hash) || hash == "" {
		t.Errorf("the hash of the link is %q, that of the report:\n%s", hash, out)
	}
	for _, site := range []string{"rankbox.example", "https://a.example/>x", "file:///x"} {
		code, _, errs := call("", "check", set, "-site", site)
		if code != 2 || !strings.Contains(errs, "address of a site") {
			t.Errorf("%s: %d %s", site, code, errs)
		}
	}
	table := filepath.Join(dir, "t.csv")
	scores := "run,query,measure,value\na,1,AP,.5\nb,1,AP,.6\na,2,AP,.1\nb,2,AP,.3\n"
	if err := os.WriteFile(table, []byte(scores), 0o666); err != nil {
		t.Fatal(err)
	}
	code, _, errs = call("", "compare", table, "-comment", comment, "-site", "https://rankbox.example")
	if data, _ := os.ReadFile(comment); code != 0 ||
		!strings.Contains(errs, "no link in the comment: it needs the runs") ||
		!strings.Contains(string(data), "### Rankbox") {
		t.Errorf("%d %s", code, errs)
	}
}

// What a query misses is said with the document, its place and its grade, in every form.
func TestCheckSaysWhy(t *testing.T) {
	dir := t.TempDir()
	putIn(t, dir, "r.jsonl", `{"query": "a", "results": [{"id": "x", "score": 0.3, "text": "Cranes"}, "y", "z"]}
{"query": "b", "results": [{"id": "y", "score": 0.9, "text": "parts"}]}
{"query": "c", "results": []}
`)
	set := putIn(t, dir, "g.yaml", `results: {file: r.jsonl}
within: 2
queries:
  - query: a
    expect: {z: 3, w: 1}
    forbid: [y]
    concepts: [crane, strike]
    min_score: 0.5
  - query: b
    expect: [y]
    concepts: [art]
  - query: c
    expect: [y]
  - query: d
    expect: [y]
    require: none
`)
	junit, comment, summary := filepath.Join(dir, "j.xml"), filepath.Join(dir, "c.md"), filepath.Join(dir, "s.md")
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	code, out, errs := call("", "check", set, "-junit", junit, "-comment", comment)
	if code != 1 || !strings.Contains(errs, "3 conditions failed") || !strings.Contains(errs,
		"no results for 1 query") {
		t.Errorf("%d %s", code, errs)
	}
	for _, want := range []string{
		"none of 2 expected documents is among the first 2 results: " +
			`document "z" (grade 3) is result 3, document "w" (grade 1)`,
		`forbidden document "y" is result 2`,
		`concept "strike" is in none of the first 2 results (the text of 1 is not known)`,
		`the first result has the score 0.3, below 0.5`,
		`FAILED  "b"  concept "art" is in none of the first 1 result`,
		`FAILED  "c"  it has no results`,
		"1 of 4 queries found what was expected", // the last expects that y is not found
		`found instead: "x", "y", "z"`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, `concept "crane"`) {
		t.Errorf("crane is in Cranes:\n%s", out)
	}
	for _, name := range []string{junit, comment, summary} {
		data, err := os.ReadFile(name)
		if err != nil || !strings.Contains(string(data), "none of 2 expected documents") ||
			!strings.Contains(string(data), "below 0.5") {
			t.Errorf("%s: %v\n%s", name, err, data)
		}
	}
	if code, out, errs := call("", "check", set, "-o", "markdown"); code != 1 || !strings.HasPrefix(out,
		"<!-- rankbox:check-g -->\n### Rankbox: failed") {
		t.Errorf("%d %s %s", code, errs, out)
	}
	if data, err := os.ReadFile(summary); err != nil || strings.Count(string(data), "### Rankbox") != 2 {
		t.Errorf("the summary is added to: %v %s", err, data)
	}
}

// Ids, queries and reasons out of somebody's files stay text in the terminal, in XML and in Markdown.
func TestCheckOfHostileText(t *testing.T) {
	dir := t.TempDir()
	evil := "q\x1b[2J\u202e\n# head <img src=x> | `y` ]]>"
	quoted, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	line := `{"query": ` + string(quoted) + `, "results": ["<b>\u001b[31m"`
	putIn(t, dir, "r.jsonl", line+"]}")
	set := putIn(t, dir, "g.yaml", "results: {file: r.jsonl}\nname: "+string(quoted)+"\nqueries:\n  - query: "+
		string(quoted)+"\n    expect: ["+string(quoted)+"]\n    forbid: [\"<b>\\e[31m\"]\n")
	junit, comment := filepath.Join(dir, "j.xml"), filepath.Join(dir, "c.md")
	code, _, first := call("", "check", set, "-junit", junit, "-comment", comment)
	if code != 3 || !strings.Contains(first, "no query finds any document that it expects") {
		t.Errorf("ids of two kinds: %d %s", code, first)
	}
	putIn(t, dir, "r.jsonl", line+", "+string(quoted)+"]}")
	code, out, errs := call("", "check", set, "-junit", junit, "-comment", comment)
	if code != 1 || !strings.Contains(out, "forbidden document") {
		t.Fatalf("%d %s\n%s", code, errs, out)
	}
	if data, err := os.ReadFile(junit); err != nil || xml.Unmarshal(data, new(struct{})) != nil {
		t.Errorf("%v %s", err, data)
	} else {
		out += string(data)
	}
	data, err := os.ReadFile(comment)
	if err != nil || strings.Contains(string(data), "<img") || strings.Contains(string(data), "<b>") {
		t.Errorf("%v %s", err, data)
	}
	for _, bad := range []string{"\x1b", "\u202e", "\n# head", evil} {
		if strings.Contains(first+out+errs+string(data), bad) {
			t.Errorf("%q is written:\n%s%s%s", bad, out, errs, data)
		}
	}
}

// Results come from a command, a server, a run and lines of JSON, and are the same.
func TestCheckOfEverySource(t *testing.T) {
	dir := t.TempDir()
	queries := "queries:\n  - {query: \"a & b\", id: q1, expect: [x], min_score: 2}\n"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := make([]byte, 1000)
		n, _ := r.Body.Read(body)
		asked := r.URL.Query().Get("q") + string(body[:n])
		if !strings.Contains(asked, "a & b") || r.Header.Get("X-Key") != "secret" || r.URL.Query().Get("k") != "10" {
			http.Error(w, "asked for "+asked, http.StatusBadRequest)
			return
		}
		fmt.Fprint(w,
			`{"hits": {"hits": [{"_id": "x", "_score": 2.5, "_source": {"text": "t"}}, {"_id": "y", "_score": 1}]}}`)
	}))
	defer server.Close()
	t.Setenv("CHECK_KEY", "secret")
	putIn(t, dir, "a.run", "q1 Q0 x 1 2.5 r\nq1 Q0 y 2 1 r\n")
	putIn(t, dir, "a.jsonl", `{"query_id": "q1", "retrieved_ids": [{"id": "x", "score": 2.5}, "y"]}`)
	putIn(t, dir, "a.json", `{"q1": {"x": 2.5, "y": 1.0}}`)
	header := "?q={query}&k={top}\"\n  headers: {X-Key: \"${CHECK_KEY}\"}\n"
	sources := map[string]string{
		"url": "results:\n  url: \"" + server.URL + header,
		"body": "results:\n  url: \"" + server.URL +
			"?k={top}\"\n  headers: {X-Key: \"${CHECK_KEY}\"}\n  body: '{\"q\": \"{query}\"}'\n",
		"paths": "results:\n  url: \"" + server.URL + header +
			"  list: hits.hits\n  id: _id\n  score: _score\n  text: _source.text\n",
		"run":   "results: {file: a.run}\n",
		"jsonl": "results: {file: a.jsonl}\n",
		"json":  "results: {file: a.json}\n",
	}
	if runtime.GOOS != "windows" {
		putIn(t, dir, "s.sh", "test \"$1\" = 'a & b' && test \"$(cat)\" = 'a & b' && printf 'x\\t2.5\\ny\\t1\\n'\n")
		sources["command"] = "results:\n  command: [sh, s.sh, \"{query}\"]\n"
		sources["words"] = "results:\n  command: \"sh s.sh '{query}'\"\n"
	}
	for name, source := range sources {
		set := putIn(t, dir, "g.yaml", source+"measures: RR@10\n"+queries)
		code, out, errs := call("", "check", set)
		if code != 0 || errs != "" || !strings.Contains(out, "RR@10  1.0000") || strings.Contains(out, "Such a") {
			t.Errorf("%s: %d %s\n%s", name, code, errs, out)
		}
	}
	for _, c := range []struct{ name, source, want string }{
		{"a server that refuses", "results: {url: \"" + server.URL + "?q={query}\"}\n",
			`query "a & b": the server answers 400`},
		{"no variable", "results: {url: \"" + server.URL + "\", headers: {A: \"${CHECK_NONE}\"}}\n",
			"the environment variable CHECK_NONE is not set"},
		{"no address", "results: {url: \"ftp://x/{query}\"}\n", "want http:// or https://"},
		{"no program", "results: {command: [./none]}\n", `query "a & b": ./none: `},
		{"a program that fails", "results: {command: [sh, -c, \"echo broken >&2; exit 4\"]}\n",
			"exit status 4: broken"},
		{"a program that hangs", "results: {command: [sleep, \"20\"], timeout: 100ms}\n",
			"no answer within 100ms"},
		{"no list", "results: {command: [echo, '{\"a\": 1}']}\n", "holds no list of results"},
		{"no file", "results: {file: none.run}\n", "none.run"},
		{"other queries", "results: {file: b.run}\n", `its query ids look like "zz"`},
	} {
		putIn(t, dir, "b.run", "zz Q0 y 2 1 r\n")
		set := putIn(t, dir, "g.yaml", c.source+queries)
		if code, out, errs := call("", "check", set); code != 3 || !strings.Contains(errs, c.want) {
			t.Errorf("%s: %d %s\n%s", c.name, code, errs, out)
		}
	}
}

// What a golden set says wrongly is refused with its line and, where it can be guessed, what was meant.
func TestCheckRefusesWhatItDoesNotKnow(t *testing.T) {
	dir := t.TempDir()
	const query = "queries:\n  - query: a\n    expect: [x]\n"
	for _, c := range []struct {
		name, text string
		code       int
		want       string
	}{
		{"a key", "results: {file: a}\nmeasure: [AP]\n" + query, 3,
			`g.yaml: line 2: the golden set has no key "measure"; did you mean measures?`},
		{"a key of a query", "results: {file: a}\nqueries:\n  - query: a\n    expct: [x]\n", 3,
			`line 4: a query has no key "expct"; did you mean expect?`},
		{"a key of results", "results: {pipline: bm25}\n" + query, 3, "did you mean pipeline?"},
		{"a key twice", "name: a\nname: b\nresults: {file: a}\n" + query, 3,
			`line 2: the golden set has the key "name" twice`},
		{"two sources", "results: {file: a, url: b}\n" + query, 3, "not from url and file"},
		{"no documents", "results: {pipeline: bm25}\n" + query, 3, "name the folder or file of documents"},
		{"a stage", "results: {pipeline: bm52, documents: d}\n" + query, 3, "line 1: "},
		{"a measure", "results: {file: a}\nmeasures: [nDGC@10]\n" + query, 3, "line 2: "},
		{"a gate", "results: {file: a}\ngates: [\"RR>=2\"]\n" + query, 3, "line 2: "},
		{"a grade", "results: {file: a}\nqueries:\n  - query: a\n    expect: {x: high}\n", 3,
			`line 4: the grade of document "x" is not a number`},
		{"a query twice", "results: {file: a}\nqueries: [{query: a, expect: [x]}, {query: a}]\n", 3,
			`query "a" is that of line 2 again`},
		{"both", "results: {file: a}\nqueries: [{query: a, expect: [x], forbid: [x]}]\n", 3,
			`document "x" is expected and forbidden`},
		{"no queries", "results: {file: a}\nqueries: []\n", 3, "holds no queries"},
		{"no source", query, 2, "does not say where results come from"},
		{"no YAML", "queries: [\n", 3, "g.yaml: line"},
		{"two documents", query + "---\na: b\n", 3, "more than one YAML document"},
		{"something else", "services: {web: {image: x}}\n", 3, "neither a golden set"},
		{"a text", "hello\n", 3, "it is a text"},
		{"nothing expected", "tests:\n  - vars: {query: a}\n    assert: [{type: latency}]\n", 3,
			"no query has an expectation"},
		{"too few results", "results: {file: a}\ntop: 5\n" + query, 3, "nDCG@10 needs 10 documents"},
		{"a deep cut", "results: {file: a}\ntop: 20\nwithin: 30\n" + query, 3, "within is 30"},
		{"an alias of itself", "results: &a {file: *a}\n" + query, 3, "g.yaml"},
	} {
		set := putIn(t, dir, "g.yaml", c.text)
		if code, out, errs := call("", "check", set); code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%s: %d %s\n%s", c.name, code, errs, out)
		}
	}
	set := putIn(t, dir, "g.yaml", "results: {file: a.jsonl}\nbaseline: base.rankbox\n"+query)
	putIn(t, dir, "a.jsonl", `{"query": "a", "results": ["x"]}`)
	if code, _, errs := call("", "check", set); code != 3 || !strings.Contains(errs, "create it with -update") {
		t.Errorf("no baseline: %d %s", code, errs)
	}
	if code, _, errs := call("", "check", set, "-update"); code != 0 {
		t.Errorf("made: %d %s", code, errs)
	}
	if code, out, errs := call("", "check", set, "-gate", "RR@10>=-5%"); code != 0 || !strings.Contains(out,
		"against snapshot") {
		t.Errorf("held: %d %s\n%s", code, errs, out)
	}
}

// Queries and judgments may be files of their own, in any form, or those of the documents.
func TestCheckOfFilesBeside(t *testing.T) {
	root, err := filepath.Abs(wire)
	if err != nil {
		t.Fatal(err)
	}
	sets, err := filepath.Abs(goldenSets)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	results := "results: {pipeline: bm25, documents: '" + root + "'}\nrequire: none\nmeasures: nDCG@10\n"
	for _, c := range []struct {
		name, text string
		code       int
		want       string
	}{
		{"of the documents", results, 0, "44 queries"},
		{"queries and judgments", results + "queries: '" + root + "/queries.jsonl'\njudgments: '" + root +
			"/qrels/test.tsv'\n", 0,
			"nDCG@10  0.6317"},
		{"queries alone", results + "queries: '" + root + "/queries.jsonl'\n", 3, "no query has an expectation"},
		{"no queries", results + "queries: none.jsonl\n", 3, "none.jsonl"},
		{"another tool's", "results: {pipeline: bm25, documents: '" + sets + "/docs'}\nqueries: '" + sets +
			"/expected-ids.json'\n", 0, "2 of 2 queries"},
	} {
		set := putIn(t, dir, "g.yaml", c.text)
		code, out, errs := call("", "check", set)
		if code != c.code || !strings.Contains(out+errs, c.want) {
			t.Errorf("%s: %d %s\n%s", c.name, code, errs, out)
		}
	}
}

// An id that the documents do not have is said, with the one that was perhaps meant.
func TestCheckKnowsTheDocuments(t *testing.T) {
	docs, err := filepath.Abs(filepath.Join(goldenSets, "docs"))
	if err != nil {
		t.Fatal(err)
	}
	set := putIn(t, t.TempDir(), "g.yaml", "results: {pipeline: bm25, documents: '"+docs+"'}\nqueries:\n"+
		"  - {query: refunds, expect: [refund.md]}\n  - {query: delivery, expect: [delivery.md]}\n")
	code, out, errs := call("", "check", set)
	if code != 1 || !strings.Contains(out,
		`document "refund.md" (grade 1) does not exist; did you mean "refunds.md"?`) {
		t.Errorf("%d %s\n%s", code, errs, out)
	}
}

// A golden set is written from judged queries, from documents and from a log, and is read again.
func TestCheckInit(t *testing.T) {
	dir := t.TempDir()
	log := putIn(t, dir, "log.txt", "Refunds\nyes\nrefunds\n\n\"quoted\": [x]\n# 1\nRefunds \n")
	docs := filepath.Join(goldenSets, "docs")
	for _, c := range []struct {
		name  string
		args  []string
		check []string
		want  []string
		first string
	}{
		{"judged", []string{wire}, nil, []string{"44 queries", "nDCG@10  0.6317", "passed  nDCG@10>=0.5",
			"UNCHANGED  harbour-wire  nDCG@10"}, "houseboat fees under By-law 42"},
		{"some", []string{wire, "-n", "5"}, nil, []string{"5 queries", "UNCHANGED"},
			"houseboat fees under By-law 42"},
		{"titles", []string{docs, "-n", "3"}, nil, []string{"3 queries", "3 of 3 queries"},
			"Change your e-mail address"},
		{"log", []string{log, "-log", "-n", "3"}, []string{"-s", "bm25", "-documents", docs}, []string{"3 queries"},
			"Refunds"},
	} {
		set := filepath.Join(dir, c.name+".yaml")
		code, _, errs := call("", append([]string{"check", "-o", set, "-init"}, c.args...)...)
		if code != 0 || !strings.Contains(errs, "rankbox check "+set) {
			t.Fatalf("%s: %d %s", c.name, code, errs)
		}
		data, err := os.ReadFile(set)
		if err != nil {
			t.Fatal(err)
		}
		n, err := parseNode(set, data)
		if err != nil {
			t.Fatal(err)
		}
		read, err := golden.Read(set, n)
		if err != nil || read.Queries[0].Text != c.first {
			t.Fatalf("%s: %v\n%s", c.name, err, data)
		}
		code, out, errs := call("", append([]string{"check", set}, c.check...)...)
		if code != 0 {
			t.Errorf("%s: %d %s", c.name, code, errs)
		}
		for _, want := range c.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, out)
			}
		}
		if code, _, errs := call("", append([]string{"check", "-o", set, "-init"}, c.args...)...); code != 2 {
			t.Errorf("%s: written over: %d %s", c.name, code, errs)
		}
	}
	code, out, errs := call("", "check", "-init", log, "-log")
	if code != 0 || !strings.Contains(out, `"yes"`) || strings.Count(out, "- query:") != 4 {
		t.Errorf("%d %s\n%s", code, errs, out)
	}
}

// Whatever stands in a golden set: it is refused with its file, or a set that can be checked, written and read again.
func FuzzGoldenSet(f *testing.F) {
	files, err := filepath.Glob(filepath.Join(goldenSets, "*.*"))
	if err != nil || len(files) < 12 {
		f.Fatal(files, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, s := range []string{"a: &a [*a]", "&a {? *a : b}", "queries: [a, b]", "<<: {a: b}", "- !!binary x",
		"\"\\U0001F600\": 1",
		"{\"queries\": [\"\\ud800\"]}", "query\n,", "a: |\n  b\n--- c", "results: {url: x}\nqueries: {a: b}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		n, err := parseNode("x", data)
		if err == nil {
			var s *golden.Set
			if s, err = golden.Read("x", n); err == nil {
				rewritten(t, s)
			}
		}
		if _, ok := err.(*collection.ParseError); err != nil && !ok {
			t.Errorf("%v names no file", err)
		}
	})
}

// rewritten writes a set and reads it again: the queries and what they expect are the same.
func rewritten(t *testing.T, s *golden.Set) {
	t.Helper()
	if len(s.Queries) == 0 {
		return
	}
	found := &golden.Found{Answers: map[string]golden.Answer{}}
	if _, err := s.Expectations(found); err != nil {
		t.Fatal(err)
	}
	s.Qrels()
	var out strings.Builder
	if err := golden.Write(&out, s); err != nil {
		t.Fatal(err)
	}
	n, err := parseYAML("y", []byte(out.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for i, x := range n.Get("queries").Items {
		q := s.Queries[i]
		if text := strings.ToValidUTF8(q.Text, "\ufffd"); x.Get("query").Text != text {
			t.Errorf("query %q is written as %q", text, x.Get("query").Text)
		}
	}
}

// A key may stand in an address. Errors show its names, and no value.
func TestErrorsMaskKeysOfAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"https://x.example/s?q=a&key=S3CRET":     "https://x.example/s?q=…&key=…",
		"https://u:S3CRET@x.example/s":           "https://…@x.example/s",
		"https://x.example/s?S3CRET":             "https://x.example/s?…",
		"https://x.example/s":                    "https://x.example/s",
		"https://x.example/a?next=http://b@c/?d": "https://x.example/a?next=…",
	} {
		if got := masked(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
	// nobody listens on port 1
	set := file(t, "set.yaml", "results: {url: \"http://127.0.0.1:1/s?key=S3CRET&q={query}\"}\n"+
		"queries: [{query: port, expect: [d1]}]\n")
	code, out, errs := call("", "check", set)
	if code == 0 || strings.Contains(out+errs, "S3CRET") || !strings.Contains(out+errs, "key=…") {
		t.Errorf("%d %s %s", code, out, errs)
	}
}

// A redirect from https to http would carry the headers, and a key in them, in the clear.
func TestHeadersAreNotSentFromHTTPSToHTTP(t *testing.T) {
	for _, x := range []struct {
		from, to string
		follows  bool
	}{{"https://x/a", "http://x/b", false}, {"https://x/a", "https://x/b", true}, {"http://x/a", "https://x/b", true},
		{"http://x/a", "http://x/b", true}, {"http://x/a", "http://y/b", false}} {
		from, to := httptest.NewRequest("GET", x.from, nil), httptest.NewRequest("GET", x.to, nil)
		if err := asker.CheckRedirect(to, []*http.Request{from}); (err == nil) != x.follows {
			t.Errorf("%s to %s: %v", x.from, x.to, err)
		}
	}
}
