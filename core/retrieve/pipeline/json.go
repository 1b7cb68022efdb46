package pipeline

import (
	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/internal/near"
)

// MarshalJSON returns the canonical pipeline as a JSON tree. Every node is an object with "stage" and, unless
// empty, "params" (values other than the default), "args" (of a combiner) and "input" (the pipeline before >>):
//
//	{"stage":"cut","params":{"n":20},"input":{"stage":"rrf","args":[{"stage":"bm25"},{"stage":"dense"}]}}
func (n *Node) MarshalJSON() ([]byte, error) { return n.appendJSON(nil), nil }

func (n *Node) appendJSON(b []byte) []byte {
	// Names and words need no escapes.
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

// JSONDepth is the maximum nesting of a pipeline's JSON form: an object and an array for each stage, and the object
// of its parameters.
const JSONDepth = 2*MaxStages + 2

// ReadJSON reads a pipeline in the form of MarshalJSON, with members in any order. It makes the checks of Parse and
// refuses unknown and repeated members. r keeps the first error: an *Error with the byte offset in r, or r's own.
// After an error it returns nil.
func (x *Notation) ReadJSON(r *jsontext.Reader) *Node {
	t := readTree(r)
	if r.Err() != nil {
		return nil
	}
	n, err := x.check(t)
	if err != nil {
		r.Fail(err)
	}
	return n
}

// readTree reads the object of one stage; r keeps the first error.
func readTree(r *jsontext.Reader) *tree {
	t := &tree{pos: tokenOffset(r)}
	var stage, params, args bool
	for r.BeginObject(); r.More(); {
		at := tokenOffset(r)
		name := string(r.Key())
		again := false
		switch name {
		case "stage":
			again, stage = stage, true
			t.name = r.String()
		case "params":
			again, params = params, true
			for r.BeginObject(); r.More(); {
				a := argument{keyPos: tokenOffset(r), key: string(r.Key())}
				a.value = readValue(r)
				t.args = append(t.args, a)
			}
		case "args":
			again, args = args, true
			for r.BeginArray(); r.More(); {
				t.args = append(t.args, argument{sub: readTree(r)})
			}
		case "input":
			again = t.input != nil
			t.input = readTree(r)
		default:
			r.Fail(&Error{Pos: at, Message: "unknown member " + quote(name),
				Suggestion: near.Name(name, []string{"stage", "params", "args", "input"}), Unknown: true})
		}
		if again {
			r.Fail(fail(at, name+" appears twice"))
		}
	}
	if !stage {
		r.Fail(fail(t.pos, `expected a member "stage"`))
	}
	return t
}

// readValue reads a string, a number, true or false.
func readValue(r *jsontext.Reader) written {
	w := written{pos: tokenOffset(r)}
	switch r.Peek() {
	case '"':
		w.text, w.json = r.String(), 's'
	case 't', 'f':
		w.text, w.json = "false", 'b'
		if r.Bool() {
			w.text = "true"
		}
	default:
		w.text, w.json = string(r.Number()), 'n'
	}
	return w
}

// tokenOffset returns the offset of the next token.
func tokenOffset(r *jsontext.Reader) int {
	r.Peek()
	return int(r.Offset())
}
