//go:build !js

package export

import (
	"bytes"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// TestLaTeXCompiles sets the tables of the fixture and of hostile names with every TeX that is installed: no error,
// nothing beyond the margin, no file but its own read and no command run. Oracle: TeX Live.
func TestLaTeXCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("runs TeX")
	}
	r, err := compare.Compare(fixture(t), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	quoted := fixture(t)
	quoted.Runs[0].Name = `dense(model="a|b") <~^>`
	q, err := compare.Compare(quoted, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	reports := map[string]*report.Report{"fixture": r, "quoted": q, "hostile": hostile(t)}
	ran := false
	for _, set := range []struct{ program, fonts, needs string }{
		{"pdflatex", `\usepackage[T1]{fontenc}`, "article.cls"},
		{"pdflatex", "", "article.cls"}, // OT1
		{"lualatex", "", "luaotfload-main.lua"},
		{"xelatex", "", "article.cls"},
	} {
		program, fonts := set.program, set.fonts
		path, err := exec.LookPath(program)
		if err != nil {
			continue
		}
		if out, err := exec.Command("kpsewhich", set.needs, "booktabs.sty").Output(); err != nil ||
			bytes.Count(out, []byte("\n")) < 2 {
			continue // not the whole of it
		}
		ran = true
		for name, r := range reports {
			if set.fonts == "" && program == "pdflatex" && name == "hostile" { // OT1 lacks most letters beyond ASCII
				continue
			}
			dir := t.TempDir()
			doc := `\documentclass{article}` + fonts +
				`\usepackage{booktabs}\begin{document}\input{table}\end{document}`
			for file, text := range map[string]string{"doc.tex": doc,
				"table.tex": written(t, r, "latex", Detail{Queries: program == "pdflatex"})} {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			c := exec.Command(path, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "-recorder",
				"doc.tex")
			c.Dir = dir
			out, err := c.CombinedOutput()
			if err != nil {
				t.Fatalf("%s, %s: %v\n%s", program, name, err, out[max(0, len(out)-3000):])
			}
			if i := bytes.Index(out, []byte("Overfull \\hbox")); i >= 0 {
				t.Errorf("%s, %s: %.100s", program, name, out[i:])
			}
			read, err := os.ReadFile(filepath.Join(dir, "doc.fls"))
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(read), "passwd") {
				t.Errorf("%s, %s: a file of the system was read", program, name)
			}
		}
	}
	if !ran {
		t.Skip("no LaTeX is installed")
	}
}

// The runs by the measures that a comparison shows by default are one table, with two runs and with ten, with short
// names and with long ones.
func TestLaTeXOfTheDefaultMeasuresIsOneTable(t *testing.T) {
	for _, runs := range []int{2, 5, 10} {
		for _, name := range []string{"bm25", "bm25-k1-0.9-b-0.4-title",
			"rrf(bm25(title=3), dense(model=minilm), k=60) >> mmr(lambda=0.7)"} {
			if runs*len(name) > 400 { // ten names of eight lines are longer than a page
				continue
			}
			in := random(t, rand.New(rand.NewSource(int64(runs))), runs, 30, 12)
			in.Measures = measure.Defaults()
			for i := range in.Runs {
				in.Runs[i].Name = name + strconv.Itoa(i)
			}
			r, err := compare.Compare(in, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			text := written(t, r, "latex", Detail{})
			if n := strings.Count(text, `\label{tab:rankbox-systems`); n != 1 {
				t.Errorf("%d runs %s…: %d tables of %q", runs, name, n, r.Measures)
			}
		}
	}
}

// What a file is called and what a measure is called stay what they are, and only figures have minus signs: the
// caption, a name with a figure behind a hyphen, a head with a point in it.
func TestLaTeXLeavesNamesAlone(t *testing.T) {
	in := fixture(t)
	in.Runs[1].Name = "run -0.5-tuned"
	in.Measures = []string{"RBP(p=0.95)", "nDCG@10"}
	r, err := compare.Compare(in, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := written(t, r, "latex", Detail{})
	_, caption, _ := strings.Cut(text, `\caption{`)
	caption, _, _ = strings.Cut(caption, "Against alpha") // the interval may have a minus
	if !strings.Contains(caption, "run -0.5-tuned") || strings.Contains(caption, "$") {
		t.Errorf("the caption is %s", caption)
	}
	two := in
	two.Runs, two.Measures = in.Runs[:2], []string{"unj@10"} // less is better, and the difference is below 0
	if r, err = compare.Compare(two, nil, nil); err != nil {
		t.Fatal(err)
	}
	if text := written(t, r, "latex", Detail{}); !strings.Contains(text,
		"run -0.5-tuned is not significantly different from alpha by unj@10 ($-$0.") {
		t.Errorf("the caption of two is %s", text)
	}
	if !strings.Contains(text, `\multicolumn{2}{c}{RBP(p=0.95)}`) {
		t.Error("the head of a measure is in pieces")
	}
}
