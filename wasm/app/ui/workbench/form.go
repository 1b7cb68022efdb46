package workbench

import (
	"slices"
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Form changes a pipeline field by field, in step with its notation: what is changed here is written there, and the
// other way round.
type Form struct {
	App    *state.App
	System int
}

// Row is a stage.
type Row struct {
	At     int
	Name   string
	Class  string
	Doc    string
	Fields []Field
	Goes   bool // it can be taken out
}

// Field is a parameter.
type Field struct {
	Name, Doc, Value string
	Default          string
	Options          []string // nil for what is typed
	ID               string
}

// node is the pipeline as it is written, nil while that has a mistake.
func (c *Form) node() *pipeline.Node {
	n, err := stage.Parse(c.App.Editor.Draft)
	if err != nil {
		return nil
	}
	return n
}

// Rows are the stages, in the order in which they are written.
func (c *Form) Rows() []Row {
	n := c.node()
	if n == nil {
		return nil
	}
	var out []Row
	for i, p := range places(n, 0) {
		r := Row{At: i, Name: p.node.Stage.Name, Class: "stage d" + strconv.Itoa(min(3, p.depth)),
			Doc: p.node.Stage.Doc, Goes: p.node.Stage.Role == pipeline.Transformer}
		for j := range p.node.Stage.Params {
			q := &p.node.Stage.Params[j]
			if !p.node.Applies(q.Name) {
				continue
			}
			f := Field{Name: q.Name, Doc: q.Doc, Value: p.node.Value(q.Name), Default: p.node.Default(q.Name),
				ID: "field-" + strconv.Itoa(c.System) + "-" + strconv.Itoa(i) + "-" + q.Name}
			switch {
			case q.Kind == pipeline.Bool:
				f.Options = []string{"false", "true"}
			case q.Name == "backend" && c.offered() != nil:
				f.Options = slices.Compact(
					slices.Sorted(slices.Values(append([]string{f.Value, ""}, c.offered().Named(does(r.Name))...))))
				if q.Required {
					f.Options = f.Options[1:]
				}
			case q.Words != nil:
				f.Options = q.Words
				if q.Default == "" {
					f.Options = append([]string{""}, q.Words...)
				}
			}
			r.Fields = append(r.Fields, f)
		}
		out = append(out, r)
	}
	return out
}

// Set takes the value of a field.
func (c *Form) Set(event vugu.DOMEvent, at int, name string) {
	n := c.node()
	if n == nil {
		return
	}
	m, err := n.SetAt(at, name, event.PropString("target", "value"))
	if err != nil {
		c.App.Editor.Refuse(err)
		return
	}
	c.App.Editor.Write(m.String())
}

// Remove takes a stage out.
func (c *Form) Remove(at int) {
	if n := c.node(); n != nil {
		c.App.Editor.Write(n.Without(func(i int) bool { return i == at }).String())
	}
}

// Addable are the stages that can be put behind the others.
func (c *Form) Addable() []*pipeline.Stage {
	var out []*pipeline.Stage
	for _, s := range stage.All() {
		if s.Role == pipeline.Transformer {
			out = append(out, s)
		}
	}
	return out
}

// Add puts a stage behind the others. What must be written is written: as many documents as a list usually shows.
func (c *Form) Add(event vugu.DOMEvent) {
	s := stage.Lookup(event.PropString("target", "value"))
	if s == nil || c.node() == nil {
		return
	}
	text := c.App.Editor.Draft + " >> " + s.Name
	for i := range s.Params {
		if s.Params[i].Required {
			text += "(20)"
		}
	}
	c.App.Editor.Write(text)
}

// Completions are ways to go on with what is written, the first few.
func (c *Form) Completions() []pipeline.Completion {
	if list := c.backends(); len(list) > 0 {
		return list[:min(8, len(list))]
	}
	list := stage.Complete(c.App.Editor.Draft)
	return list[:min(8, len(list))]
}

// Whole says whether the pipeline can be used as it stands, so that the form shows it.
func (c *Form) Whole() bool { return c.node() != nil }

// Presets are the ready-made pipelines.
func (c *Form) Presets() []stage.Preset { return stage.Presets }

// Use takes a ready-made one: one pipeline into the editor, several in the place of all systems.
func (c *Form) Use(p stage.Preset) {
	if len(p.Systems) == 1 {
		c.App.Editor.Write(p.Systems[0])
		return
	}
	c.App.Editor.Side(p.Systems)
}
