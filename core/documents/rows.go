package documents

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// rows are records with named columns.
type rows struct {
	columns []string   // no two of one name
	cells   [][]string // a row: by column; shorter if the last are empty
	lines   []int      // of each row, from 1
	header  int        // line of the names, 0 if there is none
}

// The names of columns, lower case without spaces, hyphens and underscores, best first.
var (
	idNames = []string{"id", "docid", "documentid", "docno", "sku", "key", "uid", "uuid", "pid", "productid",
		"articleid", "isbn", "doi", "slug"}
	titleNames = []string{"title", "headline", "heading", "subject", "name", "productname", "producttitle",
		"question", "label"}
	textNames = []string{"text", "body", "content", "contents", "fulltext", "description", "productdescription",
		"abstract", "passage", "article", "summary", "message", "review", "answer", "comment"}
	dateNames = []string{"date", "published", "publishedat", "publicationdate", "created", "createdat", "day",
		"datum"}
	categoryNames = []string{"category", "categories", "section", "topic", "department", "genre", "type"}
	urlNames      = []string{"url", "uri", "link", "permalink", "href"}
	languageNames = []string{"language", "lang", "locale"}
	gradeNames    = []string{"grade", "relevance", "relevancegrade", "rel", "judgment", "judgement", "qrel", "gain",
		"label"}
	pairNames    = []string{"query", "querytext", "question", "keywords", "search", "q"}
	queryIDNames = []string{"queryid", "qid", "id", "topicid", "number", "num", "key"}
	queryNames   = []string{"query", "text", "querytext", "question", "title", "keywords", "search", "q", "topic"}
	measureNames = []string{"measure", "metric"}
	valueNames   = []string{"value", "score"}
)

// plain is a name as it is compared.
func plain(name string) string {
	return strings.NewReplacer(" ", "", "_", "", "-", "", ".", "").Replace(strings.ToLower(strings.TrimSpace(name)))
}

func (r *rows) find(names []string, not ...int) int {
	for _, want := range names {
		for i, c := range r.columns {
			if plain(c) == want && !slices.Contains(not, i) {
				return i
			}
		}
	}
	return -1
}

func (r *rows) cell(row, column int) string {
	if column < 0 || column >= len(r.cells[row]) {
		return ""
	}
	return strings.TrimSpace(r.cells[row][column])
}

func (r *rows) name(column int) string {
	if column < 0 {
		return ""
	}
	return r.columns[column]
}

// widest is the column with the longest texts, −1 if none holds words.
func (r *rows) widest(not []int) int {
	best, most := -1, 0
	for i := range r.columns {
		if slices.Contains(not, i) {
			continue
		}
		n, words := 0, 0
		for row := range min(len(r.cells), 200) {
			c := r.cell(row, i)
			n += len(c)
			words += len(strings.Fields(c))
		}
		if n > most && words > min(len(r.cells), 200) {
			best, most = i, n
		}
	}
	return best
}

func isDate(s string) bool {
	if len(s) < 10 || len(s) > 10 && s[10] != 'T' && s[10] != ' ' {
		return false
	}
	for i, c := range []byte(s[:10]) {
		if i == 4 || i == 7 {
			if c != '-' {
				return false
			}
		} else if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

func quoted(list []string) (out []string) {
	for _, s := range list[:min(len(list), 20)] {
		out = append(out, strconv.Quote(s))
	}
	return out
}

// separator is what parts the cells of a first line, 0 for nothing.
func separator(b []byte) byte {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	best, most := byte(0), 0
	for _, sep := range []byte{'\t', ',', ';', '|'} {
		if n := bytes.Count(line, []byte{sep}); n > most {
			best, most = sep, n
		}
	}
	return best
}

// known says whether a first line names a column that is known.
func known(b []byte, sep byte) bool {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	for _, c := range bytes.Split(line, []byte{sep}) {
		name := plain(strings.Trim(string(c), "\"\r"))
		if slices.Contains(textNames, name) || slices.Contains(titleNames, name) || slices.Contains(idNames, name) {
			return true
		}
	}
	return false
}

// lineError is what is wrong in a line of a file.
type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return "line " + strconv.Itoa(e.line) + ": " + e.err.Error() }

func (e *lineError) Unwrap() error { return e.err }

// csvError is an error of encoding/csv with its line.
func csvError(err error) error {
	var at *csv.ParseError
	if errors.As(err, &at) {
		return &lineError{at.Line, at.Err}
	}
	return err
}

// unlike returns the names of columns with a number behind those that come again, and names for those without one.
func unlike(names []string) []string {
	seen := map[string]bool{}
	out := make([]string, len(names))
	for i, name := range names {
		if name = strings.TrimSpace(strings.ToValidUTF8(name, "\uFFFD")); name == "" {
			name = "column " + strconv.Itoa(i+1)
		}
		base := name
		for n := 2; seen[name]; n++ {
			name = base + " (" + strconv.Itoa(n) + ")"
		}
		seen[name], out[i] = true, name
	}
	return out
}

// readRows reads the rows of a kind of file. Beside an error it returns the rows before it, if there is a header.
func readRows(kind string, b []byte, lim Limits) (*rows, error) {
	switch kind {
	case arrayKind:
		return readArray(b, lim)
	case linesKind:
		return readObjects(b, lim)
	}
	return readTable(b, lim)
}

func readTable(b []byte, lim Limits) (*rows, error) {
	sep := separator(b)
	if sep == 0 {
		sep = ','
	}
	c := csv.NewReader(bytes.NewReader(b))
	c.Comma, c.FieldsPerRecord, c.ReuseRecord = rune(sep), -1, false
	c.LazyQuotes = sep == '\t'
	head, err := c.Read()
	if err == io.EOF {
		return nil, errors.New("it is empty")
	}
	if err != nil {
		return nil, csvError(err)
	}
	if len(head) > lim.Columns {
		return nil, fmt.Errorf("it has %d columns, more than %d", len(head), lim.Columns)
	}
	r := &rows{columns: unlike(head), header: 1}
	for {
		record, err := c.Read()
		if err == io.EOF {
			return r, nil
		}
		if err != nil {
			return r, csvError(err)
		}
		line, _ := c.FieldPos(0)
		if len(record) > len(head) {
			return r, &lineError{line, fmt.Errorf("%d columns, expected %d: check for an unquoted %q", len(record),
				len(head), string(sep))}
		}
		if len(r.cells) >= lim.Documents {
			return r, fmt.Errorf("more than %d rows", lim.Documents)
		}
		r.cells, r.lines = append(r.cells, record), append(r.lines, line)
	}
}

// objectReader gathers objects as rows.
type objectReader struct {
	*jsontext.Reader
	rows
	at  map[string]int
	lim Limits
}

func newObjects(lim Limits) *objectReader {
	return &objectReader{Reader: jsontext.New(nil, jsontext.Limits{Depth: 64, LoneSurrogates: true}),
		at: map[string]int{}, lim: lim}
}

// object reads one object. Strings and numbers are cells, lists of strings are joined, anything else is passed over.
func (o *objectReader) object() {
	var cells []string
	put := func(key, value string) {
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
		for len(cells) <= i {
			cells = append(cells, "")
		}
		cells[i] = value
	}
	line := o.Line()
	for o.BeginObject(); o.More(); {
		key := string(o.Key())
		switch o.Peek() {
		case '"':
			put(key, o.String())
		case '0':
			put(key, string(o.Number()))
		case '[':
			var list []string
			for o.BeginArray(); o.More(); {
				if o.Peek() == '"' {
					list = append(list, o.String())
				} else {
					o.Skip()
				}
			}
			put(key, strings.Join(list, "\n"))
		default:
			o.Skip()
		}
	}
	if o.Err() == nil {
		o.cells, o.lines = append(o.cells, cells), append(o.lines, line)
	}
}

func readArray(b []byte, lim Limits) (*rows, error) {
	o := newObjects(lim)
	o.Reset(b)
	for o.BeginArray(); o.More(); {
		if len(o.cells) >= lim.Documents {
			return &o.rows, fmt.Errorf("more than %d objects", lim.Documents)
		}
		switch o.Peek() {
		case '{':
			o.object()
		case '"':
			o.strings()
		default:
			o.Invalid("an entry of the array is neither an object nor a text")
		}
	}
	o.End()
	return &o.rows, placed(o.Err())
}

// strings takes a text that stands alone.
func (o *objectReader) strings() {
	if _, ok := o.at["text"]; !ok {
		o.at["text"], o.columns = len(o.columns), append(o.columns, "text")
	}
	cells := make([]string, o.at["text"]+1)
	line := o.Line()
	cells[o.at["text"]] = o.String()
	if o.Err() == nil {
		o.cells, o.lines = append(o.cells, cells), append(o.lines, line)
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

func readObjects(b []byte, lim Limits) (*rows, error) {
	o := newObjects(lim)
	for n := 1; len(b) > 0; n++ {
		line, rest, _ := bytes.Cut(b, []byte("\n"))
		b = rest
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if len(o.cells) >= lim.Documents {
			return &o.rows, fmt.Errorf("more than %d lines", lim.Documents)
		}
		o.Reset(line)
		o.object()
		o.End()
		if err := o.Err(); err != nil {
			return &o.rows, &lineError{n, err}
		}
		o.lines[len(o.lines)-1] = n
	}
	return &o.rows, nil
}
