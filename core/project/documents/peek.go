package documents

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
)

// HeadBytes is how much of a file Peek needs at most.
const HeadBytes = 256 << 10

// Table is the beginning of a file with named columns.
type Table struct {
	Name    string
	Kind    string   // "a table", …
	Columns []string // no two of one name
	Filled  []int    // in how many of the rows read a column has a value, by column
	Read    int      // rows read
	About   int      // rows of the whole file: Read if Whole, otherwise estimated from its bytes
	Whole   bool     // all of the file was read
	Native  bool     // core/collection reads the file as Mapping says
	Mapping Mapping  // as recognised
	rows    *rows
	role    Role
}

// Row returns the cells of a row that was read, by column, and its line.
func (t *Table) Row(i int) (cells []string, line int) {
	for c := range t.Columns {
		cells = append(cells, t.rows.cell(i, c))
	}
	return cells, t.rows.lines[i]
}

// Try makes documents, queries and grades of the rows that were read, by a mapping, or nil for the recognised one. Its
// errors are those of Mapped.
func (t *Table) Try(m *Mapping) (*Read, error) {
	out := &Read{Kind: t.Kind}
	if err := out.rows(t.rows, t.role, m); err != nil {
		return nil, placedIn(t.Name, err)
	}
	return out, nil
}

// Fits is nil if the table has every column that a mapping names.
func (t *Table) Fits(m *Mapping) error {
	if _, err := t.rows.place(m); err != nil {
		return placedIn(t.Name, err)
	}
	return nil
}

// placedIn is an error of a file, with its line if it has one.
func placedIn(name string, err error) error {
	var at *lineError
	if errors.As(err, &at) {
		return fail(name, at.line, at.err)
	}
	return fail(name, 0, err)
}

// Peek reads the beginning of a file of size bytes as a table, a JSON array or lines of JSON whose columns can be
// chosen. It returns nil if the file is anything else: a text, a run, judgments, a test collection's JSON.
func Peek(name string, head []byte, size int64) (*Table, error) {
	whole := int64(len(head)) >= size
	reader, text, charset := readerOf(name, head, !whole)
	role := RoleOf(name)
	if reader == nil || !reader.table || reader.packed && !whole {
		return nil, nil
	}
	kind := reader.Kind
	if i := bytes.LastIndexByte(text, '\n'); !whole && i > 0 {
		text = text[:i+1]
	}
	if reader.packed {
		text = head
	} else if !mappable(kind, name, text, role) {
		return nil, nil
	}
	r, err := readRows(kind, &file{name: name, b: text, lim: Limits{}.withDefaults()})
	var at *lineError
	if err != nil && !whole && r != nil && len(r.cells) > 0 && errors.As(err, &at) && at.line >= bytes.Count(text,
		[]byte("\n")) {
		err = nil // what was cut off
	}
	if err != nil {
		return nil, placedIn(name, err)
	}
	t := &Table{Name: name, Kind: kind, Columns: r.columns, Read: len(r.cells), About: len(r.cells), Whole: whole,
		rows: r, role: role}
	if t.Mapping, err = r.recognise(role); err != nil && (errors.Is(err, errScores) || t.Read == 0) {
		return nil, placedIn(name, err)
	}
	t.Filled = make([]int, len(t.Columns))
	for i := range r.cells {
		for c := range t.Columns {
			if r.cell(i, c) != "" {
				t.Filled[c]++
			}
		}
	}
	if !whole && len(text) > 0 {
		t.About = int(float64(size) / float64(len(text)) * float64(t.Read))
	}
	t.Native = charset == "UTF-8" && native(collection.Detect(text), &t.Mapping) && !r.marked()
	return t, nil
}

// mappable says whether the columns of a file can be chosen. Formats of test collections have theirs.
func mappable(kind, name string, head []byte, role Role) bool {
	format := collection.Detect(head)
	switch kind {
	case tableKind:
		text := bytes.TrimLeft(head, " \t\r\n")
		if plainText(name, text) {
			return false
		}
		sep := separator(text)
		if sep == 0 {
			sep = ','
		}
		named := known(text, sep)
		switch format {
		case collection.RunCSV, collection.ChunkMap, collection.CorpusTREC, collection.Topics:
			return false
		case collection.QrelsCSV:
			return texts(text, sep)
		case collection.QueriesCSV:
			return role == Queries || texts(text, sep)
		case collection.RunTREC, collection.RunRanks, collection.QrelsTREC, collection.QrelsTSV, collection.PrefsTREC,
			collection.QueriesTSV, collection.CorpusTSV:
			return named
		}
		return true
	case arrayKind:
		return !bytes.Contains(head, []byte(`"relevant_articles"`))
	case linesKind, objectKind:
		switch format {
		case collection.Unknown, collection.CorpusJSONL, collection.QueriesJSONL, collection.ChunkMap:
			return !IsMapping(head)
		}
	}
	return false
}

// texts says whether a header names a column that only documents have.
func texts(b []byte, sep byte) bool {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	for _, c := range bytes.Split(line, []byte{sep}) {
		name := plain(strings.Trim(string(c), "\"\r"))
		if name == "title" || slices.Contains(textNames, name) && name != "text" {
			return true
		}
	}
	return false
}

// native says whether core/collection reads a file of a format as a mapping says.
func native(format collection.Format, m *Mapping) bool {
	if len(m.Text) > 1 || m.Date+m.Category+m.URL+m.Language+m.Query+m.Grade != "" || m.Title != "" &&
		plain(m.Title) != "title" {
		return false
	}
	text := strings.Join(m.Text, "")
	switch format {
	case collection.CorpusJSONL, collection.QueriesJSONL:
		return text == "text" || text == "contents" || text == ""
	case collection.CorpusCSV:
		return slices.Contains([]string{"text", "contents", "content", "body", ""}, plain(text))
	}
	return false
}
