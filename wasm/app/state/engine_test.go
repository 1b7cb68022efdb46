package state

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

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
	if !strings.Contains(a.Notices.Text, "was asked whether it is alive, and said nothing for 4 seconds") {
		t.Errorf("the reason that is shown: %s", a.Notices.Text)
	}
}

// On a machine of which this tab has a quarter, sixteen seconds are four. A worker that answers when it is asked lives,
// but not for ever without a word of its work.
func TestAWorkerIsAskedAndSecondsAreThoseOfAProcessor(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Search.Type("port")
	r.Busy = .75
	r.MissedAfter(t, 16)

	r.Busy = 0
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
	a.Search.Type("ports")
	before, asks := r.Restarts, r.Asks
	seconds := 0
	for ; r.Restarts == before && seconds < 1000; seconds++ {
		r.Pass()
		if r.Asks > asks {
			asks = r.Asks
			a.Engine.Alive()
		}
	}
	if asks < mostAsks || seconds < 12*mostAsks || seconds > 40*mostAsks {
		t.Errorf("replaced after %d seconds and %d answers", seconds, asks)
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
		for kind, answer := range map[message.Kind]wire.Wirer{message.Search: &experiment.Results{},
			message.Evaluate: &report.Report{}, message.Curve: &experiment.Curve{}} {
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
	silent(8, 1, "the first has four seconds, and four to answer")
	opens()
	silent(23, 1, "the second has twelve, and twelve to answer")
	silent(1, 2, "and no more")
	if !strings.Contains(a.Notices.Text, "said nothing for 12 seconds") {
		t.Errorf("the reason that is shown: %s", a.Notices.Text)
	}
	opens()
	silent(23, 2, "the third has as many")
	a.Engine.Alive()
	r.Pass()
	silent(11, 2, "a sign of life counts")
	a.Engine.Worked()
	silent(5, 3, "after work that was done it is four again")
	opens()
	a.Engine.Worked()
	silent(7, 3, "the next has four, and four to answer")
	silent(1, 4, "and no more")
}

// What the worker before had fetched says nothing of the one after it: one that ends before it has fetched a byte is
// not waited for as one that puts a collection together.
func TestAWorkerThatEndsBeforeItFetchesIsMissed(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Died("killed")
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open,
		Progress: &message.Progress{Done: 217, Total: 217}})
	a.Died("killed")
	r.Pass() // what it said
	for range 23 {
		r.Pass()
	}
	if r.Restarts != 2 {
		t.Errorf("%d restarts after twenty-three silent seconds, want the 2 from before", r.Restarts)
	}
	r.Pass()
	if r.Restarts != 3 {
		t.Errorf("%d restarts after twenty-four silent seconds, want 3", r.Restarts)
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
	for range 8 { // and then it is stuck
		r.Pass()
	}
	if r.Restarts != 1 {
		t.Errorf("%d restarts after eight silent seconds", r.Restarts)
	}
}

func TestACollectionIsPutTogetherInOneLongStep(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Retry()
	open := r.Last(t, message.Open).ID
	a.Receive(message.Reply{ID: open, Kind: message.Open,
		Progress: &message.Progress{What: "collection", Done: 9, Total: 9, Rest: true}})
	r.Restarts = 0
	for range 20 {
		r.Pass()
	}
	if r.Restarts != 0 {
		t.Errorf("%d restarts while an index is read", r.Restarts)
	}
	a.Receive(message.Reply{ID: open, Kind: message.Open,
		Progress: &message.Progress{What: "collection", Done: 3, Total: 9}})
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
		if a.Engine.Phase != Failed || !strings.Contains(a.Notices.Problem.What, x.reason) ||
			!strings.Contains(a.Notices.Problem.Do, x.advice) {
			t.Errorf("%s: %+v", x.reason, a.Notices.Problem)
		}
	}
}

// Vectors that a list waits for are counted until it is there, or the worker is another one; queries that are measured
// are another count.
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
			a.Receive(message.Reply{ID: evaluate.ID, Kind: evaluate.Kind,
				Progress: &message.Progress{Done: 1, Total: 40, Unit: "rankings"}})
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

func TestAWorkerThatEndsWithoutANetworkIsMissed(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Online(false)
	a.Search.Type("port")
	r.MissedAfter(t, 4)
}

// What could not be fetched is asked for again when the network is back; what is whole, or was given up by a person, is
// not.
func TestWhatIsMissingIsFetchedWhenTheNetworkIsBack(t *testing.T) {
	found := func(again bool) func(*App, *statetest.Recorder) {
		return func(a *App, r *statetest.Recorder) {
			a.Search.Type("port")
			a.Receive(message.Reply{ID: r.Last(t, message.Search).ID, Kind: message.Search,
				Answer: &experiment.Results{Lists: []experiment.List{{}, {Again: again}}}})
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
			a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open,
				Problem: &message.Problem{What: "the server answered 503"}})
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
