package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What is read of a file is bounded: a file of more than is read of it, and one without an end.
func TestNoFileIsReadWithoutABound(t *testing.T) {
	dir := t.TempDir()
	link := func(name, to string) string {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, name); err != nil {
			t.Fatal(err)
		}
		return filepath.Dir(name)
	}
	hole := filepath.Join(dir, "hole")
	if err := os.WriteFile(hole, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(hole, 5<<30); err != nil {
		t.Fatal(err)
	}
	beir := writeBEIR(t)
	for _, c := range []struct {
		name string
		args []string
	}{
		{"runs to reproduce", []string{"compare", "reproduce", hole, qrelsFile, runFile}},
		{"a snapshot", []string{"compare", qrelsFile, runFile, "-against", hole}},
		{"answers of an edge", []string{"search", beir, "-s", "bm25", "-answers", hole}},
		{"a manifest", []string{"search", link("bundle/manifest.json", hole), "-s", "bm25"}},
		{"a report", []string{"report", link("text/report.txt", hole)}},
		{"vectors of a model", []string{"search", beir, "-vectors", filepath.Dir(link("models/minilm/meta.json", hole)), "-s", "dense"}},
		{"runs of an experiment", []string{"report", link("runs/comparison.rankbox", hole), "-o", "csv"}},
		{"times", []string{"report", link("times/times.json", hole), "-o", "times"}},
		{"a configuration", []string{"serve", "-addr", "127.0.0.1:0", "-config", hole}},
		{"a comment", []string{"compare", qrelsFile, runFile, "-comment", hole}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			code, _, err := call("", c.args...)
			runtime.ReadMemStats(&after)
			if code != 3 || !strings.Contains(err, "more than") {
				t.Errorf("exit code %d, %s", code, err)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 64<<20 {
				t.Errorf("%d bytes were allocated", n)
			}
		})
	}
	if _, err := os.Stat("/dev/zero"); err == nil {
		if _, err := readWithin("/dev/zero", 1<<40); err == nil || !strings.Contains(err.Error(), "/dev/zero: more than 64 MiB") {
			t.Errorf("a device: %v", err)
		}
	}
	if code, _, err := call(strings.Repeat("a", mostText+1), "analyze"); code != 3 || !strings.Contains(err, "standard input: more than 64 MiB") {
		t.Errorf("a long text: exit code %d, %s", code, err)
	}
}

// A file as long as may be is read whole, whatever length it tells.
func TestWhatIsWithinTheBoundIsReadWhole(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	want := []byte("0123456789")
	if err := os.WriteFile(name, want, 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := readWithin(name, 10); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := readWithin(name, 9); err == nil || err.Error() != name+": more than 9 bytes" {
		t.Error(err)
	}
	for _, size := range []int64{0, 3, 10} {
		if got, err := allWithin(bytes.NewReader(want), size, 10); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d: %q, %v", size, got, err)
		}
		if _, err := allWithin(bytes.NewReader(want), size, 9); err == nil {
			t.Errorf("%d: no error", size)
		}
	}
}

// Files are read by readWithin and allWithin, or by readers with limits, nowhere else whole.
func TestFilesAreReadWithinBounds(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	bundles, err := filepath.Glob("../../core/bundle/*.go") // of folders of vectors, which are anybody's
	if err != nil || len(bundles) == 0 {
		t.Fatal(err)
	}
	names = append(names, bundles...)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "bundle/read.go") { // which bounds them
			continue
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			x, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			switch p, _ := x.X.(*ast.Ident); {
			case p == nil:
			case p.Name == "os" && x.Sel.Name == "ReadFile", p.Name == "fs" && x.Sel.Name == "ReadFile", p.Name == "io" && x.Sel.Name == "ReadAll":
				t.Errorf("%s: %s.%s reads whatever is there: use readWithin or readFile", files.Position(n.Pos()), p.Name, x.Sel.Name)
			}
			return true
		})
	}
}
