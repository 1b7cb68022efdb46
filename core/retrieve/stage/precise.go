//go:build !first

package stage

import "github.com/rankbox/rankbox/core/retrieve/pipeline"

// Precise returns the pipeline with every scan that may miss something replaced by the exact one; n itself where none
// is.
func Precise(n *pipeline.Node) *pipeline.Node {
	for _, s := range []struct {
		stage *Stage
		param string
	}{{Dense, "scan"}, {Late, "candidates"}} {
		found := false
		n.Walk(func(m *pipeline.Node) { found = found || m.Stage == &s.stage.Stage && m.IsSet(s.param) })
		if found {
			n, _ = n.With(s.stage.Name, s.param, "") // the default is always good
		}
	}
	return n
}
