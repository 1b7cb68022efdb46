//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/rerank"
)

var fileParam = pipeline.Param{Name: "file", Kind: pipeline.Word, Required: true, Positional: true, Fixed: true,
	Doc: "Name of the stored run: that of a file dropped on the editor, or NAME in rankbox search -run NAME=FILE."}

// Run ranks as a stored run does.
var Run = &Stage{
	Stage: pipeline.Stage{
		Name: "run",
		Role: pipeline.Retriever,
		Doc: "Ranks like a stored run, so you can fuse, rerank and measure any system. It answers the judged " +
			"queries in the run.",
		Formula: "the score in the run",
		Source:  "the run format of TREC, as trec_eval reads it",
		Params:  []pipeline.Param{fileParam},
		Label:   func(n *pipeline.Node) string { return "Run " + n.Word("file") },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		return &ranker{Ranker: &lazyRun{c: c, name: n.Word("file")}, name: n.Stage.Name}, nil
	},
}

// lazyRun gets its run when the first query comes.
type lazyRun struct {
	c      Collection
	name   string
	ranker *rerank.Stored
}

func (l *lazyRun) ready() error {
	if l.ranker != nil {
		return nil
	}
	lists, err := l.c.Run(l.name)
	if err != nil {
		return err
	}
	if lists == nil {
		return &rank.Unanswerable{Reason: "there is no stored run called " + l.name +
			" here: drop its file on the editor of a system, or give it to rankbox with -run " + l.name + "=FILE"}
	}
	l.ranker = &rerank.Stored{Name: l.name, Lists: lists}
	return nil
}

// Rank implements rank.Ranker.
func (l *lazyRun) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	if err := l.ready(); err != nil {
		return dst[:0], err
	}
	return l.ranker.Rank(q, k, f, dst)
}

// Explain implements rank.Ranker.
func (l *lazyRun) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	if err := l.ready(); err != nil {
		return rank.Part{}, err
	}
	return l.ranker.Explain(q, f, d)
}
