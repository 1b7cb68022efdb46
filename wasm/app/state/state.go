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
	Settings  Settings
	Search    Search
	Engine    Engine
	View      View
	Figures   Figures
	Notices   Notices
	Programs  Programs
	Editor    Editor
	Filters   Filters
	Sliders   Sliders
	Screens   Screens
	History   History
	Location  Location
	Encoder   Encoder
	Workspace Workspace
	Sharing   Sharing

	Browser Effects
	Version string
	Lessons []byte // what the page was rendered with of the lessons, for their screen
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
	a.join()
	a.Settings.Default = DefaultCollection
	a.Editor.Editing = -1
	a.Location.visited = map[int]Step{}
	a.Engine.newest, a.Engine.waiting = map[message.Kind]uint64{}, map[uint64]message.Request{}
	a.Engine.Base = base
	a.Screens.add(a, with)
	a.View.Embedded = path == embedPath
	a.Settings.Address = a.Location.read(path, "")
	return a
}

// join gives each store what it needs of the browser and of the others.
func (a *App) join() {
	fx, change := a.Browser, a.change
	view, notices, settings, screens, engine := &a.View, &a.Notices, &a.Settings, &a.Screens, &a.Engine
	location, programs, search, figures := &a.Location, &a.Programs, &a.Search, &a.Figures
	a.View.window, a.View.settings = fx, settings
	a.Notices.view = view
	a.Settings.engine, a.Settings.view = engine, view
	a.Screens.address = &settings.Address
	a.History.settings, a.History.screens = settings, screens
	location.settings, location.screens, location.view = settings, screens, view
	location.history, location.notices, location.device = &a.History, notices, fx
	engine.worker, engine.view = fx, view
	if HasWorker {
		engine.died = a.Died
	}
	programs.settings, programs.screens, programs.location = settings, screens, location
	programs.engine, programs.notices, programs.view = engine, notices, view
	a.Encoder.engine, a.Encoder.settings, a.Encoder.search = engine, settings, search
	a.Encoder.figures, a.Encoder.notices, a.Encoder.view = figures, notices, view
	a.Workspace.device, a.Workspace.screens, a.Workspace.settings, a.Workspace.programs = fx, screens, settings,
		programs
	search.engine, search.settings, search.screens, search.programs = engine, settings, screens, programs
	search.figures, search.notices, search.view, search.change = figures, notices, view, change
	figures.engine, figures.settings, figures.programs = engine, settings, programs
	figures.search, figures.view = search, view
	a.Filters.engine, a.Filters.settings, a.Filters.view, a.Filters.change = engine, settings, view, change
	a.Sliders.engine, a.Sliders.settings, a.Sliders.programs = engine, settings, programs
	a.Sliders.search, a.Sliders.figures, a.Sliders.view, a.Sliders.change = search, figures, view, change
	a.Editor.view, a.Editor.engine, a.Editor.settings = view, engine, settings
	a.Editor.programs, a.Editor.change = programs, change
	a.Sharing.clipboard, a.Sharing.settings, a.Sharing.location = fx, settings, location
	a.Sharing.screens, a.Sharing.engine, a.Sharing.notices, a.Sharing.view = screens, engine, notices, view
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
