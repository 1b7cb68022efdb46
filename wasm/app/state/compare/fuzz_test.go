package compare

import (
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// FuzzReadLink: whatever a fragment holds goes to the worker as it is, with what is looked at beside it, and the same
// fragment a second time asks for nothing. Whether the link is one is for the worker to say (core/evaluate/packed has its
// target).
func FuzzReadLink(f *testing.F) {
	for _, s := range []string{packed.LinkPrefix + "AAAA", packed.LinkPrefix + "AAAA&f=q1", "&", "",
		packed.LinkPrefix + "&l=A&l=B"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, fragment string) {
		var c *Compare
		a := state.New(&statetest.Recorder{}, func(string) string {
			return "/"
		}, "/evaluate", state.Part{Name: "home"}, state.Part{Name: "search"},
			state.Part{Name: "compare", Make: func(a *state.App) state.Screen { c = New(a); return c }})
		statetest.Costs(t, len(fragment), func() { c.ReadLink(fragment) })
		link, view, err := packed.SplitLink(fragment)
		if err != nil {
			link = fragment
		}
		if c.Runs.Setting.Link != link || c.Runs.Done != nil || len(c.Runs.Setting.Letters) != len(view.Places()) ||
			c.View.arriving == nil != (view == (packed.View{})) {
			t.Fatalf("%q: %+v, %+v", fragment, c.Runs.Setting, c.View.arriving)
		}
		for i, l := range c.Runs.Setting.Letters {
			if l.Place != view.Places()[i] {
				t.Fatalf("%q: place %d is %d", fragment, i, l.Place)
			}
		}
		if got, own := c.Fragment(); !own || link != "" && got != "#"+link || link == "" && got != "" {
			t.Fatalf("%q is written as %q", fragment, got)
		}
		c.Receive(message.Reply{Kind: message.Runs, Problem: &message.Problem{What: "no", Where: "in it", Do: "go on"}})
		c.ReadLink(fragment)
		if c.Runs.Setting.Link != link {
			t.Fatalf("%q a second time: %+v", fragment, c.Runs.Setting)
		}
		_ = a
	})
}
