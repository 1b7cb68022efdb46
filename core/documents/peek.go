package documents

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/collection"
)

// HeadBytes is how many bytes of a file Peek needs at most.
const HeadBytes = 256 << 10

// Table is the beginning of a file with named columns.
type Table struct {
	Name    string
	Kind    string   // "a table", …
	Columns []string // no two of one name
	Filled  []int    // by column: number of rows read that have a value
	Read    int      // rows read
	About   int      // rows of the whole file: Read if Whole, else estimated by size
	Whole   bool     // the whole file was read
	Native  bool     // core/collection reads the file in the same way as Mapping
	Mapping Mapping  // as recognised
	rows    *rows
	role    Role
}

// Row returns the cells of a row by column, and its line.
func (t *Table) Row(i int) (cells []string, line int) {
	for c := range t.Columns {
		cells = append(cells, t.rows.cell(i, c))
	}
	return cells, t.rows.lines[i]
}

// Try converts the rows read to documents, queries and grades by a mapping, or nil for the recognised one. Its
// errors are those of Mapped.
func (t *Table) Try(m *Mapping) (*Read, error) {
	out := &Read{Kind: t.Kind}
	if err := out.rows(t.rows, t.role, m); err != nil {
		return nil, withFile(t.Name, err)
	}
	return out, nil
}

// Fits returns an error unless the table has every column of the mapping.
func (t *Table) Fits(m *Mapping) error {
	if _, err := t.rows.locate(m); err != nil {
		return withFile(t.Name, err)
	}
	return nil
}

// withFile adds the file, and the line if known, to an error.
func withFile(name string, err error) error {
	var at *lineError
	if errors.As(err, &at) {
		return fail(name, at.line, at.err)
	}
	return fail(name, 0, err)
}

// Peek reads the beginning of a file of size bytes as a table, JSON array or JSON lines with selectable columns. It
// returns nil for anything else: a text, a run, judgments, a test collection's JSON.
func Peek(name string, head []byte, size int64) (*Table, error) {
	whole := int64(len(head)) >= size
	if !whole {
		if i := bytes.LastIndexByte(head, '\n'); i > 0 {
			head = head[:i+1]
		}
		for range utf8.UTFMax {
			if r, n := utf8.DecodeLastRune(head); r == utf8.RuneError && n == 1 {
				head = head[:len(head)-1]
			}
		}
	}
	kind, role := Looks(name, head), RoleOf(name)
	if !mappable(kind, head, role) {
		return nil, nil
	}
	text := bytes.TrimPrefix(head, []byte("\ufeff"))
	r, err := readRows(kind, text, Limits{}.withDefaults())
	var at *lineError
	if err != nil && !whole && r != nil && len(r.cells) > 0 && errors.As(err, &at) && at.line >= bytes.Count(text,
		[]byte("\n")) {
		err = nil // the head was cut off
	}
	if err != nil {
		return nil, withFile(name, err)
	}
	t := &Table{Name: name, Kind: kind, Columns: r.columns, Read: len(r.cells), About: len(r.cells), Whole: whole,
		rows: r, role: role}
	if t.Mapping, err = r.recognise(role); err != nil && (errors.Is(err, errScores) || t.Read == 0) {
		return nil, withFile(name, err)
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
	t.Native = readsNatively(collection.Detect(head), &t.Mapping)
	return t, nil
}

// mappable reports whether the columns of a file can be chosen. Test collection formats fix theirs.
func mappable(kind string, head []byte, role Role) bool {
	format := collection.Detect(head)
	switch kind {
	case tableKind:
		text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
		sep := separator(text)
		if sep == 0 {
			sep = ','
		}
		named := namesKnownColumn(text, sep)
		switch format {
		case collection.RunCSV, collection.ChunkMap, collection.CorpusTREC, collection.Topics:
			return false
		case collection.QrelsCSV:
			return namesTextColumn(text, sep)
		case collection.QueriesCSV:
			return role == Queries || namesTextColumn(text, sep)
		case collection.RunTREC, collection.RunRanks, collection.QrelsTREC, collection.QrelsTSV, collection.PrefsTREC,
			collection.QueriesTSV, collection.CorpusTSV:
			return named
		}
		return true
	case arrayKind:
		return !bytes.Contains(head, []byte(`"relevant_articles"`))
	case linesKind:
		switch format {
		case collection.Unknown, collection.CorpusJSONL, collection.QueriesJSONL, collection.ChunkMap:
			return !IsMapping(head)
		}
	}
	return false
}

// namesTextColumn reports whether a header names a column that only documents have.
func namesTextColumn(b []byte, sep byte) bool {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	for _, c := range bytes.Split(line, []byte{sep}) {
		name := normaliseName(strings.Trim(string(c), "\"\r"))
		if name == "title" || slices.Contains(textNames, name) && name != "text" {
			return true
		}
	}
	return false
}

// readsNatively reports whether core/collection reads a format in the same way as a mapping.
func readsNatively(format collection.Format, m *Mapping) bool {
	if len(m.Text) > 1 || m.Date+m.Category+m.URL+m.Language+m.Query+m.Grade != "" || m.Title != "" &&
		normaliseName(m.Title) != "title" {
		return false
	}
	text := strings.Join(m.Text, "")
	switch format {
	case collection.CorpusJSONL, collection.QueriesJSONL:
		return text == "text" || text == "contents" || text == ""
	case collection.CorpusCSV:
		return slices.Contains([]string{"text", "contents", "content", "body", ""}, normaliseName(text))
	}
	return false
}
