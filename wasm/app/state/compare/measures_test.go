package compare

import (
	"slices"
	"testing"
)

func TestMeasuresAreCheckedBeforeTheyAreAskedFor(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	n := len(r.Sent)
	for _, bad := range []string{"", "nCDG@10", "P@-1"} {
		if c.Measures.Write(bad); c.Measures.Fault == "" {
			t.Errorf("%q is no measure", bad)
		}
		c.Measures.Use()
	}
	if len(r.Sent) != n {
		t.Error("a measure that is none was sent")
	}
	c.Measures.Write("MAP, ndcg_cut.5")
	c.Measures.Use()
	if got := r.Setting(t); !slices.Equal(got.Measures, []string{"AP", "nDCG@5"}) {
		t.Errorf("%v", got.Measures)
	}
}
