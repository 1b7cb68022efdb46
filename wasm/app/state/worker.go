package state

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// What comes from the worker, and what happens when it ends.

// open asks for the collection that the Spec names.
func (a *App) open() {
	a.Programs.enrich()
	id := a.Settings.Collection()
	opening.ask(&a.Engine, &message.Place{Collection: id, Base: a.Engine.Base(id), Limit: a.Engine.Limit})
}

// Reopen opens the collection again that is open: it has got more files.
func (a *App) Reopen() { a.open() }

func (a *App) opened(o *message.Opened) {
	a.Engine.Opened = o
	a.Engine.Phase = Ready
	a.rememberProject(o)
	if !a.Programs.Wanted() {
		a.Programs.Fetching = nil
	}
	if a.Settings.Spec.Hash != "" && !strings.HasPrefix(o.Ref.Hash, a.Settings.Spec.Hash) {
		a.Notices.Text = "This link was made with another version of " + o.Ref.Name + " (" + a.Settings.Spec.Hash +
			"); the figures below are those of the present one."
	}
	a.Workspace.open(o)
	if x, ok := as[CollectionUser](a.Screens.On()); ok {
		x.Opened()
	}
	a.lookUp()
}

// lookUp asks for what the address shows of the open collection.
func (a *App) lookUp() {
	o := a.Engine.Opened
	if a.Settings.Spec.QueryID != "" && a.Settings.Query() == nil && !a.Workspace.awaited {
		a.Notices.Problem = &message.Problem{
			What:  "The link asks for query " + a.Settings.Spec.QueryID + ", which " + o.Ref.Name + " does not have.",
			Where: "the link",
			Do:    "Choose one of its " + strconv.Itoa(len(o.Queries)) + " judged queries, or type one.",
		}
		a.Settings.Spec.QueryID = ""
	}
	if a.Workspace.awaited && a.Settings.Query() == nil { // a search for a query of the workspace
		return
	}
	a.Settings.Address = a.Settings.exemplify(a.Settings.Address)
	// Home has what it shows of its example; a query that was typed meanwhile has no lists yet.
	if a.Settings.HasQuery() && (!a.Search.Excerpt || a.Settings.Screen != "" ||
		a.Settings.Spec.QueryID != a.Settings.Example) {
		a.Search.ask()
	}
	if a.Settings.Focus.Document != "" {
		a.Search.explain()
	}
	a.Encoder.again()
	if a.Figures.Report == nil || !a.Figures.fits() {
		a.Figures.ask()
	}
	a.Sliders.curveSoon()
}

// Adopted takes the open collection with the queries and judgments of the workspace: lists and figures are asked for
// anew. nil is for a workspace that could not be read, or holds nothing.
func (a *App) Adopted(o *message.Opened) {
	waited := a.Workspace.awaited
	a.Workspace.awaited = false
	if o == nil {
		if waited && a.Engine.Opened != nil && a.Settings.Spec.QueryID != "" && a.Settings.Query() == nil {
			a.lookUp()
		}
		return
	}
	a.Engine.Opened = o
	if a.Settings.Spec.QueryID != "" && a.Settings.Query() == nil { // it was removed
		a.Settings.Spec.QueryID, a.Search.Results, a.Search.Why = "", nil, nil
		a.Location.Write(false)
	}
	if a.Settings.HasQuery() {
		a.Search.ask()
	}
	if a.Settings.Focus.Document != "" {
		a.Search.explain()
	}
	a.Figures.ask()
	a.Sliders.curveSoon()
	a.View.Draw()
}

// Receive takes a reply of the worker.
func (a *App) Receive(r message.Reply) {
	if x, ok := r.Answer.(*experiment.Results); ok {
		a.Search.spent(x.Spent)
	}
	switch newest := a.Engine.heard(&r); {
	case !newest:
		return
	case r.Progress != nil:
		a.hear(r.Kind, r.Progress)
		a.Browser.Render()
		return
	case r.Beyond: // the richer worker is asked again
		a.Browser.Enrich()
		a.View.Draw()
		return
	}
	a.Engine.answered(r.ID)
	if r.Problem != nil {
		a.Notices.Problem = r.Problem
		if r.Kind == message.Open {
			a.Engine.Phase, a.Engine.unfetched = Failed, true
			if a.Screens.unopened() {
				a.Notices.Problem = nil // the screen says it, and what can be done
			}
		}
	}
	if x := a.Screens.listener(r.Kind); x != nil {
		x.Receive(r)
	} else if x := replyOf(r.Kind); x != nil {
		x.take(a, r)
	}
	a.View.Draw()
}

// hear takes how far the newest request of a kind is.
func (a *App) hear(kind message.Kind, p *message.Progress) {
	if x := a.Screens.listener(kind); x != nil {
		hear(x, p)
	} else if x := replyOf(kind); x != nil && x.hear != nil {
		x.hear(a, p)
	} else {
		a.Engine.Progress = *p
	}
}

// Died is told that the worker ended: it is replaced, and what it owed is asked again.
func (a *App) Died(reason string) {
	a.Engine.restarts++
	a.Engine.Arriving, a.Engine.assembling = nil, false
	if a.Engine.restarts > 3 {
		a.Engine.Phase = Failed
		do := "Try again, or reload the page. Nothing you typed or opened is lost."
		if strings.Contains(reason, "memory") {
			do = "This device has too little free memory. Close other tabs and try again, or remove files."
		}
		a.Notices.Problem = &message.Problem{
			What:  "The search engine stopped four times in a row; the last time: " + reason + ".",
			Where: "the worker of this page", Do: do,
		}
		a.Screens.died(reason)
		a.Engine.forget()
		a.View.Draw()
		return
	}
	a.Notices.Say("The search engine stopped (" + reason + ") and was started again. Nothing you typed is lost.")
	a.Screens.died(reason)
	a.Engine.forget()
	a.Browser.Restart()
	a.Engine.Phase, a.Engine.Progress = Opening, message.Progress{}
	a.open()
	a.Screens.again()
	a.View.Draw()
}

// Retry opens the collection again after a failure.
func (a *App) Retry() {
	a.Notices.Problem, a.Engine.restarts, a.Engine.unfetched = nil, 0, false
	if a.Programs.Wanted() {
		a.Programs.Fetching = &message.Progress{What: "Loading " + screens.At(a.Programs.away.Path).Label()}
		a.Browser.Swap(a.Programs.next())
		a.View.Draw()
		return
	}
	if HasWorker {
		a.Browser.Restart()
		a.Engine.Phase = Opening
		a.open()
		a.Screens.again()
	}
	a.View.Draw()
}

// Stop gives up what the worker is doing: it is replaced, and opens the collection again when asked.
func (a *App) Stop() {
	a.Engine.forget()
	a.Engine.newest = map[message.Kind]uint64{}
	a.Browser.Restart()
	a.Screens.again()
	a.Engine.Phase, a.Engine.unfetched = Failed, false
	a.Notices.Problem = &message.Problem{What: "Loading was cancelled.", Where: "search engine",
		Do: "Open it again to search."}
	a.View.Draw()
}

// Online is told whether there is a network. Once it is back, what could not be fetched is asked for again: a program,
// a collection, and what a list lacks of texts or vectors.
func (a *App) Online(on bool) {
	a.View.Offline = !on
	switch {
	case !HasWorker: // the program of another screen is all that can be on its way
		if on && a.Engine.unfetched && a.Programs.Failing() {
			a.Retry()
		}
	case on && a.Engine.unfetched && a.Programs.Failing():
		a.Retry()
	case on && a.Engine.Phase == Ready && a.Search.Results != nil &&
		slices.ContainsFunc(a.Search.Results.Lists, func(l experiment.List) bool { return l.Again }):
		a.Search.Again()
		a.Sliders.curveSoon()
	}
	a.View.Draw()
}
