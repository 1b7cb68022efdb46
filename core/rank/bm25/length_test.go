package bm25

import (
	"strconv"
	"testing"
)

// Oracle: SmallFloat.intToByte4 of Lucene 10.3.2 as its README describes it: exact to 39, then the largest length of a byte that is
// not above; and the bytes of doclengths.*.tsv.gz in the oracle test.
func TestLengths(t *testing.T) {
	for b := range 256 {
		n := lengthOf[b]
		if encodeLength(n) != byte(b) {
			t.Errorf("byte %d stands for %d, which gives byte %d", b, n, encodeLength(n))
		}
		if b > 0 && n <= lengthOf[b-1] {
			t.Errorf("byte %d stands for %d, the one before for %d", b, n, lengthOf[b-1])
		}
		if b < 255 && encodeLength(lengthOf[b+1]-1) != byte(b) {
			t.Errorf("%d gives byte %d, want %d", lengthOf[b+1]-1, encodeLength(lengthOf[b+1]-1), b)
		}
		if b <= 39 && n != uint32(b) {
			t.Errorf("byte %d stands for %d", b, n)
		}
	}
	if n := encodeLength(1<<32 - 1); n != 255 {
		t.Errorf("the longest length gives byte %d", n)
	}
}

// EncodeLength and LengthOf are for the oracle test.
var (
	EncodeLength = encodeLength
	LengthOf     = &lengthOf
)

// Words are remembered, and after the most of them forgotten.
func TestWords(t *testing.T) {
	var w words
	for round := range 3 {
		for i := range most + 100 {
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
		if w.n > most {
			t.Fatalf("%d words are remembered", w.n)
		}
	}
}
