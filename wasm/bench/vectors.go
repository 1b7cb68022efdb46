//go:build js && !first

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"
	"syscall/js"
	"unsafe"

	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"github.com/rankbox/rankbox/core/retrieve/rank/late"
)

var (
	vectors *dense.Vectors
	asked   *dense.Vectors
	askedID []string
	tuned   *dense.Tuned
	before  uint64 // bytes of the heap before there were vectors
	tokens  struct {
		rows, query []int8
		offsets     []uint32
		nq          int
		scores      []float32
	}
)

func init() {
	for name, f := range map[string]func(args []js.Value) (any, error){
		// vectors(bytes of float32, bytes of the queries' float32, dim) takes vectors, in the order of their documents.
		"vectors": func(args []js.Value) (any, error) {
			vectors, tuned, asked = nil, nil, nil
			before = heap()
			dim := args[2].Int()
			vectors = dense.Round(numbers[float32](args[0]), dim)
			ask(dense.Round(numbers[float32](args[1]), dim))
			return vectors.Len(), nil
		},
		// shard(bytes of int8, bytes of the queries' float32, dim, from, n) makes n vectors of int8 from those that are
		// given: row from + i is 2 parts of the one that stands there, counted around, and 1 part of another.
		"shard": func(args []js.Value) (any, error) {
			vectors, tuned, asked = nil, nil, nil
			before = heap()
			base, dim, from, n := numbers[int8](args[0]), args[2].Int(), args[3].Int(), args[4].Int()
			vectors = &dense.Vectors{Dim: dim, Rows: make([]int8, n*dim), Scales: make([]float32, n)}
			for i := range n {
				r := rand.New(rand.NewPCG(uint64(from+i), 12))
				a, b := (from+i)%(len(base)/dim), r.IntN(len(base)/dim)
				square := 0
				for c := range dim {
					x := (2*int(base[a*dim+c]) + int(base[b*dim+c])) / 3
					vectors.Rows[i*dim+c] = int8(x)
					square += x * x
				}
				vectors.Scales[i] = float32(1 / math.Sqrt(float64(square)))
			}
			ask(dense.Quantise(numbers[float32](args[1]), dim))
			return n, nil
		},
		// settings(JSON of dense.SearchParameters) says how they are searched.
		"settings": func(args []js.Value) (_ any, err error) {
			var s dense.SearchParameters
			if err = json.Unmarshal([]byte(args[0].String()), &s); err != nil {
				return nil, err
			}
			tuned = nil
			runtime.GC()
			tuned, err = dense.NewTuned("bench", vectors, asked, askedID, s)
			return nil, err
		},
		// nearest(i, n) answers query i by them n times.
		"nearest": func(args []js.Value) (_ any, err error) {
			q := rank.Query{ID: askedID[args[0].Int()]}
			for range args[1].Int() {
				if hits, err = tuned.Rank(q, depth, nil, hits); err != nil {
					return nil, err
				}
			}
			return nil, nil
		},
		// found returns what the last query found: documents and scores, one after another.
		"found": func([]js.Value) (any, error) {
			var out []any
			for _, h := range hits {
				out = append(out, int(h.Doc), h.Score)
			}
			return out, nil
		},
		// held returns how many bytes the vectors and all that searching them needs take.
		"held": func([]js.Value) (any, error) { return float64(heap() - before), nil },
		// tokens(bytes of int8, bytes of the query's int8, documents, tokens of a document, dim) takes token vectors.
		"tokens": func(args []js.Value) (any, error) {
			docs, each, dim := args[2].Int(), args[3].Int(), args[4].Int()
			tokens.rows, tokens.query = numbers[int8](args[0]), numbers[int8](args[1])
			tokens.nq, tokens.scores, tokens.offsets = len(tokens.query)/dim, make([]float32, docs), nil
			for d := range docs + 1 {
				tokens.offsets = append(tokens.offsets, uint32(d*each))
			}
			if len(tokens.rows) < docs*each*dim {
				return nil, fmt.Errorf("%d numbers are not %d documents of %d tokens", len(tokens.rows), docs, each)
			}
			return nil, nil
		},
		// maxSim scores every document once.
		"maxSim": func([]js.Value) (any, error) {
			late.MaxSim(tokens.scores, tokens.rows, tokens.offsets, tokens.query, tokens.nq)
			return nil, nil
		},
	} {
		functions[name] = f
	}
}

func ask(v *dense.Vectors) {
	asked, askedID = v, nil
	for i := range v.Len() {
		askedID = append(askedID, strconv.Itoa(i+1))
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// numbers are the bytes of a typed array as numbers, little endian.
func numbers[T int8 | float32](v js.Value) []T {
	var one T
	out := make([]T, v.Length()/int(unsafe.Sizeof(one)))
	js.CopyBytesToGo(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(out))), v.Length()), v)
	return out
}
