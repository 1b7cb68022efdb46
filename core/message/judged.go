//go:build !first || lessons

package message

import "github.com/rankbox/rankbox/core/base/wire"

// Judged asks for the judgments of a query of the open collection.
const Judged Kind = 41

func init() { register[AskJudged, Judgments](Judged, false) }

// AskJudged names the query.
type AskJudged struct{ Query string }

// Judgments are the documents with positive grades for a query, in qrels order.
type Judgments struct {
	Query string
	Docs  []JudgedDoc
}

// JudgedDoc is a document with its grade.
type JudgedDoc struct {
	ID, Title string
	Grade     float64
}

// Wire codes the question.
func (a *AskJudged) Wire(c *wire.Codec) { c.String(&a.Query) }

// Wire codes the answer.
func (j *Judgments) Wire(c *wire.Codec) {
	c.String(&j.Query)
	wire.List(c, &j.Docs, func(d *JudgedDoc) {
		c.Fields(&d.ID, &d.Title)
		c.Grade(&d.Grade)
	})
}
