package marking_test

import (
	"math"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/teach/marking"
)

func handed(t *testing.T) *workspace.Workspace {
	w := workspace.New(workspace.Documents{Collection: "upload-1", Name: "notes", Hash: "0123456789abcdef"})
	do(t, w, "teacher", workspace.Edit{Kind: workspace.SetQuery, Query: "q1", Text: "storm"},
		workspace.Edit{Kind: workspace.SetSpec, Spec: "given", Form: "system", Text: "bm25"},
		workspace.Edit{Kind: workspace.SetGrade, Layer: "example", Query: "q1", Document: "a", Grade: 1})
	return w
}

func do(t *testing.T, w *workspace.Workspace, tab string, edits ...workspace.Edit) {
	t.Helper()
	for _, e := range edits {
		e.Stamp = w.Next(5, tab)
		if _, err := w.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOnlyWhatAStudentAddsIsTheirs(t *testing.T) {
	w := handed(t)
	do(t, w, "ann", workspace.Edit{Kind: workspace.SetLayer, Layer: "mine", Origin: workspace.Person},
		workspace.Edit{Kind: workspace.SetGrade, Layer: "mine", Query: "q1", Document: "b", Grade: 2},
		workspace.Edit{Kind: workspace.SetLayer, Layer: "old", Origin: workspace.Imported},
		workspace.Edit{Kind: workspace.SetGrade, Layer: "old", Query: "q1", Document: "c", Grade: 2},
		workspace.Edit{Kind: workspace.SetSpec, Spec: "m", Form: "matrix", Text: "{}"},
		workspace.Edit{Kind: workspace.SetSpec, Spec: "s", Form: "system", Text: "ql"})
	got, err := marking.Check(handed(t), w)
	if err != nil {
		t.Fatal(err)
	}
	if g, ok := got.Grades.Grade("q1", "b"); got.Grades.Len() != 1 || !ok || g != 2 {
		t.Errorf("%d grades", got.Grades.Len())
	}
	if len(got.Systems) != 1 || got.Systems[0].Text != "ql" {
		t.Errorf("systems %v", got.Systems)
	}
	if n, share, kappa := got.Agreement(collection.NewQrels()); n != 0 || !math.IsNaN(share) || !math.IsNaN(kappa) {
		t.Errorf("agreement with nobody: %d %v %v", n, share, kappa)
	}
	if n := marking.Shared(got, got); n != 4 { // two grades and two specs
		t.Errorf("%d edits are shared with itself", n)
	}
}

func TestWhatWasHandedOutMustComeBack(t *testing.T) {
	for name, c := range map[string]struct {
		edit workspace.Edit
		want string
	}{
		"a query":  {workspace.Edit{Kind: workspace.SetQuery, Query: "q1", Text: "port"}, "query q1"},
		"no query": {workspace.Edit{Kind: workspace.RemoveQuery, Query: "q1"}, "query q1"},
		"a system": {workspace.Edit{Kind: workspace.RemoveSpec, Spec: "given"}, "system given"},
		"a grade": {workspace.Edit{Kind: workspace.SetGrade, Layer: "example", Query: "q1", Document: "a"},
			"the grade of a"},
		"the name": {workspace.Edit{Kind: workspace.SetName, Text: "mine"}, ""},
		"a hidden layer": {workspace.Edit{Kind: workspace.SetLayer, Layer: "example", Origin: workspace.Person,
			State: workspace.Hidden}, ""},
	} {
		w := handed(t)
		do(t, w, "ann", c.edit)
		_, err := marking.Check(handed(t), w)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
