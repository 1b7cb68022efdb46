package play

import (
	"testing"

	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// FuzzReadLink: a link opens a table that is looked at, or leaves the one that is there and says why; the address that
// is written then opens the same.
func FuzzReadLink(f *testing.F) {
	f.Add(example)
	f.Add("play=1&d=3~Empty+decks,2ab~Eleven+ships,-,0&a=1.0.2&b=0.3&m=nDCG@5~AP&c=1")
	f.Add("play=1&d=&a=&m=")
	f.Add("play=own")
	f.Add("v1&q=port+strike")
	open := func(fragment string) *Play {
		var p *Play
		a := state.New(&statetest.Recorder{}, func(string) string {
			return "/"
		}, "/play", state.Part{Name: "home"}, state.Part{Name: "search"},
			state.Part{Name: "play", Make: func(a *state.App) state.Screen { p = New(a); return p }})
		a.Begin("/play", fragment)
		return p
	}
	start := open("").Hand.Table.Text(0)
	f.Fuzz(func(t *testing.T, fragment string) {
		var p *Play
		statetest.Costs(t, len(fragment), func() { p = open(fragment) })
		if x := p.App.Notices.Problem; x != nil && (p.Hand.Table.Text(0) != start || x.What == "" || x.Do == "") {
			t.Fatalf("%q: %+v, and the table is %s", fragment, p.App.Notices.Problem, p.Hand.Table.Text(0))
		}
		if len(p.Hand.Table.Measures) == 0 {
			t.Fatalf("%q: nothing to look at", fragment)
		}
		for _, v := range p.Hand.values() {
			if v != v {
				t.Fatalf("%q: a value that is no number", fragment)
			}
		}
		wrote, _ := p.Fragment()
		q := open(wrote)
		if again, _ := q.Fragment(); q.App.Notices.Problem != nil || again != wrote ||
			q.Hand.Table.Link() != p.Hand.Table.Link() {
			t.Fatalf("%q became %q, which became %q (%v)", fragment, wrote, again, q.App.Notices.Problem)
		}
	})
}
