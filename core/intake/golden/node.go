package golden

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// Kind is what a Node is.
type Kind byte

// The kinds.
const (
	Null Kind = iota
	Bool
	Number
	Text
	List
	Map
)

// word is a kind in an error.
func (k Kind) word() string {
	return [...]string{"nothing", "a yes or no", "a number", "a text", "a list", "a map"}[k]
}

// Node is a value of a text in JSON or YAML, with its line.
type Node struct {
	Kind    Kind
	Text    string // of Bool ("true" or "false"), Number (as it is written) and Text
	Line    int    // from 1
	Items   []*Node
	Members []Member // in the order of the text
}

// Member is a key of a Map with its value.
type Member struct {
	Key   string
	Line  int
	Value *Node
}

// MostNodes is how many values a text may have, MostDepth how deep they may be nested.
const (
	MostNodes = 2_000_000
	MostDepth = 64
)

// Get is the value of a key, nil if there is none.
func (n *Node) Get(key string) *Node {
	if n == nil || n.Kind != Map {
		return nil
	}
	for i := range n.Members {
		if n.Members[i].Key == key {
			return n.Members[i].Value
		}
	}
	return nil
}

// Objects are the entries of a file: those of its array or of its lines, or the one object that it is.
func (n *Node) Objects() []*Node {
	if n.Kind == Map {
		return []*Node{n}
	}
	return n.Items
}

// AsText is a text, or a number as it is written; "" for anything else.
func (n *Node) AsText() string {
	if !n.scalar() {
		return ""
	}
	return n.Text
}

// scalar reports whether the node is a text or a number: what an id is.
func (n *Node) scalar() bool { return n != nil && (n.Kind == Text || n.Kind == Number) }

// ParseJSON reads a text of JSON, JSON Lines (a list of the lines' values) or CSV with a header (a list of maps of
// texts). YAML is the caller's: ok is false if the text is none of the three. Errors are *collection.ParseError.
func ParseJSON(name string, b []byte) (n *Node, ok bool, err error) {
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	start := bytes.TrimLeft(b, " \t\r\n")
	if len(start) == 0 {
		return nil, true, &collection.ParseError{File: name, Err: errors.New("it is empty")}
	}
	if start[0] != '{' && start[0] != '[' {
		if strings.HasSuffix(strings.ToLower(name), ".csv") || ratings(start) {
			n, err = parseCSV(name, b)
			return n, true, err
		}
		return nil, false, nil
	}
	p := parser{r: jsontext.New(nil, jsontext.Limits{Depth: MostDepth, LoneSurrogates: true}), left: min(MostNodes, 100_000+len(b)/6)}
	p.r.Reset(b)
	n = p.value()
	if p.r.Err() == nil && n.Kind == Map && p.r.Peek() == '{' { // another line
		n = &Node{Kind: List, Line: n.Line, Items: []*Node{n}}
		for p.r.Err() == nil && p.r.Peek() == '{' {
			n.Items = append(n.Items, p.value())
		}
	}
	p.r.End()
	if err := p.r.Err(); err != nil {
		line := 0
		if at, ok := errors.AsType[*jsontext.SyntaxError](err); ok {
			line = at.Line
		}
		return nil, true, &collection.ParseError{File: name, Line: line, Err: err}
	}
	return n, true, nil
}

// parser makes nodes of JSON.
type parser struct {
	r    *jsontext.Reader
	left int
}

func (p *parser) value() *Node {
	kind := p.r.Peek()
	n := &Node{Line: p.r.Line()}
	if p.left--; p.left < 0 {
		p.r.Invalid("too many values for its size, or more than " + strconv.Itoa(MostNodes))
		return n
	}
	switch kind {
	case '{':
		n.Kind = Map
		for p.r.BeginObject(); p.r.More(); {
			m := Member{Key: string(p.r.Key()), Line: p.r.Line()}
			m.Value = p.value()
			n.Members = append(n.Members, m)
		}
	case '[':
		n.Kind = List
		for p.r.BeginArray(); p.r.More(); {
			n.Items = append(n.Items, p.value())
		}
	case '"':
		n.Kind, n.Text = Text, p.r.String()
	case '0':
		n.Kind, n.Text = Number, string(p.r.Number())
	case 't', 'f':
		n.Kind, n.Text = Bool, strconv.FormatBool(p.r.Bool())
	default:
		p.r.Null()
	}
	return n
}

// ratings reports whether a text begins with the header of a CSV of ratings, as Quepid exports it.
func ratings(b []byte) bool {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	head := strings.Split(strings.ToLower(strings.TrimSpace(string(line))), ",")
	for i, h := range head {
		head[i] = plain(strings.Trim(h, `" `))
	}
	return len(head) > 1 && oneOf(queryKeys, head[0])
}

// Each reads a text as ParseJSON does and hands it on: a CSV some rows at a time, since a node for every cell takes
// many times its bytes, anything else at once.
func Each(name string, b []byte, take func(n *Node)) error {
	start := bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\ufeff")), " \t\r\n")
	if len(start) > 0 && start[0] != '{' && start[0] != '[' && strings.HasSuffix(strings.ToLower(name), ".csv") {
		return eachCSV(name, bytes.TrimPrefix(b, []byte("\ufeff")), rowsAtOnce, take)
	}
	n, _, err := ParseJSON(name, b)
	if err == nil {
		take(n)
	}
	return err
}

const rowsAtOnce = 1024

// parseCSV makes a list of maps of a CSV with a header. Records may be shorter than the header.
func parseCSV(name string, b []byte) (out *Node, err error) {
	err = eachCSV(name, b, math.MaxInt, func(n *Node) { out = n })
	return out, err
}

// eachCSV makes such lists of at most so many rows.
func eachCSV(name string, b []byte, most int, take func(n *Node)) error {
	c := csv.NewReader(bytes.NewReader(b))
	c.FieldsPerRecord = -1
	head, err := c.Read()
	out := &Node{Kind: List, Line: 1}
	left := MostNodes
	for err == nil {
		var record []string
		if record, err = c.Read(); err != nil {
			break
		}
		line, _ := c.FieldPos(0)
		n := &Node{Kind: Map, Line: line}
		if len(record) > len(head) {
			why := say.Count(len(record), "column", "columns") + ", expected " + strconv.Itoa(len(head)) +
				". Check for an unquoted comma"
			return &collection.ParseError{File: name, Line: line, Err: errors.New(why)}
		}
		n.Members = make([]Member, len(record))
		cells := make([]Node, len(record))
		for i, cell := range record {
			cells[i] = Node{Kind: Text, Text: cell, Line: line}
			n.Members[i] = Member{head[i], line, &cells[i]}
		}
		if left -= len(record); left < 0 {
			err = errors.New("more than " + strconv.Itoa(MostNodes) + " values")
			break
		}
		if len(out.Items) == most {
			take(out)
			out = &Node{Kind: List, Line: 1}
		}
		out.Items = append(out.Items, n)
	}
	if err == io.EOF && len(head) > 0 {
		take(out)
		return nil
	}
	line := 0
	if at, ok := errors.AsType[*csv.ParseError](err); ok {
		line, err = at.Line, at.Err
	}
	return &collection.ParseError{File: name, Line: line, Err: err}
}

// plain is a key as it is compared: without case, and what parts its words.
func plain(key string) string { return parts.Replace(strings.ToLower(strings.TrimSpace(key))) }

var parts = strings.NewReplacer("_", "", "-", "", " ", "", ".", "", "$", "")

// oneOf reports whether a plain key is in a list.
func oneOf(list []string, key string) bool {
	for _, s := range list {
		if s == key {
			return true
		}
	}
	return false
}
