//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// foldsParam is how many parts the judged queries are dealt out to.
var foldsParam = pipeline.Param{Name: "folds", Kind: pipeline.Integer, Default: "5", Min: 2, Max: 1000,
	Doc: "The number of folds of the judged queries: each fold is answered with what the others taught."}

// Taught is a Collection whose queries have judgments that a stage may learn from.
type Taught interface {
	// Judged returns the judged queries, in the order of the collection.
	Judged() []fuse.Judged
}

// judged returns the queries that a stage may learn from.
func judged(c Collection) []fuse.Judged {
	if t, ok := bare(c).(Taught); ok {
		return t.Judged()
	}
	return nil
}

// buildTrained builds a fusion that learns from the judged queries; learner is what learns.
func buildTrained(c Collection, n *pipeline.Node, learner func(n *pipeline.Node) fuse.Learner) (Ranker, error) {
	queries := judged(c)
	if len(queries) < 2 {
		return nil, &rank.Unanswerable{Reason: n.Stage.Name + " learns from judged queries, and " + c.Name() +
			" has fewer than two"}
	}
	lists, err := buildAll(c, n.Args)
	if err != nil {
		return nil, err
	}
	r := &fuse.Trained{Queries: queries}
	for _, l := range lists {
		r.Lists = append(r.Lists, l)
	}
	set := func(n *pipeline.Node) error {
		r.Forget()
		r.Depth, r.Folds, r.Names, r.Learner = n.Integer("depth"), n.Integer("folds"), names(n.Args), learner(n)
		return setAll(lists, n.Args)
	}
	return &ranker{Ranker: r, name: n.Stage.Name, set: set}, set(n)
}
