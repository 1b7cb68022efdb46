// Package feedback expands a query by the words of the documents that a first ranking put on top (pseudo-relevance
// feedback): RM3 and Rocchio, with the arithmetic of Anserini. It ranks nothing itself: what comes out is a query of
// weighted terms for a ranker of words.
//
// Order of the pipeline: query and first hits → the query's vector, the documents' vectors → terms that may be chosen →
// the heaviest → both vectors added → Terms.
//
// All weights are 32-bit numbers, as Anserini's are.
//
// Sources: Abdul-Jaleel et al. 2004, UMass at TREC 2004: Novelty and HARD (RM3); Lavrenko and Croft 2001,
// Relevance-Based Language Models; Rocchio 1971, Relevance Feedback in Information Retrieval; Lin, Yang et al.,
// Anserini.
package feedback

import (
	"cmp"
	"math"
	"sort"

	"github.com/rankbox/rankbox/core/index"
	"github.com/rankbox/rankbox/core/rank"
)

// Word is a distinct term of the query and how often it stands there. Known is false where the index does not have it:
// it then counts for the length of the query and is no term of the result.
type Word struct {
	ID    uint32
	Known bool
	Count float32
}

// Term is a term of the expanded query: Weight is Query + Feedback, what each of the two vectors adds.
type Term struct {
	ID                      uint32
	Weight, Query, Feedback float32
}

// common is the share of the documents above which a term is too common to be chosen.
const common = 0.1

// RM3 returns the query, expanded by the words heaviest in the relevance model of the first docs hits: a term's weight
// is the sum over these documents of its share among their heaviest words times the document's score. The two vectors
// have the sum 1 each; that of the query counts original (0 to 1), the other the rest. Terms are sorted by weight,
// heaviest first, equal ones by term.
func RM3(x *index.Index, query []Word, hits []rank.Hit, docs, words int, original float32) []Term {
	q, count := vector(query), 0.0
	for _, w := range query {
		count += float64(w.Count)
	}
	scale(q, count)
	sum := map[uint32]float32{}
	for _, h := range hits[:min(docs, len(hits))] {
		list := chosen(x, h.Doc, plain)
		sortHeaviest(list)
		list = list[:min(words, len(list))]
		scale(list, total(list))
		for _, w := range list {
			sum[w.id] += float32(w.weight * float32(h.Score))
		}
	}
	f := heaviest(sum, words)
	scale(f, total(f))
	return add(q, original, f, 1-original)
}

// Rocchio returns the query, expanded by the words heaviest in the mean of the first docs hits: alpha times the query's
// vector plus beta times the mean's, each of length 1 (L2). Terms are sorted by weight, heaviest first, equal ones by
// term.
func Rocchio(x *index.Index, query []Word, hits []rank.Hit, docs, words int, alpha, beta float32) []Term {
	q := vector(query)
	squares := 0.0
	for _, w := range query {
		squares += float64(float64(w.Count) * float64(w.Count))
	}
	scale(q, math.Sqrt(squares))
	first := hits[:min(docs, len(hits))]
	sum := map[uint32]float32{}
	for _, h := range first {
		list := chosen(x, h.Doc, nil)
		scale(list, float64(float32(length(list)))) // Anserini keeps this norm, and no other one, in 32 bits
		for _, w := range list {
			sum[w.id] += w.weight
		}
	}
	for id := range sum {
		sum[id] /= float32(len(first))
	}
	f := heaviest(sum, words)
	scale(f, length(f))
	return add(q, alpha, f, beta)
}

// Frequent returns the query, expanded by the words that occur most often in the first docs hits and not in the query:
// a word of the query weighs what it counts there, a new one weight. Equally frequent new ones: the smaller term. Terms
// are sorted as RM3 sorts them.
func Frequent(x *index.Index, query []Word, hits []rank.Hit, docs, words int, weight float32) []Term {
	sum := map[uint32]float32{}
	for _, h := range hits[:min(docs, len(hits))] {
		for _, w := range chosen(x, h.Doc, plain) {
			sum[w.id] += w.weight
		}
	}
	for _, w := range query {
		if w.Known {
			delete(sum, w.ID)
		}
	}
	f := heaviest(sum, words)
	for i := range f {
		f[i].weight = 1
	}
	return add(vector(query), 1, f, weight)
}

type weighted struct {
	id     uint32
	weight float32
}

func vector(query []Word) []weighted {
	var out []weighted
	for _, w := range query {
		if w.Known {
			out = append(out, weighted{w.ID, w.Count})
		}
	}
	return out
}

// chosen returns the terms of a document that may expand a query, with their frequencies: of 2 to 20 characters, in at
// most a tenth of the documents, and fit where that is asked. Terms are in the order of the index.
func chosen(x *index.Index, doc uint32, fit func(term string) bool) []weighted {
	var out []weighted
	docs := float32(x.Stats(index.Contents).Docs)
	for _, t := range x.Vector(doc) {
		term := x.Term(t.Term)
		if n := units(term); n < 2 || n > 20 || fit != nil && !fit(term) ||
			float32(x.DF(index.Contents, t.Term))/docs > common {
			continue
		}
		out = append(out, weighted{t.Term, float32(t.TF)})
	}
	return out
}

// units returns the length of a term in UTF-16 code units, the characters of Java.
func units(term string) (n int) {
	for _, r := range term {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}

// plain reports whether a term is made of the letters a to z and digits alone.
func plain(term string) bool {
	for i := 0; i < len(term); i++ {
		if c := term[i]; !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9') {
			return false
		}
	}
	return true
}

func sortHeaviest(list []weighted) {
	before := func(a, b weighted) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.id, b.id)) // ids ascend as terms do
	}
	sort.Slice(list, func(i, j int) bool { return before(list[i], list[j]) < 0 })
}

// heaviest returns the n heaviest terms, equal ones by term.
func heaviest(sum map[uint32]float32, n int) []weighted {
	out := make([]weighted, 0, len(sum))
	for id, w := range sum {
		out = append(out, weighted{id, w})
	}
	sortHeaviest(out)
	return out[:min(n, len(out))]
}

// total is the sum of the weights, none of which is negative: the L1 norm.
func total(list []weighted) float64 {
	s := 0.0
	for _, w := range list {
		s += float64(w.weight)
	}
	return s
}

// length is the L2 norm.
func length(list []weighted) float64 {
	s := 0.0
	for _, w := range list {
		s += float64(float64(w.weight) * float64(w.weight))
	}
	return math.Sqrt(s)
}

// scale divides all weights by norm, and leaves them where it is 0.
func scale(list []weighted, norm float64) {
	if norm == 0 {
		return
	}
	for i := range list {
		list[i].weight = float32(float64(list[i].weight) / norm)
	}
}

// add returns a times q plus b times f.
func add(q []weighted, a float32, f []weighted, b float32) []Term {
	var out []Term
	at := map[uint32]int{}
	for _, w := range q {
		at[w.id] = len(out)
		out = append(out, Term{ID: w.id, Query: a * w.weight})
	}
	for _, w := range f {
		i, ok := at[w.id]
		if !ok {
			i = len(out)
			out = append(out, Term{ID: w.id})
		}
		out[i].Feedback = b * w.weight
	}
	for i := range out {
		out[i].Weight = out[i].Query + out[i].Feedback
	}
	before := func(a, b Term) int { return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.ID, b.ID)) }
	sort.Slice(out, func(i, j int) bool { return before(out[i], out[j]) < 0 })
	return out
}
