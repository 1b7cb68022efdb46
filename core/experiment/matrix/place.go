package matrix

import (
	"errors"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// Misplaced is an error about a member of a Spec, which reads as what is wrong.
type Misplaced struct {
	Member string // "baseline"
	Item   int    // of its list, from 0; -1 where it is about the whole
	Err    error
}

// Error returns what is wrong.
func (e *Misplaced) Error() string { return e.Err.Error() }

// Said is what people are told.
func (e *Misplaced) Said() string { return say.Told(e.Err) }

// Unwrap returns what is wrong.
func (e *Misplaced) Unwrap() error { return e.Err }

// about is an error about a member, the whole of it.
func about(member, format string, args ...any) error {
	return aboutItem(member, -1, format, args...)
}

// aboutItem is an error about an element of a member's list.
func aboutItem(member string, item int, format string, args ...any) error {
	return &Misplaced{member, item, say.Faultf("matrix", format, args...)}
}

// InText says in which line of the text that a Spec was read from an error about one of its members is. Any other
// error, and one about a member that the text does not have, stays as it is.
func InText(data []byte, err error) error {
	e, ok := errors.AsType[*Misplaced](err)
	if !ok {
		return err
	}
	if line := lineOf(data, e.Member, e.Item); line > 0 {
		return say.Faultf("matrix", "line %d: %w", line, e.Err)
	}
	return err
}

// lineOf returns the line in which the value of a member stands, or an element of it, 0 where it is not there.
func lineOf(data []byte, member string, item int) (line int) {
	r := jsontext.New(nil, limits)
	r.Reset(data)
	for r.BeginObject(); r.More(); {
		if string(r.Key()) != member {
			r.Skip()
			continue
		}
		r.Peek() // over the space before the value
		line = r.Line()
		if item < 0 || r.Peek() != '[' {
			return line
		}
		for r.BeginArray(); r.More(); item-- {
			if r.Peek(); item == 0 {
				return r.Line()
			}
			r.Skip()
		}
		return line
	}
	return 0
}
