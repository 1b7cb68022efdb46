package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/present/chart/facts"
)

// TestMain lets the test program be rankbox itself, which can be killed.
func TestMain(m *testing.M) {
	if args := os.Getenv("RANKBOX_TEST_ARGS"); args != "" {
		os.Exit(run(&context{in: os.Stdin, out: os.Stdout, err: os.Stderr}, strings.Split(args, "\n")))
	}
	os.Exit(m.Run())
}

// itself is rankbox as a process of its own.
func itself(args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "RANKBOX_TEST_ARGS="+strings.Join(args, "\n"))
	return c
}

const wire = "../../site/collections/harbour-wire"

func writeSpec(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "spec.json")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func outcomeHash(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, outcomeFile))
	if err != nil {
		t.Fatal(err)
	}
	var x struct{ Hash string }
	if err := json.Unmarshal(data, &x); err != nil {
		t.Fatal(err)
	}
	return x.Hash
}

func TestRunAndReport(t *testing.T) {
	spec := writeSpec(t, `{"depth": 100, "systems": ["bm25(k1=0.9|1.2) >> rm3?", "dense", "rrf(bm25, dense, `+
		`k=60|10)", "bm25(k1=-1)"], "measures": ["nDCG@10", "AP"], "baseline": "bm25"}`)
	dir := filepath.Join(t.TempDir(), "out")
	code, text, errs := call("", "run", spec, "-collection", wire, "-o", dir)
	if code != 0 || !strings.Contains(text, "harbour-wire: 7 runs; 1 combination cannot be.") ||
		!strings.Contains(errs, "308 of 308 rankings") {
		t.Fatalf("%d %s %s", code, text, errs)
	}
	if code, again, errs := call("", "report", dir); code != 0 || again != text {
		t.Errorf("the report of the folder is another: %d %s %s", code, errs, again)
	}
	code, out, errs := call("", "report", dir, "-o", "json")
	var v any
	d := json.NewDecoder(strings.NewReader(out))
	d.UseNumber()
	if err := d.Decode(&v); code != 0 || err != nil {
		t.Fatal(code, err, errs)
	}
	s := readSchema(t, "experiment")
	for _, bad := range s.check(s, "$", v) {
		t.Error(bad)
	}
	// the report within is that of compare, and so is what compare says of the runs that were kept
	code, compared, errs := call("", "compare", "-quiet", "-q", "-o", "json", filepath.Join(dir, comparisonFile))
	inner, _ := json.Marshal(v.(map[string]any)["report"])
	var a, b any
	if json.Unmarshal(inner, &a) != nil || json.Unmarshal([]byte(compared), &b) != nil || code != 0 {
		t.Fatal(code, errs)
	}
	for _, v := range []any{a, b} { // the data of the comparison name its runs otherwise
		delete(v.(map[string]any), "data")
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	if !bytes.Equal(x, y) {
		t.Errorf("the report is not that of rankbox compare:\n%.300s\n%.300s", x, y)
	}
	r := readSchema(t, "report")
	for _, bad := range r.check(r, "$.report", v.(map[string]any)["report"]) {
		t.Error(bad)
	}
	for format, want := range map[string]string{
		"methods": "We compared 7 systems on harbour-wire (255 documents, 44 judged queries",
		"bibtex":  "@article{robertson2009probabilistic", "latex": `\toprule`, "md": "| "} {
		if code, out, errs := call("", "report", dir, "-o", format); code != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: %d %s %.200s", format, code, errs, out)
		}
	}
	code, page, errs := call("", "report", dir, "-html")
	name := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(name, []byte(page), 0o666); err != nil || code != 0 || len(page) > 300_000 {
		t.Fatal(code, errs, err, len(page))
	}
	if code, again, errs := call("", "compare", "-quiet", "-q", "-o", "json", name); code != 0 || again != compared {
		t.Errorf("the page opens on another report: %d %s", code, errs)
	}
	// the figure of what goes wrong has the named patterns, with the counts of the analyses
	code, drawn, errs := call("", "report", dir, "-figure", "errors", "-o", "csv")
	found, err := readAnalyses(filepath.Join(dir, outcomeFile))
	if err != nil || code != 0 {
		t.Fatal(code, errs, err)
	}
	named := facts.Patterns(found, 7)
	for _, p := range named {
		for i, n := range p.Queries {
			if !strings.Contains(drawn, p.Name) || !strings.Contains(drawn, ","+strconv.Itoa(n)+"\n") {
				t.Errorf("%s of run %d: %d is not in the figure:\n%s", p.Name, i, n, drawn)
			}
		}
	}
	if len(named) < 3 {
		t.Errorf("patterns %v", named)
	}
	if code, _, errs := call("", "run", spec, "-collection", wire, "-o", dir); code != 3 ||
		!strings.Contains(errs, "continue it with -resume") {
		t.Errorf("a folder that is taken: %d %s", code, errs)
	}
	if code, again, errs := call("", "run", spec, "-collection", wire, "-o", dir, "-resume", "-quiet"); code != 0 ||
		errs != "" || !strings.Contains(again, "Experiment "+outcomeHash(t, dir)[:12]) {
		t.Errorf("resumed when done: %d %s", code, errs)
	}
}

func TestRunRefuses(t *testing.T) {
	for _, x := range []struct {
		name, spec string
		args       []string
		code       int
		want       string
	}{
		{"no JSON", `{"systems"`, nil, 3, "spec.json: read spec: line 1"},
		{"a thousand million runs", `{"systems": ["bm25(k1=0..1/0.001,b=0..1/0.001,title=1..1000)"]}`, nil, 3,
			"spec.json: read spec: line 1, column 62: system 1: 1002001000 runs are too many"},
		{"control characters in a path", "{\"systems\": [\"bm25\"],\n\"collection\": \"a\\u001b[2J\"}", nil, 3,
			"spec.json: read spec: line 2, column 27: collection has a control character"},
		{"no collection", `{"systems": ["bm25"]}`, []string{"-collection", ""}, 3, "names no collection"},
		{"resume without a folder", `{"systems": ["bm25"]}`, []string{"-resume"}, 2, "-resume needs the folder"},
		{"no hands", `{"systems": ["bm25"]}`, []string{"-j", "0"}, 2, "want at least 1"},
		{"a form that there is not", `{"systems": ["bm25"]}`, []string{"-f", "pdf"}, 2, "pdf"},
		{"vectors that there are not", `{"systems": ["dense(model=none)"]}`, nil, 4,
			`no run was completed: dense(model=none): harbour-wire has no vectors of the model "none"`},
	} {
		args := append([]string{"run", writeSpec(t, x.spec), "-collection", wire}, x.args...)
		if code, _, errs := call("", args...); code != x.code || !strings.Contains(errs, x.want) {
			t.Errorf("%s: %d %s", x.name, code, errs)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, journalFile), []byte("something else"), 0o666); err != nil {
		t.Fatal(err)
	}
	spec := writeSpec(t, `{"systems": ["bm25"]}`)
	if code, _, errs := call("", "run", spec, "-collection", wire, "-o", dir, "-resume"); code != 3 ||
		!strings.Contains(errs, "a format that this version cannot read") {
		t.Errorf("a foreign journal: %d %s", code, errs)
	}
	if code, _, errs := call("", "report", dir); code != 3 ||
		!strings.Contains(errs, "holds an unfinished experiment") {
		t.Errorf("the report of an unfinished experiment: %d %s", code, errs)
	}
}

// A folder in which nothing can be saved, and one that another process works on, are noticed before any work. A full
// disk is no success.
func TestRunNoticesAFolderThatItCannotUse(t *testing.T) {
	spec := writeSpec(t, `{"systems": ["bm25"]}`)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{file, filepath.Join(file, "below")} {
		code, _, errs := call("", "run", spec, "-collection", "/nowhere", "-o", out)
		if code != 3 || !strings.Contains(errs, "nothing can be saved in "+file) || strings.Contains(errs, "nowhere") {
			t.Errorf("%s: %d %s", out, code, errs)
		}
	}
	if os.Getuid() > 0 { // root may write anywhere
		locked := t.TempDir()
		if err := os.Chmod(locked, 0o555); err != nil {
			t.Fatal(err)
		}
		if code, _, errs := call("", "run", spec, "-collection", "/nowhere", "-o", locked); code != 3 ||
			!strings.Contains(errs, "permission denied. Nothing was run") {
			t.Errorf("a read-only folder: %d %s", code, errs)
		}
	}

	dir := t.TempDir()
	_, unlock, err := openFolder(dir, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{}, {"-resume"}} {
		code, _, errs := call("", append([]string{"run", spec, "-collection", wire, "-o", dir, "-quiet"}, args...)...)
		if want := fmt.Sprintf("another rankbox works on %s (process %d, since 20", dir, os.Getpid()); code != 3 ||
			!strings.Contains(errs, want) {
			t.Errorf("%v: %d %s\nwant %s", args, code, errs, want)
		}
	}
	unlock()
	if code, _, errs := call("", "run", spec, "-collection", wire, "-o", dir, "-quiet"); code != 0 {
		t.Errorf("once it is free: %d %s", code, errs)
	}

	full := unfinished("x", &os.PathError{Op: "write", Path: "x/journal", Err: syscall.ENOSPC}).Error()
	if !strings.Contains(full, "the disk of x is full") || strings.Contains(full, "finished work is saved") {
		t.Error(full)
	}
}

// A process that is killed at random times resumes with the hash of one that was not.
func TestRunSurvivesBeingKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	spec := writeSpec(t, `{"systems": ["bm25(k1=0.6..1.8/0.6, b=0|0.4|0.75) >> rm3?"], "measures": ["nDCG@10"]}`)
	whole := filepath.Join(t.TempDir(), "whole")
	start := time.Now()
	if code, _, errs := call("", "run", spec, "-collection", wire, "-o", whole, "-quiet"); code != 0 {
		t.Fatal(errs)
	}
	took, want := time.Since(start), outcomeHash(t, whole)
	r := rand.New(rand.NewSource(14))
	dir, killed := filepath.Join(t.TempDir(), "killed"), 0
	for range 8 {
		c := itself("run", spec, "-collection", wire, "-o", dir, "-resume", "-quiet")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		stop := time.AfterFunc(time.Duration(r.Int63n(int64(took))), func() { c.Process.Kill() })
		if c.Wait() != nil {
			killed++
		}
		stop.Stop()
	}
	if code, _, errs := call("", "run", spec, "-collection", wire, "-o", dir, "-resume", "-quiet"); code != 0 {
		t.Fatal(errs)
	}
	if got := outcomeHash(t, dir); got != want {
		t.Errorf("killed %d times: hash %s, want %s", killed, got, want)
	}
}

// An experiment that was resumed has the bytes of one that ran through.
func TestResumedExperimentsHaveTheBytesOfStraightOnes(t *testing.T) {
	straight, resumed := t.TempDir(), t.TempDir()
	whole := writeSpec(t, `{"systems": ["bm25", "ql", "rrf(bm25, ql)"], "measures": ["AP"], "baseline": "bm25"}`)
	part := writeSpec(t, `{"systems": ["ql"], "measures": ["AP"]}`)
	for _, args := range [][]string{{whole, "-o", straight}, {part, "-o", resumed}, {whole, "-o", resumed, "-resume"},
		{whole, "-o", resumed, "-resume"}} {
		if code, _, errs := call("", append([]string{"run", "-quiet", "-collection", wire}, args...)...); code != 0 {
			t.Fatal(errs)
		}
	}
	a, err := os.ReadFile(filepath.Join(straight, outcomeFile))
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(resumed, outcomeFile))
	if err != nil || string(a) != string(b) {
		t.Errorf("%v: %d bytes and %d, which differ", err, len(a), len(b))
	}
}
