package stage

import "github.com/rankbox/rankbox/core/retrieve/pipeline"

// model is the parameter by which a stage names whose vectors it needs.
const model = "model"

// ofBackend is the model of a stage whose backend makes the vectors of documents too.
const ofBackend = "backend"

// Models returns the models whose vectors a pipeline needs, in the order in which they are written.
func Models(n *pipeline.Node) []string {
	return modelsOf(n, func(m *pipeline.Node) bool {
		return m.Stage.Name != "late" && m.Stage.Name != "sparse" &&
			(m.Stage.Name != "rerank" || m.Word("by") == "dense")
	})
}

// Needs returns the models whose vectors, token vectors or term weights a pipeline needs.
func Needs(n *pipeline.Node) []string { return modelsOf(n, func(*pipeline.Node) bool { return true }) }

func modelsOf(n *pipeline.Node, counts func(*pipeline.Node) bool) []string {
	var out []string
	n.Walk(func(m *pipeline.Node) {
		if m.Stage.Param(model) != nil && m.Applies(model) && counts(m) &&
			m.Word(model) != ofBackend {
			out = append(out, m.Word(model))
		}
	})
	return out
}
