package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// The test and the correction that are asked for are those of the report, and travel with a packed file.
func TestCompareByAnotherTest(t *testing.T) {
	dir, qrels, a, b, _ := files(t)
	for _, x := range [][]string{{"-test", "wilcoxon", "-correction", "by", "-zeros", "pratt", "-continuity"},
		{"-test", "sign", "-correction", "none"}, {"-test", "t", "-family", "baseline"},
		{"-test", "wilcoxon", "-wilcoxon", "exact"}} {
		packed := filepath.Join(dir, "packed.rankbox")
		code, out, errs := call("", append(append([]string{"compare", "-quiet", "-o", "json", "-pack", packed}, x...),
			qrels, a, b)...)
		if code != 0 || !strings.Contains(out, `"test":"`+x[1]+`"`) || !strings.Contains(out, "chosen by hand") {
			t.Errorf("%v: %d %s %s", x, code, errs, out)
		}
		if code, again, errs := call("", "compare", "-quiet", "-o", "json", packed); code != 0 || again != out {
			t.Errorf("%v, packed: %d %s %s", x, code, errs, again)
		}
	}
	if code, _, errs := call("", "compare", "-correction", "z", qrels, a, b); code != 2 ||
		!strings.Contains(errs, "fdr_by") {
		t.Errorf("an unknown correction: %d %s", code, errs)
	}
}
