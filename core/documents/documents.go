// Package documents makes documents of ordinary files: tables with any column names, JSON in any of its layouts, lines
// of text, Markdown and HTML. It knows no test collection's format: those are core/collection's, which is asked first.
// It opens no file and indexes nothing.
//
// Order of the pipeline: the file's name and content → what it looks like → its rows or its one document → columns
// recognised by their names, or named by a Mapping → documents, queries and grades.
package documents

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/say"
)

// Limits bounds what is taken in; zero fields have the defaults given here.
type Limits struct {
	Bytes     int64 // of one file: 1 GiB
	Documents int   // 10,000,000
	Columns   int   // of a table or fields of an object: 1,000
}

func (l Limits) withDefaults() Limits {
	if l.Bytes <= 0 {
		l.Bytes = 1 << 30
	}
	if l.Documents <= 0 {
		l.Documents = 10_000_000
	}
	if l.Columns <= 0 {
		l.Columns = 1000
	}
	return l
}

// Read is what a file holds.
type Read struct {
	Kind    string // "Markdown", "a CSV table", …
	Docs    []collection.Doc
	Queries []collection.Query // of a file that was said to hold queries, or of a table with a column of them
	Qrels   *collection.Qrels  // of a table with columns of queries and grades, nil for none
	Mapping Mapping            // of tables and JSON
	// of all documents, as the column of languages has it, "" if they differ or there is none
	Language string
	Warnings []string
	Headings []int // of a Markdown or HTML file, which is one document: byte offsets of the headings in its text
}

// Role is what a file is read for.
type Role int

// The roles.
const (
	Documents Role = iota
	Queries
)

// RoleOf is the role that a file's name says: queries.csv holds queries.
func RoleOf(name string) Role {
	base, _, _ := strings.Cut(strings.ToLower(path.Base(name)), ".")
	for _, p := range []string{"queries", "query", "topics", "questions"} {
		if base == p || strings.HasPrefix(base, p+"-") || strings.HasPrefix(base, p+"_") ||
			strings.HasSuffix(base, "-"+p) || strings.HasSuffix(base, "_"+p) {
			return Queries
		}
	}
	return Documents
}

// Looks says what a file looks like, "" for nothing that is known.
func Looks(name string, b []byte) string {
	if bytes.IndexByte(b[:min(len(b), 4096)], 0) >= 0 || !utf8.Valid(b) {
		return ""
	}
	text := bytes.TrimPrefix(b, []byte("\ufeff"))
	start := bytes.TrimLeft(text, " \t\r\n")
	switch ext := strings.ToLower(path.Ext(name)); {
	case ext == ".md", ext == ".markdown", ext == ".mdx":
		return markdownKind
	case ext == ".html", ext == ".htm", ext == ".xhtml", hasFold(start, "<!doctype html"), hasFold(start, "<html"):
		return htmlKind
	case len(start) == 0:
		return ""
	case start[0] == '[':
		return arrayKind
	case start[0] == '{':
		return linesKind
	case ext == ".csv", ext == ".tsv", ext == ".tab":
		return tableKind
	}
	if sep := separator(start); sep != 0 && known(start, sep) {
		return tableKind
	}
	return textKind
}

// ErrNoText is that of a file which looks like nothing that is read.
var ErrNoText = errors.New("it is empty, or not text in UTF-8")

const (
	markdownKind = "Markdown"
	htmlKind     = "HTML"
	arrayKind    = "a JSON array of objects"
	linesKind    = "JSON, an object a line"
	tableKind    = "a table"
	textKind     = "lines of text"
)

func hasFold(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && strings.EqualFold(string(b[:len(prefix)]), prefix)
}

// File reads a file. whole says that a text is one document: it is one of several files. Otherwise each of its lines
// is.
func File(name string, b []byte, role Role, whole bool, lim Limits) (*Read, error) {
	return readFile(name, b, nil, role, whole, lim)
}

// Mapped reads a file with named columns by a mapping. A mapping that does not fit is an error: a column that is not
// there, an id that comes twice, a text that is empty everywhere, a grade that is no whole number.
func Mapped(name string, b []byte, m *Mapping, lim Limits) (*Read, error) {
	if looks := Looks(name, b); looks != tableKind && looks != arrayKind && looks != linesKind {
		return nil, fail(name, 0,
			errors.New("it has no columns that a mapping could name: it looks like "+cmp.Or(looks, "no text")))
	}
	return readFile(name, b, m, Documents, false, lim)
}

func readFile(name string, b []byte, m *Mapping, role Role, whole bool, lim Limits) (*Read, error) {
	lim = lim.withDefaults()
	if int64(len(b)) > lim.Bytes {
		return nil, fail(name, 0, fmt.Errorf("it has %s, more than %s", say.Bytes(int64(len(b))), say.Bytes(lim.Bytes)))
	}
	out := &Read{Kind: Looks(name, b)}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	var err error
	switch out.Kind {
	case "":
		return nil, fail(name, 0, ErrNoText)
	case markdownKind:
		var d collection.Doc
		d, out.Headings = markdown(name, string(b))
		out.Docs = []collection.Doc{d}
	case htmlKind:
		var d collection.Doc
		if d, out.Headings, err = page(name, b); err == nil {
			out.Docs = []collection.Doc{d}
		}
	case textKind:
		out.text(name, b, role, whole)
	default:
		var rows *rows
		if rows, err = readRows(out.Kind, b, lim); err == nil {
			err = out.rows(rows, role, m)
		}
	}
	if err != nil {
		return nil, placedIn(name, err)
	}
	if len(out.Docs)+len(out.Queries) > lim.Documents {
		return nil, fail(name, 0, fmt.Errorf("more than %d documents", lim.Documents))
	}
	return out, nil
}

func fail(name string, line int, err error) error {
	return &collection.ParseError{File: name, Line: line, Err: err}
}

// ID makes an id of a path: without what a TREC file cannot hold.
func ID(name string) string {
	id := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || r == utf8.RuneError {
			return '_'
		}
		return r
	}, strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/"))
	for len(id) > 512 {
		_, n := utf8.DecodeRuneInString(id)
		id = id[n:]
	}
	return id
}

// text makes documents, or queries, of lines.
func (out *Read) text(name string, b []byte, role Role, whole bool) {
	if whole && role == Documents {
		title := strings.TrimSuffix(path.Base(name), path.Ext(name))
		out.Docs = []collection.Doc{{ID: ID(name), Title: title, Text: strings.TrimSpace(string(b)), URI: name}}
		return
	}
	for i, line := range strings.Split(string(b), "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		id := "line-" + strconv.Itoa(i+1)
		if role == Queries {
			out.Queries = append(out.Queries, collection.Query{ID: "q" + strconv.Itoa(i+1), Text: line})
		} else {
			out.Docs = append(out.Docs, collection.Doc{ID: id, Text: line})
		}
	}
}

// Unique gives documents whose id another has had a number behind it, so that none is lost. It reports how many it
// renamed.
func Unique(docs []collection.Doc) (renamed int) {
	seen := make(map[string]bool, len(docs))
	for i := range docs {
		id := docs[i].ID
		for n := 2; seen[id]; n++ {
			id = docs[i].ID + "-" + strconv.Itoa(n)
		}
		if id != docs[i].ID {
			docs[i].ID = id
			renamed++
		}
		seen[id] = true
	}
	return renamed
}

// Root is the folder that all names begin with, with a slash at its end, "" for none.
func Root(names []string) string {
	if len(names) == 0 {
		return ""
	}
	root, _, ok := strings.Cut(names[0], "/")
	if !ok || slices.ContainsFunc(names, func(n string) bool { return !strings.HasPrefix(n, root+"/") }) {
		return ""
	}
	return root + "/"
}

// Readable says whether a file of a folder is one of documents by its name: what else lies there is passed over.
func Readable(name string) bool {
	for _, part := range strings.Split(name, "/") {
		if strings.HasPrefix(part, ".") || part == "node_modules" || part == "__MACOSX" {
			return false
		}
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx", ".html", ".htm", ".xhtml", ".txt", ".text", ".csv", ".tsv", ".json", ".jsonl",
		".ndjson":
		return true
	}
	return false
}
