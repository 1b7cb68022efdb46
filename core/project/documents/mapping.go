package documents

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
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
