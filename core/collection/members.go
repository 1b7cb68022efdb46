package collection

import (
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// RepeatedKey is the kind of warning about a member of a JSON object that appears twice. Which one counts is for the
// reader of the shape to say: of a text the last one, as other programs have it.
const RepeatedKey = "repeated-key"

// members are those of an object that were met so far.
type members struct {
	d    *reading
	j    *jsontext.Reader
	seen []string
}

// members begins the object that comes next.
func (d *reading) members(j *jsontext.Reader) *members {
	j.BeginObject()
	return &members{d: d, j: j}
}

// key takes the key of the next member, and warns where the object has had it.
func (m *members) key() string {
	key := string(m.j.Key())
	if m.j.Err() != nil {
		return key
	}
	if slices.Contains(m.seen, key) {
		m.d.w.add(RepeatedKey, m.d.name, m.j.Line(), 1, view(key), func() string {
			return strconv.Quote(clip(view(key))) + " is there again in the same object"
		})
	} else if len(m.seen) < 64 { // a shape has fewer
		m.seen = append(m.seen, key)
	}
	return key
}

// again warns where a member of a line's object was there before.
func (o *objects) again(seen bool, key string) {
	if seen && o.json.Err() == nil {
		o.warn(RepeatedKey, key, strconv.Quote(key)+" is there again in the same object")
	}
}
