//go:build !first

package message

import "github.com/rankbox/rankbox/core/base/wire"

// Adopt gives the open collection the queries and judgments of a workspace. All later questions use those.
const Adopt Kind = 62

func init() { register[AskAdopt, Adopted](Adopt, false) }

// Pack asks for a workspace as one file, with the documents of a collection on this device.
const Pack Kind = 64

func init() { register[AskPack, Saved](Pack, false) }

// AskPack holds the workspace.
type AskPack struct {
	Collection string // id of its collection
	Zip        []byte // exported by core/project/workspace, without documents
}

// Given routes the question to the program that stores documents.
func (a *AskPack) Given() []File { return nil }

// Wire codes the question.
func (a *AskPack) Wire(c *wire.Codec) { c.Fields(&a.Collection, &a.Zip) }

// AskAdopt holds the workspace.
type AskAdopt struct {
	Collection string // id of its collection
	Zip        []byte // exported by core/project/workspace, without documents
}

// Adopted describes the resulting collection.
type Adopted struct {
	Opened Opened
	Own    []string   // ids of the queries added by the workspace
	Theirs []JudgedBy // the collection's own grades of documents that the workspace also grades
}

// JudgedBy is a grade of the collection.
type JudgedBy struct {
	Query, Document string
	Grade           float64
}

// Given routes the question to the program that judges.
func (a *AskAdopt) Given() []File { return nil }

// Wire codes the question.
func (a *AskAdopt) Wire(c *wire.Codec) { c.Fields(&a.Collection, &a.Zip) }

// Wire codes the answer.
func (a *Adopted) Wire(c *wire.Codec) {
	a.Opened.Wire(c)
	c.Strings(&a.Own)
	wire.List(c, &a.Theirs, func(j *JudgedBy) {
		c.Fields(&j.Query, &j.Document)
		c.Grade(&j.Grade)
	})
}
