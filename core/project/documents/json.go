package documents

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// objectReader gathers objects as rows. A column is the path of keys to a value: ticket.id, and messages[].text for
// that of every object in a list.
type objectReader struct {
	*jsontext.Reader
	rows
	at    map[string]int
	lim   Limits
	cells []string // of the object that is read
}

// deepest is how many keys a path has at most: what lies deeper is passed over.
const deepest = 8

func newObjects(lim Limits) *objectReader {
	return &objectReader{Reader: jsontext.New(nil, jsontext.Limits{Depth: 64, LoneSurrogates: true}),
		at: map[string]int{}, lim: lim}
}

// put adds a value to a column: lists are joined.
func (o *objectReader) put(key, value string) {
	if key == "" {
		return
	}
	i, ok := o.at[key]
	if !ok {
		if i = len(o.columns); i >= o.lim.Columns {
			o.Invalid("more than " + strconv.Itoa(o.lim.Columns) + " different fields")
			return
		}
		o.at[key], o.columns = i, append(o.columns, key)
	}
	for len(o.cells) <= i {
		o.cells = append(o.cells, "")
	}
	if o.cells[i] != "" && strings.HasSuffix(key, "[]") || o.cells[i] != "" && strings.Contains(key, "[].") {
		value = o.cells[i] + "\n" + value
	}
	o.cells[i] = value
}

// object reads one object as a row.
func (o *objectReader) object() {
	o.cells = nil
	line := o.Line()
	o.members("", 0)
	o.row(line)
}

// row ends a row.
func (o *objectReader) row(line int) {
	if o.Err() == nil {
		o.rows.cells, o.lines = append(o.rows.cells, o.cells), append(o.lines, line)
	}
}

func (o *objectReader) members(path string, deep int) {
	for o.BeginObject(); o.More(); {
		o.value(path, string(o.Key()), deep)
	}
}

// value reads what lies at a key. Strings and numbers are cells, lists of strings are joined, and anything else is
// passed over. What Elasticsearch stored is what lies in _source.
func (o *objectReader) value(path, key string, deep int) {
	name := key
	if path != "" {
		name = path + "." + key
	}
	switch o.Peek() {
	case '"':
		o.put(name, o.String())
	case '0':
		o.put(name, string(o.Number()))
	case '{':
		switch {
		case deep >= deepest:
			o.Skip()
		case path == "" && key == "_source":
			o.members("", deep+1)
		default:
			o.members(name, deep+1)
		}
	case '[':
		var list []string
		for o.BeginArray(); o.More(); {
			switch kind := o.Peek(); {
			case kind == '"':
				list = append(list, o.String())
			case kind == '{' && deep < deepest:
				o.members(name+"[]", deep+1)
			default:
				o.Skip()
			}
		}
		if len(list) > 0 {
			o.put(name, strings.Join(list, "\n"))
		}
	default:
		o.Skip()
	}
}

func readArray(b []byte, lim Limits) (*rows, error) {
	o := newObjects(lim)
	o.Reset(b)
	o.array()
	o.End()
	return &o.rows, placed(o.Err())
}

// array reads a list of objects as rows, each text in it as a row too.
func (o *objectReader) array() {
	for o.BeginArray(); o.More(); {
		if len(o.rows.cells) >= o.lim.Documents {
			o.Invalid(fmt.Sprintf("more than %d objects", o.lim.Documents))
			return
		}
		switch o.Peek() {
		case '{':
			o.object()
		case '"':
			o.cells = nil
			line := o.Line()
			o.put("text", o.String())
			o.row(line)
		default:
			o.Invalid("an entry of the array is neither an object nor a text")
		}
	}
}

// placed is an error of JSON with its line.
func placed(err error) error {
	var syntax *jsontext.SyntaxError
	if errors.As(err, &syntax) {
		return &lineError{syntax.Line, err}
	}
	return err
}

// isLines says that JSON is an object a line: its first line is a whole object. One alone is a line of its own if the
// file is named so; otherwise it may have a list in it.
func isLines(start []byte, named bool) bool {
	if start[0] != '{' {
		return false
	}
	line, rest, some := bytes.Cut(start, []byte("\n"))
	r := jsontext.New(nil, jsontext.Limits{Depth: 64, LoneSurrogates: true})
	r.Reset(line)
	r.Skip()
	r.End()
	if r.Err() != nil {
		return !some && named && len(start) >= lookedAt // a first line that is longer than what is looked at
	}
	return len(bytes.TrimSpace(rest)) > 0
}

// actions are the keys of the lines that say what is done with the line behind them, in Elasticsearch's bulk format.
var actions = []string{"index", "create", "update", "delete"}

func readObjects(b []byte, lim Limits) (*rows, error) {
	o := newObjects(lim)
	id := "" // of the document that the action before names
	bulk := false
	for n := 1; len(b) > 0; n++ {
		line, rest, _ := bytes.Cut(b, []byte("\n"))
		b = rest
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if len(o.rows.cells) >= lim.Documents {
			return &o.rows, fmt.Errorf("more than %d lines", lim.Documents)
		}
		if action, of, is := bulkAction(line); is && (bulk || len(o.rows.cells) == 0) {
			if bulk, id = true, of; action == "delete" {
				id = ""
			}
			continue
		}
		o.Reset(line)
		o.object()
		o.End()
		if err := o.Err(); err != nil {
			return &o.rows, &lineError{n, err}
		}
		if last := len(o.rows.cells) - 1; id != "" {
			o.cells = o.rows.cells[last]
			o.put("_id", id)
			o.rows.cells[last] = o.cells
			id = ""
		}
		o.lines[len(o.lines)-1] = n
	}
	return &o.rows, nil
}

// bulkAction reads a line of Elasticsearch's bulk format that names what is done with which document.
func bulkAction(line []byte) (action, id string, is bool) {
	r := jsontext.New(nil, jsontext.Limits{Depth: 8, LoneSurrogates: true})
	r.Reset(line)
	n := 0
	for r.BeginObject(); r.More(); n++ {
		if action = string(r.Key()); !slices.Contains(actions, action) || r.Peek() != '{' {
			return "", "", false
		}
		for r.BeginObject(); r.More(); {
			switch key := string(r.Key()); {
			case key == "_id" && r.Peek() == '0':
				id, is = string(r.Number()), true
			case key == "_id" && r.Peek() == '"':
				id, is = r.String(), true
			case key == "_index" || key == "_type" || key == "routing":
				is = true
				r.Skip()
			default:
				r.Skip()
			}
		}
	}
	r.End()
	return action, id, r.Err() == nil && n == 1 && (is || len(bytes.TrimSpace(line)) < 20)
}

// lists are the keys under which exports and answers have their rows, best first.
var lists = []string{"hits.hits", "response.docs", "results", "data", "documents", "docs", "items", "records", "rows",
	"entries", "articles", "pages", "posts", "products", "tickets", "issues", "messages", "value", "nodes", "hits"}

// readObject reads the objects of a list that lies in an object, as answers and exports have it: of the lists of objects
// the one with the best key, otherwise the longest. An object that has a text itself is one row.
func readObject(b []byte, lim Limits) (*rows, error) {
	whole := newObjects(lim)
	whole.Reset(b)
	whole.object()
	whole.End()
	found := &finder{lim: lim, Reader: jsontext.New(nil, jsontext.Limits{Depth: 64, LoneSurrogates: true})}
	found.Reset(b)
	found.walk("", 0)
	if slices.Contains(found.keys, "$schema") {
		return nil, errors.New("it is a schema or a configuration ($schema) and holds no documents")
	}
	var best *objectReader
	rank := len(lists)
	for i, path := range found.paths {
		at := slices.Index(lists, path)
		if at < 0 {
			at = len(lists)
		}
		if n := len(found.lists[i].rows.cells); best == nil || at < rank || at == rank && n > len(best.rows.cells) {
			best, rank = found.lists[i], at
		}
	}
	if best != nil && (rank < len(lists) || !whole.telling()) {
		return &best.rows, placed(found.Err())
	}
	if err := whole.Err(); err != nil {
		return nil, placed(err)
	}
	if !whole.telling() {
		return nil, errors.New("it holds no list of objects and no text: its keys are " +
			strings.Join(quoted(found.keys), ", "))
	}
	return &whole.rows, nil
}

// bodyNames are those of texts that no configuration has.
var bodyNames = []string{"text", "body", "content", "contents", "fulltext", "pagecontent", "passage", "article", "abstract"}

// telling says that an object names a text or a title and an id: it is a document itself, and no configuration.
func (o *objectReader) telling() bool {
	top := func(names []string) bool {
		return slices.ContainsFunc(o.columns, func(c string) bool { return slices.Contains(names, plain(c)) })
	}
	return top(bodyNames) || top(idNames) && (top(titleNames) || top(textNames))
}

// finder finds the lists of objects in an object.
type finder struct {
	*jsontext.Reader
	lim   Limits
	keys  []string // of the object
	paths []string // of the lists
	lists []*objectReader
}

func (f *finder) walk(path string, deep int) {
	for f.BeginObject(); f.More(); {
		key := string(f.Key())
		if deep == 0 {
			f.keys = append(f.keys, key)
		}
		if path != "" {
			key = path + "." + key
		}
		switch kind := f.Peek(); {
		case kind == '{' && deep < 3:
			f.walk(key, deep+1)
		case kind == '[':
			o := newObjects(f.lim)
			o.Reader = f.Reader
			some := false
			for f.BeginArray(); f.More(); {
				if f.Peek() != '{' || len(o.rows.cells) >= f.lim.Documents {
					f.Skip()
					continue
				}
				some = true
				o.object()
			}
			if some {
				f.paths, f.lists = append(f.paths, key), append(f.lists, o)
			}
		default:
			f.Skip()
		}
	}
}

// readNotebook makes a document of a Jupyter notebook: the text of its Markdown, and its code. The outputs are left out.
func readNotebook(out *Read, f *file) error {
	r := jsontext.New(nil, jsontext.Limits{Depth: 64, LoneSurrogates: true})
	r.Reset(f.b)
	var text strings.Builder
	for r.BeginObject(); r.More(); {
		if string(r.Key()) != "cells" || r.Peek() != '[' {
			r.Skip()
			continue
		}
		for r.BeginArray(); r.More(); {
			kind, source := "", ""
			for r.BeginObject(); r.More(); {
				switch key := string(r.Key()); {
				case key == "cell_type" && r.Peek() == '"':
					kind = r.String()
				case key == "source" && r.Peek() == '"':
					source = r.String()
				case key == "source" && r.Peek() == '[':
					for r.BeginArray(); r.More(); {
						source += r.String()
					}
				default:
					r.Skip()
				}
			}
			switch kind {
			case "markdown":
				text.WriteString(source + "\n\n")
			case "code":
				text.WriteString("```\n" + source + "\n```\n\n")
			}
		}
	}
	r.End()
	if err := r.Err(); err != nil {
		return placed(err)
	}
	d, headings := markdown(f.name, text.String())
	out.Docs, out.Headings = []collection.Doc{d}, headings
	return nil
}
