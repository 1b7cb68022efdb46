package index

import "testing"

// Oracle: SmallFloat.intToByte4 of Lucene 10.3.2 as its README describes it: exact to 39, then the largest
// encodable length that is not larger; and the bytes of doclengths.*.tsv.gz in the oracle test.
func TestLengths(t *testing.T) {
	for b := range 256 {
		n := lengthOf[b]
		if EncodeLength(n) != byte(b) {
			t.Errorf("byte %d stands for %d, which gives byte %d", b, n, EncodeLength(n))
		}
		if b > 0 && n <= lengthOf[b-1] {
			t.Errorf("byte %d stands for %d, the one before for %d", b, n, lengthOf[b-1])
		}
		if b < 255 && EncodeLength(lengthOf[b+1]-1) != byte(b) {
			t.Errorf("%d gives byte %d, want %d", lengthOf[b+1]-1, EncodeLength(lengthOf[b+1]-1), b)
		}
		if b <= 39 && n != uint32(b) {
			t.Errorf("byte %d stands for %d", b, n)
		}
	}
	if n := EncodeLength(1<<32 - 1); n != 255 {
		t.Errorf("the longest length gives byte %d", n)
	}
}
