package experiment

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

// crewed is the screen with a plan that takes a minute, on a device of so many processors.
func crewed(t *testing.T, processors int, memory float64) (*state.App, *Experiment, *statetest.Crew) {
	t.Helper()
	fx := &statetest.Crew{Processors: processors}
	var x *Experiment
	a := state.New(fx, func(string) string {
		return "/c/"
	}, "/experiment", state.Part{Name: string(ID), Make: func(a *state.App) state.Screen {
		x = New(a, Written{Systems: "bm25\ndense"})
		return x
	}})
	a.Engine.Opened, a.Engine.Phase = &message.Opened{Ref: report.Ref{ID: "c"}}, state.Ready
	a.Engine.Memory, a.Engine.Limit = memory, 1<<30
	x.send(false)
	answer(a, &fx.Recorder, message.Experimented{Queries: 300, Micros: 60e6, Have: []byte{5}})
	return a, x, fx
}

func shared(x *Experiment, fx *statetest.Crew, i int, s message.Shared) {
	fx.Heard(i, &message.Reply{ID: 1, Kind: message.Share, Answer: &s}, "")
}

// A long experiment is shared out: each helper has its part and knows what is done, what it sends goes to the first
// worker, and when it has nothing left its part is the first one's.
func TestALongExperimentIsSharedOut(t *testing.T) {
	a, x, fx := crewed(t, 3, 100<<20)
	x.Start()
	if len(fx.Told) != 2 {
		t.Fatalf("%d helpers", len(fx.Told))
	}
	if q := fx.Told[1][0].Question.(*message.AskShare); q.At != 2 || q.Of != 3 || !slices.Equal(q.Have, []byte{5}) {
		t.Errorf("%+v", q)
	}
	if q := last(&fx.Recorder); q.Of != 3 || !slices.Equal(q.Away, []int{1, 2}) ||
		x.Helpers.Workers() != "3 workers share the queries" {
		t.Errorf("%+v %s", q, x.Helpers.Workers())
	}
	shared(x, fx, 0, message.Shared{Lists: []byte("a"), Reused: 4})
	if len(fx.Told[0]) != 2 {
		t.Error("a helper that has sent something is not asked again")
	}
	answer(a, &fx.Recorder, message.Experimented{Queries: 300, Reused: 1})
	if q := last(&fx.Recorder); string(q.Lists) != "a" || x.Done.Reused != 5 {
		t.Errorf("lists %q, %d reused", q.Lists, x.Done.Reused)
	}
	answer(a, &fx.Recorder, message.Experimented{Queries: 300, Waits: true}) // its own part is done
	n := len(fx.Sent)
	shared(x, fx, 1, message.Shared{Lists: []byte("b"), Over: true})
	if q := last(&fx.Recorder); len(fx.Sent) != n+1 || string(q.Lists) != "b" || !slices.Equal(q.Away, []int{1}) ||
		!slices.Equal(fx.Ended, []int{1}) {
		t.Errorf("%+v, ended %v", q, fx.Ended)
	}
	answer(a, &fx.Recorder, message.Experimented{Queries: 300, Over: true})
	if !slices.Equal(fx.Ended, []int{1, 0}) || x.Running {
		t.Errorf("it is over, ended %v", fx.Ended)
	}
}

// A helper that ends, breaks down or falls silent leaves its part to the first worker; Stop ends all, and what they had
// done is kept.
func TestHelpersThatEndAreMissed(t *testing.T) {
	for name, end := range map[string]func(x *Experiment, fx *statetest.Crew){
		"it ends": func(_ *Experiment, fx *statetest.Crew) { fx.Heard(0, nil, "killed") },
		"it cannot": func(_ *Experiment, fx *statetest.Crew) {
			fx.Heard(0, &message.Reply{Kind: message.Open, Problem: &message.Problem{}}, "")
		},
		"it falls silent": func(x *Experiment, fx *statetest.Crew) {
			for range mute + 1 {
				fx.Heard(1, nil, "") // the other one lives
				fx.Pass()
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			a, x, fx := crewed(t, 3, 100<<20)
			x.Start()
			shared(x, fx, 0, message.Shared{Lists: []byte("a")})
			answer(a, &fx.Recorder, message.Experimented{Queries: 300, Waits: true})
			answer(a, &fx.Recorder, message.Experimented{Queries: 300, Waits: true})
			end(x, fx)
			if q := last(&fx.Recorder); !slices.Equal(q.Away, []int{2}) || !slices.Equal(fx.Ended, []int{0}) {
				t.Fatalf("%+v, ended %v", q, fx.Ended)
			}
			fx.Heard(0, nil, "again") // what comes of it later is nothing
			shared(x, fx, 1, message.Shared{Lists: []byte("b")})
			n := len(fx.Sent)
			x.Stop()
			if q := last(&fx.Recorder); !slices.Equal(fx.Ended, []int{0, 1}) || len(fx.Sent) != n+1 || q.Go ||
				string(q.Lists) != "b" {
				t.Errorf("stopped: %+v, ended %v", q, fx.Ended)
			}
		})
	}
}

// Nobody is hired for what is soon done, on one processor, for backends, or where memory would not do: and that is
// said.
func TestOneWorkerWhereMoreWouldNotHelp(t *testing.T) {
	for name, c := range map[string]struct {
		processors int
		memory     float64
		plan       message.Experimented
		said       string
	}{
		"soon done":     {4, 1, message.Experimented{Queries: 300, Micros: worth - 1}, ""},
		"one processor": {1, 1, message.Experimented{Queries: 300, Micros: 60e6}, ""},
		"backends":      {4, 1, message.Experimented{Queries: 300, Micros: 60e6, Remote: true}, ""},
		"one query":     {4, 1, message.Experimented{Queries: 1, Micros: 60e6}, ""},
		"memory": {4, 600 << 20, message.Experimented{Queries: 300, Micros: 60e6},
			"One worker does it all: a second one would need about 629 MB more"},
	} {
		t.Run(name, func(t *testing.T) {
			a, x, fx := crewed(t, c.processors, c.memory)
			x.send(false)
			answer(a, &fx.Recorder, c.plan)
			x.Start()
			if len(fx.Told) > 0 || len(last(&fx.Recorder).Away) > 0 || !strings.HasPrefix(x.Helpers.Alone, c.said) ||
				(c.said == "") != (x.Helpers.Alone == "") {
				t.Errorf("%d hired, said %q", len(fx.Told), x.Helpers.Alone)
			}
		})
	}
}
