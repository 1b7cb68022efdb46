//go:build !first

package message

import "github.com/rankbox/rankbox/core/base/wire"

// Tune searches for the best weights of a fusion for a moment. Stored adds a run for stages to rank by to the
// collection.
const (
	Tune   Kind = 60
	Stored Kind = 61
)

func init() {
	register[AskTune, Tuned](Tune, false)
	register[AskStored, StoredRun](Stored, false)
}

// AskTune names the system.
type AskTune struct {
	System  string // in the notation of pipelines
	Measure string
}

// Tuned is the progress and, at the end, the result.
type Tuned struct {
	Problem  string // why there is nothing to tune; all else is then empty
	Done, Of int    // number of values tried, and of all
	Param    string
	Values   []string
	Means    []float64 // by value, as far as done
	Start    int       // index of the system's own value
	Measure  string
	Choices  []TunedChoice // over all queries, then by type; empty before the end
	Finding  []string      // sentences
}

// TunedChoice is the best value for some queries.
type TunedChoice struct {
	Of                       string // "all", or a type
	Queries                  int
	Best                     string
	Present, Tuned, HeldOut  float64
	System                   string // the system with the best value
	OpenSearch, Weaviate     string // the settings there, "" without a counterpart
	NoOpenSearch, NoWeaviate string // why there is no counterpart
}

// AskStored names the file of a run. Without a file it asks for the existing runs.
type AskStored struct {
	Files []File
	Limit int // maximum bytes after decompression, 0 for the default
}

// StoredRun describes a run that was read, and the existing ones.
type StoredRun struct {
	Name     string // name for run(name); "" if none was read
	Said     string // how it matches this collection, in sentences
	Names    []string
	Warnings []string
}

// Given routes the question to the program that tunes.
func (a *AskTune) Given() []File { return nil }

// Given returns the files to send beside the message.
func (a *AskStored) Given() []File { return a.Files }

// Wire codes the question.
func (a *AskTune) Wire(c *wire.Codec) { c.Fields(&a.System, &a.Measure) }

// Wire codes the answer.
func (t *Tuned) Wire(c *wire.Codec) {
	c.Fields(&t.Problem, &t.Done, &t.Of, &t.Start, &t.Param, &t.Values, &t.Means, &t.Measure)
	wire.List(c, &t.Choices, func(x *TunedChoice) {
		c.Fields(&x.Of, &x.Best, &x.System, &x.OpenSearch, &x.Weaviate, &x.NoOpenSearch, &x.NoWeaviate, &x.Queries,
			&x.Present,
			&x.Tuned, &x.HeldOut)
	})
	c.Strings(&t.Finding)
	if c.Reading() && (t.Start < 0 || t.Start > len(t.Values) || len(t.Means) > len(t.Values)) {
		c.Fail()
	}
}

// Wire codes the question.
func (a *AskStored) Wire(c *wire.Codec) { wire.Structs(c, &a.Files); c.Int(&a.Limit) }

// Wire codes the answer.
func (r *StoredRun) Wire(c *wire.Codec) {
	c.Fields(&r.Name, &r.Said, &r.Names, &r.Warnings)
}
