// Package wire is the compact binary format between the page and its worker, and of bundle files. One method per
// type both reads and writes its fields, so that the two cannot diverge. It knows unsigned and signed integers,
// floats, booleans, strings, byte strings and lists. The format does not describe itself.
package wire

import (
	"errors"
	"math"
	"slices"
	"unsafe"
)

// ErrDamaged reports bytes that were truncated, altered, or written by another type.
var ErrDamaged = errors.New("wire: the bytes are damaged")

// ErrRoom is UnmarshalWithin's error if the result would exceed its memory limit.
var ErrRoom = errors.New("wire: too large for the room that there is")

// Codec either reads or writes. After the first error it does nothing.
//
// Integers are base-128 varints, least significant group first (signed ones zigzag). Floats are eight bytes of IEEE
// 754, little-endian, with one NaN. Strings and lists are a count and their items. Reading checks every count
// against the remaining bytes before it allocates, so damaged input costs at most a few times its own size.
type Codec struct {
	buf     []byte
	pos     int
	reading bool
	bounded bool
	room    int // bytes that may still be allocated, if bounded
	err     error
}

// Wirer is a type that can be read and written. Its method codes its fields in order:
//
//	func (h *Hit) Wire(c *wire.Codec) { c.Fields(&h.ID, &h.Score) }
type Wirer interface{ Wire(*Codec) }

// Marshal returns the bytes of v.
func Marshal(v Wirer) []byte {
	c := &Codec{}
	v.Wire(c)
	return c.buf
}

// Unmarshal decodes the output of one Marshal into v, which must be zero. Remaining bytes are an error.
func Unmarshal(b []byte, v Wirer) error {
	c := &Codec{buf: b, reading: true}
	v.Wire(c)
	if c.err == nil && c.pos != len(b) {
		c.err = ErrDamaged
	}
	return c.err
}

// UnmarshalWithin is Unmarshal with at most room bytes for lists and strings: it returns ErrRoom before it
// allocates more. left is the remaining room.
func UnmarshalWithin(b []byte, v Wirer, room int) (left int, err error) {
	c := &Codec{buf: b, reading: true, bounded: true, room: room}
	v.Wire(c)
	if c.err == nil && c.pos != len(b) {
		c.err = ErrDamaged
	}
	return c.room, c.err
}

// Take reserves room for n values of size bytes while reading, and reports whether they fit. It adds 16 bytes and
// an eighth for the allocator's rounding. Types that allocate themselves call it.
func (c *Codec) Take(n, size int) bool {
	if !c.bounded || c.err != nil {
		return c.err == nil
	}
	if n == 0 {
		return true
	}
	if n < 0 || size > 0 && n > c.room/size {
		c.err = ErrRoom
		return false
	}
	if c.room -= n*size + n*size/8 + 16; c.room < 0 {
		c.err = ErrRoom
		return false
	}
	return true
}

// Grow allocates space for the next n bytes of output.
func (c *Codec) Grow(n int) {
	if !c.reading {
		c.buf = slices.Grow(c.buf, n+10)
	}
}

// Reading reports whether the codec reads.
func (c *Codec) Reading() bool { return c.reading }

// Fail stops the codec because a value is invalid.
func (c *Codec) Fail() {
	if c.err == nil {
		c.err = ErrDamaged
	}
}

func (c *Codec) left() int { return len(c.buf) - c.pos }

// Uint codes an unsigned integer.
func (c *Codec) Uint(v *uint64) {
	if !c.reading {
		x := *v
		for x >= 0x80 {
			c.buf = append(c.buf, byte(x)|0x80)
			x >>= 7
		}
		c.buf = append(c.buf, byte(x))
		return
	}
	*v = 0
	if c.err != nil {
		return
	}
	for shift := uint(0); shift < 64; shift += 7 {
		if c.left() == 0 {
			break
		}
		b := c.buf[c.pos]
		c.pos++
		if shift == 63 && b > 1 {
			break
		}
		*v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return
		}
	}
	*v = 0
	c.Fail()
}

// Int codes a signed integer.
func (c *Codec) Int(v *int) {
	u := uint64(int64(*v)<<1) ^ uint64(int64(*v)>>63)
	c.Uint(&u)
	if c.reading {
		*v = int(int64(u>>1) ^ -int64(u&1))
	}
}

// decimal announces a grade with decimals, whose Float follows. As a signed integer it is 1<<31, and no grade is that
// large.
const decimal = 1 << 32

// Grade codes a grade. Whole ones take the bytes of Int.
func (c *Codec) Grade(v *float64) {
	u := uint64(decimal)
	if g := int64(*v); float64(g) == *v && g < 1<<31 {
		u = uint64(g<<1) ^ uint64(g>>63)
	}
	c.Uint(&u)
	if u == decimal {
		if c.Float(v); c.reading && (*v == math.Trunc(*v) || *v != *v) { // it has another form
			c.Fail()
		}
	} else if c.reading {
		*v = float64(int64(u>>1) ^ -int64(u&1))
	}
}

// Uint32 codes a 32-bit unsigned integer.
func (c *Codec) Uint32(v *uint32) {
	u := uint64(*v)
	c.Uint(&u)
	if c.reading {
		if u > math.MaxUint32 {
			c.Fail()
			u = 0
		}
		*v = uint32(u)
	}
}

// Bool codes a boolean.
func (c *Codec) Bool(v *bool) {
	var u uint64
	if *v {
		u = 1
	}
	c.Uint(&u)
	if c.reading {
		if u > 1 {
			c.Fail()
		}
		*v = u == 1
	}
}

// Float codes a float64; any NaN reads back as math.NaN().
func (c *Codec) Float(v *float64) {
	if !c.reading {
		x := *v
		if x != x {
			x = math.NaN()
		}
		b := math.Float64bits(x)
		for i := 0; i < 64; i += 8 {
			c.buf = append(c.buf, byte(b>>i))
		}
		return
	}
	*v = 0
	if c.err != nil {
		return
	}
	if c.left() < 8 {
		c.Fail()
		return
	}
	var b uint64
	for i := range 8 {
		b |= uint64(c.buf[c.pos+i]) << (8 * i)
	}
	c.pos += 8
	*v = math.Float64frombits(b)
	if *v != *v {
		*v = math.NaN()
	}
}

// String codes a string of arbitrary bytes.
func (c *Codec) String(v *string) {
	n := c.Len(len(*v), 1)
	if !c.reading {
		c.buf = append(c.buf, *v...)
		return
	}
	if !c.Take(n, 1) {
		return
	}
	*v = string(c.buf[c.pos : c.pos+n])
	c.pos += n
}

// Bytes codes a byte string; reading copies it.
func (c *Codec) Bytes(v *[]byte) {
	n := c.Len(len(*v), 1)
	if !c.reading {
		c.buf = append(c.buf, *v...)
		return
	}
	if !c.Take(n, 1) {
		return
	}
	*v = append([]byte(nil), c.buf[c.pos:c.pos+n]...)
	c.pos += n
}

// Len writes n, or reads a count of items of at least size bytes each that the remaining input can hold.
func (c *Codec) Len(n, size int) int {
	u := uint64(n)
	c.Uint(&u)
	if c.reading {
		if c.err != nil || u > uint64(c.left()/max(size, 1)) {
			c.Fail()
			return 0
		}
		return int(u)
	}
	return n
}

// List codes a list; item codes each of its items, which take at least one byte. An empty list reads as nil.
func List[T any](c *Codec, v *[]T, item func(*T)) {
	n := c.Len(len(*v), 1)
	if c.reading {
		*v = nil
		var zero T
		if !c.Take(n, int(unsafe.Sizeof(zero))) {
			return
		}
		if c.bounded && n > 0 { // charged above
			*v = make([]T, 0, n)
		}
		for i := 0; i < n && c.err == nil; i++ {
			var t T
			item(&t)
			*v = append(*v, t)
		}
		return
	}
	for i := range *v {
		item(&(*v)[i])
	}
}

// Structs codes a list of Wirers.
func Structs[T any, P interface {
	*T
	Wirer
}](c *Codec, v *[]T) {
	List(c, v, func(t *T) { P(t).Wire(c) })
}

// Fields codes fields in order, given by address. It panics on an unknown type. Rare field types have methods
// instead, so that the first program links only those that it uses.
func (c *Codec) Fields(fields ...any) {
	for _, field := range fields {
		switch v := field.(type) {
		case *string:
			c.String(v)
		case *int:
			c.Int(v)
		case *float64:
			c.Float(v)
		case *bool:
			c.Bool(v)
		case *[]byte:
			c.Bytes(v)
		case *[]string:
			c.Strings(v)
		case *[]float64:
			c.Floats(v)
		case *[]int:
			c.Ints(v)
		default:
			panic("wire: a field of another type")
		}
	}
}

// Strings codes a list of strings.
func (c *Codec) Strings(v *[]string) { List(c, v, c.String) }

// Floats codes a list of floats.
func (c *Codec) Floats(v *[]float64) { List(c, v, c.Float) }

// Ints codes a list of signed integers.
func (c *Codec) Ints(v *[]int) { List(c, v, c.Int) }
