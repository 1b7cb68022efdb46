// Package qr draws QR codes (ISO/IEC 18004): bytes at error correction level M, in the smallest of the 40 sizes
// that fits. It is for URLs: it has no numeric, alphanumeric or kanji mode, and reads no codes.
//
// Order of the pipeline: text → bits of the byte mode → blocks with Reed-Solomon codewords, interleaved → modules
// in zigzag order → the mask with the lowest penalty → format and version bits.
package qr

import (
	"errors"
	"strconv"
	"strings"
)

// Code is a square of modules.
type Code struct {
	Version int // 1 to 40
	Size    int // modules per side, 17 + 4 × Version
	dark    []bool
	fixed   []bool // function modules
}

// ErrLong reports a text that no code can hold.
var ErrLong = errors.New("qr: too long for a code: at most 2,331 bytes")

// Level M by version: error correction codewords per block, and number of blocks (table 9 of the standard).
var (
	correction = [41]int{0, 10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28,
		28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28}
	blocks = [41]int{0, 1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23,
		25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49}
)

// Encode returns the code of a text.
func Encode(text string) (*Code, error) {
	for v := 1; v <= 40; v++ {
		if data := pack(text, v); data != nil {
			return draw(data, v), nil
		}
	}
	return nil, ErrLong
}

// Dark reports whether the module at a column and row is dark; modules outside are light.
func (c *Code) Dark(x, y int) bool {
	return x >= 0 && y >= 0 && x < c.Size && y < c.Size && c.dark[y*c.Size+x]
}

// Path returns the dark modules as an SVG path, one unit per module, within the quiet zone of four units.
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

// modules returns how many modules of a version carry data or correction.
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

// pack returns a text as the data codewords of a version, or nil if it is too long.
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

// multiply returns the product in GF(2^8) over x^8 + x^4 + x^3 + x^2 + 1.
func multiply(a, b byte) byte {
	z := 0
	for i := 7; i >= 0; i-- {
		z = z<<1 ^ (z>>7)*0x11D
		z ^= int(b>>i&1) * int(a)
	}
	return byte(z)
}

// divisor returns the generator polynomial of a degree, without its leading 1.
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

// remainder returns the correction codewords of a block.
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

// interleave splits the data into blocks, adds correction to each, and interleaves them column by column.
func interleave(data []byte, v int) []byte {
	raw, n, ec := modules(v)/8, blocks[v], correction[v]
	short, long := raw/n-ec, n-raw%n // data codewords of a short block, and the number of short blocks
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
