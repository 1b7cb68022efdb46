package say

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// By hand.
func TestAlikeCountsMessagesThatDifferInNamesAlone(t *testing.T) {
	var flood []string
	for i := range 9000 {
		flood = append(flood, fmt.Sprintf("r%d.run: the run is the same as %q, in %d.5 %% of its rankings", i, "r0", i))
	}
	got := Alike(append([]string{"q.qrels: no judgment"}, flood...))
	want := "q.qrels: no judgment|" +
		"r0.run: the run is the same as \"r0\", in 0.5 % of its rankings (and 8,999 like it)"
	if strings.Join(got, "|") != want {
		t.Errorf("%q, want %s", got, want)
	}
	few := []string{"a: x 1", "b: x 2", "c: x 3", "d: x 4", "e: x 5"}
	if got := Alike(append(few, "f: y")); len(got) != 6 {
		t.Errorf("five of a kind are written out: %q", got)
	}
	if got := Alike([]string{"a: p", "a: q", "a: r", "a: s", "a: t", "a: u"}); len(got) != 6 {
		t.Errorf("six of another kind each: %q", got)
	}
	if got := Alike(nil); len(got) != 0 {
		t.Errorf("%q", got)
	}
}

// By hand: 200 characters are 100, the mark and 99.
func TestCutLeavesBothEndsOfALongName(t *testing.T) {
	long := "a" + strings.Repeat("é", 60000) + "z"
	got := Cut("no run " + long + " here")
	if want := "no run a" + strings.Repeat("é", 99) + "…" + strings.Repeat("é", 98) + "z here"; got != want {
		t.Errorf("%d bytes", len(got))
	}
	if s := "no run " + strings.Repeat("b", 200) + " here"; Cut(s) != s {
		t.Errorf("a name of 200 characters is cut: %s", Cut(s))
	}
	if got := Cut(strings.Repeat("word ", 2000)); len([]rune(got)) != 4000 || !strings.Contains(got, "…") {
		t.Errorf("%d characters", len([]rune(got)))
	}
	if got := Told(errors.New(long)); len([]rune(got)) != 200 {
		t.Errorf("an error has %d characters", len([]rune(got)))
	}
}
