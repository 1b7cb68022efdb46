//go:build !first

package message

import "github.com/rankbox/rankbox/core/base/wire"

// Share asks a worker for its share of an experiment, and runs it for a moment. The worker stores nothing: the page
// passes its rankings to the worker that does (AskExperiment.Lists).
const Share Kind = 53

func init() { register[AskShare, Shared](Share, false) }

// AskShare names the experiment and the share: judged queries At, At+Of, At+2·Of, …
type AskShare struct {
	Matrix Matrix
	At, Of int
	Have   []byte // completed queries, as in Experimented
}

// Shared holds the rankings since the last question.
type Shared struct {
	Lists        []byte // parts of a journal, in the format of matrix.Take
	Over         bool   // the share is complete, as far as possible
	Made, Reused int    // totals of its rankings, as in Experimented
}

// Wire codes the question.
func (a *AskShare) Wire(c *wire.Codec) {
	a.Matrix.Wire(c)
	c.Fields(&a.At, &a.Of, &a.Have)
	if c.Reading() && (a.Of < 1 || a.At < 0 || a.At >= a.Of) {
		c.Fail()
	}
}

// Wire codes the answer.
func (s *Shared) Wire(c *wire.Codec) {
	c.Fields(&s.Lists, &s.Over, &s.Made, &s.Reused)
}
