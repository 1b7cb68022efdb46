package main

import (
	"os"
	"path/filepath"
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
			if want := strings.ReplaceAll(text, " t\n", " rankbox\n"); code != 0 || errs != "" || back != text && back != want {
				t.Errorf("%s: code %d, %s, %q", format, code, errs, back)
			}
		}
	}
	cases := []struct {
		name, in string
		args     []string
		code     int
		out, err string
	}{
		{"unsorted, twice, without Q0", "q1 a 1 1 t\nq1 b 2 2 t\nq1 b 3 2 t\n", nil, 0, "q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\n", "standard input:3: document \"b\" is there again"},
		{"linted", "q1 Q0 a 1 1 t\nq1 Q0 b 2 2 t\n", []string{"-lint"}, 1, "", "standard input:2: rank and score contradict"},
		{"linted and clean", run, []string{"-lint"}, 0, "", ""},
		{"integers as a run", `{"q1": {"a": 2, "b": 3}}`, []string{"-as", "run", "-quiet"}, 0, "q1 Q0 b 1 3 rankbox\nq1 Q0 a 2 2 rankbox\n", ""},
		{"integers as qrels", `{"q1": {"a": 2, "b": 3}}`, nil, 0, "q1 0 a 2\nq1 0 b 3\n", ""},
		{"BEIR's names with commas as qrels", "query_id,doc_id,score\nq1,a,1\n", []string{"-as", "qrels"}, 0, "q1 0 a 1\n", ""},
		{"chunks by separator", "q1 Q0 a#2 1 3 t\nq1 Q0 b#1 2 2 t\nq1 Q0 a#1 3 1 t\n", []string{"-chunks", "#"}, 0, "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\n", ""},
		{"chunks by map", "q1 Q0 x 1 3 t\nq1 Q0 y 2 2 t\nq1 Q0 z 3 1 t\n", []string{"-map", file(t, "map.csv", "chunk_id,doc_id\nx,a\ny,b\n")}, 0, "q1 Q0 a 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 z 3 1 t\n", "\"z\", which stays as it is"},
		{"subtopics", "1 1 a 1\n1 2 a 0\n1 2 b 1\n", nil, 0, "1 1 a 1\n1 2 a 0\n1 2 b 1\n", ""},
		{"subtopics as JSON", "1 1 a 1\n1 2 a 0\n", []string{"-o", "json"}, 2, "", "subtopics"},
		{"figures", "nDCG@10\t0.5\nAP\t0.4\n", nil, 3, "", "figures"},
		{"queries", "1\twhat is it\n", nil, 3, "", "neither a run nor qrels"},
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
