//go:build !first

package state

import (
	"slices"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Whole returns the pipeline of a system with the stages that are switched off, and which those are, as Walk numbers
// them. nil where it cannot be parsed.
func (e *Editor) Whole(system int) (n *pipeline.Node, off []int) {
	if system >= len(e.settings.Systems()) {
		return nil, nil
	}
	now := e.settings.Systems()[system]
	if s, ok := e.switches[system]; ok {
		if n, err := stage.Parse(s.whole); err == nil && without(n, s.off).String() == now {
			return n, s.off
		}
	}
	n, err := stage.Parse(now)
	if err != nil {
		return nil, nil
	}
	return n, nil
}

func without(n *pipeline.Node, off []int) *pipeline.Node {
	return n.Without(func(i int) bool { return slices.Contains(off, i) })
}

// Switch switches the i-th stage of the whole of a system off, or on again.
func (e *Editor) Switch(system, i int) {
	n, off := e.Whole(system)
	if n == nil {
		return
	}
	off = slices.Clone(off)
	if at := slices.Index(off, i); at >= 0 {
		off = slices.Delete(off, at, at+1)
	} else {
		off = append(off, i)
	}
	if e.switches == nil {
		e.switches = map[int]switched{}
	}
	e.switches[system] = switched{n.String(), off}
	e.Replace(system, without(n, off).String())
}

// Side puts systems side by side in the place of those that are there, as many as there is room for.
func (e *Editor) Side(systems []string) {
	systems = systems[:min(share.MaxSystems, len(systems))]
	e.Editing = -1
	e.change("", true, func(p *share.Address) {
		e.settings.name(p, systems, "")
		p.Baseline, p.Focus = 0, experiment.Focus{}
	})
}

// Refuse says what is wrong with a value that was to be put into the draft, which stays.
func (e *Editor) Refuse(err error) {
	e.refuse(err)
	e.view.Draw()
}

// Measure asks the worker that knows what each stage does, where the one that is there does not.
func (s *Search) Measure() {
	s.engine.worker.Enrich()
	s.ask()
	s.view.Draw()
}
