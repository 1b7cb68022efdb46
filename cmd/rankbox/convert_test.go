package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// file writes a file of the test and returns its path.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// A corpus without titles is one all the same where documents are asked for, and path or file_name of its metadata name
// a document that has no URI.
func TestConvertCorpusWithoutTitles(t *testing.T) {
	benchmark := `{"schema_version":"1.0","metadata":{},"queries":[{"query_key":"q","query_text":"t","relevant_docs":[
{"doc_ref":{"document_id":"a"},"relevance_grade":3},{"doc_ref":{"path":"x/b.txt"},"relevance_grade":2},{"doc_ref":{"file_name":"c.txt"},"relevance_grade":1},
{"doc_ref":{"file_name":"b.txt"},"relevance_grade":1}]}]}`
	corpus := file(t, "corpus.jsonl", `{"_id":"a","text":"x"}
{"_id":"b","text":"y","metadata":{"path":"x/b.txt","file_name":"b.txt"}}
{"_id":"c","text":"z","metadata":{"file_name":"c.txt"}}
`)
	code, out, errs := call(benchmark, "convert", "-", "-corpus", corpus)
	if code != 0 || out != "q 0 a 3\nq 0 b 2\nq 0 c 1\n" || strings.Contains(errs, "PARTIAL") {
		t.Errorf("code %d, %s, %q", code, errs, out)
	}
}

// Behind -- a file name may begin with a dash, with flags before it and without.
func TestDashes(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("-2+3.run", []byte("q1 Q0 b 1 2.5 t\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"convert", "--", "-2+3.run"}, {"convert", "-o", "trec", "--", "-2+3.run"}} {
		if code, out, errs := call("", args...); code != 0 || out != "q1 Q0 b 1 2.5 t\n" {
			t.Errorf("%q: code %d, %s, %q", args, code, errs, out)
		}
	}
}

// Judgments written as one of the JSON shapes are read again as they were, with what is known of their queries.
func TestConvertShapes(t *testing.T) {
	qrels, queries := "q1 0 b 1\nq1 0 a 0\nq2 0 c 2\n", file(t, "q.tsv", "q1\twhat is it\n")
	for _, format := range []string{"benchmark", "dataset", "judged"} {
		code, out, errs := call(qrels, "convert", "-", "-o", format, "-queries", queries)
		if code != 0 || errs != "" || !strings.Contains(out, `"what is it"`) {
			t.Errorf("%s: code %d, %s, %s", format, code, errs, out)
		}
		more := []string{"convert", "-"}
		if format == "benchmark" { // names documents by reference
			more = append(more, "-corpus", file(t, "corpus.jsonl", `{"_id":"a","title":"","text":"x"}
{"_id":"b","title":"","text":"y"}
{"_id":"c","title":"","text":"z"}
`))
		}
		if code, back, errs := call(out, more...); code != 0 || back != qrels {
			t.Errorf("%s: code %d, %s, %q", format, code, errs, back)
		}
		if code, again, errs := call(out, append(more, "-o", format)...); code != 0 || again != out &&
			format != "dataset" {
			t.Errorf("%s again: code %d, %s, %q, want %q", format, code, errs, again, out)
		}
	}
	for in, want := range map[string]int{"q1 0 b 4\n": 3, "q1 Q0 b 1 1 t\n": 2, "1 1 a 1\n1 2 a 0\n": 2} {
		if code, _, errs := call(in, "convert", "-", "-o", "benchmark"); code != want {
			t.Errorf("%q: code %d, want %d: %s", in, code, want, errs)
		}
	}
	// a benchmark whose documents are not at hand is written with its references
	bare := `{"schema_version": "1.0", "metadata": {}, "queries": [
{"query_key": "q", "query_text": "t", "relevant_docs": [
  {"doc_ref": {"uri": "http://x/1"}, "relevance_grade": 3}]}
]}
`
	if code, out, errs := call(bare, "convert", "-", "-o", "benchmark"); code != 0 || out != bare {
		t.Errorf("code %d, %s, %q", code, errs, out)
	}
}

// A file converted to every form and back is the file; what is odd is said, and settled where there is one way only.
func TestConvert(t *testing.T) {
	run := "q1 Q0 b 1 2.5 t\nq1 Q0 a 2 0.5 t\nq2 Q0 c 1 -3 t\n"
	qrels := "q1 0 b 1\nq1 0 a 0\nq2 0 c 2\n"
	for _, text := range []string{run, qrels} {
		for _, format := range []string{"trec", "json", "csv", "tsv"} {
			code, out, errs := call(text, "convert", "-", "-o", format)
			if format == "tsv" && text == run {
				if code != 2 {
					t.Errorf("a run as tsv: code %d", code)
				}
				continue
			}
			if code != 0 || errs != "" {
				t.Errorf("%s: code %d, %s", format, code, errs)
			}
			code, back, errs := call(out, "convert", "-")
			if want := strings.ReplaceAll(text, " t\n", " rankbox\n"); code != 0 || errs != "" || back != text &&
				back != want {
				t.Errorf("%s: code %d, %s, %q", format, code, errs, back)
			}
		}
	}
	header := "{'descr': '|i1', 'fortran_order': False, 'shape': (1, 2), }"
	vectors := "\x93NUMPY\x01\x00\x76\x00" + header + strings.Repeat(" ", 117-len(header)) + "\n\x05\xfb"
	cases := []struct {
		name, in string
		args     []string
		code     int
		out, err string
	}{
		{"unsorted, twice, without Q0", "q1 a 1 1 t\nq1 b 2 2 t\nq1 b 3 2 t\n", nil, 0,
			"q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\n", "standard input:3: document \"b\" is there again"},
		{"linted", "q1 Q0 a 1 1 t\nq1 Q0 b 2 2 t\n", []string{"-lint"}, 1, "",
			"standard input:2: rank and score contradict"},
		{"linted and clean", run, []string{"-lint"}, 0, "", ""},
		{"integers as a run", `{"q1": {"a": 2, "b": 3}}`, []string{"-as", "run", "-quiet"}, 0,
			"q1 Q0 b 1 3 rankbox\nq1 Q0 a 2 2 rankbox\n", ""},
		{"integers as qrels", `{"q1": {"a": 2, "b": 3}}`, nil, 0, "q1 0 a 2\nq1 0 b 3\n", ""},
		{"BEIR's names with commas as qrels", "query_id,doc_id,score\nq1,a,1\n", []string{"-as", "qrels"}, 0,
			"q1 0 a 1\n", ""},
		{"chunks by separator", "q1 Q0 a#2 1 3 t\nq1 Q0 b#1 2 2 t\nq1 Q0 a#1 3 1 t\n", []string{"-chunks", "#"}, 0,
			"q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\n", ""},
		{"chunks by map", "q1 Q0 x 1 3 t\nq1 Q0 y 2 2 t\nq1 Q0 z 3 1 t\n",
			[]string{"-map", file(t, "map.csv", "chunk_id,doc_id\nx,a\ny,b\n")}, 0,
			"q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 z 3 1 t\n", "\"z\", which is unchanged"},
		{"subtopics", "1 1 a 1\n1 2 a 0\n1 2 b 1\n", nil, 0, "1 1 a 1\n1 2 a 0\n1 2 b 1\n", ""},
		{"subtopics as JSON", "1 1 a 1\n1 2 a 0\n", []string{"-o", "json"}, 2, "", "subtopics"},
		{"figures", "nDCG@10\t0.5\nAP\t0.4\n", nil, 3, "", "output of an evaluation"},
		{"a map of chunks", "chunk_id,doc_id\nx,a\n", nil, 3, "", "holds no run, judgments"},
		{"queries", "1\twhat <is> it\n", nil, 0, "<top>\n<num> Number: 1\n<title> what &lt;is&gt; it\n</top>\n\n", ""},
		{"topics", "<top>\n<num> Number: 1\n<title> what is it\n</top>\n", []string{"-o", "tsv"}, 0, "1\twhat is it\n",
			""},
		{"topics as JSON lines", "<top>\n<num> Number: 1\n<title> what is it\n</top>\n", []string{"-o", "jsonl"}, 0,
			`{"_id": "1", "text": "what is it", "metadata": {}}` + "\n", ""},
		{"TREC's documents", "<DOC>\n<DOCNO> a </DOCNO>\n<TEXT>\nis it\n</TEXT>\n</DOC>\n", []string{"-o", "jsonl"}, 0,
			`{"_id": "a", "title": "", "text": "is it", "metadata": {}}` + "\n", ""},
		{"documents as a run", "<DOC>\n<DOCNO> a </DOCNO>\n<TEXT>\nis it\n</TEXT>\n</DOC>\n", nil, 2, "",
			"can be written as jsonl"},
		{"vectors", vectors, []string{"-o", "npy"}, 0, vectors, ""},
		{"an id that TREC cannot hold", "query_id,doc_id,rank,score\nq1,a b,1,2\n", nil, 3, "", "white space"},
		{"an unknown form", run, []string{"-o", "xml"}, 2, "", "xml"},
		{"nothing", run, []string{"more"}, 2, "", "one file"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			code, out, errs := call(c.in, append([]string{"convert", "-"}, c.args...)...)
			if code != c.code || out != c.out || !strings.Contains(errs, c.err) || c.err == "" && errs != "" {
				t.Errorf("code %d, want %d\n%q\nwant %q\n%s", code, c.code, out, c.out, errs)
			}
		})
	}
}

// A benchmark whose judgments are references is resolved against a corpus; what cannot be resolved is said, and counts
// as never found.
func TestBenchmarkByReferences(t *testing.T) {
	bench := file(t, "bench.json",
		`{"schema_version":"1.0","metadata":{},"queries":[{"query_key":"q1","query_text":"x","relevant_docs":[
{"doc_ref":{"uri":"https://e.example/1"},"relevance_grade":1},
{"doc_ref":{"file_name":"none.txt"},"relevance_grade":1}]}]}`)
	corpus := file(t, "corpus.jsonl", `{"_id":"d1","title":"t","text":"a","metadata":{"uri":"https://e.example/1"}}`+
		"\n")
	run := file(t, "a.run", "q1 Q0 d1 1 2 t\n")
	code, out, errs := call("", "convert", bench, "-corpus", corpus)
	if code != 0 || out != "q1 0 d1 1\n" || !strings.Contains(errs, "PARTIAL: 1 of 2 references") ||
		!strings.Contains(errs, "bench.json:3: file_name=none.txt names no document") {
		t.Errorf("convert: code %d, %q, %s", code, out, errs)
	}
	// One of two relevant documents is never found: recall one half.
	code, out, errs = call("", "compare", bench, run, "-corpus", corpus, "-m", "R@10", "-o", "trec")
	if code != 0 || !strings.Contains(out, "R@10                  \tall\t0.5000") ||
		!strings.Contains(errs, "PARTIAL: 1 of 2 references") {
		t.Errorf("compare: code %d, %q, %s", code, out, errs)
	}
	for _, args := range [][]string{{"convert", bench}, {"compare", bench, run}, {"eval", bench, run, "AP"}} {
		if code, _, errs := call("", args...); code != 3 || !strings.Contains(errs, "(-corpus)") {
			t.Errorf("%v: code %d, %s", args, code, errs)
		}
	}
	if code, _, errs := call("", "convert", bench, "-corpus", run); code != 3 ||
		!strings.Contains(errs, "holds no documents") {
		t.Errorf("a run for the corpus: code %d, %s", code, errs)
	}
}

// Runs of chunks collapse before any measure, by separator, by map and by -ids alike. Hand computation: as documents the run is
// a, b; b is relevant at rank 2.
func TestCompareCollapsesChunks(t *testing.T) {
	qrels := file(t, "q", "q1 0 b 1\n")
	run := file(t, "a.run", "q1 Q0 a#1 1 5 t\nq1 Q0 a#2 2 4 t\nq1 Q0 b#7 3 3 t\nq1 Q0 b#1 4 2 t\n")
	rule := file(t, "map.tsv", "a#1\ta\na#2\ta\nb#7\tb\nb#1\tb\n")
	for want, args := range map[string][]string{"0.0000": {"-ids", "none"}, "0.5000": {"-chunks", "#"},
		"0.5000 ": {"-map", rule}, " 0.5000": {"-ids", "chunk"}} {
		code, out, errs := call("", append([]string{"compare", qrels, run, "-m", "RR", "-o", "trec"}, args...)...)
		if code != 0 || !strings.Contains(out, "\tall\t"+strings.TrimSpace(want)+"\n") {
			t.Errorf("%v: code %d, %q, %s", args, code, out, errs)
		}
	}
}

// Every form gives the same figures: those of TestEval, which ir_measures 0.4.3 prints.
func TestEvalReadsEveryForm(t *testing.T) {
	const want = "nDCG@10\t0.4637\nAP\t0.4444\nRR\t0.5000\n"
	for _, q := range []string{"trec", "json", "csv", "tsv"} {
		for _, r := range []string{"trec", "json", "csv"} {
			_, qrels, _ := call("", "convert", "-quiet", qrelsFile, "-o", q)
			_, run, _ := call("", "convert", "-quiet", runFile, "-o", r)
			code, out, errs := call(run, "eval", "-quiet", file(t, "qrels", qrels), "-", "nDCG@10", "AP", "RR")
			if code != 0 || out != want {
				t.Errorf("qrels as %s, run as %s: code %d, %q, %s", q, r, code, out, errs)
			}
		}
	}
	// Scores that are whole numbers, where a run is asked for; what is missing is said.
	code, out, errs := call(`{"q1": {"d1": 3, "d2": 2}, "q9": {"d1": 1}}`, "eval",
		file(t, "qrels", "q1 0 d2 1\nq2 0 d1 1\n"), "-", "RR")
	if code != 0 || out != "RR\t0.2500\n" || !strings.Contains(errs, `judged query "q2" is not in the run`) ||
		!strings.Contains(errs, `query "q9" of the run has no judgments`) {
		t.Errorf("code %d, %q, %s", code, out, errs)
	}
	if code, _, errs := call("q1 0 d1 1\n", "eval", qrelsFile, "-", "RR"); code != 3 ||
		!strings.Contains(errs, "is not a run") {
		t.Errorf("qrels for a run: code %d, %s", code, errs)
	}
}

// Preferences come out as they are, in the order of users and subgroups, and not as what they say of relevance.
func TestConvertPreferences(t *testing.T) {
	const prefs = "q u2 s d1 2\nq u2 s d2 0.5\nq u1 t d2 1\n"
	if code, out, errs := call(prefs, "convert", "-quiet", "-"); code != 0 || out != prefs {
		t.Errorf("code %d, %s, %q", code, errs, out)
	}
	if code, _, errs := call(prefs, "convert", "-quiet", "-o", "json", "-"); code != 2 ||
		!strings.Contains(errs, "preferences can only be written as trec") {
		t.Errorf("code %d, %s", code, errs)
	}
}

// Every form is read again as what it was, or refused with the flag that lifts the limit: more than 100 judgments of a
// query are beyond the default of the shapes in JSON.
func TestEveryFormIsReadAgain(t *testing.T) {
	var qrels strings.Builder
	for i := range 101 {
		fmt.Fprintf(&qrels, "q1 0 d%d %d\n", i, i%4)
	}
	corpus := ""
	for i := range 101 {
		corpus += fmt.Sprintf("{\"_id\":\"d%d\",\"title\":\"\",\"text\":\"x\"}\n", i)
	}
	corpus = file(t, "corpus.jsonl", corpus)
	for _, format := range []string{"trec", "json", "csv", "tsv", "benchmark", "dataset", "judged"} {
		args := []string{"convert", "-", "-o", format, "-quiet"}
		code, out, errs := call(qrels.String(), args...)
		back := []string{"convert", "-", "-quiet"}
		if slices.Contains(shapes, format) {
			if code != 3 || out != "" ||
				!strings.Contains(errs, "101 judgments of a query are more than the limit of 100") ||
				!strings.Contains(errs, "; -max-json-judgments raises it") {
				t.Errorf("%s: code %d, %.100s%s", format, code, out, errs)
			}
			code, out, errs = call(qrels.String(), append(args, "-max-json-judgments", "101")...)
			if code, _, errs := call(out, back...); code != 3 ||
				!strings.Contains(errs, "; -max-json-judgments raises it") {
				t.Errorf("%s within the default: code %d, %s", format, code, errs)
			}
			back = append(back, "-max-json-judgments", "0")
			if format == "benchmark" {
				back = append(back, "-corpus", corpus)
			}
		}
		if code != 0 {
			t.Errorf("%s: code %d, %s", format, code, errs)
		}
		if code, again, errs := call(out, back...); code != 0 || again != qrels.String() {
			t.Errorf("%s read again: code %d, %s%.100s", format, code, errs, again)
		}
	}
	many := ""
	for i := range 1001 {
		many += fmt.Sprintf("q%d 0 d 1\n", i)
	}
	if code, out, errs := call(many, "convert", "-", "-o", "dataset", "-quiet"); code != 3 || out != "" ||
		!strings.Contains(errs, "; -max-json-queries raises it") {
		t.Errorf("1,001 queries: code %d, %s", code, errs)
	}
}
