package state

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// plain is a screen without a capability.
type plain struct{ id share.Screen }

func (p *plain) ID() share.Screen { return p.id }

// able is a screen with most of them, which notes what it is told.
type able struct {
	plain
	value string
	told  []string
	takes bool
}

func (x *able) note(what string)          { x.told = append(x.told, what) }
func (x *able) Save() any                 { return x.value }
func (x *able) Restore(saved any)         { x.value = saved.(string) }
func (x *able) Path() string              { return "/evaluate/page" }
func (x *able) ReadPath(path string)      { x.note("path " + path) }
func (x *able) Fragment() (string, bool)  { return "#own", true }
func (x *able) ReadLink(fragment string)  { x.note("link " + fragment) }
func (x *able) CopyLink() bool            { x.note("copy"); return true }
func (x *able) Begin()                    { x.note("begin") }
func (x *able) Takes(k message.Kind) bool { return k == message.Search }
func (x *able) Receive(message.Reply)     { x.note("receive") }
func (x *able) Hear(*message.Progress)    { x.note("hear") }
func (x *able) Died(reason string)        { x.note("died " + reason) }
func (x *able) Again()                    { x.note("again") }
func (x *able) Presented()                { x.note("presented") }
func (x *able) TakesFiles() bool          { return x.takes }
func (x *able) AddFiles([]message.File)   { x.note("files") }
func (x *able) Entered()                  { x.note("entered") }
func (x *able) Left()                     { x.note("left") }
func (x *able) Clicked(opened bool)       { x.note("clicked") }

// capable is a page with a screen that can much and one that can nothing.
func capable(t *testing.T) (*App, *able, *statetest.Recorder) {
	t.Helper()
	x, r := &able{plain: plain{share.Compare}, value: "a"}, &statetest.Recorder{}
	a := New(r, func(string) string { return "/" }, "/", Part{Name: "home"},
		Part{Name: "search", Make: func(*App) Screen { return &plain{share.Search} }},
		Part{Name: "compare", Make: func(*App) Screen { return x }})
	a.Begin("/", "")
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
	return a, x, r
}

func TestAScreenIsToldWhatItCanTake(t *testing.T) {
	a, x, r := capable(t)
	a.Go(share.Compare)
	if at := r.Addresses[len(r.Addresses)-1]; at != "/evaluate/page#own" {
		t.Errorf("address %q", at)
	}
	a.Search.Type("port")
	ask := r.Last(t, message.Search)
	a.Receive(message.Reply{ID: ask.ID, Kind: ask.Kind, Progress: &message.Progress{Done: 1, Total: 2}})
	a.Receive(message.Reply{ID: ask.ID, Kind: ask.Kind})
	a.Died("memory")
	a.TogglePresenter()
	a.Sharing.CopyLink()
	a.AddFiles(nil)
	x.takes = true
	a.AddFiles(nil)
	a.Go(share.Search)
	want := "begin, entered, clicked, hear, receive, died memory, again, presented, copy, files, clicked, left"
	if got := strings.Join(x.told, ", "); got != want {
		t.Errorf("told  %s\nwant  %s", got, want)
	}
}

func TestUndoPutsBackWhatAScreenSaved(t *testing.T) {
	a, x, _ := capable(t)
	a.Change(false, func(*share.Address) { x.value = "b" })
	a.Undo()
	if x.value != "a" {
		t.Errorf("undo leaves %q", x.value)
	}
	if a.Redo(); x.value != "b" || !a.History.CanUndo() {
		t.Errorf("redo leaves %q", x.value)
	}
}

func TestAScreenWithoutACapabilityIsLeftAlone(t *testing.T) {
	a, _, r := capable(t)
	a.Go(share.Search)
	a.TogglePresenter()
	a.Sharing.CopyLink()
	if !strings.HasPrefix(r.Copied, "https://example.org/search?presenter#") {
		t.Errorf("copied %q", r.Copied)
	}
	if Subpath(a.Screens.On()) != "" || Subpath(nil) != "" {
		t.Error("a screen of one page has a path of its own")
	}
	if a.Screens.Other("learn") != nil || !slices.Equal(a.Screens.names, []string{"home", "search", "compare"}) {
		t.Errorf("the program holds %q", a.Screens.names)
	}
}

// Who goes to the screen where they are stays; on a page of the screen they go to its first.
func TestGoingToTheScreenWhereOneIsGoesToItsFirstPage(t *testing.T) {
	a, x, r := capable(t)
	a.Go(share.Search)
	before := r.Pushes
	if a.Go(share.Search); r.Pushes != before {
		t.Error("a screen of one page gets another entry")
	}
	a.Go(share.Compare)
	before = r.Pushes
	if a.Go(share.Compare); r.Pushes != before+1 || !slices.Contains(x.told, "path /evaluate") {
		t.Errorf("%d entries more, told %q", r.Pushes-before, x.told)
	}
}

// A screen reads its fragment where there is one.
func TestAScreenIsGivenItsFragment(t *testing.T) {
	for fragment, want := range map[string]bool{"": false, "#runs=abc": true} {
		x, r := &able{plain: plain{share.Compare}}, &statetest.Recorder{}
		a := New(r, func(string) string { return "/" }, "/evaluate", Part{Name: "home"},
			Part{Name: "compare", Make: func(*App) Screen { return x }})
		a.Begin("/evaluate", fragment)
		if got := strings.Join(x.told, ", "); strings.Contains(got, "link "+strings.TrimPrefix(fragment, "#")) != want {
			t.Errorf("%q: told %s", fragment, got)
		}
	}
}
