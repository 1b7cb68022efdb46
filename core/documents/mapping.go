package documents

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/say"
)

// MappingFormat and MappingVersion are what the file of a mapping says of itself.
const (
	MappingFormat  = "rankbox-mapping"
	MappingVersion = 1
)

// MaxMapping is how many bytes the file of a mapping may have.
const MaxMapping = 256 << 10

// Mapping says which columns of a table, or fields of JSON objects, are used for what; "" is for none. Rows with a
// text or title are documents. With a Query they are queries: alone if they have no text, otherwise each row is a
// document and a query that it was found for, with its Grade.
type Mapping struct {
	ID, Title                                   string
	Text                                        []string // joined with an empty line in between
	Date, Category, URL, Language, Query, Grade string
	Unused                                      []string // what is left out, in quotes; not part of the file
}

// Use is what a column is used for. Pages and files call it so.
type Use string

// The uses. Several columns may be texts; of the others there is one each.
const (
	LeaveOut    Use = ""
	ForID       Use = "id"
	ForTitle    Use = "title"
	ForText     Use = "text"
	ForDate     Use = "date"
	ForCategory Use = "category"
	ForURL      Use = "url"
	ForLanguage Use = "language"
	ForQuery    Use = "query"
	ForGrade    Use = "grade"
)

// Uses are all uses in the order in which they are offered and written.
var Uses = []Use{ForID, ForTitle, ForText, ForDate, ForCategory, ForURL, ForLanguage, ForQuery, ForGrade, LeaveOut}

// single is the column of a use that one column has.
func (m *Mapping) single(u Use) *string {
	switch u {
	case ForID:
		return &m.ID
	case ForTitle:
		return &m.Title
	case ForDate:
		return &m.Date
	case ForCategory:
		return &m.Category
	case ForURL:
		return &m.URL
	case ForLanguage:
		return &m.Language
	case ForQuery:
		return &m.Query
	case ForGrade:
		return &m.Grade
	}
	return nil
}

// Of is what a column is used for.
func (m *Mapping) Of(column string) Use {
	for _, u := range Uses {
		if s := m.single(u); s != nil && *s == column && column != "" {
			return u
		}
	}
	if slices.Contains(m.Text, column) {
		return ForText
	}
	return LeaveOut
}

// With returns the mapping with another use of a column. The column that had a use which only one can have is left out.
func (m Mapping) With(column string, u Use) Mapping {
	m.Text = slices.DeleteFunc(slices.Clone(m.Text), func(c string) bool { return c == column })
	for _, x := range Uses {
		if s := m.single(x); s != nil && *s == column {
			*s = ""
		}
	}
	if s := m.single(u); s != nil {
		*s = column
	} else if u == ForText {
		m.Text = append(m.Text, column)
	}
	return m
}

// empty says that nothing would become of rows.
func (m *Mapping) empty() bool { return len(m.Text) == 0 && m.Title == "" && m.Query == "" }

// OnlyQueries says that rows are queries and no documents.
func (m *Mapping) OnlyQueries() bool { return m.Query != "" && len(m.Text) == 0 && m.Title == "" }

// Said is the mapping in words, for people to check.
func (m *Mapping) Said() string {
	var parts []string
	for _, u := range Uses {
		what := string(u)
		if u == ForURL {
			what = "URL"
		}
		if s := m.single(u); s != nil && *s != "" {
			parts = append(parts, what+" from "+strconv.Quote(*s))
		} else if u == ForText && len(m.Text) > 0 {
			parts = append(parts, what+" from "+strings.Join(quoted(m.Text), " and "))
		}
	}
	if m.ID == "" {
		parts = append([]string{"ids from the row numbers"}, parts...)
	}
	s := strings.Join(parts, ", ")
	if len(m.Unused) > 0 {
		s += "; not used: " + say.Few(m.Unused, 8)
	}
	return s
}

// JSON returns the mapping as its file holds it. Equal mappings give equal bytes.
func (m *Mapping) JSON() []byte {
	b := fmt.Appendf(nil, "{\n  \"format\": %q,\n  \"version\": %d", MappingFormat, MappingVersion)
	for _, u := range Uses {
		if s := m.single(u); s != nil && *s != "" {
			b = append(b, ",\n  \""+string(u)+"\": "...)
			b = jsontext.AppendVisible(b, *s)
		} else if u == ForText && len(m.Text) > 0 {
			b = append(b, ",\n  \"text\": ["...)
			for i, c := range m.Text {
				if i > 0 {
					b = append(b, ", "...)
				}
				b = jsontext.AppendVisible(b, c)
			}
			b = append(b, ']')
		}
	}
	return append(b, "\n}\n"...)
}

// IsMapping says whether a file begins like that of a mapping.
func IsMapping(head []byte) bool {
	r := jsontext.New(nil, jsontext.Limits{Depth: 2, Token: 1024})
	r.Reset(bytes.TrimPrefix(head[:min(len(head), 4096)], []byte("\ufeff")))
	r.BeginObject()
	return r.More() && string(r.Key()) == "format" && r.Peek() == '"' && r.String() == MappingFormat
}

// ReadMapping reads the file of a mapping. Unknown members, a newer version and a column with two uses are refused.
func ReadMapping(name string, b []byte) (*Mapping, error) {
	if len(b) > MaxMapping {
		return nil, fail(name, 0, fmt.Errorf("a mapping of %s, more than %s", say.Bytes(int64(len(b))),
			say.Bytes(MaxMapping)))
	}
	r := jsontext.New(nil, jsontext.Limits{Depth: 2, Token: 1 << 16})
	r.Reset(bytes.TrimPrefix(b, []byte("\ufeff")))
	m := &Mapping{}
	seen := map[string]bool{}
	format, version := "", int64(0)
	column := func(use string) string {
		c := r.String()
		if c == "" {
			r.Invalid("the column for " + use + " has no name: leave the member out")
		}
		return c
	}
	for r.BeginObject(); r.More(); {
		key := string(r.Key())
		if seen[key] {
			r.Invalid("the key " + strconv.Quote(key) + " comes twice")
			break
		}
		seen[key] = true
		s := m.single(Use(key))
		switch {
		case key == "format":
			format = r.String()
		case key == "version":
			version = r.Int()
		case s != nil:
			*s = column(key)
		case key == "text" && r.Peek() == '"':
			m.Text = []string{column(key)}
		case key == "text":
			for r.BeginArray(); r.More(); {
				m.Text = append(m.Text, column(key))
			}
		default:
			r.Invalid("unknown member " + strconv.Quote(key) +
				": want format, version, id, title, text, date, category, url, language, query, grade")
		}
	}
	r.End()
	err := r.Err()
	var syntax *jsontext.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, fail(name, syntax.Line, err)
	case err != nil:
		return nil, fail(name, 0, err)
	case format != MappingFormat:
		return nil, fail(name, 0, fmt.Errorf("it is no mapping: want %q: %q", "format", MappingFormat))
	case version > MappingVersion:
		return nil, fail(name, 0, fmt.Errorf("version %d: a newer Rankbox saved this mapping, this one reads version "+
			"%d", version, MappingVersion))
	case version < 1:
		return nil, fail(name, 0, errors.New("it has no version: want \"version\": 1"))
	}
	if err := m.check(); err != nil {
		return nil, fail(name, 0, err)
	}
	return m, nil
}

// check says what is wrong with a mapping, whatever it is applied to.
func (m *Mapping) check() error {
	used := map[string]Use{}
	for _, u := range Uses {
		list := m.Text
		if s := m.single(u); s != nil {
			list = []string{*s}
		} else if u != ForText {
			continue
		}
		for _, c := range list {
			if before, ok := used[c]; ok && c != "" {
				return fmt.Errorf("the column %q is used twice, for %s and %s: choose one", c, before, u)
			}
			used[c] = u
		}
	}
	switch {
	case m.empty():
		return errors.New("no column is the text, the title or the query: choose one, otherwise there is nothing to " +
			"search")
	case m.Grade != "" && m.Query == "":
		return fmt.Errorf("the grade (column %q) is of a query and a document: choose the column of the query too",
			m.Grade)
	case m.Grade != "" && m.OnlyQueries():
		return fmt.Errorf("the grade (column %q) is of a query and a document: choose the column of the text or title "+
			"too", m.Grade)
	}
	return nil
}

// recognise returns the mapping that names and rows suggest. rows may be the first few.
func (r *rows) recognise(role Role) (m Mapping, err error) {
	if r.find([]string{"run", "system"}) >= 0 && r.find(measureNames) >= 0 && r.find(valueNames) >= 0 {
		return m, errScores
	}
	var used []int
	defer func() {
		for i, c := range r.columns {
			if !slices.Contains(used, i) {
				m.Unused = append(m.Unused, strconv.Quote(c))
			}
		}
	}()
	if role == Queries {
		id := r.find(queryIDNames)
		text := r.find(queryNames, id)
		if text < 0 {
			if text = r.widest([]int{id}); text < 0 {
				return m, fmt.Errorf("no column holds the text of queries: the columns are %s",
					strings.Join(quoted(r.columns), ", "))
			}
		}
		used = []int{id, text}
		m = Mapping{ID: r.name(id), Query: r.name(text)}
		return m, nil
	}
	query, grade := r.find(pairNames), r.grades()
	if query < 0 || grade < 0 {
		query, grade = -1, -1
	}
	id := r.find(idNames, query, grade)
	title := r.find(titleNames, id, query, grade)
	text := r.find(textNames, id, title, query, grade)
	date, category, url := r.find(dateNames), r.find(categoryNames, query), r.find(urlNames)
	language := r.find(languageNames)
	used = []int{id, title, date, category, url, language, query, grade}
	if text < 0 {
		text = r.widest(used)
	}
	if text < 0 && title < 0 {
		return m, fmt.Errorf("no column holds text: the columns are %s", strings.Join(quoted(r.columns), ", "))
	}
	used = append(used, text)
	m = Mapping{ID: r.name(id), Title: r.name(title), Date: r.name(date), Category: r.name(category), URL: r.name(url),
		Language: r.name(language), Query: r.name(query), Grade: r.name(grade)}
	if text >= 0 {
		m.Text = []string{r.name(text)}
	}
	return m, nil
}

var errScores = errors.New("it is a table of scores (run, query, measure, value) and holds no documents: " +
	"add it on Evaluate, with the runs")

// grades is the column of grades: by its name, and whole numbers in all of the first rows; −1 for none.
func (r *rows) grades() int {
	at := r.find(gradeNames)
	for i := range min(len(r.cells), 200) {
		if c := r.cell(i, at); at < 0 || c != "" && !whole(c) {
			return -1
		}
	}
	return at
}

func whole(s string) bool { _, err := grade(s); return err == nil }

// grade reads a grade: a whole number, with or without zeros behind a point.
func grade(s string) (int, error) {
	head, tail, _ := strings.Cut(s, ".")
	if strings.Trim(tail, "0") != "" {
		return 0, strconv.ErrSyntax
	}
	n, err := strconv.ParseInt(head, 10, 32)
	return int(n), err
}

// columns of a mapping in rows; −1 for none.
type places struct {
	id, title, date, category, url, language, query, grade int
	text                                                   []int
}

// place finds the columns of a mapping.
func (r *rows) place(m *Mapping) (p places, err error) {
	find := func(u Use, name string) int {
		if name == "" {
			return -1
		}
		i := slices.Index(r.columns, name)
		if i < 0 && err == nil {
			err = &lineError{r.header, fmt.Errorf("there is no column %q, which the mapping uses for %s; the columns "+
				"are %s. "+
				"Correct the mapping, or give the file that it was made for", name, u, strings.Join(quoted(r.columns),
				", "))}
		}
		return i
	}
	p = places{id: find(ForID, m.ID), title: find(ForTitle, m.Title), date: find(ForDate, m.Date),
		category: find(ForCategory, m.Category),
		url:      find(ForURL, m.URL), language: find(ForLanguage, m.Language), query: find(ForQuery, m.Query),
		grade: find(ForGrade, m.Grade)}
	for _, c := range m.Text {
		p.text = append(p.text, find(ForText, c))
	}
	return p, err
}

// rows makes documents, queries and grades of rows by a mapping, or by the one that is recognised.
func (out *Read) rows(r *rows, role Role, given *Mapping) error {
	m, err := r.recognise(role)
	if errors.Is(err, errScores) || len(r.cells) == 0 {
		return cmp.Or(err, errors.New("it has a header and no rows"))
	}
	if given != nil {
		m, err = *given, given.check()
		m.Unused = nil
		for _, c := range r.columns {
			if m.Of(c) == LeaveOut {
				m.Unused = append(m.Unused, strconv.Quote(c))
			}
		}
	}
	if err != nil {
		return err
	}
	out.Mapping = m
	p, err := r.place(&m)
	if err != nil {
		return err
	}
	if m.OnlyQueries() {
		return out.queries(r, p, given != nil)
	}
	return out.documents(r, p, given != nil)
}

func (out *Read) queries(r *rows, p places, strict bool) error {
	description, narrative := r.find([]string{"description", "desc"}, p.id, p.query), r.find([]string{"narrative",
		"narr"}, p.id, p.query)
	seen := map[string]int{}
	for i := range r.cells {
		q := collection.Query{ID: ID(r.cell(i, p.id)), Text: r.cell(i, p.query), Description: r.cell(i, description),
			Narrative: r.cell(i, narrative)}
		if q.Text == "" {
			continue
		}
		if first := seen[q.ID]; first > 0 && strict {
			return r.again(i, p.id, first)
		} else if q.ID == "" || p.id < 0 || first > 0 {
			q.ID = "q" + strconv.Itoa(i+1)
		}
		seen[q.ID] = r.lines[i]
		out.Queries = append(out.Queries, q)
	}
	if len(out.Queries) == 0 {
		return &lineError{r.header, fmt.Errorf("the column %q, used for the query, is empty in every row: choose "+
			"another one", out.Mapping.Query)}
	}
	return nil
}

// again is the error of an id that two rows have.
func (r *rows) again(row, id, first int) error {
	return &lineError{r.lines[row],
		fmt.Errorf("the id %q (column %q) is that of line %d too: choose another column for the id, "+
			"or none, and rows are numbered", say.Brief(r.cell(row, id), 60), r.name(id), first)}
}

// pairing gathers the queries of rows that each have a document and a query.
type pairing struct {
	queries map[string]string // text → id
	docs    map[string]int    // what tells documents apart → place
}

func (out *Read) documents(r *rows, p places, strict bool) error {
	seen := map[string]int{} // id → line
	var noID, noText, noDate tally
	pairs := pairing{map[string]string{}, map[string]int{}}
	languages := map[string]bool{}
	texts := 0
	for i := range r.cells {
		d := collection.Doc{ID: ID(r.cell(i, p.id)), Title: r.cell(i, p.title), Category: r.cell(i, p.category),
			URI: r.cell(i, p.url)}
		var parts []string
		for _, c := range p.text {
			if t := r.cell(i, c); t != "" {
				parts = append(parts, t)
			}
		}
		d.Text = strings.Join(parts, "\n\n")
		if d.Text != "" {
			texts++
		} else if d.Title == "" {
			noText.add(r.lines[i])
		}
		if day := r.cell(i, p.date); isDate(day) {
			d.Date = day[:10]
		} else if day != "" {
			noDate.add(r.lines[i])
		}
		if p.language >= 0 {
			languages[strings.ToLower(r.cell(i, p.language))] = true
		}
		if p.query >= 0 {
			if err := out.pair(r, p, i, d, &pairs, seen); err != nil {
				return err
			}
			continue
		}
		if d.ID == "" {
			d.ID = "row-" + strconv.Itoa(i+1)
			noID.add(r.lines[i])
		} else if first := seen[d.ID]; first > 0 && strict {
			return r.again(i, p.id, first)
		} else if first == 0 {
			seen[d.ID] = r.lines[i]
		}
		out.Docs = append(out.Docs, d)
	}
	if texts == 0 && strict && len(p.text) > 0 {
		return &lineError{r.header, fmt.Errorf("%s, used for the text, is empty in every row: choose another column "+
			"for the text",
			"the column "+strings.Join(quoted(out.Mapping.Text), " and "))}
	}
	if n := Unique(out.Docs); n > 0 {
		out.Warnings = append(out.Warnings, say.Count(n, "id was", "ids were")+" repeated and got a number added")
	}
	if p.id >= 0 {
		out.warn(noID, "row has no id and is numbered", "rows have no id and are numbered")
	}
	out.warn(noText, "row has neither title nor text", "rows have neither title nor text")
	out.warn(noDate, "date is not YYYY-MM-DD and was left out", "dates are not YYYY-MM-DD and were left out")
	if len(languages) == 1 {
		for l := range languages {
			out.Language = l
		}
	}
	return nil
}

// pair takes a row that has a document and a query.
func (out *Read) pair(r *rows, p places, i int, d collection.Doc, all *pairing, seen map[string]int) error {
	key := d.ID
	if p.id < 0 || key == "" {
		key = "\x00" + d.Title + "\x00" + d.Text
	}
	at, known := all.docs[key]
	if !known {
		at = len(out.Docs)
		if d.ID == "" {
			d.ID = "row-" + strconv.Itoa(i+1)
		}
		all.docs[key], seen[d.ID] = at, r.lines[i]
		out.Docs = append(out.Docs, d)
	} else if before := out.Docs[at]; before.Title != d.Title || before.Text != d.Text {
		return r.again(i, p.id, seen[before.ID])
	}
	text := r.cell(i, p.query)
	if text == "" {
		return nil
	}
	id := all.queries[text]
	if id == "" {
		id = "q" + strconv.Itoa(len(all.queries)+1)
		all.queries[text] = id
		out.Queries = append(out.Queries, collection.Query{ID: id, Text: text})
	}
	if p.grade < 0 || r.cell(i, p.grade) == "" {
		return nil
	}
	g, err := grade(r.cell(i, p.grade))
	if err != nil {
		return &lineError{r.lines[i], fmt.Errorf("the grade %q (column %q) is not a whole number: choose another "+
			"column, or leave it out",
			say.Brief(r.cell(i, p.grade), 40), r.name(p.grade))}
	}
	if out.Qrels == nil {
		out.Qrels = collection.NewQrels()
	}
	out.Qrels.Add(id, out.Docs[at].ID, g)
	return nil
}

// tally counts rows, and remembers the line of the first.
type tally struct{ n, first int }

func (t *tally) add(line int) {
	if t.n++; t.n == 1 {
		t.first = line
	}
}

func (out *Read) warn(t tally, one, many string) {
	if t.n > 0 {
		out.Warnings = append(out.Warnings, say.Count(t.n, one, many)+"; the first is in line "+strconv.Itoa(t.first))
	}
}

// analyzers are those of languages that have one of their own, by code and English name.
var analyzers = map[string]string{
	"fr": "snowball-french", "french": "snowball-french", "de": "snowball-german", "german": "snowball-german",
	"hu":        "snowball-hungarian",
	"hungarian": "snowball-hungarian", "no": "snowball-norwegian", "nb": "snowball-norwegian",
	"norwegian": "snowball-norwegian",
	"ru":        "snowball-russian", "russian": "snowball-russian", "es": "snowball-spanish",
	"spanish": "snowball-spanish",
	"sv":      "snowball-swedish",
	"swedish": "snowball-swedish", "ja": "cjk", "japanese": "cjk", "ko": "cjk", "korean": "cjk", "zh": "cjk",
	"chinese": "cjk",
}

// Analyzer is the analyzer of documents in a language, which is a code (de, de-CH) or an English name; "" for the
// default.
func Analyzer(language string) string {
	code, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(language), "_", "-"), "-")
	return analyzers[code]
}
