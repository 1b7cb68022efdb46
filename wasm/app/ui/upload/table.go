package upload

import (
	"path"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/documents"
	screen "github.com/rankbox/rankbox/wasm/app/state/upload"
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

// Table shows how the columns of files are used, and their first rows.
type Table struct {
	Import *screen.Import
	At     int // which of the tables
}

func (c *Table) table() *message.Table { return &c.Import.Draft.Seen.Tables[c.At] }

// Of is a heading, with the name of the file if there are several tables.
func (c *Table) Of(head string) string {
	if len(c.Import.Draft.Seen.Tables) == 1 {
		return head
	}
	return head + " of " + say.Brief(path.Base(c.table().Files[0].Name), 40)
}

// Row is the row that is shown of a table, nil if there is none.
func (c *Table) Row() *message.PreviewRow {
	rows := c.table().Rows
	if len(rows) == 0 {
		return nil
	}
	return &rows[min(c.Import.Draft.Row, len(rows)-1)]
}

// RowName names it.
func (c *Table) RowName() string {
	r := c.Row()
	if r == nil {
		return "Example"
	}
	return "Line " + say.Page.Int(r.Line)
}

// Place says which of the first rows it is.
func (c *Table) Place() string {
	n := len(c.table().Rows)
	return "row " + strconv.Itoa(min(c.Import.Draft.Row, n-1)+1) + " of the first " + strconv.Itoa(n)
}

// Notes are what is known of it beside title and text.
func (c *Table) Notes() string { return strings.Join(c.Row().Notes, " · ") }

// column is a column as it is shown.
type column struct{ Name, Use, Cell, Filled string }

// Columns are the first columns of a table.
func (c *Table) Columns() (out []column) {
	t, row := c.table(), c.Row()
	for k, x := range t.Columns[:min(len(t.Columns), mostColumns)] {
		o := column{say.Brief(x.Name, 40), string(c.Import.Draft.Use(t, x.Name)), "", say.Page.Int(x.Filled)}
		if row != nil && k < len(row.Cells) {
			o.Cell = say.Brief(row.Cells[k], 90)
		}
		out = append(out, o)
	}
	return out
}

// Note says where the uses are from, and which columns are not listed.
func (c *Table) Note() string {
	t := c.table()
	var s []string
	switch {
	case t.From != "":
		s = append(s, "Used as "+say.Visible(t.From)+" says.")
	case c.Import.Draft.Chosen(t):
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
func (c *Table) Told() []string {
	w := c.table().Warnings
	if len(w) > 5 {
		w = append(w[:5:5], "and "+say.Page.Int(len(w)-5)+" more")
	}
	out := make([]string, len(w))
	for k, s := range w {
		out[k] = say.Visible(s)
	}
	return out
}

// Choose uses a column for something else.
func (c *Table) Choose(event vugu.DOMEvent, column int) {
	c.Import.Choose(c.At, column, documents.Use(event.PropString("target", "value")))
}

func columnID(table, column int) string { return "column-" + text(table) + "-" + text(column) }
