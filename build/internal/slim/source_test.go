package slim

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A program compiled with the overlay says what it says without, and carries HTML's names only if it reads them.
func TestOverlay(t *testing.T) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := Overlay(strings.TrimSpace(string(out)), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		program, says string
		plain, slim   bool // whether the names are in it
	}{
		{"escape", "&lt;É&amp;Co&gt;\n", true, false},
		{"unescape", "<É&Co> \u2242\u0338\n", true, true},
	} {
		t.Run(c.program, func(t *testing.T) {
			plain := build(t, "testdata/"+c.program+".go")
			slim := build(t, "-overlay", overlay, "testdata/"+c.program+".go")
			for _, p := range []struct {
				how   string
				wasm  []byte
				names bool
			}{{"plain", plain, c.plain}, {"with the overlay", slim, c.slim}} {
				if got := run(t, p.wasm); got != c.says {
					t.Errorf("%s: says %q, want %q", p.how, got, c.says)
				}
				if got := bytes.Contains(p.wasm, []byte("NotEqualTilde;")); got != p.names {
					t.Errorf("%s: has the names: %v, want %v", p.how, got, p.names)
				}
			}
			if len(slim) > len(plain) {
				t.Errorf("%d bytes became %d", len(plain), len(slim))
			}
		})
	}
}

func TestOverlayRefusesAnotherLibrary(t *testing.T) {
	for name, text := range map[string]string{"no such file": "",
		"another form": "package html\n\nvar entity = map[string]rune{}\n"} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			if text != "" {
				if err := os.MkdirAll(filepath.Join(root, "src/html"), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(root, entities), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := Overlay(root, t.TempDir()); err == nil || !strings.Contains(err.Error(), "entity.go") {
				t.Errorf("error %v, want one that names entity.go", err)
			}
		})
	}
}
