package rerank

import (
	"slices"

	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Stored replays another system's ranking from stored lists, best first, by query id.
type Stored struct {
	Name  string // name of the run
	Lists map[string][]rank.Hit
}

// Rank implements rank.Ranker.
func (s *Stored) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	list, err := s.list(q)
	dst = dst[:0]
	for _, h := range list {
		if f.Has(h.Doc) && len(dst) < k {
			dst = append(dst, h)
		}
	}
	return dst, err
}

func (s *Stored) list(q rank.Query) ([]rank.Hit, error) {
	if q.ID == "" {
		return nil, &rank.Unanswerable{Reason: "the stored run " + s.Name +
			" holds rankings of judged queries, not of a typed one"}
	}
	list, ok := s.Lists[q.ID]
	if !ok {
		return nil, &rank.Unanswerable{Reason: "the stored run " + s.Name + " has no ranking for query " + q.ID}
	}
	return list, nil
}

// Explain implements rank.Ranker: the stored score and rank. A run has no further explanation.
func (s *Stored) Explain(q rank.Query, _ rank.Filter, d uint32) (rank.Part, error) {
	list, err := s.list(q)
	if err != nil {
		return rank.Part{}, err
	}
	if i := slices.IndexFunc(list, func(h rank.Hit) bool { return h.Doc == d }); i >= 0 {
		return rank.Part{Score: list[i].Score, Values: []rank.Value{{Name: "rank", Value: float64(i + 1)}},
			Note: "A stored run has no further explanation."}, nil
	}
	return rank.Part{Note: "The stored run does not hold this document."}, nil
}
