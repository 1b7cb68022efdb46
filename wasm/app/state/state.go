// Package state is the page without its looks: what is on the screen, what a click or a reply changes, and what is to be done
// about it (ask the worker, change the address, copy a link). It is plain Go and knows neither browser nor HTML.
//
// Order of the pipeline: an event calls a method of App → the Spec changes, the old one goes onto the undo list → Effects are
// asked to send a request and to update the address → a Reply comes in → the newest of its kind is kept, older ones are
// dropped → the page is drawn again.
package state

import (
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/stage"
)

// DefaultCollection is what the page opens where a link names nothing else, on a site that has it.
const DefaultCollection = share.DefaultCollection

// Defaults are the systems of a page that was opened without a link.
var Defaults = stage.Defaults

// DefaultsOf are those of them that an open collection can answer: one without vectors, the lexical ones.
func DefaultsOf(o *message.Opened) []string {
	return stage.DefaultsFor(o == nil || len(o.Models) > 0)
}

// DefaultDepth is how many documents each list shows.
const DefaultDepth = 10

// Phase is how far the engine is.
type Phase int

// The phases, in their order.
const (
	Loading Phase = iota // the program is on its way
	Opening              // the worker fetches the collection
	Ready
	Failed // the collection could not be opened; Problem says why
)

// App is the state of the page. Its exported fields are for reading by the views.
type App struct {
	fx Effects

	share.Address // what is on the screen
	Screens       Screens

	Base     func(collection string) string // URL of the folder of a collection, with a slash at its end; "" where there is none
	Default  string                         // id of the collection where the address names none
	Version  string
	Phase    Phase
	Progress message.Progress
	Opened   *message.Opened
	Report   *report.Report
	Lessons  []byte // what the page was rendered with of the lessons, for their screen
	Results  *experiment.Results
	Example  string // id of the judged query that is shown where nobody has asked for one
	Differ   string // why Home's two lists of the example differ
	Excerpt  bool   // Results hold only what Home shows of them
	Why      *experiment.Why
	Problem  *message.Problem // of the last thing that went wrong; nothing typed is lost
	Notice   string           // a sentence about something that happened: link copied, engine restarted
	Offline  bool
	Memory   float64           // bytes, page and worker
	Fetching *message.Progress // of a richer program, nil while none is fetched

	Arriving   *message.Progress // the vectors that a list or the figures wait for, nil for none
	Measuring  message.Progress  // of the comparison over all judged queries, in queries of a system
	Unmeasured bool              // it was cancelled
	allowance  int               // tokens that searches may have backends asked for
	paying     bool              // the next evaluation may cost what it will
	paid       bool              // the last one might
	Encoder    Encoder

	Presenter  bool
	Embedded   bool   // the page is a part of somebody else's, in a frame
	LinkLength int    // characters of the link of Home or Search, once somebody opened the menu Share; 0 before
	Shared     string // the link that was copied last, while the notice says so, where a frame can show what it opens
	Help       bool
	Editing    int    // index of the system whose notation is being edited, −1 for none
	Draft      string // the notation as typed
	DraftErr   string
	DraftAt    int    // byte of the draft that DraftErr is about, −1 for none
	Hover      string // id of the document under the pointer or focus
	Unfolded   int    // the system, from 1, whose measure is taken apart on Search; 0 for none

	Curve      *experiment.Curve // the first measure over all judged queries along the knob that was turned last; see CurveFits
	Shown      int               // the system whose list a phone shows
	Tall       bool              // the explanation has the whole height of a narrow screen
	Tuning     bool              // the settings are open
	narrowed   *message.Facets   // counts of the query, nil for none; narrowedBy is what they were asked for
	narrowedBy string
	Held       *Held  // the figures when the hand went down on a slider; nil since something else has changed
	Turned     string // stage and parameter of that slider

	Changes int // how often anything but progress and Memory has changed: what shows none of these is the same until then

	PageMemory func() float64
	Limit      int // bytes that a file may have on this device; 0 where that is not known

	Undoing bool // a step of undo or redo is being put back; false if it is an entry of the browser's history
	awaited bool // the workspace of the collection is being read from the device

	nodes      []*pipeline.Node // see Nodes
	nodesOf    []string
	away       away
	undo, redo []Step
	entry      int          // of the browser's history
	entries    int          // how many there were
	visited    map[int]Step // what was on the screen at an entry when it was left
	lastKind   string       // of the last change, so that a drag or a word typed is one step
	lastID     uint64
	enriched   bool             // the program with every stage was asked for
	switches   map[int]switched // systems of which stages are switched off
	partial    bool             // the page waits for the program that reads every stage
	newest     map[message.Kind]uint64
	waiting    map[uint64]message.Request
	noticeStop func()
	evalStop   func()
	watchStop  func()
	curveStop  func()
	curveOf    string // what Curve depends on, and what the one that was asked for does: see curveKey
	curveAsked string
	locks      map[string]bool // stage and parameter: whether the handles of a slider move together, where somebody said
	restarts   int
	beat       int  // replies seen since the last look of the watchdog
	unfetched  bool // what failed was a program or a collection on its way: it is asked for again when the network is back
	assembling bool // the worker has all that makes a collection and puts it together, in one step
}

// switched is a system of which stages are switched off: all of it, and which, as pipeline.Node.Walk numbers them.
type switched struct {
	whole string
	off   []int
}

// Part is a screen that a program holds: its name, and what makes it; nil, and a nil result, where it keeps nothing beside the address.
type Part struct {
	Name string
	Make func(*App) Screen
}

// New returns the state of a page that was opened at a path, with the screens that the program holds.
func New(fx Effects, base func(collection string) string, path string, with ...Part) *App {
	a := &App{fx: fx, Base: base, Default: DefaultCollection, Editing: -1, newest: map[message.Kind]uint64{}, waiting: map[uint64]message.Request{}, visited: map[int]Step{}}
	a.Screens.address = &a.Address
	a.Screens.add(a, with)
	a.Embedded = path == embedPath
	a.Address = a.read(path, "")
	return a
}

// Start opens the collection that the Spec names. A page without a worker is ready at once.
func (a *App) Start() {
	if !HasWorker {
		a.Phase = Ready
		return
	}
	a.Phase = Opening
	a.open()
	a.watch()
}

// Systems returns the pipelines that are compared.
func (a *App) Systems() []string {
	if len(a.Spec.Systems) == 0 {
		return DefaultsOf(a.Opened)
	}
	return a.Spec.Systems
}

// Collection returns the id of the collection.
func (a *App) Collection() string {
	return a.collectionOf(a.Spec)
}

// Depth returns how many documents each list shows.
func (a *App) Depth() int {
	if a.Spec.Depth == 0 {
		return DefaultDepth
	}
	return a.Spec.Depth
}

// Full is the Spec with its defaults written out, as the worker gets it.
func (a *App) Full() experiment.Spec {
	s := a.Spec
	s.Systems = a.Systems()
	s.Collection = a.Collection()
	s.Depth = a.Depth()
	return s
}

// HasQuery reports whether there is something to search for.
func (a *App) HasQuery() bool { return a.Spec.QueryID != "" || strings.TrimSpace(a.Spec.Query) != "" }

// QueryText returns what stands in the search box.
func (a *App) QueryText() string {
	if q := a.Query(); q != nil {
		return q.Text
	}
	return a.Spec.Query
}

// Query returns the judged query that is open, or nil.
func (a *App) Query() *report.Query {
	if a.Opened == nil || a.Spec.QueryID == "" {
		return nil
	}
	for i := range a.Opened.Queries {
		if a.Opened.Queries[i].ID == a.Spec.QueryID {
			return &a.Opened.Queries[i]
		}
	}
	return nil
}

// change applies f to the address as one step that can be undone. Changes of the same kind in a row (a slider that is dragged, a
// word that is typed) are one step; push says whether the address gets a new entry of the history at its first.
func (a *App) change(kind string, push bool, f func(*share.Address)) {
	old := a.Present()
	f(&a.Address)
	if equal(old.address, a.Address) {
		return
	}
	if !strings.HasPrefix(kind, "set ") {
		a.Held = nil
	}
	again := a.Keep(old, kind)
	a.WriteAddress(push && !again)
	a.settle(old.address)
}

// Change applies f, to the address or to what a screen keeps, as one step that can be undone.
func (a *App) Change(push bool, f func(*share.Address)) {
	old := a.Present()
	f(&a.Address)
	a.Keep(old, "")
	a.WriteAddress(push)
	a.settle(old.address)
}

// Show opens a document without a step of undo: leafing is none.
func (a *App) Show(f experiment.Focus) {
	old := clone(a.Address)
	a.Focus = f
	a.WriteAddress(false)
	a.settle(old)
}

// Draw has the page drawn after a change.
func (a *App) Draw() {
	a.Changes++
	a.fx.Render()
}

// Note shows a sentence for a while.
func (a *App) Note(s string) {
	a.Notice, a.Shared = s, ""
	if a.noticeStop != nil {
		a.noticeStop()
	}
	a.noticeStop = a.fx.After(12000, func() {
		a.Notice, a.Shared = "", ""
		a.noticeStop = nil
		a.Draw()
	})
	a.Draw()
}

// Begin takes in the address that the page was opened at, and starts the engine. Before it, the state is that of the page that
// was rendered beforehand.
func (a *App) Begin(path, fragment string) {
	a.Address = a.read(path, fragment)
	if a.Problem != nil {
		a.WriteAddress(false)
	}
	if a.Collection() != a.Default {
		a.Opened, a.Report = nil, nil
	}
	a.keepExample()
	a.Start()
	a.Screens.begin()
	a.visited[a.entry] = a.Present()
	a.Draw()
}

// Browser is what the state asks of the browser, for its screens.
func (a *App) Browser() Effects { return a.fx }
