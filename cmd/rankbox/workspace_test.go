package main

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/workspace"
)

func TestAWorkspaceFromThePageIsOpened(t *testing.T) {
	w := workspace.New(workspace.Documents{Collection: "upload-0123456789abcdef", Name: "notes", Count: 30})
	for _, e := range []workspace.Edit{
		{Kind: workspace.SetQuery, Query: "q1-a", Text: "ferry"},
		{Kind: workspace.SetLayer, Layer: "mine", Origin: workspace.Person, Date: "2026-11-24"},
		{Kind: workspace.SetGrade, Layer: "mine", Query: "q1-a", Document: "a.md", Grade: 1},
		{Kind: workspace.SetLayer, Layer: "second", Origin: workspace.Second, Author: "Ada"},
		{Kind: workspace.SetGrade, Layer: "second", Query: "q1-a", Document: "a.md", Grade: 3},
		{Kind: workspace.SetGrade, Layer: "second", Query: "q1-a", Document: "b.md", Grade: 0},
	} {
		e.Stamp = w.Next(1, "a")
		if _, err := w.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	zip, err := w.Export()
	if err != nil {
		t.Fatal(err)
	}
	name := file(t, "notes.workspace.zip", string(zip))
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "layer second: 2 grades, second, Ada"},
		{[]string{"-qrels"}, "q1-a 0 a.md 1\nq1-a 0 b.md 0\n"},
		{[]string{"-qrels", "-rule", "highest"}, "q1-a 0 a.md 3\nq1-a 0 b.md 0\n"},
		{[]string{"-qrels", "-layer", "second"}, "q1-a 0 a.md 3\nq1-a 0 b.md 0\n"},
		{[]string{"-queries"}, `{"_id": "q1-a", "text": "ferry"`},
	} {
		code, out, errs := call("", append([]string{"workspace", name}, c.args...)...)
		if code != 0 || !strings.Contains(out, c.want) {
			t.Errorf("%v: %d %s%s", c.args, code, out, errs)
		}
	}
	if code, _, errs := call("", "workspace", "-qrels", "-layer", "x", name); code != 3 || !strings.Contains(errs, "the workspace has mine, second") {
		t.Errorf("%d %s", code, errs)
	}
	if code, _, errs := call("", "workspace", file(t, "x.zip", string(zip[:200]))); code != 3 || !strings.Contains(errs, "x.zip") {
		t.Errorf("%d %s", code, errs)
	}
}
