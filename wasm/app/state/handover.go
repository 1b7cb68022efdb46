package state

import (
	"cmp"
	"maps"
	"slices"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// Another program takes the page over with everything that is on it (Handover, Resume) and goes where the page was to
// go (Arrive). What it does not take along is what a screen keeps beside the address: the screens of the first program
// keep nothing, and lessons keep on the device what was answered.

// NotLoaded is told that another program could not be fetched.
func (a *App) NotLoaded(reason string) {
	a.Programs.Fetching, a.Engine.unfetched = nil, true
	a.Notices.Problem = &message.Problem{
		What: "A part of the site could not be loaded (" + reason + ").", Where: "the network",
		Do: "Nothing here is lost. Try again, or go on with this page.",
	}
	a.Programs.partial = false
	if !a.Programs.Wanted() && a.Editor.Editing < 0 { // it is the worker that needs it
		a.Engine.Phase = Failed
		a.Engine.forget()
	}
	a.View.Draw()
}

// Handover returns everything that the next program of the page needs, and falls silent: nothing is drawn or asked for
// any more.
func (a *App) Handover() []byte {
	for _, stop := range []func(){a.Notices.stop, a.Figures.stop, a.Engine.watchStop} {
		if stop != nil {
			stop()
		}
	}
	if x := a.Screens.On(); a.Programs.away.Stays && x != nil {
		to := &a.Programs.away
		to.Path, to.Fragment, to.Entry = Subpath(x), a.Location.fragment(), a.Location.entry
	}
	h := &handover{app: a, evaluate: a.Figures.stop != nil}
	return wire.Marshal(h)
}

// Resume takes over from another program: the page is then as that one drew it.
func (a *App) Resume(b []byte) error {
	h := &handover{app: a}
	if err := wire.Unmarshal(b, h); err != nil {
		return err
	}
	behind := func(s Step) bool { return s.leftBehind(a) }
	a.History.undo = slices.DeleteFunc(a.History.undo, behind)
	a.History.redo = slices.DeleteFunc(a.History.redo, behind)
	maps.DeleteFunc(a.Location.visited, func(_ int, s Step) bool { return behind(s) })
	if h.evaluate {
		a.Figures.soon()
	}
	return nil
}

// leftBehind says of a step that it came over without what its screen keeps: the address of a lesson, which is read
// anew where somebody goes back to it; or that this program does not hold the screen.
func (s *Step) leftBehind(a *App) bool {
	row := screens.Named(string(s.address.Screen))
	return !a.Screens.holds(row) || row.Program == screens.Lessons
}

// Arrive begins the page's own life after Resume, and goes where it was to go.
func (a *App) Arrive() {
	to := a.Programs.away
	a.Programs.away, a.Programs.Fetching = away{}, nil
	if a.Notices.Text != "" {
		a.Notices.Say(a.Notices.Text)
	}
	switch {
	case a.Engine.Opened == nil && len(a.Engine.waiting) == 0: // the program before had no worker
		a.Start()
	case a.Engine.Opened != nil && a.Engine.Phase == Ready:
		a.Workspace.open(a.Engine.Opened)
		fallthrough
	default:
		a.Engine.watch()
	}
	if a.Editor.Editing >= 0 {
		a.Editor.Write(a.Editor.Draft)
	}
	switch {
	case to.Path == "":
	case to.Entry >= 0:
		a.Moved(to.Path, to.Fragment, to.Entry)
		if len(to.Files) > 0 {
			a.AddFiles(to.Files)
		}
	case len(to.Files) > 0:
		a.AddFiles(to.Files)
	default:
		a.Go(share.Screen(screens.At(to.Path).Name))
		if a.Search.Unfolded > 0 {
			a.Screens.found()
		}
	}
	a.View.Draw()
}

// handover is the state of an App as bytes.
type handover struct {
	app      *App
	evaluate bool
}

// Wire walks everything that the page shows and owes.
func (h *handover) Wire(c *wire.Codec) {
	a := h.app
	address(c, &a.Settings.Address)
	phase := int(a.Engine.Phase)
	c.Int(&phase)
	a.Engine.Phase = Phase(phase)
	a.Engine.Progress.Wire(c)
	opened := HasWorker // without one there is nothing of a collection
	if c.Bool(&opened); opened && HasWorker {
		message.Pointer(c, &a.Engine.Opened)
		message.Pointer(c, &a.Figures.Report)
		message.Pointer(c, &a.Search.Results)
		message.Pointer(c, &a.Search.Why)
	}
	message.Pointer(c, &a.Notices.Problem)
	message.Pointer(c, &a.Programs.Fetching)
	a.Encoder.wire(c)
	c.String(&a.Notices.Text)
	for _, b := range []*bool{&a.View.Offline, &a.View.Presenter, &a.View.Help, &a.Filters.Tuning, &a.Programs.enriched,
		&h.evaluate, &a.Search.Excerpt} {
		c.Bool(b)
	}
	c.Float(&a.Engine.Memory)
	c.Int(&a.Editor.Editing)
	for _, s := range []*string{&a.Editor.Draft, &a.Editor.DraftErr, &a.View.Hover, &a.History.lastKind,
		&a.Settings.Example, &a.Search.Differ, &a.Programs.away.Path, &a.Programs.away.Fragment} {
		c.String(s)
	}
	c.Int(&a.Programs.away.Entry)
	for _, n := range []*int{&a.Editor.DraftAt, &a.View.Shown, &a.Search.Unfolded} {
		c.Int(n)
	}
	c.String(&a.Sliders.Turned)
	wire.Structs(c, &a.Programs.away.Files)
	steps(c, a, &a.History.undo)
	steps(c, a, &a.History.redo)
	for _, n := range []*int{&a.Location.entry, &a.Location.entries, &a.Engine.restarts} {
		c.Int(n)
	}
	pairs(c, &a.Location.visited, func(k *int) { c.Int(k) }, func(s *Step) { step(c, a, s) })
	c.Uint(&a.Engine.lastID)
	pairs(c, &a.Engine.newest, func(k *message.Kind) { c.Uint((*uint64)(k)) }, c.Uint)
	pairs(c, &a.Engine.waiting, c.Uint, func(r *message.Request) { r.Wire(c) })
}

func address(c *wire.Codec, s *share.Address) {
	c.String((*string)(&s.Screen))
	s.Focus.Wire(c)
	s.Spec.Wire(c)
	c.String(&s.Letters)
}

// step walks a step. What screens keep stays behind: those of this program find what they begin with.
func step(c *wire.Codec, a *App, s *Step) {
	address(c, &s.address)
	if c.Reading() {
		s.kept = a.History.Present().kept
	}
}

func steps(c *wire.Codec, a *App, list *[]Step) {
	wire.List(c, list, func(s *Step) { step(c, a, s) })
}

// pairs walks a map, in the order of its keys.
func pairs[K cmp.Ordered, V any](c *wire.Codec, m *map[K]V, key func(*K), value func(*V)) {
	type pair struct {
		k K
		v V
	}
	var list []pair
	for _, k := range slices.Sorted(maps.Keys(*m)) {
		list = append(list, pair{k, (*m)[k]})
	}
	wire.List(c, &list, func(p *pair) { key(&p.k); value(&p.v) })
	if c.Reading() {
		*m = map[K]V{}
		for _, p := range list {
			(*m)[p.k] = p.v
		}
	}
}

var _ wire.Wirer = (*handover)(nil)
