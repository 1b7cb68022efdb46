//go:build !first

package stage

import (
	"slices"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
)

// NeedsDocuments says which stage of a pipeline needs documents that are here, and what of them; "" if none does.
func NeedsDocuments(n *pipeline.Node) (why string) {
	if n.Unread() {
		return ""
	}
	n.Walk(func(m *pipeline.Node) {
		if why == "" {
			why = lacks(m)
		}
	})
	return why
}

// lacks is NeedsDocuments of one stage.
func lacks(m *pipeline.Node) string {
	what := of(m).local
	scored := m.Stage.Name == "rerank" && (m.Word("backend") != "" || m.Word("by") == "cross" || m.Word("by") == "run")
	if what == "" || scored {
		return ""
	}
	return m.Stage.Name + " needs " + what + ", but this collection has only queries and judgments. Search with " +
		"search(backend=…), or add corpus.jsonl"
}

// absent is NeedsDocuments of one stage over a collection whose documents are elsewhere.
func absent(c Collection, m *pipeline.Node) string {
	if outside(c) == nil {
		return ""
	}
	return lacks(m)
}

// Asking is what a search stage asks of a backend for every query.
type Asking struct {
	Backend, Mode string
	Depth         int
}

// Searches returns what the search stages of pipelines ask, each once.
func Searches(nodes ...*pipeline.Node) []Asking {
	var out []Asking
	for _, n := range nodes {
		if n.Unread() {
			continue
		}
		n.Walk(func(m *pipeline.Node) {
			if m.Stage != &Search.Stage {
				return
			}
			a := Asking{m.Word("backend"), m.Word("mode"), m.Integer("depth")}
			if !slices.Contains(out, a) {
				out = append(out, a)
			}
		})
	}
	return out
}

// ReadsTexts reports whether a pipeline sends texts of documents to a backend.
func ReadsTexts(n *pipeline.Node) (reads bool) {
	if n.Unread() {
		return false
	}
	n.Walk(func(m *pipeline.Node) { reads = reads || m.Stage == &Rerank.Stage && m.Word("backend") != "" })
	return reads
}
