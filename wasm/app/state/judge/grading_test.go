package judge

import (
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
)

func TestDocumentsComeByTurnsFromTheListsEachOnce(t *testing.T) {
	j, r := start(t)
	if got := pool(j); got != "abcde" {
		t.Errorf("pool %s", got)
	}
	if j.App.Settings.Focus.Document != "a" || j.Grading.At() != 0 ||
		j.App.History.CanUndo() && j.App.Settings.Screen != "judge" {
		t.Errorf("open is %q", j.App.Settings.Focus.Document)
	}
	if ask := r.Last(t, message.Explain).Question.(*message.AskWhy); ask.Focus.Document != "a" {
		t.Errorf("the text of %q is asked for", ask.Focus.Document)
	}
	j.Grading.Unjudged(true)
	if got := pool(j); got != "be" || j.App.Settings.Focus.Document != "b" {
		t.Errorf("without a judgment: %s, open %q", got, j.App.Settings.Focus.Document)
	}
}

func TestAGradeIsOneStepAndLeadsToTheNextDocumentWithoutOne(t *testing.T) {
	j, _ := start(t)
	j.Grading.Turn(1)
	j.Grading.Give(2)
	if j.App.Settings.Focus.Document != "c" {
		t.Errorf("open is %q", j.App.Settings.Focus.Document)
	}
	j.Grading.Turn(-2)
	j.Grading.Give(3) // a; b has its grade
	if done, all := j.Grading.Done(); done != 2 || all != 5 || j.App.Settings.Focus.Document != "c" {
		t.Errorf("%d of %d, open %q", done, all, j.App.Settings.Focus.Document)
	}
	j.App.Undo()
	if _, ok := j.Grading.Grade("a"); ok || j.App.Settings.Focus.Document != "a" {
		t.Errorf("not undone; open is %q", j.App.Settings.Focus.Document)
	}
	j.App.Redo()
	if g, ok := j.Grading.Grade("a"); !ok || g != 3 {
		t.Error("not done again")
	}
	for range 3 {
		j.Grading.Give(0)
	}
	if done, all := j.Grading.Done(); done != all {
		t.Errorf("%d of %d", done, all)
	}
	if j.Grading.Give(7); j.Journal.w.Layer(mine).Graded() != 5 {
		t.Error("a grade beyond the highest was taken")
	}
}

func TestGradesAreSavedAsQrels(t *testing.T) {
	j, r := start(t)
	j.Grading.Export()
	if len(r.Saved) != 0 {
		t.Error("nothing was saved as a file")
	}
	j.Grading.Give(3)
	j.Queries.Step(1)
	found(t, j, r)
	j.Grading.Give(0)
	j.Grading.Give(1)
	if got, err := j.Layers.Qrels(mine); err != nil || string(got) != "q1 0 a 3\nq2 0 a 0\nq2 0 b 1\n" {
		t.Errorf("%q, %v", got, err)
	}
	if n, queries := j.Grading.Total(); n != 3 || queries != 2 {
		t.Errorf("%d over %d", n, queries)
	}
	if j.Grading.Export(); len(r.Saved) != 1 || r.Saved[0] != "harbour-wire-judged.qrels" {
		t.Errorf("%q", r.Saved)
	}
	// no id forges a line or a column; those with a line feed or without text are refused before that
	e := workspace.Edit{Stamp: j.Journal.w.Next(1, "z"), Kind: workspace.SetGrade, Layer: mine, Query: "q2",
		Document: "d 2", Grade: 1}
	if _, err := j.Journal.w.Apply(e); err != nil {
		t.Fatal(err)
	}
	if got, err := j.Layers.Qrels(mine); err == nil || len(got) > 0 {
		t.Errorf("%q", got)
	}
	if j.Grading.Export(); len(r.Saved) != 1 || j.App.Notices.Problem == nil ||
		!strings.Contains(j.App.Notices.Problem.What, strconv.Quote("d 2")) {
		t.Errorf("%q, %+v", r.Saved, j.App.Notices.Problem)
	}
	e.Document = "d1\nq9 0 forged 3"
	if _, err := j.Journal.w.Apply(e); err == nil {
		t.Error("a line feed in an id was taken")
	}
}

func TestADocumentIsGradedWhereItIsFound(t *testing.T) {
	j, r := start(t)
	j.App.Go("search")
	j.App.Search.Select(0, "b")
	j.Grading.GradeHere(2)
	if g, ok := j.Grading.Grade("b"); !ok || g != 2 {
		t.Fatalf("grade %v, %v", g, ok)
	}
	if a, ok := r.Last(t, message.Adopt).Question.(*message.AskAdopt); !ok || a.Collection != j.Journal.name {
		t.Error("lists and figures don't follow")
	}
	asked := len(r.Sent)
	j.App.Undo()
	if _, ok := j.Grading.Grade("b"); ok {
		t.Error("undo leaves the grade")
	}
	if r.Last(t, message.Adopt); len(r.Sent) == asked {
		t.Error("lists and figures don't follow undo")
	}
	j.Grading.GradeHere(1)
	j.Grading.GradeHere(1)
	if _, ok := j.Grading.Grade("b"); ok {
		t.Error("the same grade again does not take it back")
	}
	j.Grading.GradeHere(Highest + 1)
	if _, ok := j.Grading.Grade("b"); ok {
		t.Error("a grade outside the scale counts")
	}
}

// Discounts: rank 1 has 1, rank 2 has .631, rank 3 has .5. a 1 and none: 1; b 2 and 1: .369; c none and 2: .631.
func TestTheMostDecisiveDocumentComesFirst(t *testing.T) {
	j, r := start(t)
	ranked := func(id string, ranks ...int) experiment.Found {
		return experiment.Found{ID: id, Grade: experiment.NoGrade, Ranks: ranks}
	}
	a, b, c := ranked("a", 1, 0), ranked("b", 2, 1), ranked("c", 0, 2)
	j.App.Search.Step(1)
	lists := []experiment.List{{Hits: []experiment.Found{a, b}}, {Hits: []experiment.Found{b, c}}}
	j.App.Receive(message.Reply{ID: r.Last(t, message.Search).ID, Kind: message.Search,
		Answer: &experiment.Results{Judged: true, Lists: lists}})
	if got := pool(j); got != "abc" {
		t.Fatalf("by turns: %q", got)
	}
	if j.Grading.SetDecisive(true); pool(j) != "acb" || j.App.Settings.Focus.Document != "a" {
		t.Errorf("%q, open is %q", pool(j), j.App.Settings.Focus.Document)
	}
	if j.App.Undo(); pool(j) != "abc" {
		t.Errorf("after undo: %q", pool(j))
	}
}
