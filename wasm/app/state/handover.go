package state

import (
	"cmp"
	"maps"
	"slices"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/stage"
	"github.com/rankbox/rankbox/core/wire"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// Not every program holds every screen. Who goes to one that this one lacks waits while another is fetched; that takes
// the page over with everything that is on it (Handover, Resume) and goes there (Arrive). What it does not take along
// is what a screen keeps beside the address: the screens of the first program keep nothing, and lessons keep on the
// device what was answered.

// away is where the page goes once a program holds it.
type away struct {
	Path     string // "" for nowhere
	Fragment string
	Entry    int // of the browser's history; −1 where it is a new one
	Files    []message.File
	Stays    bool // it goes nowhere: where it is once the other program is there
}

// leave asks for a program that holds a screen, unless this one does.
func (a *App) leave(row *screens.Screen, to away) bool {
	if a.Screens.holds(row) {
		return false
	}
	a.fetch(row, to)
	return true
}

// fetch has another program take the page over, and go to a screen, or to a path of it.
func (a *App) fetch(row *screens.Screen, to away) {
	if to.Path == "" {
		to.Path = row.Path
	}
	a.away = to
	a.Problem = nil
	a.Fetching = &message.Progress{What: "Loading " + row.Label()}
	a.fx.Swap(a.next())
	a.Draw()
}

// next is the program that takes the page over to go on: the one with every screen. A page without a worker has nothing
// open that the smallest program of the screen could not hold, so that one is enough.
func (a *App) next() screens.Program {
	if row := screens.At(a.away.Path); !HasWorker && !a.Screens.holds(row) {
		return row.Program
	}
	return screens.Rich
}

// Richer has the program with every screen take the page over, and read a fragment of a screen that this one cannot; false
// if this program has what that one could read it by.
func (a *App) Richer(s share.Screen, fragment string) bool {
	if HasWorker {
		return false
	}
	a.fetch(screens.Named(string(s)), away{Fragment: fragment, Entry: a.entry})
	return true
}

// Grow has the program with every screen take the page over as it is, if this one has no worker.
func (a *App) Grow() {
	if x := a.Screens.On(); !HasWorker && x != nil {
		a.fetch(screens.Named(string(a.Screen)), away{Path: Subpath(x), Entry: a.entry, Stays: true})
	}
}

// Stay gives up going to a screen that is still being fetched.
func (a *App) Stay() {
	a.away, a.Fetching = away{}, nil
	a.Draw()
}

// Wanted says whether the page still waits for a richer program to take it over.
func (a *App) Wanted() bool { return a.away.Path != "" }

// ReadAll asks for a program that reads every stage to take the page over, where this one does not.
func (a *App) ReadAll() {
	if stage.Partial() && !a.partial {
		a.partial = true
		a.fx.Swap(screens.Rich)
	}
}

// Partial says whether the page would be better served by a program that reads every stage, and waits for it.
func (a *App) Partial() bool { return a.partial }

// Loading is told how much of another program has arrived.
func (a *App) Loading(done, total int) {
	a.beat++
	p := message.Progress{What: "Loading the search engine for this collection"}
	if a.Fetching != nil {
		p = *a.Fetching
	}
	p.Done, p.Total = done, total
	a.Fetching = &p
	a.fx.Render()
}

// NotLoaded is told that another program could not be fetched.
func (a *App) NotLoaded(reason string) {
	a.Fetching, a.unfetched = nil, true
	a.Problem = &message.Problem{What: "A part of the site could not be loaded (" + reason + ").", Where: "the network", Do: "Nothing here is lost. Try again, or go on with what is on the page."}
	a.partial = false
	if !a.Wanted() && a.Editing < 0 { // it is the worker that needs it
		a.Phase = Failed
		a.waiting = map[uint64]message.Request{}
	}
	a.Draw()
}

// Failing says whether the last problem can be tried again.
func (a *App) Failing() bool { return a.Phase == Failed || a.Wanted() && a.Fetching == nil }

// Handover returns everything that the next program of the page needs, and falls silent: nothing is drawn or asked for any more.
func (a *App) Handover() []byte {
	for _, stop := range []func(){a.noticeStop, a.evalStop, a.watchStop} {
		if stop != nil {
			stop()
		}
	}
	if x := a.Screens.On(); a.away.Stays && x != nil {
		a.away.Path, a.away.Fragment, a.away.Entry = Subpath(x), a.fragment(), a.entry
	}
	h := &handover{App: a, evaluate: a.evalStop != nil}
	return wire.Marshal(h)
}

// Resume takes over from another program: the page is then as that one drew it.
func (a *App) Resume(b []byte) error {
	h := &handover{App: a}
	if err := wire.Unmarshal(b, h); err != nil {
		return err
	}
	behind := func(s Step) bool { return s.leftBehind(a) }
	a.undo, a.redo = slices.DeleteFunc(a.undo, behind), slices.DeleteFunc(a.redo, behind)
	maps.DeleteFunc(a.visited, func(_ int, s Step) bool { return behind(s) })
	if h.evaluate {
		a.evaluateSoon()
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
	to := a.away
	a.away, a.Fetching = away{}, nil
	if a.Notice != "" {
		a.Note(a.Notice)
	}
	switch {
	case a.Opened == nil && len(a.waiting) == 0: // the program before had no worker
		a.Start()
	case a.Opened != nil && a.Phase == Ready:
		a.openWorkspace()
		fallthrough
	default:
		a.watch()
	}
	if a.Editing >= 0 {
		a.Write(a.Draft)
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
		if a.Unfolded > 0 {
			a.Screens.found()
		}
	}
	a.Draw()
}

// handover is the state of an App as bytes.
type handover struct {
	*App
	evaluate bool
}

// Wire walks everything that the page shows and owes.
func (h *handover) Wire(c *wire.Codec) {
	a := h.App
	address(c, &a.Address)
	phase := int(a.Phase)
	c.Int(&phase)
	a.Phase = Phase(phase)
	a.Progress.Wire(c)
	opened := HasWorker // without one there is nothing of a collection
	if c.Bool(&opened); opened && HasWorker {
		message.Pointer(c, &a.Opened)
		message.Pointer(c, &a.Report)
		message.Pointer(c, &a.Results)
		message.Pointer(c, &a.Why)
	}
	message.Pointer(c, &a.Problem)
	message.Pointer(c, &a.Fetching)
	a.Encoder.wire(c)
	c.String(&a.Notice)
	for _, b := range []*bool{&a.Offline, &a.Presenter, &a.Help, &a.Tuning, &a.enriched, &h.evaluate, &a.Excerpt} {
		c.Bool(b)
	}
	c.Float(&a.Memory)
	c.Int(&a.Editing)
	for _, s := range []*string{&a.Draft, &a.DraftErr, &a.Hover, &a.lastKind, &a.Example, &a.Differ, &a.away.Path, &a.away.Fragment} {
		c.String(s)
	}
	c.Int(&a.away.Entry)
	for _, n := range []*int{&a.DraftAt, &a.Shown, &a.Unfolded} {
		c.Int(n)
	}
	c.String(&a.Turned)
	wire.Structs(c, &a.away.Files)
	steps(c, a, &a.undo)
	steps(c, a, &a.redo)
	for _, n := range []*int{&a.entry, &a.entries, &a.restarts} {
		c.Int(n)
	}
	pairs(c, &a.visited, func(k *int) { c.Int(k) }, func(s *Step) { step(c, a, s) })
	c.Uint(&a.lastID)
	pairs(c, &a.newest, func(k *message.Kind) { c.Uint((*uint64)(k)) }, c.Uint)
	pairs(c, &a.waiting, c.Uint, func(r *message.Request) { r.Wire(c) })
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
		s.kept = a.Present().kept
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
