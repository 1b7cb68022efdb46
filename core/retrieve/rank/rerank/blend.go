package rerank

import (
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Blend orders by a mean of relevance and another value of a document, for example its recency:
//
//	(1 − w) · relevance + w · value
//
// Relevance is the score of the ranking, scaled to [0,1] over its first Depth documents; the rest is dropped. Ties
// are ordered by ordinal. If a query's weight is 0, the ranking and its scores stay unchanged. It is not safe for
// concurrent use.
type Blend struct {
	rank.Ranker
	Depth int    // ≥ 1
	Name  string // name of the value, for explanations
	// Of returns the weight w for a query (0 to 1), a sentence that explains it if it depends on the query, and a
	// function that returns a document's value (0 to 1) with the numbers behind it.
	Of func(q rank.Query) (w float64, why string, value func(d uint32) (float64, []rank.Value))
	// Lack is the note for a ranking without a document whose value is above 0; "" for no note.
	Lack string

	account rank.Account
}

// Rank implements rank.Ranker.
func (b *Blend) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	w, why, value := b.Of(q)
	b.account = rank.Account{Note: why, Idle: w == 0 && why != ""}
	if w == 0 {
		return b.Ranker.Rank(q, k, f, dst)
	}
	hits, err := b.Ranker.Rank(q, b.Depth, f, dst)
	if err != nil || len(hits) == 0 {
		return hits, err
	}
	ends, none := []rank.Hit{hits[0], hits[len(hits)-1]}, true
	for i, h := range hits {
		v, _ := value(h.Doc)
		none = none && v == 0
		hits[i].Score = blend(w, relevance(ends, h.Score), v)
	}
	if none && b.Lack != "" {
		b.account = rank.Account{Note: b.Lack, Idle: true}
	}
	rank.Sort(hits)
	return hits[:min(k, len(hits))], nil
}

func blend(w, relevance, value float64) float64 {
	return float64((1-w)*relevance) + float64(w*value)
}

// Account implements rank.Accountable.
func (b *Blend) Account() rank.Account { return b.account }

// Explain implements rank.Ranker: the contributions of relevance, with the ranking's own explanation below it, and
// of the value.
func (b *Blend) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	w, _, value := b.Of(q)
	inner, err := b.Ranker.Explain(q, f, d)
	if err != nil {
		return rank.Part{}, err
	}
	if w == 0 {
		return rank.Part{Score: inner.Score, Parts: []rank.Part{rank.Before(inner)}}, nil
	}
	hits, err := b.Ranker.Rank(q, b.Depth, f, nil)
	if err != nil {
		return rank.Part{}, err
	}
	out := rank.Part{Values: []rank.Value{{Name: "weight", Value: w}}}
	v, numbers := value(d)
	added := rank.Part{Name: b.Name, Values: append([]rank.Value{{Name: "between 0 and 1", Value: v}}, numbers...)}
	was := rank.Part{Name: "relevance", Parts: []rank.Part{inner}}
	for _, h := range hits {
		if h.Doc == d {
			r := relevance(hits, h.Score)
			was.Score, was.Values = float64((1-w)*r), []rank.Value{{Name: "between 0 and 1", Value: r}}
			added.Score = float64(w * v)
			out.Score = blend(w, r, v)
		}
	}
	out.Parts = []rank.Part{was, added}
	return out, nil
}
