package worker

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/message"
)

// trying opens the small collection over a Store and returns what asks about experiments and runs.
func trying(t *testing.T, store matrix.Store) (ask func(on bool, m message.Matrix) *message.Experimented,
	compare func(m message.Matrix) *message.Compared, e *Engine) {
	t.Helper()
	before := keepIn
	t.Cleanup(func() { keepIn = before })
	keepIn = nil
	if store != nil {
		keepIn = func(string) (matrix.Store, error) { return store, nil }
	}
	e, replies := engine(site(t))
	now := 0.0
	// 60 ms whenever somebody looks: an answer after three queries
	e.page.clock = func() float64 { now += 60e3; return now }
	e.Handle(message.Request{ID: 1, Kind: message.Open, Question: &message.Place{Collection: "c", Base: base}})
	last := func() message.Reply { return (*replies)[len(*replies)-1] }
	ask = func(on bool, m message.Matrix) *message.Experimented {
		t.Helper()
		e.Handle(message.Request{ID: 2, Kind: message.Experiment, Question: &message.AskExperiment{Matrix: m, Go: on}})
		x, ok := last().Answer.(*message.Experimented)
		if !ok {
			t.Fatalf("%+v", last().Problem)
		}
		return x
	}
	compare = func(m message.Matrix) *message.Compared {
		t.Helper()
		e.Handle(message.Request{ID: 3, Kind: message.Runs, Question: &message.Setting{Matrix: m}})
		x, ok := last().Answer.(*message.Compared)
		if !ok {
			t.Fatalf("%+v", last().Problem)
		}
		return x
	}
	return ask, compare, e
}

func TestAnExperimentIsPlannedRunAndCompared(t *testing.T) {
	store := &matrix.Memory{}
	m := message.Matrix{Systems: []string{"bm25(k1=0.5..1.5/0.1, b=0|0.4)", "bm25 >> rm3?", "dense"},
		Measures: []string{"nDCG@10", "AP"}, Baseline: "bm25"}
	ask, _, _ := trying(t, store)
	plan := ask(false, m)
	// 11 × 2, bm25 with and without rm3, dense; bm25 is among the first 22 already (k1 = 0.9, b = 0.4)
	if len(plan.Runs) != 24 || len(plan.Merged) != 1 || plan.Merged[0].Said != "bm25" || plan.Over ||
		plan.Queries != 1 || !plan.Lasting || plan.Micros <= 0 {
		t.Fatalf("%+v", plan)
	}
	first := ask(true, m)
	if first.Over || first.Runs[0].State != "completed" || first.Runs[23].State != "pending" {
		t.Fatalf("after a moment: %+v", first.Runs)
	}
	// the worker dies: another one finds what was kept
	ask, compare, _ := trying(t, store)
	if again := ask(false, m); again.Runs[0].Kept != 1 || again.Runs[0].Mean != first.Runs[0].Mean {
		t.Errorf("after a crash: %+v", again.Runs[0])
	}
	x := ask(true, m)
	for n := 0; !x.Over; n++ {
		if x = ask(true, m); n > 50 {
			t.Fatal("it does not end")
		}
	}
	if r := x.Runs[23]; r.State != "failed" || !strings.Contains(r.Why, "no vectors") {
		t.Errorf("dense: %+v", r)
	}
	done := compare(m)
	for i, s := range done.Report.Systems { // which measures the lists again, as it does those of files
		for _, r := range x.Runs {
			if r.Name != s.Label {
				continue
			}
			if want := []float64{done.Report.Columns[0].Means[i], done.Report.Columns[1].Means[i]}; !slices.Equal(
				r.Means, want) || r.Mean != want[0] {
				t.Errorf("%s: %v, want %v", r.Name, r.Means, want)
			}
		}
	}
	if x.Runs[23].Means != nil || !slices.Equal(x.Measures, m.Measures) || x.Lower {
		t.Errorf("a run that failed has means %v; measures %v", x.Runs[23].Means, x.Measures)
	}
	if done.Report == nil || len(done.Report.Systems) != 20 || done.Report.Systems[done.Baseline].Label != "bm25" ||
		done.Report.Measures[1] != "AP" {
		t.Errorf("%+v", done)
	}
	for i, s := range done.Report.Systems {
		for _, r := range x.Runs {
			if r.Name == s.Label && r.Mean != done.Report.Columns[0].Means[i] {
				t.Errorf("%s: %v there, %v here", r.Name, done.Report.Columns[0].Means[i], r.Mean)
			}
		}
	}
	// a worker that has run nothing runs it for Compare
	_, compare, _ = trying(t, nil)
	if again := compare(m); again.Report.Hash != done.Report.Hash {
		t.Error("another report without a stop")
	}
}

func TestAnExperimentThatCannotBeSaysWhy(t *testing.T) {
	ask, _, _ := trying(t, nil)
	for _, x := range []struct{ system, want string }{
		{"bm25(k1=", "At byte 8"},
		{"bm25(k1=0..100/0.001,b=0..1/0.0001)", "too many"},
		{"bm26", "did you mean bm25"},
		{`{"search_modes": ["telepathy"]}`, "telepathy"},
		{strings.Repeat("x", 30000), "limit"},
	} {
		if got := ask(true, message.Matrix{Systems: []string{x.system}}); !strings.Contains(
			strings.ToLower(got.Problem), strings.ToLower(x.want)) {
			t.Errorf("%.40s: %q, want %q", x.system, got.Problem, x.want)
		}
	}
	if x := ask(false, message.Matrix{Systems: []string{"bm25"}}); x.Lasting ||
		!strings.Contains(x.Note, "lasts as long as this page") {
		t.Errorf("%+v", x)
	}
}

// Two workers that share the queries out end with the table and the comparison of one alone; of one that falls silent
// the rest is done here. The test's collection is c; its name and hash are those of the bundle.
func TestASpecOfAnotherCollectionIsRefused(t *testing.T) {
	ask, _, e := trying(t, nil)
	ref := e.open.session.Ref()
	tests := []struct {
		name, collection string
		same             bool
	}{
		{"id", "c", true},
		{"path on a command line", "../site/collections/c/", true},
		{"path of Windows", `site\\collections\\c`, true},
		{"name", ref.Name, true},
		{"content hash", ref.Hash, true},
		{"its first 16 digits", ref.Hash[:16], true},
		{"too few digits", ref.Hash[:8], false},
		{"another id", "harbour-wire", false},
		{"an uploaded one", "upload-0123456789abcdef", false},
		{"another hash", strings.Repeat("0", 64), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ask(true, message.Matrix{
				Systems: []string{`{"collection": "` + tt.collection + `", "systems": ["bm25"]}`}})
			if same := got.Problem == ""; same != tt.same {
				t.Errorf("problem %q", got.Problem)
			}
			if !tt.same && (!strings.Contains(got.Problem, ref.Hash[:16]) || len(got.Runs) > 0) {
				t.Errorf("%q and %d runs", got.Problem, len(got.Runs))
			}
		})
	}
}

func TestTwoWorkersShareAnExperiment(t *testing.T) {
	m := message.Matrix{Systems: []string{"bm25(k1=0.5..1.5/0.1, b=0|0.4)", "bm25 >> rm3?"},
		Measures: []string{"nDCG@10", "AP"}, Baseline: "bm25"}
	_, compare, _ := trying(t, nil)
	want := compare(m).Report.Hash
	for _, mute := range []bool{false, true} {
		_, _, other := trying(t, nil)
		var heard message.Reply
		other.page.reply = func(r message.Reply) { heard = r }
		_, compare, e := trying(t, &matrix.Memory{})
		var said message.Reply
		before := e.page.reply
		e.page.reply = func(r message.Reply) { said = r; before(r) }
		// the only query of this collection is the other one's
		ask := &message.AskExperiment{Matrix: m, Go: true, Of: 2, Away: []int{0}}
		for n := 0; ; n++ {
			e.Handle(message.Request{ID: 4, Kind: message.Experiment, Question: ask})
			x := said.Answer.(*message.Experimented)
			if x.Over {
				break
			}
			if n > 80 {
				t.Fatal("it does not end")
			}
			if !x.Waits && len(ask.Away) > 0 {
				t.Fatalf("it has nothing to do and does not wait: %+v", x.Runs)
			}
			if mute && n == 3 {
				ask = &message.AskExperiment{Matrix: m, Go: true, Of: 2}
				continue
			}
			if len(ask.Away) == 0 {
				continue
			}
			other.Handle(message.Request{ID: 5, Kind: message.Share,
				Question: &message.AskShare{Matrix: m, At: 0, Of: 2, Have: x.Have}})
			s, ok := heard.Answer.(*message.Shared)
			if !ok {
				t.Fatalf("%+v", heard.Problem)
			}
			ask = &message.AskExperiment{Matrix: m, Go: true, Of: 2, Away: []int{0}, Lists: s.Lists}
			if s.Over {
				ask.Away = nil
			}
		}
		if got := compare(m).Report.Hash; got != want {
			t.Errorf("mute %v: another report than of one alone", mute)
		}
	}
}
