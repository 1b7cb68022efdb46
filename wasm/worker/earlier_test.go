package worker

import (
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

// A folder that has changed is another collection. The earlier one is found by the ids of its documents.
func TestAnEarlierStateOfAFolderIsFound(t *testing.T) {
	s := open(t, [2]string{"docs.csv", "id,title,text\na,Ferry,the ferry sails\nb,Crane,the crane lifts\n" +
		"c,Fog,fog in the port\nd,Mole,the mole is long\ne,Tug,a tug pulls\n"})
	before := s.upload()
	earlier := func(id string) *message.EarlierOne {
		r := s.ask(message.Earlier, message.Request{Question: &message.AskEarlier{ID: id,
			Among: []string{"upload-gone", before.ID}}})
		if r.Problem != nil {
			t.Fatalf("%+v", r.Problem)
		}
		return r.Answer.(*message.EarlierOne)
	}
	if got := earlier(before.ID); got.ID != "" {
		t.Errorf("before there is another: %+v", got)
	}
	// a stays, b changes, c is renamed, d and e go, f is new
	s.give([2]string{"docs.csv", "id,title,text\na,Ferry,the ferry sails\nb,Crane,the crane is broken\n" +
		"north/c,Fog,fog in the port\nf,Buoy,a buoy floats\n"})
	got := earlier(s.upload().ID)
	if got.ID != before.ID || got.Same != 1 || got.Added != 1 || !slices.Equal(got.Changed, []string{"b"}) ||
		!slices.Equal(got.From, []string{"c"}) || !slices.Equal(got.To, []string{"north/c"}) ||
		!slices.Equal(got.Gone, []string{"d", "e"}) {
		t.Errorf("%+v", got)
	}
	s.give([2]string{"docs.csv", "id,title,text\na,Ferry,the ferry sails\nx,X,one\ny,Y,two\nz,Z,three\n"})
	if got := earlier(s.upload().ID); got.ID != "" {
		t.Errorf("one document of four makes no earlier state: %+v", got)
	}
}
