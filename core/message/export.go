//go:build !first

package message

import "github.com/rankbox/rankbox/core/base/wire"

// Export asks for the comparison, or a part of it, as a file.
const Export Kind = 10

func init() { register[AskExport, Saved](Export, true) }

// AskExport selects the file.
type AskExport struct {
	What    Wanted
	Measure string // the measure on the screen
	View    string // the screen's view, as packed.View.String
}

// Wanted names a file; the zero Wanted cancels the previous request.
type Wanted struct {
	Name string // a format of package export ("csv", "json-queries"), or one of those below
	File int    // of Repaired: the ID of the file
}

// Files other than the formats of a report.
const (
	Comparison = "comparison" // runs and qrels, to open again
	Page       = "page"       // a report with its figures, to hand on
	Snapshot   = "snapshot"   // a report, for later comparison
	Unjudged   = "unjudged"   // a table of documents
	GoldenSet  = "golden"     // the golden set with its edits, as YAML
	Repaired   = "repaired"   // an input file without the parts that caused warnings
	Sizes      = "sizes"      // no file: the sizes of Comparison and Page
)

// Saved is a file to save.
type Saved struct {
	Name  string
	Type  string
	Bytes []byte
	Sizes []int // for Sizes: bytes of Comparison and of Page, empty if computing them takes long
}

// Wire codes the question.
func (a *AskExport) Wire(c *wire.Codec) { c.Fields(&a.What.Name, &a.What.File, &a.Measure, &a.View) }

// Wire codes the file.
func (s *Saved) Wire(c *wire.Codec) { c.Fields(&s.Name, &s.Type, &s.Bytes, &s.Sizes) }
