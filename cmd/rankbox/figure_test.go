package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/present/chart"
)

// TestFigures draws every figure in every format, and says what is wrong with what cannot be drawn.
func TestFigures(t *testing.T) {
	dir, qrels, alpha, beta, gamma := files(t)
	texts := filepath.Join(dir, "queries.jsonl")
	if err := os.WriteFile(texts,
		[]byte(`{"_id":"q1","text":"one"}`+"\n"+`{"_id":"q2","text":"a query of some more words than one"}`+"\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	call := func(args ...string) (code int, out, err string) {
		var stdout, stderr bytes.Buffer
		code = run(&context{out: &stdout, err: &stderr}, append([]string{"compare", "-quiet"}, args...))
		return code, stdout.String(), stderr.String()
	}
	alone := map[string]string{"speed": "times", "waterfall": "beginnings", "worth": "every set",
		"sweep": "one pipeline",
		"bump":  "one pipeline", "latency": "times", "resources": "cost",
		"steps": "traces"} // what files of runs have not
	begins := map[string]string{"svg": "<svg ", "vega": `{"$schema"`, "latex": "% "}
	for _, f := range chart.All() {
		for _, format := range chart.Formats() {
			code, out, err := call("-figure", f.Name, "-o", format.Name, "-queries", texts, qrels, alpha, beta, gamma)
			if needs := alone[f.Name]; needs != "" {
				if code != 3 || out != "" || !strings.Contains(err, needs) {
					t.Errorf("%s of runs alone: code %d, %s %.80q", f.Name, code, err, out)
				}
				continue
			}
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
		{"unknown run", []string{"-figure", "pair", "-pair", "A-Z", qrels, alpha, beta}, 2, "no system"},
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

// TestFiguresOfAnExperiment draws every figure from the folder of an experiment that was timed: what its runs vary,
// what its stages are worth and what they cost is known there.
func TestFiguresOfAnExperiment(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	spec := writeSpec(t, `{"systems": ["bm25(k1=0.6|1.2, b=0.4|0.75)", "dense"], "ablate": "rrf(bm25, dense) >> mmr",`+
		` "measures": ["nDCG@10"]}`)
	if code, _, errs := call("", "run", spec, "-quiet", "-collection", wire, "-o", dir, "-time"); code != 0 {
		t.Fatal(errs)
	}
	for _, f := range chart.All() {
		if f.Name == "steps" { // of agents
			continue
		}
		code, out, errs := call("", "report", dir, "-figure", f.Name, "-o", "svg")
		if code != 0 || !strings.HasPrefix(out, "<svg ") {
			t.Errorf("%s: %d %s", f.Name, code, errs)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, pageFile))
	if err != nil || strings.Count(string(page), "<figure>") < 18 {
		t.Errorf("the page has %d figures: %v", strings.Count(string(page), "<figure>"), err)
	}
	took, err := readTimes(dir)
	if err != nil || len(took.Runs) == 0 {
		t.Fatal(took, err)
	}
	for _, r := range took.Runs {
		if len(r.Milliseconds) != 44 || r.Bytes <= 0 {
			t.Errorf("%s: %d times, %v bytes", r.Name, len(r.Milliseconds), r.Bytes)
		}
	}
	before := outcomeHash(t, dir)
	if code, _, errs := call("", "run", spec, "-quiet", "-collection", wire, "-o", dir, "-resume"); code != 0 ||
		outcomeHash(t, dir) != before {
		t.Error("times change the hash", errs)
	}
	if err := os.WriteFile(filepath.Join(dir, timesFile), []byte(`{"format": "else"}`), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := call("", "report", dir, "-figure", "latency"); code == 0 ||
		!strings.Contains(errs, "times.json") {
		t.Errorf("%d %s", code, errs)
	}
	if code, _, errs := call("", "run", spec, "-collection", wire, "-time"); code != 2 ||
		!strings.Contains(errs, "-o") {
		t.Errorf("%d %s", code, errs)
	}
}
