//go:build !first

package message

import "github.com/rankbox/rankbox/core/base/wire"

// Preview asks how files would be read, before a collection is made from them. It reads only their beginnings.
const Preview Kind = 65

func init() { register[AskPreview, Previewed](Preview, false) }

// AskPreview names the files, the chosen columns, and the chunking.
type AskPreview struct {
	Files    []File
	Mappings []FileMapping
	Limit    int    // maximum bytes of one file after decompression, 0 for the default
	Chunking string // in the notation of core/project/documents/chunk, "" for whole documents
	Document int    // index of the document to show
	From     string // ID of a stored collection, whose documents replace the files; "" for none
	Pages    Pages
}

// Pages selects the sources of fields of Markdown, HTML and text files.
type Pages struct {
	FileTitle      bool // the title is the file's name instead of that in the front matter, page or first heading
	FolderCategory bool // without front matter the category is the folder's name
}

// Wire codes the choice.
func (p *Pages) Wire(c *wire.Codec) { c.Fields(&p.FileTitle, &p.FolderCategory) }

// Field is a field of Markdown, HTML and text files, with an example and the number of sampled files that have it.
type Field struct {
	Name, Example string
	Found         int
}

// FileMapping maps the columns of a file.
type FileMapping struct {
	File int    // its ID
	Used []Used // empty: use the recognised columns, whatever format the file may have
}

// Used is a column with its use, in the terms of core/project/documents. Texts are joined in list order.
type Used struct{ Column, For string }

// Previewed describes the files. Without tables there is nothing to choose.
type Previewed struct {
	Tables    []Table
	Others    []string // descriptions of the other files, a sentence each
	Documents int      // approximate number in all files
	Exact     bool     // Documents is exact
	Sample    Sample
	Fields    []Field // of Markdown, HTML and text files, if there are any
	Pages     int     // number of these files sampled
	// Approximate numbers of queries and judgments if the files hold no documents; else 0.
	Queries, Judgments int
}

// Sample is a document split into chunks, with the chunk lengths of all sampled documents. Of is 0 if there is
// none.
type Sample struct {
	At, Of          int // its index, and the number of sampled documents
	ID, Title       string
	Notes           []string // date, category and similar fields
	Pieces          []Piece  // the first chunks
	Chunks          int      // of this document
	All             int      // chunks of the sampled documents
	Median, Longest int      // their lengths in words
	Problem         string   // why documents cannot be split like this, or ""
}

// Piece is a displayed chunk: the overlap with the previous one, and the rest. Long ones are shortened.
type Piece struct {
	Again, Text string
	Words       int
}

// Table is the beginning of files with equal columns.
type Table struct {
	Files              []File
	Kind               string // "a table", "a JSON array of objects" …
	Columns            []Column
	Used               []Used // the mapping: chosen, from a mapping file, or recognised
	From               string // name of the mapping file, "" for none
	Native             bool   // the files have a test collection's format, which Used describes
	Rows               []PreviewRow
	Read, About        int // rows read, and rows of the whole files
	Whole              bool
	Documents, Queries int // among the rows read
	Judgments          int
	Warnings           []string
	Problem            string // why the mapping does not fit, or ""
}

// Column is a column with the number of rows read that have a value.
type Column struct {
	Name   string
	Filled int
}

// PreviewRow is one of the first rows: its shortened cells, and the resulting document or query.
type PreviewRow struct {
	Line      int
	Cells     []string
	ID, Title string
	Text      string
	Notes     []string // date, category and similar fields
}

// Given returns the files to send beside the message.
func (a *AskPreview) Given() []File { return a.Files }

// Wire codes the question.
func (a *AskPreview) Wire(c *wire.Codec) {
	wire.Structs(c, &a.Files)
	wire.Structs(c, &a.Mappings)
	c.Fields(&a.Limit, &a.Chunking, &a.Document, &a.From)
	a.Pages.Wire(c)
}

// Wire codes the mapping.
func (m *FileMapping) Wire(c *wire.Codec) { c.Int(&m.File); wire.Structs(c, &m.Used) }

// Wire codes the use.
func (u *Used) Wire(c *wire.Codec) { c.Fields(&u.Column, &u.For) }

// Wire codes the answer.
func (p *Previewed) Wire(c *wire.Codec) {
	wire.Structs(c, &p.Tables)
	c.Fields(&p.Others, &p.Documents, &p.Exact, &p.Queries, &p.Judgments)
	s := &p.Sample
	c.Fields(&s.At, &s.Of, &s.ID, &s.Title, &s.Notes, &s.Chunks, &s.All, &s.Median, &s.Longest, &s.Problem)
	c.Int(&p.Pages)
	wire.List(c, &p.Fields, func(x *Field) { c.Fields(&x.Name, &x.Example, &x.Found) })
	wire.List(c, &s.Pieces, func(x *Piece) { c.Fields(&x.Again, &x.Text, &x.Words) })
}

// Wire codes the table.
func (t *Table) Wire(c *wire.Codec) {
	wire.Structs(c, &t.Files)
	c.String(&t.Kind)
	wire.List(c, &t.Columns, func(x *Column) { c.Fields(&x.Name, &x.Filled) })
	wire.Structs(c, &t.Used)
	c.Fields(&t.From, &t.Native)
	wire.List(c, &t.Rows, func(r *PreviewRow) { c.Fields(&r.Line, &r.Cells, &r.ID, &r.Title, &r.Text, &r.Notes) })
	c.Fields(&t.Read, &t.About, &t.Whole, &t.Documents, &t.Queries, &t.Judgments, &t.Warnings, &t.Problem)
}
