//go:build js && !first

package main

import (
	"math"
	"syscall/js"

	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
)

func init() {
	for name, f := range map[string]func(args []js.Value) (any, error){
		// prune(when) says when ranges of documents are skipped: "never", "always" (however many documents there are),
		// or "default", as the page does with the kernels.
		"prune": func(args []js.Value) (any, error) {
			switch args[0].String() {
			case "never":
				bm25.PruneFrom = math.MaxInt
			case "always":
				bm25.PruneFrom, bm25.PruneShare = 0, 8
			default:
				bm25.Vectorised()
			}
			return nil, nil
		},
		// top(i, n, k) answers query i, from its text, n times with the best k.
		"top": func(args []js.Value) (_ any, err error) {
			q, k := rank.Query{Text: queries[args[0].Int()]}, args[2].Int()
			for range args[1].Int() {
				if hits, err = ranker.Rank(q, k, nil, hits); err != nil {
					return nil, err
				}
			}
			return nil, nil
		},
		// best(i, k) returns document and score of each of the best k that answer query i.
		"best": func(args []js.Value) (any, error) {
			found, err := ranker.Rank(rank.Query{Text: queries[args[0].Int()]}, args[1].Int(), nil, nil)
			out := make([]any, 0, 2*len(found))
			for _, h := range found {
				out = append(out, int(h.Doc), h.Score)
			}
			return out, err
		},
		// memory returns the bytes of the heap that are in use.
		"memory": func([]js.Value) (any, error) { return float64(heap()), nil },
	} {
		functions[name] = f
	}
}
