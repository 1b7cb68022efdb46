//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/rank/rerank"
)

var fileParam = pipeline.Param{Name: "file", Kind: pipeline.Word, Required: true, Positional: true, Fixed: true,
	Doc: "Name of the stored run: that of a file dropped on the editor, or what rankbox search -run NAME=FILE says."}

// Run ranks as a stored run does.
var Run = &Stage{
	Stage: pipeline.Stage{
		Name:    "run",
		Role:    pipeline.Retriever,
		Doc:     "Ranks as a stored run: anybody's system as a part of a pipeline, to be fused, reordered and measured. It answers the judged queries that the run holds.",
		Formula: "the score that stands in the run",
		Source:  "the run format of TREC, as trec_eval reads it",
		Params:  []pipeline.Param{fileParam},
		Label:   func(n *pipeline.Node) string { return "Run " + n.Word("file") },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		r, err := stored(c, n.Word("file"))
		if err != nil {
			return nil, err
		}
		return &ranker{Ranker: r, name: n.Stage.Name}, nil
	},
}

// stored returns the ranker of a stored run.
func stored(c Collection, name string) (*rerank.Stored, error) {
	lists, err := c.Run(name)
	if err != nil {
		return nil, err
	}
	if lists == nil {
		return nil, &rank.Unanswerable{Reason: "there is no stored run called " + name + " here: drop its file on the editor of a system, or give it to rankbox with -run " + name + "=FILE"}
	}
	return &rerank.Stored{Name: name, Lists: lists}, nil
}
