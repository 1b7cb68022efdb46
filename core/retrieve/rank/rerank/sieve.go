package rerank

import (
	"slices"

	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Sieve goes down a ranking and removes documents that repeat one above. Scores stay unchanged. It is not safe for
// concurrent use.
type Sieve struct {
	rank.Ranker
	Depth int // how many documents of the ranking take part, ≥ 1; the rest is dropped
	Keep  int // how many similar documents stay, ≥ 1
	// Like returns, for a ranking, a function that reports whether the document at index b repeats the one at index
	// a < b, and why.
	Like func(hits []rank.Hit) (repeats func(a, b int) (why string, yes bool), err error)

	account rank.Account
}

// Rank implements rank.Ranker. Cost: a comparison of each document with each kept one above it.
func (s *Sieve) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	s.account = rank.Account{Gone: s.account.Gone[:0]}
	hits, err := s.Ranker.Rank(q, s.Depth, f, dst)
	if err != nil || len(hits) == 0 {
		return hits, err
	}
	repeats, err := s.Like(hits)
	if err != nil {
		return hits, err
	}
	var stay []int
	for i := range hits {
		seen, why, by := 0, "", uint32(0)
		for _, j := range stay {
			if w, yes := repeats(j, i); yes {
				if seen++; seen == 1 {
					why, by = w, hits[j].Doc
				}
			}
		}
		if seen < s.Keep {
			stay = append(stay, i)
		} else {
			s.account.Gone = append(s.account.Gone, rank.Gone{Doc: hits[i].Doc, By: by, Why: why})
		}
	}
	for n, i := range stay {
		hits[n] = hits[i]
	}
	return hits[:min(k, len(stay))], nil
}

// Account implements rank.Accountable.
func (s *Sieve) Account() rank.Account { return s.account }

// Explain implements rank.Ranker: the ranking's own explanation. For a removed document a part subtracts its score.
func (s *Sieve) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	inner, err := s.Ranker.Explain(q, f, d)
	if err != nil {
		return inner, err
	}
	hits, err := s.Rank(q, s.Depth, f, nil)
	if err != nil {
		return rank.Part{}, err
	}
	out := rank.Part{Score: inner.Score, Parts: []rank.Part{rank.Before(inner)}}
	if !slices.ContainsFunc(hits, func(h rank.Hit) bool { return h.Doc == d }) {
		out.Score = 0
		away := rank.Part{Name: "taken out", Score: -inner.Score}
		for _, g := range s.account.Gone {
			if g.Doc == d {
				away.Name = "taken out: " + g.Why
			}
		}
		out.Parts = append(out.Parts, away)
	}
	return out, nil
}
