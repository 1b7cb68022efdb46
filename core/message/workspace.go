//go:build !first

package message

import "github.com/rankbox/rankbox/core/wire"

// Adopt gives the open collection the queries and judgments of a workspace: every question after it is about those.
const Adopt Kind = 62

func init() { register[AskAdopt, Adopted](Adopt, false) }

// Pack makes one file of a workspace, with the documents of a collection that is kept on this device.
const Pack Kind = 64

func init() { register[AskPack, Saved](Pack, false) }

// AskPack holds the workspace.
type AskPack struct {
	Collection string // id of the collection that it is about
	Zip        []byte // as core/workspace exports it, without documents
}

// Given says that the question is for the program that keeps documents.
func (a *AskPack) Given() []File { return nil }

// Wire walks the question.
func (a *AskPack) Wire(c *wire.Codec) { c.Fields(&a.Collection, &a.Zip) }

// AskAdopt holds the workspace.
type AskAdopt struct {
	Collection string // id of the collection that it is about
	Zip        []byte // as core/workspace exports it, without documents
}

// Adopted describes the collection as it is now.
type Adopted struct {
	Opened Opened
	Own    []string   // ids of the queries that the workspace added
	Theirs []JudgedBy // the collection's own grades of documents that the workspace grades too
}

// JudgedBy is a grade of the collection.
type JudgedBy struct {
	Query, Document string
	Grade           int
}

// Given says that the question is for the program that judges.
func (a *AskAdopt) Given() []File { return nil }

// Wire walks the question.
func (a *AskAdopt) Wire(c *wire.Codec) { c.Fields(&a.Collection, &a.Zip) }

// Wire walks the answer.
func (a *Adopted) Wire(c *wire.Codec) {
	a.Opened.Wire(c)
	c.Strings(&a.Own)
	wire.List(c, &a.Theirs, func(j *JudgedBy) { c.Fields(&j.Query, &j.Document, &j.Grade) })
}
