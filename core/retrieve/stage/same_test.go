package stage_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/stage"
)

var update = flag.Bool("update", false, "write testdata/rankings.txt anew")

// Every shape of pipeline, and with that every stage, gives the rankings that are kept: documents and the bits of their
// scores. The file was written on amd64; the tests of core run in wasm too (go run ./build test), where each must be
// the same.
func TestRankingsAreTheSameEverywhere(t *testing.T) {
	c := newMade(400)
	got, order := map[string]string{}, []string{}
	for _, shape := range everyShape("run(stored)", "run(stored) >> rerank(by=dense)",
		"bm25 >> balance(share=0.1)", "bm25 >> rerank >> dedupe(by=shingles, level=0.05)") {
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
		order = append(order, n.String())
		got[n.String()] = fmt.Sprintf("%016x %4d", h.Sum64(), count)
	}
	const file = "testdata/rankings.txt"
	if *update {
		var b strings.Builder
		for _, shape := range order {
			fmt.Fprintf(&b, "%s  %s\n", got[shape], shape)
		}
		if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		const width = len("252f43f80fc82249 1234")
		if len(line) < width {
			t.Fatalf("%s: %q is no row", file, line)
		}
		kept, shape := line[:width], strings.TrimSpace(line[width:])
		if now, ok := got[shape]; ok && now != kept {
			t.Errorf("%s: got %s, kept %s", shape, now, kept)
		}
		delete(got, shape)
	}
	for _, shape := range order {
		if got[shape] != "" {
			t.Errorf("%s has no row in %s: go test ./core/retrieve/stage -run %s -update", shape, file, t.Name())
		}
	}
}
