// Package jsontext reads JSON as a stream of tokens: strictly by RFC 8259, without reflection, with the place of every
// error. It is not a mapping onto Go types: the caller walks the text and takes what it knows. A Writer writes JSON in
// the same manner.
//
// A Reader is walked in the order of the text. Errors stick: after the first one every method returns a zero value at
// once, so that a caller checks Err where it is convenient:
//
//	r.Reset(line)
//	for r.BeginObject(); r.More(); {
//		switch string(r.Key()) {
//		case "_id":
//			id = r.String()
//		default:
//			r.Skip()
//		}
//	}
//	r.End()
//	if err := r.Err(); err != nil { … }
//
// What is refused beyond the grammar: text that is not UTF-8, a token longer than Limits.Token, nesting deeper than
// Limits.Depth. A lone surrogate (\ud800 without its other half) is refused, or replaced by U+FFFD and counted where
// Limits.LoneSurrogates is set. Keys that repeat in one object are the caller's to notice.
package jsontext

import (
	"encoding/binary"
	"io"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"unicode/utf8"
	"unsafe"
)

// Kind is what the next token begins: one of '{', '[', '}', ']', '"', '0' (a number), 't', 'f', 'n', ',' and ':' (out
// of place), or 0 at the end of the text, after an error, and for a byte that begins nothing.
type Kind byte

// name returns the words for k in an error.
func (k Kind) name() string {
	switch k {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	case '}', ']', ',', ':':
		return "'" + string(rune(k)) + "'"
	}
	return "something else"
}

// Limits bounds what a Reader takes in; zero fields have the defaults of New.
type Limits struct {
	Depth          int  // containers within one another, default 64
	Token          int  // bytes of one string or number as written, default 16 MiB
	LoneSurrogates bool // replace them by U+FFFD and count them in Replaced instead of refusing them
}

// SyntaxError is the first thing in a text that is not JSON, or not what the caller asked for. Offset is in bytes from
// the start of the text, Line and Column (in bytes) count from 1.
type SyntaxError struct {
	Offset int64
	Line   int
	Column int
	Ended  bool // the text ended where more was to come
	Msg    string
}

// Error returns the column and the message; the line is left to the caller, who may know it better (a line of JSONL).
func (e *SyntaxError) Error() string { return "column " + strconv.Itoa(e.Column) + ": " + e.Msg }

// Reader walks one JSON text. The zero Reader is not usable: call New.
type Reader struct {
	buf       []byte
	pos       int // buf[pos:] is unread
	src       io.Reader
	base      int64 // offset of buf[0]
	line      int   // lines ended before pos
	lineStart int64 // offset of the first byte of the current line
	stack     []byte
	first     bool // the innermost container has no element yet
	scratch   []byte
	err       error
	lim       Limits
	replaced  int
	owned     bool // buf is the Reader's own
}

// New returns a Reader of everything in src (nil: nothing, until Reset or ResetReader gives it a text).
func New(src io.Reader, lim Limits) *Reader {
	if lim.Depth <= 0 {
		lim.Depth = 64
	}
	if lim.Token <= 0 {
		lim.Token = 16 << 20
	}
	r := &Reader{lim: lim}
	r.ResetReader(src)
	return r
}

// Reset begins a new text that is all of b. b must not change while it is read.
func (r *Reader) Reset(b []byte) {
	r.clear()
	r.buf, r.owned = b, false
}

// ResetReader begins a new text: everything in src.
func (r *Reader) ResetReader(src io.Reader) {
	r.clear()
	if !r.owned {
		r.buf, r.owned = nil, true
	}
	r.buf = r.buf[:0]
	r.src = src
}

func (r *Reader) clear() {
	r.src, r.pos, r.base, r.line, r.lineStart = nil, 0, 0, 0, 0
	r.stack, r.first, r.err, r.replaced = r.stack[:0], false, nil, 0
}

// Err returns the first error: a *SyntaxError, or what the source returned (io.ErrUnexpectedEOF is never returned: a
// text that ends too soon is a SyntaxError).
func (r *Reader) Err() error { return r.err }

// Fail makes err the Reader's error unless it has one: for a caller that finds a value wrong and wants out of its
// loops. Invalid places a message of the caller's.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Invalid makes msg the Reader's error, placed where the Reader stands, unless it has one.
func (r *Reader) Invalid(msg string) { r.fail(r.pos, msg) }

// Replaced returns how many lone surrogates were replaced in this text so far.
func (r *Reader) Replaced() int { return r.replaced }

// Line returns the line of the text, from 1, in which the Reader stands.
func (r *Reader) Line() int { return r.line + 1 }

// Offset returns how many bytes of the text have been read.
func (r *Reader) Offset() int64 { return r.base + int64(r.pos) }

// cut fails because the text ended.
func (r *Reader) cut(pos int, msg string) {
	r.fail(pos, msg)
	if e, ok := r.err.(*SyntaxError); ok && e.Msg == msg {
		e.Ended = true
	}
}

func (r *Reader) fail(pos int, msg string) {
	if r.err == nil {
		off := r.base + int64(pos)
		r.err = &SyntaxError{Offset: off, Line: r.line + 1, Column: int(off-r.lineStart) + 1, Msg: msg}
	}
}

// fill reads more of the source, keeping buf[keep:], and returns by how much buf was moved down and whether there was
// more.
func (r *Reader) fill(keep int) (moved int, more bool) {
	if r.src == nil || r.err != nil {
		return 0, false
	}
	if keep > 0 {
		n := copy(r.buf[:cap(r.buf)], r.buf[keep:])
		r.buf = r.buf[:n]
		r.base += int64(keep)
	}
	if len(r.buf) == cap(r.buf) {
		n := 2 * cap(r.buf)
		if n < 64<<10 {
			n = 64 << 10
		}
		b := make([]byte, len(r.buf), n)
		copy(b, r.buf)
		r.buf = b
	}
	for range 100 {
		n, err := r.src.Read(r.buf[len(r.buf):cap(r.buf)])
		r.buf = r.buf[:len(r.buf)+n]
		if err != nil {
			r.src = nil
			if err != io.EOF {
				r.err = err
				return keep, false
			}
		}
		if n > 0 {
			return keep, true
		}
		if r.src == nil {
			return keep, false
		}
	}
	r.err = io.ErrNoProgress
	return keep, false
}

// peek skips white space and returns the next byte, or false at the end.
func (r *Reader) peek() (byte, bool) {
	if r.err != nil {
		return 0, false
	}
	for {
		b, i := r.buf, r.pos
		for i < len(b) {
			c := b[i]
			if c > ' ' {
				r.pos = i
				return c, true
			}
			if c == '\n' {
				r.line++
				r.lineStart = r.base + int64(i) + 1
			} else if c != ' ' && c != '\t' && c != '\r' {
				r.pos = i
				return c, true
			}
			i++
		}
		r.pos = i
		_, more := r.fill(i)
		if r.err != nil || !more {
			r.pos = len(r.buf)
			return 0, false
		}
		r.pos = 0
	}
}

// Peek returns what comes next, without taking it.
func (r *Reader) Peek() Kind {
	c, ok := r.peek()
	if !ok {
		return 0
	}
	switch {
	case c == '{', c == '[', c == '}', c == ']', c == '"', c == 't', c == 'f', c == 'n', c == ',', c == ':':
		return Kind(c)
	case c == '-' || '0' <= c && c <= '9':
		return '0'
	}
	return 0
}

// unexpected fails with what was wanted and what is there.
func (r *Reader) unexpected(want string) {
	if r.err != nil {
		return
	}
	c, ok := r.peek()
	if !ok {
		if r.err == nil {
			r.cut(r.pos, "expected "+want+", found the end of the text")
		}
		return
	}
	found := ""
	if k := r.Peek(); k != 0 {
		found = k.name()
		if k == 't' || k == 'f' || k == 'n' {
			if w := r.word(); w != "true" && w != "false" && w != "null" {
				found = strconv.Quote(w)
			}
		}
	} else if w := r.word(); w != "" {
		found = strconv.Quote(w)
		if w == "NaN" || w == "Infinity" {
			found = w + ", which is not JSON"
		}
	} else if c == '\'' {
		found = "a single quote"
	} else if c < ' ' || c >= 0x7f {
		found = "byte 0x" + strconv.FormatUint(uint64(c), 16)
	} else {
		found = "'" + string(rune(c)) + "'"
	}
	r.fail(r.pos, "expected "+want+", found "+found)
}

// word returns the letters that come next, at most 16, without taking them.
func (r *Reader) word() string {
	for len(r.buf)-r.pos < 17 {
		moved, more := r.fill(r.pos)
		r.pos -= moved
		if !more {
			break
		}
	}
	n := 0
	for r.pos+n < len(r.buf) && n < 16 && 'a' <= r.buf[r.pos+n]|0x20 && r.buf[r.pos+n]|0x20 <= 'z' {
		n++
	}
	return string(r.buf[r.pos : r.pos+n])
}

func (r *Reader) begin(open byte, want string) {
	c, ok := r.peek()
	if !ok || c != open {
		r.unexpected(want)
		return
	}
	if len(r.stack) >= r.lim.Depth {
		r.fail(r.pos, "nested deeper than "+strconv.Itoa(r.lim.Depth)+" levels")
		return
	}
	r.pos++
	r.stack = append(r.stack, open)
	r.first = true
}

// BeginObject enters the object that comes next.
func (r *Reader) BeginObject() { r.begin('{', "an object") }

// BeginArray enters the array that comes next.
func (r *Reader) BeginArray() { r.begin('[', "an array") }

// More reports whether the innermost container has another member or element; where it has not, the container is left.
// False after an error.
func (r *Reader) More() bool {
	c, ok := r.peek()
	if r.err != nil || len(r.stack) == 0 {
		return false
	}
	top := r.stack[len(r.stack)-1]
	if ok && c == top+2 { // '{'+2 == '}', '['+2 == ']'
		r.pos++
		r.stack = r.stack[:len(r.stack)-1]
		r.first = false
		return false
	}
	if r.first {
		r.first = false
	} else {
		if !ok || c != ',' {
			r.unexpected("',' or '" + string(rune(top+2)) + "'")
			return false
		}
		r.pos++
		c, ok = r.peek()
		if ok && c == top+2 {
			r.fail(r.pos, "a comma before '"+string(rune(c))+"'")
			return false
		}
	}
	if top == '{' && (!ok || c != '"') {
		r.unexpected("a key")
		return false
	}
	if !ok {
		r.unexpected("a value")
		return false
	}
	return true
}

// Key takes the key of the next member and its colon. The bytes are valid until the next call.
func (r *Reader) Key() []byte {
	b := r.Bytes()
	if r.err != nil {
		return nil
	}
	// Looking for the colon may read on and move the buffer.
	if r.pos < len(r.buf) && r.buf[r.pos] == ':' {
		r.pos++
		return b
	}
	r.scratch = append(r.scratch[:0], b...)
	c, ok := r.peek()
	if !ok || c != ':' {
		r.unexpected("':'")
		return nil
	}
	r.pos++
	return r.scratch
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plain returns how many bytes at the start of b are printable ASCII other than '"' and '\'.
func plain(b []byte) int {
	i := 0
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		q, s := w^(ones*'"'), w^(ones*'\\')
		// The lowest flagged byte is exact; borrows only reach bytes above it.
		m := ((q - ones) &^ q) | ((s - ones) &^ s) | ((w - ones*0x20) &^ w) | w
		if m &= highs; m != 0 {
			return i + bits.TrailingZeros64(m)>>3
		}
	}
	for ; i < len(b); i++ {
		if c := b[i]; c < 0x20 || c == '"' || c == '\\' || c >= 0x80 {
			break
		}
	}
	return i
}

// Bytes takes the string that comes next, unescaped. The bytes are valid until the next call.
func (r *Reader) Bytes() []byte {
	c, ok := r.peek()
	if !ok || c != '"' {
		r.unexpected("a string")
		return nil
	}
	r.pos++
	start, i := r.pos, r.pos
	ascii := true
	for {
		i += plain(r.buf[i:])
		if i-start > r.lim.Token {
			r.fail(start-1, "a string longer than "+strconv.Itoa(r.lim.Token)+" bytes")
			return nil
		}
		if i == len(r.buf) {
			moved, more := r.fill(start - 1)
			start, i = start-moved, i-moved
			r.pos = start
			if !more {
				r.cut(start-1, "a string without its closing quote")
				return nil
			}
			continue
		}
		switch c := r.buf[i]; {
		case c == '"':
			if !ascii && !utf8.Valid(r.buf[start:i]) {
				r.badUTF8(start, i)
				return nil
			}
			r.pos = i + 1
			return r.buf[start:i]
		case c == '\\':
			return r.escaped(start, i)
		case c < 0x20:
			r.fail(i, "control character 0x"+strconv.FormatUint(uint64(c), 16)+" within a string")
			return nil
		default:
			ascii = false
			for i < len(r.buf) && r.buf[i] >= 0x80 {
				i++
			}
		}
	}
}

func (r *Reader) badUTF8(start, end int) {
	for i := start; i < end; {
		c, n := utf8.DecodeRune(r.buf[i:end])
		if c == utf8.RuneError && n == 1 {
			r.fail(i, "text that is not UTF-8 (byte 0x"+strconv.FormatUint(uint64(r.buf[i]), 16)+")")
			return
		}
		i += n
	}
}

// escaped goes on with a string that began at start and has its first backslash at i.
// It is the grammar of JSON's escapes, with surrogates, in one place.
func (r *Reader) escaped(start, i int) []byte {
	out := append(r.scratch[:0], r.buf[start:i]...)
	begun := r.base + int64(start) // where the string began, for errors
	for {
		r.pos = i
		if i == len(r.buf) {
			moved, more := r.fill(i)
			i -= moved
			r.pos = i
			if !more {
				if r.err == nil {
					r.cut(int(begun-1-r.base), "a string without its closing quote")
				}
				return nil
			}
		}
		if len(out) > r.lim.Token {
			r.fail(int(begun-1-r.base), "a string longer than "+strconv.Itoa(r.lim.Token)+" bytes")
			return nil
		}
		n := plain(r.buf[i:])
		out = append(out, r.buf[i:i+n]...)
		i += n
		if i == len(r.buf) {
			continue
		}
		c := r.buf[i]
		switch {
		case c >= 0x80:
			for i < len(r.buf) && r.buf[i] >= 0x80 {
				out = append(out, r.buf[i])
				i++
			}
			continue
		case c < 0x20:
			r.fail(i, "control character 0x"+strconv.FormatUint(uint64(c), 16)+" within a string")
			return nil
		case c == '"':
			r.scratch = out
			if len(out) > r.lim.Token {
				r.fail(int(begun-1-r.base), "a string longer than "+strconv.Itoa(r.lim.Token)+" bytes")
				return nil
			}
			if !utf8.Valid(out) {
				r.fail(int(begun-1-r.base), "a string that is not UTF-8")
				return nil
			}
			r.pos = i + 1
			return out
		}
		// A backslash: a pair of escapes is at most 12 bytes long.
		for len(r.buf)-i < 12 {
			moved, more := r.fill(i)
			i -= moved
			r.pos = i
			if r.err != nil {
				return nil
			}
			if !more {
				break
			}
		}
		if i+1 >= len(r.buf) {
			r.cut(int(begun-1-r.base), "a string without its closing quote")
			return nil
		}
		switch e := r.buf[i+1]; e {
		case '"', '\\', '/':
			out = append(out, e)
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'u':
			u, ok := hex4(r.buf[i+2:])
			if !ok {
				r.fail(i, "\\u without four hexadecimal digits")
				return nil
			}
			if u&0xf800 == 0xd800 {
				u2, ok := rune(0), false
				if u < 0xdc00 && len(r.buf) >= i+12 && r.buf[i+6] == '\\' && r.buf[i+7] == 'u' {
					u2, ok = hex4(r.buf[i+8:])
				}
				switch {
				case ok && u2&0xfc00 == 0xdc00:
					u = (u-0xd800)<<10 + (u2 - 0xdc00) + 0x10000
					i += 6
				case r.lim.LoneSurrogates:
					u = utf8.RuneError
					r.replaced++
				default:
					r.fail(i, "lone surrogate "+string(r.buf[i:i+6]))
					return nil
				}
			}
			out = utf8.AppendRune(out, u)
			i += 4
		default:
			r.fail(i, "unknown escape: a backslash before "+strconv.QuoteToASCII(string(rune(e))))
			return nil
		}
		i += 2
	}
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var u rune
	for _, c := range b[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		u = u<<4 | rune(c)
	}
	return u, true
}

// String takes the string that comes next.
func (r *Reader) String() string { return string(r.Bytes()) }

// Number takes the number that comes next as it is written. The bytes are valid until the next call.
func (r *Reader) Number() []byte {
	c, ok := r.peek()
	if !ok || c != '-' && (c < '0' || c > '9') {
		r.unexpected("a number")
		return nil
	}
	for {
		// A number is scanned again from its start where it touches the end of what has been read.
		n, ok := scanNumber(r.buf[r.pos:])
		if r.pos+n == len(r.buf) && n <= r.lim.Token {
			moved, more := r.fill(r.pos)
			r.pos -= moved
			if r.err != nil {
				return nil
			}
			if more {
				continue
			}
		}
		if n > r.lim.Token {
			r.fail(r.pos, "a number longer than "+strconv.Itoa(r.lim.Token)+" bytes")
			return nil
		}
		if !ok {
			r.fail(r.pos, strconv.Quote(string(r.buf[r.pos:r.pos+min(n, 24)]))+" is not a JSON number")
			return nil
		}
		r.pos += n
		return r.buf[r.pos-n : r.pos]
	}
}

// scanNumber returns the length of the letters, digits, points and signs that b starts with, and whether they are a
// JSON number.
func scanNumber(b []byte) (int, bool) {
	i, ok := 0, true
	if i < len(b) && b[i] == '-' {
		i++
	}
	if i < len(b) && b[i] == '0' {
		i++
	} else {
		j := i
		for i < len(b) && b[i]-'0' <= 9 {
			i++
		}
		ok = i > j
	}
	if i < len(b) && b[i] == '.' {
		j := i + 1
		for i = j; i < len(b) && b[i]-'0' <= 9; {
			i++
		}
		ok = ok && i > j
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		j := i
		for i < len(b) && b[i]-'0' <= 9 {
			i++
		}
		ok = ok && i > j
	}
	for i < len(b) && (b[i]-'0' <= 9 || b[i] == '.' || b[i] == '+' || b[i] == '-' || b[i]|0x20-'a' <= 'z'-'a') {
		i, ok = i+1, false
	}
	return i, ok
}

// PlainMember takes the key and the number of the next member of an object at once, where both are plainly there: a key
// of ASCII without escapes, a number of digits, point, sign and exponent that is followed by ',' or '}', all within
// what has been read from the source. Where ok is false nothing was taken, and More, Key and Number go on. The bytes
// are valid until the next call.
func (r *Reader) PlainMember() (key, number []byte, ok bool) {
	if r.err != nil || len(r.stack) == 0 || r.stack[len(r.stack)-1] != '{' {
		return nil, nil, false
	}
	b, i := r.buf, r.pos
	line, lineStart := r.line, r.lineStart
	if !r.first {
		if i >= len(b) || b[i] != ',' {
			return nil, nil, false
		}
		i++
	}
	for ; i < len(b); i++ {
		if c := b[i]; c == '\n' {
			line++
			lineStart = r.base + int64(i) + 1
		} else if c != ' ' && c != '\r' && c != '\t' {
			break
		}
	}
	if i >= len(b) || b[i] != '"' {
		return nil, nil, false
	}
	i++
	from := i
	for ; i < len(b); i++ {
		if c := b[i]; c == '"' || c == '\\' || c < 0x20 || c >= 0x80 {
			break
		}
	}
	to := i
	if i+1 >= len(b) || b[i] != '"' || b[i+1] != ':' || to-from > r.lim.Token {
		return nil, nil, false
	}
	for i += 2; i < len(b) && b[i] == ' '; i++ {
	}
	n, ok := scanNumber(b[i:])
	if end := i + n; !ok || end >= len(b) || b[end] != ',' && b[end] != '}' || n > r.lim.Token {
		return nil, nil, false
	}
	r.pos, r.first, r.line, r.lineStart = i+n, false, line, lineStart
	return b[from:to], b[i : i+n], true
}

// Float takes the number that comes next. A number beyond the range of float64 is an error.
func (r *Reader) Float() float64 {
	b := r.Number()
	if b == nil {
		return 0
	}
	f, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(b), len(b)), 64)
	if err != nil {
		r.fail(r.pos-len(b), "number "+string(b)+" is out of range")
		return 0
	}
	return f
}

// digits is how many bytes a number may have that Float32s leaves as it is: a float64 of few, as any program writes it,
// has them.
const digits = 24

// Float32s takes the array of numbers that comes next, each finite as a float32, at most limit of them, and appends it
// to dst as JSON without blanks, and says how many there are. Numbers of at most 24 bytes stay as they are written;
// longer ones, those with a positive exponent, and those that a blank follows get the fewest digits that give their
// float32. If dst is nil, what is returned may be a part of the text that Reset was given.
func (r *Reader) Float32s(dst []byte, limit int) ([]byte, int) {
	if dst == nil && !r.owned {
		if v, n := r.plainArray(limit); n > 0 {
			return v, n
		}
	}
	n, before := 0, byte('[')
	for r.BeginArray(); r.More(); before = ',' {
		k, size := plainNumbers(r.buf[r.pos:])
		dst = append(slices.Grow(dst, size+2), before) // room for the end, too
		if k > 0 {
			dst = append(dst, r.buf[r.pos:r.pos+size]...)
			r.pos += size
		} else {
			f := float32(r.Float())
			if math.IsInf(float64(f), 0) {
				r.Invalid("a number beyond 32 bits")
			}
			dst, k = strconv.AppendFloat(dst, float64(f), 'g', -1, 32), 1
		}
		if n += k; n > limit {
			r.Invalid("more than " + strconv.Itoa(limit) + " numbers")
		}
	}
	if n == 0 {
		dst = append(dst, '[')
	}
	return append(dst, ']'), n
}

// plainArray takes an array that is as Float32s writes it, without a copy; of any other it takes nothing.
func (r *Reader) plainArray(limit int) ([]byte, int) {
	c, ok := r.peek()
	if r.err != nil || !ok || c != '[' {
		return nil, 0
	}
	k, size := plainNumbers(r.buf[r.pos+1:])
	from, to := r.pos, r.pos+1+size
	if k == 0 || k > limit || to >= len(r.buf) || r.buf[to] != ']' {
		return nil, 0
	}
	r.BeginArray()
	r.pos = to
	r.More()
	return r.buf[from : to+1 : to+1], k
}

// plainNumbers returns how many numbers b begins with that have commas alone between them, at most 24 bytes each and no
// positive exponent, so that they are finite; and how long they are together. Behind the last one is ',' or ']'.
func plainNumbers(b []byte) (n, size int) {
	for i := 0; ; n++ {
		from := i
		if i < len(b) && b[i] == '-' {
			i++
		}
		if i < len(b) && b[i] == '0' {
			i++
		} else {
			j := i
			for i < len(b) && b[i]-'0' <= 9 {
				i++
			}
			if i == j {
				return n, size
			}
		}
		if i < len(b) && b[i] == '.' {
			i++
			j := i
			for i < len(b) && b[i]-'0' <= 9 {
				i++
			}
			if i == j {
				return n, size
			}
		}
		if i+1 < len(b) && b[i]|0x20 == 'e' && b[i+1] == '-' {
			i += 2
			j := i
			for i < len(b) && b[i]-'0' <= 9 {
				i++
			}
			if i == j {
				return n, size
			}
		}
		if i == len(b) || i-from > digits || b[i] != ',' && b[i] != ']' {
			return n, size
		}
		size = i
		if b[i] == ']' {
			return n + 1, size
		}
		i++
	}
}

// Int takes the number that comes next, which must be written as an integer within int64.
func (r *Reader) Int() int64 {
	b := r.Number()
	if b == nil {
		return 0
	}
	n, err := strconv.ParseInt(unsafe.String(unsafe.SliceData(b), len(b)), 10, 64)
	if err != nil {
		r.fail(r.pos-len(b), "number "+string(b)+" is not a 64-bit integer")
		return 0
	}
	return n
}

// Bool takes the boolean that comes next.
func (r *Reader) Bool() bool {
	switch r.Peek() {
	case 't':
		return r.literal("true")
	case 'f':
		r.literal("false")
		return false
	}
	r.unexpected("a boolean")
	return false
}

// Null takes the null that comes next.
func (r *Reader) Null() {
	if r.Peek() != 'n' {
		r.unexpected("null")
		return
	}
	r.literal("null")
}

func (r *Reader) literal(s string) bool {
	if w := r.word(); w != s {
		r.fail(r.pos, "expected "+s+", found "+strconv.Quote(w))
		return false
	}
	r.pos += len(s)
	return true
}

// Skip takes the value that comes next, whatever it is, checking it.
func (r *Reader) Skip() {
	depth := len(r.stack)
	for {
		switch r.Peek() {
		case '{':
			r.BeginObject()
		case '[':
			r.BeginArray()
		case '"':
			r.Bytes()
		case '0':
			r.Number()
		case 't', 'f':
			r.Bool()
		case 'n':
			r.Null()
		default:
			r.unexpected("a value")
		}
		for len(r.stack) > depth {
			if r.More() {
				if r.stack[len(r.stack)-1] == '{' {
					r.Key()
				}
				break
			}
			if r.err != nil {
				return
			}
		}
		if r.err != nil || len(r.stack) == depth {
			return
		}
	}
}

// End requires that nothing but white space is left.
func (r *Reader) End() {
	if _, ok := r.peek(); ok {
		r.unexpected("the end of the text")
	}
}
