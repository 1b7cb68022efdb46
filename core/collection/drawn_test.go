package collection

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// What a draw of changes to the code showed to be untested.

func TestIDBesideItsKey(t *testing.T) {
	c, err := Read("x.json", strings.NewReader(`{"metadata": {}, "queries": {
"q1": {"query_id": "q1", "text": "a"},
"q2": {"query_id": "other", "text": "b"}},
"documents": {"d1": {"doc_id": "d1", "text": "c"}},
"qrels": {"q1": {"d1": 1}, "q2": {"d1": 0}}}`), Options{Kind: DatasetJSON})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(c.Warnings); strings.Count(got, "stands under the key") != 1 ||
		!strings.Contains(got, `query_id "other" stands under the key "q2"; the key is taken`) {
		t.Error(got)
	}
}

// An empty file is JSON that is missing, whereas a file that cannot be read says why at no line.
func TestJSONThatNeverCame(t *testing.T) {
	gone := errors.New("the disk is gone")
	for _, c := range []struct {
		r    io.Reader
		want string
	}{
		{strings.NewReader(""),
			"collection: read x.json: line 1: column 1: expected a value, found the end of the text"},
		{&failing{gone}, "collection: read x.json: the disk is gone"},
	} {
		d := &reading{name: "x.json", opt: Options{Limits: Limits{}.withDefaults()}, c: &Content{Name: "x.json"}}
		j, err := d.json(c.r)
		if err == nil {
			j.Skip()
			err = d.ended(j)
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestScoresOfGradesAreTheCallersWhereItGivesMemory(t *testing.T) {
	run, _, err := ReadRun(strings.NewReader("q Q0 a 1 2 t\nq Q0 b 2 1 t\n"), "x", Options{})
	if err != nil {
		t.Fatal(err)
	}
	mine := make([]float64, 0, 4)
	if _, scores := run.Grades(0, NewQrels(), DocIDDescending, nil, mine); &scores[0] != &mine[:1][0] ||
		scores[0] != 2 || scores[1] != 1 {
		t.Error("the scores are not in the memory that was given", scores)
	}
	if _, scores := run.Grades(0, NewQrels(), DocIDDescending, nil, nil); &scores[0] != &run.Scores(0)[0] {
		t.Error("the scores of the run were copied")
	}
}
