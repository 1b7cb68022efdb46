package bm25

import (
	"strconv"
	"testing"
)

// Words are cached, and the cache is cleared when full.
func TestWords(t *testing.T) {
	var w words
	for round := range 3 {
		for i := range maxWords + 100 {
			s, known := w.get(strconv.Itoa(i))
			if known && s.term != uint32(i) {
				t.Fatalf("round %d: %d is known as %d", round, i, s.term)
			}
			if s.term = uint32(i); !known && i < 100 {
				if again, known := w.get(strconv.Itoa(i)); !known || again.term != uint32(i) {
					t.Fatalf("round %d: %d is forgotten at once", round, i)
				}
			}
		}
		if w.used > maxWords {
			t.Fatalf("%d words are remembered", w.used)
		}
	}
}
