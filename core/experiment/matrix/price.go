package matrix

import (
	"math"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/internal/tokens"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// sampled is how many documents the length of all is judged by.
const sampled = 100

// unknownLength are the tokens of a document whose text is elsewhere: of the 10,000 characters to which one is cut, at
// four a token.
const unknownLength = 2500

// Price is what the backends of a plan are asked for, at most in calls and texts, over the judged queries of a
// collection: what is kept of their answers is not taken off. Tokens are an estimate by the mean length of a
// sample of documents. It asks no backend; what the edge offers says their prices, where they have one.
func (p *Plan) Price(s *experiment.Session) (remote.Bill, error) {
	var out remote.Bill
	asks := false
	for _, n := range p.Nodes() {
		asks = asks || len(stage.Backends(n)) > 0
	}
	if !asks {
		return out, nil
	}
	all := s.Ref().Documents
	if s.Ref().Elsewhere {
		all = math.MaxInt
	}
	offer := offered(s)
	perDoc, err := meanTokens(s)
	if err != nil {
		return out, err
	}
	embeds := map[string]bool{} // backends that make the vectors of documents, once
	for _, n := range p.Nodes() {
		n.Walk(func(m *pipeline.Node) {
			if b := stage.EmbedsDocuments(m); b != "" && !embeds[b] {
				embeds[b] = true
				docs := s.Ref().Documents
				out.Charge(offer, b, (docs+31)/32, docs, docs*perDoc)
			}
		})
	}
	judged := s.Queries.JudgedIDs()
	for _, q := range s.Queries.Described() {
		if !judged[q.ID] {
			continue
		}
		perQuery := tokens.Of(q.Text)
		for _, n := range p.Nodes() {
			n.Walk(func(m *pipeline.Node) {
				if m.Stage.Param("backend") == nil || m.Word("backend") == "" {
					return
				}
				backend := m.Word("backend")
				if m.Stage != &stage.Rerank.Stage {
					out.Charge(offer, backend, 1, 1, perQuery)
					return
				}
				docs := min(m.Integer("depth"), all)
				size := remote.MostItems
				if b := m.Integer("batch"); b > 0 {
					size = min(size, b)
				}
				calls := (docs + size - 1) / size
				out.Charge(offer, backend, calls, docs+calls, docs*(perDoc+perQuery))
				if s.Ref().Elsewhere { // their texts are asked for first
					for _, a := range stage.Searches(n) {
						out.Charge(offer, a.Backend, (docs+remote.MostItems-1)/remote.MostItems, docs, 0)
					}
				}
			})
		}
	}
	return out, nil
}

// offered is what the edge of a session offers, nil if that is not known.
func offered(s *experiment.Session) *remote.Offer {
	e := s.Parts().(stage.Edged).Edge()
	if e == nil {
		return nil
	}
	o, err := e.Offer()
	if err != nil {
		return nil
	}
	return o
}

// meanTokens is the mean estimate of a document's title and text over a sample that is spread evenly.
func meanTokens(s *experiment.Session) (int, error) {
	c, n := s.Parts(), s.Ref().Documents
	if s.Ref().Elsewhere {
		return unknownLength, nil
	}
	step := max(1, n/sampled)
	sum, of := 0, 0
	for d := 0; d < n; d += step {
		text, err := c.Text(uint32(d))
		if err != nil {
			return 0, err
		}
		sum, of = sum+tokens.Of(c.Card(uint32(d)).Title+" "+text), of+1
	}
	return (sum + of - 1) / max(1, of), nil
}
