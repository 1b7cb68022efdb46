//go:build !first || lessons

package message

import "github.com/rankbox/rankbox/core/base/wire"

// Papers asks to read the files that students hand in.
const Papers Kind = 71

func init() { register[AskPapers, PapersRead](Papers, false) }

// AskPapers names the files.
type AskPapers struct{ Files []File }

// Given returns the files to send beside the message.
func (a *AskPapers) Given() []File { return a.Files }

// PapersRead holds their texts; those of a zip one by one.
type PapersRead struct{ List []Paper }

// Paper is a file as a text.
type Paper struct{ Name, Text string }

// Wire codes the question.
func (a *AskPapers) Wire(c *wire.Codec) { wire.Structs(c, &a.Files) }

// Wire codes the texts.
func (p *PapersRead) Wire(c *wire.Codec) {
	wire.List(c, &p.List, func(x *Paper) { c.Fields(&x.Name, &x.Text) })
}
