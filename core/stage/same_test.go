package stage_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/stage"
)

var update = flag.Bool("update", false, "write testdata/rankings.txt anew")

// Every shape of pipeline, and with that every stage, gives the rankings that are kept: documents and the bits of their
// scores. The file was written on amd64; the tests of core run in wasm too (go run ./build test), where each must be
// the same.
func TestRankingsAreTheSameEverywhere(t *testing.T) {
	c := newMade(400)
	var b strings.Builder
	seen := map[string]bool{}
	for _, shape := range append([]string{"run(stored)", "run(stored) >> rerank(by=dense)",
		"bm25 >> balance(share=0.1)", "bm25 >> rerank >> dedupe(by=shingles, level=0.05)"}, shapes...) {
		n := stage.MustParse(shape)
		r, err := stage.Build(c, n)
		if err != nil {
			t.Fatalf("%s: %v", shape, err)
		}
		h := fnv.New64a()
		count := 0
		for _, q := range madeQueries {
			hits, err := r.Rank(q, 50, nil, nil)
			if err != nil {
				fmt.Fprint(h, err)
				continue
			}
			for _, x := range hits {
				fmt.Fprintf(h, "%d %x\n", x.Doc, math.Float64bits(x.Score))
			}
			count += len(hits)
		}
		fmt.Fprintf(&b, "%016x %4d  %s\n", h.Sum64(), count, n)
		for _, s := range stage.All() {
			seen[s.Name] = seen[s.Name] || len(n.Find(s.Name)) > 0
		}
	}
	for _, s := range stage.All() {
		// what a backend answers is kept, and tested, in core/remote
		if p := s.Param("backend"); !seen[s.Name] && (p == nil || !p.Required) {
			t.Errorf("no shape has the stage %s", s.Name)
		}
	}
	const file = "testdata/rankings.txt"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	kept, got := strings.Split(string(want), "\n"), strings.Split(b.String(), "\n")
	for i := range max(len(kept), len(got)) {
		a, b := "", ""
		if i < len(kept) {
			a = kept[i]
		}
		if i < len(got) {
			b = got[i]
		}
		if a != b {
			t.Errorf("got  %s\nkept %s", b, a)
		}
	}
}
