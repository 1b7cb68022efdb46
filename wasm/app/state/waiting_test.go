package state

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
)

// kept is what a program says of the vectors that it makes.
type kept struct {
	says, offer string
	made        int
}

func (k *kept) Says(int) string  { return k.says }
func (k *kept) Offer(int) string { return k.offer }
func (k *kept) Make()            { k.made++ }

// A dense system that cannot answer a typed query offers the encoder and says how far it is. Neither is so for a judged
// query, nor for a system that needs no vectors.
func TestADenseSystemOffersTheEncoderOfTypedQueries(t *testing.T) {
	a, _ := with(t, "bm25", "dense")
	a.Encoder.File, a.Encoder.OnTheWay = message.EncoderFile{URL: "/e.bin", Bytes: 100}, 8_000_000
	a.Search.Type("harbour")
	answer := func(problems ...string) {
		a.Search.Results = &experiment.Results{}
		for _, p := range problems {
			a.Search.Results.Lists = append(a.Search.Results.Lists, experiment.List{Problem: p})
		}
	}
	answer("", "no encoder is loaded")
	const offer = "load the encoder of typed queries (8 MB)"
	if a.Encoder.Offer(0) != "" || a.Encoder.Offer(1) != offer || a.Encoder.Says(1) != "" {
		t.Errorf("%q, %q, %q", a.Encoder.Offer(0), a.Encoder.Offer(1), a.Encoder.Says(1))
	}
	answer("down", "no encoder is loaded")
	if a.Encoder.Offer(0) != "" {
		t.Errorf("a system without vectors: %q", a.Encoder.Offer(0))
	}
	answer("", "")
	if a.Encoder.Offer(1) != "" {
		t.Errorf("it could answer: %q", a.Encoder.Offer(1))
	}
	if answer(""); a.Encoder.Offer(1) != "" {
		t.Errorf("there is no such list: %q", a.Encoder.Offer(1))
	}
	a.Search.Results = nil
	if a.Encoder.Offer(1) != "" {
		t.Errorf("before the answer: %q", a.Encoder.Offer(1))
	}
	answer("", "no encoder is loaded")
	a.Encoder.Accept(1)
	if !a.Encoder.Wanted || a.Encoder.Offer(1) != "" || a.Encoder.Says(1) != "Loading the encoder …" ||
		a.Encoder.Says(0) != "" {
		t.Errorf("%q, %q", a.Encoder.Offer(1), a.Encoder.Says(1))
	}
	a.Encoder.Progress = message.Progress{Done: 2, Total: 4}
	if got := a.Encoder.Says(1); got != "Loading the encoder, 4 MB of 8 MB." {
		t.Errorf("%q", got)
	}
	if a.Encoder.Ready = true; a.Encoder.Says(1) != "" {
		t.Errorf("when it is there: %q", a.Encoder.Says(1))
	}
	a.Encoder.Wanted, a.Encoder.Ready = false, false
	if a.Encoder.File.URL = ""; a.Encoder.Offer(1) != "" {
		t.Errorf("a site without one: %q", a.Encoder.Offer(1))
	}
	a.Encoder.File.URL = "/e.bin"
	a.Settings.Spec.QueryID = "q1"
	if a.Encoder.Offer(1) != "" {
		t.Errorf("a judged query: %q", a.Encoder.Offer(1))
	}
}

// Where the documents have no vectors, they are offered first.
func TestVectorsOfDocumentsAreOfferedFirst(t *testing.T) {
	a, _ := with(t, "bm25", "dense")
	a.Encoder.File, a.Encoder.OnTheWay = message.EncoderFile{URL: "/e.bin"}, 1000
	a.Search.Type("harbour")
	a.Search.Results = &experiment.Results{Lists: []experiment.List{{}, {Problem: "none"}}}
	docs := &kept{offer: "encode 3 documents"}
	a.Encoder.Documents = docs
	if a.Encoder.Offer(1) != "encode 3 documents" || a.Encoder.Says(1) != "" {
		t.Errorf("%q, %q", a.Encoder.Offer(1), a.Encoder.Says(1))
	}
	if a.Encoder.Accept(1); docs.made != 1 || a.Encoder.Wanted {
		t.Errorf("made %d times", docs.made)
	}
	a.Encoder.Wanted = true
	if a.Encoder.Says(1) != "" {
		t.Errorf("%q while the documents are to be encoded first", a.Encoder.Says(1))
	}
	docs.says, docs.offer = "1 of 3 encoded", ""
	if a.Encoder.Says(1) != "1 of 3 encoded" {
		t.Errorf("%q", a.Encoder.Says(1))
	}
	if docs.says = ""; a.Encoder.Says(1) != "Loading the encoder …" {
		t.Errorf("%q", a.Encoder.Says(1))
	}
	a.Encoder.Wanted = false
	if a.Encoder.Offer(1) != "load the encoder of typed queries (1 kB)" {
		t.Errorf("%q", a.Encoder.Offer(1))
	}
	if a.Encoder.Accept(1); docs.made != 1 || !a.Encoder.Wanted {
		t.Errorf("made %d times, wanted %v", docs.made, a.Encoder.Wanted)
	}
}

// An editor that is closed changes nothing, and one whose model the collection lacks says so at the model.
func TestAnEditorIsClosedWithoutAChange(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Editor.Edit(2)
	a.Editor.Write("dense(model=bge)")
	if !strings.Contains(a.Editor.DraftErr, "bge") || a.Editor.DraftAt != len("dense(model=") {
		t.Errorf("%q at %d", a.Editor.DraftErr, a.Editor.DraftAt)
	}
	if a.Editor.Write("dense(model=minilm)"); a.Editor.DraftErr != "" || a.Editor.DraftAt != -1 {
		t.Errorf("%q at %d", a.Editor.DraftErr, a.Editor.DraftAt)
	}
	a.Editor.Cancel()
	if a.Editor.Editing != -1 || r.Focused != "edit-2" || !slices.Equal(a.Settings.Systems(), Defaults) ||
		a.History.CanUndo() {
		t.Errorf("editing %d, focus %s, %q", a.Editor.Editing, r.Focused, a.Settings.Systems())
	}
	a.Editor.Edit(len(Defaults))
	if a.Editor.Draft != Defaults[0] {
		t.Errorf("a new system begins as %q", a.Editor.Draft)
	}
}

// Stages are switched off and on again one by one; the whole of a system is remembered meanwhile.
func TestStagesAreSwitchedOffAndOn(t *testing.T) {
	a, _ := with(t, "bm25 >> rm3 >> cut(20)", "dense")
	n, off := a.Editor.Whole(0)
	if n.String() != "bm25 >> rm3 >> cut(20)" || len(off) != 0 {
		t.Fatalf("%s, %v", n, off)
	}
	at := map[string]int{}
	for stage, rest := range map[string]string{"rm3": "bm25 >> cut(20)", "cut": "bm25 >> rm3"} {
		for at[stage] < 9 && without(n, []int{at[stage]}).String() != rest {
			at[stage]++
		}
	}
	a.Editor.Switch(0, at["rm3"])
	if got := a.Settings.Systems()[0]; got != "bm25 >> cut(20)" {
		t.Errorf("%s", got)
	}
	if n, off := a.Editor.Whole(0); n.String() != "bm25 >> rm3 >> cut(20)" || !slices.Equal(off, []int{at["rm3"]}) {
		t.Errorf("%s, %v", n, off)
	}
	a.Editor.Switch(0, at["cut"])
	if got := a.Settings.Systems()[0]; got != "bm25" {
		t.Errorf("%s", got)
	}
	a.Editor.Switch(0, at["rm3"])
	if got := a.Settings.Systems()[0]; got != "bm25 >> rm3" {
		t.Errorf("%s", got)
	}
	a.Editor.Replace(0, "bm25(k1=2)")
	if n, off := a.Editor.Whole(0); n.String() != "bm25(k1=2)" || off != nil {
		t.Errorf("after another change: %s, %v", n, off)
	}
	if n, _ := a.Editor.Whole(2); n != nil {
		t.Errorf("there is no third system: %s", n)
	}
	if a.Editor.Switch(2, 0); len(a.Settings.Systems()) != 2 {
		t.Errorf("%q", a.Settings.Systems())
	}
}

// Systems side by side are as many as a page shows, with letters from A and the first as the baseline.
func TestSystemsSideBySide(t *testing.T) {
	a, _ := start(t, "/search", "")
	a.Editor.SetBaseline(2)
	a.Editor.Edit(1)
	var many []string
	for range share.MaxSystems + 1 {
		many = append(many, "bm25(k1="+string(rune('1'+len(many)%9))+")")
	}
	for _, n := range []int{2, share.MaxSystems, share.MaxSystems + 1} {
		a.Editor.Side(many[:n])
		if want := min(n, share.MaxSystems); len(a.Settings.Systems()) != want || a.Settings.Spec.Baseline != 0 ||
			a.Editor.Editing != -1 || a.Settings.Letter(1) != "B" {
			t.Errorf("%d systems: %d, baseline %d", n, len(a.Settings.Systems()), a.Settings.Spec.Baseline)
		}
	}
}

// Leafing through documents is no step of undo, and asks for each explanation.
func TestLeafingIsNoStepOfUndo(t *testing.T) {
	a, r := with(t, "bm25", "dense")
	a.Search.Pick("q1")
	for _, id := range []string{"d1", "d2"} {
		a.Show(experiment.Focus{Document: id})
		if q := r(message.Explain).Question.(*message.AskWhy); q.Focus.Document != id {
			t.Errorf("explained is %s, want %s", q.Focus.Document, id)
		}
	}
	ask := r(message.Explain)
	why := &experiment.Why{}
	a.Receive(message.Reply{ID: ask.ID, Kind: ask.Kind, Answer: why})
	if a.Search.Why != why {
		t.Error("the explanation is not shown")
	}
	a.Undo()
	if a.Settings.HasQuery() || a.Settings.Focus.Document != "" || a.Search.Why != nil {
		t.Errorf("undone: %+v", a.Settings.Address)
	}
	a.Search.explained(why)
	if a.Search.Why != nil {
		t.Error("an explanation that came late is shown")
	}
}

// A hundred steps are remembered.
func TestAHundredStepsCanBeUndone(t *testing.T) {
	a, _ := start(t, "/search", "")
	for i := range 101 {
		a.Search.SetDepth(20 + i)
	}
	n := 0
	for a.History.CanUndo() {
		a.Undo()
		n++
	}
	if n != 100 || a.Settings.Depth() != 20 {
		t.Errorf("%d steps back to depth %d", n, a.Settings.Depth())
	}
}

// A step that leads to what is on the screen anyway is dropped; another is kept.
func TestAStepThatLeadsNowhereIsDropped(t *testing.T) {
	for _, same := range []bool{true, false} {
		a, x, _ := capable(t)
		a.History.Unkeep(x, func(any) bool { return true }) // there is none
		a.Change(false, func(*share.Address) {})
		a.History.Unkeep(a.Screens.Other(share.Search), func(any) bool { return false })
		a.History.Unkeep(x, func(saved any) bool { return same && saved == "a" })
		if a.History.CanUndo() == same {
			t.Errorf("the same %v: a step is kept %v", same, !same)
		}
	}
}

// What the worker holds in memory is told with what the page holds.
func TestMemoryIsThatOfPageAndWorker(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Search.Pick("q1")
	ask := r.Last(t, message.Search)
	a.Receive(message.Reply{ID: ask.ID, Kind: ask.Kind, Memory: 100, Progress: &message.Progress{Done: 1}})
	if a.Engine.Memory != 100 || a.Engine.Arriving == nil {
		t.Errorf("%v, %+v", a.Engine.Memory, a.Engine.Arriving)
	}
	a.Engine.PageMemory = func() float64 { return 11 }
	a.Receive(message.Reply{ID: ask.ID, Kind: ask.Kind, Memory: 0, Progress: &message.Progress{Unit: "B", Done: 7}})
	if a.Engine.Memory != 100 || a.Engine.Progress.Done != 7 {
		t.Errorf("%v, %+v", a.Engine.Memory, a.Engine.Progress)
	}
	a.Receive(message.Reply{ID: ask.ID, Kind: ask.Kind, Memory: 200})
	if a.Engine.Memory != 211 || a.Engine.Arriving != nil {
		t.Errorf("%v, %+v", a.Engine.Memory, a.Engine.Arriving)
	}
}

// The collection with the workspace's queries takes the place of the open one; a query that was removed is closed.
func TestAnAdoptedCollectionIsAskedAnew(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Search.Pick("q2")
	a.Adopted(nil)
	if a.Engine.Opened != opened {
		t.Error("a workspace of nothing changes the collection")
	}
	more := *opened
	more.Queries = append(slices.Clone(opened.Queries), report.Query{ID: "own", Text: "mine"})
	r.Sent = nil
	a.Adopted(&more)
	if q := r.Last(t, message.Search).Question.(*experiment.Spec); q.QueryID != "q2" || a.Engine.Opened != &more {
		t.Errorf("%+v", q)
	}
	r.Last(t, message.Evaluate)
	a.Search.Pick("own")
	a.Search.Select(0, "d1")
	r.Sent = nil
	again := *opened
	a.Adopted(&again)
	if a.Settings.Spec.QueryID != "" || a.Search.Results != nil || a.Search.Why != nil {
		t.Errorf("%+v", a.Settings.Spec)
	}
	for _, m := range r.Sent {
		if m.Kind == message.Search {
			t.Error("a query that was removed is searched for")
		}
	}
	r.Last(t, message.Explain)
}

// The menu Share offers a frame where the link is the address, and what a screen has of its own.
func TestTheMenuShareOffersFrames(t *testing.T) {
	a, _, _ := capable(t)
	for screen, want := range map[share.Screen]int{share.Home: 1, share.Search: 1, share.Compare: 0} {
		if a.Go(screen); len(a.Sharing.Offers()) != want || want > 0 && a.Sharing.Offers()[0].ID != "embed" {
			t.Errorf("%q: %+v", screen, a.Sharing.Offers())
		}
		if a.Sharing.Weigh(); (a.Sharing.LinkLength > 0) != (want > 0) {
			t.Errorf("%q: a link of %d characters", screen, a.Sharing.LinkLength)
		}
	}
}

// A problem that is dismissed is gone, and so is the way to a screen that could not be fetched, but not one on its way.
func TestADismissedProblemIsGone(t *testing.T) {
	a, _ := start(t, "/", "")
	a.Go(share.Compare)
	if a.Programs.Dismiss(); !a.Programs.Wanted() {
		t.Error("a program on its way is given up")
	}
	a.NotLoaded("no network")
	if a.Notices.Problem == nil || !a.Programs.Failing() {
		t.Fatalf("%+v", a.Notices.Problem)
	}
	if a.Programs.Dismiss(); a.Programs.Wanted() || a.Notices.Problem != nil || a.Programs.Failing() {
		t.Errorf("%+v", a.Notices.Problem)
	}
	if a.Go(share.Compare); !a.Programs.Wanted() {
		t.Fatal("no program is asked for")
	}
	if a.Programs.Stay(); a.Programs.Wanted() || a.Programs.Fetching != nil {
		t.Error("a program is waited for though nobody wants it")
	}
}

// A filter has one entity, or one category, or none.
func TestAnEntityFilters(t *testing.T) {
	a, _ := start(t, "/search", "")
	if a.Filters.Entity("Oslo"); !a.Settings.Filtered() ||
		!slices.Equal(a.Settings.Spec.Filter.Entities, []string{"Oslo"}) {
		t.Errorf("%+v", a.Settings.Spec.Filter)
	}
	if a.Filters.Entity(""); a.Settings.Filtered() {
		t.Errorf("%+v", a.Settings.Spec.Filter)
	}
	a.Filters.Dates("2024-01", "")
	if !a.Settings.Filtered() {
		t.Error("a first month does not filter")
	}
	if a.Filters.Dates("", "2024-01"); !a.Settings.Filtered() {
		t.Error("a last month does not filter")
	}
}

// The example is the shortest query of three words or more that has relevant documents, or else the first.
func TestTheExampleIsTheShortestQueryOfThreeWords(t *testing.T) {
	for want, queries := range map[string][]report.Query{
		"a": {{ID: "a", Text: "port strike", Relevant: 1}, {ID: "b", Text: "ferry timetable winter"}},
		"b": {{ID: "a", Text: "a very long query of words", Relevant: 1}, {ID: "b", Text: "one two three", Relevant: 1},
			{ID: "c", Text: "one two three", Relevant: 9}, {ID: "d", Text: "one two", Relevant: 1}},
		"c": {{ID: "a", Text: "one two three"}, {ID: "b", Text: "one two"}, {ID: "c", Text: "one two three four",
			Relevant: 1}},
	} {
		if got := ExampleOf(&message.Opened{Queries: queries}); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// The judged query nearest to a typed one has a vector, and shares most words of more than three letters; of equals it
// is the first.
func TestTheNearestJudgedQueryHasAVector(t *testing.T) {
	a, _ := start(t, "/search", "")
	o := *opened
	o.Queries = []report.Query{{ID: "q1", Text: "Port strike"}, {ID: "q2", Text: "port strike winter"},
		{ID: "q3", Text: "port strike winter ferry"}, {ID: "q4", Text: "the ferry"}, {ID: "q5", Text: "strike port"}}
	o.Encoded = []bool{true, true, false, true}
	a.Engine.Opened = &o
	for typed, want := range map[string]string{"PORT": "q1", "port strike": "q1", "winter port strike": "q2",
		"the": "", "nothing": "", "ferry in winter": "q2", "ferry": "q4"} {
		a.Settings.Spec.Query = typed
		got := ""
		if q := a.Settings.NearestQuery(); q != nil {
			got = q.ID
		}
		if got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
	a.Engine.Opened = nil
	if a.Settings.NearestQuery() != nil {
		t.Error("without a collection there is a query")
	}
}

// Figures that are held are those of the query and of all, NaN where there is none.
func TestHeldFiguresAreThoseOfTheMoment(t *testing.T) {
	a, _ := with(t, "bm25", "dense", "bm25(k1=2)")
	a.Search.Results = &experiment.Results{Judged: true, Lists: []experiment.List{{Scores: []float64{0.25, 1}},
		{Problem: "none", Scores: []float64{0.5}}}}
	a.Sliders.Hold()
	h := a.Sliders.Held
	if len(h.Scores) != 3 || h.Scores[0] != 0.25 || !math.IsNaN(h.Scores[1]) || !math.IsNaN(h.Scores[2]) ||
		!math.IsNaN(h.Means[0]) {
		t.Errorf("%+v", h)
	}
	a.Search.Results.Judged = false
	if a.Sliders.Hold(); !math.IsNaN(a.Sliders.Held.Scores[0]) {
		t.Errorf("a query without judgments: %+v", a.Sliders.Held)
	}
}

// The two systems of Home are the baseline and the first other that ranks by vectors, or else the last.
func TestHomeComparesTheBaselineWithADenseSystem(t *testing.T) {
	for _, c := range []struct {
		systems  []string
		baseline int
		want     [2]int
	}{
		{[]string{"bm25", "bm25(k1=2)", "dense", "rrf(bm25, dense)"}, 0, [2]int{0, 2}},
		{[]string{"bm25", "dense", "bm25(k1=2)"}, 1, [2]int{1, 2}},
		{[]string{"bm25", "bm25(k1=2)", "bm25(k1=3)"}, 0, [2]int{0, 2}},
		{[]string{"bm25", "bm25(k1=2)", "bm25(k1=3)"}, 2, [2]int{2, 0}},
		{[]string{"dense", "bm25"}, 1, [2]int{1, 0}},
	} {
		a, _ := with(t, c.systems...)
		a.Settings.Spec.Baseline = c.baseline
		if base, other := a.Settings.Pair(); base != c.want[0] || other != c.want[1] {
			t.Errorf("%q, baseline %d: %d and %d, want %v", c.systems, c.baseline, base, other, c.want)
		}
	}
}
