// Package lm ranks by query likelihood: the probability of the query in a document's language model, smoothed by
// the collection's. It uses words alone, over title and text together, and expands no query.
//
// Order of the pipeline: query text → analyzer of the index → distinct terms, boosted by their count → log
// probabilities summed by document → the best k.
//
// Source: Zhai and Lafferty 2001, A Study of Smoothing Methods for Language Models Applied to Ad Hoc Information
// Retrieval.
package lm

import (
	"fmt"
	"math"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/text"
)

// Params are the settings of a Ranker. Their defaults are the stage's.
type Params struct {
	Jelinek bool    // Jelinek–Mercer smoothing, not Dirichlet's
	Mu      float64 // μ of Dirichlet: > 0
	Lambda  float64 // λ of Jelinek–Mercer: > 0, ≤ 1
}

// Ranker ranks one index. It is not safe for concurrent use.
//
// A document's score is the sum over its query terms of boost × s. tf is the frequency in a document of dl terms,
// and p = (F + 1)/(T + 1) for F occurrences of the term among the T terms of the collection:
//
//	dirichlet  s = max(0, ln(1 + tf/(μ·p)) + ln(μ/(dl + μ)))
//	jm         s = ln(1 + (1 − λ)·tf/dl / (λ·p))
//
// These are Lucene's LMDirichletSimilarity and LMJelinekMercerSimilarity: lengths are quantised to a byte, 32-bit
// term scores are added in double precision, and the sum is rounded to 32 bits once. Both omit what does not depend
// on the document. dirichlet stops at 0, so that no document loses by containing a word.
type Ranker struct {
	x        *index.Index
	analyzer *text.Analyzer
	p        Params
	lengths  []byte       // Lucene's length byte by document
	norm     [256]float64 // dirichlet: ln(μ/(dl + μ)) by length byte
	acc      []float64    // by document, untouched between queries
	touched  []uint32
	top      rank.Top
}

// untouched is the initial value of an accumulator: no sum of scores is −1.
const untouched = -1

// New returns a ranker over x. It returns an error unless this version has the analyzer that made the index.
func New(x *index.Index, p Params) (*Ranker, error) {
	a, err := text.At(x.Analyzer())
	if err != nil {
		return nil, fmt.Errorf("lm: %w", err)
	}
	r := &Ranker{x: x, analyzer: a, lengths: make([]byte, x.Docs()), acc: make([]float64, x.Docs())}
	for d := range r.lengths {
		r.lengths[d] = index.EncodeLength(uint32(x.Length(index.Contents, uint32(d))))
		r.acc[d] = untouched
	}
	return r, r.Set(p)
}

// Set changes the settings. The ranker then equals one that New makes with them. Cost: a table of 256 numbers.
func (r *Ranker) Set(p Params) error {
	if !(p.Mu > 0 && p.Mu <= math.MaxFloat32) {
		return fmt.Errorf("lm: mu = %v: must be above 0", p.Mu)
	}
	if !(p.Lambda > 0 && p.Lambda <= 1) {
		return fmt.Errorf("lm: lambda = %v: must be above 0 and at most 1", p.Lambda)
	}
	r.p = p
	mu := float64(float32(p.Mu))
	for b := range r.norm {
		r.norm[b] = float.Log(mu / (float64(index.DecodeLength(byte(b))) + mu))
	}
	return nil
}

// term is a distinct term of a query.
type term struct {
	id    uint32
	known bool // the index has it
	word  string
	boost float64
}

// terms returns the distinct terms of a text in order of first occurrence.
func (r *Ranker) terms(s string) []term {
	var out []term
	r.analyzer.Each(s, func(word string, _, _ int) {
		for i := range out {
			if out[i].word == word {
				out[i].boost++
				return
			}
		}
		id, ok := r.x.ID(word)
		out = append(out, term{id, ok, word, 1})
	})
	return out
}

// probability returns p and F of a term.
func (r *Ranker) probability(id uint32) (p, f float64) {
	f = float64(r.x.CF(index.Contents, id))
	return (f + 1) / (float64(r.x.Stats(index.Contents).Tokens) + 1), f
}

// score returns the 32-bit score of a term with frequency tf in a document with the given length byte.
func (r *Ranker) score(boost, p, tf float64, length byte) float64 {
	if r.p.Jelinek {
		lambda := float32(r.p.Lambda)
		dl := float64(index.DecodeLength(length))
		return float64(float32(boost * float.Log(1+float64(float64(1-lambda)*tf/dl)/float64(float64(lambda)*p))))
	}
	s := boost * (float.Log(1+tf/float64(float64(float32(r.p.Mu))*p)) + r.norm[length])
	return float64(float32(max(0, s)))
}

// Rank implements rank.Ranker. It omits documents without any term of the query. Scores are 32-bit numbers.
func (r *Ranker) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	for _, t := range r.terms(q.Text) {
		if !t.known {
			continue
		}
		p, _ := r.probability(t.id)
		l := r.x.List(t.id)
		for i, posting := range l.Postings {
			d := posting.Doc()
			if r.acc[d] == untouched {
				r.acc[d] = 0
				r.touched = append(r.touched, d)
			}
			tf, _ := l.TF(i)
			r.acc[d] += r.score(t.boost, p, float64(tf), r.lengths[d])
		}
	}
	r.top.Reset(k, dst)
	for _, d := range r.touched {
		if f.Has(d) {
			r.top.Push(rank.Hit{Doc: d, Score: float64(float32(r.acc[d]))})
		}
		r.acc[d] = untouched
	}
	r.touched = r.touched[:0]
	return r.top.Sorted(), nil
}

// Explain implements rank.Ranker. It returns a part for each distinct term of the query, including those that add
// nothing.
func (r *Ranker) Explain(q rank.Query, _ rank.Filter, d uint32) (rank.Part, error) {
	if int(d) >= r.x.Docs() {
		return rank.Part{}, fmt.Errorf("lm: explain document %d: there are %d", d, r.x.Docs())
	}
	var out rank.Part
	var sum float64
	for _, t := range r.terms(q.Text) {
		part := rank.Part{Name: t.word}
		var tf, p, cf float64
		if t.known {
			l := r.x.List(t.id)
			p, cf = r.probability(t.id)
			if i, ok := l.Find(d); ok {
				n, _ := l.TF(i)
				tf = float64(n)
				part.Score = r.score(t.boost, p, tf, r.lengths[d])
			}
		}
		part.Values = []rank.Value{{Name: "boost", Value: t.boost}, {Name: "tf", Value: tf}, {Name: "cf", Value: cf},
			{Name: "p", Value: p}}
		sum += part.Score
		out.Parts = append(out.Parts, part)
	}
	out.Score = float64(float32(sum))
	out.Values = []rank.Value{{Name: "dl", Value: float64(index.DecodeLength(r.lengths[d]))},
		{Name: "T", Value: float64(r.x.Stats(index.Contents).Tokens)}}
	if r.p.Jelinek {
		out.Values = append(out.Values, rank.Value{Name: "lambda", Value: r.p.Lambda})
	} else {
		out.Values = append(out.Values, rank.Value{Name: "mu", Value: r.p.Mu})
	}
	return out, nil
}
