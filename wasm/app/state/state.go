// Package state is the page without its looks: what is on the screen, what a click or a reply changes, and what is to be done
// about it (ask the worker, change the address, copy a link). It is plain Go and knows neither browser nor HTML.
//
// Order of the pipeline: an event calls a method of App → the Spec changes, the old one goes onto the undo list → Effects are
// asked to send a request and to update the address → a Reply comes in → the newest of its kind is kept, older ones are
// dropped → the page is drawn again.
package state

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/stage"
	"github.com/rankbox/rankbox/core/wire"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// Effects is what the state asks of the browser.
type Effects interface {
	Send(message.Request)
	Restart()                                 // end the worker and start another
	Enrich()                                  // have the program with every stage take the worker's place, if it has not yet
	Swap()                                    // have the program with every screen take the page over
	Address(path, fragment string, push bool) // push makes a new entry of the history, otherwise the present one changes
	Copy(text string, done func(copied bool)) // to the clipboard
	Origin() string                           // "https://example.org", for links
	After(milliseconds int, f func()) (stop func())
	Focus(id string)                                                    // the element with this id
	Remember(key, text string)                                          // on this device, "" forgets
	Recall(key string) string                                           // "" where nothing is remembered
	Text(name, content string) message.File                             // a file that holds a text
	Save(name, kind string, content []byte)                             // let the visitor save a file of a media type
	Picture(name, svg string, width, height int, done func(saved bool)) // let the visitor save a drawing as a PNG file, two pixels for each
	Render()                                                            // draw the page
}

// DefaultCollection is what the page opens where a link names nothing else, on a site that has it.
const DefaultCollection = "harbour-wire"

// Defaults are the systems of a page that was opened without a link.
var Defaults = []string{"bm25", "bm25(title=3)", "dense", "rrf(bm25, dense)"}

// DefaultsOf are those of them that an open collection can answer: one without vectors, the lexical ones.
func DefaultsOf(o *message.Opened) []string {
	if o != nil && len(o.Models) == 0 {
		return Defaults[:2:2]
	}
	return Defaults
}

// DefaultDepth is how many documents each list shows.
const DefaultDepth = 10

// MaxSystems is how many systems stand side by side.
const MaxSystems = 4

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

	Base     func(collection string) string // URL of the folder of a collection, with a slash at its end; "" where there is none
	Default  string                         // id of the collection where the address names none
	Version  string
	Phase    Phase
	Progress message.Progress
	Opened   *message.Opened
	Report   *report.Report
	Lessons  []byte // what the page was rendered with of the lessons, for their screen
	Results  *experiment.Results
	Why      *experiment.Why
	Problem  *message.Problem // of the last thing that went wrong; nothing typed is lost
	Notice   string           // a sentence about something that happened: link copied, engine restarted
	Offline  bool
	Memory   float64           // bytes, page and worker
	Fetching *message.Progress // of a richer program, nil while none is fetched

	Measuring  message.Progress // of the comparison over all judged queries, in queries of a system
	Unmeasured bool             // it was cancelled
	Encoder    Encoder

	Presenter bool
	Help      bool
	Editing   int    // index of the system whose notation is being edited, −1 for none
	Draft     string // the notation as typed
	DraftErr  string
	DraftAt   int    // byte of the draft that DraftErr is about, −1 for none
	Hover     string // id of the document under the pointer or focus
	Unfolded  int    // the system, from 1, whose measure is taken apart on Search; 0 for none

	Curve  *experiment.Curve // the first measure over all judged queries along the knob that was turned last; see CurveFits
	Shown  int               // the system whose list a phone shows
	Tall   bool              // the explanation has the whole height of a narrow screen
	Asking bool              // a phone shows the search box though there is a query
	Tuning bool              // a phone shows the settings
	Held   *Held             // the figures when the hand went down on a slider; nil since something else has changed
	Turned string            // stage and parameter of that slider

	Changes int // how often anything but progress and Memory has changed: what shows none of these is the same until then

	PageMemory func() float64
	Limit      int // bytes that a file may have on this device; 0 where that is not known

	names      []string // of the screens that this program holds
	screens    []Screen // those of them that keep something beside the address
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
	beat       int // replies seen since the last look of the watchdog
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
	for _, p := range with {
		a.names = append(a.names, p.Name)
		if p.Make == nil {
			continue
		}
		if x := p.Make(a); x != nil {
			a.screens = append(a.screens, x)
		}
	}
	a.Address = a.read(path, "")
	return a
}

// read returns what a path and a fragment say. What is wrong with a link is said in Problem, and the home page opens.
func (a *App) read(path, fragment string) share.Address {
	row := rowOf(path, fragment)
	fragment = strings.TrimPrefix(fragment, "#")
	if fragment == "main" {
		fragment = ""
	}
	s := share.Address{Screen: plainScreen(share.Screen(row.Name))}
	switch {
	case row.Link != "":
		if x := a.holding(share.Screen(row.Name)); x != nil {
			x.ReadPath(path)
			if fragment != "" {
				x.ReadLink(fragment)
			}
		}
		s = clone(a.Address)
		s.Screen = share.Screen(row.Name)
		return s
	case fragment == "":
		return s
	}
	d, err := share.Decode(fragment)
	if err != nil {
		a.Problem = &message.Problem{What: "This link could not be opened: " + say.Sentence(err), Where: "the part of the address after #",
			Do: "Ask for the link again, or go on with the demo collection below."}
		return share.Address{}
	}
	if screens.Named(string(d.Screen)) == nil {
		a.Problem = &message.Problem{What: "This link could not be opened: there is no screen " + strconv.Quote(string(d.Screen)) + ".", Where: "the part of the address after #",
			Do: "It may be from a later version of this site. Ask for the link again, or go on with the demo collection below."}
		return share.Address{}
	}
	return d
}

// rowOf is the screen that an address opens.
func rowOf(path, fragment string) *screens.Screen {
	if of := screens.Of(strings.TrimPrefix(fragment, "#")); of != nil {
		return of
	}
	return screens.At(path)
}

// plainScreen is the name of a screen as links write it: the home page has none.
func plainScreen(s share.Screen) share.Screen {
	if s == share.Home {
		return ""
	}
	return s
}

// Start opens the collection that the Spec names.
func (a *App) Start() {
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

// explain asks for the score of the document in Focus.
func (a *App) explain() {
	a.Request(message.Explain, &message.AskWhy{Spec: a.Full(), Focus: a.Focus})
}

// open asks for the collection that the Spec names.
func (a *App) open() {
	a.enrich()
	a.Request(message.Open, &message.Place{Collection: a.Collection(), Base: a.Base(a.Collection())})
}

// send asks a question about the open collection: of the present Spec.
func (a *App) send(kind message.Kind) {
	if kind == message.Evaluate {
		a.Measuring, a.Unmeasured = message.Progress{}, false
	}
	a.enrich()
	s := a.Full()
	a.Request(kind, &s)
}

// enrich sees to it that the worker can run the systems.
func (a *App) enrich() {
	for _, n := range a.Nodes() {
		if n == nil || !stage.Beyond(n) {
			continue
		}
		if !a.enriched {
			a.enriched = true
			a.Note("Fetching the program that runs " + n.Label() + ".")
		}
		a.fx.Enrich()
		a.readAll()
		return
	}
}

// Request asks the worker.
func (a *App) Request(kind message.Kind, question wire.Wirer) {
	a.lastID++
	r := message.Request{ID: a.lastID, Kind: kind, Question: question}
	a.newest[kind] = r.ID
	a.waiting[r.ID] = r
	a.fx.Send(r)
}

// Asked returns the newest request of a kind, and whether its answer is still waited for.
func (a *App) Asked(kind message.Kind) (r message.Request, waiting bool) {
	r, waiting = a.waiting[a.newest[kind]]
	return r, waiting
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

func clone(s share.Address) share.Address {
	s.Systems = slices.Clone(s.Systems)
	s.Measures = slices.Clone(s.Measures)
	s.Filter.Categories = slices.Clone(s.Filter.Categories)
	s.Filter.Entities = slices.Clone(s.Filter.Entities)
	return s
}

// WriteAddress writes where we are into the address bar; push makes a new entry of the history.
func (a *App) WriteAddress(push bool) {
	f := a.fragment()
	if push {
		a.entries++
		a.entry = a.entries
	}
	a.visited[a.entry] = a.Present()
	a.fx.Address(a.Path(a.Screen), f, push)
}

// fragment returns the address as a fragment with its "#", "" for a page without any setting.
func (a *App) fragment() string {
	if x := a.On(); x != nil {
		if f, own := x.Fragment(); own {
			return f
		}
	}
	plain := share.Address{Screen: a.Screen}
	if equal(plain, a.Address) {
		return ""
	}
	f, err := share.Encode(Explicit(a.Address))
	if err != nil {
		return ""
	}
	return "#" + f
}

// Explicit writes the default systems out where the address points at one of them: a link must not change its meaning when the
// defaults do.
func Explicit(s share.Address) share.Address {
	if len(s.Systems) == 0 && (s.Baseline != 0 || s.System != 0) {
		s.Systems = slices.Clone(Defaults)
	}
	return s
}

// equal reports whether two addresses mean the same.
func equal(a, b share.Address) bool { return share.Equal(Explicit(a), Explicit(b)) }

// settle asks for what the change from old made necessary.
func (a *App) settle(old share.Address) {
	if x, ok := a.On().(interface{ Entered() }); ok && a.Screen != old.Screen {
		x.Entered()
	}
	if a.Collection() != a.collectionOf(old.Spec) {
		a.Opened, a.Report, a.Results, a.Why, a.Curve = nil, nil, nil, nil, nil
		a.Phase = Opening
		a.open()
		a.Draw()
		return
	}
	if a.Phase == Ready {
		if !a.HasQuery() {
			a.Results, a.Why = nil, nil
		} else if searchDiffers(old.Spec, a.Spec) || a.Results == nil {
			a.send(message.Search)
		}
		if a.Focus.Document == "" {
			a.Why = nil
		} else if old.Focus != a.Focus || searchDiffers(old.Spec, a.Spec) {
			a.explain()
		}
		if !slices.Equal(old.Systems, a.Spec.Systems) || old.Baseline != a.Spec.Baseline || !slices.Equal(old.Measures, a.Spec.Measures) {
			a.evaluateSoon()
		}
		a.curveSoon()
	}
	a.Draw()
}

func (a *App) collectionOf(s experiment.Spec) string {
	if s.Collection == "" {
		return a.Default
	}
	return s.Collection
}

func searchDiffers(x, y experiment.Spec) bool {
	x.Baseline, y.Baseline = 0, 0
	return !share.Equal(share.Address{Spec: x}, share.Address{Spec: y})
}

// evaluateSoon asks for a new report once the settings rest: the measures over all queries follow a slider without a test of
// significance for every pixel.
func (a *App) evaluateSoon() {
	if a.evalStop != nil {
		a.evalStop()
	}
	a.evalStop = a.fx.After(120, func() {
		a.evalStop = nil
		a.send(message.Evaluate)
	})
}

// Draw has the page drawn after a change.
func (a *App) Draw() {
	a.Changes++
	a.fx.Render()
}

// Receive takes a reply of the worker.
func (a *App) Receive(r message.Reply) {
	a.beat++
	if r.Memory > 0 {
		a.Memory = r.Memory
		if a.PageMemory != nil {
			a.Memory += a.PageMemory()
		}
	}
	if r.ID != a.newest[r.Kind] {
		delete(a.waiting, r.ID)
		return
	}
	if r.Progress != nil {
		if x := a.taker(r.Kind); x != nil {
			x.Hear(r.Progress)
		} else if r.Kind == message.Encode {
			a.Encoder.Progress = *r.Progress
		} else if r.Kind == message.Evaluate {
			a.Measuring = *r.Progress
		} else {
			a.Progress = *r.Progress
		}
		a.fx.Render()
		return
	}
	if r.Beyond { // the richer worker is asked again
		a.fx.Enrich()
		a.Draw()
		return
	}
	delete(a.waiting, r.ID)
	if r.Problem != nil {
		a.Problem = r.Problem
		if r.Kind == message.Open {
			a.Phase = Failed
		}
	}
	if x := a.taker(r.Kind); x != nil {
		x.Receive(r)
	} else if r.Kind == message.Curve && r.Problem == nil {
		c, _ := r.Answer.(*experiment.Curve)
		a.drawn(c)
	} else if r.Kind == message.Encode {
		a.encoded(r)
	} else if r.Problem == nil {
		a.answered(r.Answer)
	}
	a.Draw()
}

// answered takes an answer, nil where there is none.
func (a *App) answered(x wire.Wirer) {
	switch x := x.(type) {
	case *message.Opened:
		a.opened(x)
	case *experiment.Results:
		a.Results = x
		a.restarts = 0
		if on := a.On(); on != nil {
			on.Found()
		}
	case *experiment.Why:
		if a.Focus.Document != "" {
			a.Why = x
		}
	case *report.Report:
		a.Report = x
		a.Measuring = message.Progress{}
	}
}

func (a *App) opened(o *message.Opened) {
	a.Opened = o
	a.Phase = Ready
	if !a.Wanted() {
		a.Fetching = nil
	}
	if a.Spec.Hash != "" && !strings.HasPrefix(o.Ref.Hash, a.Spec.Hash) {
		a.Notice = "This link was made with another version of " + o.Ref.Name + " (" + a.Spec.Hash + "); the figures below are those of the present one."
	}
	if a.Spec.QueryID != "" && a.Query() == nil {
		a.Problem = &message.Problem{What: "The link asks for query " + a.Spec.QueryID + ", which " + o.Ref.Name + " does not have.",
			Where: "the link", Do: "Choose one of its " + strconv.Itoa(len(o.Queries)) + " judged queries, or type one."}
		a.Spec.QueryID = ""
	}
	if a.HasQuery() {
		a.send(message.Search)
	}
	if a.Focus.Document != "" {
		a.explain()
	}
	a.askEncoder()
	if a.Report == nil || !a.reportFits() {
		a.send(message.Evaluate)
	}
	a.curveSoon()
}

// reportFits says whether the report on the screen is that of the present settings.
func (a *App) reportFits() bool {
	if a.Report == nil || a.Opened == nil || a.Report.Collection.Hash != a.Opened.Ref.Hash {
		return false
	}
	var have []string
	for _, s := range a.Report.Systems {
		have = append(have, s.Notation)
	}
	var want []string
	for _, s := range a.Systems() {
		n, err := stage.Parse(s)
		if err != nil {
			return false
		}
		want = append(want, n.String())
	}
	return slices.Equal(have, want) && a.Report.Baseline == a.Spec.Baseline
}

// Stale says that the report on the screen is not yet that of the settings.
func (a *App) Stale() bool { return a.Report == nil || a.Opened != nil && !a.reportFits() }

// Died is told that the worker ended: it is replaced, and what it owed is asked again.
func (a *App) Died(reason string) {
	a.restarts++
	if a.restarts > 3 {
		a.Phase = Failed
		do := "Try again, or reload the page; what you typed and opened stays."
		if strings.Contains(reason, "memory") {
			do = "This device has not enough free memory for it. Close other tabs and try again, or take files out."
		}
		a.Problem = &message.Problem{What: "The search engine stopped four times in a row; the last time: " + reason + ".", Where: "the worker of this page", Do: do}
		for _, x := range a.screens {
			x.Died(reason)
		}
		a.waiting = map[uint64]message.Request{}
		a.Draw()
		return
	}
	a.Note("The search engine stopped (" + reason + ") and was started again. Nothing you typed is lost.")
	for _, x := range a.screens {
		x.Died(reason)
	}
	a.waiting = map[uint64]message.Request{}
	a.fx.Restart()
	a.Phase = Opening
	a.open()
	a.again()
	a.Draw()
}

// again has the screens ask a new worker for what the last one owed.
func (a *App) again() {
	for _, x := range a.screens {
		x.Again()
	}
}

// Alive is told every second by a worker whose work on a request waits, for a file on its way or one that is read, and while one is started.
func (a *App) Alive() { a.beat++ }

// watch looks every second whether a worker that owes an answer is alive: one that ends without the browser's telling, or is stuck, says
// nothing at all for four seconds, neither of its work, which goes in steps, nor that it waits for a file. The one after it has twelve: on a
// machine that is short of time the first may have been healthy, and two deaths take back what was asked. Only a collection is put
// together in one step, which takes long where it is large.
func (a *App) watch() {
	if a.watchStop != nil {
		a.watchStop()
	}
	silent := 0
	var look func()
	look = func() {
		if len(a.waiting) > 0 && a.beat == 0 && a.Phase != Failed && !a.Offline {
			silent++
			limit := 4
			if a.restarts > 0 {
				limit = 12
			}
			if p := a.Progress; a.Phase == Opening && p.Done >= p.Total {
				limit = 30
			}
			if silent >= limit {
				silent = 0
				a.Died("it said nothing for " + strconv.Itoa(limit) + " seconds")
			}
		} else {
			silent = 0
		}
		a.beat = 0
		a.watchStop = a.fx.After(1000, look)
	}
	a.watchStop = a.fx.After(1000, look)
}

// Note shows a sentence for a while.
func (a *App) Note(s string) {
	a.Notice = s
	if a.noticeStop != nil {
		a.noticeStop()
	}
	a.noticeStop = a.fx.After(12000, func() {
		a.Notice = ""
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
	a.Start()
	a.begin()
	a.visited[a.entry] = a.Present()
	a.Draw()
}

// begin has the screens ask for what the address holds that was just read.
func (a *App) begin() {
	for _, x := range a.screens {
		x.Begin()
	}
}

// Browser is what the state asks of the browser, for its screens.
func (a *App) Browser() Effects { return a.fx }

// Worked says that the worker gave what was hard to work out: what it died of before counts no more.
func (a *App) Worked() { a.restarts = 0 }
