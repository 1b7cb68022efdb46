package matrix

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/remote/gateway"
)

// machine is that of a real gateway, before a reranker in TEI's format that scores a text by its length.
type machine struct {
	gateway.Ledger
	asked atomic.Int32
	rooms gateway.RoomMemory
}

func (m *machine) Now() time.Time                              { return time.Unix(1e9, 0) }
func (m *machine) Wait(time.Duration)                          {}
func (m *machine) Secret(string) string                        { return "" }
func (m *machine) Log([]byte)                                  {}
func (m *machine) Random(b []byte)                             { clear(b) }
func (m *machine) Store() gateway.Store                        { return m }
func (m *machine) Rooms() gateway.Rooms                        { return &m.rooms }
func (m *machine) Recall(gateway.Kept, string) ([]byte, bool)  { return nil, false }
func (m *machine) Remember(gateway.Kept, string, []byte) error { return nil }
func (m *machine) Spend(client string, units int, first bool, l *gateway.Limits) (time.Duration, gateway.Refusal) {
	return m.Ledger.Spend(client, units, first, m.Now(), l)
}
func (m *machine) Fetch(u *gateway.Upstream) (*gateway.Reply, error) {
	if u.Body == nil { // about itself
		return &gateway.Reply{Status: 404}, nil
	}
	m.asked.Add(1)
	_, list, _ := strings.Cut(string(u.Body), `"texts":[`)
	list, _, _ = strings.Cut(list, "]")
	var out []string
	for i, text := range strings.Split(list, `","`) {
		out = append(out, fmt.Sprintf(`{"index":%d,"score":%d}`, i, len(text)))
	}
	return &gateway.Reply{Status: 200, Body: []byte("[" + strings.Join(out, ",") + "]")}, nil
}

// withEdge is the small collection with a reranker behind an edge.
func withEdge(t *testing.T, members ...string) (*experiment.Session, *remote.Edge, *machine) {
	t.Helper()
	c, err := gateway.ParseConfig([]byte(`{"limits":{"per_minute":1000},"backends":[{"id":"ce","kind":"tei",` +
		`"url":"http://service.example",` + strings.Join(members, "") + `"does":["rerank"]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{}
	g := gateway.New(c, m)
	e := remote.New(func(method, path string, body []byte) (remote.Reply, error) {
		a := g.Serve(&gateway.Call{Method: method, Path: path, ContentType: "application/json", Client: "test",
			Length: int64(len(body)), Body: func(int) ([]byte, error) { return body, nil }})
		return remote.Reply{Status: a.Status, Body: a.Body}, nil
	})
	s := session(t)
	s.SetEdge(e)
	return s, e, m
}

// An experiment that would spend more than was allowed stops, and says so; what was allowed is kept, and the rest is
// done once it is allowed.
func TestAnExperimentStopsWhereNothingMoreMayBeSpent(t *testing.T) {
	const spec = `{"systems": ["bm25 >> rerank(backend=ce,depth=5)"], "measures": ["nDCG@10"]}`
	s, edge, m := withEdge(t)
	x, err := Open(plan(t, s, spec), s, &Memory{})
	if err != nil {
		t.Fatal(err)
	}
	end := edge.Allow(0)
	err = x.Run(Options{})
	spent, declined := end()
	var e *remote.Error
	if !errors.As(err, &e) || !e.Unasked || errors.Is(err, ErrCancelled) {
		t.Errorf("the experiment ends with %v", err)
	}
	if m.asked.Load() != 0 || spent.Calls != 0 || declined.Calls == 0 {
		t.Errorf("%d calls, %+v spent, %+v declined", m.asked.Load(), spent, declined)
	}
	if st := x.Status()[0]; st.State == Broken || st.State == Completed {
		t.Errorf("the run is %v: %s", st.State, st.Why)
	}
	if err := x.Run(Options{}); err != nil {
		t.Fatal(err)
	}
	if n := m.asked.Load(); n != 11 { // of 12 queries one finds nothing
		t.Errorf("%d calls, want 11", n)
	}
	out, err := x.Outcome(Provenance{}, nil)
	if err != nil || len(out.Report.Systems) != 1 {
		t.Errorf("%v", err)
	}
}
