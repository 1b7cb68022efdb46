package scores

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake/golden"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// MaxBytes is how many bytes a table may have, after decompression; Head is how many of them Detect wants to see.
const (
	MaxBytes = 256 << 20
	Head     = 64 << 10
)

// Options say what the content of a table leaves open.
type Options struct {
	// Systems says of a table that does not say it that "rows" or "columns" are the systems, or that columns are
	// "measures" and the file is the system.
	Systems string
	Columns []string // the columns that are read, by their names; nil for those that hold scores
	Name    string   // the system of a file that names none; "" for its own name
}

// shape is a form that scores are written in.
type shape struct {
	name string
	is   func(h *head) bool
	read func(r *reading) error
}

// shapes are the forms that are recognised, the special ones first: one line a form.
var shapes = []shape{
	{"a result of MTEB", isMTEB, (*reading).mteb},
	{"samples of Ragas with ids of contexts", isRagas, (*reading).ragas},
	{"nugget assignments of nuggetizer", isNuggets, (*reading).nuggets},
	{"metrics of nuggetizer", isNuggetMetrics, (*reading).nuggetMetrics},
	{"records of scores", isRecords, (*reading).records},
	{nestedShape, isNested, (*reading).nested},
	{"lines of an evaluation (trec_eval -q, ir_measures -q, tot)", isLines, (*reading).lines},
	{"a table of scores", isTable, (*reading).table},
}

// metaShape is that of MetaFile, which is known by its name and holds no score.
var metaShape = shape{name: "the description of a model", read: (*reading).meta}

// nestedShape is a shape that JSON of judgments could be too: it is read where the caller says which of its keys are
// systems.
const nestedShape = "scores by system, query and measure in JSON"

// Shapes are the names of the forms that are recognised.
func Shapes() (out []string) {
	for _, s := range shapes {
		out = append(out, s.name)
	}
	return out
}

// Detect says which of the shapes a file has by its first bytes (Head of them serve best), "" for none. A run,
// judgments, queries and documents are none.
func Detect(b []byte) string {
	h := newHead(b)
	for _, s := range shapes {
		if s.is(h) {
			return s.name
		}
	}
	return ""
}

// head is the first bytes of a file as the shapes look at them.
type head struct {
	lines [][]byte // whole ones that are not blank, the first few
	keys  []string // of the first object of JSON
	first keyed    // what lies at the first of them
	json  bool
	list  bool // the objects are in an array
}

// keyed is what an object holds: its first key, what lies there, and that of the object within.
type keyed struct {
	key    string
	kind   jsontext.Kind
	inner  string // the first key of the object at key
	within jsontext.Kind
	third  string
	deep   jsontext.Kind
}

// lookedAt is how many lines, or keys, of a head are looked at.
const lookedAt = 64

func newHead(b []byte) *head {
	h := &head{}
	whole := len(b) < Head
	b = bytes.TrimPrefix(b[:min(len(b), Head)], []byte("\ufeff"))
	start := bytes.TrimLeft(b, " \t\r\n")
	if len(start) == 0 || bytes.IndexByte(b, 0) >= 0 {
		return h
	}
	if start[0] == '{' || start[0] == '[' {
		h.json = true
		h.object(start)
		return h
	}
	for len(b) > 0 && len(h.lines) < lookedAt {
		line, rest, ended := bytes.Cut(b, []byte("\n"))
		if b = rest; !ended && !whole {
			break // it is cut off
		}
		if line = bytes.TrimSuffix(line, []byte("\r")); len(bytes.TrimSpace(line)) > 0 {
			h.lines = append(h.lines, line)
		}
	}
	return h
}

// object looks at the keys of the first object, as far as they are there.
func (h *head) object(b []byte) {
	r := jsontext.New(nil, jsontext.Limits{LoneSurrogates: true})
	r.Reset(b)
	if r.Peek() == '[' {
		h.list = true
		if r.BeginArray(); !r.More() || r.Peek() != '{' {
			return
		}
	}
	for r.BeginObject(); r.More() && len(h.keys) < lookedAt; {
		key := string(r.Key())
		if r.Err() != nil {
			return
		}
		if h.keys = append(h.keys, key); len(h.keys) > 1 {
			r.Skip()
			continue
		}
		h.first = keyed{key: key, kind: r.Peek()}
		if h.first.kind != '{' {
			r.Skip()
			continue
		}
		for n := 0; ; n++ {
			if n == 0 {
				r.BeginObject()
			}
			if !r.More() {
				break
			}
			name := string(r.Key())
			if n > 0 {
				r.Skip()
				continue
			}
			h.first.inner, h.first.within = name, r.Peek()
			if h.first.within != '{' {
				r.Skip()
				continue
			}
			for k := 0; ; k++ {
				if k == 0 {
					r.BeginObject()
				}
				if !r.More() {
					break
				}
				name := string(r.Key())
				if k == 0 {
					h.first.third, h.first.deep = name, r.Peek()
				}
				r.Skip()
			}
		}
	}
}

// has reports whether the first object has all of these keys.
func (h *head) has(keys ...string) bool {
	for _, k := range keys {
		found := false
		for _, have := range h.keys {
			found = found || have == k
		}
		if !found {
			return false
		}
	}
	return len(h.keys) > 0
}

// IsRanking reports whether a file is objects of JSON whose keys are the columns of a run or of judgments: a query, a
// document, and a score, a rank or a grade.
func IsRanking(b []byte) bool {
	h := newHead(b)
	query, doc, value := false, false, false
	for _, k := range h.keys {
		p := plain(k)
		query = query || contains(queryNames, p)
		doc = doc || contains(docNames, p)
		value = value || contains(rankNames, p)
	}
	return h.json && query && doc && value
}

// rankNames are the columns of a ranking or of judgments that say how a document stands.
var rankNames = []string{"score", "rank", "similarity", "relevance", "label", "grade", "rel", "rating"}

// reading is one file on its way to a Table.
type reading struct {
	name string // of the file
	file string // the system of a file that names none
	b    []byte
	opt  Options
	out  *Table
	root *golden.Node // of JSON
}

// Read reads a table of scores, as Detect recognises it. name is the file's, system what a system is called that has
// no name but its file's. Errors are *collection.ParseError.
func Read(name, system string, b []byte, opt Options) (*Table, error) {
	if opt.Name != "" {
		system = opt.Name
	}
	if opt.Systems != "" && opt.Systems != "rows" && opt.Systems != "columns" && opt.Systems != "measures" {
		return nil, fmt.Errorf("systems are in %q: not one of rows, columns, measures", opt.Systems)
	}
	h := newHead(b)
	for i := range shapes {
		s := &shapes[i]
		if path.Base(name) == MetaFile {
			s = &metaShape
		}
		said := s.name == nestedShape && opt.Systems != "" && h.json && !h.list
		if s != &metaShape && !s.is(h) && !said {
			continue
		}
		r := &reading{name: name, file: system, b: bytes.TrimPrefix(b, []byte("\ufeff")), opt: opt,
			out: newTable(s.name, "query")}
		if h.json {
			n, _, err := golden.ParseJSON(name, b)
			if err != nil {
				return nil, err
			}
			r.root = n
		}
		if err := s.read(r); err != nil {
			return nil, r.fail(0, err)
		}
		if r.out.Cells() == 0 && r.out.of.meta == "" {
			return nil, r.fail(0, errors.New("it is "+s.name+" and holds no score"))
		}
		for i := range r.out.Warnings {
			r.out.Warnings[i].File = name
		}
		return r.out, nil
	}
	return nil, &collection.ParseError{File: name, Unrecognised: true, Err: errors.New("it holds no scores: " +
		"they are a table of systems and items, lines of trec_eval -q or ir_measures -q, or " +
		strings.Join(Shapes()[:3], ", "))}
}

// fail places an error in the file, unless it is placed already.
func (r *reading) fail(line int, err error) error {
	if _, ok := errors.AsType[*collection.ParseError](err); ok {
		return err
	}
	return &collection.ParseError{File: r.name, Line: line, Err: err}
}

// number reads a score. Empty cells, NaN, NA, null, - and their like are missing, which is NaN.
func number(s string) (float64, error) {
	s = strings.TrimSpace(s)
	switch strings.ToLower(s) {
	case "", "nan", "na", "n/a", "#n/a", "null", "none", "-", "—", "–":
		return nan, nil
	}
	v, err := parseFloat(s)
	if err != nil {
		return 0, fmt.Errorf("score %q is not a number", say.Brief(s, 60))
	}
	return v, nil
}
