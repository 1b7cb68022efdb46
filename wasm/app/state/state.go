// Package state is the page without its looks: what is on the screen, what a click or a reply changes, and what is to
// be done about it (ask the worker, change the address, copy a link). It is plain Go and knows neither browser nor
// HTML.
//
// Order of the pipeline: an event calls a method of a store → the Spec changes, the old one goes onto the undo list →
// Effects are asked to send a request and to update the address → a Reply comes in → the newest of its kind is kept,
// older ones are dropped → the page is drawn again.
package state

import (
	"github.com/rankbox/rankbox/core/message"
)

// App is the state of the page: its stores, and the methods that need several of them. Fields are for reading by the
// views.
type App struct {
	Browser Effects
	Version string
	Lessons []byte // what the page was rendered with of the lessons, for their screen

	View      View
	Notices   Notices
	Settings  Settings
	Screens   Screens
	History   History
	Location  Location
	Engine    Engine
	Programs  Programs
	Encoder   Encoder
	Workspace Workspace
	Search    Search
	Figures   Figures
	Filters   Filters
	Sliders   Sliders
	Editor    Editor
	Sharing   Sharing

	replies replies
}

// Part is a screen that a program holds: its name, and what makes it; nil, and a nil result, where it keeps nothing
// beside the address.
type Part struct {
	Name string
	Make func(*App) Screen
}

// New returns the state of a page that was opened at a path, with the screens that the program holds.
func New(fx Effects, base func(collection string) string, path string, with ...Part) *App {
	a := &App{Browser: fx}
	a.join(fx)
	a.Engine.Base = base
	a.listen()
	a.Screens.add(a, with)
	a.View.Embedded = path == embedPath
	a.Settings.Address = a.Location.read(path, "")
	return a
}

// join gives each store what it needs of the browser and of the others.
func (a *App) join(fx Effects) {
	view, notices, settings, screens, engine := &a.View, &a.Notices, &a.Settings, &a.Screens, &a.Engine
	programs, search, figures := &a.Programs, &a.Search, &a.Figures
	a.View = View{window: fx, settings: settings}
	a.Notices = Notices{window: fx, view: view}
	a.Settings = Settings{engine: engine, view: view, Default: DefaultCollection}
	a.Screens = Screens{address: &settings.Address}
	a.History = History{settings: settings, screens: screens}
	a.Location = Location{
		window: fx, settings: settings, screens: screens, view: view, history: &a.History, notices: notices,
		visited: map[int]Step{},
	}
	a.Engine = Engine{
		worker: fx, window: fx, died: a.Died,
		newest: map[message.Kind]uint64{}, waiting: map[uint64]message.Request{},
	}
	a.Programs = Programs{
		window: fx, worker: fx, settings: settings, screens: screens, location: &a.Location, engine: engine,
		notices: notices, view: view,
	}
	a.Encoder = Encoder{
		engine: engine, settings: settings, search: search, figures: figures, notices: notices, view: view,
	}
	a.Workspace = Workspace{device: fx, screens: screens, settings: settings, programs: programs}
	a.Search = Search{
		worker: fx, engine: engine, settings: settings, screens: screens, programs: programs, figures: figures,
		notices: notices, view: view, change: a.change,
	}
	a.Figures = Figures{
		window: fx, engine: engine, settings: settings, programs: programs, search: search, view: view,
	}
	a.Filters = Filters{engine: engine, settings: settings, view: view, change: a.change}
	a.Sliders = Sliders{
		window: fx, engine: engine, settings: settings, programs: programs, search: search, figures: figures,
		view: view, change: a.change,
	}
	a.Editor = Editor{
		view: view, engine: engine, settings: settings, programs: programs, change: a.change, Editing: -1,
	}
	a.Sharing = Sharing{
		clipboard: fx, settings: settings, location: &a.Location, screens: screens, engine: engine,
		notices: notices, view: view,
	}
}

// Start opens the collection that the Spec names. A page without a worker is ready at once.
func (a *App) Start() {
	if !HasWorker {
		a.Engine.Phase = Ready
		return
	}
	a.Engine.Phase = Opening
	a.open()
	a.Engine.watch()
}

// Begin takes in the address that the page was opened at, and starts the engine. Before it, the state is that of the
// page that was rendered beforehand.
func (a *App) Begin(path, fragment string) {
	a.Settings.Address = a.Location.read(path, fragment)
	if a.Notices.Problem != nil {
		a.Location.Write(false)
	}
	if a.Settings.Collection() != a.Settings.Default {
		a.Engine.Opened, a.Figures.Report = nil, nil
	}
	a.Search.keepExample()
	a.Start()
	a.Screens.begin()
	a.Location.visited[a.Location.entry] = a.History.Present()
	a.View.Draw()
}
