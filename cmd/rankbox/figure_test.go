package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/chart"
)

// TestFigures draws every figure in every format, and says what is wrong with what cannot be drawn.
func TestFigures(t *testing.T) {
	dir, qrels, alpha, beta, gamma := files(t)
	texts := filepath.Join(dir, "queries.jsonl")
	if err := os.WriteFile(texts, []byte(`{"_id":"q1","text":"one"}`+"\n"+`{"_id":"q2","text":"a query of some more words than one"}`+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	call := func(args ...string) (code int, out, err string) {
		var stdout, stderr bytes.Buffer
		code = run(&context{out: &stdout, err: &stderr}, append([]string{"compare", "-quiet"}, args...))
		return code, stdout.String(), stderr.String()
	}
	begins := map[string]string{"svg": "<svg ", "vega": `{"$schema"`, "latex": "% "}
	for _, f := range chart.All() {
		for _, format := range chart.Formats() {
			code, out, err := call("-figure", f.Name, "-o", format.Name, "-queries", texts, qrels, alpha, beta, gamma)
			if code != 0 || !strings.HasPrefix(out, begins[format.Name]) || len(out) < 50 {
				t.Errorf("%s as %s: code %d, %s %.80q", f.Name, format.Name, code, err, out)
			}
			if format.Name == "vega" && !json.Valid([]byte(out)) {
				t.Errorf("%s: no JSON", f.Name)
			}
			if format.Name == "text" && !strings.Contains(out, f.Title) {
				t.Errorf("%s: no title in %q", f.Name, out)
			}
		}
	}
	for _, c := range []struct {
		name string
		args []string
		code int
		err  string
	}{
		{"unknown figure", []string{"-figure", "pie", qrels, alpha, beta}, 2, "intervals, bars"},
		{"unknown format", []string{"-figure", "bars", "-o", "md", qrels, alpha, beta}, 2, "text, svg"},
		{"unknown theme", []string{"-figure", "bars", "-theme", "sepia", qrels, alpha, beta}, 2, "light, dark"},
		{"no pair", []string{"-figure", "pair", "-pair", "A", qrels, alpha, beta}, 2, "as A-B"},
		{"unknown run", []string{"-figure", "pair", "-pair", "A-Z", qrels, alpha, beta}, 2, "no run"},
		{"one run", []string{"-figure", "pair", qrels, alpha}, 3, "needs a pair of runs"},
	} {
		if code, out, err := call(c.args...); code != c.code || out != "" || !strings.Contains(err, c.err) {
			t.Errorf("%s: code %d, %q, %q", c.name, code, out, err)
		}
	}
	_, dark, _ := call("-figure", "intervals", "-o", "svg", "-theme", "dark", qrels, alpha, beta)
	if !strings.Contains(dark, chart.Palette()["a"].Dark) || strings.Contains(dark, chart.Palette()["a"].Light) {
		t.Error("the dark theme has not its colours")
	}
	_, turned, _ := call("-figure", "differences", "-o", "csv", "-pair", "B-A", qrels, alpha, beta)
	if !strings.HasPrefix(turned, "query,beta,alpha,change\n") {
		t.Errorf("pair turned round: %.60q", turned)
	}
}
