package state

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/wire"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

var opened = &message.Opened{Ref: report.Ref{ID: DefaultCollection, Name: "Wire", Hash: strings.Repeat("ab", 32), Documents: 3, Queries: 2},
	Models: []string{"minilm"}, Queries: []report.Query{{ID: "q1", Text: "port strike"}, {ID: "q2", Text: "ferry timetable winter"}}, Encoded: []bool{true, true}}

// first are the screens of the first program.
var first = []Part{{Name: "home"}, {Name: "search"}}

func start(t *testing.T, path, fragment string) (*App, *statetest.Recorder) {
	t.Helper()
	r := &statetest.Recorder{}
	a := New(r, func(id string) string { return "https://example.org/collections/" + id + "/" }, path, first...)
	a.Begin(path, fragment)
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
	return a, r
}

func TestTypingAsksTheWorkerAndOnlyTheNewestAnswerCounts(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Search.Type("po")
	asked := func(m message.Request) *experiment.Spec { return m.Question.(*experiment.Spec) }
	first := r.Last(t, message.Search)
	a.Search.Type("port")
	second := r.Last(t, message.Search)
	if asked(first).Query != "po" || asked(second).Query != "port" || second.ID <= first.ID {
		t.Fatalf("requests %+v, %+v", first, second)
	}
	newest := &experiment.Results{Measures: []string{"newest"}}
	a.Receive(message.Reply{ID: second.ID, Kind: message.Search, Answer: newest})
	a.Receive(message.Reply{ID: first.ID, Kind: message.Search, Answer: &experiment.Results{}})
	if a.Search.Results != newest {
		t.Error("a late answer replaced the newest")
	}
	if !slices.Equal(asked(second).Systems, Defaults) || asked(second).Depth != DefaultDepth || asked(second).Collection != DefaultCollection {
		t.Errorf("the worker gets a Spec with defaults to guess: %+v", asked(second))
	}
}

func TestAWordTypedIsOneStepOfUndoAndOneEntryOfTheHistory(t *testing.T) {
	a, r := start(t, "/search", "")
	for _, s := range []string{"p", "po", "por", "port"} {
		a.Search.Type(s)
	}
	slide(t, a, "k1", 0, 1.0)
	slide(t, a, "k1", 0, 1.2)
	if r.Pushes != 2 {
		t.Errorf("%d entries of the history, want 2", r.Pushes)
	}
	if k1 := knob(t, a, "k1").Handles[0].Value; k1 != 1.2 {
		t.Errorf("k1 is %v", k1)
	}
	a.Undo()
	if k1 := knob(t, a, "k1").Handles[0].Value; k1 != 0.9 || a.Settings.Spec.Query != "port" {
		t.Errorf("after one undo: k1 %v, query %q", k1, a.Settings.Spec.Query)
	}
	a.Undo()
	if a.Settings.Spec.Query != "" || a.History.CanUndo() {
		t.Errorf("after two: query %q", a.Settings.Spec.Query)
	}
	a.Redo()
	a.Redo()
	if k1 := knob(t, a, "k1").Handles[0].Value; k1 != 1.2 || a.Settings.Spec.Query != "port" {
		t.Errorf("after two redos: k1 %v, query %q", k1, a.Settings.Spec.Query)
	}
}

func TestSlidersThatStandAtOnePlaceMoveTogetherAndTheReportFollowsOnceTheyRest(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Search.Pick("q1")
	r.Sent = nil
	for _, v := range []float64{1, 1.1, 1.2} {
		slide(t, a, "k1", 0, v)
	}
	want := []string{"bm25(k1=1.2)", "bm25(k1=1.2,title=3)", "dense", "rrf(bm25(k1=1.2), dense)"}
	if got := a.Settings.Systems(); !slices.Equal(got, want) {
		t.Errorf("systems %q, want %q", got, want)
	}
	evaluations := 0
	r.Pass()
	for _, m := range r.Sent {
		if m.Kind == message.Evaluate {
			evaluations++
		}
	}
	if evaluations != 1 {
		t.Errorf("%d evaluations for one drag", evaluations)
	}
	slide(t, a, "k1", 0, 0.9)
	if a.Settings.Spec.Systems != nil {
		t.Errorf("the defaults are written into the link: %q", a.Settings.Spec.Systems)
	}
}

func TestALinkOpensOnExactlyWhatWasOnTheScreen(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Search.Pick("q2")
	slide(t, a, "b", 0, 0.75)
	a.Filters.Category("sport")
	a.Filters.Dates("2024-02", "2024-11")
	a.Search.Select(2, "d3")
	a.Sharing.CopyLink()
	link := r.Copied
	if !strings.HasPrefix(link, "https://example.org/search#v=1") || len(link) > 2000 {
		t.Fatalf("link %q", link)
	}
	b, _ := start(t, "/search", link[strings.Index(link, "#"):])
	got, want := b.Settings.Address, a.Settings.Address
	got.Spec, want.Spec = b.Settings.Full(), a.Settings.Full()
	want.Hash = opened.Ref.Hash[:16]
	if !share.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if want.Filter.To != "2024-11-30" || want.Filter.From != "2024-02-01" {
		t.Errorf("dates %v", want.Filter)
	}
}

func TestADamagedLinkOpensTheHomePageAndSaysWhy(t *testing.T) {
	for _, fragment := range []string{"#v=1&q=x&x=00000000", "#rubbish", "#v=9&x=1", "#v=1", "#%ff%00"} {
		r := &statetest.Recorder{}
		a := New(r, func(string) string { return "" }, "/search", first...)
		a.Begin("/search", fragment)
		if a.Notices.Problem == nil || a.Settings.Screen != "" || a.Notices.Problem.Do == "" {
			t.Errorf("%s: problem %+v, screen %q", fragment, a.Notices.Problem, a.Settings.Screen)
		}
	}
}

func TestBackRestoresWhatWasThere(t *testing.T) {
	a, r := start(t, "/", "")
	a.Search.Pick("q1")
	a.Moved("/", "", 0)
	if a.Settings.Screen != "" || a.Settings.HasQuery() || a.Search.Results != nil {
		t.Errorf("%+v", a.Settings.Spec)
	}
	a.Moved("/search", r.Addresses[0][strings.Index(r.Addresses[0], "#"):], 1)
	if a.Settings.Spec.QueryID != "q1" || a.Settings.Screen != share.Search {
		t.Errorf("%+v", a.Settings.Spec)
	}
}

func TestAWorkerThatDiesIsReplacedAndTheQueryIsAskedAgain(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Search.Type("port strike now")
	a.Died("panic: index out of range")
	if r.Restarts != 1 || a.Notices.Text == "" || !strings.Contains(a.Notices.Text, "index out of range") {
		t.Fatalf("restarts %d, notice %q", r.Restarts, a.Notices.Text)
	}
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
	if again := r.Last(t, message.Search).Question.(*experiment.Spec); again.Query != "port strike now" {
		t.Errorf("asked %q", again.Query)
	}
	a.Receive(message.Reply{ID: r.Last(t, message.Search).ID, Kind: message.Search, Answer: &experiment.Results{}})
	for range 3 {
		a.Died("out of memory")
	}
	if a.Engine.Phase == Failed {
		t.Error("gave up though an answer came in between")
	}
	a.Died("out of memory")
	if a.Engine.Phase != Failed || a.Notices.Problem == nil {
		t.Error("restarts for ever")
	}
	a.Retry()
	if a.Engine.Phase != Opening || a.Notices.Problem != nil {
		t.Error("cannot be tried again")
	}
}

func TestAWorkerThatFallsSilentIsReplaced(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Search.Type("port")
	r.MissedAfter(t, 4)
	if !strings.Contains(a.Notices.Text, "said nothing for 4 seconds") {
		t.Errorf("the reason that is shown: %s", a.Notices.Text)
	}
}

// The worker leaves out a query that a newer one overtook in its line.
func TestAWorkerOwesNoAnswerToAQueryThatWasTypedOver(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Encoder.File = message.EncoderFile{URL: "/e.bin", Bytes: 100}
	for _, typed := range []string{"p", "po", "por", "port"} {
		a.Search.Type(typed)
	}
	for range 10 {
		for kind, answer := range map[message.Kind]wire.Wirer{message.Search: &experiment.Results{}, message.Evaluate: &report.Report{}, message.Curve: &experiment.Curve{}} {
			if q, waits := a.Engine.Asked(kind); waits {
				a.Receive(message.Reply{ID: q.ID, Kind: kind, Answer: answer})
			}
		}
		r.Pass()
	}
	if r.Restarts != 0 {
		t.Errorf("restarted though every question was answered that is not out of date: %s", a.Notices.Text)
	}
	a.Encoder.Idle()
	if !a.Encoder.Wanted {
		t.Error("with nothing to do, the encoder of typed queries is not asked for")
	}
}

func TestTheWorkerAfterADeadOneHasMoreTime(t *testing.T) {
	a, r := start(t, "/search", "")
	silent := func(seconds, want int, why string) {
		t.Helper()
		for range seconds {
			r.Pass()
		}
		if r.Restarts != want {
			t.Fatalf("%d restarts, want %d: %s", r.Restarts, want, why)
		}
	}
	opens := func() { // the worker that was started, and asks again
		t.Helper()
		a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
		r.Pass() // the replies so far count as a sign of life
	}
	a.Search.Type("port")
	r.Pass()
	silent(4, 1, "the first has four seconds")
	opens()
	silent(11, 1, "the second has twelve")
	silent(1, 2, "and no more")
	if !strings.Contains(a.Notices.Text, "said nothing for 12 seconds") {
		t.Errorf("the reason that is shown: %s", a.Notices.Text)
	}
	opens()
	silent(11, 2, "the third has twelve")
	a.Engine.Alive()
	r.Pass()
	silent(11, 2, "a sign of life counts")
	a.Engine.Worked()
	silent(1, 3, "after work that was done it is four again")
	opens()
	a.Engine.Worked()
	silent(3, 3, "the next has four")
	silent(1, 4, "and no more")
}

// What the worker before had fetched says nothing of the one after it: one that ends before it has fetched a byte is not waited for as one
// that puts a collection together.
func TestAWorkerThatEndsBeforeItFetchesIsMissed(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Died("killed")
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Progress: &message.Progress{Done: 217, Total: 217}})
	a.Died("killed")
	r.Pass() // what it said
	for range 11 {
		r.Pass()
	}
	if r.Restarts != 2 {
		t.Errorf("%d restarts after eleven silent seconds, want the 2 from before", r.Restarts)
	}
	r.Pass()
	if r.Restarts != 3 {
		t.Errorf("%d restarts after twelve silent seconds, want 3", r.Restarts)
	}
}

func TestSearchSaysWhatItWaitsFor(t *testing.T) {
	a, r := start(t, "/search", "")
	if a.Engine.Behind() != "" {
		t.Errorf("nothing is asked, and it waits for %s", a.Engine.Behind())
	}
	a.Search.Type("port")
	r.Last(t, message.Search)
	if a.Engine.Behind() != "" {
		t.Errorf("nothing else runs, and it waits for %s", a.Engine.Behind())
	}
	a.Engine.Request(message.Runs, nil)
	if a.Engine.Behind() != "the comparison" {
		t.Errorf("it waits for %q", a.Engine.Behind())
	}
	compare := r.Last(t, message.Runs).ID
	a.Receive(message.Reply{ID: compare, Kind: message.Runs, Problem: &message.Problem{What: "no run"}})
	if a.Engine.Behind() != "" {
		t.Errorf("the comparison is over, and it waits for %s", a.Engine.Behind())
	}
}

func TestAWorkerThatWaitsForAFileLives(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Search.Type("port")
	for range 60 { // two minutes: the worker fetches texts, and says every second that it waits
		a.Engine.Alive()
		r.Pass()
	}
	if r.Restarts != 0 || a.Notices.Problem != nil {
		t.Fatalf("%d restarts, %+v", r.Restarts, a.Notices.Problem)
	}
	for range 4 { // and then it is stuck
		r.Pass()
	}
	if r.Restarts != 1 {
		t.Errorf("%d restarts after four silent seconds", r.Restarts)
	}
}

func TestACollectionIsPutTogetherInOneLongStep(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Retry()
	open := r.Last(t, message.Open).ID
	a.Receive(message.Reply{ID: open, Kind: message.Open, Progress: &message.Progress{What: "collection", Done: 9, Total: 9, Rest: true}})
	r.Restarts = 0
	for range 20 {
		r.Pass()
	}
	if r.Restarts != 0 {
		t.Errorf("%d restarts while an index is read", r.Restarts)
	}
	a.Receive(message.Reply{ID: open, Kind: message.Open, Progress: &message.Progress{What: "collection", Done: 3, Total: 9}})
	r.MissedAfter(t, 4) // it is stuck in the midst of a file
}

func TestTheReasonThatIsShownIsTheOneThatWas(t *testing.T) {
	for _, x := range []struct{ reason, advice string }{
		{"panic: index out of range", "Try again"},
		{"runtime: out of memory: cannot allocate", "too little free memory"},
	} {
		a, _ := start(t, "/search", "")
		a.Search.Type("port")
		for range 4 {
			a.Died(x.reason)
		}
		if a.Engine.Phase != Failed || !strings.Contains(a.Notices.Problem.What, x.reason) || !strings.Contains(a.Notices.Problem.Do, x.advice) {
			t.Errorf("%s: %+v", x.reason, a.Notices.Problem)
		}
	}
}

func TestTheEditorSaysWhatIsWrongAndKeepsTheSystem(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Editor.Edit(1)
	if r.Focused != "notation-1" || a.Editor.Draft != "bm25(title=3)" {
		t.Errorf("focus %q, draft %q", r.Focused, a.Editor.Draft)
	}
	a.Editor.Write("bm25(k2=1)")
	a.Editor.Accept()
	if a.Editor.DraftErr == "" || a.Editor.Editing != 1 || !slices.Equal(a.Settings.Systems(), Defaults) {
		t.Errorf("error %q, editing %d, systems %q", a.Editor.DraftErr, a.Editor.Editing, a.Settings.Systems())
	}
	if a.Editor.DraftAt != 5 || strings.Contains(a.Editor.DraftErr, "byte") {
		t.Errorf("%q at %d: the place is to be shown, not counted", a.Editor.DraftErr, a.Editor.DraftAt)
	}
	a.Editor.Write("bm25( b=0.75 , k1=1.20 )")
	a.Editor.Accept()
	if a.Settings.Systems()[1] != "bm25(k1=1.2,b=0.75)" || a.Editor.Editing != -1 {
		t.Errorf("systems %q", a.Settings.Systems())
	}
	a.Editor.Edit(4)
	a.Editor.Write("bm25(variant=okapi)")
	if a.Editor.Remove(0); len(a.Settings.Systems()) != 3 || a.Settings.Systems()[0] != "bm25(k1=1.2,b=0.75)" {
		t.Errorf("systems %q", a.Settings.Systems())
	}
}

// A system keeps its letter when another leaves, in the link and after undo too; a new one takes a letter that is free.
func TestASystemKeepsItsLetter(t *testing.T) {
	a, _ := start(t, "/search", "")
	letters := func() (s string) {
		for i := range a.Settings.Systems() {
			s += a.Settings.Letter(i)
		}
		return s
	}
	all := letters()
	a.Editor.Remove(1)
	if want := all[:1] + all[2:]; letters() != want {
		t.Fatalf("%s of %s, want %s", letters(), all, want)
	}
	link, err := a.Sharing.Link()
	if err != nil {
		t.Fatal(err)
	}
	_, fragment, _ := strings.Cut(link, "#")
	b, _ := start(t, "/search", fragment)
	if b.Settings.Letter(1) != "C" || b.Settings.Place(1) != 2 ||
		!slices.Equal(a.Settings.Systems(), b.Settings.Systems()) {
		t.Errorf("the link opens %q, the second as %s", b.Settings.Systems(), b.Settings.Letter(1))
	}
	a.Editor.Edit(len(a.Settings.Systems()))
	if a.Settings.Letter(len(a.Settings.Systems())) != "B" {
		t.Errorf("a new one is to be %s", a.Settings.Letter(len(a.Settings.Systems())))
	}
	a.Editor.Write("bm25(variant=okapi)")
	a.Editor.Accept()
	if want := all[:1] + all[2:] + "B"; letters() != want {
		t.Errorf("%s, want %s", letters(), want)
	}
	a.Undo()
	a.Undo()
	if letters() != all {
		t.Errorf("undone: %s, want %s", letters(), all)
	}
	a.Editor.Remove(0)
	if a.Editor.Reset(); letters() != all {
		t.Errorf("as they were: %s, want %s", letters(), all)
	}
}

// Vectors that a list waits for are counted until it is there, or the worker is another one; queries that are measured are another count.
func TestVectorsThatArriveAreCounted(t *testing.T) {
	a, fx := start(t, "/search", "")
	a.Search.Type("harbour")
	fx.Pass()
	half := &message.Progress{What: "vectors of m", Done: 50, Total: 100}
	for name, end := range map[string]func(search, evaluate message.Request){
		"the lists are there": func(search, _ message.Request) {
			a.Receive(message.Reply{ID: search.ID, Kind: search.Kind, Answer: &experiment.Results{}})
		},
		"it is measured": func(_, evaluate message.Request) {
			a.Receive(message.Reply{ID: evaluate.ID, Kind: evaluate.Kind, Progress: &message.Progress{Done: 1, Total: 40, Unit: "rankings"}})
		},
		"the worker died": func(message.Request, message.Request) { a.Died("it was killed") },
	} {
		t.Run(name, func(t *testing.T) {
			search, evaluate := fx.Last(t, message.Search), fx.Last(t, message.Evaluate)
			for _, r := range []message.Request{search, evaluate} {
				a.Receive(message.Reply{ID: r.ID, Kind: r.Kind, Progress: half})
				if a.Engine.Arriving == nil || *a.Engine.Arriving != *half || a.Figures.Measuring.Total == half.Total {
					t.Fatalf("%+v; %+v are measured", a.Engine.Arriving, a.Figures.Measuring)
				}
			}
			if end(search, evaluate); a.Engine.Arriving != nil {
				t.Errorf("still %+v", a.Engine.Arriving)
			}
		})
	}
}

// The comparison over all judged queries says how far it is; cancelled, it is not asked for again before something changes.
func TestMeasuringIsCancelled(t *testing.T) {
	a, r := start(t, "/search", "")
	asked := r.Last(t, message.Evaluate)
	a.Receive(message.Reply{ID: asked.ID, Kind: message.Evaluate, Progress: &message.Progress{Done: 3, Total: 160, Unit: "rankings"}})
	if a.Figures.Measuring.Done != 3 || a.Engine.Progress.Total == 160 {
		t.Errorf("%+v, %+v", a.Figures.Measuring, a.Engine.Progress)
	}
	a.Figures.Cancel()
	stop := r.Last(t, message.Evaluate)
	if stop.ID == asked.ID || len(stop.Question.(*experiment.Spec).Systems) != 0 || a.Figures.Measuring.Total != 0 || !a.Figures.Unmeasured || !a.Figures.Stale() {
		t.Errorf("%+v, %+v, %v", stop, a.Figures.Measuring, a.Figures.Unmeasured)
	}
	a.Receive(message.Reply{ID: asked.ID, Kind: message.Evaluate, Progress: &message.Progress{Done: 9, Total: 160, Unit: "rankings"}})
	a.Receive(message.Reply{ID: stop.ID, Kind: message.Evaluate})
	if a.Figures.Measuring.Total != 0 || a.Notices.Problem != nil || r.Last(t, message.Evaluate).ID != stop.ID {
		t.Errorf("after the answer: %+v, %+v", a.Figures.Measuring, a.Notices.Problem)
	}
	a.Editor.Remove(0)
	r.Pass()
	if again := r.Last(t, message.Evaluate); again.ID == stop.ID || len(again.Question.(*experiment.Spec).Systems) != 3 || a.Figures.Unmeasured {
		t.Errorf("%+v, %v", again, a.Figures.Unmeasured)
	}
}

func TestTheBaselineMovesWithItsSystem(t *testing.T) {
	a, _ := start(t, "/", "")
	a.Editor.SetBaseline(2)
	a.Editor.Remove(0)
	if a.Settings.Spec.Baseline != 1 || a.Settings.Systems()[1] != "dense" {
		t.Errorf("baseline %d of %q", a.Settings.Spec.Baseline, a.Settings.Systems())
	}
	a.Editor.Remove(1)
	if a.Settings.Spec.Baseline != 0 {
		t.Errorf("baseline %d of %q", a.Settings.Spec.Baseline, a.Settings.Systems())
	}
}

func TestSteppingGoesRoundTheJudgedQueries(t *testing.T) {
	a, _ := start(t, "/search", "")
	var got []string
	for _, by := range []int{1, 1, 1, -1, -1} {
		a.Search.Step(by)
		got = append(got, a.Settings.Spec.QueryID)
	}
	if want := []string{"q1", "q2", "q1", "q2", "q1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWhatIsTypedOutIsTheJudgedQuery(t *testing.T) {
	a, r := start(t, "/search", "")
	for _, c := range []struct{ typed, id string }{{"port strik", ""}, {"port strike", "q1"}, {"port strikes", ""}} {
		a.Search.Type(c.typed)
		if asked := r.Last(t, message.Search).Question.(*experiment.Spec); asked.QueryID != c.id || a.Settings.QueryText() != c.typed {
			t.Errorf("%q asks for query %q, the box holds %q", c.typed, asked.QueryID, a.Settings.QueryText())
		}
	}
}

func TestTheNearestJudgedQueryIsOffered(t *testing.T) {
	a, _ := start(t, "/search", "")
	a.Search.Type("the winter ferry")
	if q := a.Settings.NearestQuery(); q == nil || q.ID != "q2" {
		t.Errorf("%+v", q)
	}
	a.Search.Type("xyz")
	if q := a.Settings.NearestQuery(); q != nil {
		t.Errorf("%+v", q)
	}
}

func TestCopyingThatIsRefusedShowsTheLink(t *testing.T) {
	a, r := start(t, "/search", "")
	r.Refuse = true
	a.Search.Type("port")
	a.Sharing.CopyLink()
	if a.Notices.Problem == nil || !strings.Contains(a.Notices.Problem.Do, "https://example.org/search#") {
		t.Errorf("%+v", a.Notices.Problem)
	}
}

func TestASystemBeyondTheFirstProgramFetchesTheOther(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Search.Type("port")
	if r.Enriched != 0 {
		t.Fatal("the default systems fetch another program")
	}
	a.Editor.Replace(0, "rrf(ql, bm25)")
	if r.Enriched == 0 || !strings.Contains(a.Notices.Text, "Query likelihood") {
		t.Errorf("asked %d times, notice %q", r.Enriched, a.Notices.Text)
	}
	asked := r.Last(t, message.Search)
	if s := asked.Question.(*experiment.Spec); s.Systems[0] != "rrf(ql, bm25)" {
		t.Errorf("asked for %q", s.Systems)
	}
	a.Receive(message.Reply{ID: asked.ID, Kind: message.Search, Beyond: true})
	if a.Notices.Text == "" {
		t.Error("the notice is gone before the other program has answered")
	}
	a.Receive(message.Reply{ID: asked.ID, Kind: message.Search, Answer: &experiment.Results{}})
	if a.Notices.Text != "" {
		t.Errorf("the other program has answered, and the notice stands: %q", a.Notices.Text)
	}
	link, err := a.Sharing.Link()
	if err != nil {
		t.Fatal(err)
	}
	if _, r := start(t, "/search", link[strings.Index(link, "#"):]); r.Enriched == 0 {
		t.Error("a link with such a system does not fetch the other program")
	}
}

// A site need not have the demo, nor vectors: the page opens what the site has, with the systems that it can answer.
func TestTheSiteSaysWhatIsOpenedWhereTheAddressDoesNot(t *testing.T) {
	r := &statetest.Recorder{}
	a := New(r, func(id string) string { return "/collections/" + id + "/" }, "/", Part{Name: "home"}, Part{Name: "search"})
	a.Settings.Default = "scifact"
	a.Begin("/", "")
	ask := r.Last(t, message.Open)
	if p := ask.Question.(*message.Place); p.Collection != "scifact" || p.Base != "/collections/scifact/" {
		t.Fatalf("opens %+v", p)
	}
	for _, c := range []struct {
		models []string
		want   []string
	}{{nil, Defaults[:2]}, {[]string{"minilm"}, Defaults}} {
		o := *opened
		o.Ref.ID, o.Models = "scifact", c.models
		a.Receive(message.Reply{ID: ask.ID, Kind: message.Open, Answer: &o})
		if !slices.Equal(a.Settings.Systems(), c.want) {
			t.Errorf("with models %q the systems are %q, want %q", c.models, a.Settings.Systems(), c.want)
		}
		link, err := a.Sharing.Link()
		_, fragment, _ := strings.Cut(link, "#")
		if s, bad := share.Decode(fragment); err != nil || bad != nil || s.Collection != "scifact" || len(s.Systems) != len(c.want) {
			t.Errorf("link %s: %v, %v", link, err, bad)
		}
		a.Figures.Report = nil
		a.Begin("/", "")
		ask = r.Last(t, message.Open)
	}
}

func TestAWorkerThatEndsWithoutANetworkIsMissed(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Online(false)
	a.Search.Type("port")
	r.MissedAfter(t, 4)
}

// What could not be fetched is asked for again when the network is back; what is whole, or was given up by a person, is not.
func TestWhatIsMissingIsFetchedWhenTheNetworkIsBack(t *testing.T) {
	found := func(again bool) func(*App, *statetest.Recorder) {
		return func(a *App, r *statetest.Recorder) {
			a.Search.Type("port")
			a.Receive(message.Reply{ID: r.Last(t, message.Search).ID, Kind: message.Search, Answer: &experiment.Results{Lists: []experiment.List{{}, {Again: again}}}})
		}
	}
	for _, tt := range []struct {
		name  string
		fault func(*App, *statetest.Recorder)
		asks  message.Kind // 0 for nothing
		swaps int
	}{
		{"a text or vectors", found(true), message.Search, 0},
		{"nothing", found(false), 0, 0},
		{"the collection", func(a *App, r *statetest.Recorder) {
			a.Start()
			a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Problem: &message.Problem{What: "the server answered 503"}})
		}, message.Open, 0},
		{"the program of a screen", func(a *App, _ *statetest.Recorder) {
			a.Go("compare")
			a.NotLoaded("Failed to fetch")
		}, 0, 1},
		{"what was cancelled", func(a *App, _ *statetest.Recorder) { a.Stop() }, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, r := start(t, "/search", "")
			tt.fault(a, r)
			a.Online(false)
			before, swaps := len(r.Sent), r.Swaps
			a.Online(true)
			asked := len(r.Sent) > before
			if asked != (tt.asks != 0) || asked && r.Sent[before].Kind != tt.asks || r.Swaps-swaps != tt.swaps {
				t.Errorf("asked %+v, %d more programs", r.Sent[before:], r.Swaps-swaps)
			}
		})
	}
}
