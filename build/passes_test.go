package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPasses runs a real file of tests again and again, as what it depends on changes or does not.
func TestPasses(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("Node.js is absent")
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	const head = "import test from 'node:test';\n"
	const good, bad = head + "test('x', () => {});", head + "test('x', () => { throw new Error('wrong rank'); });"
	write("dist/index.html", "a page")
	tool := write(".cache/tool", "a program")
	file, other := write("site/e2e/a.test.mjs", good), write("site/e2e/b.test.mjs", good)
	steps := []struct {
		name   string
		change func()
		fresh  bool
		ran    int // of two files
		failed int
	}{
		{"at first both run", func() {}, false, 2, 0},
		{"nothing has changed", func() {}, false, 0, 0},
		{"nothing has changed, but all is to run", func() {}, true, 2, 0},
		{"a test has changed", func() { write("site/e2e/b.test.mjs", good+" // again") }, false, 1, 0},
		{"a Go file has changed, and no program", func() { write("core/a.go", "package core") }, false, 0, 0},
		{"a page of the site has changed", func() { write("dist/index.html", "another page") }, false, 2, 0},
		{"a program has changed", func() { write(".cache/tool", "another program") }, false, 2, 0},
		{"what tests share has changed", func() { write("site/e2e/harness.mjs", "// new") }, false, 2, 0},
		{"a test fails", func() { write("site/e2e/b.test.mjs", bad) }, false, 1, 1},
		{"what failed runs again", func() {}, false, 1, 1},
		{"what passed before it failed need not run", func() {
			write("site/e2e/b.test.mjs", good+" // again")
		}, false, 0, 0},
		{"a setting has changed", func() { t.Setenv("RANKBOX_KILLS", "3") }, false, 2, 0},
	}
	for _, s := range steps {
		s.change()
		var out strings.Builder
		p := newProject(dir, &out)
		p.fresh = s.fresh
		seen, err := p.passes(context.Background(), []string{file, other}, node, tool)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.nodeTests(context.Background(), nil, []string{file, other}, seen)
		if err != nil {
			t.Fatal(err)
		}
		if ran := 2 - strings.Count(out.String(), "nothing has changed since"); ran != s.ran ||
			got.Failed != s.failed || got.Passed != 2-s.failed {
			t.Errorf("%s: %d of two ran, %d passed, %d failed; want %d, %d, %d\n%s", s.name, ran, got.Passed,
				got.Failed, s.ran, 2-s.failed, s.failed, out.String())
		}
	}
}

func TestTogether(t *testing.T) {
	for processors, want := range map[int]int{1: 2, 2: 2, 3: 2, 4: 2, 5: 3, 8: 4, 16: 8} {
		if got := together(processors); got != want {
			t.Errorf("%d processors: %d files at a time, want %d", processors, got, want)
		}
	}
}
