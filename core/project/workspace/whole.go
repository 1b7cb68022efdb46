package workspace

import (
	"fmt"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// Fetch is a bundle.Fetch of the documents that the workspace holds.
func (w *Workspace) Fetch(f bundle.File) ([]byte, error) {
	if b, ok := w.Bundle[f.Name]; ok {
		return b, nil
	}
	return nil, fmt.Errorf("%s is missing", f.Name)
}

// Whole returns a workspace that holds its documents as one collection: the documents, the queries of both and the
// judgments that count. analyzer is the one that the documents were indexed with. It is an error if the workspace is
// about a collection that it does not hold.
func (w *Workspace) Whole() (c *collection.Collection, analyzer string, err error) {
	if w.Bundle == nil {
		return nil, "", fault("it holds no documents: it is about the collection %s", w.Documents.Collection)
	}
	m, err := bundle.ReadManifest(w.Bundle["manifest.json"])
	if err != nil {
		return nil, "", err
	}
	b, err := bundle.Open(m, w.Fetch)
	if err != nil {
		return nil, "", err
	}
	merged, err := w.Merge(b)
	if err != nil {
		return nil, "", err
	}
	c = &collection.Collection{Name: w.Name(), License: m.Licence, Source: m.Source, RemoveQuery: m.RemoveQuery,
		Queries: merged.Queries, Qrels: collection.NewQrels()}
	for d := 0; d < len(b.Cards); {
		texts, _, err := b.Texts(d, w.Fetch)
		if err != nil {
			return nil, "", err
		}
		for _, text := range texts {
			x := &b.Cards[d]
			c.Docs = append(c.Docs, collection.Doc{ID: x.ID, Title: x.Title, Text: text, Date: x.Date,
				Category: x.Category, Entities: x.Entities})
			d++
		}
	}
	added := map[string]Query{}
	for _, q := range w.Queries() {
		added[q.ID] = q
	}
	for i := range c.Queries {
		if q, ok := added[c.Queries[i].ID]; ok {
			c.Queries[i].Description, c.Queries[i].Narrative = q.Description, q.Narrative
		}
	}
	for _, j := range merged.Judgments {
		c.Qrels.Add(c.Queries[j.Query].ID, j.Doc, j.Grade)
	}
	return c, m.Analyzer, nil
}
