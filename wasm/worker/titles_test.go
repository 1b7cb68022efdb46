package worker

import (
	"testing"

	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/message"
)

// Documents are shown by their titles if the comparison is about the open collection.
func TestDocumentsOfTheOpenCollectionHaveTitles(t *testing.T) {
	ask, compare, e := trying(t, &matrix.Memory{})
	m := message.Matrix{Systems: []string{"bm25", "ql"}, Measures: []string{"nDCG@10"}, Baseline: "bm25"}
	for x := ask(true, m); !x.Over; x = ask(true, m) {
	}
	d := compare(m)
	k, err := e.comparisons.last()
	if err != nil || d.Report == nil {
		t.Fatal(err, d)
	}
	card := e.open.session.Bundle().Cards[0]
	e.comparisons.titles = map[string]string{"given": "A title of a file"}
	title := e.comparisons.titler(k)
	for _, id := range []string{card.ID, "nowhere", "given", card.ID} {
		title.add(id)
	}
	if want := []message.Titled{{ID: card.ID, Title: card.Title}, {ID: "given", Title: "A title of a file"}}; len(
		title.list) != 2 || title.list[0] != want[0] || title.list[1] != want[1] || card.Title == "" {
		t.Errorf("%+v, want %+v", title.list, want)
	}
	k.report.Collection.Name = "another"
	if title = e.comparisons.titler(k); title.of(card.ID) != "" {
		t.Error("runs on another collection have the titles of the open one")
	}
}
