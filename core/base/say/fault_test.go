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
	if f := Faultf("bundle", "%s: %w", "scifact", f); f.Error() != `bundle: scifact: run "a": EOF` ||
		!errors.Is(f, io.EOF) {
		t.Errorf("a Fault within another: %v", f)
	}
	if f := (&Fault{"experiment", f}); Told(f) != `run "a": EOF` {
		t.Error(Told(f))
	}
	if s := Sentence(errors.New("it could not be fetched: is the network there?")); s != "it could not be fetched: "+
		"is the network there?" {
		t.Errorf("a question: %s", s)
	}
	if s := Sentence(errors.New("compare: what is no Fault stays as it is.")); s != "compare: what is no Fault "+
		"stays as it is." {
		t.Error(s)
	}
}
