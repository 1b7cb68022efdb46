package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/build/internal/gotest"
)

// TestChecksAreInOrder holds that what a check needs comes before it, in its lane or in the first: otherwise it would
// run all the same, or two lanes could wait for each other.
func TestChecksAreInOrder(t *testing.T) {
	seen := map[string]lane{}
	for _, c := range checks {
		for _, n := range c.needs {
			if l, ok := seen[n]; !ok || l != first && l != c.lane {
				t.Errorf("%s needs %s, which does not come before it in its lane or in the first", c.name, n)
			}
		}
		if _, ok := seen[c.name]; ok {
			t.Errorf("two checks are called %s", c.name)
		}
		seen[c.name] = c.lane
	}
}

func TestRunChecks(t *testing.T) {
	fine := func(*project, context.Context) (gotest.Result, error) {
		return gotest.Result{Passed: 3, Skipped: 1, Skips: []string{"p TestX: no network"}}, nil
	}
	broken := func(*project, context.Context) (gotest.Result, error) {
		return gotest.Result{Passed: 1}, errors.New("the disk is full")
	}
	alone := func(*project, context.Context) (gotest.Result, error) {
		return gotest.Result{Passed: 1, Alone: []string{"a.test.mjs"}}, nil
	}
	var out bytes.Buffer
	got := runChecks(context.Background(), newProject(t.TempDir(), &out), []check{
		{"one", first, nil, fine}, {"two", first, nil, broken}, {"three", browsers, []string{"two"}, fine},
		{"four", browsers, []string{"three"}, fine}, {"five", packages, []string{"one"}, fine},
		{"six", packages, nil, alone},
	})
	if got.Passed != 8 || got.Failed != 3 || got.Skipped != 2 || len(got.Skips) != 2 ||
		!slices.Equal(got.Alone, []string{"a.test.mjs"}) {
		t.Errorf("%+v", got)
	}
	for _, want := range []string{"ok   one: 3 passed, 1 skipped",
		"== two\n    the disk is full\nFAIL two: 1 passed, 1 failed", "not run, since this failed: two",
		"not run, since this failed: three", "ok   five", "what took how long, some of it side by side:\n",
		"s  five\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	out.Reset()
	if got := runChecks(ctx, newProject(t.TempDir(), &out),
		[]check{{"one", first, nil, fine}, {"two", browsers, nil, fine}}); got.Failed != 1 || got.Passed != 0 {
		t.Errorf("after an interruption: %+v", got)
	}
	if want := "interrupted; not run: one, two\n"; !strings.Contains(out.String(), want) {
		t.Errorf("%q is not in\n%s", want, out.String())
	}
}

// TestLanes holds that lanes run side by side, and that what is to run by itself waits for the end of the others: each
// check here goes on only when the other has got somewhere, which no order of one after the other allows.
func TestLanes(t *testing.T) {
	begun, waits, over := make(chan bool), make(chan bool), false
	var out bytes.Buffer
	got := runChecks(context.Background(), newProject(t.TempDir(), &out), []check{
		{"browser", browsers, nil, func(p *project, _ context.Context) (gotest.Result, error) {
			<-begun
			close(waits)
			p.others()
			if !over {
				return gotest.Result{}, errors.New("the other lane still runs")
			}
			return gotest.Result{Passed: 1}, nil
		}},
		{"package", packages, nil, func(*project, context.Context) (gotest.Result, error) {
			close(begun)
			<-waits
			return gotest.Result{Passed: 1}, nil
		}},
		{"last", packages, nil, func(*project, context.Context) (gotest.Result, error) {
			over = true
			return gotest.Result{Passed: 1}, nil
		}},
	})
	if got.Passed != 3 || got.Failed != 0 {
		t.Errorf("%+v\n%s", got, out.String())
	}
}

// TestNodeTests runs real files of tests: what fails beside others and passes by itself counts as passed and is named,
// what is broken fails.
func TestNodeTests(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("Node.js is absent")
	}
	const head = "import test from 'node:test'; import fs from 'node:fs';\n"
	cases := []struct {
		name                    string
		files                   map[string]string
		passed, failed, skipped int
		alone                   []string
		says                    string
	}{
		{"all is well", map[string]string{"a": "test('x', () => {});",
			"b": "test('x', () => {}); test('y', () => {});"}, 3, 0, 0, nil, "ok   b.test.mjs: 2 passed, 0 failed"},
		{"one passes by itself",
			map[string]string{"a": "test('x', () => {});",
				"b": "test('x', () => {}); test('y', () => { if (!fs.existsSync('seen')) { fs.writeFileSync('seen', " +
					"''); throw new Error('slow'); } });"},
			3, 0, 0, []string{"b.test.mjs"}, "ok   b.test.mjs, by itself: 2 passed, 0 failed"},
		{"one fails again", map[string]string{"a": "test('x', () => {});",
			"b": "test('x', () => { throw new Error('wrong rank'); });"}, 1, 1, 0, nil, "wrong rank"},
		{"one cannot be read", map[string]string{"a": "test('x', () => {});", "b": "this is no script"}, 1, 1, 0, nil,
			"SyntaxError"},
		{"one exits in the middle",
			map[string]string{"a": "test('x', () => {});", "b": "test('x', () => {}); process.exit(3);"}, 1, 1, 0, nil,
			"FAIL b.test.mjs, by itself"},
		{"all are skipped", map[string]string{"a": "test('x', { skip: 'no Firefox' }, () => {});"}, 0, 0, 1, nil,
			"ok   a.test.mjs"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			var files []string
			for name, text := range c.files {
				file := filepath.Join(dir, name+".test.mjs")
				if err := os.WriteFile(file, []byte(head+text), 0o666); err != nil {
					t.Fatal(err)
				}
				files = append(files, file)
			}
			var out bytes.Buffer
			waited := 0
			p := newProject(dir, &out).beside(&out, func() { waited++ })
			p.live = nil
			got, err := p.nodeTests(context.Background(), nil, files)
			if err != nil {
				t.Fatal(err)
			}
			if got.Passed != c.passed || got.Failed != c.failed || got.Skipped != c.skipped ||
				!slices.Equal(got.Alone, c.alone) {
				t.Errorf("%+v\n%s", got, out.String())
			}
			if again := strings.Contains(out.String(), "by itself"); again != (waited == 1) {
				t.Errorf("run again: %v, waited for the others %d times", again, waited)
			}
			if !strings.Contains(out.String(), c.says) {
				t.Errorf("%q is not in\n%s", c.says, out.String())
			}
		})
	}
}

func TestOrdered(t *testing.T) {
	got := ordered([]string{"e/a.test.mjs", "e/b.test.mjs", "e/c.test.mjs", "e/d.test.mjs"}, []string{"d", "b"})
	if want := []string{"e/d.test.mjs", "e/b.test.mjs", "e/a.test.mjs", "e/c.test.mjs"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
