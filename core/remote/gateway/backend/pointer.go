package backend

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// parsePointer reads a JSON pointer (RFC 6901).
func parsePointer(s string) ([]string, error) {
	if s == "" {
		return nil, nil
	}
	if s[0] != '/' {
		return nil, fmt.Errorf("%s is no JSON pointer: it begins with /", quote(s))
	}
	parts := strings.Split(s[1:], "/")
	for i, p := range parts {
		parts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(p)
	}
	return parts, nil
}

// place is where a value is, and what reads it.
type place struct {
	path []string
	read func()
}

// pick reads the values at some places of the value at which r stands, and passes over the others.
func pick(r *jsontext.Reader, places ...place) {
	for _, p := range places {
		if len(p.path) == 0 {
			p.read()
			return
		}
	}
	below := func(key string) (out []place) {
		for _, p := range places {
			if p.path[0] == key {
				out = append(out, place{p.path[1:], p.read})
			}
		}
		return out
	}
	step := func(key string) {
		if b := below(key); len(b) > 0 {
			pick(r, b...)
		} else {
			r.Skip()
		}
	}
	switch r.Peek() {
	case '{':
		for r.BeginObject(); r.More(); {
			step(string(r.Key()))
		}
	case '[':
		n := 0
		for r.BeginArray(); r.More(); n++ {
			step(strconv.Itoa(n))
		}
	default:
		r.Skip()
	}
}

// entries reads the list of an answer, which must be there.
func (d *described) entries(body []byte, each func(r *jsontext.Reader)) error {
	r := reader(body)
	there := false
	pick(r, place{d.list, func() {
		there = true
		if r.Peek() == '{' { // an answer about one text
			each(r)
			return
		}
		for r.BeginArray(); r.More(); {
			each(r)
		}
	}})
	if err := end(r); err != nil {
		return err
	}
	if !there {
		return errShape
	}
	return nil
}

// number reads a number, which may be written as a string.
func number(r *jsontext.Reader) float64 {
	if r.Peek() != '"' {
		return r.Float()
	}
	x, err := strconv.ParseFloat(r.String(), 64)
	if err != nil {
		r.Fail(errShape)
	}
	return x
}
