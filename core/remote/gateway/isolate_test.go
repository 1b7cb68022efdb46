package gateway

import (
	"strings"
	"testing"
)

// drawing is a host whose dice show another number each time.
type drawing struct {
	line
	drawn byte
}

func (d *drawing) Random(b []byte) {
	d.drawn++
	b[0] = d.drawn
}

// An instance draws its name once.
func TestAnInstanceKeepsItsName(t *testing.T) {
	h := &drawing{line: line{secrets: map[string]string{MetricsSecret: "token"}}}
	g := New(parsed(t, "{}"), h)
	for range 2 {
		text := string(g.Serve(&Call{Method: "GET", Path: "/metrics", Authorization: "Bearer token"}).Body)
		if !strings.Contains(text, `isolate="01000000"`) || strings.Contains(text, `isolate="02000000"`) ||
			strings.Contains(text, `isolate=""`) {
			t.Errorf("%.300s", text)
		}
	}
}

// Every figure is of the instance that says it, but for what all instances share.
func TestFiguresAreSaidToBeOfTheInstance(t *testing.T) {
	h := &line{secrets: map[string]string{MetricsSecret: "token"}}
	text := string(New(parsed(t, "{}"), h).Serve(&Call{Method: "GET", Path: "/metrics",
		Authorization: "Bearer token"}).Body)
	n := 0
	for l := range strings.Lines(text) {
		if !strings.HasPrefix(l, "# HELP ") {
			continue
		}
		n++
		shared := strings.HasPrefix(l, "# HELP rankbox_shared ")
		if strings.Contains(l, ", of this instance.") == shared {
			t.Errorf("%s", l)
		}
	}
	if n < 10 {
		t.Errorf("%d figures", n)
	}
}

// A long text is searched for like a short one, and remembered.
func TestALongCallIsAnsweredAndRemembered(t *testing.T) {
	h := &line{next: []next{{status: 200, body: scored2}}}
	g := New(parsed(t, oneNode), h)
	long := strings.Replace(two, `"q"`, `"`+strings.Repeat("harbour ", 500)+`"`, 1)
	for range 2 {
		if a := post(g, "rerank", long); a.Status != 200 {
			t.Fatalf("%d %s", a.Status, a.Body)
		}
	}
	if len(h.sent) != 1 {
		t.Errorf("%d sent", len(h.sent))
	}
}

// Weights of terms have no dimensions, so that those of a backend's vectors say nothing of them.
func TestWeightsOfABackendWithDimensions(t *testing.T) {
	h := &line{next: []next{{status: 200, body: `[[{"index":7,"value":0.5}]]`}}}
	a := post(New(parsed(t, `{"backends":[{"id":"m","kind":"tei","url":"http://m","does":["embed"],"dimensions":2,`+
		`"outputs":["dense","sparse"]}]}`), h), "embed", `{"backend":"m","input":["a"],"output":"sparse"}`)
	if a.Status != 200 || !strings.Contains(string(a.Body), `{"index":7,"value":0.5}`) {
		t.Errorf("%d %s", a.Status, a.Body)
	}
}
