package experiment

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/text"
)

// Explain says why a document has its score in one system's list.
func (s *Session) Explain(spec Spec, at Focus) (*Why, error) {
	asked, err := s.ask(spec)
	if err != nil {
		return nil, err
	}
	nodes, q, qi := asked.nodes, asked.query, asked.place
	if at.System < 0 || at.System >= len(nodes) {
		return nil, say.Faultf("experiment", "explain: there is no system %d", at.System)
	}
	d, ok := s.b.Ordinal(at.Document)
	if !ok {
		return nil, say.Faultf("experiment", "%s has no document %q", s.b.Manifest.Name, at.Document)
	}
	an, err := text.Get(s.b.Manifest.Analyzer)
	if err != nil {
		return nil, err
	}
	c, t := s.b.Cards[d], ""
	if s.Texts.elsewhere() {
		c.Title, t = s.Texts.outside(d)
	} else if t, err = s.Texts.Text(uint32(d)); err != nil {
		return nil, err
	}
	mark := newMarker(an, q.Text, func(string) float64 { return 1 })
	w := &Why{System: at.System, Grade: s.Queries.grade(qi, uint32(d)),
		Document: Document{ID: c.ID, Title: c.Title, Text: t, Date: c.Date, Category: c.Category,
			Heading: mark.whole(c.Title), Body: mark.whole(t)}}
	for _, e := range c.Entities {
		w.Document.Entities = append(w.Document.Entities, e.Name)
	}
	filter := s.FilterFor(q.ID, s.Passing(spec.Filter))
	s.Rankers.want(nodes)
	r, err := s.Rankers.Of(nodes[at.System])
	if err == nil {
		var hits []rank.Hit
		if hits, err = r.Rank(q, max(agreementDepth, spec.Depth), filter, nil); err == nil {
			for i, h := range hits {
				if int(h.Doc) == d {
					w.Rank = i + 1
				}
			}
			w.Part, err = r.Explain(q, filter, uint32(d))
		}
	}
	if err != nil {
		if w.Problem, err = problem(err); err != nil {
			return nil, err
		}
	}
	if s.b.Manifest.RemoveQuery && c.ID == q.ID {
		w.Part, w.Problem = rank.Part{}, "This document is the query itself. No system ranks it."
	} else if filter != nil && !filter.Has(uint32(d)) {
		w.Part, w.Problem = rank.Part{},
			"This document does not pass the filters, so no system ranks it. Without them it would have a score."
	}
	return w, nil
}
