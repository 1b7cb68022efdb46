package collection

import (
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// RepeatedKey is the kind of warning about a member that a JSON object has twice. Each reader decides which one
// counts; for texts it is the last, as in other programs.
const RepeatedKey = "repeated-key"

// members tracks the keys of an object.
type members struct {
	d    *reading
	j    *jsontext.Reader
	seen []string
}

// members begins the next object.
func (d *reading) members(j *jsontext.Reader) *members {
	j.BeginObject()
	return &members{d: d, j: j}
}

// key reads the key of the next member and warns if the object had it before.
func (m *members) key() string {
	key := string(m.j.Key())
	if m.j.Err() != nil {
		return key
	}
	if slices.Contains(m.seen, key) {
		m.d.w.add(RepeatedKey, m.d.name, m.j.Line(), 1, view(key), func() string {
			return strconv.Quote(shorten(view(key))) + " is there again in the same object"
		})
	} else if len(m.seen) < 64 { // no known shape has as many
		m.seen = append(m.seen, key)
	}
	return key
}

// warnRepeat warns about a repeated member of a line's object.
func (o *objects) warnRepeat(seen bool, key string) {
	if seen && o.json.Err() == nil {
		o.warn(RepeatedKey, key, strconv.Quote(key)+" is there again in the same object")
	}
}
