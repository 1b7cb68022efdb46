package documents

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
)

// Reader is a kind of file that documents are read from. To add one, write its function and its line in Readers.
type Reader struct {
	Kind    string   // "Markdown"
	Endings []string // of names, with their dot, in lower case
	Gives   string   // what a file becomes
	Lost    string   // what is not read

	// starts says by the beginning of a text of any name, or of one of the endings if named, that this reads it; nil
	// for the endings alone
	starts func(start []byte, named bool) bool
	packed bool // the file is a zip, and no text
	table  bool // its columns can be chosen
	read   func(out *Read, f *file) error
}

// Readers are all kinds in the order in which they are tried: text, which anything may be, is the last.
var Readers []Reader

func init() {
	Readers = []Reader{
		{Kind: markdownKind, Endings: []string{".md", ".markdown", ".mdx"}, Gives: "a document; front matter, headings",
			Lost: "pictures", read: readMarkdown},
		{Kind: "a Word document", Endings: []string{".docx", ".docm"}, Gives: "a document; headings",
			Lost: "pictures, comments, headers and footers", packed: true, read: readWord},
		{Kind: "an OpenDocument text", Endings: []string{".odt"}, Gives: "a document; headings",
			Lost: "pictures, comments", packed: true, read: readOpenDocument},
		{Kind: "slides", Endings: []string{".pptx"}, Gives: "a document, slide after slide", Lost: "pictures, notes",
			packed: true, read: readSlides},
		{Kind: "an EPUB book", Endings: []string{".epub"}, Gives: "a document a chapter", Lost: "pictures", packed: true,
			read: readBook},
		{Kind: "an Excel sheet", Endings: []string{".xlsx", ".xlsm"}, Gives: "a document a row of the first sheet",
			Lost: "formulas (their last values are read), other sheets", packed: true, table: true},
		{Kind: "a notebook", Endings: []string{".ipynb"}, Gives: "a document; headings", Lost: "outputs",
			read: readNotebook},
		{Kind: "e-mail", Endings: []string{".eml", ".mbox"}, Gives: "a document a message", Lost: "attachments",
			starts: isMail, read: readMail},
		{Kind: htmlKind, Endings: []string{".html", ".htm", ".xhtml"}, Gives: "a document; headings",
			Lost: "menus, scripts, pictures", starts: isHTML, read: readHTML},
		{Kind: arrayKind, Endings: []string{".json"}, Gives: "a document an object", Lost: "lists of numbers",
			starts: begins('['), table: true},
		{Kind: linesKind, Endings: []string{".jsonl", ".ndjson", ".json"}, Gives: "a document a line; Elasticsearch bulk",
			Lost: "lists of numbers", starts: isLines, table: true},
		{Kind: objectKind, Endings: []string{".json"},
			Gives: "a document an object of its list: results, data, hits.hits, response.docs …", Lost: "lists of numbers",
			starts: begins('{'), table: true},
		{Kind: tableKind, Endings: []string{".csv", ".tsv", ".tab"}, Gives: "a document a row", Lost: "nothing",
			starts: isTable, table: true},
		{Kind: textKind, Endings: []string{".txt", ".text", ".rst", ".adoc", ".asciidoc", ".org", ".tex", ".log"},
			Gives: "a document", Lost: "nothing", starts: func([]byte, bool) bool { return true }, read: readText},
	}
}

const (
	markdownKind = "Markdown"
	htmlKind     = "HTML"
	arrayKind    = "a JSON array of objects"
	linesKind    = "JSON, an object a line"
	objectKind   = "a JSON object"
	tableKind    = "a table"
	textKind     = "text"
)

// file is what a reader reads.
type file struct {
	name  string
	b     []byte // a text in UTF-8, or the file as it is if it is packed
	role  Role
	lines bool // each line of a text is a document
	lim   Limits
}

// ending is that of a name in lower case, without that of a compression.
func ending(name string) string {
	name = strings.ToLower(name)
	return path.Ext(strings.TrimSuffix(name, ".gz"))
}

// lookedAt is how much of a text the readers look at to know it.
const lookedAt = 64 << 10

// readerOf returns the reader of a file by its name and beginning, nil for none; and its text, if it is one. cut says
// that b is the beginning of a longer file.
func readerOf(name string, b []byte, cut bool) (r *Reader, text []byte, charset string) {
	ext := ending(name)
	zip := bytes.HasPrefix(b, []byte("PK\x03\x04"))
	if !zip {
		if collection.Foreign(b) != "" || ext == ".npy" {
			return nil, nil, ""
		}
		var ok bool
		if text, charset, ok = decoded(b, cut); !ok {
			return nil, nil, ""
		}
	}
	start := bytes.TrimLeft(text[:min(len(text), lookedAt)], " \t\r\n")
	if !zip && plainText(name, start) {
		return &Readers[len(Readers)-1], text, charset
	}
	for i := range Readers {
		r := &Readers[i]
		named := slices.Contains(r.Endings, ext)
		switch {
		case r.packed != zip:
		case named && r.starts == nil, r.starts != nil && len(start) > 0 && r.starts(start, named):
			return r, text, charset
		}
	}
	return nil, text, charset
}

// Looks says what a file looks like, "" for nothing that is known.
func Looks(name string, b []byte) string {
	if r, _, _ := readerOf(name, b, true); r != nil {
		return r.Kind
	}
	return ""
}

func begins(c byte) func([]byte, bool) bool {
	return func(start []byte, _ bool) bool { return start[0] == c }
}

func isHTML(start []byte, named bool) bool {
	return named || hasFold(start, "<!doctype html") || hasFold(start, "<html")
}

// isTable says that a text is a table: by its name, or by a first line that names columns.
func isTable(start []byte, named bool) bool {
	if named {
		return true
	}
	sep := separator(start)
	return sep != 0 && known(start, sep)
}

// plainText says that a file is named as a text, which is one document whatever its lines look like: unless it is JSON
// or a page for certain, or a table as Excel writes "Unicode Text", with tabs in every line.
func plainText(name string, start []byte) bool {
	switch ending(name) {
	case ".txt", ".text", ".rst", ".adoc", ".asciidoc", ".org", ".tex", ".log":
	default:
		return false
	}
	if len(start) == 0 {
		return false
	}
	if start[0] == '[' && bytes.HasPrefix(bytes.TrimLeft(start[1:], " \t\r\n"), []byte("{")) || isLines(start, false) {
		return false
	}
	return !isHTML(start, false) && !(separator(start) == '\t' && known(start, '\t') && evenly(start))
}

// evenly says that the first lines have the same number of tabs, two of them at least.
func evenly(start []byte) bool {
	n, want := 0, -1
	for l := range bytes.Lines(start[:min(len(start), 4096)]) {
		if len(bytes.TrimSpace(l)) == 0 || !bytes.HasSuffix(l, []byte("\n")) {
			continue
		}
		tabs := bytes.Count(l, []byte("\t"))
		if want >= 0 && tabs != want {
			return false
		}
		want = tabs
		n++
	}
	return n > 1 && want > 0
}

// Native says in which format of test collections core/collection reads a file of documents, queries or judgments;
// Unknown if this package reads it. Nothing is ever a run here: who brings documents has none.
func Native(name string, head []byte) collection.Format {
	f := collection.Detect(head)
	r, text, charset := readerOf(name, head, true)
	switch {
	case f == collection.CorpusTREC, f == collection.Topics, r == nil && (f == collection.NPY || f == collection.Zip || ending(name) == ".npy"):
		return f
	case r == nil, charset != "UTF-8", r.read != nil && r.Kind != textKind:
		return collection.Unknown
	}
	switch role := RoleOf(name); {
	case role == Queries:
		switch f {
		case collection.QueriesTSV, collection.QueriesJSONL, collection.QueriesCSV, collection.BenchmarkJSON,
			collection.DatasetJSON, collection.JudgedQueryJSON:
			return f
		}
		return collection.Unknown
	case role == Judgments:
		return f
	}
	switch f {
	case collection.DatasetJSON, collection.BenchmarkJSON, collection.JudgedQueryJSON, collection.CorpusJSONL,
		collection.QueriesJSONL, collection.CorpusCSV, collection.CorpusTSV:
		return f
	case collection.QueriesTSV:
		if ext := ending(name); ext == ".tsv" || ext == ".tab" || idAndText(text) {
			return f
		}
	case collection.QrelsTSV, collection.QrelsCSV, collection.QrelsTREC, collection.QueriesCSV:
		if !plainText(name, text) {
			return f
		}
	}
	return collection.Unknown
}

// Known says whether core/collection reads a file, of which head is the beginning and size the length, and what it is
// told to prefer; otherwise File reads it. The error is that of a table that holds no documents.
func Known(name string, head []byte, size int64) (prefer collection.Format, known bool, err error) {
	native := Native(name, head)
	switch RoleOf(name) {
	case Judgments:
		return collection.QrelsTREC, native != collection.Unknown, nil
	case Queries:
		return collection.Unknown, native != collection.Unknown, nil
	}
	t, err := Peek(name, head, size)
	return collection.CorpusJSONL, native != collection.Unknown && (t == nil || t.Native), err
}

// IsPage says that a file is a document, or several, whose columns nobody chooses.
func IsPage(name string, head []byte) bool {
	r, _, _ := readerOf(name, head, true)
	return r != nil && !r.table && RoleOf(name) == Documents && Native(name, head) == collection.Unknown
}

// idAndText says that every line is an id without white space, a tab and a text.
func idAndText(text []byte) bool {
	n := 0
	for l := range bytes.Lines(text) {
		if len(bytes.TrimSpace(l)) == 0 || !bytes.HasSuffix(l, []byte("\n")) {
			continue
		}
		id, rest, some := bytes.Cut(l, []byte("\t"))
		if !some || len(id) == 0 || bytes.ContainsAny(id, " \t") || bytes.IndexByte(rest, '\t') >= 0 {
			return false
		}
		n++
	}
	return n > 0
}
