package significance

import "math/bits"

// Rand is xoshiro256** 1.0 (Blackman and Vigna 2021), its state filled by splitmix64 from a seed: 64 random bits a
// call, period 2**256 - 1. It is the same on every platform and will stay the same, so that a seed in a link means what
// it meant.
type Rand struct{ s0, s1, s2, s3 uint64 }

// NewRand returns the generator of a seed and a stream: one seed gives independent sequences for different streams.
func NewRand(seed, stream uint64) *Rand {
	r := new(Rand)
	x := seed
	next := func() uint64 {
		x += 0x9e3779b97f4a7c15
		z := x
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	for range stream {
		x = next()
	}
	r.s0, r.s1, r.s2, r.s3 = next(), next(), next(), next()
	return r
}

const streamFlips = 0 // the stream of sign patterns

// Uint64 returns 64 random bits.
func (r *Rand) Uint64() uint64 {
	out := bits.RotateLeft64(r.s1*5, 7) * 9
	t := r.s1 << 17
	r.s2 ^= r.s0
	r.s3 ^= r.s1
	r.s1 ^= r.s2
	r.s0 ^= r.s3
	r.s2 ^= t
	r.s3 = bits.RotateLeft64(r.s3, 45)
	return out
}

// Intn returns a number in [0, n), each equally likely, for 0 < n ≤ 2**31 (Lemire 2019: multiply, shift, reject).
func (r *Rand) Intn(n int) int {
	bound := uint32(n)
	reject := -bound % bound
	for {
		if m := (r.Uint64() >> 32) * uint64(bound); uint32(m) >= reject {
			return int(m >> 32)
		}
	}
}
