package workspace

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// Merged is what a collection becomes with the queries and judgments of a workspace.
type Merged struct {
	Queries   []collection.Query // the collection's own, then those that were added
	Judgments []bundle.Judgment  // in the order of Queries
	Own       []string           // ids of the queries that were added
	Theirs    []Judgment         // the collection's grades of documents that the workspace grades too
	Hash      string             // content hash of all; the collection's own if nothing was added
}

// Merge returns a collection together with what the workspace adds. It is an error if both have a query of one id.
func (w *Workspace) Merge(b *bundle.Bundle) (*Merged, error) {
	m := &Merged{Queries: slices.Clone(b.Queries), Hash: b.Manifest.Hash}
	place := map[string]int{}
	for i, q := range m.Queries {
		place[q.ID] = i
	}
	for _, q := range w.Queries() {
		if _, there := place[q.ID]; there {
			return nil, fault("%s has a query %q already", b.Manifest.Name, q.ID)
		}
		place[q.ID] = len(m.Queries)
		m.Queries = append(m.Queries, collection.Query{ID: q.ID, Text: q.Text})
		m.Own = append(m.Own, q.ID)
	}
	m.Judgments, m.Theirs = judged(w, b, place)
	if len(m.Own) > 0 || !slices.Equal(m.Judgments, b.Judgments) {
		m.Hash = m.digest(b.Manifest.Hash)
	}
	return m, nil
}

// judged returns the grades that count, and those of the collection that the workspace grades too.
func judged(w *Workspace, b *bundle.Bundle, place map[string]int) (counts []bundle.Judgment, theirs []Judgment) {
	var heads []string // of the layers that count
	grades := 0
	for _, h := range w.Layers() {
		if h.State != Hidden {
			heads = append(heads, h.ID)
			grades += w.Layer(h.ID).Graded()
		}
	}
	if grades == 0 && w.Collection().State != Hidden {
		return b.Judgments, nil
	}
	imported := make([]Judgment, len(b.Judgments))
	for i, j := range b.Judgments {
		imported[i] = Judgment{Query: b.Queries[j.Query].ID, Document: j.Doc, Grade: j.Grade, Graded: true}
		if slices.ContainsFunc(heads, func(id string) bool {
			_, graded := w.Layer(id).Grade(imported[i].Query, j.Doc)
			return graded
		}) {
			theirs = append(theirs, imported[i])
		}
	}
	for _, r := range w.Resolve(imported) {
		if i, ok := place[r.Query]; ok { // a grade of a query that was removed counts again when the query is back
			counts = append(counts, bundle.Judgment{Query: i, Doc: r.Document, Grade: r.Grade})
		}
	}
	slices.SortStableFunc(counts, func(x, y bundle.Judgment) int { return x.Query - y.Query })
	return counts, theirs
}

// digest is the content hash of the documents, whose own is given, with these queries and judgments.
func (m *Merged) digest(documents string) string {
	var s strings.Builder
	s.WriteString("adopted\n" + documents + "\n")
	for _, q := range m.Queries {
		s.WriteString(say.Visible(q.ID) + "\t" + q.Text + "\n")
	}
	for _, j := range m.Judgments {
		s.WriteString(say.Page.Int(j.Query) + "\t" + j.Doc + "\t" + say.Page.Grade(j.Grade) + "\n")
	}
	return Digest([]byte(s.String()))
}
