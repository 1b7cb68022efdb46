package status

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
	screen "github.com/rankbox/rankbox/wasm/app/state/status"
)

// By hand: of 20 calls 18 took up to 100 ms, one up to 2 s and one longer, so that half were within 100 ms, and 95 %
// (19) within 2 s; of a second address 2 of 20 took longer, which is where the alert begins. 3 of 40 answers fell back,
// 7.5 %, over 5 %; 0.9/2 is a mean of 0.45, below 0.5.
func TestWhatTheEdgeCountsIsDrawn(t *testing.T) {
	s := screen.New(state.New(&statetest.Recorder{}, func(string) string { return "" }, "/status"))
	c := &Status{S: s}
	if c.Routes() != nil || c.Backends() != nil || c.HasEdge() || c.Said() == "" {
		t.Error("something is said of an edge that nobody has asked")
	}
	s.Offered = &message.Offered{Snapshots: true,
		Backends: []remote.Backend{{ID: "ce", Kind: "tei", Does: []string{"rerank"}, Model: "m"}}, Watch: &remote.Watch{
			Routes: []remote.Route{
				{Name: "POST /api/v1/rerank", Calls: 20, Failed: 1, Buckets: []int{18, 0, 0, 0, 1, 0, 1}, Hits: 1,
					Misses: 3, Items: 90, Answered: 20},
				{Name: "POST /api/v1/embed", Calls: 20, Buckets: []int{18, 0, 0, 0, 0, 0, 2}},
				{Name: "none", Calls: 7, Buckets: []int{7, 0, 0, 0, 0, 0, 0}},
			},
			Backends: []remote.Service{{ID: "ce", State: "open", Events: []remote.Event{{Name: "busy", N: 2}},
				Reranked: 40, Fell: 3, Scores: 2, Sum: .9, Lowest: .2, Greatest: .7}},
		}}
	r := c.Routes()
	if len(r) != 2 || r[0].P50 != "100 ms" || r[0].P95 != "2 s" || r[0].Class != "" || r[0].Items != "4.5" ||
		!strings.HasPrefix(r[0].Hits, "25.0") {
		t.Errorf("%+v", r)
	}
	if r[1].P95 != "over 5 s" || r[1].Class != "warn" || r[0].Bars[0].H != "14" || r[0].Bars[1].H != "0" ||
		!strings.HasSuffix(r[0].Said, "up to 2 s: 1, up to 5 s: 0, longer: 1") {
		t.Errorf("%+v", r[1])
	}
	if b := c.Backends(); len(b) != 1 || b[0].Class != "warn" || b[0].Events != "busy 2" {
		t.Errorf("%+v", b)
	}
	if x := c.Rerankers(); len(x) != 1 || !strings.HasPrefix(x[0].Fell, "7.5") || x[0].FellClass != "warn" ||
		x[0].MeanClass != "warn" || x[0].Mean != "0.450" {
		t.Errorf("%+v", x)
	}
	if c.Windows() != nil {
		t.Error("an edge of an earlier version has no windows")
	}
	s.Offered.Watch.Instance = "0a1b2c3d"
	s.Offered.Watch.Windows = []remote.Window{
		{Figure: "score_mean", Minutes: 10, Value: .45, N: 2, Limit: .5, Below: true},
		{Figure: "p95_seconds", Minutes: 5, Value: 2.49, N: 1200, Limit: 2},
		{Figure: "fallback_share", Minutes: 10, Value: .05, N: 40, Limit: .05},
		{Figure: "score_spread", Minutes: 10, Limit: .01, Below: true},
		{Figure: "of a later version", Minutes: 1, Value: 1, N: 1},
	}
	want := []Window{
		{"p95", "5 minutes", "2.5 s", "1,200 calls", "at most 2.0 s", "limit exceeded", "warn"},
		{"fell back", "10 minutes", "5.0\u00a0%", "40 answers", "at most 5.0\u00a0%", "within the limit", ""},
		{"mean rerank score", "10 minutes", "0.450", "2 scores", "at least 0.500", "limit exceeded", "warn"},
		{"spread of scores within an answer", "10 minutes", "", "0 answers", "at least 0.010", "nothing counted", ""},
	}
	if got := c.Windows(); !slices.Equal(got, want) || !strings.Contains(c.Counted(), "0a1b2c3d") {
		t.Errorf("%+v", got)
	}
	if seconds(.49) != "490 ms" || seconds(5) != "over 5 s" {
		t.Error(seconds(.49), seconds(5))
	}
	if within(math.Inf(1)) != "over 5 s" || c.Unwatched() != "" {
		t.Errorf("%q", c.Unwatched())
	}
	s.Offered = &message.Offered{Why: "There is no edge here."}
	if !c.Missing() || !strings.Contains(c.Said(), "This site has no edge: there is no edge") {
		t.Error(c.Said())
	}
}
