package worker

import (
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
)

// A comparison that takes long tells the page once a second that it goes on, and is not stopped by that.
func TestLongWorkTellsThatItGoesOn(t *testing.T) {
	now, told := 0.0, 0
	e := NewEngine(nil, func() float64 { now += 3e5; return now }, func(message.Reply) {})
	e.page.alive = func() { told++ }
	going := e.page.living()
	for range 20 { // six seconds by that clock, from .3 to 6.3
		if going() {
			t.Fatal("it was stopped")
		}
	}
	if told != 5 { // at 1.5, 2.7, 3.9, 5.1 and 6.3: every fourth step of .3 seconds is the first after a whole one
		t.Errorf("told %d times", told)
	}
}

// The comparison over all queries says how far it is, and stops where something newer was asked; an empty one only
// stops the one before.
func TestMeasuringTellsAndStops(t *testing.T) {
	e, replies := engine(site(t))
	e.Handle(message.Request{ID: 1, Kind: message.Open, Question: &message.Place{Base: base}})
	spec := &experiment.Spec{Systems: []string{"bm25", "bm25(k1=2)"}}
	now := 0.0
	e.page.clock, e.page.alive = func() float64 { now += 4e4; return now }, func() {}
	outdated := false
	e.page.outdated = func(message.Request) bool { return outdated }
	begin := len(*replies)
	e.Handle(message.Request{ID: 7, Kind: message.Evaluate, Question: spec})
	told := (*replies)[begin:]
	total, last := 2*len(e.open.session.Queries.Described()), 0
	for _, r := range told[:len(told)-1] {
		if r.Progress == nil || r.Progress.Total != total || r.Progress.Done < last || r.Progress.Done > total {
			t.Fatalf("%+v", r.Progress)
		}
		last = r.Progress.Done
	}
	if len(told) < 3 || told[len(told)-1].Answer == nil {
		t.Fatalf("%d replies, the last %+v", len(told), told[len(told)-1])
	}
	outdated = true
	spec.Systems[1] = "bm25(k1=3)"
	e.Handle(message.Request{ID: 8, Kind: message.Evaluate, Question: spec})
	if r := (*replies)[len(*replies)-1]; r.Answer != nil || r.Problem != nil || r.Progress != nil {
		t.Errorf("stopped: %+v", r)
	}
	e.Handle(message.Request{ID: 9, Kind: message.Evaluate, Question: &experiment.Spec{}})
	if r := (*replies)[len(*replies)-1]; r.ID != 9 || r.Answer != nil || r.Problem != nil {
		t.Errorf("an empty one: %+v", r)
	}
}

// What is typed while all queries are measured is answered in the midst of it, the newest only, also where it sets the
// ranker otherwise that is at work; the figures do not change by that.
func TestAQuestionIsAnsweredInTheMidstOfMeasuring(t *testing.T) {
	measured := func(busy bool) (hash string, order []uint64) {
		var l line
		e, replies := engine(site(t))
		e.Handle(message.Request{ID: 1, Kind: message.Open, Question: &message.Place{Base: base}})
		begin := len(*replies)
		now := 0.0
		e.page.clock, e.page.alive = func() float64 { now += 7e4; return now }, func() {}
		e.page.outdated = func(r message.Request) bool { return superfluous(r, l.newest) }
		e.page.turn = func() (message.Request, bool) { return l.takeOf(quick) }
		paused := 0
		e.page.pause = func() {
			if paused++; busy && paused == 1 {
				other := &experiment.Spec{Systems: []string{"bm25(k1=3,b=0)"}, QueryID: "q1"}
				l.put(message.Request{ID: 3, Kind: message.Search, Question: other})
				l.put(message.Request{ID: 4, Kind: message.Search, Question: other})
			}
		}
		l.put(message.Request{ID: 2, Kind: message.Evaluate,
			Question: &experiment.Spec{Systems: []string{"bm25", "bm25(k1=2)"}}})
		for r, ok := l.take(); ok; r, ok = l.take() {
			e.Handle(r)
		}
		for _, r := range (*replies)[begin:] {
			if r.Problem != nil {
				t.Fatalf("%+v", r.Problem)
			}
			if r.Progress == nil {
				order = append(order, r.ID)
			}
			if x, ok := r.Answer.(*report.Report); ok {
				hash = x.Hash
			}
		}
		return hash, order
	}
	alone, _ := measured(false)
	hash, order := measured(true)
	if !slices.Equal(order, []uint64{4, 2}) {
		t.Errorf("answered in the order %v, want the newest search before the measures", order)
	}
	if hash == "" || hash != alone {
		t.Errorf("hash %q, alone %q", hash, alone)
	}
}
