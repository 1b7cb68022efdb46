//go:build !first

package message

import (
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/wire"
)

// Indexed ranks the documents of an upload that are indexed so far. It is answered in the midst of Upload, and without
// an answer if nothing is being indexed.
const Indexed Kind = 82

// Indexing is the work during which Indexed is answered.
const Indexing = "Indexing"

func init() { register[AskIndexed, experiment.Indexed](Indexed, false) }

// AskIndexed is a query of the documents that are indexed so far.
type AskIndexed struct{ Query string }

// Given says that the question is for the program that reads files.
func (a *AskIndexed) Given() []File { return nil }

// Wire walks the question.
func (a *AskIndexed) Wire(c *wire.Codec) { c.String(&a.Query) }
