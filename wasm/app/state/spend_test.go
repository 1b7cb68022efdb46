package state

import (
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
)

// A search spends what was allowed and no more, and a comparison nothing unless it is asked for.
func TestWhatIsSpentWasAllowed(t *testing.T) {
	a, sent := with(t, "bm25", "bm25 >> rerank(backend=ce)")
	spend := func(k message.Kind) int { return sent(k).Question.(*experiment.Spec).Spend }
	a.Engine.Opened, a.Engine.Phase = &message.Opened{Ref: report.Ref{ID: "c"}}, Ready
	a.Search.Again()
	if n := spend(message.Search); n != 0 {
		t.Errorf("a link spends %d tokens", n)
	}
	a.Search.Allow()
	if n := spend(message.Search); n != Allowed {
		t.Errorf("%d tokens are allowed, want %d", n, Allowed)
	}
	overtaken := sent(message.Search)
	a.Search.Again()
	a.Receive(message.Reply{ID: overtaken.ID, Kind: message.Search, Answer: &experiment.Results{Spent: 1000}})
	a.Receive(message.Reply{ID: sent(message.Search).ID, Kind: message.Search, Answer: &experiment.Results{Spent: 10}})
	a.Search.Again()
	if n := spend(message.Search); n != Allowed-1010 {
		t.Errorf("%d tokens are left, want %d", n, Allowed-1010)
	}
	a.Figures.MeasureAll()
	if n := spend(message.Evaluate); n != -1 {
		t.Errorf("the comparison that was asked for may spend %d", n)
	}
	a.Figures.ask()
	if n := spend(message.Evaluate); n != 0 {
		t.Errorf("the next one spends %d", n)
	}
	// once all is asked, the open list is there too
	a.Settings.Spec.Query, a.Search.Results = "fog",
		&experiment.Results{Lists: []experiment.List{{Unasked: "Not asked yet."}}}
	var ids []uint64
	for range 3 {
		ids = append(ids, sent(message.Search).ID)
		a.Receive(message.Reply{ID: sent(message.Evaluate).ID, Kind: message.Evaluate, Answer: &report.Report{}})
	}
	if ids[1] == ids[0] || ids[2] != ids[1] {
		t.Errorf("searches %d before and after the comparison, and after another", ids)
	}
}
