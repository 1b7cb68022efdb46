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

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// rows are records with named columns.
type rows struct {
	columns []string
	cells   [][]string // a row: by column; shorter where the last are empty
	lines   []int
	left    []string // what was left out
}

// The names of columns, lower case without spaces, hyphens and underscores, best first.
var (
	idNames       = []string{"id", "docid", "documentid", "docno", "sku", "key", "uid", "uuid", "pid", "productid", "articleid", "isbn", "doi", "slug"}
	titleNames    = []string{"title", "headline", "heading", "subject", "name", "productname", "producttitle", "label"}
	textNames     = []string{"text", "body", "content", "contents", "fulltext", "description", "productdescription", "abstract", "passage", "article", "summary", "message", "review", "answer", "comment"}
	dateNames     = []string{"date", "published", "publishedat", "publicationdate", "created", "createdat", "day", "datum"}
	categoryNames = []string{"category", "categories", "section", "topic", "department", "genre", "type"}
	urlNames      = []string{"url", "uri", "link", "permalink", "href"}
	queryIDNames  = []string{"queryid", "qid", "id", "topicid", "number", "num", "key"}
	queryNames    = []string{"query", "text", "querytext", "question", "title", "keywords", "search", "q", "topic"}
	measureNames  = []string{"measure", "metric"}
	valueNames    = []string{"value", "score"}
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

// rows makes documents or queries of rows.
func (out *Read) rows(r *rows, role Role) error {
	out.Warnings = append(out.Warnings, r.left...)
	if r.find([]string{"run", "system"}) >= 0 && r.find(measureNames) >= 0 && r.find(valueNames) >= 0 {
		return errors.New("it is a table of scores (run, query, measure, value) and holds no documents: rankbox " +
			"compare compares them")
	}
	if len(r.cells) == 0 {
		return errors.New("it has a header and no rows")
	}
	if role == Queries {
		return out.queries(r)
	}
	id, title := r.find(idNames), r.find(titleNames)
	text := r.find(textNames)
	date, category, url := r.find(dateNames), r.find(categoryNames), r.find(urlNames)
	used := []int{id, title, date, category, url}
	if text < 0 && title < 0 || text < 0 && r.widest(used) >= 0 {
		text = r.widest(used)
	}
	if text < 0 && title < 0 {
		return fmt.Errorf("no column holds text: the columns are %s", strings.Join(quoted(r.columns), ", "))
	}
	out.Mapping = Mapping{r.name(id), r.name(title), r.name(text), r.name(date), r.name(category), r.name(url), nil}
	used = append(used, text)
	for i, c := range r.columns {
		if !slices.Contains(used, i) {
			out.Mapping.Unused = append(out.Mapping.Unused, strconv.Quote(c))
		}
	}
	for i := range r.cells {
		d := collection.Doc{ID: ID(r.cell(i, id)), Title: r.cell(i, title), Text: r.cell(i, text), Category: r.cell(i, category), URI: r.cell(i, url)}
		if day := r.cell(i, date); isDate(day) {
			d.Date = day[:10]
		}
		if d.ID == "" || id < 0 {
			d.ID = "row-" + strconv.Itoa(i+1)
		}
		out.Docs = append(out.Docs, d)
	}
	if n := Unique(out.Docs); n > 0 {
		out.Warnings = append(out.Warnings, strconv.Itoa(n)+" ids were repeated and got a number added")
	}
	return nil
}

func (out *Read) queries(r *rows) error {
	id := r.find(queryIDNames)
	text := r.find(queryNames, id)
	if text < 0 {
		if text = r.widest([]int{id}); text < 0 {
			return fmt.Errorf("no column holds the text of queries: the columns are %s", strings.Join(quoted(r.columns), ", "))
		}
	}
	description, narrative := r.find([]string{"description", "desc"}, id, text), r.find([]string{"narrative", "narr"}, id, text)
	seen := map[string]bool{}
	for i := range r.cells {
		q := collection.Query{ID: ID(r.cell(i, id)), Text: r.cell(i, text), Description: r.cell(i, description), Narrative: r.cell(i, narrative)}
		if q.Text == "" {
			continue
		}
		if q.ID == "" || id < 0 || seen[q.ID] {
			q.ID = "q" + strconv.Itoa(i+1)
		}
		seen[q.ID] = true
		out.Queries = append(out.Queries, q)
	}
	out.Mapping = Mapping{ID: r.name(id), Text: r.name(text)}
	return nil
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
		return nil, err
	}
	if len(head) > lim.Columns {
		return nil, fmt.Errorf("it has %d columns, more than %d", len(head), lim.Columns)
	}
	r := &rows{columns: head}
	for {
		record, err := c.Read()
		if err == io.EOF {
			return r, nil
		}
		line, _ := c.FieldPos(0)
		if err != nil {
			return nil, err
		}
		if len(record) > len(head) {
			return nil, fmt.Errorf("line %d: %d columns, expected %d: check for an unquoted %q", line, len(record), len(head), string(sep))
		}
		if len(r.cells) >= lim.Documents {
			return nil, fmt.Errorf("more than %d rows", lim.Documents)
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
	return &objectReader{Reader: jsontext.New(nil, jsontext.Limits{Depth: 64, LoneSurrogates: true}), at: map[string]int{}, lim: lim}
}

// object reads one object. Strings and numbers are cells, lists of strings are joined, anything else is passed over.
func (o *objectReader) object() {
	var cells []string
	put := func(key, value string) {
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
	o.cells = append(o.cells, cells)
}

func readArray(b []byte, lim Limits) (*rows, error) {
	o := newObjects(lim)
	o.Reset(b)
	for o.BeginArray(); o.More(); {
		if len(o.cells) >= lim.Documents {
			return nil, fmt.Errorf("more than %d objects", lim.Documents)
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
	cells[o.at["text"]] = o.String()
	o.cells = append(o.cells, cells)
}

// placed is an error of JSON with its line.
func placed(err error) error {
	var syntax *jsontext.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("line %d: %w", syntax.Line, err)
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
			return nil, fmt.Errorf("more than %d lines", lim.Documents)
		}
		o.Reset(line)
		o.object()
		o.End()
		if err := o.Err(); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	return &o.rows, nil
}
