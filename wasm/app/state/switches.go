//go:build !first

package state

import (
	"slices"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/stage"
)

// Whole returns the pipeline of a system with the stages that are switched off, and which those are, as Walk numbers them. nil where it
// cannot be parsed.
func (a *App) Whole(system int) (n *pipeline.Node, off []int) {
	if system >= len(a.Systems()) {
		return nil, nil
	}
	now := a.Systems()[system]
	if s, ok := a.switches[system]; ok {
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
func (a *App) Switch(system, i int) {
	n, off := a.Whole(system)
	if n == nil {
		return
	}
	off = slices.Clone(off)
	if at := slices.Index(off, i); at >= 0 {
		off = slices.Delete(off, at, at+1)
	} else {
		off = append(off, i)
	}
	if a.switches == nil {
		a.switches = map[int]switched{}
	}
	a.switches[system] = switched{n.String(), off}
	a.Replace(system, without(n, off).String())
}

// Side puts systems side by side in the place of those that are there, as many as there is room for.
func (a *App) Side(systems []string) {
	systems = systems[:min(share.MaxSystems, len(systems))]
	a.Editing = -1
	a.change("", true, func(p *share.Address) {
		a.name(p, systems, "")
		p.Baseline, p.Focus = 0, experiment.Focus{}
	})
}

// Refuse says what is wrong with a value that was to be put into the draft, which stays.
func (a *App) Refuse(err error) {
	a.refuse(err)
	a.Draw()
}

// Measure asks the worker that knows what each stage does, where the one that is there does not.
func (a *App) Measure() {
	a.fx.Enrich()
	a.send(message.Search)
	a.Draw()
}
