package main

import (
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
)

// call runs the command line and returns its exit code and what it printed.
func call(in string, args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = run(&context{in: strings.NewReader(in), out: &o, err: &e}, args)
	return code, o.String(), e.String()
}

const (
	qrelsFile = "testdata/qrels.txt"
	runFile   = "testdata/a.run"
)

// Hand computation. q1 (grades 1, 0, 2 in rank order; ideal 2, 1): nDCG = (1 + 2/log2 4)/(2 + 1/log2 3) = 2/2.63093 =
// 0.76019; AP = (1/1 + 2/3)/2 = 0.83333; RR = 1. q2 (unjudged, 1): nDCG = 1/log2 3 = 0.63093; AP = RR = 0.5. q3 is
// missing: 0. Means over three queries: nDCG 0.46371, AP 0.44444, RR 0.5. ir_measures 0.4.3 prints the same four
// places.
func TestEval(t *testing.T) {
	cases := []struct {
		name string
		args []string
		in   string
		want string
	}{
		{"summary", []string{qrelsFile, runFile, "nDCG@10", "AP", "RR"}, "",
			"nDCG@10\t0.4637\nAP\t0.4444\nRR\t0.5000\n"},
		{"by query", []string{"-q", qrelsFile, runFile, "RR"}, "",
			"q1\tRR\t1.0000\nq2\tRR\t0.5000\nq3\tRR\t0.0000\nall\tRR\t0.5000\n"},
		{"flags after words, no summary, places", []string{qrelsFile, runFile, "AP", "-q", "-n", "-p", "6"}, "",
			"q1\tAP\t0.833333\nq2\tAP\t0.500000\nq3\tAP\t0.000000\n"},
		{"json", []string{"-o", "json", "-q", qrelsFile, runFile, "RR"}, "",
			`{"measures":{"RR":0.5},"queries":{"q1":{"RR":1},"q2":{"RR":0.5},"q3":{"RR":0}},"warnings":[` +
				`"testdata/a.run: judged query \"q3\" is not in the run",` +
				`"testdata/a.run: query \"q9\" of the run has no judgments"]}` + "\n"},
		{"missing queries left out", []string{"-policy", "missing=skip", qrelsFile, runFile, "RR"}, "", "RR\t0.7500\n"},
		{"run from standard input", []string{qrelsFile, "-", "RR"}, "q1 Q0 b 1 2 s\nq1 Q0 a 2 1 s\n", "RR\t0.1667\n"},
		{"trec_eval", []string{"-o", "trec_eval", "-c", qrelsFile, runFile, "map", "recip_rank"}, "",
			"map                   \tall\t0.4444\nrecip_rank            \tall\t0.5000\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			code, out, errs := call(c.in, append([]string{"eval", "-quiet"}, c.args...)...)
			if code != 0 || out != c.want {
				t.Errorf("code %d\n got %q\nwant %q\n%s", code, out, c.want, errs)
			}
		})
	}
}

func TestGzipIsReadAsItIs(t *testing.T) {
	raw, err := os.ReadFile(runFile)
	if err != nil {
		t.Fatal(err)
	}
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := w.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	code, out, errs := call(z.String(), "eval", "-quiet", qrelsFile, "-", "RR")
	if code != 0 || out != "RR\t0.5000\n" {
		t.Errorf("code %d, %q, %s", code, out, errs)
	}
}

func TestExitCodesAndErrors(t *testing.T) {
	cases := []struct {
		name string
		in   string
		args []string
		code int
		errs string
	}{
		{"nothing", "", nil, 2, ""},
		{"unknown command", "", []string{"evil"}, 2, "unknown command"},
		{"unknown flag", "", []string{"eval", "-z", qrelsFile, runFile, "AP"}, 2, "usage: rankbox eval"},
		{"no measure", "", []string{"eval", qrelsFile, runFile}, 2, "at least one measure"},
		{"a list of none", "", []string{"eval", qrelsFile, runFile, " , "}, 2, "at least one measure"},
		{"unknown measure", "", []string{"eval", qrelsFile, runFile, "nDGC@10"}, 2, "nDCG"},
		{"two from standard input", "", []string{"eval", "-", "-", "AP"}, 2, "only one"},
		{"unknown policy", "", []string{"eval", "-policy", "ties=best", qrelsFile, runFile, "AP"}, 2, "ties"},
		{"no such file", "", []string{"eval", "testdata/none", runFile, "AP"}, 3, "testdata/none"},
		{"bad line", "q1 Q0 a 1 x s\n", []string{"eval", qrelsFile, "-", "AP"}, 3, "standard input: line 1"},
		{"NaN", "q1 Q0 a 1 1 s\nq1 Q0 b 2 nan s\n", []string{"eval", qrelsFile, "-", "AP"}, 3,
			"standard input: line 2"},
		{"no pipeline", "", []string{"search", "testdata"}, 2, "pipeline"},
		{"bad pipeline", "", []string{"search", "testdata", "-s", "bm52"}, 2, "bm25"},
		{"no collection", "", []string{"search", "testdata/none", "-s", "bm25"}, 3, "testdata/none"},
		{"not a collection", "", []string{"search", t.TempDir(), "-s", "bm25"}, 3, "holds no documents"},
		{"no vectors", "", []string{"search", writeBEIR(t), "-s", "dense"}, 3, "no vectors"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			code, _, errs := call(c.in, c.args...)
			if code != c.code || !strings.Contains(errs, c.errs) {
				t.Errorf("code %d, want %d; %s", code, c.code, errs)
			}
		})
	}
}

// writeBEIR writes a small collection and returns its folder.
func writeBEIR(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"corpus.jsonl": `{"_id":"d1","title":"Ferry","text":"ferry strike"}` + "\n" +
			`{"_id":"d2","title":"Other","text":"nothing of it"}` + "\n" +
			`{"_id":"d3","title":"","text":"ferry strike ferry"}` + "\n",
		"queries.jsonl":  `{"_id":"1","text":"ferry strike"}` + "\n" + `{"_id":"2","text":"nothing"}` + "\n",
		"qrels/test.tsv": "query-id\tcorpus-id\tscore\n1\td1\t1\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSearchWritesARunOfTheJudgedQueries(t *testing.T) {
	code, out, errs := call("", "search", writeBEIR(t), "-s", "bm25", "-k", "5", "-t", "mine")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || len(lines) != 2 || !strings.HasPrefix(lines[0], "1 Q0 d") || !strings.HasSuffix(lines[1], " mine") {
		t.Errorf("code %d\n%s%s", code, out, errs)
	}
}

// What a run says about itself is read back as it was written, and changes no entry.
func TestSearchSaysHowARunWasMade(t *testing.T) {
	dir := writeBEIR(t)
	_, plain, _ := call("", "search", "-quiet", dir, "-s", "bm25(k1=1.2)", "-k", "5")
	code, out, errs := call("", "search", "-quiet", dir, "-s", "bm25(k1=1.2)", "-k", "5", "-metadata")
	head, ok := strings.CutSuffix(out, plain)
	if code != 0 || !ok || !strings.HasPrefix(head, "# ir_metadata.start\n# schema-version: ") ||
		!strings.HasSuffix(head, "# ir_metadata.end\n") {
		t.Fatalf("code %d\n%s%s", code, out, errs)
	}
	r, _, err := collection.ReadRun(strings.NewReader(out), "run", collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m := r.Metadata
	for _, x := range []struct{ want, path string }{
		{"bm25(k1=1.2)", "tag"}, {"true", "method/automatic"}, {"lucene-english", "method/indexing/analyzer"},
		{"bm25(k1=1.2)", "method/retrieval/0/name"}, {"5", "method/retrieval/0/depth"},
		{`rankbox search -s "bm25(k1=1.2)" -k 5`, "implementation/executable/cmd"},
	} {
		if got := m.Get(strings.Split(x.path, "/")...); got != x.want {
			t.Errorf("%s is %q, want %q", x.path, got, x.want)
		}
	}
	if h := m.Get("data", "test collection", "hash"); len(h) != 64 || m.Get("data", "test collection", "name") == "" {
		t.Errorf("%q of %q", h, m.Get("data", "test collection", "name"))
	}
	if code, _, errs := call("", "search", dir, "-s", "bm25", "-metadata", "-f", "json"); code != 2 ||
		!strings.Contains(errs, "-metadata") {
		t.Errorf("code %d %s", code, errs)
	}
}

// Oracle: Lucene 9.12.3 on Harbour Wire, BM25 k1 = 0.9, b = 0.4, title and text, with pytrec_eval-terrier 0.5.11
// (scripts/oracle/harbour).
func TestHarbourWireEqualsLucene(t *testing.T) {
	dir := filepath.Join("..", "..", "site", "collections", "harbour-wire")
	code, ranking, errs := call("", "search", "-quiet", dir, "-s", "bm25", "-k", "1000")
	if code != 0 {
		t.Fatal(errs)
	}
	_, out, _ := call(ranking, "eval", "-quiet", filepath.Join(dir, "qrels/test.tsv"), "-", "nDCG@10", "R@50")
	if want := "nDCG@10\t0.6317\nR@50\t0.8101\n"; out != want {
		t.Errorf("got\n%swant\n%s", out, want)
	}
}

// Oracle: Anserini 1.7.1 on SciFact, BM25 k1 = 0.9, b = 0.4, title and text, 1,000 hits: nDCG@10 0.6789, R@100 0.9253.
func TestSciFactEqualsAnserini(t *testing.T) {
	dir := reference(t, "data/scifact")
	code, ranking, errs := call("", "search", "-quiet", dir, "-s", "bm25", "-k", "1000")
	if code != 0 {
		t.Fatal(errs)
	}
	_, out, _ := call(ranking, "eval", "-quiet", filepath.Join(dir, "qrels/test.tsv"), "-", "nDCG@10", "R@100",
		"R@1000")
	if want := "nDCG@10\t0.6789\nR@100\t0.9253\nR@1000\t0.9767\n"; out != want {
		t.Errorf("got\n%swant\n%s", out, want)
	}
}

// Oracle: trec_eval 10's own test files, every printed digit.
func TestTrecEvalsOwnFiles(t *testing.T) {
	for want, args := range map[string][]string{ // as trec_eval's own makefile calls it
		"out.test":     {},
		"out.test.a":   {"all_trec"},
		"out.test.aq":  {"-q", "all_trec"},
		"out.test.aqc": {"-q", "-c", "all_trec"},
		"out.test.aql": {"-q", "-l", "2", "all_trec", "relstring.20"},
	} {
		text, err := os.ReadFile(reference(t, "oracle/trec_eval/"+want))
		if err != nil {
			t.Fatal(err)
		}
		qrels := "qrels.test"
		if want == "out.test.aql" {
			qrels = "qrels.rel_level"
		}
		ranking := "results.test"
		if want == "out.test.aqc" {
			ranking = "results.trunc"
		}
		code, out, errs := call("",
			append([]string{"eval", "-quiet", "-o", "trec_eval", reference(t, "oracle/trec_eval/"+qrels),
				reference(t, "oracle/trec_eval/"+ranking)}, args...)...)
		if code != 0 || out != string(text) {
			t.Errorf("%s: code %d, %d of %d bytes, first difference %s\n%s", want, code, len(out), len(text),
				difference(out, string(text)), errs)
		}
	}
}

func difference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return x[i] + " | " + y[i]
		}
	}
	return "at the end"
}

func TestTheProgramRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the program")
	}
	path := filepath.Join(t.TempDir(), "rankbox")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(path, "eval", "-quiet", qrelsFile, runFile, "RR").CombinedOutput()
	if err != nil || string(out) != "RR\t0.5000\n" {
		t.Errorf("%q, %v", out, err)
	}
}

// reference returns a file of the reference data, or of what is distilled of it; what needs the whole of SciFact or
// Cranfield skips: see CONTRIBUTING.
func reference(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("RANKBOX_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	path := filepath.Join(root, filepath.FromSlash(name))
	if _, err := os.Stat(path); err == nil {
		return path
	}
	for _, whole := range []string{"cranfield", "scifact"} {
		if strings.Contains(name, whole) {
			t.Skipf("the whole of %s is absent: %s is not in RANKBOX_SHARED", whole, name)
		}
	}
	packed := filepath.Join("..", "..", "core", "internal", "shared", "testdata", filepath.FromSlash(name))
	text, err := os.ReadFile(packed + ".bz2")
	r := io.Reader(bzip2.NewReader(bytes.NewReader(text)))
	if err != nil {
		if text, err = os.ReadFile(packed + ".gz"); err != nil {
			t.Fatalf("%s is neither in RANKBOX_SHARED nor distilled", name)
		}
		if r, err = gzip.NewReader(bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	if text, err = io.ReadAll(r); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	path = filepath.Join(t.TempDir(), filepath.Base(name))
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
