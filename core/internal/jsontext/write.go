package jsontext

import (
	"math"
	"strconv"
	"strings"
)

// Writer writes JSON without white space, members in the order in which they are given, with what cannot be seen
// escaped (Visible). A value at the top or in a list has no key: "".
type Writer struct {
	To    *strings.Builder
	comma bool
}

// Raw writes a value that is JSON already.
func (w *Writer) Raw(key, value string) {
	w.begin(key)
	w.To.WriteString(value)
	w.comma = true
}

func (w *Writer) begin(key string) {
	if w.comma {
		w.To.WriteByte(',')
	}
	w.comma = false
	if key != "" {
		w.To.WriteString(Visible(key) + ":")
	}
}

func (w *Writer) Str(key, v string)       { w.Raw(key, Visible(v)) }
func (w *Writer) Int(key string, v int)   { w.Raw(key, strconv.Itoa(v)) }
func (w *Writer) Bool(key string, v bool) { w.Raw(key, strconv.FormatBool(v)) }

// Num writes all digits, and null for what is not a number.
func (w *Writer) Num(key string, v float64) {
	text := "null"
	if !math.IsNaN(v) && !math.IsInf(v, 0) {
		text = strconv.FormatFloat(v+0, 'g', -1, 64) // -0 is 0
	}
	w.Raw(key, text)
}

// Object writes an object of the members that inside writes.
func (w *Writer) Object(key string, inside func()) { w.within(key, '{', inside, '}') }

// List writes a list of n values, each of which one call writes.
func (w *Writer) List(key string, n int, value func(i int)) {
	w.within(key, '[', func() {
		for i := range n {
			value(i)
		}
	}, ']')
}

// Array writes a list of as many values as inside writes.
func (w *Writer) Array(key string, inside func()) { w.within(key, '[', inside, ']') }

func (w *Writer) within(key string, open byte, inside func(), end byte) {
	w.begin(key)
	w.To.WriteByte(open)
	inside()
	w.To.WriteByte(end)
	w.comma = true
}

func (w *Writer) Strs(key string, v []string)  { w.List(key, len(v), func(i int) { w.Str("", v[i]) }) }
func (w *Writer) Nums(key string, v []float64) { w.List(key, len(v), func(i int) { w.Num("", v[i]) }) }
