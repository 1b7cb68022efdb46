package upload

import (
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/experiment"
	screen "github.com/rankbox/rankbox/wasm/app/state/upload"
)

// Indexed is the search of a collection that is being indexed.
type Indexed struct {
	Indexed *screen.Indexed
}

// Type searches for the query in the field.
func (c *Indexed) Type(event vugu.DOMEvent) { c.Indexed.Search(event.PropString("target", "value")) }

// Said says of how many documents the list is.
func (c *Indexed) Said() string {
	x := c.Indexed.List
	if len(x.Hits) == 0 {
		return "None of the " + say.Count(x.Documents, "document", "documents") +
			" indexed so far has a word of the query."
	}
	return "BM25 over " + say.Thousands(x.Documents) + " of " + say.Count(x.Of, "document", "documents")
}

// title is the title of a document, its id if it has none.
func title(f experiment.Found) []experiment.Segment {
	for _, s := range f.Title {
		if strings.TrimSpace(s.Text) != "" {
			return f.Title
		}
	}
	return []experiment.Segment{{Text: f.ID}}
}
