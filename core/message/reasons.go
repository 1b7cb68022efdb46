//go:build !first

package message

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/compare"
)

// Reasons asks for the causes of the difference of two runs on a few queries.
const Reasons Kind = 7

func init() { register[AskReasons, Explanations](Reasons, true) }

// AskReasons names the two runs by index, the measure and the queries.
type AskReasons struct {
	A, B    int
	Measure string
	Queries []string
}

// Explanations holds those of the queries, in order, with only their first changes.
type Explanations struct {
	List   []compare.Explanation
	Titles []Titled // of the documents, if known
}

// Titled is a document with its title.
type Titled struct{ ID, Title string }

func codeTitles(c *wire.Codec, list *[]Titled) {
	wire.List(c, list, func(t *Titled) { c.Fields(&t.ID, &t.Title) })
}

// Wire codes the question.
func (a *AskReasons) Wire(c *wire.Codec) {
	c.Fields(&a.A, &a.B, &a.Measure, &a.Queries)
}

// Wire codes the answer.
func (e *Explanations) Wire(c *wire.Codec) {
	wire.List(c, &e.List, func(e *compare.Explanation) { codeExplanation(c, e) })
	codeTitles(c, &e.Titles)
}

func codeExplanation(c *wire.Codec, e *compare.Explanation) {
	c.Fields(&e.Measure, &e.Query, &e.A, &e.B, &e.ValueA, &e.ValueB, &e.Diff)
	wire.List(c, &e.Changes, func(d *compare.Change) {
		c.String(&d.ID)
		c.Grade(&d.Grade)
		c.Fields(&d.What, &d.RankA, &d.RankB, &d.Before, &d.After, &d.Diff)
	})
	c.Fields(&e.Others, &e.Stepwise)
}
