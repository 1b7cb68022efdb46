package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// benchDoc is where bench writes, benchNotes what it puts beside the figures.
const (
	benchDoc   = "docs/benchmark.md"
	benchNotes = "scripts/bench/notes.md"
)

// bench measures the built site and its search beside other libraries, in one Chromium, and writes docs/benchmark.md.
// What is measured, and how, is in scripts/bench.
func bench(ctx context.Context, p *project, args []string) error {
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	built := fs.Bool("built", false, "do not build the site: measure what is in the folder already")
	only := fs.String("only", "",
		"measure these `parts` only and print them instead of writing the document: rankbox, peers, keys, load, or a "+
			"peer; vectors, alone, for search by vectors; growth, alone, for synthetic collections of up to a "+
			"million documents")
	if err := parseFlags(fs, args); err != nil {
		return err
	}
	start := time.Now()
	collection, err := p.scifact()
	if err != nil {
		return err
	}
	if err := p.packages(ctx); err != nil {
		return err
	}
	browser, err := p.chromium(ctx)
	if err != nil {
		return err
	}
	if *only == "vectors" { // needs no site
		return p.benchVectors(ctx, browser)
	}
	if *only == "growth" {
		return p.benchGrowth(ctx, browser)
	}
	if !*built {
		if err := p.site(ctx); err != nil {
			return err
		}
	}
	dir := p.path(".cache/bench")
	if err := p.step("compile for bench", func() error { return p.benchPrograms(ctx, dir) }); err != nil {
		return err
	}
	if err := p.step("measure", func() error { return p.measure(ctx, dir, collection, browser, *only) }); err != nil {
		return err
	}
	if *only != "" {
		text, err := os.ReadFile(filepath.Join(dir, "result.json"))
		fmt.Printf("%s\n", text)
		return err
	}
	var r *figures
	if err := p.step("judge and compress", func() error {
		r, err = p.figures(ctx, dir, collection)
		return err
	}); err != nil {
		return err
	}
	notes, err := os.ReadFile(p.path(benchNotes))
	if err != nil {
		return err
	}
	text := r.document(string(notes))
	for _, t := range r.targets() {
		p.say("  %-7s %s: %s (%s)", t.verdict(), t.what, t.have, t.want)
	}
	p.say("  measured in %.0f s; %s", time.Since(start).Seconds(), benchDoc)
	return update(p.path(benchDoc), []byte(text))
}

// scifact returns the folder of SciFact, which is no part of the repository.
func (p *project) scifact() (string, error) {
	root := os.Getenv("RANKBOX_SHARED")
	if root == "" {
		root = filepath.Join(filepath.Dir(p.root), "shared")
	}
	dir := filepath.Join(root, "data", "scifact")
	for _, name := range []string{"corpus.jsonl", "queries.jsonl", "qrels/test.tsv"} {
		if !exist(filepath.Join(dir, name)) {
			return "", fmt.Errorf("bench measures on SciFact in BEIR's layout, of which data/scifact/%s is absent: "+
				"set RANKBOX_SHARED to the folder that holds data/", name)
		}
	}
	return filepath.Abs(dir)
}

// benchPrograms compiles what is measured and what judges it.
func (p *project) benchPrograms(ctx context.Context, dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	args := published(small(firstProgram)...) // as the worker of the site is
	if _, err := p.run(ctx, jsWasm, "go",
		append(args, "-o", filepath.Join(dir, "bench.wasm"), "./wasm/bench")...); err != nil {
		return err
	}
	if _, err := p.run(ctx, nil, "go", "build", "-o", p.path(".cache/bin/rankbox"), "./cmd/rankbox"); err != nil {
		return err
	}
	glue, err := p.wasmExec(ctx)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "wasm_exec.js"), glue, 0o666)
}

// measure runs scripts/bench/bench.mjs, which leaves its figures, runs and indexes in dir.
func (p *project) measure(ctx context.Context, dir, collection, browser, only string) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Minute)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	env := []string{"CHROMIUM=" + browser, "RANKBOX_BUILD=" + self, "RANKBOX_BENCH=" + dir,
		"RANKBOX_SCIFACT=" + collection, "RANKBOX_ONLY=" + only}
	c := p.cmd(ctx, env, "node", "--test", "--test-reporter=spec", p.path("scripts/bench/bench.mjs"))
	c.Stdout, c.Stderr = p.log, p.log
	return c.Run()
}

// spread is a median and a 95th percentile, in milliseconds.
type spread struct{ Median, P95 float64 }

// figures are everything that was measured. Times are in milliseconds.
type figures struct {
	Documents, Queries int
	Rankbox            struct {
		Kernel, Plain struct {
			spread
			Rank   spread
			Stream float64 // mean of all queries in a row
		}
		Read, Build, LoadFirst, LoadAgain float64
	}
	Peers map[string]*peer
	Keys  struct {
		spread
		Pressed, Changed              int
		Asked, Answered, Drawn, Shown spread // the stages, one after the other
	}
	Load struct{ FirstPaint, LargestPaint, Program, Usable, Finished spread }
	// Leaks is the number of requests that went anywhere but to our servers.
	Leaks    int
	Chromium string

	// What follows is found out here.
	machine     string
	ndcg        map[string]float64
	bytes       map[string]int // of each index, as stored
	brotli      map[string]int
	wasm        int // all wasm of the site, brotli
	wasmDetails []string
}

// peer is another library.
type peer struct {
	Name, Version, Settings string
	spread
	Build float64
}

// peerOrder is the order of the rows; the two of MiniSearch are those that targets name.
var peerOrder = []string{"minisearch", "minisearch-stems", "flexsearch", "flexsearch-context", "orama", "lunr",
	"sqlite"}

// figures reads what was measured and adds nDCG@10, sizes and the machine.
func (p *project) figures(ctx context.Context, dir, collection string) (*figures, error) {
	r := &figures{ndcg: map[string]float64{}, bytes: map[string]int{}, brotli: map[string]int{}}
	text, err := os.ReadFile(filepath.Join(dir, "result.json"))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("result.json: %w", err)
	}
	indexes := map[string][]byte{}
	for _, id := range append([]string{"rankbox", "rankbox-flat"}, peerOrder...) {
		if indexes[id], err = os.ReadFile(filepath.Join(dir, id+".index")); err != nil {
			return nil, err
		}
		r.bytes[id] = len(indexes[id])
		if id == "rankbox-flat" {
			continue
		}
		out, err := p.run(ctx, nil, p.path(".cache/bin/rankbox"), "eval", "-quiet", "-p", "6",
			filepath.Join(collection, "qrels", "test.tsv"), filepath.Join(dir, id+".run"), "nDCG@10")
		if err != nil {
			return nil, err
		}
		words := strings.Fields(string(out))
		if len(words) != 2 {
			return nil, fmt.Errorf("rankbox eval printed %q", out)
		}
		if r.ndcg[id], err = strconv.ParseFloat(words[1], 64); err != nil {
			return nil, err
		}
	}
	small, err := p.compress(ctx, indexes)
	if err != nil {
		return nil, err
	}
	for id := range indexes {
		r.brotli[id] = len(small[id+".br"])
	}
	config, err := p.netlify()
	if err != nil {
		return nil, err
	}
	files, err := readTree(p.path(config.Publish))
	if err != nil {
		return nil, err
	}
	for _, name := range sortedKeys(files) {
		if strings.HasSuffix(name, ".wasm") {
			n := len(files[name+".br"])
			if n == 0 {
				n = len(files[name])
			}
			r.wasm += n
			stem, _, _ := strings.Cut(filepath.Base(name), ".")
			r.wasmDetails = append(r.wasmDetails, fmt.Sprintf("%s %s kB", stem, significant(float64(n)/1000)))
		}
	}
	r.machine = fmt.Sprintf("%d cores%s, %s/%s, Chromium %s (headless), %s", runtime.NumCPU(), processor(),
		runtime.GOOS, runtime.GOARCH, r.Chromium, runtime.Version())
	return r, nil
}

// processor returns the name of the processor in brackets, "" where it is not known.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range bytes.Lines(text) {
		if name, value, _ := strings.Cut(string(line), ":"); strings.TrimSpace(name) == "model name" {
			return " (" + strings.TrimSpace(value) + ")"
		}
	}
	return ""
}

// target is one promise beside what was measured.
type target struct {
	id         string // of its note
	what       string
	have, want string
	met        bool
}

func (t target) verdict() string {
	if t.met {
		return "met"
	}
	return "not met"
}

// targets returns the promises in their order.
func (r *figures) targets() []target {
	k := &r.Rankbox.Kernel
	times, quality := math.Inf(1), 0.0
	for _, id := range peerOrder[:2] {
		if m := r.Peers[id]; m != nil {
			times = min(times, m.Median/k.Median)
			quality = max(quality, r.ndcg[id])
		}
	}
	under := func(id, what string, have, limit float64, unit func(float64) string) target {
		return target{id, what, unit(have), "≤ " + unit(limit), have <= limit}
	}
	return []target{
		under("query", "a query over SciFact, top 100, in the worker: median", k.Median, 0.018, duration),
		{"minisearch", "the same beside MiniSearch, the faster of its two settings, at the better nDCG@10 of the two",
			fmt.Sprintf("%s times as fast, %.4f beside %.4f", significant(times), r.ndcg["rankbox"], quality),
			"≥ 100 times, higher", times >= 100 && r.ndcg["rankbox"] > quality},
		under("build", "building the index in the tab, in a new worker", r.Rankbox.Build, 400, duration),
		under("load", "loading the stored index, in a new worker", r.Rankbox.LoadFirst, 5, duration),
		under("index", "the index with frequencies, lengths and terms, brotli", float64(r.brotli["rankbox-flat"]),
			580_000, kilobytes),
		under("keystroke", "keystroke to painted results, demo, four systems: p95", r.Keys.P95, 50, duration),
		under("paint", "first contentful paint, which has the finished comparison, on slow 4G with a 4 times "+
			"slower processor", r.Load.FirstPaint.Median, 1500, duration),
		under("usable", "results of a typed query on the same", r.Load.Usable.Median, 7000, duration),
		under("finished", "the lists of a judged query that is clicked there before the program has come",
			r.Load.Finished.Median, 500, duration),
		under("wasm", "all wasm together, brotli", float64(r.wasm), 1_500_000, kilobytes),
		{"requests", "requests to anyone else", strconv.Itoa(r.Leaks), "none", r.Leaks == 0},
	}
}

// document returns docs/benchmark.md. notes has a section for each target, which is taken where that is not met, and
// for each other heading, which always is.
func (r *figures) document(notes string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# How fast\n")
	line("Written by `go run ./build bench`. Measured in one run of one browser: %s.\n", r.machine)
	line("| what | measured | promised | |\n|---|---:|---:|---|")
	targets := r.targets()
	for _, t := range targets {
		line("| %s | %s | %s | %s |", t.what, t.have, t.want, t.verdict())
	}
	always, byTarget := split(notes, targets)
	header := false
	for _, t := range targets {
		if t.met {
			continue
		}
		if !header {
			line("\n## What is not met, and what bounds it\n")
			header = true
		}
		note := byTarget[t.id]
		if note == "" {
			note = "not looked into yet."
		}
		line("- **%s** (%s, promised %s): %s", t.what, t.have, t.want, note)
	}

	line("\n## Search in a tab, beside other libraries\n")
	line("SciFact: %s documents (title and abstract), the %d judged queries of its test split, which are whole "+
		"sentences, top 100. Each library in a worker of its own.\n", thousands(r.Documents), r.Queries)
	line("| | settings | nDCG@10 | query, median | p95 | × | index build | index | brotli " +
		"|\n|---|---|---:|---:|---:|---:|---:|---:|---:|")
	k, plain := &r.Rankbox.Kernel, &r.Rankbox.Plain
	row := func(name, settings, id string, s spread, build float64) {
		line("| %s | %s | %.4f | %s | %s | %s | %s | %s | %s |", name, settings, r.ndcg[id], duration(s.Median),
			duration(s.P95), significant(s.Median/k.Median), duration(build),
			kilobytes(float64(r.bytes[id])), kilobytes(float64(r.brotli[id])))
	}
	row("**Rankbox**", "bm25, SIMD kernels", "rankbox", k.spread, r.Rankbox.Build)
	row("Rankbox", "bm25, loops in Go", "rankbox", plain.spread, r.Rankbox.Build)
	for _, id := range peerOrder {
		if p := r.Peers[id]; p != nil {
			row(p.Name+" "+p.Version, strings.ReplaceAll(p.Settings, "|", `\|`), id, p.spread, p.Build)
		}
	}
	line("\n× is how many times Rankbox's median. Rankbox's index also tells title from text; without that it is "+
		"%s, %s brotli.", kilobytes(float64(r.bytes["rankbox-flat"])),
		kilobytes(float64(r.brotli["rankbox-flat"])))

	line("\n## Where Rankbox's time goes\n")
	line("| | kernels | loops in Go |\n|---|---:|---:|")
	line("| query, text to hits: median, p95 | %s, %s | %s, %s |", duration(k.Median), duration(k.P95),
		duration(plain.Median), duration(plain.P95))
	line("| query, terms to hits: median, p95 | %s, %s | %s, %s |", duration(k.Rank.Median), duration(k.Rank.P95),
		duration(plain.Rank.Median), duration(plain.Rank.P95))
	line("| %d different queries in a row, text to hits: mean | %s | %s |", r.Queries, duration(k.Stream),
		duration(plain.Stream))
	line("\n| | |\n|---|---:|")
	line("| reading corpus.jsonl | %s |", duration(r.Rankbox.Read))
	line("| building the index | %s |", duration(r.Rankbox.Build))
	line("| loading it, the first time in a worker | %s |", duration(r.Rankbox.LoadFirst))
	line("| loading it again, compiled code warm | %s |", duration(r.Rankbox.LoadAgain))

	r.page(line)
	line("\nWasm, brotli: %s.", strings.Join(r.wasmDetails, ", "))
	b.WriteString(always)
	return b.String()
}

// page writes the table of the page: keystrokes, and first visits over a slow network.
func (r *figures) page(line func(format string, args ...any)) {
	line("\n## The page\n")
	line("| | median | p95 |\n|---|---:|---:|")
	pair := func(what string, s spread) { line("| %s | %s | %s |", what, duration(s.Median), duration(s.P95)) }
	pair(fmt.Sprintf("keystroke to painted results (%d of %d keystrokes changed a list)", r.Keys.Changed,
		r.Keys.Pressed), r.Keys.spread)
	pair("— until the worker is asked", r.Keys.Asked)
	pair("— until it has answered", r.Keys.Answered)
	pair("— until the lists are changed", r.Keys.Drawn)
	pair("— until they are painted, the wait for the frame included", r.Keys.Shown)
	pair("first visit, slow: first contentful paint", r.Load.FirstPaint)
	pair("first visit, slow: largest contentful paint", r.Load.LargestPaint)
	pair("first visit, slow: the program is there and compiled", r.Load.Program)
	pair("first visit, slow: the query typed meanwhile is answered", r.Load.Usable)
	pair("first visit, slow: from the click on a judged query to its lists, before the program", r.Load.Finished)
}

// split takes notes apart at their headings "## …": those of targets by id, as one paragraph each, and the others as
// they are. What stands before the first heading is left out.
func split(notes string, targets []target) (always string, byTarget map[string]string) {
	byTarget = map[string]string{}
	ids := map[string]bool{}
	for _, t := range targets {
		ids[t.id] = true
	}
	for i, section := range strings.Split("\n"+notes, "\n## ") {
		name, text, _ := strings.Cut(section, "\n")
		switch {
		case i == 0:
		case ids[name]:
			byTarget[name] = strings.Join(strings.Fields(text), " ")
		default:
			always += "\n## " + name + "\n\n" + strings.TrimSpace(text) + "\n"
		}
	}
	return always, byTarget
}

// significant writes a number with three significant digits.
func significant(v float64) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Sprint(v)
	}
	digits := max(0, 2-int(math.Floor(math.Log10(math.Abs(v)))))
	s := strconv.FormatFloat(v, 'f', digits, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// duration writes milliseconds in the unit that suits them.
func duration(ms float64) string {
	switch {
	case ms < 1:
		return significant(ms*1000) + " µs"
	case ms < 1000:
		return significant(ms) + " ms"
	}
	return significant(ms/1000) + " s"
}

func kilobytes(n float64) string { return strconv.FormatFloat(n/1000, 'f', 0, 64) + " kB" }

func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
