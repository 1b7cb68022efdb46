package state

import (
	"strings"

	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// Programs are the other programs of the site. Not every program holds every screen: who goes to one that this one
// lacks waits here while another is fetched.
type Programs struct {
	settings *Settings
	screens  *Screens
	location *Location
	engine   *Engine
	notices  *Notices
	view     *View

	Fetching *message.Progress // of a richer program, nil while none is fetched

	away     away
	enriched bool // the program with every stage was asked for
	partial  bool // the page waits for the program that reads every stage
}

// away is where the page goes once a program holds it.
type away struct {
	Path     string // "" for nowhere
	Fragment string
	Entry    int // of the browser's history; −1 where it is a new one
	Files    []message.File
	Stays    bool // it goes nowhere: where it is once the other program is there
}

// fetching begins the notice that stands until what is fetched has answered, or for as long as any.
const fetching = "Fetching the program that runs "

// arrived takes that notice away.
func (p *Programs) arrived() {
	if strings.HasPrefix(p.notices.Text, fetching) {
		p.notices.Text = ""
	}
}

// readAll has the program with every screen take the page over, once.
func (p *Programs) readAll() {
	if !p.partial {
		p.partial = true
		p.view.window.Swap(screens.Rich)
	}
}

// leave asks for a program that holds a screen, unless this one does.
func (p *Programs) leave(row *screens.Screen, to away) bool {
	if p.screens.holds(row) {
		return false
	}
	p.fetch(row, to)
	return true
}

// fetch has another program take the page over, and go to a screen, or to a path of it.
func (p *Programs) fetch(row *screens.Screen, to away) {
	if to.Path == "" {
		to.Path = row.Path
	}
	p.away = to
	p.notices.Problem = nil
	p.Fetching = &message.Progress{What: "Loading " + row.Label()}
	p.view.window.Swap(p.next())
	p.view.Draw()
}

// next is the program that takes the page over to go on: the one with every screen. A page without a worker has nothing
// open that the smallest program of the screen could not hold, so that one is enough.
func (p *Programs) next() screens.Program {
	if row := screens.At(p.away.Path); !HasWorker && !p.screens.holds(row) {
		return row.Program
	}
	return screens.Rich
}

// Richer has the program with every screen take the page over, and read a fragment of a screen that this one cannot;
// false if this program has what that one could read it by.
func (p *Programs) Richer(s share.Screen, fragment string) bool {
	if HasWorker {
		return false
	}
	p.fetch(screens.Named(string(s)), away{Fragment: fragment, Entry: p.location.entry})
	return true
}

// Grow has the program with every screen take the page over as it is, if this one has no worker.
func (p *Programs) Grow() {
	if x := p.screens.On(); !HasWorker && x != nil {
		p.fetch(screens.Named(string(p.settings.Screen)), away{Path: Subpath(x), Entry: p.location.entry, Stays: true})
	}
}

// Stay gives up going to a screen that is still being fetched.
func (p *Programs) Stay() {
	p.away, p.Fetching = away{}, nil
	p.view.Draw()
}

// Wanted says whether the page still waits for a richer program to take it over.
func (p *Programs) Wanted() bool { return p.away.Path != "" }

// ReadAll asks for a program that reads every stage to take the page over, where this one does not.
func (p *Programs) ReadAll() {
	if stage.Partial() {
		p.readAll()
	}
}

// Partial says whether the page would be better served by a program that reads every stage, and waits for it.
func (p *Programs) Partial() bool { return p.partial }

// Loading is told how much of another program has arrived.
func (p *Programs) Loading(done, total int) {
	p.engine.beat++
	at := message.Progress{What: "Loading the search engine for this collection"}
	if p.Fetching != nil {
		at = *p.Fetching
	}
	at.Done, at.Total = done, total
	p.Fetching = &at
	p.view.window.Render()
}

// Failing says whether the last problem can be tried again.
func (p *Programs) Failing() bool { return p.engine.Phase == Failed || p.Wanted() && p.Fetching == nil }

// enrich sees to it that the worker can run the systems.
func (p *Programs) enrich() {
	for _, n := range p.settings.Nodes() {
		if n == nil || !stage.Beyond(n) {
			continue
		}
		if !p.enriched {
			p.enriched = true
			p.notices.Say(fetching + n.Label() + ".")
		}
		p.engine.worker.Enrich()
		p.ReadAll()
		return
	}
}

// Dismiss takes the message about a problem away.
func (p *Programs) Dismiss() {
	p.notices.Problem = nil
	if p.Fetching == nil {
		p.away = away{}
	}
	p.view.Draw()
}
