package experiment

import (
	"slices"

	"github.com/rankbox/rankbox/core/encoder"
	"github.com/rankbox/rankbox/core/index"
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/rank/dense"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/stage"
)

// keep is how many rankers and runs are kept.
const keep = 64

// built is a ranker and the pipeline that it is set to.
type built struct {
	notation, shape string
	ranker          stage.Ranker
}

// want says which pipelines the present question is about: their rankers are not set to anything else meanwhile.
func (s *Session) want(nodes []*pipeline.Node) {
	s.wanted = s.wanted[:0]
	for _, n := range nodes {
		s.wanted = append(s.wanted, n.String())
	}
}

// Ranker returns the ranker of a pipeline; it is good until the next call of a method. A ranker of the same shape that is there
// and not wanted is set to the values of n, so that a slider's step builds nothing. Errors name the stage that cannot be built on
// this collection.
func (s *Session) Ranker(n *pipeline.Node) (rank.Ranker, error) {
	notation, shape := n.String(), n.Shape()
	spare := -1
	for i, r := range s.rankers {
		if r.notation == notation {
			return r.ranker, nil
		}
		if r.shape == shape && spare < 0 && !slices.Contains(s.wanted, r.notation) && !slices.Contains(s.held, r.notation) {
			spare = i
		}
	}
	if spare >= 0 {
		r := s.rankers[spare]
		s.rankers = slices.Delete(s.rankers, spare, spare+1)
		if err := r.ranker.Set(n); err != nil {
			return nil, err
		}
		s.rankers = append(s.rankers, built{notation, shape, r.ranker})
		return r.ranker, nil
	}
	r, err := stage.Build(parts{s}, n)
	if err != nil {
		return nil, err
	}
	if len(s.rankers) >= keep {
		s.rankers = slices.Delete(s.rankers, 0, 1)
	}
	s.rankers = append(s.rankers, built{notation, shape, r})
	return r, nil
}

// parts is a session as stages see it.
type parts struct{ s *Session }

// Name implements stage.Collection.
func (p parts) Name() string { return p.s.b.Manifest.Name }

// Index implements stage.Collection.
func (p parts) Index(analyzer string) (*index.Index, error) { return p.s.index(analyzer) }

// Models implements stage.Collection.
func (p parts) Models() []stage.Model {
	var out []stage.Model
	for _, m := range p.s.b.Manifest.Models {
		out = append(out, stage.Model{Name: m.Name, Label: m.Label, Floats: m.Numbers != ""})
	}
	for _, v := range p.s.added {
		out = append(out, stage.Model{Name: v.Model.Name, Label: v.Model.Label, Floats: v.Docs.Floats != nil})
	}
	return out
}

// Vectors implements stage.Collection.
func (p parts) Vectors(model string) (*stage.Vectors, error) {
	v := p.s.vectors[model]
	if v == nil {
		var err error
		if v, _, err = p.s.b.Vectors(model, p.s.fetch); err != nil {
			return nil, notFetched{err}
		}
		p.s.vectors[model] = v
	}
	return &stage.Vectors{Docs: v.Docs, Queries: v.Queries, QueryIDs: v.QueryIDs}, nil
}

// Encoded implements stage.Collection.
func (p parts) Encoded(model string) (*encoder.Static, *dense.Vectors, error) {
	e := p.s.encoder
	for _, m := range p.s.b.Manifest.Models {
		if m.Name != model || e == nil || m.Encoder != e.Name() {
			continue
		}
		docs := p.s.encoded[model]
		if docs == nil {
			var err error
			if docs, err = p.s.b.Encoded(model, p.s.fetch); err != nil {
				return nil, nil, notFetched{err}
			}
			p.s.encoded[model] = docs
		}
		if docs.Dim != e.Dim() {
			return nil, nil, say.Faultf("experiment", "the encoder %s has %d dimensions, the documents %d", e.Name(), e.Dim(), docs.Dim)
		}
		return e, docs, nil
	}
	return nil, nil, nil
}

// Now is the time in microseconds, for what the stages take.
func (p parts) Now() float64 { return p.s.now() }

// Card implements stage.Collection.
func (p parts) Card(d uint32) rank.Card {
	c := &p.s.b.Cards[d]
	out := rank.Card{ID: c.ID, Title: c.Title, Date: c.Date, Category: c.Category}
	for _, e := range c.Entities {
		out.Entities = append(out.Entities, rank.Entity{Name: e.Name, Kind: e.Kind, Confidence: e.Confidence})
	}
	return out
}

// Text implements stage.Collection.
func (p parts) Text(d uint32) (string, error) { return p.s.Text(int(d)) }

// SetEncoder gives the session an encoder of typed queries: dense stages answer them from now on, where the collection has their documents
// in its space. nil takes it away.
func (s *Session) SetEncoder(e *encoder.Static) {
	if s.encoder != e {
		s.encoder, s.rankers = e, nil
		for notation, done := range s.runs {
			if done.why != "" { // it may answer those queries now
				delete(s.runs, notation)
			}
		}
	}
}
