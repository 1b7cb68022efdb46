package rerank_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/rerank"
)

// By hand, over 5, 1, 7, 2 of which the first three are scored 0.4, 0.2 and 0.9. A threshold removes what does not reach
// it, and what nobody scored; keeping leaves both behind, in their order. Neither is an outage, not even if nothing
// reaches it.
func TestAThresholdIsNoOutage(t *testing.T) {
	by := list{{Doc: 7, Score: 0.9}, {Doc: 5, Score: 0.4}, {Doc: 1, Score: 0.2}}
	for _, x := range []struct {
		name      string
		threshold float64
		remove    bool
		want      []uint32
		below     int
		said      string
	}{
		{"one reaches it", 0.5, true, []uint32{7}, 2, "2 documents of 3 are below the threshold 0.5; 3 documents were taken out"},
		{"one reaches it, the others follow", 0.5, false, []uint32{7, 5, 1, 2}, 2,
			"2 documents of 3 are below the threshold 0.5 and follow in their order"},
		{"exactly", 0.4, true, []uint32{7, 5}, 1, "1 document of 3 is below the threshold 0.4; 2 documents were taken out"},
		{"all reach it", 0.1, true, []uint32{7, 5, 1}, 0, "0 documents of 3 are below the threshold 0.1; 1 document was"},
		{"none reaches it", 0.95, true, []uint32{}, 3, "3 documents of 3 are below the threshold 0.95; 4 documents were"},
		{"none reaches it, all follow", 0.95, false, []uint32{5, 1, 7, 2}, 3, "follow in their order"},
	} {
		a := &rerank.Again{Ranker: four, By: by, Name: "another", Docs: 8, Depth: 3, Threshold: x.threshold,
			Remove: x.remove}
		got, err := a.Rank(rank.Query{}, 10, nil, nil)
		said := a.Account()
		if err != nil || !slices.Equal(docs(got), x.want) && len(got)+len(x.want) > 0 || said.Aside || said.Part ||
			said.Below != x.below || !strings.Contains(said.Note, x.said) {
			t.Errorf("%s: %v, %v, %+v", x.name, docs(got), err, said)
		}
		for i := 1; i < len(got); i++ {
			if !rank.Better(got[i-1], got[i]) {
				t.Errorf("%s: %v does not stand above %v", x.name, got[i-1], got[i])
			}
		}
	}
}

// By hand: the second batch of one document cannot be asked about. What was scored below the threshold is taken out,
// what was not asked about stands behind, and that is told as an outage.
func TestAnOutageBehindAThreshold(t *testing.T) {
	by := &asked{list: list{{Doc: 5, Score: 0.9}, {Doc: 1, Score: 0.2}}, fails: 3}
	a := &rerank.Again{Ranker: four, By: by, Name: "another", Docs: 8, Depth: 4, Batch: 1, Threshold: 0.5, Remove: true}
	got, err := a.Rank(rank.Query{}, 10, nil, nil)
	if said := a.Account(); err != nil || !slices.Equal(docs(got), []uint32{5, 7, 2}) || !said.Part || said.Below != 1 ||
		!strings.Contains(said.Note, "2 documents were not scored") {
		t.Errorf("%v, %v, %+v", docs(got), err, said)
	}
}
