package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestFuzzUsage(t *testing.T) {
	for _, args := range [][]string{{"-n", "0"}, {"-n", "-5"}, {"-n", "many"}, {"-run", "("},
		{"-run", "no target is called this"}, {"x"}, {"-nope"}} {
		var usage usageError
		if err := run(context.Background(), append([]string{"fuzz"}, args...)); !errors.As(err, &usage) {
			t.Errorf("%q: error %v, want a usage error", args, err)
		}
	}
}

func TestFuzzTargets(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{
		"b/x_test.go": "package b\n\nimport \"testing\"\n\nfunc FuzzTwo(f *testing.F) {}\nfunc FuzzOne(f " +
			"*testing.F) {}\nfunc Fuzzy(f *testing.F) {}\nfunc FuzzLimits() {}\nfunc FuzzT(t *testing.T) {}\n",
		"b/y_js_test.go": "package b\n\nimport \"testing\"\n\nfunc FuzzBrowser(f *testing.F) {}\n",
		"b/z_test.go": "//go:build never\n\npackage b\n\nimport \"testing\"\n\nfunc FuzzNever(f " +
			"*testing.F) {}\n",
		"b/x.go": "package b\n\nimport \"testing\"\n\nfunc FuzzNoTest(f *testing.F) {}\n",
		"a/c/x_test.go": "package c_test\n\nimport \"testing\"\n\ntype T int\n\nfunc (T) FuzzMethod(f " +
			"*testing.F) {}\n\n// FuzzFar is outside the package.\nfunc FuzzFar(g *testing.F) {}\n",
		"a/testdata/x_test.go":   "package c\n\nimport \"testing\"\n\nfunc FuzzData(f *testing.F) {}\n",
		"node_modules/x_test.go": "package c\n\nimport \"testing\"\n\nfunc FuzzForeign(f *testing.F) {}\n",
	})
	got, err := newProject(root, new(bytes.Buffer)).fuzzTargets()
	if want := []fuzzTarget{{"a/c", "FuzzFar"}, {"b", "FuzzOne"}, {"b", "FuzzTwo"}}; err != nil ||
		!reflect.DeepEqual(got, want) {
		t.Errorf("%v, error %v", got, err)
	}
}

// TestFuzzTargetsOfTheRepository holds the scan to every line of the repository that says "func Fuzz".
func TestFuzzTargetsOfTheRepository(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	p := newProject(root, new(bytes.Buffer))
	got, err := p.fuzzTargets()
	if err != nil {
		t.Fatal(err)
	}
	files, err := p.sourceFiles(".go")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range files {
		text, err := os.ReadFile(p.path(name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "func Fuzz") && strings.Contains(line, "*testing.F)") {
				n++
			}
		}
	}
	if len(got) != n || n < 30 {
		t.Errorf("%d targets, %d lines", len(got), n)
	}
}

func TestFuzzDoc(t *testing.T) {
	d := &fuzzReport{rows: []fuzzRow{
		{fuzzTarget: fuzzTarget{"core/share", "FuzzDecode"}, Executions: 1_000_000, Time: 3723 * time.Second,
			Inputs: 12, Code: "0123456789ab"},
		{fuzzTarget: fuzzTarget{"core/wire", "FuzzUnmarshal"}, Executions: 999, Time: 61 * time.Second,
			Code:    "ba9876543210",
			Crashes: []string{"core/wire/testdata/fuzz/FuzzUnmarshal/1", "core/wire/testdata/fuzz/FuzzUnmarshal/2"}},
		{fuzzTarget: fuzzTarget{"core/wire", "FuzzZ"}},
	}}
	d.found(d.rows[1].Crashes...)
	text := d.text(1_000_000)
	for _, want := range []string{
		"1 of 3 targets have reached 1,000,000 executions without a failure; 1,000,999 executions in all, 1h 3m 4s.",
		"| FuzzDecode | core/share | 1,000,000 | 1h 2m 3s | 12 | none | 0123456789ab |",
		"| FuzzZ | core/wire | 0 | 0s | 0 | not run | - |",
		"- `core/wire/testdata/fuzz/FuzzUnmarshal/2`\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	again, err := parseFuzzDoc(text)
	if err != nil || !reflect.DeepEqual(again, d) {
		t.Errorf("%+v, error %v", again, err)
	}
	again.keep([]fuzzTarget{{"core/a", "FuzzNew"}, {"core/share", "FuzzDecode"}})
	if len(again.rows) != 2 || again.rows[0].Name != "FuzzNew" || again.rows[1].Executions != 1_000_000 ||
		len(again.fails) != 2 {
		t.Errorf("%+v", again)
	}
	for _, bad := range []string{"| FuzzA | b | 1 |\n", "| FuzzA | b | x | 1s | 0 | none | 0 |\n",
		"| FuzzA | b | 1 | soon | 0 | none | 0 |\n"} {
		if _, err := parseFuzzDoc(bad); err == nil || !strings.HasPrefix(err.Error(), fuzzDoc+":1: ") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

// TestFuzz runs two small targets: one that holds, one that the fuzzer breaks.
func TestFuzz(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs")
	}
	root := t.TempDir()
	write(t, root, map[string]string{
		"go.mod": "module example.test/fuzzed\n\ngo 1.26\n",
		"a/a.go": "package a\n\nfunc Bad(b []byte) bool { return len(b) > 3 && b[0] == 'x' }\n",
		"a/a_test.go": "package a\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nvar n int\n\nfunc FuzzFine(f " +
			"*testing.F) {\n\tf.Add([]byte(\"1\"))\n\tf.Fuzz(func(t *testing.T, b []byte) {\n\t\tBad(b)\n\t\tif n++; " +
			"n == 5000 {\n\t\t\tos.WriteFile(\"begun\", nil, 0o666)\n\t\t}\n\t})\n}\n",
		"b/b_test.go": "package b\n\nimport (\n\t\"testing\"\n\n\t\"example.test/fuzzed/a\"\n)\n\nfunc FuzzBroken(f " +
			"*testing.F) {\n\tf.Add([]byte(\"xyz\"))\n\tf.Fuzz(func(t *testing.T, b []byte) {\n\t\tif a.Bad(b) " +
			"{\n\t\t\tt.Fatal(\"bad\")\n\t\t}\n\t})\n}\n",
		"c/c_test.go": "package c\n\nimport \"testing\"\n\nfunc FuzzSeed(f *testing.F) " +
			"{\n\tf.Add([]byte(\"xyz\"))\n\tf.Fuzz(func(t *testing.T, b []byte) { t.Fatal(\"always\") })\n}\n",
		"d/d_test.go": "package d\n\nimport \"testing\"\n\nfunc FuzzUncompiled(f *testing.F) { nothing() }\n",
	})
	var log bytes.Buffer
	p := newProject(root, &log)
	err := fuzz(context.Background(), p, []string{"-n", "2000", "-run", "Fine|Broken|Seed"})
	if err == nil || err.Error() != "2 of 3 targets failed: b FuzzBroken, c FuzzSeed" {
		t.Fatalf("error %v\n%s", err, log.String())
	}
	doc, err := readFuzzDoc(p.path(fuzzDoc))
	if err != nil || len(doc.rows) != 4 {
		t.Fatalf("%+v, error %v", doc, err)
	}
	fine, broken := doc.rows[0], doc.rows[1]
	if fine.Executions < 2000 || len(fine.Crashes) != 0 || len(fine.Code) != 12 {
		t.Errorf("%+v", fine)
	}
	if len(broken.Crashes) != 1 || !p.exists(broken.Crashes[0]) ||
		!strings.HasPrefix(broken.Crashes[0], "b/testdata/fuzz/FuzzBroken/") || len(doc.fails) != 1 {
		t.Errorf("%+v, %v", broken, doc.fails)
	}
	if doc.rows[3].Code != "" {
		t.Errorf("%+v", doc.rows[3])
	}
	if err := fuzz(context.Background(), p, []string{"-n", "10", "-run", "Uncompiled"}); err == nil ||
		!strings.Contains(log.String(), "undefined: nothing") {
		t.Errorf("error %v\n%s", err, log.String())
	}

	// Not again, more of the same, again after the code has changed.
	log.Reset()
	if err := fuzz(context.Background(), p, []string{"-n", "2000", "-run", "Fine"}); err != nil ||
		!strings.HasPrefix(log.String(), "done a FuzzFine") {
		t.Errorf("error %v\n%s", err, log.String())
	}
	if err := fuzz(context.Background(), p, []string{"-n", "3000", "-run", "Fine"}); err != nil {
		t.Error(err)
	}
	if doc, _ = readFuzzDoc(p.path(fuzzDoc)); doc.rows[0].Executions < 3000 || doc.rows[0].Executions >= 4900 {
		t.Errorf("continued to %d executions", doc.rows[0].Executions)
	}
	write(t, root, map[string]string{"a/a.go": "package a\n\nfunc Bad(b []byte) bool { return false }\n"})
	if err := fuzz(context.Background(), p, []string{"-n", "1000"}); err == nil {
		t.Error("no error, though two targets are broken")
	}
	again, err := readFuzzDoc(p.path(fuzzDoc))
	if err != nil || again.rows[0].Executions >= 3000 || again.rows[0].Code == fine.Code ||
		again.rows[1].Code == broken.Code {
		t.Errorf("%+v, error %v", again, err)
	}
	// The input that failed is in the corpus, and listed, though it does not fail any more.
	if len(again.rows[1].Crashes) != 0 || !strings.Contains(strings.Join(again.fails, " "), broken.Crashes[0]) {
		t.Errorf("%+v, %v", again.rows[1], again.fails)
	}
	if _, err := os.Stat(filepath.Join(root, broken.Crashes[0])); err != nil {
		t.Error(err)
	}

	ctx, cancel := context.WithCancel(context.Background())
	// it is interrupted while it runs, however long it takes to be compiled; the fuzzer counts ten times a second
	go func() {
		for !p.exists("a/begun") {
			time.Sleep(50 * time.Millisecond)
		}
		time.Sleep(time.Second)
		cancel()
	}()
	if err := fuzz(ctx, p, []string{"-n", "2000000000", "-run", "Fine"}); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: error %v", err)
	}
	if doc, err = readFuzzDoc(p.path(fuzzDoc)); err != nil || doc.rows[0].Executions <= 1000 ||
		len(doc.rows[0].Crashes) != 0 {
		t.Errorf("interrupted: %+v, error %v", doc.rows[0], err)
	}
}
