package kernel

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"github.com/rankbox/rankbox/core/retrieve/rank/late"
	"github.com/rankbox/rankbox/core/retrieve/rank/sparse"
)

// install is Install until the end of a test.
func install(t *testing.T) bool {
	scan, floats32, bits, at, dot, near, weigh, above, maxSim := dense.Scan, dense.ScanFloats, dense.ScanBits,
		dense.ScanAt, dense.DotAt, dense.Near, dense.Weigh, dense.Above, late.MaxSim
	run, terms, lists := bm25.Run, index.UnpackTerms, index.Unpack
	t.Cleanup(func() {
		dense.Scan, dense.ScanFloats, dense.ScanBits, dense.ScanAt = scan, floats32, bits, at
		dense.DotAt, dense.Near, dense.Weigh, dense.Above, late.MaxSim = dot, near, weigh, above, maxSim
		dense.ScanBiased, dense.ScanBiasedAt, encoder.SumRows = nil, nil, nil
		bm25.Run, index.UnpackTerms, index.Unpack = run, terms, lists
	})
	return Install()
}

// compared is a Spec that uses every kernel: BM25 accumulation, all vector scans, selection, and late interaction.
const compared = `{"systems": ["bm25(title=3)", "dense(model=m)", "dense(model=m, similarity=cosine)", "dense(model=m, scan=int8, rescore=40)", "dense(model=m, scan=bit, int8=150, rescore=60)",
	"dense(model=m, scan=bit, rescore=90)", "late(model=t)", "late(model=t, candidates=60)", "sparse(model=s)", "bm25 >> rm3", "rrf(bm25, dense(model=m), late(model=t), sparse(model=s), k=20)",
	"combsum(bm25, late(model=t), norm=zmuv) >> rerank(by=late, model=t, depth=30) >> mmr(model=m)", "wsum(bm25, dense(model=m), weights=0.3) >> rerank(by=dense, model=m, depth=50) >> recency"],
	"measures": ["nDCG@10", "AP", "RR", "R@50"], "baseline": "bm25(title=3)", "policy": "test=randomisation"}`

// The hash of the report, and the SHA-256 of all exports of the comparison, including analyses. A change of any
// figure changes them and belongs under Scores in the changelog.
const (
	comparedHash = "f6365381395c864955b320c0eca66b0a67bd574c4c4eff549f3342be2c8a7152"
	comparedJSON = "28f843b5a2c1ed81ccdcdc2ad9b7394c92a1d8fedcd9cd03bd2ade8d234ecfee"
)

// A whole comparison is equal bit for bit natively, as WebAssembly without the kernels, and with them. `go run
// ./build test` runs this natively and under Node.js, first with core's own loops, then with the kernels.
func TestAComparisonIsTheSameWithAndWithoutTheKernels(t *testing.T) {
	check := func(by string) {
		x := outcome(t)
		data, err := x.JSON()
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		if got := hex.EncodeToString(sum[:]); x.Hash != comparedHash || got != comparedJSON {
			t.Errorf("%s: hash %s of %s; want %s of %s", by, x.Hash, got, comparedHash, comparedJSON)
		}
		for i, s := range x.Status {
			if s.State != matrix.Completed || s.Empty > 0 {
				t.Errorf("%s: run %d is %+v", by, i, s)
			}
		}
	}
	check("core's loops")
	if available {
		if !install(t) {
			t.Fatal("the kernels are not there")
		}
		check("the kernels")
	}
}

// outcome evaluates compared over a collection of 300 documents and 25 queries, generated from a few words and
// numbers. Floats derive from integers, so that every machine generates the same.
func outcome(t *testing.T) *matrix.Outcome {
	t.Helper()
	const docs, queries, dim, tokenDim = 300, 25, 40, 24
	r := rand.New(rand.NewPCG(12, 6))
	words := strings.Fields("harbour strike ferry crane storm pilot market lock tide quay signal anchor wage " +
		"gale mast rope")
	some := func(n int) string {
		var out []string
		for range n {
			out = append(out, words[min(r.IntN(len(words)), r.IntN(len(words)))])
		}
		return strings.Join(out, " ")
	}
	vectors := func(n int) *dense.Vectors {
		rows := make([]float32, n*dim)
		for i := range rows {
			rows[i] = float32(r.IntN(2001)-1000) / 1024
		}
		return dense.Round(rows, dim)
	}
	tokens := func(n, most int) *late.Tokens {
		out := &late.Tokens{Dim: tokenDim, Scale: .01, Offsets: []uint32{0}}
		for range n {
			out.Rows = append(out.Rows, int8s(r, (1+r.IntN(most))*tokenDim)...)
			out.Offsets = append(out.Offsets, uint32(len(out.Rows)/tokenDim))
		}
		return out
	}
	weights := func(n int) *sparse.Weights {
		texts := make([]map[string]float32, n)
		for i := range texts {
			texts[i] = map[string]float32{}
			for range 6 {
				texts[i][words[r.IntN(len(words))]] = float32(1+r.IntN(300)) / 128
			}
		}
		return sparse.Of(texts)
	}
	c := &collection.Collection{Qrels: collection.NewQrels()}
	var docIDs, queryIDs []string
	for d := range docs {
		docIDs = append(docIDs, fmt.Sprintf("d%03d", d))
		c.Docs = append(c.Docs, collection.Doc{ID: docIDs[d], Title: some(3), Text: some(5 + r.IntN(40)),
			Date: fmt.Sprintf("2024-%02d-%02d", 1+d%12, 1+d%28)})
	}
	for q := range queries {
		queryIDs = append(queryIDs, fmt.Sprintf("q%02d", q))
		c.Queries = append(c.Queries, collection.Query{ID: queryIDs[q], Text: some(4)})
		for range 12 {
			c.Qrels.Add(queryIDs[q], docIDs[r.IntN(docs)], float64(r.IntN(4)))
		}
	}
	files := map[string][]byte{}
	m, err := bundle.Build(bundle.Source{ID: "made", Name: "Made", Collection: c,
		Vectors: []bundle.SourceVectors{{Model: bundle.Model{Name: "m", Label: "m"}, Docs: vectors(docs),
			Queries: vectors(queries), DocIDs: docIDs, QueryIDs: queryIDs}},
		Tokens: []bundle.SourceTokens{{Model: bundle.Model{Name: "t", Label: "t"}, Docs: tokens(docs, 30),
			Queries: tokens(queries, 9), DocIDs: docIDs, QueryIDs: queryIDs}},
		Weights: []bundle.SourceWeights{{Model: bundle.Model{Name: "s", Label: "s"}, Docs: weights(docs),
			Queries: weights(queries), DocIDs: docIDs, QueryIDs: queryIDs}},
	}, func(name string, data []byte) error { files[name] = data; return nil })
	if err != nil {
		t.Fatal(err)
	}
	fetch := func(f bundle.File) ([]byte, error) { return files[f.Name], nil }
	b, err := bundle.Open(m, fetch)
	if err != nil {
		t.Fatal(err)
	}
	s := experiment.NewSession(b, fetch)
	spec, err := matrix.ReadSpec([]byte(compared))
	if err != nil {
		t.Fatal(err)
	}
	p, err := matrix.NewPlan(spec, s.Ref())
	if err != nil {
		t.Fatal(err)
	}
	x, err := matrix.Open(p, s, &matrix.Memory{})
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Run(matrix.Options{Hands: 1}); err != nil {
		t.Fatal(err)
	}
	out, err := x.Outcome(matrix.Provenance{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := out.Analyse(s, nil); err != nil {
		t.Fatal(err)
	}
	return out
}
