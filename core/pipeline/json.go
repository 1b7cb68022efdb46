package pipeline

import (
	"strconv"
	"unicode/utf8"
)

// maxJSON is the longest JSON that is read, in bytes: generous for any pipeline within the other limits.
const maxJSON = 8 * MaxLength

// MarshalJSON returns the canonical pipeline as the same tree in JSON. Every node is an object with "stage", and where there is
// something to say "params" (values other than the default), "args" (of a combiner) and "input" (what stands before >>):
//
//	{"stage":"cut","params":{"n":20},"input":{"stage":"rrf","args":[{"stage":"bm25"},{"stage":"dense"}]}}
func (n *Node) MarshalJSON() ([]byte, error) { return n.appendJSON(nil), nil }

func (n *Node) appendJSON(b []byte) []byte {
	// Names and words consist of characters that need no escape.
	b = append(append(append(b, `{"stage":"`...), n.Stage.Name...), '"')
	open := `,"params":{"`
	for i, v := range n.values {
		if v == "" {
			continue
		}
		p := &n.Stage.Params[i]
		b = append(append(append(b, open...), p.Name...), `":`...)
		if p.Kind == Word {
			b = append(append(append(b, '"'), v...), '"')
		} else {
			b = append(b, v...)
		}
		open = `,"`
	}
	if open == `,"` {
		b = append(b, '}')
	}
	for i, a := range n.Args {
		if i == 0 {
			b = append(b, `,"args":[`...)
		} else {
			b = append(b, ',')
		}
		b = a.appendJSON(b)
	}
	if len(n.Args) > 0 {
		b = append(b, ']')
	}
	if n.Input != nil {
		b = n.Input.appendJSON(append(b, `,"input":`...))
	}
	return append(b, '}')
}

// UnmarshalJSON sets n to the pipeline in the form that MarshalJSON writes, members in any order. It checks what Parse checks
// and refuses unknown and repeated members; its errors are *Error with the byte offset into data.
func (n *Node) UnmarshalJSON(data []byte) error {
	if len(data) > maxJSON {
		return fail(maxJSON, "too long: "+strconv.Itoa(len(data))+" bytes, the limit is "+strconv.Itoa(maxJSON))
	}
	r := reader{data: data}
	t, err := r.node(0)
	if err == nil {
		if r.space(); r.pos < len(data) {
			err = fail(r.pos, "expected the end")
		}
	}
	if err != nil {
		return err
	}
	m, failed := check(t)
	if failed != nil {
		return failed
	}
	*n = *m
	return nil
}

// reader reads the little JSON that a pipeline needs: objects, arrays, strings, numbers, true and false.
type reader struct {
	data []byte
	pos  int
}

func (r *reader) space() {
	for r.pos < len(r.data) {
		switch r.data[r.pos] {
		case ' ', '\t', '\n', '\r':
			r.pos++
		default:
			return
		}
	}
}

// next skips space and reports whether the byte c follows, which it then consumes.
func (r *reader) next(c byte) bool {
	r.space()
	if r.pos < len(r.data) && r.data[r.pos] == c {
		r.pos++
		return true
	}
	return false
}

func (r *reader) expect(c byte) *Error {
	if !r.next(c) {
		return fail(r.pos, "expected "+string(rune(c)))
	}
	return nil
}

// object calls member with each name, its place, and the reader at the value.
func (r *reader) object(member func(name string, pos int) *Error) *Error {
	if err := r.expect('{'); err != nil {
		return err
	}
	if r.next('}') {
		return nil
	}
	for {
		r.space()
		pos := r.pos
		name, err := r.text()
		if err == nil {
			err = r.expect(':')
		}
		if err == nil {
			err = member(name, pos)
		}
		if err != nil {
			return err
		}
		if r.next('}') {
			return nil
		}
		if !r.next(',') {
			return fail(r.pos, "expected , or }")
		}
	}
}

// node reads the object of one stage. Inputs count as deep as arguments here, so that recursion is bounded; check has the finer
// limits.
func (r *reader) node(depth int) (*tree, *Error) {
	if depth > MaxDepth+MaxStages {
		return nil, fail(r.pos, "nested too deep")
	}
	r.space()
	t := &tree{pos: r.pos}
	stage, params, args := false, false, false
	err := r.object(func(name string, pos int) (err *Error) {
		twice := fail(pos, quote(name)+" is written twice")
		switch name {
		case "stage":
			if stage {
				return twice
			}
			stage = true
			t.name, err = r.text()
		case "params":
			if params {
				return twice
			}
			params = true
			err = r.object(func(name string, pos int) *Error {
				w, err := r.value()
				t.args = append(t.args, argument{keyPos: pos, key: name, value: w})
				return err
			})
		case "args":
			if args {
				return twice
			}
			args = true
			if err = r.expect('['); err != nil || r.next(']') {
				return err
			}
			for {
				sub, err := r.node(depth + 1)
				if err != nil {
					return err
				}
				t.args = append(t.args, argument{keyPos: sub.pos, sub: sub})
				if r.next(']') {
					return nil
				}
				if !r.next(',') {
					return fail(r.pos, "expected , or ]")
				}
			}
		case "input":
			if t.input != nil {
				return twice
			}
			t.input, err = r.node(depth + 1)
		default:
			return &Error{Pos: pos, Message: "unknown member " + quote(name),
				Suggestion: nearest(name, []string{"stage", "params", "args", "input"}), Unknown: true}
		}
		return err
	})
	if err == nil && !stage {
		err = fail(t.pos, `expected a member "stage"`)
	}
	return t, err
}

// value reads a string, a number, true or false.
func (r *reader) value() (written, *Error) {
	r.space()
	w := written{pos: r.pos}
	if r.pos < len(r.data) && r.data[r.pos] == '"' {
		text, err := r.text()
		w.text, w.json = text, 's'
		return w, err
	}
	for r.pos < len(r.data) && isAtom(r.data[r.pos]) {
		r.pos++
	}
	w.text, w.json = string(r.data[w.pos:r.pos]), 'n'
	if w.text == "true" || w.text == "false" {
		w.json = 'b'
	}
	if w.text == "" {
		return w, fail(w.pos, "expected a string, a number, true or false")
	}
	return w, nil
}

// text reads a string.
func (r *reader) text() (string, *Error) {
	if err := r.expect('"'); err != nil {
		return "", err
	}
	var b []byte
	for r.pos < len(r.data) {
		c := r.data[r.pos]
		r.pos++
		switch {
		case c == '"':
			return string(b), nil
		case c < 0x20:
			return "", fail(r.pos-1, "control character in a string")
		case c != '\\':
			b = append(b, c)
			continue
		}
		if r.pos >= len(r.data) {
			break
		}
		c = r.data[r.pos]
		r.pos++
		switch c {
		case '"', '\\', '/':
			b = append(b, c)
		case 'u':
			if r.pos+4 > len(r.data) {
				return "", fail(r.pos, "expected four hexadecimal digits")
			}
			u, err := strconv.ParseUint(string(r.data[r.pos:r.pos+4]), 16, 16)
			if err != nil {
				return "", fail(r.pos, "expected four hexadecimal digits")
			}
			b = utf8.AppendRune(b, rune(u)) // a surrogate becomes U+FFFD, which no name holds
			r.pos += 4
		default:
			return "", fail(r.pos-2, "no name holds such an escape")
		}
	}
	return "", fail(r.pos, "unexpected end in a string")
}
