//go:build unix

package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// hundredMillion answers as an index of 100,000,000 documents, d00000000 to d99999999: each query finds others of them.
func hundredMillion(query string, k int) []string {
	h := fnv.New64a()
	h.Write([]byte(query))
	first := h.Sum64() % 100_000_000
	out := make([]string, k)
	for i := range out { // in steps of a prime, so that none comes twice
		out[i] = fmt.Sprintf("d%08d", (first+99_991*uint64(i))%100_000_000)
	}
	return out
}

// largest runs rankbox as a process of its own, and returns what it printed and the most memory that it had, in bytes.
func largest(t *testing.T, args ...string) (out string, bytes int64) {
	t.Helper()
	c := itself(args...)
	b, err := c.Output()
	if err != nil {
		if e, ok := err.(*exec.ExitError); ok {
			err = fmt.Errorf("%w: %s", err, e.Stderr)
		}
		t.Fatal(args[0], err)
	}
	bytes = int64(c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	if runtime.GOOS != "darwin" { // which counts bytes, the others kB
		bytes <<= 10
	}
	return string(b), bytes
}

// The documents of a collection elsewhere cost no memory here: 1,000 queries with 50 judgments each, of which each
// search finds 100 of 100 million documents, fit 200 MB.
func TestAHundredMillionDocumentsElsewhere(t *testing.T) {
	at, swap := swapping(t, &crossEncoder{finds: hundredMillion})
	swap("cross-toy", "wire", `{"size":"$k","query":"$query"}`)
	dir := t.TempDir()
	var queries strings.Builder
	qrels := "query-id\tcorpus-id\tscore\n"
	for q := range 1000 {
		text := fmt.Sprintf("question %d", q)
		fmt.Fprintf(&queries, `{"_id":"q%d","text":%q}`+"\n", q, text)
		for i, d := range hundredMillion(text, 50) {
			qrels += fmt.Sprintf("q%d\t%s\t%d\n", q, d, 1+i%3)
		}
	}
	os.Mkdir(filepath.Join(dir, "qrels"), 0o777)
	for name, s := range map[string]string{"queries.jsonl": queries.String(), "qrels/test.tsv": qrels} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const limit = 200_000_000
	const system = "search(backend=wire)"
	check := func(out string, bytes int64, want string) string {
		t.Helper()
		t.Logf("%d MB", bytes/1e6)
		if bytes > limit || !strings.Contains(out, want) {
			t.Errorf("%d bytes, more than %d; or %q is not in %.300q", bytes, limit, want, out)
		}
		return out
	}
	ask := func(want string, args ...string) string {
		t.Helper()
		out, bytes := largest(t, append(args, "-edge", at, "-quiet")...)
		return check(out, bytes, want)
	}
	spec := writeSpec(t, fmt.Sprintf(`{"systems": [%q], "measures": ["R@100"]}`, system))
	// by hand: all 50 judged documents of each query are the first 50 that are found
	ask("1.0000", "run", spec, "-collection", dir)
	ranking := filepath.Join(dir, "wire.run")
	out := ask("q999 Q0 d", "search", dir, "-s", system, "-k", "100", "-t", "tag")
	if n := strings.Count(out, "\n"); n != 100_000 {
		t.Fatalf("%d lines", n)
	}
	if err := os.WriteFile(ranking, []byte(out), 0o666); err != nil {
		t.Fatal(err)
	}
	text, bytes := largest(t, "eval", filepath.Join(dir, "qrels/test.tsv"), ranking, "-m", "R@100", "-quiet")
	check(text, bytes, "1.0000")
	ask("weight", "tune", dir, "-s", "wsum(search(backend=wire,depth=100), search(backend=wire,depth=90))")
}
