//go:build !first

package message

import "github.com/rankbox/rankbox/core/wire"

// Share asks a worker for its part of an experiment that several share out, and to go on with it for a moment. It keeps
// nothing: what it has ranked goes to the page, and from there to the worker that keeps it (AskExperiment.Lists).
const Share Kind = 53

func init() { register[AskShare, Shared](Share, false) }

// AskShare names the experiment and the part: of the judged queries in order, those At, At+Of, At+2·Of, …
type AskShare struct {
	Matrix Matrix
	At, Of int
	Have   []byte // what is done already, as Experimented has it
}

// Shared is what was ranked since the last time.
type Shared struct {
	Lists        []byte // pieces of a journal, as matrix.Take reads them
	Over         bool   // it has nothing left that it could do
	Made, Reused int    // of all that it has ranked, as in Experimented
}

// Wire walks the question.
func (a *AskShare) Wire(c *wire.Codec) {
	a.Matrix.Wire(c)
	c.Fields(&a.At, &a.Of, &a.Have)
	if c.Reading() && (a.Of < 1 || a.At < 0 || a.At >= a.Of) {
		c.Fail()
	}
}

// Wire walks the answer.
func (s *Shared) Wire(c *wire.Codec) {
	c.Fields(&s.Lists, &s.Over, &s.Made, &s.Reused)
}
