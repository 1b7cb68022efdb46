//go:build js

// Command bench lets `go run ./build bench` time the parts of the worker one by one in a browser: reading documents,
// indexing, writing and reading an index, BM25 with the kernels or with their Go twins, and search by vectors. It is no
// part of the site. Its functions are the members of globalThis.bench; each throws what went wrong.
package main

import (
	"bytes"
	"slices"
	"strings"
	"syscall/js"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/core/text"
	"github.com/rankbox/rankbox/wasm/kernel"
)

const (
	analyzer = "lucene-english"
	depth    = 100
)

var (
	docs    []collection.Doc // by ordinal
	built   *index.Index
	ranker  *bm25.Ranker
	queries []string
	terms   [][]bm25.Term // of each query
	hits    []rank.Hit
)

// functions are what JavaScript calls.
var functions = map[string]func(args []js.Value) (any, error){
	// documents(bytes of a corpus.jsonl) reads them and returns how many there are.
	"documents": func(args []js.Value) (any, error) {
		docs = nil
		_, err := collection.ReadCorpus(bytes.NewReader(array(args[0])), "corpus.jsonl", collection.Options{},
			func(d collection.Doc) error {
				docs = append(docs, d)
				return nil
			})
		slices.SortFunc(docs, func(a, b collection.Doc) int { return strings.Compare(b.ID, a.ID) })
		return len(docs), err
	},
	// build indexes the documents and makes a ranker.
	"build": func([]js.Value) (any, error) {
		a, err := text.Get(analyzer)
		if err != nil {
			return nil, err
		}
		b := index.NewBuilder(a)
		for i := range docs {
			b.Add(docs[i].Title, docs[i].Text)
		}
		return nil, use(b.Build())
	},
	// flat returns the stored form of an index of the documents that does not tell title from text.
	"flat": func([]js.Value) (any, error) {
		a, err := text.Get(analyzer)
		if err != nil {
			return nil, err
		}
		b := index.NewBuilder(a)
		for i := range docs {
			b.Add("", docs[i].Title+" "+docs[i].Text)
		}
		return uint8Array(b.Build().Bytes()), nil
	},
	// bytes returns the index as it is stored.
	"bytes": func([]js.Value) (any, error) {
		return uint8Array(built.Bytes()), nil
	},
	// load reads a stored index and makes a ranker.
	"load": func(args []js.Value) (any, error) {
		x, err := index.Read(array(args[0]))
		if err != nil {
			return nil, err
		}
		return nil, use(x)
	},
	// queries(array of texts) are those that the functions below name by their place.
	"queries": func(args []js.Value) (any, error) {
		queries, terms = nil, nil
		for i := range args[0].Length() {
			queries = append(queries, args[0].Index(i).String())
			terms = append(terms, slices.Clone(ranker.Terms(queries[i])))
		}
		return nil, nil
	},
	// kernels(on) says what ranks from now on, and returns whether it is the kernels. It is they from the beginning.
	"kernels": func(args []js.Value) (any, error) {
		if args[0].Bool() {
			return kernel.Install(), nil
		}
		bm25.Run = bm25.RunGo
		return false, nil
	},
	// search(i, n) answers query i, from its text, n times.
	"search": func(args []js.Value) (_ any, err error) {
		q := rank.Query{Text: queries[args[0].Int()]}
		for range args[1].Int() {
			if hits, err = ranker.Rank(q, depth, nil, hits); err != nil {
				return nil, err
			}
		}
		return nil, nil
	},
	// rank(i, n) answers query i, from its terms, n times.
	"rank": func(args []js.Value) (any, error) {
		t := terms[args[0].Int()]
		for range args[1].Int() {
			hits = ranker.RankTerms(t, depth, nil, hits)
		}
		return nil, nil
	},
	// all answers every query once, from its text.
	"all": func([]js.Value) (_ any, err error) {
		for _, q := range queries {
			if hits, err = ranker.Rank(rank.Query{Text: q}, depth, nil, hits); err != nil {
				return nil, err
			}
		}
		return nil, nil
	},
	// hits(i) returns the ids of the documents that answer query i.
	"hits": func(args []js.Value) (any, error) {
		found, err := ranker.Rank(rank.Query{Text: queries[args[0].Int()]}, depth, nil, nil)
		out := make([]any, len(found))
		for i, h := range found {
			out[i] = docs[h.Doc].ID
		}
		return out, err
	},
}

func use(x *index.Index) (err error) {
	built = x
	ranker, err = bm25.New(x, stage.BM25Params(stage.MustParse(stage.BM25.Name)))
	return err
}

func array(v js.Value) []byte {
	b := make([]byte, v.Length())
	js.CopyBytesToGo(b, v)
	return b
}

func uint8Array(b []byte) js.Value {
	a := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(a, b)
	return a
}

func main() {
	kernel.Install()
	bench := js.Global().Get("bench")
	for name, f := range functions {
		bench.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
			v, err := f(args)
			if err != nil {
				// an exception that leaves Go would end the program: JavaScript throws it
				return js.Global().Get("Error").New(name + ": " + err.Error())
			}
			return v
		}))
	}
	bench.Call("ready")
	select {}
}
