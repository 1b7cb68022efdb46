package upload

import (
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/say"
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

// Taken is the place in pageChoices that a field is taken from.
func (c *Upload) Taken(field string) string {
	p := c.Upload.Draft.Pages
	if field == "title" && p.FileTitle || field == "category" && p.FolderCategory {
		return "1"
	}
	return "0"
}

// TakeFrom takes a field from another place.
func (c *Upload) TakeFrom(event vugu.DOMEvent, field string) {
	p, other := c.Upload.Draft.Pages, event.PropString("target", "value") == "1"
	if field == "title" {
		p.FileTitle = other
	} else {
		p.FolderCategory = other
	}
	c.Upload.TakeFrom(p)
}

// Ways are the ways to split documents.
func (c *Upload) Ways() []screen.Way { return screen.Ways }

// SplitBy chooses one.
func (c *Upload) SplitBy(event vugu.DOMEvent) { c.Upload.SplitBy(event.PropString("target", "value")) }

// WindowSaid is what windows are counted in.
func (c *Upload) WindowSaid() string {
	unit := c.Upload.Draft.Way.Unit
	return strings.ToUpper(unit[:1]) + unit[1:] + " a chunk"
}

// SetN sets how long a window is.
func (c *Upload) SetN(event vugu.DOMEvent) {
	if n, err := strconv.Atoi(event.PropString("target", "value")); err == nil {
		c.Upload.Window(n, c.Upload.Draft.Way.Overlap)
	}
}

// SetOverlap sets how much a window repeats.
func (c *Upload) SetOverlap(event vugu.DOMEvent) {
	if n, err := strconv.Atoi(event.PropString("target", "value")); err == nil {
		c.Upload.Window(c.Upload.Draft.Way.N, n)
	}
}

// chunks is how many chunks all documents make, estimated from those that were read unless exact.
func (c *Upload) chunks() (n int, exact bool) {
	p := c.Upload.Draft.Seen
	if p.Sample.Of == 0 {
		return 0, false
	}
	exact = p.Exact && p.Sample.Of == p.Documents
	if exact || p.Documents < p.Sample.Of {
		return p.Sample.All, exact
	}
	return int(float64(p.Sample.All) / float64(p.Sample.Of) * float64(p.Documents)), false
}

// SplitSaid says how many chunks there are, and how long.
func (c *Upload) SplitSaid() string {
	x := c.Upload.Draft.Seen.Sample
	if x.Of == 0 {
		return "These files have no preview. They are split when they are indexed."
	}
	if x.Problem != "" {
		return ""
	}
	lengths := "Median length " + say.Count(x.Median, "word", "words") + ", longest " +
		say.Count(x.Longest, "word", "words")
	n, exact := c.chunks()
	if !exact {
		lengths += ", in the first " + say.Count(x.Of, "document", "documents")
	}
	if c.Upload.Draft.Chunking() == "" {
		return lengths + "."
	}
	if documents := c.Upload.Draft.Seen.Documents; exact {
		return say.Count(n, "chunk", "chunks") + " of " + say.Count(documents, "document", "documents") + ". " +
			lengths + "."
	}
	return "About " + say.Count(rounded(n), "chunk", "chunks") + ". " + lengths + "."
}

// ShowsSample says whether a document is shown as it is split. Rows of a table are shown beside its columns.
func (c *Upload) ShowsSample() bool {
	p := c.Upload.Draft.Seen
	return p.Sample.Of > 0 && p.Sample.Problem == "" && (len(p.Tables) == 0 || c.Upload.Draft.Chunking() != "")
}

// SampleHead says what the preview shows.
func (c *Upload) SampleHead() string {
	if c.Upload.Draft.Chunking() == "" {
		return "Preview"
	}
	return say.Count(c.Upload.Draft.Seen.Sample.Chunks, "chunk", "chunks") + " of this document"
}

// SamplePlace says which document is shown.
func (c *Upload) SamplePlace() string {
	p := c.Upload.Draft.Seen
	s := say.Page.Int(p.Sample.At+1) + " of "
	if p.Sample.Of != p.Documents {
		s += "the first "
	}
	return s + say.Page.Int(p.Sample.Of)
}

// SampleNotes are what is known of the document beside its title and text.
func (c *Upload) SampleNotes() string { return strings.Join(c.Upload.Draft.Seen.Sample.Notes, " · ") }

// PieceSaid is the number of a chunk and its length.
func (c *Upload) PieceSaid(i int) string {
	n := say.Count(c.Upload.Draft.Seen.Sample.Pieces[i].Words, "word", "words")
	if c.Upload.Draft.Chunking() == "" {
		return n
	}
	return "Chunk " + say.Page.Int(i+1) + ", " + n
}

// MorePieces says how many chunks are not shown.
func (c *Upload) MorePieces() string {
	x := c.Upload.Draft.Seen.Sample
	if more := x.Chunks - len(x.Pieces); more > 0 {
		return say.Count(more, "more chunk", "more chunks") + "."
	}
	return ""
}

// Chunkings says that ways of splitting the open collection can be compared, "" if nothing here is split.
func (c *Upload) Chunkings() string {
	o, s := c.Upload.App.Engine.Opened, c.Upload.Shelf
	if o == nil || s == nil || !strings.HasPrefix(o.Ref.ID, "upload-") || len(s.List) < 2 || len(o.Queries) == 0 {
		return ""
	}
	for _, x := range s.List {
		if x.Chunked {
			return "The documents of " + say.Visible(o.Ref.Name) + ", split in every way that is saved here:"
		}
	}
	return ""
}
