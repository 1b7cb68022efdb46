package upload

import (
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	screen "github.com/rankbox/rankbox/wasm/app/state/upload"
)

// pageChoices are the places that a field of Markdown, HTML and text files can be taken from.
func pageChoices(field string) []string {
	switch field {
	case "id":
		return []string{"file path"}
	case "title":
		return []string{"front matter or heading", "file name"}
	case "text":
		return []string{"body"}
	case "category":
		return []string{"front matter", "or folder name"}
	}
	return []string{"front matter"}
}

// Split shows the fields of documents, and how they are split.
type Split struct {
	Import *screen.Import
}

// Taken is the place in pageChoices that a field is taken from.
func (c *Split) Taken(field string) string {
	p := c.Import.Draft.Pages
	if field == "title" && p.FileTitle || field == "category" && p.FolderCategory {
		return "1"
	}
	return "0"
}

// TakeFrom takes a field from another place.
func (c *Split) TakeFrom(event vugu.DOMEvent, field string) {
	p, other := c.Import.Draft.Pages, event.PropString("target", "value") == "1"
	if field == "title" {
		p.FileTitle = other
	} else {
		p.FolderCategory = other
	}
	c.Import.TakeFrom(p)
}

// Ways are the ways to split documents.
func (c *Split) Ways() []screen.Way { return screen.Ways }

// SplitBy chooses one.
func (c *Split) SplitBy(event vugu.DOMEvent) {
	c.Import.SplitBy(event.PropString("target", "value"))
}

// WindowSaid is what windows are counted in.
func (c *Split) WindowSaid() string {
	unit := c.Import.Draft.Way.Unit
	return strings.ToUpper(unit[:1]) + unit[1:] + " a chunk"
}

// SetN sets how long a window is.
func (c *Split) SetN(event vugu.DOMEvent) {
	if n, err := strconv.Atoi(event.PropString("target", "value")); err == nil {
		c.Import.Window(n, c.Import.Draft.Way.Overlap)
	}
}

// SetOverlap sets how much a window repeats.
func (c *Split) SetOverlap(event vugu.DOMEvent) {
	if n, err := strconv.Atoi(event.PropString("target", "value")); err == nil {
		c.Import.Window(c.Import.Draft.Way.N, n)
	}
}

// SplitSaid says how many chunks there are, and how long.
func (c *Split) SplitSaid() string {
	x := c.Import.Draft.Seen.Sample
	if x.Of == 0 {
		return "These files have no preview. They are split when they are indexed."
	}
	if x.Problem != "" {
		return ""
	}
	lengths := "Median length " + say.Count(x.Median, "word", "words") + ", longest " +
		say.Count(x.Longest, "word", "words")
	n, exact := chunks(c.Import.Draft)
	if !exact {
		lengths += ", in the first " + say.Count(x.Of, "document", "documents")
	}
	if c.Import.Draft.Chunking() == "" {
		return lengths + "."
	}
	if documents := c.Import.Draft.Seen.Documents; exact {
		return say.Count(n, "chunk", "chunks") + " of " + say.Count(documents, "document", "documents") + ". " +
			lengths + "."
	}
	return "About " + say.Count(rounded(n), "chunk", "chunks") + ". " + lengths + "."
}

// ShowsSample says whether a document is shown as it is split. Rows of a table are shown beside its columns.
func (c *Split) ShowsSample() bool {
	p := c.Import.Draft.Seen
	return p.Sample.Of > 0 && p.Sample.Problem == "" && (len(p.Tables) == 0 || c.Import.Draft.Chunking() != "")
}

// SampleHead says what the preview shows.
func (c *Split) SampleHead() string {
	if c.Import.Draft.Chunking() == "" {
		return "Preview"
	}
	return say.Count(c.Import.Draft.Seen.Sample.Chunks, "chunk", "chunks") + " of this document"
}

// SamplePlace says which document is shown.
func (c *Split) SamplePlace() string {
	p := c.Import.Draft.Seen
	s := say.Page.Int(p.Sample.At+1) + " of "
	if p.Sample.Of != p.Documents {
		s += "the first "
	}
	return s + say.Page.Int(p.Sample.Of)
}

// SampleNotes are what is known of the document beside its title and text.
func (c *Split) SampleNotes() string {
	return strings.Join(c.Import.Draft.Seen.Sample.Notes, " · ")
}

// PieceSaid is the number of a chunk and its length.
func (c *Split) PieceSaid(i int) string {
	n := say.Count(c.Import.Draft.Seen.Sample.Pieces[i].Words, "word", "words")
	if c.Import.Draft.Chunking() == "" {
		return n
	}
	return "Chunk " + say.Page.Int(i+1) + ", " + n
}

// MorePieces says how many chunks are not shown.
func (c *Split) MorePieces() string {
	x := c.Import.Draft.Seen.Sample
	if more := x.Chunks - len(x.Pieces); more > 0 {
		return say.Count(more, "more chunk", "more chunks") + "."
	}
	return ""
}

// chunks is how many chunks all documents make, estimated from those that were read unless exact.
func chunks(d *screen.Draft) (n int, exact bool) {
	p := d.Seen
	if p.Sample.Of == 0 {
		return 0, false
	}
	exact = p.Exact && p.Sample.Of == p.Documents
	if exact || p.Documents < p.Sample.Of {
		return p.Sample.All, exact
	}
	return int(float64(p.Sample.All) / float64(p.Sample.Of) * float64(p.Documents)), false
}
