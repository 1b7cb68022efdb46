//go:build !first

package worker

import (
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
)

// encoder is the encoder of typed queries that was fetched last, nil for none.
func (o *openCollection) encoder() *encoder.Static {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.arrived
}

// know has the session know ids of documents that are elsewhere. It reports whether some of them are new.
func (o *openCollection) know(ids map[string]bool) bool {
	next := o.session.Grown(ids)
	if next == o.session {
		return false
	}
	if o.adopted == o.session && o.plain != nil {
		o.plain, o.adopted = o.plain.Grown(ids), next
	}
	o.session = next
	return true
}

// judgedTexts are the texts of the judged queries.
func (o *openCollection) judgedTexts() (texts []string) {
	judged := o.session.Queries.JudgedIDs()
	for _, q := range o.session.Queries.Described() {
		if judged[q.ID] {
			texts = append(texts, q.Text)
		}
	}
	return texts
}

// askedText is the text of the query of a spec, none if there is no query.
func (o *openCollection) askedText(s *experiment.Spec) []string {
	for _, q := range o.session.Queries.Described() {
		if q.ID == s.QueryID && q.ID != "" {
			return []string{q.Text}
		}
	}
	if s.Query != "" {
		return []string{s.Query}
	}
	return nil
}

// plainly is the open session without what a workspace adds to it.
func (o *openCollection) plainly() *experiment.Session {
	if o.adopted == o.session && o.plain != nil {
		return o.plain
	}
	return o.session
}
