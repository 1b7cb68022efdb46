package main

import (
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/significance"
	"github.com/rankbox/rankbox/core/text"
)

// documents are the pages that are written from the registries, one line a registry.
var documents = []struct {
	path   string
	render func() string
}{
	{"docs/analyzers.md", text.Page},
	{"docs/measures.md", measure.Page},
	{"docs/pipeline.md", pipeline.Markdown},
	{"docs/tests.md", significance.Markdown},
}

// docs returns the text of every document by path.
func docs([]string) (any, error) {
	out := map[string]string{}
	for _, d := range documents {
		out[d.path] = d.render()
	}
	return out, nil
}
