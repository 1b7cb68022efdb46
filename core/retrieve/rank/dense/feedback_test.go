package dense

import (
	"math"
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// By hand, all scales 1: the query is (67, 0), the documents (30, 20), (0, 90), (29, −60) and one without text. At
// first the dot products are 2010, 0, 1943. The first document moves the query to (67, 0) + 2 (30, 20) = (127, 40), of
// which the dot products are 30·127 + 20·40 = 4610, 90·40 = 3600, 29·127 − 60·40 = 1283: the second document is now
// above the third. Both of the first two would move it to (67, 0) + 2 (29.5, −20).
func TestFeedbackMovesTheQuery(t *testing.T) {
	docs := &Vectors{Dim: 2, Rows: []int8{30, 20, 0, 90, 29, -60, 0, 0}, Scales: []float32{1, 1, 1, 0}}
	queries := &Vectors{Dim: 2, Rows: []int8{67, 0}, Scales: []float32{1}}
	by, err := NewTuned("hand", docs, queries, []string{"q"}, SearchParameters{})
	if err != nil {
		t.Fatal(err)
	}
	b := &Feedback{Ranker: by, By: func(rank.Query) (*Tuned, error) { return by, nil }, Docs: 1, Alpha: 1, Beta: 2}
	tests := []struct {
		name        string
		docs        int
		alpha, beta float64
		filter      rank.Filter
		want        []rank.Hit
	}{
		{"the first document", 1, 1, 2, nil, []rank.Hit{{Doc: 0, Score: 4610}, {Doc: 1, Score: 3600},
			{Doc: 2, Score: 1283}}},
		{"no weight", 1, 1, 0, nil, []rank.Hit{{Doc: 0, Score: 2010}, {Doc: 2, Score: 1943}, {Doc: 1, Score: 0}}},
		{"the documents alone", 1, 0, 127. / 30, rank.Filter{0b110}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b.Docs, b.Alpha, b.Beta = tt.docs, tt.alpha, tt.beta
			got, err := b.Rank(rank.Query{ID: "q"}, 9, tt.filter, nil)
			if err != nil {
				t.Fatal(err)
			}
			// the moved vector is rounded to int8
			same := func(a, b rank.Hit) bool { return a.Doc == b.Doc && math.Abs(a.Score-b.Score) < 1e-3 }
			if tt.want != nil && !slices.EqualFunc(got, tt.want, same) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			// of 1 and 2 the second moves the query towards itself
			if tt.filter != nil && (len(got) != 2 || got[0].Doc != 2) {
				t.Errorf("filtered: %v", got)
			}
			for _, h := range got {
				if p, err := b.Explain(rank.Query{ID: "q"}, tt.filter, h.Doc); err != nil || p.Score != h.Score {
					t.Errorf("document %d: explained %v, %v; ranked %v", h.Doc, p.Score, err, h.Score)
				}
			}
		})
	}
	if _, err := b.Rank(rank.Query{ID: "unheard"}, 9, nil, nil); err == nil {
		t.Error("a query without a vector was answered")
	}
}
