package say

import (
	"errors"
	"io"
	"testing"
)

func TestFaultsAreToldWithoutWhereTheyWereFound(t *testing.T) {
	f := Faultf("compare: open", "run %q: %w", "a", io.EOF)
	if f.Error() != `compare: open: run "a": EOF` || !errors.Is(f, io.EOF) || Sentence(f) != `run "a": EOF.` {
		t.Errorf("%v, %s", f, Sentence(f))
	}
	if s := Sentence(errors.New("compare: what is no Fault stays as it is.")); s != "compare: what is no Fault stays as it is." {
		t.Error(s)
	}
}
