package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// benchRows is how many vectors are searched, and how many of them by what takes too long to take in all.
const (
	benchRows    = 100_000
	benchFewRows = 10_000
)

// benchVectors measures search by vectors beside other libraries, in one Chromium, and prints the table.
func (p *project) benchVectors(ctx context.Context, browser string) error {
	root := os.Getenv("RANKBOX_SHARED")
	if root == "" {
		root = filepath.Join(filepath.Dir(p.root), "shared")
	}
	dir := p.path(".cache/vectors")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := p.step("vectors for bench", func() error {
		return makeVectors(filepath.Join(root, "embeddings"), dir)
	}); err != nil {
		return err
	}
	if err := p.step("compile for bench", func() error { return p.richBench(ctx, dir) }); err != nil {
		return err
	}
	return p.step("measure", func() error {
		ctx, cancel := context.WithTimeout(ctx, time.Hour)
		defer cancel()
		c := p.cmd(ctx, []string{"CHROMIUM=" + browser, "RANKBOX_VECTORS=" + dir}, "node",
			p.path("scripts/bench/vectors.mjs"))
		c.Stdout, c.Stderr = os.Stdout, p.log
		return c.Run()
	})
}

// makeVectors writes what is searched to dir: vectors.f32, queries.f32, rows of 384; truth.u32, the best 100 of each
// query by dot products in double precision, and truth-few.u32, those of the first 10,000 rows; choosers.f32 and
// truth-choosers.u32, the same of queries by which settings are chosen; tokens.i8 and query.i8, token vectors of 64
// dimensions.
//
// The rows are those of all-MiniLM-L6-v2 of SciFact (5,183) and of Cranfield (1,400), then mixtures of length 1: (w·a +
// (1 − w)·b + .35·(c − mean)), where a and c are any of the real rows, b any of a's 32 nearest, and w lies between .3
// and .7. So they stand in clusters as those of more articles on the same matters do. The queries are every eighth of
// the two collections' real ones, those that choose every eighth from the fifth on: no query is measured that had a say
// in a setting.
func makeVectors(root, dir string) error {
	var rows, queries []float32
	const dim = 384
	for _, name := range []string{"scifact", "cranfield"} {
		for file, to := range map[string]*[]float32{"docs.npy": &rows, "queries.npy": &queries} {
			b, err := npyBody(filepath.Join(root, name, "all-MiniLM-L6-v2", file))
			if err != nil {
				return err
			}
			for at := 0; at+4 <= len(b); at += 4 {
				*to = append(*to, math.Float32frombits(binary.LittleEndian.Uint32(b[at:])))
			}
		}
	}
	var few, choosers []float32
	for q := range len(queries) / dim {
		switch q % 8 {
		case 0:
			few = append(few, queries[q*dim:(q+1)*dim]...)
		case 4:
			choosers = append(choosers, queries[q*dim:(q+1)*dim]...)
		}
	}
	rows = mixtures(rows, dim, benchRows)
	if err := errors.Join(writeNumbers(filepath.Join(dir, "vectors.f32"), rows),
		writeNumbers(filepath.Join(dir, "queries.f32"), few),
		writeNumbers(filepath.Join(dir, "truth.u32"), best100(rows, few, dim)),
		writeNumbers(filepath.Join(dir, "truth-few.u32"), best100(rows[:benchFewRows*dim], few, dim)),
		writeNumbers(filepath.Join(dir, "choosers.f32"), choosers),
		writeNumbers(filepath.Join(dir, "truth-choosers.u32"), best100(rows, choosers, dim))); err != nil {
		return err
	}
	for file, from := range map[string]string{"tokens.i8": "doc_tokens.i8.npy", "query.i8": "query_tokens.i8.npy"} {
		b, err := npyBody(filepath.Join(root, "cranfield/minilm-tokens", from))
		if err != nil {
			return err
		}
		var out []byte
		for at := 0; at+128 <= len(b); at += 128 {
			out = append(out, b[at:at+64]...)
		}
		if err := os.WriteFile(filepath.Join(dir, file), out, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// npyBody is the numbers of a .npy file of version 1.
func npyBody(name string) ([]byte, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("bench measures on embeddings that are no part of the repository: set RANKBOX_SHARED "+
			"to the folder that holds embeddings/: %w", err)
	}
	if len(b) < 10 {
		return nil, fmt.Errorf("%s is cut short", name)
	}
	return b[10+int(binary.LittleEndian.Uint16(b[8:])):], nil
}

func writeNumbers[T float32 | uint32](name string, v []T) error {
	b, err := binary.Append(nil, binary.LittleEndian, v)
	return errors.Join(err, os.WriteFile(name, b, 0o666))
}

// mixtures appends to rows until there are n.
func mixtures(rows []float32, dim, n int) []float32 {
	docs := dense.Quantise(rows, dim)
	given := docs.Len()
	mean := make([]float32, dim)
	for i, x := range rows {
		mean[i%dim] += x / float32(given)
	}
	near := make([][]uint32, given)
	nearest := func(a int) []uint32 {
		if near[a] == nil {
			dots := make([]int32, given)
			dense.Scan(dots, docs.Rows, docs.Row(a))
			var top rank.Top
			top.Reset(33, nil)
			for d, dot := range dots {
				if d != a {
					top.Push(rank.Hit{Doc: uint32(d), Score: float64(dot) * float64(docs.Scales[d])})
				}
			}
			for _, h := range top.Sorted()[:32] {
				near[a] = append(near[a], h.Doc)
			}
		}
		return near[a]
	}
	r := rand.New(rand.NewPCG(12, 384))
	row := func(d int) []float32 { return rows[d*dim : (d+1)*dim] }
	for d := given; d < n; d++ {
		a, c, w := r.IntN(given), r.IntN(given), float32(.3+.4*r.Float64())
		b := int(nearest(a)[r.IntN(32)])
		var square float64
		for i := range dim {
			x := w*row(a)[i] + (1-w)*row(b)[i] + .35*(row(c)[i]-mean[i])
			rows = append(rows, x)
			square += float64(x) * float64(x)
		}
		for i := range row(d) {
			row(d)[i] /= float32(math.Sqrt(square))
		}
	}
	return rows
}

// best100 returns the best 100 rows of each query, ascending.
func best100(rows, queries []float32, dim int) (out []uint32) {
	for q := 0; q < len(queries); q += dim {
		var top rank.Top
		top.Reset(100, nil)
		for d := range len(rows) / dim {
			var s float64
			for c, x := range queries[q : q+dim] {
				s += float64(x) * float64(rows[d*dim+c])
			}
			top.Push(rank.Hit{Doc: uint32(d), Score: s})
		}
		var ids []uint32
		for _, h := range top.Sorted() {
			ids = append(ids, h.Doc)
		}
		slices.Sort(ids)
		out = append(out, ids...)
	}
	return out
}
