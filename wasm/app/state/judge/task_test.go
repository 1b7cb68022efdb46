package judge

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
)

func TestAShareOfAPoolIsJudgedAndOutlastsAReload(t *testing.T) {
	d := newDisk()
	j, b := d.open(t, "a")
	drop(t, j, b, message.LayerRead{File: "share-01.run", Pool: []message.Pooled{{Query: "q2", Document: "z"},
		{Query: "q2", Document: "a"}}})
	for _, x := range []string{"a", "again"} {
		if x == "again" {
			j, b = d.open(t, "b")
		}
		j.Queries.Step(1)
		found(t, j, &b.Recorder)
		if j.App.Settings.Spec.QueryID != "q2" || pool(j) != "za" || j.App.Settings.Focus.Document != "z" {
			t.Fatalf("query %q, pool %q, open %q", j.App.Settings.Spec.QueryID, pool(j), j.App.Settings.Focus.Document)
		}
	}
	j.Grading.Give(1)
	if done, all := j.Task.Progress(); done != 1 || all != 2 || grades(j) != "q2 0 z 1" {
		t.Errorf("%d of %d, %s", done, all, grades(j))
	}
	j.Task.Leave()
	if _, all := j.Task.Progress(); all != 0 || pool(j) != "abcde" {
		t.Errorf("pool %q", pool(j))
	}
	big := make([]message.Pooled, 900)
	for i := range big {
		big[i] = message.Pooled{Query: "q1", Document: strings.Repeat("x", 80)}
	}
	drop(t, j, b, message.LayerRead{File: "big.run", Pool: big})
	if len(j.Layers.Said) != 1 || !strings.Contains(j.Layers.Said[0], "split the pool further") {
		t.Errorf("%q", j.Layers.Said)
	}
}
