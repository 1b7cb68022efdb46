//go:build !first && (!library || notebook)

package stage

import "github.com/rankbox/rankbox/core/remote"

// Distant is a Collection whose documents may be elsewhere: it has the ids that judgments, runs and backends name.
type Distant interface {
	// Outside returns where the documents are, nil if they are here.
	Outside() *remote.Outside
}

func outside(c Collection) *remote.Outside {
	if x, ok := bare(c).(Distant); ok {
		return x.Outside()
	}
	return nil
}

// fetchOutside asks for the texts of documents that are elsewhere, all at once. It reports whether they are.
func fetchOutside(s *remoteScorer, docs []remote.Doc, join func(title, text string) string) (bool, error) {
	x := outside(s.c)
	if x == nil {
		return false, nil
	}
	ids := make([]string, len(docs))
	for i := range docs {
		ids[i] = docs[i].ID
	}
	found, err := x.Documents(ids)
	if err != nil {
		return true, s.failed(err)
	}
	for i, t := range found {
		docs[i].Text = join(t.Title, t.Text)
	}
	return true, nil
}
