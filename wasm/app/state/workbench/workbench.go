// Package workbench is what the richer program adds to the Search screen beside the arithmetic, without its looks: the
// weights of a fusion that are tuned, and runs of other programs that stages rank by. Both belong to the editor of a
// system.
package workbench

import (
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/arithmetic"
)

// Workbench is the screen's part.
type Workbench struct {
	*arithmetic.Arithmetic
	App *state.App

	Tuned   *message.Tuned     // the newest; nil for none
	Tuning  bool               // it goes on
	Of      string             // the system that is or was tuned
	Run     *message.StoredRun // that was read last; nil for none
	Reading *message.Progress  // of one that is being read

	given []message.File // whose runs the worker has
	asked []message.File // that it was given last
}

// New is the part as it begins.
func New(a *state.App) *Workbench { return &Workbench{App: a, Arithmetic: arithmetic.New(a)} }

// On is the part of a page, nil where its program has none.
func On(a *state.App) *Workbench {
	w, _ := a.Screens.Other(share.Search).(*Workbench)
	return w
}

// Takes says which replies are the part's.
func (w *Workbench) Takes(k message.Kind) bool {
	return k == message.Tune || k == message.Stored || w.Arithmetic.Takes(k)
}

// Start tunes a system by the first measure.
func (w *Workbench) Start(system string) {
	w.Tuned, w.Tuning, w.Of = nil, true, system
	w.ask()
	w.App.View.Draw()
}

func (w *Workbench) ask() {
	by := measure.Defaults()[0]
	if m := w.App.Settings.Spec.Measures; len(m) > 0 {
		by = m[0]
	}
	w.App.Engine.Request(message.Tune, &message.AskTune{System: w.Of, Measure: by})
}

// Stop lets go of it.
func (w *Workbench) Stop() {
	w.Tuning, w.Tuned = false, nil
	w.App.View.Draw()
}

// Receive takes answers.
func (w *Workbench) Receive(r message.Reply) {
	switch x := r.Answer.(type) {
	case *message.Tuned:
		if !w.Tuning {
			return
		}
		w.Tuned = x
		w.App.Engine.Worked()
		if w.Tuning = x.Problem == "" && x.Finding == nil; w.Tuning {
			w.ask()
		}
	case *message.StoredRun:
		w.given, w.asked = append(w.given, w.asked...), nil
		if w.Reading == nil { // a new worker has read it again
			return
		}
		w.Run, w.Reading = x, nil
		if w.App.Editor.Draft == stage.BM25.Name || w.App.Editor.Draft == "" { // nothing was written yet
			w.App.Editor.Write("run(" + x.Name + ")")
		} else {
			w.App.Editor.Write(w.App.Editor.Draft) // which may name it
		}
	case nil:
		if r.Kind == message.Tune {
			w.Tuning = false
		}
		if r.Kind == message.Stored {
			w.Reading, w.asked = nil, nil
		}
		w.Arithmetic.Receive(r)
	default:
		w.Arithmetic.Receive(r)
	}
	w.App.View.Draw()
}

// Hear takes how far a run is read.
func (w *Workbench) Hear(p *message.Progress) {
	if w.Reading != nil {
		w.Reading = p
		w.App.View.Draw()
	}
}

// Again asks a new worker, and gives it the runs that the last one had read.
func (w *Workbench) Again() {
	if len(w.given) > 0 {
		w.asked, w.given = w.given, nil
		w.read()
	}
	if w.Tuning {
		w.ask()
	}
}

// Died is told before the worker is replaced. The file that it may have ended by is not read a second time.
func (w *Workbench) Died(reason string) {
	if w.Reading != nil {
		w.App.Notices.Problem = &message.Problem{
			What: "The run was not read: the search engine stopped while reading " +
				"it (" + reason + ").", Where: message.Few(w.asked), Do: "The systems are unchanged. Choose the file " +
				"again, or open it in Evaluate."}
		w.asked = nil
	}
	w.Run, w.Reading = nil, nil
	w.given, w.asked = append(w.given, w.asked...), nil
}

// TakesFiles says that files are runs for the editor while one is open.
func (w *Workbench) TakesFiles() bool {
	return w.App.Settings.Screen == share.Search && w.App.Editor.Editing >= 0
}

// AddFiles reads runs.
func (w *Workbench) AddFiles(files []message.File) {
	w.Run, w.Reading = nil, &message.Progress{What: "Reading"}
	w.App.Notices.Problem = nil
	w.asked = files
	w.read()
	w.App.View.Draw()
}

func (w *Workbench) read() {
	w.App.Engine.Request(message.Stored, &message.AskStored{Files: w.asked, Limit: w.App.Engine.Limit})
}
