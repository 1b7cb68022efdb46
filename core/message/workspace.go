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

// AskAdopt holds the workspace, or the edits since it was given.
type AskAdopt struct {
	Collection string // id of its collection
	Zip        []byte // exported by core/project/workspace, without documents; empty if edits are given
	Stream     int    // counts how often the page gave the whole workspace
	From       int    // bytes of records that came before Records since then
	Records    []byte // edits, as core/project/workspace writes them into a journal
}

// Adopted describes the resulting collection.
type Adopted struct {
	Behind bool // the worker lacks what came before the edits: it has to be given the whole workspace
	Stream int  // that of the question
	Taken  int  // bytes of records that the worker has taken since the whole workspace

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
func (a *AskAdopt) Wire(c *wire.Codec) {
	c.Fields(&a.Collection, &a.Zip, &a.Stream, &a.From, &a.Records)
}

// Wire codes the answer.
func (a *Adopted) Wire(c *wire.Codec) {
	c.Fields(&a.Behind, &a.Stream, &a.Taken)
	a.Opened.Wire(c)
	c.Strings(&a.Own)
	wire.List(c, &a.Theirs, func(j *JudgedBy) {
		c.Fields(&j.Query, &j.Document)
		c.Grade(&j.Grade)
	})
}
