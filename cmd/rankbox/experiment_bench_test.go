package main

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/experiment/matrix"
)

// BenchmarkExperiment takes SciFact (300 judged queries), open and with its vectors, through plan, runs, measures and
// tests: five lexical, dense and fused systems, and a grid of 110.
func BenchmarkExperiment(b *testing.B) {
	root := os.Getenv("RANKBOX_SHARED")
	if !exists(filepath.Join(root, "data/scifact")) || !exists(filepath.Join(root, "embeddings/scifact")) {
		b.Skip("reference data absent: RANKBOX_SHARED names no folder with data/scifact and embeddings/scifact")
	}
	dir := filepath.Join(root, "data/scifact")
	from := opening{vectors: filepath.Join(root, "embeddings/scifact"), models: []string{"all-MiniLM-L6-v2"}}
	c := &context{in: nil, out: io.Discard, err: io.Discard}
	s, _, err := from.session(c, []string{dir})
	if err != nil {
		b.Fatal(err)
	}
	for _, x := range []struct {
		name string
		spec matrix.Spec
		runs int
	}{
		{"five systems", matrix.Spec{Systems: []string{"bm25", "ql", "bm25 >> rm3", "dense", "rrf(bm25, dense)"},
			Measures: []string{"nDCG@10", "AP"}}, 5},
		{"grid of 110", matrix.Spec{Systems: []string{"bm25(k1=0.3..3/0.3, b=0..1/0.1)"},
			Measures: []string{"nDCG@10"}}, 110},
	} {
		for _, hands := range []int{1, runtime.NumCPU()} {
			b.Run(x.name+", hands "+strconv.Itoa(hands), func(b *testing.B) {
				p, err := matrix.NewPlan(x.spec, s.Ref())
				if err != nil || len(p.Runs) != x.runs {
					b.Fatal(len(p.Runs), err)
				}
				var ranked, compared, analysed time.Duration
				for b.Loop() {
					start := time.Now()
					x, err := matrix.Open(p, s, &matrix.Memory{})
					if err != nil {
						b.Fatal(err)
					}
					if err := x.Run(matrix.Options{Hands: hands}); err != nil {
						b.Fatal(err)
					}
					ranked += time.Since(start)
					start = time.Now()
					out, err := x.Outcome(matrix.Provenance{}, nil)
					if err != nil {
						b.Fatal(err)
					}
					compared += time.Since(start)
					start = time.Now()
					if err := out.Analyse(s, nil); err != nil {
						b.Fatal(err)
					}
					analysed += time.Since(start)
					b.ReportMetric(out.Report.Columns[0].Best, "nDCG@10")
				}
				for name, took := range map[string]time.Duration{"ms-to-rank": ranked, "ms-to-compare": compared,
					"ms-to-analyse": analysed} {
					b.ReportMetric(float64(took.Milliseconds())/float64(b.N), name)
				}
			})
		}
	}
}
