//go:build !first

package experiment

import (
	"slices"

	"github.com/rankbox/rankbox/core/bundle"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/stage"
)

// brought are token vectors and term weights that came after the collection was opened, or that were fetched.
type brought struct {
	late   []*bundle.SourceTokens
	sparse []*bundle.SourceWeights
	edge   *remote.Edge                     // nil where there is none
	beyond *remote.Outside                  // where the documents are; nil if they are here
	own    map[string]map[string][]rank.Hit // the collection's runs that were fetched, by name and query
	whole  map[string]*network              // a model: its own network, which encodes typed queries
}

// SetEdge gives the session an edge, whose backends stages may name.
func (s *Session) SetEdge(e *remote.Edge) {
	if s.edge != e {
		s.edge, s.rankers = e, nil
		clear(s.runs)
	}
}

// Edge implements stage.Edged.
func (p parts) Edge() *remote.Edge { return p.s.edge }

// Tokens implements stage.Collection.
func (p parts) Tokens(model string) (*stage.Tokens, error) { return p.s.tokens(model) }

// Sparse implements stage.Collection.
func (p parts) Sparse(model string) (*stage.Weights, error) { return p.s.weights(model) }

// Run implements stage.Collection: a run that was given, or one that the collection brings.
func (p parts) Run(name string) (map[string][]rank.Hit, error) {
	if lists, given := p.s.stored[name]; given {
		return lists, nil
	}
	if lists, fetched := p.s.own[name]; fetched {
		return lists, nil
	}
	lists, ok, err := p.s.b.Run(name, p.s.fetch)
	if err != nil {
		return nil, notFetched{err}
	}
	if !ok {
		return nil, nil
	}
	if p.s.own == nil {
		p.s.own = map[string]map[string][]rank.Hit{}
	}
	p.s.own[name] = lists
	return lists, nil
}

// Bring adds what models made of the collection: vectors, token vectors, weights. Every document of the collection must be among them; those of others
// are left out. A model of a name that is there already is refused, as queries of one model and documents of another cannot be compared.
func (s *Session) Bring(m *bundle.Models) error {
	ordinal := make(map[string]int, len(s.b.Cards))
	for i, c := range s.b.Cards {
		ordinal[c.ID] = i
	}
	id := s.b.Manifest.ID
	for _, v := range m.Vectors {
		for _, there := range (parts{s}).Models() {
			if there.Name == v.Model.Name {
				return say.Faultf("experiment", "%s has vectors of the model %s already", s.b.Manifest.Name, v.Model.Label)
			}
		}
		if err := v.Order(id, ordinal); err != nil {
			return err
		}
		whole := &bundle.Vectors{Model: v.Model, Docs: v.Docs, Queries: v.Queries, QueryIDs: v.QueryIDs}
		s.added = append(s.added, whole)
		s.vectors[v.Model.Name] = whole
	}
	for _, v := range m.Tokens {
		if err := v.Order(id, ordinal); err != nil {
			return err
		}
		s.late = append(s.late, &v)
	}
	for _, v := range m.Weights {
		if err := v.Order(id, ordinal); err != nil {
			return err
		}
		s.sparse = append(s.sparse, &v)
	}
	s.rankers = nil
	return nil
}

// Models are those that have vectors of the documents: of the collection, and brought.
func (s *Session) Models() []bundle.Model {
	out := slices.Clone(s.b.Manifest.Models)
	for _, v := range s.added {
		out = append(out, v.Model)
	}
	return out
}

// tokens returns the token vectors of a model.
func (s *Session) tokens(model string) (*stage.Tokens, error) {
	var have []string
	for _, v := range s.late {
		if v.Model.Name == model || v.Model.Label == model {
			return &stage.Tokens{Label: v.Model.Label, Docs: v.Docs, Queries: v.Queries, QueryIDs: v.QueryIDs}, nil
		}
		have = append(have, v.Model.Name)
	}
	v, ok, err := s.b.Tokens(model, s.fetch)
	if err != nil {
		return nil, notFetched{err}
	}
	if !ok {
		for _, m := range s.b.Manifest.Late {
			have = append(have, m.Name)
		}
		return nil, stage.NoTokens(s.b.Manifest.Name, model, have)
	}
	s.late = append(s.late, v)
	return s.tokens(model)
}

// weights returns the term weights of a model.
func (s *Session) weights(model string) (*stage.Weights, error) {
	var have []string
	for _, v := range s.sparse {
		if v.Model.Name == model || v.Model.Label == model {
			return &stage.Weights{Label: v.Model.Label, Docs: v.Docs, Queries: v.Queries, QueryIDs: v.QueryIDs}, nil
		}
		have = append(have, v.Model.Name)
	}
	v, ok, err := s.b.Weights(model, s.fetch)
	if err != nil {
		return nil, notFetched{err}
	}
	if !ok {
		for _, m := range s.b.Manifest.Sparse {
			have = append(have, m.Name)
		}
		return nil, stage.NoWeights(s.b.Manifest.Name, model, have)
	}
	s.sparse = append(s.sparse, v)
	return s.weights(model)
}
