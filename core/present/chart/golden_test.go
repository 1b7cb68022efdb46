package chart

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden holds what the small report of chart_test.go is drawn as: the file, the terminal and TeX. The drawings
// were looked at when they were written.
func TestGolden(t *testing.T) {
	page, plain := small(), small()
	plain.Style = say.Plain
	drawn := Draw(plain)
	for i, p := range Draw(page) {
		d := drawn[i]
		for end, got := range map[string]string{".svg": p.SVG(Light), ".txt": d.Text(72), ".tex": d.LaTeX()} {
			name := filepath.Join("testdata", d.Name+end)
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s is drawn differently; look at it, then run with -update", name)
			}
		}
	}
}

// The minus sign of the page is for SVG and for Vega-Lite, which draw; TeX sets the hyphen as one, and terminals and
// files have that.
func TestFormatsHaveTheSignOfTheirPlace(t *testing.T) {
	for _, f := range Formats() {
		in := small()
		in.Style = f.Style
		text := f.Write(differences.Draw(in), Light)
		if page := f.Name == "svg" || f.Name == "vega"; strings.Contains(text, "−") && !page ||
			f.Name == "svg" && !strings.Contains(text, "−0.2") {
			t.Errorf("%s: %s", f.Name, text)
		}
	}
}

// Every figure ends its sentence, has a table as wide as its head, and draws at least one report of these tests.
func TestEveryFigureSaysItsFinding(t *testing.T) {
	for _, f := range All() {
		d := f.Draw(small())
		if d == nil {
			if f.Measures == nil {
				t.Errorf("%s: small() in chart_test.go lacks the data that it needs: %s", f.Name, f.Needs)
			}
			continue
		}
		if first := []rune(d.Sentence); len(first) < 20 || !strings.HasSuffix(d.Sentence, ".") {
			t.Errorf("%s: %q is no sentence that states its finding", f.Name, d.Sentence)
		}
		for _, row := range d.Rows {
			if len(row) != len(d.Head) {
				t.Errorf("%s: row %q under %q", f.Name, row, d.Head)
			}
		}
	}
}
