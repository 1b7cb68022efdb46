//go:build !first

package message

import "github.com/rankbox/rankbox/core/wire"

// Preview says how files would be read, before a collection is made of them. It reads their beginnings alone.
const Preview Kind = 65

func init() { register[AskPreview, Previewed](Preview, false) }

// AskPreview names the files, and the columns that were chosen in some of them.
type AskPreview struct {
	Files    []File
	Mappings []FileMapping
	Limit    int // bytes of one file after decompression, 0 for the usual
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
	// Queries and Judgments are how many there are, about, if the files hold no document; 0 otherwise.
	Queries, Judgments int
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
	c.Int(&a.Limit)
}

// Wire walks the mapping.
func (m *FileMapping) Wire(c *wire.Codec) { c.Int(&m.File); wire.Structs(c, &m.Used) }

// Wire walks the use.
func (u *Used) Wire(c *wire.Codec) { c.Fields(&u.Column, &u.For) }

// Wire walks the answer.
func (p *Previewed) Wire(c *wire.Codec) {
	wire.Structs(c, &p.Tables)
	c.Fields(&p.Others, &p.Documents, &p.Exact, &p.Queries, &p.Judgments)
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
