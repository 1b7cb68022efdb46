// Package feedback expands a query with words of the top documents (pseudo-relevance feedback): RM3 and Rocchio,
// with Anserini's arithmetic in 32-bit weights. It ranks nothing; a lexical ranker takes the weighted terms.
//
// Order of the pipeline: query and first hits → the query's vector, the documents' vectors → eligible terms → the
// heaviest → both vectors added → Terms.
//
// Sources: Abdul-Jaleel et al. 2004, UMass at TREC 2004 (RM3); Lavrenko and Croft 2001, Relevance-Based Language
// Models; Rocchio 1971, Relevance Feedback in Information Retrieval; Lin, Yang et al., Anserini.
package feedback

import (
	"cmp"
	"math"
	"sort"

	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Word is a distinct term of the query with its count. Known is false if the index lacks it: it then counts for the
// query's length but is not in the result.
type Word struct {
	ID    uint32
	Known bool
	Count float32
}

// Term is a term of the expanded query. Weight is Query + Feedback, the contributions of the two vectors.
type Term struct {
	ID                      uint32
	Weight, Query, Feedback float32
}

// maxDocShare is the fraction of documents above which a term is too common to expand a query.
const maxDocShare = 0.1

// RM3 expands the query with the heaviest words in the relevance model of the first docs hits. A term's weight is
// the sum over these documents of its share among their heaviest words times the document's score. Each vector is
// normalised to sum 1; the query's counts original (0 to 1), the other the rest. Terms descend by weight; ties are
// ordered by term.
func RM3(x *index.Index, query []Word, hits []rank.Hit, docs, words int, original float32) []Term {
	q, count := vector(query), 0.0
	for _, w := range query {
		count += float64(w.Count)
	}
	divide(q, count)
	sum := map[uint32]float32{}
	for _, h := range hits[:min(docs, len(hits))] {
		list := eligibleTerms(x, h.Doc, isAlphanumeric)
		sortHeaviest(list)
		list = list[:min(words, len(list))]
		divide(list, l1Norm(list))
		for _, w := range list {
			sum[w.id] += float32(w.weight * float32(h.Score))
		}
	}
	f := heaviest(sum, words)
	divide(f, l1Norm(f))
	return addVectors(q, original, f, 1-original)
}

// Rocchio expands the query with the heaviest words in the mean of the first docs hits: alpha times the query's
// vector plus beta times the mean's, each of L2 norm 1. Terms descend by weight; ties are ordered by term.
func Rocchio(x *index.Index, query []Word, hits []rank.Hit, docs, words int, alpha, beta float32) []Term {
	q := vector(query)
	squares := 0.0
	for _, w := range query {
		squares += float64(float64(w.Count) * float64(w.Count))
	}
	divide(q, math.Sqrt(squares))
	first := hits[:min(docs, len(hits))]
	sum := map[uint32]float32{}
	for _, h := range first {
		list := eligibleTerms(x, h.Doc, nil)
		divide(list, float64(float32(l2Norm(list)))) // Anserini keeps only this norm in 32 bits
		for _, w := range list {
			sum[w.id] += w.weight
		}
	}
	for id := range sum {
		sum[id] /= float32(len(first))
	}
	f := heaviest(sum, words)
	divide(f, l2Norm(f))
	return addVectors(q, alpha, f, beta)
}

// Frequent expands the query with the words that are most frequent in the first docs hits and not in the query. A
// query word keeps its count as weight; a new word gets weight. Of equally frequent new words the alphabetically
// smaller one is chosen. Terms are sorted as in RM3.
func Frequent(x *index.Index, query []Word, hits []rank.Hit, docs, words int, weight float32) []Term {
	sum := map[uint32]float32{}
	for _, h := range hits[:min(docs, len(hits))] {
		for _, w := range eligibleTerms(x, h.Doc, isAlphanumeric) {
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
	return addVectors(vector(query), 1, f, weight)
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

// eligibleTerms returns the terms of a document that may expand a query, with their frequencies: of 2 to 20
// characters, in at most a tenth of the documents, and accepted by fit (nil accepts all). Terms are in index order.
func eligibleTerms(x *index.Index, doc uint32, accept func(term string) bool) []weighted {
	var out []weighted
	docs := float32(x.Stats(index.Contents).Docs)
	for _, t := range x.Vector(doc) {
		term := x.Term(t.Term)
		if n := utf16Length(term); n < 2 || n > 20 || accept != nil && !accept(term) ||
			float32(x.DF(index.Contents, t.Term))/docs > maxDocShare {
			continue
		}
		out = append(out, weighted{t.Term, float32(t.TF)})
	}
	return out
}

// utf16Length returns the length of a term in UTF-16 code units, as Java counts.
func utf16Length(term string) (n int) {
	for _, r := range term {
		if n++; r > 0xffff {
			n++
		}
	}
	return n
}

// isAlphanumeric reports whether a term consists of the letters a to z and digits.
func isAlphanumeric(term string) bool {
	for i := 0; i < len(term); i++ {
		if c := term[i]; !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9') {
			return false
		}
	}
	return true
}

func sortHeaviest(list []weighted) {
	before := func(a, b weighted) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.id, b.id)) // ids ascend with terms
	}
	sort.Slice(list, func(i, j int) bool { return before(list[i], list[j]) < 0 })
}

// heaviest returns the n heaviest terms, ties by term.
func heaviest(sum map[uint32]float32, n int) []weighted {
	out := make([]weighted, 0, len(sum))
	for id, w := range sum {
		out = append(out, weighted{id, w})
	}
	sortHeaviest(out)
	return out[:min(n, len(out))]
}

// l1Norm returns the sum of the weights, the L1 norm since none is negative.
func l1Norm(list []weighted) float64 {
	s := 0.0
	for _, w := range list {
		s += float64(w.weight)
	}
	return s
}

// l2Norm returns the L2 norm.
func l2Norm(list []weighted) float64 {
	s := 0.0
	for _, w := range list {
		s += float64(float64(w.weight) * float64(w.weight))
	}
	return math.Sqrt(s)
}

// divide divides all weights by norm unless it is 0.
func divide(list []weighted, norm float64) {
	if norm == 0 {
		return
	}
	for i := range list {
		list[i].weight = float32(float64(list[i].weight) / norm)
	}
}

// addVectors returns a times q plus b times f.
func addVectors(query []weighted, a float32, feedback []weighted, b float32) []Term {
	var out []Term
	at := map[uint32]int{}
	for _, w := range query {
		at[w.id] = len(out)
		out = append(out, Term{ID: w.id, Query: a * w.weight})
	}
	for _, w := range feedback {
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
