package upload

import (
	"path"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/documents"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
)

// mostColumns is how many columns of a table are listed.
const mostColumns = 50

// offer is a use of a column as a person reads it.
type offer struct{ Use, Said string }

var offers = func() (out []offer) {
	for _, u := range documents.Uses {
		o := offer{string(u), string(u)}
		switch u {
		case documents.LeaveOut:
			o.Said = "leave out"
		case documents.ForURL:
			o.Said = "URL"
		}
		out = append(out, o)
	}
	return out
}()

// Drafting says whether columns are shown that can be chosen.
func (c *Upload) Drafting() bool { return c.Upload.Draft != nil && c.Upload.Draft.Seen != nil }

// Importing names the files.
func (c *Upload) Importing() string {
	if d := c.Upload.Draft; d.From != "" {
		return "Split " + say.Brief(d.Name, 60) + " again"
	}
	files := c.Upload.Draft.Files
	name := path.Base(files[0].Name)
	if t := c.Upload.Draft.Seen.Tables; len(t) > 0 {
		name = path.Base(t[0].Files[0].Name)
	}
	if len(files) > 1 {
		return "Import " + say.Brief(name, 40) + " and " + say.Count(len(files)-1, "more file", "more files")
	}
	return "Import " + say.Brief(name, 60)
}

// Lede says how much was read.
func (c *Upload) Lede() string {
	if c.Upload.Distant() {
		return c.Judged() + ", but no documents."
	}
	p := c.Upload.Draft.Seen
	switch {
	case c.Upload.Draft.From != "":
		return "This makes a second collection of the same documents, with your queries and grades. The first " +
			"one stays."
	case len(p.Tables) == 0 && p.Pages > 0:
		s := say.Count(p.Pages, "document was read.", "documents were read.")
		if p.Pages < p.Documents {
			s = "The first " + say.Count(p.Pages, "document was read.", "documents were read.")
		}
		return s + " Check the fields, then build the index."
	case len(p.Tables) == 0:
		return "Each line is a document. Check the preview, then build the index."
	}
	read, whole := 0, true
	for _, t := range c.Upload.Draft.Seen.Tables {
		read += t.Read
		whole = whole && t.Whole
	}
	s := say.Count(read, "row was read.", "rows were read.")
	if !whole {
		s = "The first " + say.Count(read, "row was read.", "rows were read.")
	}
	return s + " Check how the columns are used, then build the index."
}

func (c *Upload) table(i int) *message.Table { return &c.Upload.Draft.Seen.Tables[i] }

// Of is a heading, with the name of the file if there are several tables.
func (c *Upload) Of(i int, head string) string {
	if len(c.Upload.Draft.Seen.Tables) == 1 {
		return head
	}
	return head + " of " + say.Brief(path.Base(c.table(i).Files[0].Name), 40)
}

// Row is the row that is shown of a table, nil if there is none.
func (c *Upload) Row(i int) *message.PreviewRow {
	rows := c.table(i).Rows
	if len(rows) == 0 {
		return nil
	}
	return &rows[min(c.Upload.Draft.Row, len(rows)-1)]
}

// RowName names it.
func (c *Upload) RowName(i int) string {
	r := c.Row(i)
	if r == nil {
		return "Example"
	}
	return "Line " + say.Page.Int(r.Line)
}

// Place says which of the first rows it is.
func (c *Upload) Place(i int) string {
	n := len(c.table(i).Rows)
	return "row " + strconv.Itoa(min(c.Upload.Draft.Row, n-1)+1) + " of the first " + strconv.Itoa(n)
}

// Notes are what is known of it beside title and text.
func (c *Upload) Notes(i int) string { return strings.Join(c.Row(i).Notes, " · ") }

// column is a column as it is shown.
type column struct{ Name, Use, Cell, Filled string }

// Columns are the first columns of a table.
func (c *Upload) Columns(i int) (out []column) {
	t, row := c.table(i), c.Row(i)
	for k, x := range t.Columns[:min(len(t.Columns), mostColumns)] {
		o := column{say.Brief(x.Name, 40), string(c.Upload.Draft.Use(t, x.Name)), "", say.Page.Int(x.Filled)}
		if row != nil && k < len(row.Cells) {
			o.Cell = say.Brief(row.Cells[k], 90)
		}
		out = append(out, o)
	}
	return out
}

// Note says where the uses are from, and which columns are not listed.
func (c *Upload) Note(i int) string {
	t := c.table(i)
	var s []string
	switch {
	case t.From != "":
		s = append(s, "Used as "+say.Visible(t.From)+" says.")
	case c.Upload.Draft.Chosen(t):
		s = append(s, "Your choice for these columns is remembered on this device.")
	}
	if t.Queries > 0 {
		n := say.Count(t.Queries, "query", "queries") + " and " + say.Count(t.Judgments, "judgment", "judgments")
		s = append(s, "The rows hold "+n+" too.")
	}
	if more := len(t.Columns) - mostColumns; more > 0 {
		s = append(s, say.Count(more, "more column", "more columns")+" can be used by a mapping file.")
	}
	if n := len(t.Files); n > 1 {
		s = append(s, say.Page.Int(n)+" files have these columns.")
	}
	return strings.Join(s, " ")
}

// Told are the warnings about a table, the first five.
func (c *Upload) Told(i int) []string {
	w := c.table(i).Warnings
	if len(w) > 5 {
		w = append(w[:5:5], "and "+say.Page.Int(len(w)-5)+" more")
	}
	out := make([]string, len(w))
	for k, s := range w {
		out[k] = say.Visible(s)
	}
	return out
}

// IndexLabel says what the button does.
func (c *Upload) IndexLabel() string {
	p := c.Upload.Draft.Seen
	if n, exact := c.chunks(); c.Upload.Draft.Chunking() != "" && n > 0 {
		if !exact {
			return "Index about " + say.Count(rounded(n), "chunk", "chunks")
		}
		return "Index " + say.Count(n, "chunk", "chunks")
	}
	switch {
	case p.Documents == 0:
		return "Index the documents"
	case p.Exact:
		return "Index " + say.Count(p.Documents, "document", "documents")
	}
	return "Index about " + say.Count(rounded(p.Documents), "document", "documents")
}

// rounded is a count to two digits: what is estimated from the first rows is no more exact.
func rounded(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

// Choose uses a column for something else.
func (c *Upload) Choose(event vugu.DOMEvent, table, column int) {
	c.Upload.Choose(table, column, documents.Use(event.PropString("target", "value")))
}

// Type takes what is typed of a new name.
func (c *Upload) Type(event vugu.DOMEvent) {
	c.Upload.NewName = event.PropString("target", "value")
	c.Upload.App.View.Draw()
}

// Key takes the name, or leaves it.
func (c *Upload) Key(event vugu.DOMEvent) {
	switch event.PropString("key") {
	case "Enter":
		c.Upload.Call(c.Upload.NewName)
	case "Escape":
		c.Upload.Call("")
	}
}

func columnID(table, column int) string { return "column-" + text(table) + "-" + text(column) }

func text(n int) string { return strconv.Itoa(n) }

func visible(s string) string { return say.Visible(s) }
