//go:build !first

package experiment

import (
	"math"

	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Parts returns the session as stages see it. Its methods must not be called by several goroutines at once; what they
// return may be read by all.
func (s *Session) Parts() stage.Collection { return s.parts }

// Edge implements stage.Edged.
func (p parts) Edge() *remote.Edge { return p.s.backends.edge }

// Network implements stage.Whole.
func (p parts) Network(model string) func(text string) ([]float32, error) {
	if w := p.s.Models.whole[model]; w != nil {
		return w.encode
	}
	return nil
}

// Judged implements stage.Taught.
func (p parts) Judged() []fuse.Judged { return p.s.Queries.Judged() }

// SetEdge gives the session an edge, whose backends stages may name.
func (s *Session) SetEdge(e *remote.Edge) {
	if s.backends.edge != e {
		s.backends.edge = e
		s.changed()
	}
}

// Bring adds what models made of the collection: vectors, token vectors, weights. Every document of the collection must
// be among them; those of others are left out. A model of a name that is there already is refused, as queries of one
// model and documents of another cannot be compared.
func (s *Session) Bring(m *bundle.Models) error {
	s.Rankers.built = nil
	return s.Models.bring(m)
}

// SetNetwork has typed queries of one of the collection's models encoded by the model itself, whose vectors must be
// comparable with those that are stored; nil takes that back.
func (s *Session) SetNetwork(model, label string, encode func(text string) ([]float32, error)) {
	s.Rankers.built = nil
	if encode == nil {
		delete(s.Models.whole, model)
		return
	}
	if s.Models.whole == nil {
		s.Models.whole = map[string]*network{}
	}
	s.Models.whole[model] = &network{label, encode}
}

// Run implements stage.Collection: a run that was given, or one that the collection brings.
func (x *Runs) Run(name string) (map[string][]rank.Hit, error) {
	if lists, given := x.given[name]; given {
		return lists, nil
	}
	if lists, fetched := x.fetched[name]; fetched {
		return lists, nil
	}
	lists, ok, err := x.b.Run(name, x.fetch)
	if err != nil {
		return nil, notFetched{err}
	}
	if !ok {
		return nil, nil
	}
	x.fetched[name] = lists
	return lists, nil
}

// backends are those that stages may name.
type backends struct{ edge *remote.Edge } // nil where there is none

// identities are those of the backends of a pipeline: what one of them ranked is not another one's.
func (x backends) identities(n *pipeline.Node) (text string) {
	if x.edge == nil {
		return ""
	}
	for _, b := range stage.Backends(n) {
		text += "\n" + x.edge.Identity(b)
	}
	return text
}

// allow lets backends be asked for so many tokens, until price is called: it says how many were spent, and what
// asking for the rest would cost, "" where all was asked. A negative number allows everything.
func (x backends) allow(most int) (price func() (spent int, unasked string)) {
	if x.edge == nil {
		return func() (int, string) { return 0, "" }
	}
	if most < 0 {
		most = math.MaxInt
	}
	end := x.edge.Allow(most)
	return func() (int, string) {
		spent, declined := end()
		if declined.Calls == 0 {
			return spent.Tokens, ""
		}
		return spent.Tokens, "Not asked yet: " + declined.String() + "."
	}
}
