package collection

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
)

// Array is a NumPy array: C order, little endian, one of four types of numbers. Exactly one of the slices is set (its
// length may be 0): the one of its type.
type Array struct {
	Shape   []int // [rows], or [rows, columns], …
	Float32 []float32
	Int8    []int8
	Uint16  []uint16
	Int32   []int32
}

// Type returns NumPy's name of the type: "<f4", "|i1", "<u2" or "<i4".
func (a *Array) Type() string {
	switch {
	case a.Float32 != nil:
		return "<f4"
	case a.Int8 != nil:
		return "|i1"
	case a.Uint16 != nil:
		return "<u2"
	}
	return "<i4"
}

// Rows returns the first dimension and Dim the product of the others: an array of shape [n] has n rows of 1.
func (a *Array) Rows() int { return a.Shape[0] }

// Dim returns the length of a row.
func (a *Array) Dim() int {
	n := 1
	for _, d := range a.Shape[1:] {
		n *= d
	}
	return n
}

var npyMagic = []byte("\x93NUMPY")

// ReadNPY reads an .npy file of version 1, 2 or 3. Anything that is not whole and of a known type is refused: Fortran
// order, other types, a file shorter or longer than its shape says, and float32 vectors that hold NaN or infinities.
func ReadNPY(r io.Reader, name string, opt Options) (*Array, error) {
	opt.Limits = opt.Limits.withDefaults()
	src, err := newSource(name, r, opt)
	if err != nil {
		return nil, err
	}
	a, err := readNPY(src, opt.Limits)
	if err != nil {
		return nil, parseError(name, 0, err)
	}
	return a, nil
}

// readNPY reads the header of an array and its numbers. It is long by its checks: each part of the header can be wrong
// in ways of its own.
func readNPY(src io.Reader, lim Limits) (*Array, error) {
	cut := errors.New("npy: cut off in its header")
	full := func(b []byte) error {
		_, err := io.ReadFull(src, b)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return cut
		}
		return err
	}
	var head [12]byte
	if err := full(head[:8]); err != nil {
		return nil, err
	}
	if string(head[:6]) != string(npyMagic) {
		return nil, errors.New("npy: not a NumPy file")
	}
	size := 0
	switch head[6] {
	case 1:
		if err := full(head[8:10]); err != nil {
			return nil, err
		}
		size = int(le16(head[8:]))
	case 2, 3:
		if err := full(head[8:12]); err != nil {
			return nil, err
		}
		size = int(le32(head[8:]))
	default:
		return nil, errors.New("npy: version " + strconv.Itoa(int(head[6])) + " is not known")
	}
	if size > 1<<16 {
		return nil, errors.New("npy: damaged header: " + strconv.Itoa(size) + " bytes long")
	}
	dict := make([]byte, size)
	if err := full(dict); err != nil {
		return nil, err
	}
	descr, fortran, shape, err := npyHeader(string(dict))
	if err != nil {
		return nil, err
	}
	if fortran && len(shape) > 1 {
		return nil, errors.New("npy: Fortran order: save it in C order (numpy.ascontiguousarray)")
	}
	width := int64(0)
	switch descr {
	case "<f4":
		width = 4
	case "|i1", "<i1":
		width = 1
	case "<u2":
		width = 2
	case "<i4":
		width = 4
	default:
		return nil, errors.New("npy: type " + strconv.Quote(descr) +
			" is not known (float32, int8, uint16 and int32, little endian, are)")
	}
	if len(shape) == 0 || len(shape) > 8 {
		return nil, errors.New("npy: an array of " + strconv.Itoa(len(shape)) + " dimensions")
	}
	total := width
	for _, d := range shape {
		if d > 0 && total > math.MaxInt64/int64(d) {
			return nil, &LimitError{"Bytes", "bytes", lim.Bytes, math.MaxInt64}
		}
		total *= int64(d)
	}
	if total > lim.Bytes {
		return nil, &LimitError{"Bytes", "bytes", lim.Bytes, total}
	}
	count := int(total / width)
	a := &Array{Shape: shape}
	switch descr {
	case "<f4":
		a.Float32 = []float32{}
	case "|i1", "<i1":
		a.Int8 = []int8{}
	case "<u2":
		a.Uint16 = []uint16{}
	case "<i4":
		a.Int32 = []int32{}
	}
	// Room is made as data arrives, so that a header alone cannot claim the memory.
	buf := make([]byte, 64<<10)
	for left := total; left > 0; {
		b := buf[:min(left, int64(len(buf)))]
		n, err := io.ReadFull(src, b)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, errors.New("npy: cut off: " + strconv.FormatInt(total-left+int64(n), 10) +
				" bytes of data, its shape needs " + strconv.FormatInt(total, 10))
		}
		if err != nil {
			return nil, err
		}
		left -= int64(n)
		switch {
		case a.Float32 != nil:
			a.Float32 = room(a.Float32, n/4, count)
			for i := 0; i < n; i += 4 {
				f := math.Float32frombits(binary.LittleEndian.Uint32(b[i:]))
				if f-f != 0 {
					dim := max(count/max(shape[0], 1), 1)
					k := len(a.Float32)
					return nil, errors.New("npy: row " + strconv.Itoa(k/dim) + ", column " + strconv.Itoa(k%dim) +
						" (from 0) is not a finite number")
				}
				a.Float32 = append(a.Float32, f)
			}
		case a.Int8 != nil:
			a.Int8 = room(a.Int8, n, count)
			for _, c := range b {
				a.Int8 = append(a.Int8, int8(c))
			}
		case a.Uint16 != nil:
			a.Uint16 = room(a.Uint16, n/2, count)
			for i := 0; i < n; i += 2 {
				a.Uint16 = append(a.Uint16, binary.LittleEndian.Uint16(b[i:]))
			}
		default:
			a.Int32 = room(a.Int32, n/4, count)
			for i := 0; i < n; i += 4 {
				a.Int32 = append(a.Int32, int32(binary.LittleEndian.Uint32(b[i:])))
			}
		}
	}
	if n, err := io.ReadFull(src, buf[:1]); n > 0 {
		return nil, errors.New("npy: damaged: data follows the array")
	} else if err != nil && err != io.EOF {
		return nil, err
	}
	return a, nil
}

// room makes room for n more values: twice what there is, but never more than count.
func room[T any](s []T, n, count int) []T {
	if cap(s)-len(s) >= n {
		return s
	}
	t := make([]T, len(s), min(max(2*len(s), 1<<20), count))
	copy(t, s)
	return t
}

// npyHeader reads the Python dictionary of a header: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
func npyHeader(s string) (descr string, fortran bool, shape []int, err error) {
	bad := func(what string) (string, bool, []int, error) {
		return "", false, nil, errors.New("npy: damaged header: " + what)
	}
	s = strings.TrimRight(s, " \n\x00")
	if !strings.HasPrefix(s, "{") || !strings.HasSuffix(s, "}") {
		return bad("no dictionary")
	}
	s = s[1 : len(s)-1]
	seen := 0
	for {
		s = strings.TrimLeft(s, " ,\n")
		if s == "" {
			break
		}
		key, rest, ok := cutQuoted(s)
		rest = strings.TrimLeft(rest, " ")
		if !ok || !strings.HasPrefix(rest, ":") {
			return bad("no key")
		}
		s = strings.TrimLeft(rest[1:], " ")
		switch key {
		case "descr":
			if descr, s, ok = cutQuoted(s); !ok {
				return bad("its type is not a name")
			}
			seen |= 1
		case "fortran_order":
			switch {
			case strings.HasPrefix(s, "False"):
				s = s[5:]
			case strings.HasPrefix(s, "True"):
				fortran, s = true, s[4:]
			default:
				return bad("its order is neither True nor False")
			}
			seen |= 2
		case "shape":
			end := strings.IndexByte(s, ')')
			if !strings.HasPrefix(s, "(") || end < 0 {
				return bad("its shape is not a tuple")
			}
			shape = []int{}
			for _, f := range strings.Split(s[1:end], ",") {
				if f = strings.TrimSpace(f); f == "" {
					continue
				}
				d, err := strconv.Atoi(strings.TrimSuffix(f, "L"))
				if err != nil || d < 0 || f[0] == '+' {
					return bad("its shape holds " + strconv.Quote(f))
				}
				shape = append(shape, d)
			}
			s = s[end+1:]
			seen |= 4
		default:
			return bad("unknown key " + strconv.Quote(key))
		}
	}
	if seen != 7 {
		return bad("descr, fortran_order or shape is missing")
	}
	return descr, fortran, shape, nil
}

func cutQuoted(s string) (text, rest string, ok bool) {
	if s == "" || s[0] != '\'' && s[0] != '"' {
		return "", s, false
	}
	i := strings.IndexByte(s[1:], s[0])
	if i < 0 {
		return "", s, false
	}
	return s[1 : i+1], s[i+2:], true
}

// WriteNPY writes the array as an .npy file of version 1.0 with its header padded to 64 bytes, as NumPy does.
func (a *Array) WriteNPY(w io.Writer) error {
	dims := ""
	for _, d := range a.Shape {
		dims += strconv.Itoa(d) + ", "
	}
	if len(a.Shape) == 1 {
		dims = strings.TrimSuffix(dims, " ")
	} else {
		dims = strings.TrimSuffix(dims, ", ")
	}
	dict := "{'descr': '" + a.Type() + "', 'fortran_order': False, 'shape': (" + dims + "), }"
	pad := 63 - (10+len(dict))%64
	dict += strings.Repeat(" ", pad) + "\n"
	o := newOutput(w)
	o.string(string(npyMagic))
	o.buf = append(o.buf, 1, 0, byte(len(dict)), byte(len(dict)>>8))
	o.string(dict)
	for _, v := range a.Float32 {
		o.buf = binary.LittleEndian.AppendUint32(o.buf, math.Float32bits(v))
		o.full()
	}
	for _, v := range a.Int8 {
		o.byte(byte(v))
		o.full()
	}
	for _, v := range a.Uint16 {
		o.buf = binary.LittleEndian.AppendUint16(o.buf, v)
		o.full()
	}
	for _, v := range a.Int32 {
		o.buf = binary.LittleEndian.AppendUint32(o.buf, uint32(v))
		o.full()
	}
	return o.flush()
}
