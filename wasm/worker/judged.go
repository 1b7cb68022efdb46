//go:build !first

package worker

import (
	"errors"
	"fmt"

	"github.com/rankbox/rankbox/core/message"
)

func init() {
	register(message.Judged, handler{blame: at("the judgments of a query")}, toOpenCollection, (*openCollection).judged)
}

// judged lists what is judged relevant to a query.
func (o *openCollection) judged(_ message.Request, ask *message.AskJudged) (*message.Judgments, error) {
	if o.session == nil {
		return nil, errors.New("no collection is open")
	}
	b := o.session.Bundle()
	out := &message.Judgments{Query: ask.Query}
	known := false
	for _, q := range b.Queries {
		known = known || q.ID == ask.Query
	}
	if !known {
		return nil, fmt.Errorf("%s has no query %q", b.Manifest.Name, ask.Query)
	}
	for _, j := range b.Judgments {
		if j.Grade <= 0 || b.Queries[j.Query].ID != ask.Query {
			continue
		}
		d := message.JudgedDoc{ID: j.Doc, Title: j.Doc, Grade: j.Grade}
		if i, ok := b.Ordinal(j.Doc); ok {
			d.Title = b.Cards[i].Title
		}
		out.Docs = append(out.Docs, d)
	}
	return out, nil
}
