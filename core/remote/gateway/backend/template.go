package backend

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// names are what a template may hold. A string that is "$name" as a whole becomes the value as JSON; "${name}" within a
// string, or in a key, becomes its text. The query and the vector stand within strings as JSON (a quoted string, an
// array), so a text of the page closes no quotation of a query language.
var names = []string{"query", "vector", "k", "candidates", "index", "id", "fields", "fields_by_space",
	"fields_by_comma", "vector_field"}

// Ask makes the body of a search from the template of its mode. It is an error where there is none.
func (k *Kind) Ask(s *Settings, q Search) (Request, error) {
	text := s.Templates[q.Mode]
	if text == nil {
		t, ok := k.Search.Templates[q.Mode]
		if !ok {
			return Request{}, fmt.Errorf("backend: %s has no template for %s", k.Name, q.Mode)
		}
		text = []byte(t)
	}
	body, err := fill(text, s, q)
	if err != nil {
		return Request{}, err
	}
	return Request{k.Search.Path(s), body}, nil
}

// CheckTemplate returns what is wrong with a template.
func CheckTemplate(text []byte) error {
	_, err := fill(text, &Settings{}, Search{K: 1, Vector: VectorOf(nil)})
	return err
}

// fill writes a template with its values set.
func fill(text []byte, s *Settings, q Search) ([]byte, error) {
	value := func(name string) (string, bool) {
		switch name {
		case "query":
			return quote(q.Query), true
		case "vector":
			return string(q.Vector.JSON), true
		case "k":
			return strconv.Itoa(q.K), true
		case "candidates": // of an approximate search, and of the lists that are fused
			return strconv.Itoa(max(100, 2*q.K)), true
		case "index":
			return quote(s.Index), true
		case "id":
			return quote(s.IDField), true
		case "fields":
			return list(s.TextFields), true
		case "fields_by_space":
			return quote(strings.Join(s.TextFields, " ")), true
		case "fields_by_comma":
			return quote(strings.Join(s.TextFields, ",")), true
		case "vector_field":
			return quote(s.VectorField), true
		}
		return "", false
	}
	within := func(name string) (string, bool) {
		switch name {
		case "index":
			return s.Index, true
		case "id":
			return s.IDField, true
		case "vector_field":
			return s.VectorField, true
		}
		return value(name)
	}
	r := reader(text)
	out, err := copyValue(nil, r, value, within)
	if err == nil {
		err = end(r)
	}
	if err != nil {
		return nil, fmt.Errorf("template: %w", err)
	}
	return out, nil
}

// absent marks a value that is left out of its object or array. It cannot occur in JSON.
const absent = "\x00"

// copyValue appends the value at which r stands, strings replaced.
func copyValue(b []byte, r *jsontext.Reader, value, within func(string) (string, bool)) ([]byte, error) {
	var err error
	switch r.Peek() {
	case '{':
		b = append(b, '{')
		n := 0
		for r.BeginObject(); r.More(); n++ {
			key, err := expand(string(r.Key()), within)
			if err != nil {
				return nil, err
			}
			before := len(b)
			if n > 0 {
				b = append(b, ',')
			}
			b = append(jsontext.AppendQuote(b, key), ':')
			if b, err = copyValue(b, r, value, within); err != nil {
				return nil, err
			}
			if b[len(b)-1] == absent[0] {
				b, n = b[:before], n-1
			}
		}
		b = append(b, '}')
	case '[':
		b = append(b, '[')
		n := 0
		for r.BeginArray(); r.More(); n++ {
			before := len(b)
			if n > 0 {
				b = append(b, ',')
			}
			if b, err = copyValue(b, r, value, within); err != nil {
				return nil, err
			}
			if b[len(b)-1] == absent[0] {
				b, n = b[:before], n-1
			}
		}
		b = append(b, ']')
	case '"':
		s := r.String()
		if name, whole := strings.CutPrefix(s, "$"); whole && !strings.HasPrefix(name, "{") {
			v, ok := value(name)
			if !ok {
				return nil, fmt.Errorf("there is no $%s; there are %s", name, strings.Join(names, ", "))
			}
			return append(b, v...), r.Err()
		}
		if s, err = expand(s, within); err != nil {
			return nil, err
		}
		b = jsontext.AppendQuote(b, s)
	case '0':
		b = append(b, r.Number()...)
	case 't', 'f':
		b = strconv.AppendBool(b, r.Bool())
	default:
		r.Null()
		b = append(b, "null"...)
	}
	return b, r.Err()
}

// expand replaces every ${name} of a text.
func expand(s string, within func(string) (string, bool)) (string, error) {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(s, "${")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		name, rest, closed := strings.Cut(after, "}")
		v, ok := within(name)
		if !closed || !ok {
			return "", fmt.Errorf("there is no ${%s}; there are %s", name, strings.Join(names, ", "))
		}
		out.WriteString(v)
		s = rest
	}
}
