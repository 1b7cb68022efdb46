package index

import "math/bits"

// The primes of XXH64.
const (
	prime1 = 0x9E3779B185EBCA87
	prime2 = 0xC2B2AE3D27D4EB4F
	prime3 = 0x165667B19E3779F9
	prime4 = 0x85EBCA77C2B2AE63
	prime5 = 0x27D4EB2F165667C5
)

// checksum is XXH64 of b with seed 0 (Yann Collet's xxHash specification, 0.1.1). It detects damage, not
// manipulation.
func checksum(b []byte) uint64 {
	h := uint64(prime5)
	n := uint64(len(b))
	if len(b) >= 32 {
		var zero uint64
		v1, v2, v3, v4 := zero+prime1+prime2, zero+prime2, zero, zero-prime1
		for len(b) >= 32 {
			v1 = xxhRound(v1, load64(b))
			v2 = xxhRound(v2, load64(b[8:]))
			v3 = xxhRound(v3, load64(b[16:]))
			v4 = xxhRound(v4, load64(b[24:]))
			b = b[32:]
		}
		h = bits.RotateLeft64(v1, 1) + bits.RotateLeft64(v2, 7) + bits.RotateLeft64(v3, 12) + bits.RotateLeft64(v4, 18)
		for _, v := range [...]uint64{v1, v2, v3, v4} {
			h = (h^xxhRound(0, v))*prime1 + prime4
		}
	}
	h += n
	for ; len(b) >= 8; b = b[8:] {
		h = bits.RotateLeft64(h^xxhRound(0, load64(b)), 27)*prime1 + prime4
	}
	if len(b) >= 4 {
		lane := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24
		h = bits.RotateLeft64(h^lane*prime1, 23)*prime2 + prime3
		b = b[4:]
	}
	for _, c := range b {
		h = bits.RotateLeft64(h^uint64(c)*prime5, 11) * prime1
	}
	h = (h ^ h>>33) * prime2
	h = (h ^ h>>29) * prime3
	h ^= h >> 32
	return h
}

func xxhRound(acc, lane uint64) uint64 { return bits.RotateLeft64(acc+lane*prime2, 31) * prime1 }
