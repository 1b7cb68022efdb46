package state

import (
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
)

// Figures are the measures of the systems over all judged queries.
type Figures struct {
	engine   *Engine
	settings *Settings
	programs *Programs
	search   *Search
	view     *View

	Report     *report.Report
	Measuring  message.Progress // in queries of a system
	Unmeasured bool             // it was cancelled

	paying bool   // the next evaluation may cost what it will
	paid   bool   // the last one might
	stop   func() // the clock that waits for the settings to rest
}

// ask asks for the report of the present settings.
func (f *Figures) ask() {
	f.Measuring, f.Unmeasured = message.Progress{}, false
	f.programs.enrich()
	spec := f.settings.Full()
	if f.paying {
		spec.Spend, f.paying, f.paid = -1, false, true
	}
	evaluating.ask(f.engine, &spec)
}

// hear takes how far the report is.
func (f *Figures) hear(p *message.Progress) {
	f.engine.Arriving = nil
	if p.Unit == "" {
		f.engine.Arriving = p
	} else {
		f.Measuring = *p
	}
}

// reported takes the report.
func (f *Figures) reported(r *report.Report) {
	f.Report = r
	f.Measuring = message.Progress{}
	if f.paid && f.search.Results != nil && f.settings.HasQuery() { // a list that was not asked for may be there now
		f.search.ask()
	}
	f.paid = false
}

// soon asks for a new report once the settings rest: the measures over all queries follow a slider without a test of
// significance for every pixel.
func (f *Figures) soon() {
	if f.stop != nil {
		f.stop()
	}
	f.stop = f.view.window.After(120, func() {
		f.stop = nil
		f.ask()
	})
}

// MeasureAll asks backends for all judged queries, whatever that costs.
func (f *Figures) MeasureAll() {
	f.paying = true
	f.ask()
	f.view.Draw()
}

// Cancel lets the comparison over all judged queries be; the next change of a system asks for it again.
func (f *Figures) Cancel() {
	f.Measuring, f.Unmeasured = message.Progress{}, true
	evaluating.ask(f.engine, &experiment.Spec{})
	f.view.Draw()
}

// fits says whether the report on the screen is that of the present settings.
func (f *Figures) fits() bool {
	if f.Report == nil || f.engine.Opened == nil || f.Report.Collection.Hash != f.engine.Opened.Ref.Hash {
		return false
	}
	nodes := f.settings.Nodes()
	if len(nodes) != len(f.Report.Systems) || f.Report.Baseline != f.settings.Spec.Baseline {
		return false
	}
	for i, n := range nodes {
		if n == nil || n.String() != f.Report.Systems[i].Notation {
			return false
		}
	}
	return true
}

// Stale says that the report on the screen is not yet that of the settings. A page without a worker makes none.
func (f *Figures) Stale() bool {
	return HasWorker && (f.Report == nil || f.engine.Opened != nil && !f.fits())
}

// Doubt says why a system has no figure over all judged queries, or one of which a part is not its own; ""
// where neither is so.
func (f *Figures) Doubt(system int) string {
	if r := f.Report; r != nil && !f.Stale() && system < len(r.Systems) {
		return r.Systems[system].Why
	}
	return ""
}
