package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"time"
)

// growthSizes are the numbers of documents of the growth table.
var growthSizes = []int{10_000, 100_000, 1_000_000}

// growth is what was measured over one size.
type growth struct {
	documents int
	native    map[string]spread // by "k pruned"
	tab       struct {
		Load, Memory float64
		Chromium     string
		Rows         []struct {
			spread
			K      int
			Pruned string // never, always, or default: what the page does
		}
	}
	index float64 // peak memory of rankbox index, in bytes
	peers []growthPeer
}

// growthPeer is another library over the same documents and queries.
type growthPeer struct {
	Name, Version, Settings string
	spread
	Build float64 // in milliseconds
	Same  float64 // part of the best 10 that are ours, over all queries
}

// benchGrowth measures BM25 over synthetic collections of growing size, natively, in Chromium and by other libraries,
// and prints the table of scripts/bench/notes.md.
func (p *project) benchGrowth(ctx context.Context, browser string) error {
	dir := p.path(".cache/growth")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := p.step("compile for bench", func() error {
		if _, err := p.run(ctx, nil, "go", "build", "-o", p.path(".cache/bin/rankbox"), "./cmd/rankbox"); err != nil {
			return err
		}
		return p.richBench(ctx, dir)
	}); err != nil {
		return err
	}
	var all []*growth
	for _, n := range growthSizes {
		var g *growth
		if err := p.step(fmt.Sprintf("measure %s documents", thousands(n)), func() (err error) {
			ctx, cancel := context.WithTimeout(ctx, time.Hour)
			defer cancel()
			g, err = p.growthOf(ctx, dir, browser, n)
			return err
		}); err != nil {
			return err
		}
		all = append(all, g)
	}
	fmt.Print(growthTable(all))
	return nil
}

// richBench compiles wasm/bench as the program with every screen is.
func (p *project) richBench(ctx context.Context, dir string) error {
	args := append(published(small(richProgram)...), "-o", filepath.Join(dir, "bench.wasm"), "./wasm/bench")
	if _, err := p.run(ctx, jsWasm, "go", args...); err != nil {
		return err
	}
	glue, err := p.wasmExec(ctx)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "wasm_exec.js"), glue, 0o666)
}

// growthOf measures n documents. Their files are in a folder of dir, made again each time.
func (p *project) growthOf(ctx context.Context, dir, browser string, n int) (*growth, error) {
	folder := filepath.Join(dir, strconv.Itoa(n))
	if err := os.RemoveAll(folder); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	g := &growth{documents: n}
	at := []string{"RANKBOX_GROWTH=" + strconv.Itoa(n), "RANKBOX_GROWTH_OUT=" + folder}
	out, err := p.run(ctx, at, "go", "test", "./core/retrieve/rank/bm25", "-run", "XXX", "-bench", "Growth/.*/top=100?$",
		"-benchtime", "3x", "-timeout", "50m")
	if err != nil {
		return nil, err
	}
	if g.native, err = nativeGrowth(out); err != nil {
		return nil, err
	}
	at = append(at, "CHROMIUM="+browser, "RANKBOX_BENCH="+dir)
	if out, err = p.run(ctx, at, "node", p.path("scripts/bench/growth.mjs")); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(out, &g.tab); err != nil {
		return nil, fmt.Errorf("growth.mjs: %w", err)
	}
	out, err = p.run(ctx, nil, "python3", p.path("scripts/bench/growth.py"), folder, p.path(".cache/bin/rankbox"))
	if err != nil {
		return nil, err
	}
	var more struct {
		Index float64
		Peers []growthPeer
	}
	if err := json.Unmarshal(out, &more); err != nil {
		return nil, fmt.Errorf("growth.py: %w", err)
	}
	g.index, g.peers = more.Index, more.Peers
	return g, nil
}

var growthLine = regexp.MustCompile(`top=(\d+)/pruned=(\w+)\S*\s.*?([\d.]+) median-µs\s+([\d.]+) p95-µs`)

// nativeGrowth reads what BenchmarkGrowth printed.
func nativeGrowth(out []byte) (map[string]spread, error) {
	native := map[string]spread{}
	for _, m := range growthLine.FindAllSubmatch(out, -1) {
		median, err := strconv.ParseFloat(string(m[3]), 64)
		if err != nil {
			return nil, err
		}
		p95, err := strconv.ParseFloat(string(m[4]), 64)
		if err != nil {
			return nil, err
		}
		native[string(m[1])+" "+string(m[2])] = spread{median / 1000, p95 / 1000}
	}
	if len(native) == 0 {
		return nil, fmt.Errorf("BenchmarkGrowth printed no figure: %q", out)
	}
	return native, nil
}

// growthTable writes the tables in Markdown.
func growthTable(all []*growth) string {
	var b bytes.Buffer
	pair := func(s spread) string {
		if s.Median == 0 {
			return "–"
		}
		return duration(s.Median) + ", " + duration(s.P95)
	}
	fmt.Fprintf(&b, "%d cores%s, %s; Chromium %s; %s.\n\n", runtime.NumCPU(), processor(), runtime.Version(),
		all[0].tab.Chromium, time.Now().Format(time.DateOnly))
	b.WriteString("| documents | best | native, every document | native, pruned " +
		"| tab, every document | tab, pruned | tab, as it comes |\n" +
		"|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, g := range all {
		for _, k := range []int{10, 100} {
			tab := map[string]spread{}
			for _, r := range g.tab.Rows {
				if r.K == k {
					tab[r.Pruned] = r.spread
				}
			}
			at := strconv.Itoa(k)
			fmt.Fprintf(&b, "| %s | %d | %s | %s | %s | %s | %s |\n", thousands(g.documents), k,
				pair(g.native[at+" false"]), pair(g.native[at+" true"]),
				pair(tab["never"]), pair(tab["always"]), pair(tab["default"]))
		}
	}
	b.WriteString("\n| documents | `rankbox index`, memory at most " +
		"| loading the index in the tab | memory of the tab's heap |\n" +
		"|---:|---:|---:|---:|\n")
	for _, g := range all {
		fmt.Fprintf(&b, "| %s | %s MB | %s | %s MB |\n", thousands(g.documents), thousands(int(g.index/1e6)),
			duration(g.tab.Load), thousands(int(g.tab.Memory/1e6)))
	}
	b.WriteString("\n| the best 10, one thread |")
	for _, g := range all {
		fmt.Fprintf(&b, " %s |", thousands(g.documents))
	}
	b.WriteString("\n|---|" + string(bytes.Repeat([]byte("---:|"), len(all))) +
		"\n| **Rankbox**, natively, as it comes |")
	for _, g := range all {
		fmt.Fprintf(&b, " %s |", pair(g.native[fmt.Sprintf("10 %v", g.documents >= 1<<16)]))
	}
	b.WriteString("\n| **Rankbox** in the tab, as it comes |")
	for _, g := range all {
		var tab spread
		for _, r := range g.tab.Rows {
			if r.K == 10 && r.Pruned == "default" {
				tab = r.spread
			}
		}
		fmt.Fprintf(&b, " %s |", pair(tab))
	}
	b.WriteByte('\n')
	for _, name := range peerNames(all) {
		head, cells := "", ""
		for _, g := range all {
			i := slices.IndexFunc(g.peers, func(q growthPeer) bool { return q.Name == name })
			if i < 0 {
				cells += " – |"
				continue
			}
			q := g.peers[i]
			head = fmt.Sprintf("| %s %s, %s |", name, q.Version, q.Settings)
			cells += fmt.Sprintf(" %s (%.1f %% the same) |", pair(q.spread), 100*q.Same)
		}
		b.WriteString(head + cells + "\n")
	}
	return b.String()
}

// peerNames returns the libraries in their order, each once.
func peerNames(all []*growth) (names []string) {
	for _, g := range all {
		for _, q := range g.peers {
			if !slices.Contains(names, q.Name) {
				names = append(names, q.Name)
			}
		}
	}
	return names
}
