package workbench

import (
	"strings"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/wasm/app/state/status"
)

// offered is what the edge offers, nil while that is not known. Where a pipeline is being written that names a backend,
// it is asked.
func (c *Form) offered() *message.Offered {
	if !strings.Contains(c.App.Editor.Draft, "backend=") &&
		!strings.Contains(c.App.Editor.Draft, stage.Search.Name+"(") {
		return nil
	}
	s, ok := c.App.Screens.Other(status.ID).(*status.Status)
	if !ok {
		return nil
	}
	return s.Offers()
}

// does is what a stage wants of a backend.
func does(stageName string) string {
	switch stageName {
	case stage.Search.Name:
		return stage.Search.Name
	case stage.Rerank.Name:
		return stage.Rerank.Name
	}
	return "embed"
}

// backends are ways to go on where the name of a backend is wanted: those that the edge offers for the stage.
func (c *Form) backends() []pipeline.Completion {
	at := strings.LastIndex(c.App.Editor.Draft, "backend=")
	if at < 0 {
		return nil
	}
	begun := c.App.Editor.Draft[at+len("backend="):]
	if strings.Trim(begun, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return nil
	}
	before := c.App.Editor.Draft[:at]
	open := strings.LastIndexByte(before, '(')
	name := strings.TrimRight(before[:max(open, 0)], " ")
	name = name[strings.LastIndexAny(name, " >(,")+1:]
	var out []pipeline.Completion
	for _, id := range c.offered().Named(does(name)) {
		if strings.HasPrefix(id, begun) && id != begun {
			out = append(out, pipeline.Completion{Text: c.App.Editor.Draft[:at] + "backend=" + id, Name: id,
				Doc: "behind the edge"})
		}
	}
	return out
}

// Behind says what to do about backends, "" where nothing is to be said.
func (c *Form) Behind() string {
	if !strings.Contains(c.App.Editor.Draft, "backend=") {
		return ""
	}
	o := c.offered()
	n := c.node()
	switch {
	case o == nil:
		return "Asking the edge what it offers …"
	case o.Why != "":
		return "This site has no edge, so no backend answers. To run one: rankbox serve -config edge.json (see Status)."
	case n == nil:
		return ""
	}
	for _, id := range stage.Backends(n) {
		known := false
		var all []string
		for _, b := range o.Backends {
			known = known || b.ID == id
			all = append(all, b.ID)
		}
		if !known {
			return "The edge has no backend " + id + "; it has " + strings.Join(all, ", ") + "."
		}
	}
	return ""
}
