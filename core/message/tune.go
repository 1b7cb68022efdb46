//go:build !first

package message

import "github.com/rankbox/rankbox/core/wire"

// Tune goes on for a moment with finding what a fusion should weigh; Stored gives the collection a run that stages rank
// by.
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
	System  string // a pipeline
	Measure string
}

// Tuned is how far it is, and in the end what came out.
type Tuned struct {
	Problem  string // why there is nothing to tune; nothing else is set then
	Done, Of int    // values tried
	Param    string
	Values   []string
	Means    []float64 // a value, as far as it is done
	Start    int       // the value that the system has
	Measure  string
	Choices  []TunedChoice // over all queries, then by type; none before the end
	Finding  []string      // sentences
}

// TunedChoice is the best value for some queries.
type TunedChoice struct {
	Of                       string // "all", or a type
	Queries                  int
	Best                     string
	Present, Tuned, HeldOut  float64
	System                   string // with the best value
	OpenSearch, Weaviate     string // settings there, "" where there is no counterpart
	NoOpenSearch, NoWeaviate string // and why
}

// AskStored names the file of a run. No file: what runs are there.
type AskStored struct {
	Files []File
	Limit int // bytes after decompression, 0 for the usual
}

// StoredRun is a run that was read, and what is there.
type StoredRun struct {
	Name     string // as run(name) takes it; "" where none was read
	Said     string // what of it is of this collection, in sentences
	Names    []string
	Warnings []string
}

// Given says that the question is for the program that tunes.
func (a *AskTune) Given() []File { return nil }

// Given returns the files, for who sends them beside the message.
func (a *AskStored) Given() []File { return a.Files }

// Wire walks the question.
func (a *AskTune) Wire(c *wire.Codec) { c.Fields(&a.System, &a.Measure) }

// Wire walks the answer.
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

// Wire walks the question.
func (a *AskStored) Wire(c *wire.Codec) { wire.Structs(c, &a.Files); c.Int(&a.Limit) }

// Wire walks the answer.
func (r *StoredRun) Wire(c *wire.Codec) {
	c.Fields(&r.Name, &r.Said, &r.Names, &r.Warnings)
}
