package state

import (
	"reflect"
	"testing"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/message"
)

// Package message registers a question and an answer for each kind; those of the exchanges are the same.
func TestExchangesHaveTheTypesOfTheirKinds(t *testing.T) {
	kinds := map[message.Kind]bool{}
	check := func(kind message.Kind, question, answer wire.Wirer) {
		kinds[kind] = true
		if got, want := reflect.TypeOf(question), reflect.TypeOf(kind.Question()); got != want {
			t.Errorf("kind %d is asked with a %v, not a %v", kind, got, want)
		}
		if got, want := reflect.TypeOf(answer), reflect.TypeOf(kind.Answer()); got != want {
			t.Errorf("kind %d is answered with a %v, not a %v", kind, got, want)
		}
	}
	types(opening, check)
	types(searching, check)
	types(explaining, check)
	types(evaluating, check)
	types(counting, check)
	types(tracing, check)
	types(encoding, check)
	for _, r := range replies {
		if !kinds[r.kind] {
			t.Errorf("the replies of kind %d belong to no exchange, or to one that has two entries", r.kind)
		}
		delete(kinds, r.kind)
	}
	if len(kinds) > 0 {
		t.Errorf("nothing takes the replies of the kinds %v", kinds)
	}
}

func types[Q, A wire.Wirer](x exchange[Q, A], check func(message.Kind, wire.Wirer, wire.Wirer)) {
	var question Q
	var answer A
	check(x.kind, question, answer)
}

// An answer of another type than its kind has is dropped, and the page does not end.
func TestAnAnswerOfAnotherTypeIsDropped(t *testing.T) {
	a, r := start(t, "/search", "")
	a.Search.Type("port")
	ask := r.Last(t, message.Search)
	a.Receive(message.Reply{ID: ask.ID, Kind: ask.Kind, Answer: &message.Facets{}})
	if _, waits := a.Engine.Asked(message.Search); waits || a.Search.Results != nil {
		t.Errorf("waits %v, results %v", waits, a.Search.Results)
	}
}
