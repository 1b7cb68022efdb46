package state

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// begin is a page that was opened at an address, before its collection has come.
func begin(path, fragment string) *App {
	a := New(&statetest.Recorder{}, func(string) string { return "/" }, path, first...)
	a.Begin(path, fragment)
	return a
}

// FuzzAddress: what an address says is written so that it is read again as the same; what cannot be read opens the home
// page and is said.
func FuzzAddress(f *testing.F) {
	f.Add("/search", "#v1&s=search&q=port+strike")
	f.Add("/", "#main")
	f.Add("/embed", "#s=compare")
	f.Add("/c", "play=1&d=&a=&m=")
	a, _ := start(&testing.T{}, "/search", "")
	a.Search.Type("port strike")
	f.Add("/search", a.Location.fragment())
	f.Fuzz(func(t *testing.T, path, fragment string) {
		var a *App
		statetest.Costs(t, len(path)+len(fragment), func() { a = begin(path, fragment) })
		if a.Notices.Problem != nil {
			if a.Notices.Problem.What == "" || a.Notices.Problem.Do == "" ||
				!equal(a.Settings.Address, begin("/", "").Settings.Address) {
				t.Fatalf("%q %q: %+v at %+v", path, fragment, a.Notices.Problem, a.Settings.Address)
			}
			return
		}
		wrote := a.Location.fragment()
		b := begin(a.Location.Path(a.Settings.Screen), wrote)
		if b.Notices.Problem != nil || !equal(a.Settings.Address, b.Settings.Address) ||
			b.Location.fragment() != wrote {
			t.Fatalf("%q %q is %+v, written as %q, which is %+v (%v)", path, fragment, a.Settings.Address, wrote,
				b.Settings.Address, b.Notices.Problem)
		}
	})
}

// FuzzResume: the bytes in which one program hands the page over to the next are taken or refused, and what is taken is
// handed over as the same.
func FuzzResume(f *testing.F) {
	a, _ := start(&testing.T{}, "/search", "")
	f.Add(a.Handover())
	a, r := start(&testing.T{}, "/search", "")
	a.Search.Type("port strike")
	a.Receive(message.Reply{ID: r.Sent[len(r.Sent)-1].ID, Kind: message.Search,
		Problem: &message.Problem{What: "no", Where: "here", Do: "go on"}})
	f.Add(a.Handover())
	f.Fuzz(func(t *testing.T, b []byte) {
		a := New(&statetest.Recorder{}, func(string) string { return "/" }, "/", first...)
		var err error
		statetest.Costs(t, len(b), func() { err = a.Resume(b) })
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Fatal("refused without a reason")
			}
			return
		}
		again := a.Handover()
		c := New(&statetest.Recorder{}, func(string) string { return "/" }, "/", first...)
		if err := c.Resume(again); err != nil {
			t.Fatalf("what it hands over is refused: %v", err)
		}
		if got := c.Handover(); !bytes.Equal(got, again) {
			t.Fatalf("%d bytes became %d others", len(again), len(got))
		}
	})
}
