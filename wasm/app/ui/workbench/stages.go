package workbench

import (
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Stages is what each stage of a system did for the query: how many documents it handed on, in what time, what it took
// out and why; and the switch that leaves it out.
type Stages struct {
	App    *state.App
	System int
}

// Did is a stage and what it did.
type Did struct {
	At       int
	Class    string
	Name     string
	Set      string // its values
	Doc      string
	On       bool
	Goes     bool // it can be switched off
	Figure   string
	Bar      int // of 100: its share of the time
	Note     string
	Gone     []experiment.Gone
	More     string // how many of them are not shown
	Clusters []experiment.Cluster
}

func (c *Stages) steps() []experiment.Step {
	if r := c.App.Search.Results; r != nil && c.System < len(r.Lists) {
		return r.Lists[c.System].Steps()
	}
	return nil
}

// Known says whether the worker told what the stages did.
func (c *Stages) Known() bool { return c.steps() != nil }

// Index writes the number of the system.
func (c *Stages) Index() string { return strconv.Itoa(c.System) }

// Summary says how many stages there are, how long they took, and which of them did not do their work.
func (c *Stages) Summary() string {
	steps, total, states := c.steps(), 0.0, ""
	for _, s := range steps {
		total += s.Micros
		switch s.State {
		case stage.Did:
		case stage.Below:
			states += " · " + s.Stage + ": " + say.Count(s.Below, "document", "documents") + " " + s.State.String()
		default:
			states += " · " + s.Stage + ": " + s.State.String()
		}
	}
	return say.Count(len(steps), "stage", "stages") + ", " + took(total) + states
}

func took(micros float64) string {
	if micros < 50 {
		return "under 0.1 ms"
	}
	return say.Page.Number(micros/1000, 1) + " ms"
}

// Rows are the stages, those that are switched off too, in the order in which they are written.
func (c *Stages) Rows() []Did {
	n, off := c.App.Editor.Whole(c.System)
	if n == nil {
		return nil
	}
	steps := c.steps()
	all := places(n, 0)
	if len(steps) != len(all)-len(off) { // of another pipeline: the answer is on its way
		steps = nil
	}
	total := 0.0
	for _, s := range steps {
		total += s.Micros
	}
	var out []Did
	next := 0
	for i, p := range all {
		d := Did{At: i, Name: p.node.Stage.Name, Set: values(p.node), Doc: p.node.Stage.Doc,
			On: !slices.Contains(off, i), Goes: p.node.Stage.Role == pipeline.Transformer}
		d.Class = "d" + strconv.Itoa(min(3, p.depth))
		if !d.On {
			d.Class += " off"
			d.Figure = "off"
		} else if next < len(steps) {
			d.fill(&steps[next], total)
			next++
		}
		out = append(out, d)
	}
	return out
}

func (d *Did) fill(s *experiment.Step, total float64) {
	switch {
	case !s.Ran:
		d.Figure = "with the next"
	default:
		d.Figure = say.Count(s.Hits, "document", "documents")
		if s.Moved >= 0 && (s.State == stage.Did || s.State == stage.Below) {
			d.Figure += ", " + say.Thousands(s.Moved) + " moved"
		}
		d.Figure += " · " + took(s.Micros)
		if total > 0 {
			d.Bar = int(100*s.Micros/total + 0.5)
		}
	}
	if s.Note != "" {
		d.Note = s.Note + "."
	}
	switch s.State {
	case stage.Nothing:
		d.Note = "Nothing to do it with: " + d.Note
	case stage.Failed:
		d.Note = "Failed: " + d.Note
	}
	if s.State == stage.Nothing || s.State == stage.Failed {
		d.Class += " aside"
	}
	d.Gone, d.Clusters = s.Gone, s.Clusters
	if len(d.Gone) > 5 {
		d.More = "and " + strconv.Itoa(len(d.Gone)-5) + " more"
		if len(d.Gone) == 20 {
			d.More = "and more"
		}
		d.Gone = d.Gone[:5]
	}
}

// Pressed says whether a stage is on.
func (d Did) Pressed() string { return strconv.FormatBool(d.On) }

// Switch says what the switch of a stage does.
func (d Did) Switch() string {
	if d.On {
		return "Switch " + d.Name + " off"
	}
	return "Switch " + d.Name + " on"
}

// Reason says what became of a document.
func (d Did) Reason(g experiment.Gone) string {
	if g.By == "" {
		return g.Why
	}
	return g.Why + " “" + say.Visible(g.By) + "”"
}

// Count writes how many documents a topic has.
func (d Did) Count(t experiment.Cluster) string { return strconv.Itoa(len(t.Docs)) }
