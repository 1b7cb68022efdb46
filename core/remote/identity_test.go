package remote_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/remote/gateway"
)

// swapped is an edge whose configuration may be replaced while it is asked. Its services are those of host.
type swapped struct {
	*host
	g *gateway.Gateway
}

func (s *swapped) set(t testing.TB, model, index, template string) {
	t.Helper()
	c, err := gateway.ParseConfig([]byte(fmt.Sprintf(`{"backends":[
		{"id":"ce","kind":"tei","url":"http://service.example","model":%q,"revision":"1","does":["rerank","embed"]},
		{"id":"wire","kind":"opensearch","url":"http://service.example","does":["search"],
			"index":%q,"templates":{"bm25":%q}}]}`, model, index, template)))
	if err != nil {
		t.Fatal(err)
	}
	s.g = gateway.New(c, s.host)
}

func (s *swapped) edge() *remote.Edge {
	return remote.New(func(method, path string, body []byte) (remote.Reply, error) {
		return send(s.g)(method, path,
			body)
	})
}

func swapping(t testing.TB) *swapped {
	s := &swapped{host: &host{}}
	s.set(t, "good", "wire", `{"size":"$k"}`)
	return s
}

// Kept answers of a model, an index or a template are not given for another one: what changed is said, and
// until they are renewed the kept ones stand alone.
func TestKeptAnswersAreOfOneIdentity(t *testing.T) {
	for _, c := range []struct{ name, backend, model, index, template, said string }{
		{"model", "ce", "bad", "wire", `{"size":"$k"}`, "model was good, is now bad"},
		{"index", "wire", "good", "other", `{"size":"$k"}`, "index was wire, is now other"},
		{"template", "wire", "good", "wire", `{"size":"$k","x":1}`, "templates changed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := swapping(t)
			ask := func(e *remote.Edge, q string) (err error) {
				if c.backend == "ce" {
					_, _, err = e.Embed("ce", q)
				} else {
					_, _, err = e.Search("wire", q, "bm25", 5)
				}
				return err
			}
			var file []byte
			first := s.edge()
			first.Keep = func(line []byte) error { file = append(file, line...); return nil }
			if err := ask(first, "one"); err != nil || len(first.Changes([]string{"ce", "wire"})) != 0 {
				t.Fatal(err)
			}
			file = append([]byte(remote.Head), file...)
			s.set(t, c.model, c.index, c.template)

			// the same program, which has asked before: its answers stay until the edge is asked for more
			before := s.sent.Load()
			if err := ask(first, "one"); err != nil || s.sent.Load() != before {
				t.Errorf("%v, %d sent", err, s.sent.Load()-before)
			}
			var changed *remote.Changed
			if err := ask(first, "two"); !errors.As(err, &changed) || !strings.Contains(changed.Said(), c.said) {
				t.Errorf("%v", err)
			}
			if err := ask(first, "three"); err == nil || !strings.Contains(err.Error(), "Run again") ||
				!strings.Contains(err.Error(), c.said) {
				t.Errorf("another answer beside the kept ones: %v", err)
			}
			if err := ask(first, "one"); err != nil {
				t.Errorf("the kept one: %v", err)
			}

			// another program, with the kept answers
			e := s.edge()
			e.Keep = func(line []byte) error { file = append(file, line...); return nil }
			if _, err := e.Take(file); err != nil {
				t.Fatal(err)
			}
			all := e.Changes([]string{"ce", "wire"})
			if len(all) != 1 || all[0].Backend != c.backend || !strings.Contains(all[0].Said(), c.said) {
				t.Fatalf("%v", all)
			}
			release := e.Hold(all)
			before = s.sent.Load()
			if err := ask(e, "one"); err != nil || s.sent.Load() != before {
				t.Errorf("%v, %d sent", err, s.sent.Load()-before)
			}
			if err := ask(e, "two"); err == nil || s.sent.Load() != before {
				t.Errorf("a figure of two identities: %d sent", s.sent.Load()-before)
			}
			release()
			if err := e.Renew([]string{c.backend}); err != nil || len(e.Changes([]string{"ce", "wire"})) != 0 {
				t.Errorf("%v, %v", err, e.Changes([]string{"ce", "wire"}))
			}
			if err := ask(e, "one"); err != nil || s.sent.Load() != before+1 {
				t.Errorf("%v, %d sent: Run again asks anew", err, s.sent.Load()-before)
			}

			// without an edge the answers that were kept last are given
			alone := remote.New(nil)
			if _, err := alone.Take(file); err != nil {
				t.Fatal(err)
			}
			if alone.Identity(c.backend) != e.Identity(c.backend) || alone.Identity(c.backend) == all[0].Was ||
				ask(alone,
					"one") != nil {
				t.Errorf("%s, want %s", alone.Identity(c.backend), e.Identity(c.backend))
			}
			if n := strings.Count(string(e.Answers()), `"ask"`); n != 1 {
				t.Errorf("a snapshot of %d answers, want that of the present identity", n)
			}
		})
	}
}

// A backend that was replaced before it answered anything is taken as it is.
func TestABackendThatChangedBeforeItWasUsed(t *testing.T) {
	s := swapping(t)
	e := s.edge()
	was := e.Identity("ce")
	s.set(t, "better", "wire", "{}")
	if _, said, err := e.Embed("ce", "one"); err != nil || said.Model != "better" || e.Identity("ce") == was ||
		said.Identity != e.Identity("ce") {
		t.Errorf("%+v, %v", said, err)
	}
}

// An unknown backend is an error that names those there are.
func TestAnUnknownBackend(t *testing.T) {
	_, _, err := swapping(t).edge().Embed("nobody", "one")
	var e *remote.Error
	if !errors.As(err, &e) || !e.Unknown || !strings.Contains(err.Error(), "it has ce, wire") {
		t.Errorf("%v", err)
	}
}

// Answers of the first version open, and say of themselves that their backend is not declared; beside an edge
// that declares it they are of another identity.
func TestAnswersOfTheFirstVersion(t *testing.T) {
	// written by the commit before declarations, for the edge of TestAnswersAreKept
	data, err := os.ReadFile("testdata/answers-1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	alone := remote.New(nil)
	if whole, err := alone.Take(data); err != nil || whole != len(data) {
		t.Fatal(whole, err)
	}
	scores, said, err := alone.Rerank("ce", "one", []remote.Doc{{ID: "a", Text: "four"}})
	if err != nil || scores[0] != 4 || said.Identity != "" || said.Model != "cross" {
		t.Errorf("%v, %+v, %v", scores, said, err)
	}
	again := remote.New(nil)
	if _, err := again.Take(alone.Answers()); err != nil {
		t.Fatal(err)
	}
	if _, _, err := again.Rerank("ce", "one", []remote.Doc{{ID: "a", Text: "four"}}); err != nil {
		t.Errorf("written again: %v", err)
	}
	e := swapping(t).edge()
	if _, err := e.Take(data); err != nil {
		t.Fatal(err)
	}
	all := e.Changes([]string{"ce"})
	if len(all) != 1 || !strings.Contains(all[0].Said(), "undeclared backend") {
		t.Fatalf("%v", all)
	}
	defer e.Hold(all)()
	if _, _, err := e.Rerank("ce", "one", []remote.Doc{{ID: "a", Text: "four"}}); err != nil {
		t.Errorf("held: %v", err)
	}
}

// FuzzDeclarations gives what an edge might declare, and keeps it: no bytes make it crash, and what was kept
// can be taken.
func FuzzDeclarations(f *testing.F) {
	f.Add([]byte(`{"backends":[{"id":"ce","does":["embed"],"kind":"tei","dimensions":3,"text_fields":["a","b"],` +
		`"identity":"` + strings.Repeat("a", 64) + `"}]}`))
	f.Add([]byte(`{"backends":[{"id":"ce","x":{"y":[1]},"x":"\u2028"}],"snapshots":true}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		e := remote.New(func(_, path string, _ []byte) (remote.Reply, error) {
			return remote.Reply{Status: 200, Body: body}, nil
		})
		file := []byte(remote.Head)
		e.Keep = func(line []byte) error { file = append(file, line...); return nil }
		o, err := e.Offer()
		if err != nil {
			return
		}
		var ids []string
		for _, b := range o.Backends {
			ids = append(ids, b.ID)
		}
		if err := e.Renew(ids); err != nil {
			t.Fatal(err)
		}
		back := remote.New(nil)
		if _, err := back.Take(file); err != nil {
			t.Fatalf("%v: %s", err, file)
		}
		for _, b := range o.Backends {
			if d := e.Declared(b.ID); d.Identity != "" && back.Identity(b.ID) == "" {
				t.Errorf("%s is not in %s", b.ID, file)
			}
		}
	})
}
