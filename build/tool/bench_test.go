package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestBenchWithoutCollection(t *testing.T) {
	t.Setenv("RANKBOX_SHARED", t.TempDir())
	err := bench(context.Background(), newProject(t.TempDir(), &bytes.Buffer{}), nil)
	if err == nil || !strings.Contains(err.Error(), "data/scifact/corpus.jsonl is absent") {
		t.Errorf("error %v", err)
	}
}

// measured is a result.json as bench.mjs writes it, with one target missed: the median of a query.
const measured = `{"documents": 5183, "queries": 300, "leaks": 0, "chromium": "156.0",
"rankbox": {"kernel": {"median": 0.0201, "p95": 0.0345, "rank": {"median": 0.0119, "p95": 0.02}, "stream": 0.0257},
 "plain": {"median": 0.048, "p95": 0.09, "rank": {"median": 0.04, "p95": 0.08}, "stream": 0.06},
 "read": 90, "build": 399.6, "loadFirst": 5, "loadAgain": 2.5},
"peers": {"minisearch": {"name": "MiniSearch", "version": "7.2.0", "settings": "a|b", "median": 4.1, "p95": 9.5, "build": 1234.5},
 "minisearch-stems": {"name": "MiniSearch", "version": "7.2.0", "settings": "stems", "median": 2.1, "p95": 4, "build": 1000}},
"keys": {"pressed": 200, "changed": 60, "median": 33, "p95": 45},
"load": {"firstPaint": {"median": 904, "p95": 1032}, "largestPaint": {"median": 904, "p95": 1032}, "program": {"median": 5000, "p95": 5100}, "usable": {"median": 6500, "p95": 7100}}}`

func TestBenchDocument(t *testing.T) {
	r := &figures{machine: "2 cores", wasm: 1_173_138, wasmDetails: []string{"kernel 1.68 kB", "rankbox 1171 kB"},
		ndcg:   map[string]float64{"rankbox": 0.678939, "minisearch": 0.6296, "minisearch-stems": 0.6674},
		bytes:  map[string]int{"rankbox": 1_035_128, "rankbox-flat": 927_937, "minisearch": 7_062_070},
		brotli: map[string]int{"rankbox": 595_284, "rankbox-flat": 569_839}}
	if err := json.Unmarshal([]byte(measured), r); err != nil {
		t.Fatal(err)
	}
	text := r.document("left out\n\n## query\n\nThe stemmer\ntakes it.\n\n## load\n\nnot shown\n\n## How\n\n- a\n- b\n")
	for _, want := range []string{
		"| a query over SciFact, top 100, in the worker: median | 20.1 µs | ≤ 18 µs | not met |",
		"| 104 times as fast, 0.6789 beside 0.6674 | ≥ 100 times, higher | met |",
		"| 400 ms | ≤ 400 ms | met |", "| 5 ms | ≤ 5 ms | met |", "| 570 kB | ≤ 580 kB | met |",
		"| 6.5 s | ≤ 7 s | met |",
		"- **a query over SciFact, top 100, in the worker: median** (20.1 µs, promised ≤ 18 µs): The stemmer " +
			"takes it.\n",
		`| MiniSearch 7.2.0 | a\|b | 0.6296 | 4.1 ms | 9.5 ms | 204 | 1.23 s | 7062 kB | 0 kB |`,
		"SciFact: 5,183 documents", "60 of 200 keystrokes", "\n## How\n\n- a\n- b\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	for _, not := range []string{"left out", "not shown", "NaN", "Inf"} {
		if strings.Contains(text, not) {
			t.Errorf("%q is in\n%s", not, text)
		}
	}
	r.ndcg["minisearch-stems"] = 0.68
	r.Leaks = 2
	text = r.document("")
	for _, want := range []string{"0.6789 beside 0.6800 | ≥ 100 times, higher | not met |", "| 2 | none | not met |",
		"promised none): not looked into yet."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// TestBenchNotes holds that every section of the notes is one of a target or is meant to be shown always.
func TestBenchNotes(t *testing.T) {
	notes, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(benchNotes)))
	if err != nil {
		t.Fatal(err)
	}
	always, _ := split(string(notes), (&figures{}).targets())
	for line := range strings.Lines(always) {
		if name, ok := strings.CutPrefix(line, "## "); ok && strings.ToLower(name[:1]) == name[:1] {
			t.Errorf("%q is not the id of a target", strings.TrimSpace(name))
		}
	}
	if !strings.Contains(always, "## How it is measured") {
		t.Error("the section on the method is gone")
	}
}

func TestSignificant(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.0123456: "0.0123", 1: "1", 1.005: "1", 12.345: "12.3",
		123.45: "123", 1234.5: "1234", 99.96: "100", 5.5: "5.5"} {
		if got := significant(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{0.018: "18 µs", 1.5: "1.5 ms", 999: "999 ms", 1500: "1.5 s"} {
		if got := duration(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}
