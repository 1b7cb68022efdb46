// Package workbench is what the Search screen shows of the stages of a system, in the program that knows all of them:
// the form of the editor beside the notation, and what each stage did for the query. It is put into the screen by
// search.Bench.
package workbench

import (
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/ui/search"
)

func init() {
	search.Bench.Form = func(a *state.App, system int) vugu.Builder { return &Form{App: a, System: system} }
	search.Bench.Stages = func(a *state.App, system int) vugu.Builder { return &Stages{App: a, System: system} }
}

// place is a stage of a pipeline and how deep in combiners it stands.
type place struct {
	node  *pipeline.Node
	depth int
}

// places returns the stages of a pipeline in the order of Walk.
func places(n *pipeline.Node, depth int) []place {
	var out []place
	if n.Input != nil {
		out = places(n.Input, depth)
	}
	out = append(out, place{n, depth})
	for _, a := range n.Args {
		out = append(out, places(a, depth+1)...)
	}
	return out
}

// values writes what is set on a stage, "" for nothing.
func values(n *pipeline.Node) string {
	var out []string
	for i := range n.Stage.Params {
		if p := &n.Stage.Params[i]; n.IsSet(p.Name) {
			if p.Positional {
				out = append(out, n.Value(p.Name))
			} else {
				out = append(out, p.Name+" "+n.Value(p.Name))
			}
		}
	}
	return strings.Join(out, ", ")
}
