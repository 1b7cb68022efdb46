//go:build !first

package message

import "github.com/rankbox/rankbox/core/wire"

// Export writes the comparison, or a part of it, as a file.
const Export Kind = 10

func init() { register[AskExport, Saved](Export, true) }

// AskExport says what is written.
type AskExport struct {
	What    Wanted
	Measure string // the one that is looked at
	View    string // what is looked at, as packed.View.String
}

// Wanted is a file that is asked for; the zero Wanted stops the one before.
type Wanted struct {
	Name string // what package export offers ("csv", "json-queries"), or one of those below
	File int    // of Repaired: the ID of the file
}

// Files that are no form of a report.
const (
	Comparison = "comparison" // runs and qrels, to be opened again
	Page       = "page"       // a report with its figures, to be handed over
	Snapshot   = "snapshot"   // a report, to be compared with
	Unjudged   = "unjudged"   // a table of documents
	GoldenSet  = "golden"     // the golden set with its edits, as YAML
	Repaired   = "repaired"   // a file that was read with warnings, without what they were about
	Sizes      = "sizes"      // no file: how large Comparison and Page would be
)

// Saved is a file to be saved.
type Saved struct {
	Name  string
	Type  string
	Bytes []byte
	Sizes []int // of Sizes: bytes of Comparison and of Page, empty if making them takes long
}

// Wire walks the question.
func (a *AskExport) Wire(c *wire.Codec) { c.Fields(&a.What.Name, &a.What.File, &a.Measure, &a.View) }

// Wire walks the file.
func (s *Saved) Wire(c *wire.Codec) { c.Fields(&s.Name, &s.Type, &s.Bytes, &s.Sizes) }
