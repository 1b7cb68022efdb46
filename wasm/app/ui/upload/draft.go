package upload

import (
	"path"
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
)

// Drafting says whether columns are shown that can be chosen.
func (c *Upload) Drafting() bool {
	return c.Upload.Import.Draft != nil && c.Upload.Import.Draft.Seen != nil
}

// Importing names the files.
func (c *Upload) Importing() string {
	if d := c.Upload.Import.Draft; d.From != "" {
		return "Split " + say.Brief(d.Name, 60) + " again"
	}
	files := c.Upload.Import.Draft.Files
	name := path.Base(files[0].Name)
	if t := c.Upload.Import.Draft.Seen.Tables; len(t) > 0 {
		name = path.Base(t[0].Files[0].Name)
	}
	if len(files) > 1 {
		return "Import " + say.Brief(name, 40) + " and " + say.Count(len(files)-1, "more file", "more files")
	}
	return "Import " + say.Brief(name, 60)
}

// Lede says how much was read.
func (c *Upload) Lede() string {
	if c.Upload.Import.Draft.Distant() {
		return c.Judged() + ", but no documents."
	}
	p := c.Upload.Import.Draft.Seen
	switch {
	case c.Upload.Import.Draft.From != "":
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
	for _, t := range c.Upload.Import.Draft.Seen.Tables {
		read += t.Read
		whole = whole && t.Whole
	}
	s := say.Count(read, "row was read.", "rows were read.")
	if !whole {
		s = "The first " + say.Count(read, "row was read.", "rows were read.")
	}
	return s + " Check how the columns are used, then build the index."
}

// IndexLabel says what the button does.
func (c *Upload) IndexLabel() string {
	p := c.Upload.Import.Draft.Seen
	if n, exact := chunks(c.Upload.Import.Draft); c.Upload.Import.Draft.Chunking() != "" && n > 0 {
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

// Type takes what is typed of a new name.
func (c *Upload) Type(event vugu.DOMEvent) {
	c.Upload.Shelf.NewName = event.PropString("target", "value")
	c.Upload.App.View.Draw()
}

// Key takes the name, or leaves it.
func (c *Upload) Key(event vugu.DOMEvent) {
	switch event.PropString("key") {
	case "Enter":
		c.Upload.Shelf.Call(c.Upload.Shelf.NewName)
	case "Escape":
		c.Upload.Shelf.Call("")
	}
}

func text(n int) string { return strconv.Itoa(n) }

func visible(s string) string { return say.Visible(s) }
