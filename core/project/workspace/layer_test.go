package workspace

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
)

// layered has four layers and imported judgments. By query q: d1 mine 1, two 3, gpt 0, imported 2; d2 mine 2, two 2;
// d3 gpt 1, imported 0.
func layered(t testing.TB) (*tab, []Judgment) {
	b := &tab{name: "a", w: New(harbour)}
	for _, h := range []Head{{ID: "mine", Origin: Person}, {ID: "two", Origin: Second}, {ID: "gpt", Origin: Model}} {
		b.edit(t, 1, SetHead(h))
	}
	for _, g := range []struct {
		layer, doc string
		grade      int
	}{{"mine", "d1", 1}, {"two", "d1", 3}, {"gpt", "d1", 0}, {"mine", "d2", 2}, {"two", "d2", 2}, {"gpt", "d3", 1}} {
		b.edit(t, 2, Edit{Kind: SetGrade, Layer: g.layer, Query: "q", Document: g.doc, Grade: float64(g.grade)})
	}
	return b, []Judgment{{Query: "q", Document: "d1", Grade: 2, Graded: true}, {Query: "q", Document: "d3", Grade: 0,
		Graded: true}}
}

func counts(w *Workspace, imported []Judgment) (out []string) {
	for _, r := range w.Resolve(imported) {
		out = append(out, fmt.Sprint(r.Document, "=", r.Grade))
	}
	return out
}

func TestAnAdjudicatedGradeWinsUnderEveryRule(t *testing.T) {
	b, imported := layered(t)
	b.edit(t, 3, SetHead(Head{ID: "adjudicated", Origin: Adjudicated}))
	// earlier than the others
	b.edit(t, 1, Edit{Kind: SetGrade, Layer: "adjudicated", Query: "q", Document: "d1", Grade: 2})
	for rule, d3 := range map[Rule]int{Priority: 1, Highest: 1, Lowest: 0, Latest: 1, Majority: 0} {
		b.edit(t, 4, Edit{Kind: SetRule, Text: string(rule)})
		if got, want := counts(b.w, imported), []string{"d1=2", "d2=2", fmt.Sprint("d3=", d3)}; !slices.Equal(got,
			want) {
			t.Errorf("%s: %v, want %v", rule, got, want)
		}
	}
}

func TestAHiddenOrRemovedLayerDoesNotCountAndComesBackWhole(t *testing.T) {
	b, imported := layered(t)
	before := counts(b.w, imported)
	hide := b.w.Layers()[0]
	hide.State = Hidden
	undo := b.w.Inverse(SetHead(hide))
	b.edit(t, 3, SetHead(hide))
	if got, want := counts(b.w, imported), []string{"d1=3", "d2=2", "d3=1"}; !slices.Equal(got, want) {
		t.Errorf("mine is hidden: %v, want %v", got, want)
	}
	if len(b.w.Layers()) != 3 {
		t.Error("a hidden layer is not listed")
	}
	b.edit(t, 4, undo)
	of := b.w.Collection()
	of.State = Hidden
	undo = b.w.Inverse(SetHead(of))
	b.edit(t, 5, SetHead(of))
	b.edit(t, 6, Edit{Kind: SetRule, Text: string(Lowest)})
	if got, want := counts(b.w, imported), []string{"d1=0", "d2=2", "d3=1"}; !slices.Equal(got, want) {
		t.Errorf("the collection's are hidden: %v, want %v", got, want)
	}
	b.edit(t, 7, undo)
	b.edit(t, 8, Edit{Kind: SetRule, Text: string(Priority)})
	edits := b.w.AddLayer(Head{ID: b.w.FreeLayer("Ada's Grades.qrels", "k"), Origin: Person, Author: "Ada"},
		[]Judgment{{Query: "q", Document: "d9", Grade: 1, Graded: true, Note: "n"}}, 9, "k")
	gone := b.w.Inverse(edits[0])
	for _, e := range edits {
		if _, err := b.w.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	if got := b.w.Layer("ada-s-grades-qrels-k").Judgments(); len(got) != 1 || got[0].Note != "n" || got[0].Grade != 1 {
		t.Errorf("the layer has %v", got)
	}
	b.edit(t, 10, gone)
	if got := counts(b.w, imported); !slices.Equal(got, before) {
		t.Errorf("after its removal: %v, want %v", got, before)
	}
	if id := b.w.FreeLayer("Ada's Grades.qrels", "k"); id != "ada-s-grades-qrels-k-2" {
		t.Errorf("the id of a removed layer is given again: %s", id)
	}
	w, err := Import("x", export(t, b.w), Limits{})
	must(t, err)
	if !reflect.DeepEqual(w.Layers(), b.w.Layers()) || len(w.Layer("ada-s-grades-qrels-k").Judgments()) != 1 {
		t.Error("the file has other layers")
	}
}

// Without a time of its own a grade has that of the layer's date, and one with a time keeps it.
func TestTheDateOfAFileDecidesWhatIsLatest(t *testing.T) {
	b, imported := layered(t)
	b.edit(t, 1_800_000_000_000, Edit{Kind: SetGrade, Layer: "mine", Query: "q", Document: "d1", Grade: 1}) // 2027
	b.edit(t, 1_800_000_000_000, Edit{Kind: SetRule, Text: string(Latest)})
	for _, e := range b.w.AddLayer(Head{ID: "old", Origin: Second, Date: "2020-01-01"}, []Judgment{{Query: "q",
		Document: "d1", Grade: 3, Graded: true},
		{Query: "q", Document: "d2", Grade: 0, Graded: true, Time: 1_900_000_000_000}}, 1_800_000_000_001, "k") {
		_, err := b.w.Apply(e)
		must(t, err)
	}
	if got, want := counts(b.w, imported), []string{"d1=1", "d2=0", "d3=1"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestDisputesComeWithTheLargestDifferenceFirst(t *testing.T) {
	b, imported := layered(t)
	b.edit(t, 3, SetHead(Head{ID: "adjudicated", Origin: Adjudicated}))
	b.edit(t, 3, Edit{Kind: SetGrade, Layer: "adjudicated", Query: "q", Document: "d3", Grade: 1})
	want := []Dispute{
		{Query: "q", Document: "d1", Grades: []Grade{{"mine", 1}, {"two", 3}, {"gpt", 0}, {OfCollection, 2}},
			Spread: 3},
		{Query: "q", Document: "d3", Grades: []Grade{{"gpt", 1}, {OfCollection, 0}}, Spread: 1, Decided: true},
	}
	if got := b.w.Disputes(imported); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	pair := []Dispute{{Query: "q", Document: "d1", Grades: []Grade{{"mine", 1}, {OfCollection, 2}}, Spread: 1}}
	if got := b.w.Disputes(imported, "mine", OfCollection); !reflect.DeepEqual(got, pair) {
		t.Errorf("of two layers %+v\nwant %+v", got, pair)
	}
}
