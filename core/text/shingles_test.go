package text_test

import (
	"testing"

	"github.com/rankbox/rankbox/core/text"
)

// By hand: {a b c} and {b c d} have two of four in common.
func TestJaccard(t *testing.T) {
	if got := text.Jaccard([]string{"a", "b", "c"}, []string{"b", "c", "d"}); got != 0.5 {
		t.Error(got)
	}
	if got := text.Jaccard(nil, []string{"b"}); got != 0 {
		t.Error(got)
	}
	// five words are two runs of four; case and punctuation do not count; three words have none
	if a, b := text.Shingles("One, two three four five"), text.Shingles("zero one TWO three four"); len(a) != 2 ||
		len(b) != 2 || text.Jaccard(a, b) != 1./3 || text.Shingles("one two three") != nil {
		t.Errorf("%v %v %v", a, b, text.Jaccard(a, b))
	}
}
