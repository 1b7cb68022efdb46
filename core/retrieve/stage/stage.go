// Package stage holds every stage that a pipeline can be made of, one file each: how it is written (parameters,
// defaults, limits, documentation), how its ranker is built over a collection, how that is set to other values, and
// what its part of an explanation is called. It neither reads pipelines, which package pipeline does, nor ranks, which
// the rooms of rank do.
//
// The order of the pipeline: text → Parse → Node → Build over a Collection → Ranker → Set to the values of another Node
// of the same shape.
package stage

import (
	"errors"

	"github.com/rankbox/rankbox/core/retrieve/encoder"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"github.com/rankbox/rankbox/core/text"
)

// Collection is what stages are built over.
type Collection interface {
	// Name is for people.
	Name() string
	// Index returns the index by an analyzer, "" for the collection's own. It may have to be made first.
	Index(analyzer string) (*index.Index, error)
	// Models are what models made of the documents and queries.
	Models() ModelOutputs
	// Card returns what is known of a document beside its words.
	Card(d uint32) rank.Card
	// Text returns the text of a document. It may have to be fetched first.
	Text(d uint32) (string, error)
	// Run returns the rankings of a stored run by query id, in the order of rank.Better; nil where there is no run of
	// that name. It may have to be fetched first.
	Run(name string) (map[string][]rank.Hit, error)
}

// ModelOutputs are what models made of a collection: vectors, token vectors, term weights.
type ModelOutputs interface {
	// List returns the models whose vectors the collection holds.
	List() []Model
	// Vectors returns the vectors of one of the models of List, those of the documents by ordinal. They may have to be
	// fetched first.
	Vectors(model string) (*Vectors, error)
	// Tokens returns the token vectors of a model, those of the documents by ordinal. They may have to be fetched
	// first. The error is NoTokens where the collection holds none of that name.
	Tokens(model string) (*Tokens, error)
	// Sparse returns the term weights of a model, those of the documents by ordinal. The error is NoWeights where the
	// collection holds none of that name.
	Sparse(model string) (*Weights, error)
	// Encoded returns the encoder of typed queries for one of the models of List and the documents in its space, by
	// ordinal; nil where there is none, or none yet.
	Encoded(model string) (*encoder.Static, *dense.Vectors, error)
}

// Analyzed returns the collection's own index and the analyzer that made its words.
func Analyzed(c Collection) (*index.Index, *text.Analyzer, error) {
	x, err := c.Index("")
	if err != nil {
		return nil, nil, err
	}
	a, err := text.At(x.Analyzer())
	return x, a, err
}

// Model is a model whose vectors a collection holds.
type Model struct {
	Name  string // as in dense(model=…)
	Label string // its full name, which a pipeline may write too
	// Floats says that its vectors keep the numbers before rounding, which the page's first program does not use.
	Floats bool
}

// is reports whether a pipeline may name the model so: by either of its names.
func (m Model) is(name string) bool { return name == m.Name || name == m.Label }

// Vectors are what a model made of documents and queries.
type Vectors struct {
	Docs, Queries *dense.Vectors
	QueryIDs      []string // len == Queries.Len()
}

// Ranker ranks as a pipeline says. It is not safe for use by several goroutines at once.
type Ranker interface {
	rank.Ranker
	// Set makes the ranker equal to what Build makes of n, without loading anything: what a slider does. n has the
	// Shape of the pipeline that the ranker was built of. After an error it must not be used.
	Set(n *pipeline.Node) error
}

// Stage is one stage of the registry.
type Stage struct {
	pipeline.Stage
	soft  bool   // a transformer that leaves the ranking as it is if the collection or the query lacks what it needs
	local string // what it needs of documents that are here; "" for a stage of ids and scores
	build func(c Collection, n *pipeline.Node) (Ranker, error)
}

// ErrBeyond is the error of a stage that only a richer program of the page can run.
var ErrBeyond = errors.New("stage: this build of the program cannot run it")

// ErrStopped is the error of a stage that was waiting when it was told to stop: the query may be asked again.
var ErrStopped = errors.New("stage: stopped while it waited")

// Beyond reports whether n has a stage that the page's first program does without.
func Beyond(n *pipeline.Node) bool {
	beyond := false
	n.Walk(func(m *pipeline.Node) {
		beyond = beyond || m.Unread() || !begins(m)
	})
	return beyond
}

// Partial reports whether this program knows some of the stages only.
func Partial() bool { return first }

// Build returns the ranker of a pipeline over a collection. It shares nothing with other rankers but indexes and
// vectors. The error is a *rank.Unanswerable where the collection lacks what a stage needs.
func Build(c Collection, n *pipeline.Node) (Ranker, error) {
	if n.Unread() {
		return nil, ErrBeyond
	}
	return build(c, n)
}

// Keeper is a Collection that keeps rankings which several pipelines have in common.
type Keeper interface {
	// Keep returns a ranker that stands for that of a pipeline, or of a part of one, and gives the same rankings.
	Keep(n *pipeline.Node, r Ranker) Ranker
}

// of returns the stage of a node.
func of(n *pipeline.Node) *Stage {
	for _, s := range registry {
		if &s.Stage == n.Stage {
			return s
		}
	}
	panic("stage: " + n.Stage.Name + " is of another notation")
}

// buildAll builds the pipelines that a combiner combines.
func buildAll(c Collection, args []*pipeline.Node) ([]Ranker, error) {
	var out []Ranker
	for _, a := range args {
		r, err := Build(c, a)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

// setAll sets the rankers of buildAll.
func setAll(rankers []Ranker, args []*pipeline.Node) error {
	for i, a := range args {
		if err := rankers[i].Set(a); err != nil {
			return err
		}
	}
	return nil
}

// ranker is the Ranker of a stage: that of its room, with its name on the explanation.
type ranker struct {
	rank.Ranker
	name string // "" leaves the explanation as it is
	note string
	set  func(n *pipeline.Node) error // nil where there is nothing to set
}

// Set implements Ranker.
func (r *ranker) Set(n *pipeline.Node) error {
	if r.set == nil {
		return nil
	}
	return r.set(n)
}

// Explain implements rank.Ranker.
func (r *ranker) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	p, err := r.Ranker.Explain(q, f, d)
	if r.name != "" {
		p.Name, p.Note = r.name, r.note
	}
	return p, err
}
