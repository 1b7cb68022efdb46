package chart_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/present/chart"
)

// TestVegaDrawsThem compiles and renders the specification of every figure, of plain and of hostile names, with the npm
// packages vega-lite and vega of package.json: there is no warning, no mark is lost and the names are texts.
func TestVegaDrawsThem(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	if _, err := os.Stat(filepath.Join(root, "node_modules/vega-lite")); err != nil {
		t.Skip("npm ci has not installed vega-lite")
	}
	specs := map[string]json.RawMessage{}
	drawings := map[string]*chart.Drawing{}
	in := hostile(t)
	for _, d := range chart.Draw(in) {
		specs[d.Name], drawings[d.Name] = json.RawMessage(d.Vega()), d
	}
	if len(specs) != len(chart.All()) {
		t.Fatalf("%d of %d figures", len(specs), len(chart.All()))
	}
	input, err := json.Marshal(specs)
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command("node", "testdata/vega.mjs")
	run.Stdin = bytes.NewReader(input)
	var stderr strings.Builder
	run.Stderr = &stderr
	got, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var out map[string]struct {
		Warnings, Texts []string
		Paths           int
		SVG             string
	}
	if err := json.Unmarshal(got, &out); err != nil {
		t.Fatal(err)
	}
	for name, d := range drawings {
		x := out[name]
		if dir := os.Getenv("RANKBOX_FIGURES"); dir != "" { // to look at them
			os.WriteFile(filepath.Join(dir, name+"-vega.svg"), []byte(x.SVG), 0o666)
		}
		if len(x.Warnings) > 0 {
			t.Errorf("%s: %q", name, x.Warnings)
		}
		marks, texts := 0, 0
		for _, l := range d.Layers {
			switch l.Kind {
			case chart.Lines, chart.Frame:
				marks++
			case chart.Words:
			case chart.Inside:
				texts += len(l.Marks)
			default:
				marks += len(l.Marks)
			}
		}
		if len(x.Texts) < texts {
			t.Errorf("%s: %d texts of %d", name, len(x.Texts), texts)
		}
		if x.Paths < marks {
			t.Errorf("%s: %d marks of %d", name, x.Paths, marks)
		}
		if strings.Contains(x.SVG, "NaN") || strings.Contains(x.SVG, "<script") || strings.Contains(x.SVG, "<image") {
			t.Errorf("%s: what is drawn is not right", name)
		}
		if d.Y.Bands != nil && !slices.ContainsFunc(x.Texts,
			func(s string) bool { return strings.Contains(s, "&lt;script&gt;") }) {
			t.Errorf("%s: no name among %q", name, x.Texts)
		}
	}
}
