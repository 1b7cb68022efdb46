package index

import "math/bits"

// Lucene stores the length of a document in one byte (its SmallFloat.intToByte4): exact up to 39, above that
// rounded down to four significant bits counted from 24.

// EncodeLength returns the byte of a length. Lengths of 2^31 and more get the highest.
func EncodeLength(n uint32) byte {
	n = min(n, 1<<31-1)
	if n < 24 {
		return byte(n)
	}
	n -= 24
	width := bits.Len32(n)
	if width < 4 {
		return byte(24 + n)
	}
	shift := width - 4
	return byte(24 + (n>>shift&7 | uint32(shift+1)<<3))
}

// DecodeLength returns the length that a byte encodes.
func DecodeLength(b byte) uint32 { return lengthOf[b] }

var lengthOf = func() (out [256]uint32) {
	for i := range out {
		n := uint32(i)
		if i >= 24 {
			n -= 24
			if shift := int(n>>3) - 1; shift >= 0 {
				n = (n&7 | 8) << shift
			}
			n += 24
		}
		out[i] = n
	}
	return out
}()
