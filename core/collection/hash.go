package collection

import "encoding/binary"

// arena holds many small strings in few allocations.
type arena struct{ buf []byte }

// str returns a string equal to b that does not change with b.
func (a *arena) str(b []byte) string {
	if len(b) > 1<<10 {
		return string(b)
	}
	if cap(a.buf)-len(a.buf) < len(b) {
		n := min(max(2*cap(a.buf), 512), 64<<10)
		a.buf = make([]byte, 0, max(n, len(b)))
	}
	n := len(a.buf)
	a.buf = append(a.buf, b...)
	return text(a.buf[n:])
}

// number returns the value of an id that is a decimal number as one would print it (no sign, no leading zero), below
// 2³².
func number[T string | []byte](id T) (uint32, bool) {
	if len(id) == 0 || len(id) > 10 || id[0] == '0' && len(id) > 1 {
		return 0, false
	}
	var v uint64
	for i := 0; i < len(id); i++ {
		d := id[i] - '0'
		if d > 9 {
			return 0, false
		}
		v = v*10 + uint64(d)
	}
	return uint32(v), v < 1<<32
}

// hashID hashes an id: alike for all places that compare ids. An id that is a number (see number) has the hash of the
// number, which no other number has.
func hashID(id []byte) uint64 {
	if v, ok := number(id); ok {
		return hashNumber(v)
	}
	return hashBytes(id)
}

const hashMul = 0x9e3779b97f4a7c15

func hashNumber(v uint32) uint64 {
	h := (uint64(v) | 1<<32) * hashMul
	return h ^ h>>32
}

func hashBytes(b []byte) uint64 {
	h := uint64(len(b)) * hashMul
	for len(b) >= 8 {
		h = (h ^ binary.LittleEndian.Uint64(b)) * hashMul
		h ^= h >> 32
		b = b[8:]
	}
	var w uint64
	for i, c := range b {
		w |= uint64(c) << (8 * i)
	}
	h = (h ^ w) * hashMul
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}
