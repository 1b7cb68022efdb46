//go:build !first

package experiment

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/bm25"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/core/text"
)

// Growing is a collection that is being indexed, for those who search it meanwhile.
type Growing struct {
	Builder *index.Builder
	Docs    []collection.Doc
	Order   []uint32 // places in Docs, by ordinal
}

// Indexed is a ranking of the documents that are indexed so far.
type Indexed struct {
	Query         string
	Documents, Of int
	Hits          []Found
}

// Search ranks the documents that are indexed so far by BM25 with its usual settings, k at most, best first. Once all
// are indexed, the list is that of the finished collection. A text that has been given up has no excerpt.
func (g *Growing) Search(query string, k int) (*Indexed, error) {
	x := g.Builder.Excerpt(query)
	n, err := stage.Parse(stage.BM25.Name)
	if err != nil {
		return nil, err
	}
	r, err := bm25.New(x, stage.BM25Params(n))
	if err != nil {
		return nil, err
	}
	hits, err := r.Rank(rank.Query{Text: query}, k, nil, nil)
	if err != nil {
		return nil, err
	}
	an, err := text.At(x.Analyzer())
	if err != nil {
		return nil, err
	}
	mark := newMarker(an, query, func(term string) float64 { return idf(x, term) })
	out := &Indexed{Query: query, Documents: g.Builder.Docs(), Of: len(g.Order)}
	for _, h := range hits {
		d := &g.Docs[g.Order[h.Doc]]
		out.Hits = append(out.Hits, Found{Ordinal: int(h.Doc), ID: d.ID, Title: mark.whole(d.Title),
			Snippet: mark.excerpt(d.Text, mark.words(d.Text)), Score: h.Score})
	}
	return out, nil
}

// Wire walks the ranking.
func (x *Indexed) Wire(c *wire.Codec) {
	c.Fields(&x.Query, &x.Documents, &x.Of)
	wire.List(c, &x.Hits, func(f *Found) { f.wire(c, 0) })
}
