package chart

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden holds what the small report of chart_test.go is drawn as: the file, the terminal and TeX. The drawings were looked at when they were written.
func TestGolden(t *testing.T) {
	for _, d := range Draw(small()) {
		for end, got := range map[string]string{".svg": d.SVG(Light), ".txt": d.Text(72), ".tex": d.LaTeX()} {
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
