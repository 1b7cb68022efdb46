package export

import (
	"strconv"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/say"
)

// jsonWriter writes JSON with members in the order in which they are given.
type jsonWriter struct {
	b     *builder
	comma bool
}

func (j *jsonWriter) key(k string) {
	if j.comma {
		j.b.WriteByte(',')
	}
	j.comma = false
	if k != "" {
		j.b.WriteString(jsontext.Quote(k) + ":")
	}
}

func (j *jsonWriter) raw(k, v string) {
	j.key(k)
	j.b.WriteString(v)
	j.comma = true
}

func (j *jsonWriter) str(k, v string)       { j.raw(k, jsontext.Quote(v)) }
func (j *jsonWriter) int(k string, v int)   { j.raw(k, strconv.Itoa(v)) }
func (j *jsonWriter) bool(k string, v bool) { j.raw(k, strconv.FormatBool(v)) }

// num writes null for what is not a number.
func (j *jsonWriter) num(k string, v float64) {
	s := say.Exact(v)
	if s == "" {
		s = "null"
	}
	j.raw(k, s)
}

func (j *jsonWriter) open(k string, bracket byte) {
	j.key(k)
	j.b.WriteByte(bracket)
}

func (j *jsonWriter) close(bracket byte) {
	j.b.WriteByte(bracket)
	j.comma = true
}

func (j *jsonWriter) list(k string, n int, f func(i int)) {
	j.open(k, '[')
	for i := range n {
		f(i)
	}
	j.close(']')
}

func (j *jsonWriter) object(k string, f func()) {
	j.open(k, '{')
	f()
	j.close('}')
}

func (j *jsonWriter) strs(k string, v []string) { j.list(k, len(v), func(i int) { j.str("", v[i]) }) }
func (j *jsonWriter) nums(k string, v []float64) {
	j.list(k, len(v), func(i int) { j.num("", v[i]) })
}
