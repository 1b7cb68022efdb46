package worker

import (
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/remote/gateway"
)

// machine is what a real gateway runs on, with a service behind it that scores a text by its length.
type machine struct {
	gateway.Ledger
	asked atomic.Int32
	kept  map[string][]byte
	rooms gateway.RoomMemory
	g     *gateway.Gateway
}

func (m *machine) Store() gateway.Store { return m }
func (m *machine) Rooms() gateway.Rooms { return &m.rooms }
func (m *machine) Random(b []byte)      { rand.Read(b) }

// swap puts another gateway there: of another model, index or template.
func (m *machine) swap(t *testing.T, model, index, template string) {
	t.Helper()
	c, err := gateway.ParseConfig([]byte(fmt.Sprintf(`{"snapshots":true,"backends":[
		{"id":"ce","kind":"tei","url":"http://service.example","model":%q,"revision":"1","does":["rerank"]},
		{"id":"wire","kind":"opensearch","url":"http://service.example","index":%q,
			"templates":{"bm25":%q},"does":["search"]}]}`, model, index, template)))
	if err != nil {
		t.Fatal(err)
	}
	m.g = gateway.New(c, m)
}

func (m *machine) Now() time.Time     { return time.Now() }
func (m *machine) Wait(time.Duration) {}
func (m *machine) Log([]byte)         {}
func (m *machine) Secret(name string) string {
	return map[string]string{gateway.MetricsSecret: "token", "CLIENT_KEYS": keySecret}[name]
}
func (m *machine) Spend(client string, units int, first bool, l *gateway.Limits) (time.Duration, gateway.Refusal) {
	return m.Ledger.Spend(client, units, first, time.Now(), l)
}
func (m *machine) Recall(kind gateway.Kept, key string) ([]byte, bool) {
	b, ok := m.kept[string(kind)+key]
	return b, ok && kind == gateway.Snapshots
}
func (m *machine) Remember(kind gateway.Kept, key string, b []byte) error {
	if kind == gateway.Snapshots {
		m.kept[string(kind)+key] = b
	}
	return nil
}
func (m *machine) Fetch(u *gateway.Upstream) (*gateway.Reply, error) {
	if u.Body == nil { // about itself
		return &gateway.Reply{Status: 404}, nil
	}
	m.asked.Add(1)
	if strings.HasSuffix(u.URL, "/_search") {
		return &gateway.Reply{Status: 200,
			Body: []byte(`{"hits":{"hits":[{"_id":"b","_score":2},{"_id":"elsewhere","_score":1}]}}`)}, nil
	}
	_, list, _ := strings.Cut(string(u.Body), `"texts":["`)
	out := ""
	for i, text := range strings.Split(list, `","`) {
		out += fmt.Sprintf(`,{"index":%d,"score":%d}`, i, len(text))
	}
	return &gateway.Reply{Status: 200, Body: []byte("[" + out[1:] + "]")}, nil
}

// behindGateway lets the worker ask a real gateway.
func behindGateway(t *testing.T) *machine {
	t.Helper()
	m := &machine{kept: map[string][]byte{}}
	m.swap(t, "cross", "wire", `{"size":"$k"}`)
	before := askEdge
	t.Cleanup(func() { askEdge = before })
	askEdge = func(method, path string, body []byte) (remote.Reply, error) {
		call := &gateway.Call{Method: method, Path: path, ContentType: "application/json", Length: int64(len(body)),
			Client: "test", Body: func(int) ([]byte, error) { return body, nil }}
		switch method {
		case "PUT":
			call.ContentType = "application/octet-stream"
		case "GET":
			call.Authorization = "Bearer " + string(body)
		}
		a := m.g.Serve(call)
		return remote.Reply{Status: a.Status, Body: a.Body}, nil
	}
	return m
}

// An experiment that asks a backend: what was remote is said, another worker finds its answers on the device, and who
// opens the link has them without the service.
func TestAnExperimentBehindTheEdge(t *testing.T) {
	service := behindGateway(t)
	store := &matrix.Memory{}
	m := message.Matrix{Systems: []string{"bm25", "bm25 >> rerank(backend=ce)"}, Measures: []string{"nDCG@10"}}
	ask, _, e := trying(t, store)
	if plan := ask(false, m); len(plan.Runs) != 2 || !plan.Remote || service.asked.Load() != 0 {
		t.Fatalf("%+v, %d asked before it was started", plan, service.asked.Load())
	}
	var done *message.Experimented
	for range 20 {
		if done = ask(true, m); done.Over {
			break
		}
	}
	if r := done.Runs[1]; !done.Over || r.State != "completed" || !strings.HasPrefix(r.Behind,
		"Scored by the backend ce (cross 1), behind the edge, identity ") || done.Runs[0].Behind != "" ||
		service.asked.Load() != 1 {
		t.Fatalf("%+v, asked %d times", done, service.asked.Load())
	}
	e.Handle(message.Request{ID: 9, Kind: message.Experiment, Question: &message.AskExperiment{Matrix: m, Keep: true}})
	kept := ask(false, m)
	if len(kept.Answers) != 64 || kept.Note != "" {
		t.Fatalf("%+v", kept)
	}
	// somebody else opens the link: nothing is on that device, and the service is away
	askWas := askEdge
	askEdge = func(method, path string, body []byte) (remote.Reply, error) {
		if method == "POST" {
			return remote.Reply{}, errors.New("away")
		}
		return askWas(method, path, body)
	}
	m.Answers = kept.Answers
	ask, _, _ = trying(t, &matrix.Memory{})
	for range 20 {
		if done = ask(true, m); done.Over {
			break
		}
	}
	if r := done.Runs[1]; !done.Over || r.State != "completed" || !strings.HasPrefix(r.Behind, "Scored by") ||
		r.Mean != kept.Runs[1].Mean || done.Note != "" {
		t.Errorf("%+v", done)
	}
	// a link whose answers are gone says so, and the order stays
	m.Answers = strings.Repeat("0", 64)
	ask, compare, _ := trying(t, &matrix.Memory{})
	if done = ask(true, m); !strings.Contains(done.Note, "could not be had") {
		t.Errorf("%+v", done)
	}
	for !done.Over {
		done = ask(true, m)
	}
	if r := done.Runs[1]; !math.IsNaN(r.Mean) || r.State != "failed" || !strings.Contains(r.Why,
		"the backend answered no query") {
		t.Errorf("%+v", r)
	}
	// and the comparison has no figures of it
	if r := compare(m).Report; r == nil || len(r.Systems) != 1 || r.Systems[0].Why != "" {
		t.Errorf("%+v", r)
	}
}

func TestWhatTheEdgeOffers(t *testing.T) {
	service := behindGateway(t)
	e, replies := engine(site(t))
	offered := func(ask message.AskBehind) *message.Offered {
		t.Helper()
		e.Handle(message.Request{ID: 2, Kind: message.Behind, Question: &ask})
		o, ok := (*replies)[len(*replies)-1].Answer.(*message.Offered)
		if !ok {
			t.Fatalf("%+v", (*replies)[len(*replies)-1])
		}
		return o
	}
	if o := offered(message.AskBehind{}); o.Why != "" || !o.Snapshots || len(o.Named("rerank")) != 1 ||
		len(o.Backends[0].Identity) != 64 || o.Watch != nil {
		t.Errorf("%+v", o)
	}
	if o := offered(message.AskBehind{Watch: true}); o.Watch == nil || o.Watch.Backends[0].State != "closed" ||
		len(o.Watch.Routes) != 0 {
		t.Errorf("%+v", o)
	}
	if o := offered(message.AskBehind{Watch: true, Token: "wrong"}); o.Watch == nil ||
		!strings.Contains(o.Unwatched, "does not take this token") {
		t.Errorf("%+v", o)
	}
	e.Handle(message.Request{ID: 1, Kind: message.Open, Question: &message.Place{Collection: "c", Base: base}})
	search := func(spend int) *experiment.Results {
		e.Handle(message.Request{ID: 3, Kind: message.Search, Question: &experiment.Spec{QueryID: "q1",
			Systems: []string{"bm25 >> rerank(backend=ce)"}, Spend: spend}})
		return (*replies)[len(*replies)-1].Answer.(*experiment.Results)
	}
	// the query of 9 to 12 characters is 3 tokens and counts with each document, whose titles and texts of 29 and
	// 26 are 8 and 7: 21
	if x := search(20); x.Spent != 0 || service.asked.Load() != 0 ||
		x.Lists[0].Unasked != "Not asked yet: 1 call with 3 texts, about 21 tokens." || len(x.Lists[0].Hits) != 0 {
		t.Errorf("%d spent, asked %d times: %+v", x.Spent, service.asked.Load(), x.Lists[0])
	}
	x := search(21)
	if x.Spent != 21 || service.asked.Load() != 1 {
		t.Errorf("%d spent, asked %d times", x.Spent, service.asked.Load())
	}
	if x = search(0); x.Spent != 0 || x.Lists[0].Unasked != "" || service.asked.Load() != 1 {
		t.Errorf("what was answered costs %d, asked %d times: %+v", x.Spent, service.asked.Load(), x.Lists[0])
	}
	l := x.Lists[0]
	if s := l.Steps(); l.Problem != "" || len(s) != 2 || !strings.Contains(s[1].Note, "backend ce (cross 1)") {
		t.Errorf("%+v", s)
	}
	o := offered(message.AskBehind{Watch: true, Token: "token"})
	for _, r := range o.Watch.Routes {
		if r.Name == "POST /api/v1/rerank" && (r.Calls != 1 || r.Failed != 0 || r.Misses != 1 ||
			r.Within(.5) != remote.Buckets[0]) {
			t.Errorf("%+v", r)
		}
	}
	if w := o.Watch.Windows; len(w) != 4 || w[0].Figure != "p95_seconds" || w[0].N == 0 || w[0].Limit != 2 ||
		w[1].N != 1 || w[1].Exceeded() || w[2].N != 2 || !w[2].Below || len(o.Watch.Instance) != 8 {
		t.Errorf("%+v", w)
	}
	// the texts are "Ferry strike No ferry sailed." and "Storm A ferry turned back."; the last one's length has the
	// end of the body in it
	if s := o.Watch.Backends[0]; s.Reranked != 1 || s.Fell != 0 || s.Scores != 2 || s.Lowest > s.Greatest ||
		service.asked.Load() != 1 || len(o.Watch.Routes) == 0 {
		t.Errorf("%+v, %+v", o.Watch.Routes, s)
	}
	askEdge = nil
	if o := offered(message.AskBehind{}); o.Why != "there is no edge here." {
		t.Errorf("%+v", o)
	}
}

// What somebody writes, draws, opens or points at asks no backend: only what they say does, as far as they say.
func TestNothingIsSpentUnasked(t *testing.T) {
	service := behindGateway(t)
	e, replies := engine(site(t))
	e.Handle(message.Request{ID: 1, Kind: message.Open, Question: &message.Place{Collection: "c", Base: base}})
	spec := experiment.Spec{QueryID: "q1", Systems: []string{"bm25", "bm25 >> rerank(backend=ce,depth=100)"}}
	ask := func(kind message.Kind, question wire.Wirer) message.Reply {
		e.Handle(message.Request{ID: 2, Kind: kind, Question: question})
		return (*replies)[len(*replies)-1]
	}
	ask(message.Search, &spec)
	r := ask(message.Evaluate, &spec).Answer.(*report.Report)
	if r.Systems[0].Missing != 0 || r.Systems[1].Missing != len(r.Queries) || !strings.HasPrefix(r.Systems[1].Why,
		"Not asked yet: 1 call with 3 texts, about 21 tokens") {
		t.Errorf("%+v", r.Systems)
	}
	curve := ask(message.Curve, &message.AskCurve{Spec: spec, Stage: "rerank",
		Param: "depth"}).Answer.(*experiment.Curve)
	if len(curve.Lines) != 0 {
		t.Errorf("%+v", curve)
	}
	ask(message.Explain, &message.AskWhy{Spec: spec, Focus: experiment.Focus{Document: "a", System: 1}})
	// a link to the comparison of an experiment
	ask(message.Runs, &message.Setting{Matrix: message.Matrix{Systems: spec.Systems}})
	if n := service.asked.Load(); n != 0 {
		t.Fatalf("asked %d times", n)
	}
	paid := spec
	paid.Spend = -1
	if r := ask(message.Evaluate, &paid).Answer.(*report.Report); r.Systems[1].Missing != 0 ||
		r.Systems[1].Why != "" ||
		service.asked.Load() != 1 {
		t.Errorf("%+v, asked %d times", r.Systems, service.asked.Load())
	}
	if r := ask(message.Evaluate, &spec).Answer.(*report.Report); r.Systems[1].Missing != 0 ||
		service.asked.Load() != 1 {
		t.Errorf("what was answered is there for nothing: %+v", r.Systems)
	}
}

// Where the edge gives nothing, the report of the Search screen has no figure of the system, and says why.
func TestAReportSaysWhatFellBack(t *testing.T) {
	e, replies := engine(site(t))
	e.Handle(message.Request{ID: 1, Kind: message.Open, Question: &message.Place{Collection: "c", Base: base}})
	e.Handle(message.Request{ID: 2, Kind: message.Evaluate, Question: &experiment.Spec{
		Systems: []string{"bm25", "bm25 >> rerank(backend=ce)"}}})
	r, ok := (*replies)[len(*replies)-1].Answer.(*report.Report)
	if !ok || r.Systems[0].Why != "" || !strings.HasPrefix(r.Systems[1].Why,
		"1 of 1 query has no answer, so there are no figures. The backend ce did not answer: there is no edge here") ||
		r.Systems[1].Missing != 1 {
		t.Errorf("%+v, %+v", r, r.Systems)
	}
}

// Behind the same id another model, index or template is another backend. The page keeps the figures that it
// has (warm), says what changed and asks nothing until Run again; a device without them (cold) asks the new
// one. No figure is of both.
func TestASwappedBackendIsCaughtOnThePage(t *testing.T) {
	for _, c := range []struct{ name, system, model, index, template, said string }{
		{"model", "bm25 >> rerank(backend=ce)", "cross-other", "wire", `{"size":"$k"}`,
			"model was cross, is now cross-other"},
		{"index", "search(backend=wire)", "cross", "wire-2", `{"size":"$k"}`, "index was wire, is now wire-2"},
		{"template", "search(backend=wire)", "cross", "wire", `{"size":"$k","min_score":1}`, "templates changed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			service := behindGateway(t)
			m := message.Matrix{Systems: []string{"bm25", c.system}, Measures: []string{"nDCG@10"}}
			to := func(ask func(bool, message.Matrix) *message.Experimented, renew bool,
				e *Engine) (x *message.Experimented) {
				t.Helper()
				if renew {
					e.Handle(message.Request{ID: 5, Kind: message.Experiment,
						Question: &message.AskExperiment{Matrix: m, Go: true, Renew: true}})
				}
				for range 20 {
					if x = ask(true, m); x.Over {
						return x
					}
				}
				t.Fatalf("%+v", x)
				return nil
			}
			stores := map[string]*matrix.Memory{}
			device := func() (func(bool, message.Matrix) *message.Experimented, *Engine) {
				ask, _, e := trying(t, nil)
				keepIn = func(name string) (matrix.Store, error) {
					if stores[name] == nil {
						stores[name] = &matrix.Memory{}
					}
					return stores[name], nil
				}
				return ask, e
			}
			ask, _ := device()
			before := to(ask, false, nil)
			if before.Changed != "" || before.Runs[1].State != "completed" || service.asked.Load() != 1 {
				t.Fatalf("%+v, asked %d times", before, service.asked.Load())
			}
			service.swap(t, c.model, c.index, c.template)
			warm := func(ask func(bool, message.Matrix) *message.Experimented, where string) {
				t.Helper()
				x := ask(false, m)
				if !x.Over || !strings.Contains(x.Changed, c.said) || x.Runs[1].Behind != before.Runs[1].Behind ||
					service.asked.Load() != 1 {
					t.Errorf("%s: %+v, asked %d times", where, x, service.asked.Load())
				}
			}
			warm(ask, "the same tab")
			ask, e := device()
			warm(ask, "another visit")
			renewed := to(ask, true, e)
			if renewed.Changed != "" || renewed.Runs[1].State != "completed" ||
				renewed.Runs[1].Behind == before.Runs[1].Behind ||
				service.asked.Load() != 2 {
				t.Errorf("%+v, asked %d times", renewed, service.asked.Load())
			}
			if x := ask(false, m); x.Changed != "" || x.Runs[1].Behind != renewed.Runs[1].Behind {
				t.Errorf("after Run again: %+v", x)
			}
			ask, _ = device()
			if x := ask(false, m); x.Changed != "" || !x.Over || x.Runs[1].Behind != renewed.Runs[1].Behind {
				t.Errorf("another visit after Run again: %+v", x)
			}
			clear(stores)
			ask, _ = device()
			if cold := to(ask, false, nil); cold.Changed != "" || cold.Runs[1].Behind != renewed.Runs[1].Behind ||
				service.asked.Load() != 3 {
				t.Errorf("cold: %+v, asked %d times", cold, service.asked.Load())
			}
		})
	}
}
