// Package wire is the compact binary form that the page and its worker, and the files of a bundle, are written in. One
// function per type walks its fields for reading and for writing, so the two cannot drift apart. It is not a general
// serialiser: it knows unsigned and signed integers, floats, booleans, strings, byte strings and lists, and nothing
// describes itself.
//
// A type T joins by a method func (t *T) Wire(c *wire.Codec) that names its fields in order:
//
//	func (h *Hit) Wire(c *wire.Codec) { c.Fields(&h.ID, &h.Score) }
//
// Form: integers are base-128 varints, least significant group first (signed ones zigzag); floats are the eight bytes
// of IEEE 754, little-endian, every NaN equal; strings and lists are a count and their items. Reading checks every
// count against the bytes that are left before anything is allocated, so damaged input costs at most a few times its
// own size.
package wire

import (
	"errors"
	"math"
	"slices"
	"unsafe"
)

// ErrDamaged is returned for bytes that are not what was written: cut off, altered, or of another type.
var ErrDamaged = errors.New("wire: the bytes are damaged")

// ErrRoom is returned by UnmarshalWithin for what would take more room than there is.
var ErrRoom = errors.New("wire: too large for the room that there is")

// Codec reads or writes, depending on how it was made. After the first error it does nothing more.
type Codec struct {
	buf     []byte
	pos     int
	reading bool
	bounded bool
	room    int // bytes that may still be allocated, where bounded
	err     error
}

// Wirer is a type that can be read and written.
type Wirer interface{ Wire(*Codec) }

// Marshal returns the bytes of v.
func Marshal(v Wirer) []byte {
	c := &Codec{}
	v.Wire(c)
	return c.buf
}

// Unmarshal fills v, which must be its zero value, from the bytes of one Marshal. Bytes left over are an error.
func Unmarshal(b []byte, v Wirer) error {
	c := &Codec{buf: b, reading: true}
	v.Wire(c)
	if c.err == nil && c.pos != len(b) {
		c.err = ErrDamaged
	}
	return c.err
}

// UnmarshalWithin is Unmarshal that allocates no more than room bytes for lists and strings: ErrRoom comes before what
// is too large is allocated. It returns the room that is left.
func UnmarshalWithin(b []byte, v Wirer, room int) (left int, err error) {
	c := &Codec{buf: b, reading: true, bounded: true, room: room}
	v.Wire(c)
	if c.err == nil && c.pos != len(b) {
		c.err = ErrDamaged
	}
	return c.room, c.err
}

// Take asks, while reading, for room for n values of size bytes that are about to be allocated together, and reports
// whether there is: an allocator may give 16 bytes and an eighth more than it was asked for. Types that allocate by
// themselves call it.
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

// Grow makes room for n bytes that are about to be written.
func (c *Codec) Grow(n int) {
	if !c.reading {
		c.buf = slices.Grow(c.buf, n+10)
	}
}

// Reading reports whether the codec fills values in.
func (c *Codec) Reading() bool { return c.reading }

// Fail stops the codec: a value that was read cannot be.
func (c *Codec) Fail() {
	if c.err == nil {
		c.err = ErrDamaged
	}
}

func (c *Codec) left() int { return len(c.buf) - c.pos }

// Uint is an unsigned integer.
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

// Int is a signed integer.
func (c *Codec) Int(v *int) {
	u := uint64(int64(*v)<<1) ^ uint64(int64(*v)>>63)
	c.Uint(&u)
	if c.reading {
		*v = int(int64(u>>1) ^ -int64(u&1))
	}
}

// Uint32 is an unsigned integer of 32 bits.
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

// Bool is a truth value.
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

// Float is a float64; a NaN comes back as math.NaN().
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

// String is a string of any bytes.
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

// Bytes is a byte string; what is read is a copy.
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

// Len writes n, or reads a count of items that take at least size bytes each and that the rest of the input can hold.
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

// List is a list whose items are walked by item; each takes at least one byte. An empty list is read as nil.
func List[T any](c *Codec, v *[]T, item func(*T)) {
	n := c.Len(len(*v), 1)
	if c.reading {
		*v = nil
		var zero T
		if !c.Take(n, int(unsafe.Sizeof(zero))) {
			return
		}
		if c.bounded && n > 0 { // paid for
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

// Structs is a list of types that know how to be walked.
func Structs[T any, P interface {
	*T
	Wirer
}](c *Codec, v *[]T) {
	List(c, v, func(t *T) { P(t).Wire(c) })
}

// Fields walks fields in order, each by its address. It panics on a type that it does not know: those that
// few fields have are walked by their methods, so that the first program has no more of them than it uses.
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

// Strings is a list of strings.
func (c *Codec) Strings(v *[]string) { List(c, v, c.String) }

// Floats is a list of floats.
func (c *Codec) Floats(v *[]float64) { List(c, v, c.Float) }

// Ints is a list of signed integers.
func (c *Codec) Ints(v *[]int) { List(c, v, c.Int) }
