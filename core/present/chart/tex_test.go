//go:build !js

package chart_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/present/chart"
)

// TestLaTeXIsPgfplots checks the structure of every figure's LaTeX: only commands that pgfplots and the escapes of
// names have, every colour defined, every statement ended.
func TestLaTeXIsPgfplots(t *testing.T) {
	known := regexp.MustCompile(
		`^(providecommand|rankboxchar|definecolor|begin|end|fill|draw|node|addplot|small|textbackslash|` +
			`textasciicircum|textasciitilde|textless|textgreater|textbar|char|textasciigrave|ldots)$`)
	command := regexp.MustCompile(`\\([a-zA-Z]+)`)
	for _, d := range chart.Draw(hostile(t)) {
		tex := d.LaTeX()
		var body []string
		for line := range strings.Lines(tex) {
			if !strings.HasPrefix(line, "%") {
				body = append(body, strings.TrimRight(line, "\n"))
			}
		}
		text := strings.Join(body, "\n")
		for _, m := range command.FindAllStringSubmatch(text, -1) {
			if !known.MatchString(m[1]) {
				t.Errorf("%s: command \\%s", d.Name, m[1])
			}
		}
		for _, m := range regexp.MustCompile(`rankbox-[a-z0-9]+`).FindAllString(text, -1) {
			if !strings.Contains(text, `\definecolor{`+m+"}") {
				t.Errorf("%s: colour %s is not defined", d.Name, m)
			}
		}
		for _, line := range body {
			for _, start := range []string{`\fill`, `\draw`, `\addplot`, `\node`} {
				if strings.HasPrefix(line, start) && !strings.HasSuffix(line, ";") {
					t.Errorf("%s: %q has no end", d.Name, line)
				}
			}
		}
		if strings.Count(text, `\begin{`) != 2 || strings.Count(text, `\end{`) != 2 {
			t.Errorf("%s: environments", d.Name)
		}
	}
}

// TestLaTeXCompiles sets every figure with pdflatex and pgfplots where they are installed. Oracle: TeX Live.
func TestLaTeXCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("runs TeX")
	}
	path, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("pdflatex is not installed")
	}
	if out, err := exec.Command("kpsewhich", "pgfplots.sty").Output(); err != nil || len(out) == 0 {
		t.Skip("pgfplots is not installed")
	}
	dir := t.TempDir() // all of them in one document: starting TeX takes most of the time
	doc := `\documentclass{article}\usepackage[T1]{fontenc}\usepackage{textcomp}\usepackage{pgfplots}\pgfplotsset{compat=1.18}\begin{document}` +
		"\n"
	for _, d := range chart.Draw(hostile(t)) {
		if err := os.WriteFile(filepath.Join(dir, d.Name+".tex"), []byte(d.LaTeX()), 0o666); err != nil {
			t.Fatal(err)
		}
		doc += `\typeout{figure ` + d.Name + `}\input{` + d.Name + `}\clearpage` + "\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "doc.tex"), []byte(doc+`\end{document}`), 0o666); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(path, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "doc.tex")
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out[max(0, len(out)-2000):])
	} else if n := strings.Count(string(out), "\nfigure "); n != len(chart.All()) {
		t.Errorf("%d of %d figures were set", n, len(chart.All()))
	}
}
