// Package documents makes documents of ordinary files: tables with any column names, JSON in any of its layouts, lines
// of text, Markdown and HTML. It knows no test collection's format: those are core/collection's, which is asked first.
// It opens no file and indexes nothing.
//
// Order of the pipeline: the file's name and content → what it looks like → its rows or its one document → columns
// recognised by their names, or named by a Mapping → documents, queries and grades.
package documents

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
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
	Judgments
)

// RoleOf is the role that a file's name says: queries.csv holds queries, qrels/test.tsv judgments.
func RoleOf(name string) Role {
	base, rest, _ := strings.Cut(strings.ToLower(path.Base(name)), ".")
	is := func(words ...string) bool {
		return slices.ContainsFunc(words, func(p string) bool {
			return base == p || strings.HasPrefix(base, p+"-") || strings.HasPrefix(base, p+"_") ||
				strings.HasSuffix(base, "-"+p) || strings.HasSuffix(base, "_"+p)
		})
	}
	switch {
	case is("queries", "query", "topics", "questions"):
		return Queries
	case is("qrels", "judgments", "judgements"), rest == "qrels", rest == "qrel", path.Base(path.Dir(name)) == "qrels":
		return Judgments
	}
	return Documents
}

// ErrNoText is that of a file which looks like nothing that is read.
var ErrNoText = errors.New("it is empty, or no text")

func hasFold(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && strings.EqualFold(string(b[:len(prefix)]), prefix)
}

// File reads a file. lines says that each line of a text is a document; otherwise the text is one.
func File(name string, b []byte, role Role, lines bool, lim Limits) (*Read, error) {
	return readFile(name, b, nil, role, lines, lim)
}

// Mapped reads a file with named columns by a mapping. A mapping that does not fit is an error: a column that is not
// there, an id that comes twice, a text that is empty everywhere, a grade that is no number.
func Mapped(name string, b []byte, m *Mapping, lim Limits) (*Read, error) {
	if r, _, _ := readerOf(name, b, false); r == nil || !r.table {
		return nil, fail(name, 0,
			errors.New("it has no columns that a mapping could name: it looks like "+cmp.Or(Looks(name, b), "no text")))
	}
	return readFile(name, b, m, Documents, false, lim)
}

func readFile(name string, b []byte, m *Mapping, role Role, lines bool, lim Limits) (*Read, error) {
	lim = lim.withDefaults()
	if int64(len(b)) > lim.Bytes {
		return nil, fail(name, 0, fmt.Errorf("it has %s, more than %s", say.Bytes(int64(len(b))), say.Bytes(lim.Bytes)))
	}
	r, text, charset := readerOf(name, b, false)
	switch {
	case len(b) == 0:
		return nil, fail(name, 0, errors.New("empty file"))
	case r == nil:
		if what := collection.Foreign(b); what != "" {
			return nil, fail(name, 0, errors.New("it is "+what))
		}
		return nil, fail(name, 0, ErrNoText)
	}
	out := &Read{Kind: r.Kind}
	if charset != "" && charset != "UTF-8" {
		out.Warnings = append(out.Warnings, "read as "+charset)
	}
	if !r.packed {
		b = text
	}
	f := &file{name, b, role, lines, lim}
	var err error
	if r.table {
		var rows *rows
		if rows, err = readRows(r.Kind, f); err == nil {
			err = out.rows(rows, role, m)
		}
	} else {
		err = r.read(out, f)
	}
	if err != nil {
		return nil, placedIn(name, err)
	}
	if len(out.Docs)+len(out.Queries) > lim.Documents {
		return nil, fail(name, 0, fmt.Errorf("more than %d documents", lim.Documents))
	}
	return out, nil
}

// readMarkdown and readHTML make one document of a file.
func readMarkdown(out *Read, f *file) error {
	d, headings := markdown(f.name, string(f.b))
	out.Docs, out.Headings = []collection.Doc{d}, headings
	return nil
}

func readHTML(out *Read, f *file) error {
	d, headings, err := page(f.name, f.b)
	out.Docs, out.Headings = []collection.Doc{d}, headings
	return err
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

// readText makes a document of a text, or documents or queries of its lines.
func readText(out *Read, f *file) error {
	if !f.lines && f.role == Documents {
		title := strings.TrimSuffix(path.Base(f.name), path.Ext(f.name))
		out.Docs = []collection.Doc{{ID: ID(f.name), Title: title, Text: strings.TrimSpace(string(f.b)), URI: f.name}}
		return nil
	}
	for i, line := range strings.Split(string(f.b), "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		id := "line-" + strconv.Itoa(i+1)
		if f.role == Queries {
			out.Queries = append(out.Queries, collection.Query{ID: "q" + strconv.Itoa(i+1), Text: line})
		} else {
			out.Docs = append(out.Docs, collection.Doc{ID: id, Text: line})
		}
	}
	return nil
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

// Hidden says that a file is part of a machinery and not of the documents: hidden, of a package manager, or a lock
// file.
func Hidden(name string) bool {
	for _, part := range strings.Split(name, "/") {
		if strings.HasPrefix(part, ".") || part == "node_modules" || part == "__MACOSX" || part == "__pycache__" {
			return true
		}
	}
	switch base := strings.ToLower(path.Base(name)); {
	case base == "thumbs.db", base == "desktop.ini", strings.HasPrefix(base, "~$"), strings.HasSuffix(base, ".lock"),
		strings.HasSuffix(base, "-lock.json"), strings.HasSuffix(base, "-lock.yaml"), base == "npm-shrinkwrap.json":
		return true
	}
	return false
}

// Readable says whether a file of a folder is one of documents by its name: what else lies there is passed over.
func Readable(name string) bool {
	ext := ending(name)
	switch ext {
	case ".trec", ".sgml", ".sgm", ".qrels", ".qrel":
		return !Hidden(name)
	case "":
		return strings.EqualFold(path.Base(name), "readme") && !Hidden(name)
	}
	return !Hidden(name) && slices.ContainsFunc(Readers, func(r Reader) bool { return slices.Contains(r.Endings, ext) })
}

// Passed says in one sentence which files were passed over, by kind; "" for none.
func Passed(names []string) string {
	kinds := map[string]int{}
	for _, name := range names {
		kind := ending(name)
		switch {
		case Hidden(name):
			kind = "hidden or of a tool"
		case ending(name) == "":
			kind = "without an ending"
		}
		kinds[kind]++
	}
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		parts = append(parts, strconv.Itoa(kinds[kind])+" "+kind)
	}
	if len(parts) == 0 {
		return ""
	}
	return say.Count(len(names), "file was", "files were") + " passed over: " + say.Few(parts, 12)
}
