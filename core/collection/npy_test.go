package collection

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
)

// npyFile is an .npy file as NumPy's format says it (numpy/lib/format.py): the length of the header has two bytes in
// version 1, four in 2 and 3.
func npyFile(version byte, dict string, data []byte) []byte {
	b := append([]byte("\x93NUMPY"), version, 0)
	if version == 1 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(dict)))
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(dict)))
	}
	return append(append(b, dict...), data...)
}

// Every part of a header can be wrong in ways of its own; the messages say which.
func TestNPYHeader(t *testing.T) {
	dict := func(descr, order, shape string) string {
		return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n"
	}
	six := []byte{1, 2, 3, 4, 5, 6}
	for _, c := range []struct {
		name string
		file []byte
		want string // the shape, or the error
	}{
		{"version 1", npyFile(1, dict("|i1", "False", "(2, 3)"), six), "[2 3]"},
		{"version 2", npyFile(2, dict("|i1", "False", "(2, 3)"), six), "[2 3]"},
		{"version 3", npyFile(3, dict("|i1", "False", "(2, 3)"), six), "[2 3]"},
		{"version 4", npyFile(4, dict("|i1", "False", "(2, 3)"), six), "npy: version 4 is not known"},
		{"version 0", npyFile(0, dict("|i1", "False", "(2, 3)"), six), "npy: version 0 is not known"},
		{"cut off in its magic", []byte("\x93NUMP"), "npy: cut off in its header"},
		{"cut off before its length", []byte("\x93NUMPY\x01\x00"), "npy: cut off in its header"},
		{"cut off in its length", []byte("\x93NUMPY\x01\x00\x10"), "npy: cut off in its header"},
		{"cut off in its length of four bytes", []byte("\x93NUMPY\x02\x00\x10\x00\x00"), "npy: cut off in its header"},
		{"cut off in its dictionary", []byte("\x93NUMPY\x01\x00\x10\x00{"), "npy: cut off in its header"},
		{"another magic", []byte("\x93NUMPX\x01\x00\x10\x00{"), "npy: not a NumPy file"},
		{"the longest header", npyFile(2,
			dict("|i1", "False", "(6,)")+strings.Repeat(" ", 1<<16-len(dict("|i1", "False", "(6,)"))), six), "[6]"},
		{"a header that is too long",
			npyFile(2, dict("|i1", "False", "(6,)")+strings.Repeat(" ", 1<<16+1-len(dict("|i1", "False", "(6,)"))),
				six),
			"npy: damaged header: 65537 bytes long"},
		{"a header of 16 MB and its last byte alone", []byte("\x93NUMPY\x02\x00\x00\x00\x00\x01{"),
			"npy: damaged header: 16777216 bytes long"},
		{"double quotes, no spaces, another order", npyFile(1, `{"shape":(2,3),"fortran_order":False,"descr":"|i1"}`,
			six), "[2 3]"},
		{"padded by zeros", npyFile(1, dict("|i1", "False", "(6,)")+"\x00\x00 \n", six), "[6]"},
		{"Python 2's longs", npyFile(1, dict("|i1", "False", "(2L, 3L)"), six), "[2 3]"},
		{"Fortran order of one dimension is C order", npyFile(1, dict("|i1", "True", "(6,)"), six), "[6]"},
		{"Fortran order", npyFile(1, dict("|i1", "True", "(2, 3)"), six),
			"npy: Fortran order: save it in C order (numpy.ascontiguousarray)"},
		{"one byte with a sign of its order", npyFile(1, dict("<i1", "False", "(6,)"), six), "[6]"},
		{"eight dimensions", npyFile(1, dict("|i1", "False", "(1, 1, 1, 2, 3, 1, 1, 1)"), six), "[1 1 1 2 3 1 1 1]"},
		{"nine dimensions", npyFile(1, dict("|i1", "False", "(1, 1, 1, 2, 3, 1, 1, 1, 1)"), six),
			"npy: an array of 9 dimensions"},
		{"no dimension", npyFile(1, dict("|i1", "False", "()"), six), "npy: an array of 0 dimensions"},
		{"no rows", npyFile(1, dict("|i1", "False", "(0, 3)"), nil), "[0 3]"},
		{"no columns", npyFile(1, dict("<f4", "False", "(3, 0)"), nil), "[3 0]"},
		{"another type", npyFile(1, dict("<f8", "False", "(6,)"), six),
			`npy: type "<f8" is not known (float32, int8, uint16 and int32, little endian, are)`},
		{"nothing", npyFile(1, "", six), "npy: damaged header: no dictionary"},
		{"a dictionary that is not closed", npyFile(1, "{'descr': '|i1'", six), "npy: damaged header: no dictionary"},
		{"a dictionary that is not opened", npyFile(1, "'descr': '|i1'}", six), "npy: damaged header: no dictionary"},
		{"an empty dictionary", npyFile(1, "{}", six), "npy: damaged header: descr, fortran_order or shape is missing"},
		{"no type", npyFile(1, "{'fortran_order': False, 'shape': (6,)}", six),
			"npy: damaged header: descr, fortran_order or shape is missing"},
		{"no order", npyFile(1, "{'descr': '|i1', 'shape': (6,)}", six),
			"npy: damaged header: descr, fortran_order or shape is missing"},
		{"no shape", npyFile(1, "{'descr': '|i1', 'fortran_order': False}", six),
			"npy: damaged header: descr, fortran_order or shape is missing"},
		{"a key without quotes", npyFile(1, "{descr: '|i1'}", six), "npy: damaged header: no key"},
		{"a key that is not closed", npyFile(1, "{'descr: }", six), "npy: damaged header: no key"},
		{"a key without a value", npyFile(1, "{'descr'}", six), "npy: damaged header: no key"},
		{"a type of fields", npyFile(1, "{'descr': [('a', '<f4')]}", six),
			"npy: damaged header: its type is not a name"},
		{"a type that is missing", npyFile(1, "{'descr': }", six), "npy: damaged header: its type is not a name"},
		{"an order that is none", npyFile(1, dict("|i1", "None", "(6,)"), six),
			"npy: damaged header: its order is neither True nor False"},
		{"a shape that is a list", npyFile(1, dict("|i1", "False", "[6]"), six),
			"npy: damaged header: its shape is not a tuple"},
		{"a shape that is a list of a tuple", npyFile(1, dict("|i1", "False", "[(6,)]"), six),
			"npy: damaged header: its shape is not a tuple"},
		{"a shape that is not closed", npyFile(1, dict("|i1", "False", "(6,"), six),
			"npy: damaged header: its shape is not a tuple"},
		{"a shape with a name", npyFile(1, dict("|i1", "False", "(x,)"), six),
			`npy: damaged header: its shape holds "x"`},
		{"a shape below 0", npyFile(1, dict("|i1", "False", "(-1,)"), six),
			`npy: damaged header: its shape holds "-1"`},
		{"a shape with a sign", npyFile(1, dict("|i1", "False", "(+6,)"), six),
			`npy: damaged header: its shape holds "+6"`},
		{"an unknown key", npyFile(1, "{'what': 1}", six), `npy: damaged header: unknown key "what"`},
		{"a byte less", npyFile(1, dict("|i1", "False", "(7,)"), six),
			"npy: cut off: 6 bytes of data, its shape needs 7"},
		{"a byte more", npyFile(1, dict("|i1", "False", "(5,)"), six), "npy: damaged: data follows the array"},
		{"half a number", npyFile(1, dict("<u2", "False", "(4,)"), six[:5]),
			"npy: cut off: 5 bytes of data, its shape needs 8"},
		{"cut off behind the first 64 KiB", npyFile(1, dict("<i4", "False", "(20000,)"), make([]byte, 70000)),
			"npy: cut off: 70000 bytes of data, its shape needs 80000"},
		{"as many bytes as can be counted, less one", npyFile(1, dict("|i1", "False", "(4611686018427387903, 2)"), nil),
			"9223372036854775806 bytes are more than the limit of 1073741824 (Bytes)"},
		{"more bytes than can be counted", npyFile(1, dict("|i1", "False", "(4611686018427387904, 2)"), nil),
			"more bytes than can be counted, where the limit is 1073741824 (Bytes)"},
		{"more bytes than can be counted, by its type", npyFile(1, dict("<i4", "False", "(4611686018427387903,)"), nil),
			"more bytes than can be counted, where the limit is 1073741824 (Bytes)"},
	} {
		a, err := ReadNPY(bytes.NewReader(c.file), "x.npy", Options{})
		if err != nil {
			if err.Error() != "collection: read x.npy: "+c.want {
				t.Errorf("%s: %v, want %s", c.name, err, c.want)
			}
			continue
		}
		if fmt.Sprint(a.Shape) != c.want {
			t.Errorf("%s: %v, want %s", c.name, a.Shape, c.want)
		}
		if n := a.Rows() * a.Dim(); n > 0 && (len(a.Int8) != 6 || a.Int8[0] != 1 || a.Int8[5] != 6) {
			t.Errorf("%s: %v", c.name, a.Int8)
		}
	}
	// Bytes is of the file: an array as large as that passes its own check, and is refused with the header before it.
	file := npyFile(1, dict("|i1", "False", "(100,)"), make([]byte, 100))
	for limit, want := range map[int64]string{
		99:                   "100 bytes are more than the limit of 99 (Bytes)",
		100:                  fmt.Sprintf("%d bytes are more than the limit of 100 (Bytes)", len(file)),
		int64(len(file)) - 1: fmt.Sprintf("%d bytes are more than the limit of %d (Bytes)", len(file), len(file)-1),
	} {
		if _, err := ReadNPY(bytes.NewReader(file), "x.npy", Options{Limits: Limits{Bytes: limit}}); err == nil ||
			err.Error() != "collection: read x.npy: "+want {
			t.Errorf("limit %d: %v, want %s", limit, err, want)
		}
	}
	if _, err := ReadNPY(bytes.NewReader(file), "x.npy", Options{Limits: Limits{Bytes: int64(len(file))}}); err != nil {
		t.Error(err)
	}
}

// A number that is not finite is named by its place, counted by hand: rows are the first dimension, columns all others.
func TestNPYNamesWhatIsNotFinite(t *testing.T) {
	for _, c := range []struct {
		shape string
		n, at int
		want  string
	}{
		{"(6,)", 6, 4, "row 4, column 0"}, {"(2, 3)", 6, 5, "row 1, column 2"}, {"(3, 2)", 6, 5, "row 2, column 1"},
		{"(2, 3, 2)", 12, 11, "row 1, column 5"},
		{"(3, 10000)", 30000, 29999, "row 2, column 9999"}, {"(2, 3)", 6, 0, "row 0, column 0"},
	} {
		for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			data := make([]byte, 4*c.n)
			binary.LittleEndian.PutUint32(data[4*c.at:], math.Float32bits(float32(v)))
			_, err := ReadNPY(bytes.NewReader(npyFile(1, "{'descr': '<f4', 'fortran_order': False, 'shape': "+c.shape+
				"}", data)), "x", Options{})
			if want := "collection: read x: npy: " + c.want + " (from 0) is not a finite number"; err == nil ||
				err.Error() != want {
				t.Errorf("%s: %v, want %s", c.shape, err, want)
			}
		}
	}
}

// Numbers of every type over more than one piece of 64 KiB are those that were written, and take no more room than they
// need.
func TestNPYOfManyPieces(t *testing.T) {
	const n = 1<<20 + 70001
	small := &Array{Shape: []int{n}, Int8: make([]int8, n)}
	for i := range small.Int8 {
		small.Int8[i] = int8(i * 7)
	}
	const m = 40001
	f, u, w := &Array{Shape: []int{m}, Float32: make([]float32, m)}, &Array{Shape: []int{m}, Uint16: make([]uint16, m)},
		&Array{Shape: []int{m}, Int32: make([]int32, m)}
	for i := range m {
		f.Float32[i], u.Uint16[i], w.Int32[i] = float32(i)/3, uint16(i*3), int32(i*99991)
	}
	for _, a := range []*Array{small, f, u, w} {
		var out bytes.Buffer
		if err := a.WriteNPY(&out); err != nil {
			t.Fatal(err)
		}
		got, err := ReadNPY(&out, "x", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got.Type() != a.Type() || string(binaryOf(got)) != string(binaryOf(a)) {
			t.Errorf("%s is read otherwise", a.Type())
		}
		if c := max(cap(got.Float32), cap(got.Int8), cap(got.Uint16), cap(got.Int32)); c != a.Shape[0] {
			t.Errorf("%s: room for %d, want %d", a.Type(), c, a.Shape[0])
		}
	}
	for _, c := range []struct{ len, cap, n, count, want int }{
		{0, 0, 5, 5, 5}, {0, 5, 5, 5, 5}, {3, 5, 2, 9, 5}, {3, 5, 3, 9, 9}, {0, 0, 1, 1 << 22, 1 << 20},
		{1 << 20, 1 << 20, 1, 1 << 23, 1 << 21}, {1 << 20, 1 << 20, 1, 1<<20 + 1, 1<<20 + 1},
	} {
		s := room(make([]int8, c.len, c.cap), c.n, c.count)
		if cap(s) != c.want || len(s) != c.len {
			t.Errorf("%+v: %d of %d", c, len(s), cap(s))
		}
	}
}

func binaryOf(a *Array) []byte {
	b := fmt.Appendf(nil, "%v ", a.Shape)
	for _, v := range []any{a.Float32, a.Int8, a.Uint16, a.Int32} {
		b, _ = binary.Append(b, binary.LittleEndian, v)
	}
	return b
}

// NumPy pads a header so that the numbers begin at a multiple of 64 (format.py, ARRAY_ALIGN), and writes a tuple of one
// as (3,).
func TestNPYIsWrittenAligned(t *testing.T) {
	// numpy.save of numpy.zeros(3, 'int8')
	var out bytes.Buffer
	if err := (&Array{Shape: []int{3}, Int8: make([]int8, 3)}).WriteNPY(&out); err != nil {
		t.Fatal(err)
	}
	if want := "\x93NUMPY\x01\x00v\x00{'descr': '|i1', 'fortran_order': False, 'shape': (3,), }" + strings.Repeat(" ",
		60) + "\n\x00\x00\x00"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	for digits := range 18 {
		for dims := 1; dims <= 8; dims++ {
			a := &Array{Shape: make([]int, dims), Float32: []float32{}}
			for i := range a.Shape[1:] {
				a.Shape[i+1] = int(upow10[digits]) // of no rows
			}
			var out bytes.Buffer
			if err := a.WriteNPY(&out); err != nil {
				t.Fatal(err)
			}
			b := out.Bytes()
			dict := strings.TrimRight(string(b[10:]), " \n")
			if len(b)%64 != 0 || len(b)-10-len(dict) > 64 || b[len(b)-1] != '\n' || int(le16(b[8:])) != len(b)-10 {
				t.Errorf("%v: %d bytes: %q", a.Shape, len(b), b)
			}
			if got, err := ReadNPY(&out, "x", Options{}); err != nil || fmt.Sprint(got.Shape) != fmt.Sprint(a.Shape) ||
				got.Float32 == nil {
				t.Errorf("%v: %v", a.Shape, err)
			}
		}
	}
}
