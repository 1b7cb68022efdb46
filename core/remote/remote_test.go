package remote_test

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/remote/gateway"
)

// host is the machine of a real gateway, whose services answer in TEI's and OpenSearch's formats: a score is the length
// of the text, a vector its first bytes.
type host struct {
	gateway.Ledger
	sent  atomic.Int32
	fault atomic.Int32 // what services answer with, 0 for well
	pause time.Duration
	kept  sync.Map
	rooms gateway.RoomMemory
}

func (h *host) Store() gateway.Store { return h }
func (h *host) Rooms() gateway.Rooms { return &h.rooms }
func (h *host) Random(b []byte)      { rand.Read(b) }

func (h *host) Now() time.Time       { return time.Now() }
func (h *host) Wait(time.Duration)   {}
func (h *host) Secret(string) string { return "" }
func (h *host) Log([]byte)           {}
func (h *host) Spend(client string, units int, first bool, l *gateway.Limits) (time.Duration, gateway.Refusal) {
	return h.Ledger.Spend(client, units, first, time.Now(), l)
}
func (h *host) Recall(kind gateway.Kept, key string) ([]byte, bool) {
	if b, ok := h.kept.Load(string(kind) + key); ok && kind == gateway.Snapshots {
		return b.([]byte), true
	}
	return nil, false
}
func (h *host) Remember(kind gateway.Kept, key string, b []byte) error {
	h.kept.Store(string(kind)+key, b)
	return nil
}
func (h *host) Fetch(u *gateway.Upstream) (*gateway.Reply, error) {
	if u.Body == nil { // about itself
		return &gateway.Reply{Status: 404}, nil
	}
	h.sent.Add(1)
	time.Sleep(h.pause)
	if f := h.fault.Load(); f != 0 {
		return &gateway.Reply{Status: int(f), Body: []byte(`{}`)}, nil
	}
	body := string(u.Body)
	switch {
	case strings.HasSuffix(u.URL, "/rerank"):
		_, list, _ := strings.Cut(body, `"texts":[`)
		list, _, _ = strings.Cut(list, "]")
		out := "["
		for i, text := range strings.Split(list, `","`) {
			if i > 0 {
				out += ","
			}
			out += fmt.Sprintf(`{"index":%d,"score":%d}`, i, len(strings.Trim(text, `"`)))
		}
		return &gateway.Reply{Status: 200, Body: []byte(out + "]")}, nil
	case strings.HasSuffix(u.URL, "/embed"):
		return &gateway.Reply{Status: 200, Body: []byte("[[0.25,-0.5,1e-3]]")}, nil
	}
	return &gateway.Reply{Status: 200,
		Body: []byte(`{"hits":{"hits":[{"_id":"b","_score":2.5},{"_id":"a","_score":1}]}}`)}, nil
}

// edge is a real gateway and what asks it.
func edge(t testing.TB, limits string) (*remote.Edge, *host) {
	c, err := gateway.ParseConfig([]byte(`{"snapshots":true,"limits":{` + limits + `},"backends":[
		{"id":"ce","kind":"tei","url":"http://service.example","model":"cross","revision":"7","does":["rerank","embed"]},
		{"id":"wire","kind":"opensearch","url":"http://service.example","does":["search"],"index":"wire"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	h := &host{}
	g := gateway.New(c, h)
	return remote.New(send(g)), h
}

func send(g *gateway.Gateway) remote.Send {
	return func(method, path string, body []byte) (remote.Reply, error) {
		kind := "application/json"
		if method == "PUT" {
			kind = "application/octet-stream"
		}
		a := g.Serve(&gateway.Call{Method: method, Path: path, ContentType: kind, Length: int64(len(body)),
			Client: "test", Body: func(limit int) ([]byte, error) {
				if len(body) > limit {
					return nil, gateway.ErrTooLarge
				}
				return body, nil
			}})
		r := remote.Reply{Status: a.Status, Body: a.Body}
		fmt.Sscan(a.Header("Retry-After"), &r.Retry)
		return r, nil
	}
}

func TestQuestionsAndAnswers(t *testing.T) {
	e, h := edge(t, "")
	docs := []remote.Doc{{"a", "four"}, {"b", "sixsix"}, {"c", "a\ttab, “quotes”"}}
	for range 2 {
		scores, said, err := e.Rerank("ce", "what", docs)
		if err != nil || !slices.Equal(scores[:2], []float64{4, 6}) || len(scores) != 3 ||
			said.Model+said.Revision+said.FellBack != "cross7" || len(said.Identity) != 64 {
			t.Fatalf("%v, %+v, %v", scores, said, err)
		}
	}
	if n := h.sent.Load(); n != 1 {
		t.Errorf("one question was sent %d times", n)
	}
	v, _, err := e.Embed("ce", "what")
	if err != nil || !slices.Equal(v, []float32{0.25, -0.5, 1e-3}) {
		t.Errorf("%v, %v", v, err)
	}
	found, _, err := e.Search("wire", "what", "bm25", 10)
	if err != nil || !slices.Equal(found, []remote.Found{{"b", 2.5}, {"a", 1}}) {
		t.Errorf("%v, %v", found, err)
	}
	if _, _, err := e.Search("wire", "what", "bm25", 1); err == nil {
		t.Error("a service that gives more than it was asked for is believed")
	}
	for _, bad := range []func() error{
		func() error { _, _, err := e.Rerank("wire", "what", docs); return err },
		func() error { _, _, err := e.Embed("nobody", "what"); return err },
		func() error { _, _, err := e.Search("wire", "what", "hybrid", 3); return err },
	} {
		var x *remote.Error
		if err := bad(); !errors.As(err, &x) {
			t.Errorf("%v", err)
		}
	}
	o, err := e.Offer()
	if err != nil || !o.Snapshots || strings.Join(o.Named("rerank"), " ") != "ce" ||
		strings.Join(o.Named("search"), " ") != "wire" {
		t.Errorf("%+v, %v", o, err)
	}
}

// More documents, or longer ones, than one request may have are several; every one has its score at its place.
func TestManyDocumentsAreSeveralRequests(t *testing.T) {
	e, h := edge(t, "")
	var docs []remote.Doc
	for i := range 600 {
		docs = append(docs, remote.Doc{ID: fmt.Sprint(i), Text: strings.Repeat("x", 1+i)})
	}
	docs[10].Text = strings.Repeat("é", 30_000) // is cut to 10,000 characters: 20,000 bytes
	scores, _, err := e.Rerank("ce", "what", docs)
	if err != nil || scores[599] != 600 || scores[0] != 1 || scores[10] != 20_000 {
		t.Errorf("%v", err)
	}
	if n := h.sent.Load(); n < 3 {
		t.Errorf("%d requests", n)
	}
}

// What failed behind the edge is said, kept for now, and asked again by whoever opens the answers; what the edge
// refuses is no answer.
func TestFailures(t *testing.T) {
	e, h := edge(t, "")
	var lines []string
	e.Keep = func(line []byte) error { lines = append(lines, string(line)); return nil }
	h.fault.Store(500)
	scores, said, err := e.Rerank("ce", "what", []remote.Doc{{"a", "four"}})
	if err != nil || scores != nil || said.Fault != "broken" || !strings.Contains(said.FellBack, "status 500") || len(lines) != 0 {
		t.Errorf("%v, %+v, %v, kept %q", scores, said, err, lines)
	}
	if _, _, err := e.Embed("ce", "what"); err == nil || !strings.Contains(err.Error(), "the service answers with status 500") {
		t.Errorf("%v", err)
	}
	h.fault.Store(0)
	if _, said, _ := e.Rerank("ce", "what", []remote.Doc{{"a", "four"}}); said.FellBack == "" {
		t.Error("one question has two answers in one experiment")
	}
	if _, _, err := e.Embed("ce", "what"); err != nil || len(lines) != 2 || !strings.HasPrefix(lines[0],
		`{"declared":"ce"`) {
		t.Errorf("%v, kept %q", err, lines)
	}
	gone := remote.New(func(string, string, []byte) (remote.Reply, error) {
		return remote.Reply{}, errors.New("no network")
	})
	if _, _, err := gone.Embed("ce", "what"); err == nil || !strings.Contains(err.Error(), "cannot be reached") {
		t.Errorf("%v", err)
	}
	if _, err := gone.Offer(); err == nil {
		t.Error("an edge that is not there offers something")
	}
}

// At most InFlight requests are on their way, and those that ask the same wait for the first.
func TestRequestsInFlight(t *testing.T) {
	e, h := edge(t, "")
	h.pause = 2 * time.Millisecond
	var all sync.WaitGroup
	for i := range 120 {
		all.Add(1)
		go func() {
			defer all.Done()
			if _, _, err := e.Embed("ce", fmt.Sprint("query ", i%40)); err != nil {
				t.Error(err)
			}
		}()
	}
	all.Wait()
	if n := h.sent.Load(); n != 40 || e.Most() > remote.InFlight || e.Most() < 2 {
		t.Errorf("%d requests, %d at once", n, e.Most())
	}
}

// An edge that wants fewer requests a minute is waited for as long as whoever asks is patient.
func TestAnEdgeThatAsksToWait(t *testing.T) {
	e, h := edge(t, `"per_minute":3`) // one of them asks what there is
	polled := 0
	e.Patient = func() bool { polled++; return polled < 3 }
	for i := range 2 {
		if _, _, err := e.Embed("ce", fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	_, _, err := e.Embed("ce", "third")
	if !errors.Is(err, remote.ErrStopped) || e.Wait() <= 0 || h.sent.Load() != 2 {
		t.Errorf("%v, wait %v, %d sent", err, e.Wait(), h.sent.Load())
	}
}

// Answers are the same bytes whatever the order they came in, and whoever has them asks nobody.
func TestAnswersAreKept(t *testing.T) {
	a, _ := edge(t, "")
	b, _ := edge(t, "")
	ask := func(e *remote.Edge, queries ...string) {
		for _, q := range queries {
			if _, _, err := e.Embed("ce", q); err != nil {
				t.Fatal(err)
			}
			if _, _, err := e.Rerank("ce", q, []remote.Doc{{"a", "secret words of a document"}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	ask(a, "one", "two", "three")
	ask(b, "three", "one", "two")
	data := a.Answers()
	if string(data) != string(b.Answers()) {
		t.Error("the order in which was asked is in the answers")
	}
	if strings.Contains(string(data), "secret") || strings.Contains(string(data), "three") {
		t.Error("texts are in the answers")
	}
	alone := remote.New(nil)
	if whole, err := alone.Take(data); err != nil || whole != len(data) {
		t.Fatal(whole, err)
	}
	ask(alone, "two", "one")
	if _, _, err := alone.Embed("ce", "four"); err == nil {
		t.Error("what was never asked is answered")
	}
	// cut off anywhere, the whole lines stay
	for cut := len(remote.Head); cut < len(data); cut += 37 {
		whole, err := remote.New(nil).Take(data[:cut])
		if err != nil || whole > cut || data[whole-1] != '\n' {
			t.Fatalf("cut at %d: %d, %v", cut, whole, err)
		}
	}
	hash, err := a.Publish()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Publish(); err != nil {
		t.Errorf("the same again: %v", err)
	}
	third, _ := edge(t, "")
	if err := third.Fetch(hash); err == nil {
		t.Error("another edge has them")
	}
	if err := a.Fetch(hash); err != nil {
		t.Error(err)
	}
	small, _ := edge(t, `"snapshot":100`)
	ask(small, "one")
	if _, err := small.Publish(); err == nil || !strings.Contains(err.Error(), "more than this edge keeps") {
		t.Errorf("%v", err)
	}
	for name, bad := range map[string]string{
		"another format":       "RBXJ\x01",
		"a later version":      `{"rankbox":"answers","version":3}` + "\n",
		"no key":               remote.Head + `{"ask":"12","answer":{}}` + "\n",
		"an answer that is no": remote.Head + `{"ask":"` + strings.Repeat("0", 64) + `","answer":[]}` + "\n",
		"two in a line":        remote.Head + `{"ask":"` + strings.Repeat("0", 64) + `","answer":{}},{"ask":{}}` + "\n",
	} {
		if _, err := remote.New(nil).Take([]byte(bad)); !errors.Is(err, remote.ErrAnswers) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzAnswers reads kept answers, and asks for what they may hold: no bytes make it crash, and what it takes it writes
// again.
func FuzzAnswers(f *testing.F) {
	e, _ := edge(f, "")
	e.Embed("ce", "what")
	e.Rerank("ce", "what", []remote.Doc{{"a", "four"}})
	e.Search("wire", "what", "bm25", 10)
	f.Add(e.Answers())
	f.Add([]byte(remote.Head + `{"ask":"` + strings.Repeat("0", 64) +
		`","answer":{"results":[{"index":0,"score":1}]}}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e := remote.New(nil)
		if _, err := e.Take(data); err != nil {
			return
		}
		again := remote.New(nil)
		if _, err := again.Take(e.Answers()); err != nil || string(again.Answers()) != string(e.Answers()) {
			t.Errorf("what was taken cannot be taken again: %v", err)
		}
		e.Embed("ce", "what")
		var lines []any // the answers
		for _, line := range strings.Split(string(e.Answers()), "\n") {
			var l struct{ Answer any }
			if !utf8.ValidString(line) || strings.Count(line, `"results"`) > 1 || strings.Contains(line, `\u`) {
				return
			}
			if json.Unmarshal([]byte(line), &l) == nil {
				lines = append(lines, l.Answer)
			}
		}
		if scores, said, err := e.Rerank("ce", "what", []remote.Doc{{"a", "four"}}); err == nil &&
			said.FellBack == "" && !slices.ContainsFunc(lines, func(a any) bool { return says(plainly(a), scores) }) {
			t.Errorf("%v of %s", scores, data)
		}
		if found, _, err := e.Search("wire", "what", "bm25", 10); err == nil &&
			!slices.ContainsFunc(lines, func(a any) bool { return finds(plainly(a), found) }) {
			t.Errorf("%v of %s", found, data)
		}
	})
}

// FuzzMetrics reads what an edge counts: no bytes make it crash, and what is told in buckets is no less than nothing.
func FuzzMetrics(f *testing.F) {
	f.Add("# HELP x y\nrankbox_requests_total{route=\"POST /api/v1/rerank\",status=\"200\"} " +
		"3\nrankbox_request_seconds_bucket{route=\"r\",le=\"0.1\"} " +
		"2\nrankbox_request_seconds_bucket{route=\"r\",le=\"+Inf\"} 2\n")
	f.Add("rankbox_recent{figure=\"p95_seconds\",minutes=\"5\",isolate=\"00\"} 2\n" +
		"rankbox_recent_limit{figure=\"p95_seconds\",minutes=\"5\",exceeded=\"above\",isolate=\"00\"} 2\n")
	f.Add("rankbox_rerank_score_min{backend=\"ce\"} " +
		"0.5\nrankbox_upstream_events_total{backend=\"ce\",event=\"busy\"} 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		e := remote.New(func(_, path string, _ []byte) (remote.Reply, error) {
			if path == "/healthz" {
				return remote.Reply{Status: 200, Body: []byte(`{"status":"ok","backends":{"ce":"open"}}`)}, nil
			}
			return remote.Reply{Status: 200, Body: []byte(text)}, nil
		})
		w, err := e.Watch("token")
		if err != nil {
			return
		}
		for _, r := range w.Routes {
			if slices.Min(r.Buckets) < 0 || len(r.Buckets) != len(remote.Buckets)+1 || r.Within(.5) > r.Within(.95) {
				t.Errorf("%+v", r)
			}
		}
	})
}

// Scores below 0, as cross-encoders and log probabilities have them, stay below 0.
func TestScoresKeepTheirSign(t *testing.T) {
	e := answering(200, []byte(`{"results":[{"index":0,"id":"a","score":-1.5},{"index":1,"id":"b","score":-2}]}`))
	if scores, _, err := e.Rerank("ce", "what", []remote.Doc{{"a", "four"}, {"b", "x"}}); err != nil ||
		!slices.Equal(scores, []float64{-1.5, -2}) {
		t.Errorf("%v, %v", scores, err)
	}
	if found, _, err := e.Search("wire", "what", "bm25", 10); err != nil ||
		!slices.Equal(found, []remote.Found{{ID: "a", Score: -1.5}, {ID: "b", Score: -2}}) {
		t.Errorf("%v, %v", found, err)
	}
}

// answering is an edge that answers the same to everything.
func answering(status int, body []byte) *remote.Edge {
	e := remote.New(func(method, path string, _ []byte) (remote.Reply, error) {
		if path == "/api/v1/backends" && status == 200 { // one of the first version, which declares no identity
			return remote.Reply{Status: 200,
				Body: []byte(`{"backends":[{"id":"ce","kind":"tei","does":["rerank"]},{"id":"wire",` +
					`"kind":"opensearch","does":["search"]}]}`)}, nil
		}
		return remote.Reply{Status: status, Body: body}, nil
	})
	e.Patient = func() bool { return false }
	return e
}

// result is an entry of an answer, as encoding/json reads it.
type result struct {
	index, score float64
	id           string
}

// plainly reads the results of an answer by encoding/json, each member by its exact name.
func plainly(answer any) (out []result) {
	m, _ := answer.(map[string]any)
	list, _ := m["results"].([]any)
	for _, e := range list {
		m, _ := e.(map[string]any)
		var r result
		r.index, _ = m["index"].(float64)
		r.score, _ = m["score"].(float64)
		r.id, _ = m["id"].(string)
		out = append(out, r)
	}
	return out
}

// says reports whether results are those scores, by place.
func says(list []result, scores []float64) bool {
	if len(list) != len(scores) {
		return false
	}
	for _, r := range list {
		if i := int(r.index); i < 0 || i >= len(scores) || scores[i] != r.score {
			return false
		}
	}
	return true
}

// finds reports whether results are those documents, in order.
func finds(list []result, found []remote.Found) bool {
	return slices.EqualFunc(list, found, func(r result, f remote.Found) bool {
		return r.id == f.ID && r.score == f.Score
	})
}

// FuzzReplies gives what an edge might answer to everything that asks one.
func FuzzReplies(f *testing.F) {
	for _, s := range []string{`{"model":"m","revision":"1","results":[{"index":0,"id":"a","score":1}]}`,
		`{"results":[{"index":0}],"fallback":{"order":"input","reason":"busy"}}`,
		`{"vectors":[[1,2,3]]}`, `{"code":"rate"}`,
		`{"backends":[{"id":"ce","does":["rerank"]}],"snapshots":true,"limits":{}}`} {
		f.Add(200, []byte(s))
	}
	f.Add(200, []byte(`{"results":[{"index":1,"id":"a","score":-1.5},{"index":0,"id":"b","score":-2}]}`))
	f.Add(200, []byte(`{"documents":[{"id":"b","title":"","text":"x"},{"id":"a","title":"t","text":""}]}`))
	f.Add(503, []byte(`{"code":"busy"}`))
	f.Add(200, []byte(`{"status":"ok","backends":{"ce":"closed"}}`))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		e := answering(status, body)
		var answer any
		plain := json.Unmarshal(body, &answer) == nil && utf8.Valid(body) &&
			strings.Count(string(body), `"results"`) == 1 && !strings.Contains(string(body), `\u`)
		if scores, said, err := e.Rerank("ce", "what", []remote.Doc{{"a", "four"}, {"b", "x"}}); err == nil &&
			(len(scores) == 2) == (said.FellBack != "") {
			t.Errorf("%v, %+v", scores, said)
		} else if plain && err == nil && said.FellBack == "" && !says(plainly(answer), scores) {
			t.Errorf("%v of %s", scores, body)
		}
		if v, _, err := e.Embed("ce", "what"); err == nil && len(v) == 0 {
			t.Error("no vector, and no error")
		}
		if found, _, err := e.Search("wire", "what", "bm25", 10); plain && err == nil &&
			!finds(plainly(answer), found) {
			t.Errorf("%v of %s", found, body)
		}
		x := &remote.Outside{Edge: e, Sources: []string{"wire"}}
		if d, err := x.Documents([]string{"a", "b"}); err == nil && (len(d) != 2 || d[0].ID != "a" || d[1].ID != "b") {
			t.Errorf("%v of %s", d, body)
		}
		e.Offer()
		if w, err := e.Watch("token"); err == nil {
			for _, r := range w.Routes {
				r.Within(.95)
			}
		}
		e.Publish()
		e.Fetch(strings.Repeat("0", 64))
	})
}

// By hand: 1,000,000 tokens at 2 and 500,000 at 0.5 a million are 2.25; of two currencies there is no sum.
func TestABillHasMoney(t *testing.T) {
	o := &remote.Offer{Backends: []remote.Backend{{ID: "a", PerMillion: 2, Currency: "USD"},
		{ID: "b", PerMillion: 0.5, Currency: "USD"}, {ID: "c", PerMillion: 1, Currency: "EUR"}, {ID: "free"}}}
	var b remote.Bill
	b.Charge(o, "free", 1, 1, 1000)
	b.Charge(nil, "a", 1, 1, 1000)
	if got := b.String(); got != "2 calls with 2 texts, about 2,000 tokens" {
		t.Error(got)
	}
	b = remote.Bill{}
	b.Charge(o, "a", 1, 1, 1_000_000)
	b.Charge(o, "b", 1, 1, 500_000)
	if got := b.String(); got != "2 calls with 2 texts, about 1,500,000 tokens, about 2.25 USD" {
		t.Error(got)
	}
	b.Charge(o, "c", 1, 1, 10)
	if got := b.String(); got != "3 calls with 3 texts, about 1,500,010 tokens" {
		t.Error(got)
	}
	b = remote.Bill{}
	b.Charge(o, "a", 1, 1, 10)
	if got := b.String(); got != "1 call with 1 text, about 10 tokens, less than 0.01 USD" {
		t.Error(got)
	}
}
