//go:build !first

package message

import "github.com/rankbox/rankbox/core/wire"

// Export writes the comparison, or a part of it, as a file.
const Export Kind = 10

func init() { register[AskExport, Saved](Export, true) }

// AskExport says what is written.
type AskExport struct {
	What    string // "csv", "json-queries", "snapshot", "fix 3", …; "" stops the one before
	Measure string // the one that is looked at
	View    string // what is looked at, as packed.View.String
}

// Saved is a file to be saved.
type Saved struct {
	Name  string
	Type  string
	Bytes []byte
}

// Wire walks the question.
func (a *AskExport) Wire(c *wire.Codec) { c.Fields(&a.What, &a.Measure, &a.View) }

// Wire walks the file.
func (s *Saved) Wire(c *wire.Codec) { c.Fields(&s.Name, &s.Type, &s.Bytes) }
