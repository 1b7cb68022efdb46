// Package qr draws QR codes (ISO/IEC 18004): bytes at error correction level M, in the smallest of the 40 sizes that
// holds them. It reads none, and it knows no numeric, alphanumeric or kanji mode: what it is for are addresses.
//
// Order of the pipeline: text → bits of the byte mode → blocks with Reed-Solomon codewords, interleaved → modules in
// the zigzag → the mask of the lowest penalty → format and version bits.
package qr

import (
	"errors"
	"strconv"
	"strings"
)

// Code is a square of modules.
type Code struct {
	Version int // 1 to 40
	Size    int // modules a side, 17 + 4 × Version
	dark    []bool
	fixed   []bool // modules that are no data
}

// ErrLong is returned for what no code holds.
var ErrLong = errors.New("qr: too long for a code: at most 2,331 bytes")

// Of level M: error correction codewords a block, and how many blocks, by version (table 9 of the standard).
var (
	correction = [41]int{0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28,
		28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28}
	blocks = [41]int{0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23,
		25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49}
)

// Encode makes the code of a text.
func Encode(text string) (*Code, error) {
	for v := 1; v <= 40; v++ {
		if data := pack(text, v); data != nil {
			return draw(data, v), nil
		}
	}
	return nil, ErrLong
}

// Dark says whether the module of a column and a row is dark; those outside are light.
func (c *Code) Dark(x, y int) bool {
	return x >= 0 && y >= 0 && x < c.Size && y < c.Size && c.dark[y*c.Size+x]
}

// Path is the dark modules as the path of a drawing, a unit a module, with the quiet zone of four units around them.
func (c *Code) Path() string {
	var b strings.Builder
	for y := range c.Size {
		for x := 0; x < c.Size; x++ {
			from := x
			for c.Dark(x, y) {
				x++
			}
			if n := x - from; n > 0 {
				b.WriteString("M" + strconv.Itoa(from+4) + " " + strconv.Itoa(y+4) + "h" + strconv.Itoa(n) + "v1h-" +
					strconv.Itoa(n) + "z")
			}
		}
	}
	return b.String()
}

// modules is how many modules of a version carry data or correction.
func modules(v int) int {
	n := (16*v+128)*v + 64
	if v >= 2 {
		a := v/7 + 2
		n -= (25*a-10)*a - 55
		if v >= 7 {
			n -= 36
		}
	}
	return n
}

// pack writes a text as the data codewords of a version; nil where it is too long.
func pack(text string, v int) []byte {
	room := modules(v)/8 - correction[v]*blocks[v]
	width := 8
	if v >= 10 {
		width = 16
	}
	if 4+width+8*len(text) > 8*room {
		return nil
	}
	var out []byte
	n := 0
	put := func(value, bits int) {
		for i := bits - 1; i >= 0; i-- {
			if n%8 == 0 {
				out = append(out, 0)
			}
			out[n/8] |= byte(value>>i&1) << (7 - n%8)
			n++
		}
	}
	put(4, 4) // byte mode
	put(len(text), width)
	for i := range len(text) {
		put(int(text[i]), 8)
	}
	put(0, min(4, 8*room-n))
	for n%8 != 0 {
		put(0, 1)
	}
	for pad := 0xEC; len(out) < room; pad ^= 0xEC ^ 0x11 {
		out = append(out, byte(pad))
	}
	return out
}

// multiply is the product in GF(2^8) over x^8 + x^4 + x^3 + x^2 + 1.
func multiply(a, b byte) byte {
	z := 0
	for i := 7; i >= 0; i-- {
		z = z<<1 ^ (z>>7)*0x11D
		z ^= int(b>>i&1) * int(a)
	}
	return byte(z)
}

// divisor is the generator polynomial of a degree, without its leading 1.
func divisor(degree int) []byte {
	out := make([]byte, degree)
	out[degree-1] = 1
	root := byte(1)
	for range degree {
		for j := range out {
			out[j] = multiply(out[j], root)
			if j+1 < degree {
				out[j] ^= out[j+1]
			}
		}
		root = multiply(root, 2)
	}
	return out
}

// remainder is the correction of a block.
func remainder(data, by []byte) []byte {
	out := make([]byte, len(by))
	for _, b := range data {
		f := b ^ out[0]
		copy(out, out[1:])
		out[len(out)-1] = 0
		for i, d := range by {
			out[i] ^= multiply(d, f)
		}
	}
	return out
}

// interleave cuts the data into blocks, corrects each and mixes them: column after column.
func interleave(data []byte, v int) []byte {
	raw, n, ec := modules(v)/8, blocks[v], correction[v]
	short, long := raw/n-ec, n-raw%n // data of a short block, and how many are short
	by := divisor(ec)
	var parts, fixes [][]byte
	for i := range n {
		size := short
		if i >= long {
			size++
		}
		parts, fixes = append(parts, data[:size]), append(fixes, remainder(data[:size], by))
		data = data[size:]
	}
	var out []byte
	for i := range short + 1 {
		for _, p := range parts {
			if i < len(p) {
				out = append(out, p[i])
			}
		}
	}
	for i := range ec {
		for _, f := range fixes {
			out = append(out, f[i])
		}
	}
	return out
}
