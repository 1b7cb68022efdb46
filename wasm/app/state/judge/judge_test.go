package judge

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/workspace"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

var opened = &message.Opened{Ref: report.Ref{ID: state.DefaultCollection, Name: "Wire", Documents: 9, Queries: 2},
	Models: []string{"minilm"}, Queries: []report.Query{{ID: "q1", Text: "port strike"}, {ID: "q2", Text: "ferry"}}, Encoded: []bool{true, true}}

func hit(id string, grade int, twins ...experiment.Found) experiment.Found {
	return experiment.Found{ID: id, Grade: grade, Twins: twins}
}

// start is a page on which the documents of q1 are found: a b d (with e folded under it) by one system, b c by another.
func start(t *testing.T) (*Judge, *statetest.Recorder) {
	t.Helper()
	r := &statetest.Recorder{}
	var j *Judge
	a := state.New(r, func(string) string { return "/" }, "/judge", state.Part{Name: "home"}, state.Part{Name: "search"}, state.Part{Name: "judge", Make: func(a *state.App) state.Screen {
		j = New(a)
		return j
	}})
	a.Begin("/judge", "")
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
	j.Step(1)
	found(t, j, r)
	return j, r
}

func found(t *testing.T, j *Judge, r *statetest.Recorder) {
	t.Helper()
	no := experiment.NoGrade
	j.App.Receive(message.Reply{ID: r.Last(t, message.Search).ID, Kind: message.Search, Answer: &experiment.Results{Judged: true, Lists: []experiment.List{
		{Hits: []experiment.Found{hit("a", 3), hit("b", no), hit("d", 0, hit("e", no))}}, {Hits: []experiment.Found{hit("b", no), hit("c", 1)}}}}})
}

func pool(j *Judge) string {
	s := ""
	for _, f := range j.Pool() {
		s += f.ID
	}
	return s
}

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
	if asked() != 1 || j.Need() != (message.Need{}) {
		t.Fatalf("asked %d times, %+v before the answer", asked(), j.Need())
	}
	a := &message.Needed{Collection: opened.Ref.Hash, Needs: []message.Need{{Description: "What struck?", Narrative: "3: ports."}, {Description: "Which ferry?"}}}
	j.App.Receive(message.Reply{ID: r.Last(t, message.Needs).ID, Kind: message.Needs, Answer: a})
	if j.Need() != a.Needs[0] {
		t.Errorf("%+v of q1", j.Need())
	}
	j.Step(1)
	found(t, j, r)
	if j.Need() != a.Needs[1] || asked() != 1 {
		t.Errorf("%+v of q2, asked %d times", j.Need(), asked())
	}
	a.Collection = "another"
	if j.Need() != (message.Need{}) {
		t.Errorf("%+v of another collection's queries", j.Need())
	}
}

func TestDocumentsComeByTurnsFromTheListsEachOnce(t *testing.T) {
	j, r := start(t)
	if got := pool(j); got != "abcde" {
		t.Errorf("pool %s", got)
	}
	if j.App.Settings.Focus.Document != "a" || j.At() != 0 ||
		j.App.History.CanUndo() && j.App.Settings.Screen != "judge" {
		t.Errorf("open is %q", j.App.Settings.Focus.Document)
	}
	if ask := r.Last(t, message.Explain).Question.(*message.AskWhy); ask.Focus.Document != "a" {
		t.Errorf("the text of %q is asked for", ask.Focus.Document)
	}
	j.Unjudged(true)
	if got := pool(j); got != "be" || j.App.Settings.Focus.Document != "b" {
		t.Errorf("without a judgment: %s, open %q", got, j.App.Settings.Focus.Document)
	}
}

func TestAGradeIsOneStepAndLeadsToTheNextDocumentWithoutOne(t *testing.T) {
	j, _ := start(t)
	j.Turn(1)
	j.Give(2)
	if j.App.Settings.Focus.Document != "c" {
		t.Errorf("open is %q", j.App.Settings.Focus.Document)
	}
	j.Turn(-2)
	j.Give(3) // a; b has its grade
	if done, all := j.Done(); done != 2 || all != 5 || j.App.Settings.Focus.Document != "c" {
		t.Errorf("%d of %d, open %q", done, all, j.App.Settings.Focus.Document)
	}
	j.App.Undo()
	if _, ok := j.Grade("a"); ok || j.App.Settings.Focus.Document != "a" {
		t.Errorf("not undone; open is %q", j.App.Settings.Focus.Document)
	}
	j.App.Redo()
	if g, ok := j.Grade("a"); !ok || g != 3 {
		t.Error("not done again")
	}
	for range 3 {
		j.Give(0)
	}
	if done, all := j.Done(); done != all {
		t.Errorf("%d of %d", done, all)
	}
	if j.Give(7); j.w.Graded(mine) != 5 {
		t.Error("a grade beyond the highest was taken")
	}
}

func TestGradesAreHeldAgainstTheCollections(t *testing.T) {
	j, _ := start(t)
	if both, _, kappa := j.Agreement(); both != 0 || !math.IsNaN(kappa) {
		t.Errorf("%d, κ %v", both, kappa)
	}
	for _, g := range []int{3, 2, 1, 3} { // a b c d; the collection says 3, nothing, 1, 0
		j.Give(g)
	}
	// agreement 2 of 3; by chance (3: 2·1 + 1: 1·1 + 0: 0·1) / 9 = 1/3
	if both, same, kappa := j.Agreement(); both != 3 || same != 2 || math.Abs(kappa-0.5) > 1e-15 {
		t.Errorf("%d, %d, κ %v", both, same, kappa)
	}
}

func TestGradesAreSavedAsQrels(t *testing.T) {
	j, r := start(t)
	j.Export()
	if len(r.Saved) != 0 {
		t.Error("nothing was saved as a file")
	}
	j.Give(3)
	j.Step(1)
	found(t, j, r)
	j.Give(0)
	j.Give(1)
	if got, err := j.Qrels(); err != nil || string(got) != "q1 0 a 3\nq2 0 a 0\nq2 0 b 1\n" {
		t.Errorf("%q, %v", got, err)
	}
	if n, queries := j.Total(); n != 3 || queries != 2 {
		t.Errorf("%d over %d", n, queries)
	}
	if j.Export(); len(r.Saved) != 1 || r.Saved[0] != "harbour-wire-judged.qrels" {
		t.Errorf("%q", r.Saved)
	}
	// no id forges a line or a column; those with a line feed or without text are refused before that
	e := workspace.Edit{Stamp: j.w.Next(1, "z"), Kind: workspace.SetGrade, Layer: mine, Query: "q2", Document: "d 2", Grade: 1}
	if _, err := j.w.Apply(e); err != nil {
		t.Fatal(err)
	}
	if got, err := j.Qrels(); err == nil || len(got) > 0 {
		t.Errorf("%q", got)
	}
	if j.Export(); len(r.Saved) != 1 || j.App.Notices.Problem == nil || !strings.Contains(j.App.Notices.Problem.What, strconv.Quote("d 2")) {
		t.Errorf("%q, %+v", r.Saved, j.App.Notices.Problem)
	}
	e.Document = "d1\nq9 0 forged 3"
	if _, err := j.w.Apply(e); err == nil {
		t.Error("a line feed in an id was taken")
	}
}

func TestADocumentIsGradedWhereItIsFound(t *testing.T) {
	j, r := start(t)
	j.App.Go("search")
	j.App.Search.Select(0, "b")
	j.GradeHere(2)
	if g, ok := j.Grade("b"); !ok || g != 2 {
		t.Fatalf("grade %d, %v", g, ok)
	}
	if a, ok := r.Last(t, message.Adopt).Question.(*message.AskAdopt); !ok || a.Collection != j.name {
		t.Error("lists and figures don't follow")
	}
	asked := len(r.Sent)
	j.App.Undo()
	if _, ok := j.Grade("b"); ok {
		t.Error("undo leaves the grade")
	}
	if r.Last(t, message.Adopt); len(r.Sent) == asked {
		t.Error("lists and figures don't follow undo")
	}
	j.GradeHere(1)
	j.GradeHere(1)
	if _, ok := j.Grade("b"); ok {
		t.Error("the same grade again does not take it back")
	}
	j.GradeHere(Highest + 1)
	if _, ok := j.Grade("b"); ok {
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
	j.App.Receive(message.Reply{ID: r.Last(t, message.Search).ID, Kind: message.Search, Answer: &experiment.Results{Judged: true, Lists: []experiment.List{{Hits: []experiment.Found{a, b}}, {Hits: []experiment.Found{b, c}}}}})
	if got := pool(j); got != "abc" {
		t.Fatalf("by turns: %q", got)
	}
	if j.SetDecisive(true); pool(j) != "acb" || j.App.Settings.Focus.Document != "a" {
		t.Errorf("%q, open is %q", pool(j), j.App.Settings.Focus.Document)
	}
	if j.App.Undo(); pool(j) != "abc" {
		t.Errorf("after undo: %q", pool(j))
	}
}
