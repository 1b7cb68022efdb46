package anchor

import (
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/project/documents/chunk"
)

// Units are what is ranked and graded: documents, or their chunks.
type Units struct {
	Texts  Texts
	Chunks []chunk.Chunk // nil if documents are ranked
}

// Grades are the grades of labels on the units. Of several for one document the highest counts.
func (u Units) Grades(labels []chunk.Label) *collection.Qrels {
	if u.Chunks != nil {
		grades, _ := chunk.Grades(u.Chunks, labels)
		return grades
	}
	out := collection.NewQrels()
	for _, l := range labels {
		if old, ok := out.Grade(l.Query, l.Document); !ok || l.Grade > old {
			out.Add(l.Query, l.Document, l.Grade)
		}
	}
	return out
}

// Translate returns an earlier run under new ids. A chunk is anchored like a label and becomes the new chunk that
// shares most with it; a document gets its new id. If several become one, the first counts. A chunk that is not found
// keeps its rank under an unused id, so it is not judged. Scores are descending ranks.
func Translate(run *collection.Run, old, new Units, renamed map[string]string) *collection.Run {
	places := old.places(new, renamed)
	taken := map[string]bool{}
	for i := range new.Chunks {
		taken[new.Chunks[i].ID] = true
	}
	b := collection.NewRunBuilder(run.Tag)
	var entries []collection.Entry
	for i, q := range run.Queries() {
		_ = b.Touch(q) // it fails on more queries than a run may have, which this run has not
		entries = run.Ranked(i, collection.DocIDDescending, entries)
		seen := map[string]bool{}
		rank := 0
		for _, e := range entries {
			id, found := places(e.Doc)
			for !found && (taken[id] || seen[id]) {
				id += "~"
			}
			if seen[id] {
				continue
			}
			seen[id] = true
			_ = b.Add(q, id, float64(len(entries)-rank))
			rank++
		}
	}
	out, _ := b.Run()
	return out
}

// places returns what an id of a unit became.
func (u Units) places(new Units, renamed map[string]string) func(id string) (to string, found bool) {
	if u.Chunks == nil || new.Chunks == nil {
		return func(id string) (string, bool) {
			if to := renamed[id]; to != "" {
				return to, true
			}
			_, ok := new.Texts(id)
			return id, ok
		}
	}
	at := make(map[string]int, len(u.Chunks))
	labels := make([]chunk.Label, len(u.Chunks))
	for i, c := range u.Chunks {
		at[c.ID] = i
		text, _ := u.Texts(c.Document)
		labels[i] = chunk.Label{Document: c.Document, Span: c.Span, Quote: text[c.Span.Start:c.Span.End]}
	}
	of := chunk.ByDocument(new.Chunks)
	known := map[int]string{}
	return func(id string) (string, bool) {
		i, ok := at[id]
		if !ok {
			return id, false
		}
		to, ok := known[i]
		if !ok {
			r := Anchors(labels[i:i+1], u.Texts, new.Texts, renamed)[0]
			if best, some := chunk.Best(of[r.New.Document], r.New.Span); r.Status.Anchored() && some {
				to = best.ID
			}
			known[i] = to
		}
		if to == "" {
			return id, false
		}
		return to, true
	}
}
