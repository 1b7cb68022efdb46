package rerank

import (
	"math"

	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Balance limits the share of each category among the first places. It goes down the ranking and moves a document
// behind the first Top places if its category is full. Documents without a category never move. Each rank keeps its
// original score. It is not safe for concurrent use.
type Balance struct {
	rank.Ranker
	Depth    int     // how many documents of the ranking take part, ≥ 1; the rest is dropped
	Top      int     // number of balanced places, ≥ 1
	Share    float64 // share of Top for one category, 0 to 1; at least one place
	Category func(d uint32) string

	account rank.Account
}

// maxPerCategory returns how many places a category may have.
func (b *Balance) maxPerCategory() int {
	return max(1, int(math.Ceil(float64(b.Share*float64(b.Top))-1e-9)))
}

// Rank implements rank.Ranker.
func (b *Balance) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	b.account = rank.Account{Gone: b.account.Gone[:0]}
	hits, err := b.Ranker.Rank(q, b.Depth, f, dst)
	if err != nil || len(hits) == 0 {
		return hits, err
	}
	scores, most := scoresOf(hits), b.maxPerCategory()
	has, none := map[string]int{}, true
	var first, later, rest []rank.Hit
	for i, h := range hits {
		c := b.Category(h.Doc)
		none = none && c == ""
		switch {
		case len(first) == b.Top:
			rest = append(rest, hits[i])
		case c != "" && has[c] >= most:
			later = append(later, h)
			b.account.Gone = append(b.account.Gone,
				rank.Gone{Doc: h.Doc, By: h.Doc, Why: "put back: its category has its share"})
		default:
			has[c]++
			first = append(first, h)
		}
	}
	order := append(append(first, later...), rest...)
	if len(first) < b.Top { // no other document can take their places
		b.account.Gone = onlyMoved(b.account.Gone, first, hits)
	}
	if none {
		b.account.Idle, b.account.Note = true, "None of these documents has a category"
	}
	copy(hits, order)
	descend(hits, scores)
	return hits[:min(k, len(hits))], nil
}

// onlyMoved drops documents from gone that did not move.
func onlyMoved(gone []rank.Gone, first, hits []rank.Hit) []rank.Gone {
	at := map[uint32]int{}
	for i, h := range hits {
		at[h.Doc] = i
	}
	out := gone[:0]
	for i, g := range gone {
		if len(first)+i > at[g.Doc] {
			out = append(out, g)
		}
	}
	return out
}

// Account implements rank.Accountable.
func (b *Balance) Account() rank.Account { return b.account }

// Explain implements rank.Ranker: the ranking's own explanation, and the effect of the new rank.
func (b *Balance) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	return explainMove(b.Ranker, b.Rank, b.Depth, "another place for the balance of categories", q, f, d)
}

// explainMove explains the score of a document that a stage moved to another rank.
func explainMove(r rank.Ranker, order func(rank.Query, int, rank.Filter, []rank.Hit) ([]rank.Hit, error), depth int,
	name string, q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	inner, err := r.Explain(q, f, d)
	if err != nil {
		return inner, err
	}
	hits, err := order(q, depth, f, nil)
	if err != nil {
		return rank.Part{}, err
	}
	out := rank.Part{Parts: []rank.Part{rank.Before(inner)}}
	for _, h := range hits {
		if h.Doc == d {
			out.Score = h.Score
		}
	}
	if by := out.Score - inner.Score; by != 0 {
		out.Parts = append(out.Parts, rank.Part{Name: name, Score: by})
	}
	return out, nil
}
