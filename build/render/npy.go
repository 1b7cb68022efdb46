package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
)

// npyBody checks the header of a .npy file (version 1.0, C order) against the type and shape that it must have, and returns what
// follows it (numpy.lib.format).
func npyBody(data []byte, descr string, size int, shape ...int) ([]byte, error) {
	if len(data) < 10 || string(data[:8]) != "\x93NUMPY\x01\x00" {
		return nil, errors.New("not a .npy file of version 1.0")
	}
	n := int(binary.LittleEndian.Uint16(data[8:]))
	if len(data) < 10+n {
		return nil, errors.New("the header is cut off")
	}
	header, body := string(data[10:10+n]), data[10+n:]
	want := fmt.Sprint(shape)
	dims := "(" + strings.ReplaceAll(want[1:len(want)-1], " ", ", ")
	if len(shape) == 1 {
		dims += ","
	}
	for _, part := range []string{"'descr': '" + descr + "'", "'fortran_order': False", "'shape': " + dims + ")"} {
		if !strings.Contains(header, part) {
			return nil, fmt.Errorf("the header %q does not say %s", strings.TrimSpace(header), part)
		}
	}
	total := size
	for _, d := range shape {
		total *= d
	}
	if len(body) != total {
		return nil, fmt.Errorf("%d bytes follow the header, want %d", len(body), total)
	}
	return body, nil
}

func readInt8(data []byte, rows, columns int) ([]int8, error) {
	body, err := npyBody(data, "|i1", 1, rows, columns)
	if err != nil {
		return nil, err
	}
	out := make([]int8, len(body))
	for i, b := range body {
		out[i] = int8(b)
	}
	return out, nil
}

func readFloat32(data []byte, n int) ([]float32, error) {
	body, err := npyBody(data, "<f4", 4, n)
	if err != nil {
		return nil, err
	}
	out := make([]float32, n)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
	}
	return out, nil
}
