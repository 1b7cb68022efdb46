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
		{"log", "no trials\n", false, false},
	} {
		t.Run(c.program, func(t *testing.T) {
			plain := build(t, "testdata/"+c.program+".go")
			slim := build(t, "-overlay", overlay, "testdata/"+c.program+".go")
			for _, p := range []struct {
				how   string
				wasm  []byte
				names bool
			}{{"plain", plain, c.plain}, {"with the overlay", slim, c.slim}} {
				if got := run(t, p.wasm); !strings.HasSuffix(got, c.says) { // log's own writes it before the panic too
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
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ what, file, text string }{
		{"no such file", entities, ""},
		{"another form", entities, "package html\n\nvar entity = map[string]rune{}\n"},
		{"no such file", settings, ""},
		{"another function", settings, noSettings + "\nfunc (s *Setting) Reset() {}\n"},
		{"no such file", logs, ""},
		{"another package", tests, "// A comment.\n\npackage trials\n"},
	} {
		t.Run(c.what+" "+filepath.Base(c.file), func(t *testing.T) {
			root := t.TempDir()
			for _, file := range []string{entities, settings, logs, tests} {
				text := read(t, filepath.Join(strings.TrimSpace(string(out)), file))
				if file == c.file {
					if text = []byte(c.text); len(text) == 0 {
						continue
					}
				}
				to := filepath.Join(root, file)
				if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(to, text, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			_, err := Overlay(root, t.TempDir())
			if err == nil || !strings.Contains(err.Error(), filepath.Base(c.file)) {
				t.Errorf("error %v, want one that names %s", err, c.file)
			}
		})
	}
}
