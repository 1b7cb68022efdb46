package main

import (
	"slices"
	"strings"
	"testing"
)

// Oracle: the bytes that numpy 2.4.6 writes for np.array([[1, -2, 3], [-128, 127, 0]], np.int8) and np.array([0.5, -2], np.float32).
func npy(header, body string) []byte {
	padded := header + strings.Repeat(" ", 117-len(header)) + "\n"
	return []byte("\x93NUMPY\x01\x00\x76\x00" + padded + body)
}

var (
	int8s    = npy("{'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }", "\x01\xfe\x03\x80\x7f\x00")
	float32s = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "\x00\x00\x00\x3f\x00\x00\x00\xc0")
)

func TestReadNpy(t *testing.T) {
	if got, err := readInt8(int8s, 2, 3); err != nil || !slices.Equal(got, []int8{1, -2, 3, -128, 127, 0}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := readFloat32(float32s, 2); err != nil || !slices.Equal(got, []float32{0.5, -2}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestReadNpyRefuses(t *testing.T) {
	cases := []struct {
		name string
		data []byte
		want string
	}{
		{"an empty file", nil, "not a .npy"},
		{"another version", []byte("\x93NUMPY\x02\x00\x76\x00"), "not a .npy"},
		{"half a header", int8s[:60], "cut off"},
		{"too few rows", int8s[:len(int8s)-1], "5 bytes"},
		{"too many rows", append(slices.Clone(int8s), 0), "7 bytes"},
		{"another type", float32s, "|i1"},
		{"another shape", npy("{'descr': '|i1', 'fortran_order': False, 'shape': (3, 2), }", "123456"), "(2, 3)"},
		{"columns first", npy("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }", "123456"), "fortran"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if _, err := readInt8(c.data, 2, 3); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}
