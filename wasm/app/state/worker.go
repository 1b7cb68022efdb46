package state

// What is asked of the worker, what comes back, and what happens when it falls silent.

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/stage"
	"github.com/rankbox/rankbox/core/wire"
)

// explain asks for the score of the document in Focus.
func (a *App) explain() {
	a.Request(message.Explain, &message.AskWhy{Spec: a.Full(), Focus: a.Focus})
}

// open asks for the collection that the Spec names.
func (a *App) open() {
	a.enrich()
	a.Request(message.Open, &message.Place{Collection: a.Collection(), Base: a.Base(a.Collection()), Limit: a.Limit})
}

// send asks a question about the open collection: of the present Spec.
func (a *App) send(kind message.Kind) {
	if kind == message.Evaluate {
		a.Measuring, a.Unmeasured = message.Progress{}, false
	}
	a.enrich()
	s := a.Full()
	if kind == message.Search {
		s.Spend = a.allowance
	} else if a.paying {
		s.Spend, a.paying, a.paid = -1, false, true
	}
	a.Request(kind, &s)
}

// fetching begins the notice that stands until what is fetched has answered, or for as long as any.
const fetching = "Fetching the program that runs "

// enrich sees to it that the worker can run the systems.
func (a *App) enrich() {
	for _, n := range a.Nodes() {
		if n == nil || !stage.Beyond(n) {
			continue
		}
		if !a.enriched {
			a.enriched = true
			a.Note(fetching + n.Label() + ".")
		}
		a.fx.Enrich()
		a.ReadAll()
		return
	}
}

// Request asks the worker. It owes an answer to the newest request of each kind alone: those before may be left out.
func (a *App) Request(kind message.Kind, question wire.Wirer) {
	a.lastID++
	r := message.Request{ID: a.lastID, Kind: kind, Question: question}
	delete(a.waiting, a.newest[kind])
	a.newest[kind] = r.ID
	a.waiting[r.ID] = r
	a.fx.Send(r)
}

// Asked returns the newest request of a kind, and whether its answer is still waited for.
func (a *App) Asked(kind message.Kind) (r message.Request, waiting bool) {
	r, waiting = a.waiting[a.newest[kind]]
	return r, waiting
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

// Receive takes a reply of the worker.
func (a *App) Receive(r message.Reply) {
	a.beat++
	if r.Memory > 0 {
		a.Memory = r.Memory
		if a.PageMemory != nil {
			a.Memory += a.PageMemory()
		}
	}
	if x, ok := r.Answer.(*experiment.Results); ok {
		a.allowance = max(0, a.allowance-x.Spent)
	}
	if r.ID != a.newest[r.Kind] {
		delete(a.waiting, r.ID)
		return
	}
	p := r.Progress
	a.assembling = p != nil && p.Rest
	if p != nil {
		if x := a.Screens.listener(r.Kind); x != nil {
			hear(x, p)
		} else if r.Kind == message.Encode {
			a.Encoder.Progress = *r.Progress
		} else if (r.Kind == message.Search || r.Kind == message.Evaluate) && r.Progress.Unit == "" {
			a.Arriving = r.Progress
		} else if r.Kind == message.Evaluate {
			a.Arriving = nil
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
	a.Arriving = nil
	if r.Problem != nil {
		a.Problem = r.Problem
		if r.Kind == message.Open {
			a.Phase, a.unfetched = Failed, true
			if a.Screens.unopened() {
				a.Problem = nil // the screen says it, and what can be done
			}
		}
	}
	if x := a.Screens.listener(r.Kind); x != nil {
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
		a.Results, a.Excerpt = x, false
		a.restarts = 0
		a.narrow()
		if strings.HasPrefix(a.Notice, fetching) {
			a.Notice = ""
		}
		a.Screens.found()
	case *message.Facets:
		a.narrowed = x
	case *experiment.Why:
		if a.Focus.Document != "" {
			a.Why = x
		}
	case *report.Report:
		a.Report = x
		a.Measuring = message.Progress{}
		if a.paid && a.Results != nil && a.HasQuery() { // a list that was not asked for may be there now
			a.send(message.Search)
		}
		a.paid = false
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
	a.openWorkspace()
	a.lookUp()
}

// lookUp asks for what the address shows of the open collection.
func (a *App) lookUp() {
	o := a.Opened
	if a.Spec.QueryID != "" && a.Query() == nil && !a.awaited {
		a.Problem = &message.Problem{What: "The link asks for query " + a.Spec.QueryID + ", which " + o.Ref.Name + " does not have.",
			Where: "the link", Do: "Choose one of its " + strconv.Itoa(len(o.Queries)) + " judged queries, or type one."}
		a.Spec.QueryID = ""
	}
	if a.awaited && a.Query() == nil { // a search for a query of the workspace
		return
	}
	a.Address = a.exemplify(a.Address)
	if a.HasQuery() && (!a.Excerpt || a.Screen != "") {
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
	nodes := a.Nodes()
	if len(nodes) != len(a.Report.Systems) || a.Report.Baseline != a.Spec.Baseline {
		return false
	}
	for i, n := range nodes {
		if n == nil || n.String() != a.Report.Systems[i].Notation {
			return false
		}
	}
	return true
}

// Stale says that the report on the screen is not yet that of the settings. A page without a worker makes none.
func (a *App) Stale() bool {
	return HasWorker && (a.Report == nil || a.Opened != nil && !a.reportFits())
}

// Died is told that the worker ended: it is replaced, and what it owed is asked again.
func (a *App) Died(reason string) {
	a.restarts++
	a.Arriving, a.assembling = nil, false
	if a.restarts > 3 {
		a.Phase = Failed
		do := "Try again, or reload the page. Nothing you typed or opened is lost."
		if strings.Contains(reason, "memory") {
			do = "This device has too little free memory. Close other tabs and try again, or remove files."
		}
		a.Problem = &message.Problem{What: "The search engine stopped four times in a row; the last time: " + reason + ".", Where: "the worker of this page", Do: do}
		a.Screens.died(reason)
		a.waiting = map[uint64]message.Request{}
		a.Draw()
		return
	}
	a.Note("The search engine stopped (" + reason + ") and was started again. Nothing you typed is lost.")
	a.Screens.died(reason)
	a.waiting = map[uint64]message.Request{}
	a.fx.Restart()
	a.Phase, a.Progress = Opening, message.Progress{}
	a.open()
	a.Screens.again()
	a.Draw()
}

// Alive is told every second by a worker whose work on a request waits, for a file on its way or one that is read, and while one is started.
func (a *App) Alive() { a.beat++ }

// Silent is told that the worker waits for a file of which nothing has come for so many seconds.
func (a *App) Silent(seconds int) {
	a.Note("The server has sent nothing for " + strconv.Itoa(seconds) + " seconds. You can go on; Rankbox keeps waiting.")
	a.Draw()
}

// watch looks every second whether a worker that owes an answer is alive: one that ends without the browser's telling, or is stuck, says
// nothing at all for four seconds, neither of its work, which goes in steps, nor that it waits for a file. The one after it has twelve: on a
// machine that is short of time the first may have been healthy, and two deaths take back what was asked. Only a collection is put
// together in one step, which takes long where it is large: one that is opened, and one that is made of all its documents.
func (a *App) watch() {
	if a.watchStop != nil {
		a.watchStop()
	}
	silent := 0
	var look func()
	look = func() {
		if len(a.waiting) > 0 && a.beat == 0 && a.Phase != Failed {
			silent++
			limit := 4
			if a.restarts > 0 {
				limit = 12
			}
			if a.assembling {
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

// Worked says that the worker gave what was hard to work out: what it died of before counts no more.
func (a *App) Worked() { a.restarts = 0 }
