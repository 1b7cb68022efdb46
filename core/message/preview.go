//go:build !first

package message

import "github.com/rankbox/rankbox/core/wire"

// Preview says how files would be read, before a collection is made of them. It reads their beginnings alone.
const Preview Kind = 65

func init() { register[AskPreview, Previewed](Preview, false) }

// AskPreview names the files, the columns that were chosen in some of them, and how documents are split.
type AskPreview struct {
	Files    []File
	Mappings []FileMapping
	Limit    int    // bytes of one file after decompression, 0 for the usual
	Chunking string // as core/documents/chunk writes it, "" for whole documents
	Document int    // the place of the document that is shown, among those that are read
	From     string // the ID of a kept collection, whose documents are meant instead of files; "" for none
	Pages    Pages
}

// Pages says where fields of Markdown, HTML and text files are taken from.
type Pages struct {
	FileTitle      bool // the title is the file's name, not that of the front matter, the page or its first heading
	FolderCategory bool // the category is the folder's name if the front matter has none
}

// Wire walks the choice.
func (p *Pages) Wire(c *wire.Codec) { c.Fields(&p.FileTitle, &p.FolderCategory) }

// Field is a field of Markdown, HTML and text files: an example, and how many of those that were read have it.
type Field struct {
	Name, Example string
	Found         int
}

// FileMapping says how the columns of a file are used.
type FileMapping struct {
	File int    // its ID
	Used []Used // none: as the columns are recognised, whatever format the file could have otherwise
}

// Used is a column and what it is used for, as core/documents calls it. Texts are joined in the order of the list.
type Used struct{ Column, For string }

// Previewed is what the files hold. Without tables there is nothing to choose.
type Previewed struct {
	Tables    []Table
	Others    []string // what the other files are, a sentence each
	Documents int      // of all files, about
	Exact     bool     // Documents is exact
	Sample    Sample
	Fields    []Field // of Markdown, HTML and text files; none if there are no such files
	Pages     int     // how many of those were read
	// Queries and Judgments are how many there are, about, if the files hold no document; 0 otherwise.
	Queries, Judgments int
}

// Sample is a document as it is split, and how long the chunks of all documents are that were read. Of is 0 if there is
// none to show.
type Sample struct {
	At, Of          int // its place, from 0, and how many documents were read
	ID, Title       string
	Notes           []string // date, category and the like
	Pieces          []Piece  // the first chunks
	Chunks          int      // of this document
	All             int      // chunks of the documents that were read
	Median, Longest int      // their lengths in words
	Problem         string   // why documents cannot be split so, "" if they can
}

// Piece is a chunk as it is shown: what it repeats of the one before, and the rest. Long ones are cut.
type Piece struct {
	Again, Text string
	Words       int
}

// Table is the beginning of files with the same columns.
type Table struct {
	Files              []File
	Kind               string // "a table", "a JSON array of objects" …
	Columns            []Column
	Used               []Used // the mapping: as chosen, as a mapping file says, or as recognised
	From               string // name of the file that the mapping is from, "" for none
	Native             bool   // the files have a test collection's format, and Used is what it says
	Rows               []PreviewRow
	Read, About        int // rows read, and rows of the whole files
	Whole              bool
	Documents, Queries int // of the rows read
	Judgments          int
	Warnings           []string
	Problem            string // why the mapping does not fit, "" if it does
}

// Column is a column and in how many of the rows that were read it has a value.
type Column struct {
	Name   string
	Filled int
}

// PreviewRow is one of the first rows: its cells as read, cut, and the document or query that becomes of it.
type PreviewRow struct {
	Line      int
	Cells     []string
	ID, Title string
	Text      string
	Notes     []string // date, category and the like
}

// Given returns the files, for who sends them beside the message.
func (a *AskPreview) Given() []File { return a.Files }

// Wire walks the question.
func (a *AskPreview) Wire(c *wire.Codec) {
	wire.Structs(c, &a.Files)
	wire.Structs(c, &a.Mappings)
	c.Fields(&a.Limit, &a.Chunking, &a.Document, &a.From)
	a.Pages.Wire(c)
}

// Wire walks the mapping.
func (m *FileMapping) Wire(c *wire.Codec) { c.Int(&m.File); wire.Structs(c, &m.Used) }

// Wire walks the use.
func (u *Used) Wire(c *wire.Codec) { c.Fields(&u.Column, &u.For) }

// Wire walks the answer.
func (p *Previewed) Wire(c *wire.Codec) {
	wire.Structs(c, &p.Tables)
	c.Fields(&p.Others, &p.Documents, &p.Exact, &p.Queries, &p.Judgments)
	s := &p.Sample
	c.Fields(&s.At, &s.Of, &s.ID, &s.Title, &s.Notes, &s.Chunks, &s.All, &s.Median, &s.Longest, &s.Problem)
	c.Int(&p.Pages)
	wire.List(c, &p.Fields, func(x *Field) { c.Fields(&x.Name, &x.Example, &x.Found) })
	wire.List(c, &s.Pieces, func(x *Piece) { c.Fields(&x.Again, &x.Text, &x.Words) })
}

// Wire walks the table.
func (t *Table) Wire(c *wire.Codec) {
	wire.Structs(c, &t.Files)
	c.String(&t.Kind)
	wire.List(c, &t.Columns, func(x *Column) { c.Fields(&x.Name, &x.Filled) })
	wire.Structs(c, &t.Used)
	c.Fields(&t.From, &t.Native)
	wire.List(c, &t.Rows, func(r *PreviewRow) { c.Fields(&r.Line, &r.Cells, &r.ID, &r.Title, &r.Text, &r.Notes) })
	c.Fields(&t.Read, &t.About, &t.Whole, &t.Documents, &t.Queries, &t.Judgments, &t.Warnings, &t.Problem)
}
