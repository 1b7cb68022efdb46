package bundle

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
)

// Search needs no notes on documents and queries, so they have two files of their own: "needs" (a query's
// information need and its relevance criteria) and "news" (time, byline, story, what an article updates or
// repeats). A bundle without notes omits the files, as older bundles do.

// Need is the information need behind a query.
type Need struct {
	Description string // the information need in a sentence
	Narrative   string // what is relevant and what is not
}

type (
	needFile []Need            // by index of the query
	newsFile []collection.News // by ordinal
)

func (f *needFile) Wire(c *wire.Codec) {
	wire.List(c, (*[]Need)(f), func(n *Need) {
		c.Fields(&n.Description, &n.Narrative)
	})
}

func (f *newsFile) Wire(c *wire.Codec) {
	wire.List(c, (*[]collection.News)(f), func(n *collection.News) {
		c.Fields(&n.Time, &n.Byline, &n.Story, &n.DuplicateOf, &n.Updates)
	})
}

// needsOf returns the information needs of the queries, or nil if none is known.
func needsOf(queries []collection.Query) needFile {
	out, some := make(needFile, len(queries)), false
	for i, q := range queries {
		out[i] = Need{q.Description, q.Narrative}
		some = some || out[i] != Need{}
	}
	if !some {
		return nil
	}
	return out
}

// Needs fetches the information needs, by index of the query, or nil if the bundle has none.
func (b *Bundle) Needs(fetch Fetch) ([]Need, error) {
	var f needFile
	if _, ok := b.Manifest.File("needs"); !ok {
		return nil, nil
	}
	if err := b.Manifest.read("needs", fetch, &f); err != nil {
		return nil, err
	}
	if len(f) != len(b.Queries) {
		return nil, say.Faultf("bundle", "%s: needs of %d queries, there are %d", b.Manifest.ID, len(f), len(b.Queries))
	}
	return f, nil
}

// News fetches the notes on the documents, by ordinal, or nil if the bundle has none.
func (b *Bundle) News(fetch Fetch) ([]collection.News, error) {
	var f newsFile
	if _, ok := b.Manifest.File("news"); !ok {
		return nil, nil
	}
	if err := b.Manifest.read("news", fetch, &f); err != nil {
		return nil, err
	}
	if len(f) != len(b.Cards) {
		return nil, say.Faultf("bundle", "%s: news of %d documents, there are %d", b.Manifest.ID, len(f), len(b.Cards))
	}
	return f, nil
}
