// Package sha256 computes SHA-256 (FIPS 180-4). It stands in for crypto/sha256, whose FIPS module costs the page 39 kB;
// it is for content hashes and not hardened against side channels.
package sha256

import (
	"encoding/binary"
	"math/bits"
)

// Size is the length of a digest in bytes, BlockSize of the blocks that are worked on.
const (
	Size      = 32
	BlockSize = 64
)

// Hash is a running SHA-256: an io.Writer that never fails. The zero Hash is not usable: call New.
type Hash struct {
	h   [8]uint32
	buf [BlockSize]byte
	n   int    // bytes waiting in buf
	len uint64 // bytes written
}

// New returns the Hash of nothing yet.
func New() *Hash {
	return &Hash{h: [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
		0x5be0cd19}}
}

// Write adds b.
func (s *Hash) Write(b []byte) (int, error) {
	n := len(b)
	s.len += uint64(n)
	if s.n > 0 {
		k := copy(s.buf[s.n:], b)
		s.n += k
		b = b[k:]
		if s.n < BlockSize {
			return n, nil
		}
		blocks(&s.h, s.buf[:])
		s.n = 0
	}
	if whole := len(b) &^ (BlockSize - 1); whole > 0 {
		blocks(&s.h, b[:whole])
		b = b[whole:]
	}
	s.n = copy(s.buf[:], b)
	return n, nil
}

// Sum returns the digest of what was written so far; more may be written after it.
func (s *Hash) Sum() [Size]byte {
	t := *s
	var pad [BlockSize + 8]byte
	pad[0] = 0x80
	n := BlockSize - 8 - t.n
	if n <= 0 {
		n += BlockSize
	}
	binary.BigEndian.PutUint64(pad[n:], t.len<<3)
	t.Write(pad[:n+8])
	var out [Size]byte
	for i, v := range t.h {
		binary.BigEndian.PutUint32(out[4*i:], v)
	}
	return out
}

// Sum256 returns the digest of b.
func Sum256(b []byte) [Size]byte {
	s := New()
	s.Write(b)
	return s.Sum()
}

// Hex returns the digest of b as 64 lower-case hexadecimal digits.
func Hex(b []byte) string { return Format(Sum256(b)) }

// Format returns a digest as 64 lower-case hexadecimal digits.
func Format(sum [Size]byte) string {
	const digits = "0123456789abcdef"
	var out [2 * Size]byte
	for i, c := range sum {
		out[2*i], out[2*i+1] = digits[c>>4], digits[c&15]
	}
	return string(out[:])
}

// blocks works in whole blocks.
func blocks(hash *[8]uint32, p []byte) {
	var w [64]uint32
	h0, h1, h2, h3, h4, h5, h6, h7 := hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7]
	for len(p) >= BlockSize {
		for i := range 16 {
			w[i] = binary.BigEndian.Uint32(p[4*i:])
		}
		for i := 16; i < 64; i++ {
			v1, v2 := w[i-2], w[i-15]
			t1 := bits.RotateLeft32(v1, -17) ^ bits.RotateLeft32(v1, -19) ^ v1>>10
			t2 := bits.RotateLeft32(v2, -7) ^ bits.RotateLeft32(v2, -18) ^ v2>>3
			w[i] = t1 + w[i-7] + t2 + w[i-16]
		}
		a, b, c, d, e, f, g, h := h0, h1, h2, h3, h4, h5, h6, h7
		for i := range 64 {
			t1 := h + (bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)) +
				(e&f ^ ^e&g) + k[i] + w[i]
			t2 := (bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)) + (a&b ^ a&c ^ b&c)
			h, g, f, e, d, c, b, a = g, f, e, d+t1, c, b, a, t1+t2
		}
		h0, h1, h2, h3, h4, h5, h6, h7 = h0+a, h1+b, h2+c, h3+d, h4+e, h5+f, h6+g, h7+h
		p = p[BlockSize:]
	}
	hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7] = h0, h1, h2, h3, h4, h5, h6, h7
}

// k are the first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2).
var k = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}
