//go:build !first

package message

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/experiment"
)

// Indexed searches the documents of an upload that are already indexed. It is answered while Upload runs; otherwise
// the answer is empty.
const Indexed Kind = 82

// Indexing is the progress step during which Indexed is answered.
const Indexing = "Indexing"

func init() { register[AskIndexed, experiment.Indexed](Indexed, false) }

// AskIndexed is a query for the indexed documents.
type AskIndexed struct{ Query string }

// Given routes the question to the program that reads files.
func (a *AskIndexed) Given() []File { return nil }

// Wire codes the question.
func (a *AskIndexed) Wire(c *wire.Codec) { c.String(&a.Query) }
