//go:build !first

package message

import "github.com/rankbox/rankbox/core/base/wire"

// Earlier asks which collection on this device has most of the same documents: what was made in it can be brought over.
const Earlier Kind = 83

func init() { register[AskEarlier, EarlierOne](Earlier, false) }

// AskEarlier names the collection that was made now, and the others in which something was made.
type AskEarlier struct {
	ID    string
	Among []string
}

// EarlierOne says which collection was made of an earlier state of these documents, and what has changed since. ID is
// "" if no collection has at least half of them.
type EarlierOne struct {
	ID, Name string
	Same     int      // documents of the same id and text
	Added    int      // new ones
	Changed  []string // ids of documents with another text
	Gone     []string // ids that are no longer there, without those that were renamed
	From, To []string // old and new ids of documents with the same text
}

// Given routes the question to the program that stores documents.
func (a *AskEarlier) Given() []File { return nil }

// Wire codes the question.
func (a *AskEarlier) Wire(c *wire.Codec) { c.Fields(&a.ID, &a.Among) }

// Wire codes the answer.
func (e *EarlierOne) Wire(c *wire.Codec) {
	c.Fields(&e.ID, &e.Name, &e.Same, &e.Added, &e.Changed, &e.Gone, &e.From, &e.To)
}
