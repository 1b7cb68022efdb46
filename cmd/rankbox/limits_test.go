package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Input of a file is bounded: a file of more than is read of it, and one without an end.
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
		{"vectors of a model", []string{"search", beir, "-vectors", filepath.Dir(link("models/minilm/meta.json", hole)),
			"-s", "dense"}},
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
		if _, err := readFile("/dev/zero", 1<<40); err == nil || err.Error() != "/dev/zero: more than 64 MiB" {
			t.Errorf("a device: %v", err)
		}
	}
	if code, _, err := call(strings.Repeat("a", mostText+1), "analyze"); code != 3 ||
		!strings.Contains(err, "standard input: more than 64 MiB") {
		t.Errorf("a long text: exit code %d, %s", code, err)
	}
}

// Files are read by package within and readFile, or by readers with limits, nowhere else whole.
func TestFilesAreReadWithinBounds(t *testing.T) {
	var names []string
	// folders of vectors are anybody's
	for _, folder := range []string{".", "edge", "../../core/retrieve/bundle", "../../core/intake"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(folder, err)
		}
		names = append(names, files...)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
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
			case p.Name == "os" && x.Sel.Name == "ReadFile", p.Name == "fs" && x.Sel.Name == "ReadFile",
				p.Name == "io" && x.Sel.Name == "ReadAll":
				t.Errorf("%s: %s.%s reads whatever is there: use package within or readFile", files.Position(n.Pos()),
					p.Name, x.Sel.Name)
			}
			return true
		})
	}
}
