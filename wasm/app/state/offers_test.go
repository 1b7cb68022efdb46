package state

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// offering is a screen that hands something on.
type offering struct {
	plain
	handed  []string
	weighed int
}

func (x *offering) Offers() []Offer  { return []Offer{{ID: "csv", Text: "Table"}} }
func (x *offering) HandOn(id string) { x.handed = append(x.handed, id) }
func (x *offering) Weigh()           { x.weighed++ }

// What a screen offers stands first in the menu Share, and is handed on by it. What Search offers is of the workspace.
func TestAScreenHandsOnWhatItOffers(t *testing.T) {
	for _, c := range []struct {
		open, owner share.Screen
		offers      []string
		weighed     int
	}{{share.Search, "judge", []string{"csv", "embed"}, 0}, {share.Compare, share.Compare, []string{"csv"}, 1}} {
		x, r := &offering{plain: plain{c.owner}}, &statetest.Recorder{}
		a := New(r, func(string) string { return "/" }, "/", Part{Name: "home"}, Part{Name: "search"},
			Part{Name: "compare"})
		a.Screens.list = append(a.Screens.list, x)
		a.Begin("/", "")
		a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
		a.Go(c.open)
		var ids []string
		for _, o := range a.Sharing.Offers() {
			ids = append(ids, o.ID)
		}
		a.Sharing.Weigh()
		a.Sharing.HandOn("csv")
		if !slices.Equal(ids, c.offers) || x.weighed != c.weighed || !slices.Equal(x.handed, []string{"csv"}) {
			t.Errorf("%s: %q, weighed %d times, handed on %q", c.open, ids, x.weighed, x.handed)
		}
		a.Sharing.HandOn("embed") // the screen's own, where the link is not the address
		if framed := strings.HasPrefix(r.Copied, "<iframe "); framed != (c.open == share.Search) ||
			len(x.handed) == 1 != framed {
			t.Errorf("%s: handed on %q, copied %.10q", c.open, x.handed, r.Copied)
		}
	}
	a, r := start(t, "/search", "")
	if a.Sharing.HandOn("csv"); r.Copied != "" {
		t.Errorf("nobody offers it: copied %q", r.Copied)
	}
}

// A report that is there is not asked for again when the collection is opened once more.
func TestAReportThatFitsIsNotAskedForAgain(t *testing.T) {
	for _, baseline := range []int{0, 1} {
		a, r := start(t, "/search", "")
		a.Editor.Side([]string{"bm25", "bm25(k1=2)"})
		r.Pass()
		a.Figures.Report = &report.Report{Systems: []report.System{{Notation: "bm25"}, {Notation: "bm25(k1=2)"}},
			Collection: opened.Ref, Baseline: baseline}
		a.Reopen()
		r.Sent = r.Sent[len(r.Sent)-1:]
		a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
		asked := slices.ContainsFunc(r.Sent, func(m message.Request) bool { return m.Kind == message.Evaluate })
		if asked != (baseline == 1) {
			t.Errorf("baseline %d of the report: asked for again is %v", baseline, asked)
		}
	}
}

// A draft is read again by the program that takes the page over, which may know more stages.
func TestADraftIsReadAgainOnArrival(t *testing.T) {
	for editing, want := range map[int]string{1: "", -1: "Loading all stages …"} {
		a, _ := start(t, "/search", "")
		a.Editor.Editing, a.Editor.Draft, a.Editor.DraftErr = editing, "bm25", "Loading all stages …"
		b, _ := takeOver(t, a)
		b.Editor.DraftErr = a.Editor.DraftErr
		if b.Arrive(); b.Editor.DraftErr != want || b.Editor.Draft != "bm25" {
			t.Errorf("editing %d: %q, %q", editing, b.Editor.Draft, b.Editor.DraftErr)
		}
	}
}

// A link that points at one of the default systems writes them out; any other leaves them.
func TestALinkToADefaultSystemNamesTheDefaults(t *testing.T) {
	for _, c := range []struct {
		at    share.Address
		wants bool
	}{
		{share.Address{}, false},
		{share.Address{Focus: experiment.Focus{Document: "d"}}, false},
		{share.Address{Focus: experiment.Focus{Document: "d", System: 1}}, true},
		{share.Address{Spec: experiment.Spec{Baseline: 1}}, true},
	} {
		if got := Explicit(c.at).Systems; (got != nil) != c.wants || c.wants && !slices.Equal(got, Defaults) {
			t.Errorf("%+v: %q", c.at, got)
		}
	}
	own := share.Address{Spec: experiment.Spec{Systems: []string{"bm25"}, Baseline: 1}}
	if got := Explicit(own).Systems; !slices.Equal(got, []string{"bm25"}) {
		t.Errorf("%q", got)
	}
}

// Closing what is not open draws nothing.
func TestClosingNothingDrawsNothing(t *testing.T) {
	a, r := start(t, "/search", "")
	before := r.Renders
	if a.Search.Close(); r.Renders != before {
		t.Errorf("drawn %d times", r.Renders-before)
	}
	a.Search.Unfolded = 1
	if a.Search.Close(); r.Renders == before {
		t.Error("it is closed and not drawn")
	}
}

// A link to a query that neither the collection nor the workspace has is said to be one, once the workspace is read.
func TestAQueryOfNoWorkspaceIsMissed(t *testing.T) {
	for _, c := range []struct {
		id     string
		waited bool
		missed bool
	}{{"gone", true, true}, {"gone", false, false}, {"q1", true, false}, {"", true, false}} {
		a, _ := start(t, "/search", "")
		a.Workspace.awaited, a.Settings.Spec.QueryID = c.waited, c.id
		a.Adopted(nil)
		p := a.Notices.Problem
		if (p != nil) != c.missed || c.missed && (a.Settings.Spec.QueryID != "" ||
			!strings.Contains(p.What, "query gone") || !strings.Contains(p.Do, "2 judged")) {
			t.Errorf("%+v: %+v", c, p)
		}
		if a.Workspace.awaited {
			t.Errorf("%+v: the workspace is still awaited", c)
		}
	}
}

// There is a slider for a parameter that a system has, and for no other.
func TestSlidersAreOfParametersThatSystemsHave(t *testing.T) {
	names := func(systems ...string) (out []string) {
		a, _ := with(t, systems...)
		for _, k := range a.Sliders.Knobs() {
			if len(k.Handles) == 0 {
				t.Errorf("%q: %s has no handle", systems, k.Param.Name)
			}
			out = append(out, k.Param.Name)
		}
		return out
	}
	if got := names("dense"); slices.Contains(got, "k1") || slices.Contains(got, "b") {
		t.Errorf("dense: %q", got)
	}
	if got := names("bm25", "dense"); !slices.Contains(got, "k1") || !slices.Contains(got, "b") {
		t.Errorf("bm25: %q", got)
	}
}

// Home shows an excerpt of what is found. Search asks for all of it, and Home for nothing more.
func TestAnExcerptIsAskedForInWholeBySearch(t *testing.T) {
	for _, screen := range []share.Screen{share.Search, ""} {
		a, r := start(t, "/", "")
		a.Search.ShowExample("q1", &experiment.Results{}, true)
		r.Sent = nil
		if screen != "" {
			a.Go(screen)
		} else {
			a.Editor.SetBaseline(1)
		}
		asked := slices.ContainsFunc(r.Sent, func(m message.Request) bool { return m.Kind == message.Search })
		if whole := screen != ""; asked != whole || a.Search.Excerpt == whole || (a.Search.Results == nil) != whole {
			t.Errorf("%q: asked for all %v, results %v", screen, asked, a.Search.Results != nil)
		}
	}
}

// The program that takes over opens the collection if the one before had not asked for it.
func TestTheCollectionIsOpenedOnce(t *testing.T) {
	for _, asked := range []bool{true, false} {
		r := &statetest.Recorder{}
		a := New(r, func(string) string { return "/" }, "/", first...)
		if asked {
			a.Begin("/", "")
		}
		b, s := takeOver(t, a)
		b.Arrive()
		opens := slices.ContainsFunc(s.Sent, func(m message.Request) bool { return m.Kind == message.Open })
		if opens == asked {
			t.Errorf("asked for before %v, asked for again %v", asked, opens)
		}
	}
}

// Files that wait for a program are added when it is there, and only if there are any.
func TestFilesThatWaitAreAddedOnArrival(t *testing.T) {
	for _, files := range [][]message.File{nil, {{ID: 7, Name: "a.run"}}} {
		_, x, _ := capable(t)
		a, _, _ := capable(t)
		a.Programs.away = away{Path: "/evaluate", Entry: 3, Files: files}
		x.takes = true
		b := New(&statetest.Recorder{}, a.Engine.Base, "/", Part{Name: "home"}, Part{Name: "search"},
			Part{Name: "compare", Make: func(*App) Screen { return x }})
		if err := b.Resume(a.Handover()); err != nil {
			t.Fatal(err)
		}
		b.Arrive()
		if slices.Contains(x.told, "files") != (len(files) > 0) {
			t.Errorf("%d files: the screen is told %q", len(files), x.told)
		}
	}
}

// A ranking is taken apart by another program, where this one cannot, as a new entry of the history. Folding it up
// again needs none.
func TestUnfoldingAsksForAProgramOnce(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Search.Unfold(0)
	if to := a.Programs.away; r.Swaps != 1 || to.Path != "/search" || to.Entry != -1 {
		t.Errorf("%d swaps, %+v", r.Swaps, to)
	}
	if a.Search.Unfold(0); r.Swaps != 1 || a.Search.Unfolded != 0 {
		t.Errorf("folded up: %d swaps", r.Swaps)
	}
}

// Another collection than the site's own shows an example of its own, if it has queries.
func TestEveryCollectionHasAnExample(t *testing.T) {
	a, _ := start(t, "/search", "")
	other := *opened
	other.Ref.ID = "other"
	for _, c := range []struct {
		collection string
		queries    []report.Query
		want       string
	}{{"other", opened.Queries, "q1"}, {"other", nil, ""}, {"third", opened.Queries, ""}} {
		o := other
		o.Queries = c.queries
		a.Engine.Opened = &o
		at := a.Settings.exemplify(share.Address{Screen: share.Search, Spec: experiment.Spec{Collection: c.collection}})
		if at.QueryID != c.want {
			t.Errorf("%s with %d queries: %q, want %q", c.collection, len(c.queries), at.QueryID, c.want)
		}
	}
}
