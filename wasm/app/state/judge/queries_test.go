package judge

import (
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

func TestTheDescriptionIsAskedForOnceAndIsThatOfTheOpenCollection(t *testing.T) {
	j, r := start(t)
	asked := func() (n int) {
		for _, m := range r.Sent {
			if m.Kind == message.Needs {
				n++
			}
		}
		return n
	}
	found(t, j, r)
	if asked() != 1 || j.Queries.Need() != (message.Need{}) {
		t.Fatalf("asked %d times, %+v before the answer", asked(), j.Queries.Need())
	}
	a := &message.Needed{Collection: opened.Ref.Hash, Needs: []message.Need{
		{Description: "What struck?", Narrative: "3: ports."}, {Description: "Which ferry?"}}}
	j.App.Receive(message.Reply{ID: r.Last(t, message.Needs).ID, Kind: message.Needs, Answer: a})
	if j.Queries.Need() != a.Needs[0] {
		t.Errorf("%+v of q1", j.Queries.Need())
	}
	j.Queries.Step(1)
	found(t, j, r)
	if j.Queries.Need() != a.Needs[1] || asked() != 1 {
		t.Errorf("%+v of q2, asked %d times", j.Queries.Need(), asked())
	}
	a.Collection = "another"
	if j.Queries.Need() != (message.Need{}) {
		t.Errorf("%+v of another collection's queries", j.Queries.Need())
	}
}

func TestOpeningTheOpenQueryKeepsItsDocument(t *testing.T) {
	j, _ := start(t)
	id, document := j.App.Settings.Spec.QueryID, j.App.Settings.Focus.Document
	if id == "" || document == "" {
		t.Fatalf("query %q, document %q", id, document)
	}
	j.Queries.Open(id)
	if got := j.App.Settings.Focus.Document; got != document {
		t.Errorf("open is %q", got)
	}
}
