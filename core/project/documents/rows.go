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
		"abstract", "passage", "pagecontent", "article", "summary", "message", "review", "answer", "comment"}
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
	// vagueNames say nothing at the end of a path: requester.name is no title
	vagueNames   = []string{"name", "label", "type", "key", "number", "num", "value", "score", "topic", "q"}
	measureNames = []string{"measure", "metric"}
	valueNames   = []string{"value", "score"}
)

// plain is a name as it is compared.
func plain(name string) string {
	return strings.NewReplacer(" ", "", "_", "", "-", "", ".", "").Replace(strings.ToLower(strings.TrimSpace(name)))
}

// find is the column with the first of some names. Of paths, as ticket.id, the last key counts if no whole path does,
// but for keys that any part of an object may have.
func (r *rows) find(names []string, not ...int) int {
	for _, path := range []bool{false, true} {
		for _, want := range names {
			if path && slices.Contains(vagueNames, want) {
				continue
			}
			for i, c := range r.columns {
				if path {
					at := strings.LastIndexByte(c, '.')
					if at < 0 {
						continue
					}
					c = c[at+1:]
				}
				if plain(c) == want && !slices.Contains(not, i) {
					return i
				}
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

// separator is what parts the cells of a first line outside quotes, 0 for nothing.
func separator(b []byte) byte {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	var n [256]int
	quoted := false
	for _, c := range line {
		if c == '"' {
			quoted = !quoted
		} else if !quoted {
			n[c]++
		}
	}
	best, most := byte(0), 0
	for _, sep := range []byte{'\t', ',', ';', '|'} {
		if n[sep] > most {
			best, most = sep, n[sep]
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
func readRows(kind string, f *file) (*rows, error) {
	switch kind {
	case arrayKind:
		return readArray(f.b, f.lim)
	case linesKind:
		return readObjects(f.b, f.lim)
	case objectKind:
		return readObject(f.b, f.lim)
	case tableKind:
		return readTable(f.b, f.lim)
	}
	return readSheet(f)
}

// readTable reads a table whose cells are parted by the separator of its first line. Quotes that are out of place are
// text. A first line "sep=;", as Excel writes it, names the separator.
func readTable(b []byte, lim Limits) (*rows, error) {
	sep, skipped := separator(b), 0
	if line, rest, _ := bytes.Cut(b, []byte("\n")); len(line) >= 5 && hasFold(line, "sep=") {
		sep, b, skipped = line[4], rest, 1
	}
	if sep == 0 {
		sep = ','
	}
	c := csv.NewReader(bytes.NewReader(b))
	c.Comma, c.FieldsPerRecord, c.ReuseRecord, c.LazyQuotes = rune(sep), -1, false, true
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
	if msmarco(head) {
		r := &rows{columns: []string{"id", "url", "title", "text"}, cells: [][]string{head}, lines: []int{1}}
		return r, r.records(c, lim, len(head), skipped, sep)
	}
	r := &rows{columns: unlike(head), header: 1 + skipped}
	return r, r.records(c, lim, len(head), skipped, sep)
}

// msmarco says that a first line is a document of MS MARCO and no header: an id, a URL, a title, a text.
func msmarco(line []string) bool {
	return len(line) == 4 && (strings.HasPrefix(line[1], "http://") || strings.HasPrefix(line[1], "https://"))
}

// records reads the records behind the header.
func (r *rows) records(c *csv.Reader, lim Limits, width, skipped int, sep byte) error {
	for {
		record, err := c.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return csvError(err)
		}
		line, _ := c.FieldPos(0)
		line += skipped
		for len(record) > width && record[len(record)-1] == "" {
			record = record[:len(record)-1]
		}
		if len(record) > width {
			return &lineError{line, fmt.Errorf("%d columns, expected %d: check for an unquoted %q", len(record), width,
				string(sep))}
		}
		if len(r.cells) >= lim.Documents {
			return fmt.Errorf("more than %d rows", lim.Documents)
		}
		r.cells, r.lines = append(r.cells, record), append(r.lines, line)
	}
}
