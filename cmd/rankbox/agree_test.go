package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/project/workspace"
)

func TestAgree(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a := file("a.qrels", "q 0 d1 1\nq 0 d2 0\nq 0 d3 0\n")
	b := file("b.qrels", "q 0 d1 0\nq 0 d2 1\nq 0 d3 0\n")
	one := file("one.run", "q Q0 d1 1 2 t\nq Q0 d3 2 1 t\n")
	two := file("two.run", "q Q0 d2 1 2 t\nq Q0 d3 2 1 t\n")
	same := ""
	for _, d := range []string{"e1", "e2", "e3", "e4", "e5", "e6", "e7", "e8"} {
		same += "q 0 " + d + " 0\n"
	}
	more, other := file("more.qrels", "q 0 d1 1\nq 0 d2 0\n"+same+"r 0 d1 1\nr 0 d2 1\n"), file("other.qrels",
		"q 0 d1 0\nq 0 d2 1\n"+same+"r 0 d1 1\nr 0 d2 1\ns 0 d1 1\n")
	w := workspace.New(workspace.Documents{Collection: "c"})
	for _, name := range []string{"Ada", "Bob"} {
		judged := []workspace.Judgment{{Query: "q", Document: "d1", Grade: float64(len(name) % 2), Graded: true},
			{Query: "q", Document: "d2", Graded: true}}
		h := workspace.Head{ID: strings.ToLower(name), Origin: workspace.Second, Author: name}
		for _, e := range w.AddLayer(h, judged, 1, "t") {
			if _, err := w.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	zip, err := w.Export()
	if err != nil {
		t.Fatal(err)
	}
	layers := file("layers.zip", string(zip))
	cases := []struct {
		name string
		args []string
		code int
		say  string // in what is printed, or in the error
	}{
		{"two judges", []string{a, b}, 0,
			"a.qrels and b.qrels give the same grade to 33.3 % of the 3 documents that both judged; Cohen's " +
				"κ is -0.500."},
		{"the layers of a workspace", []string{layers}, 0,
			"Ada and Bob give the same grade to 100.0 % of the 2 documents that both judged"},
		{"Gwet's AC1", []string{a, b}, 0, "AC1"},
		{"the order of runs", []string{more, one, other, two, "-m", "AP"}, 0,
			"By AP 1 of 1 pair of runs changes places with the judge."},
		{"too few documents for an order", []string{a, one, b, two}, 0,
			"Not compared: a.qrels and b.qrels: both judged 3 documents, and it takes 10."},
		{"bias of a model", []string{more, other, "-model"}, 0, "Bias of a model's grades"},
		{"means by a person and a model", []string{more, other, "-model", one, "-half-width", "0.1"}, 0,
			"queries for ±0.100"},
		{"no half-width", []string{more, other, "-model", "-half-width", "0"}, 2, "-half-width is 0"},
		{"as JSON", []string{a, b, "-o", "json"}, 0, `"format":"rankbox-agreement"`},
		{"one judge", []string{a, one}, 2, "want at least two files of judgments"},
		{"another output", []string{a, b, "-o", "csv"}, 2, `output "csv"`},
		{"another measure", []string{a, b, one, "-m", "nDGC"}, 3, "nDGC"},
		{"no such file", []string{a, filepath.Join(dir, "c")}, 3, "c: no such file"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			code, out, errs := call("", append([]string{"agree", "-quiet"}, c.args...)...)
			if code != c.code || !strings.Contains(out+errs, c.say) {
				t.Errorf("exit %d, want %d:\n%s%s\nwithout %q", code, c.code, out, errs, c.say)
			}
			if strings.HasPrefix(out, "{") && !json.Valid([]byte(out)) {
				t.Errorf("no JSON: %s", out)
			}
		})
	}
}
