// Package experiment is the screen on which a matrix of systems is written, run and watched.
package experiment

import (
	"math"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/experiment"
)

// Make is the screen for a page.
func Make(a *state.App) (state.Screen, vugu.Builder) {
	s := screen.New(a, screen.Written{Systems: starts[0].Systems, Measures: strings.Join(measure.Defaults()[:2], " "),
		Baseline: "bm25"})
	return s, &Experiment{X: s, Runs: Runs{X: s}}
}

// Experiment is the screen.
type Experiment struct {
	X    *screen.Experiment
	Runs Runs
}

// Start is a matrix to begin with.
type Start struct{ Name, Systems, Baseline string }

var starts = []Start{
	{"Lexical, dense and fused", "bm25 >> rm3?\ndense\nrrf(bm25, dense, k=10|60)", "bm25"},
	{"A grid of k1 and b", "bm25\nbm25(k1=0.6..1.8/0.2, b=0..1/0.25)", "bm25"},
	{"Formulas of BM25", "bm25(variant=lucene|robertson|atire|bm25+|bm25l|okapi)", "bm25"},
	{"Depth of feedback", "bm25 >> rm3(docs=3|5|10|20, terms=5|10|20|40)?", "bm25"},
}

// About names the collection that the experiment is about.
func (c *Experiment) About() string {
	if o := c.X.App.Engine.Opened; o != nil {
		return say.Visible(o.Ref.Name)
	}
	return "the collection"
}

// Take begins with one.
func (c *Experiment) Take(s Start) {
	w := c.X.Written
	w.Systems, w.Baseline = s.Systems, s.Baseline
	c.X.Write(w)
}

// Systems takes what is typed.
func (c *Experiment) Systems(event vugu.DOMEvent) {
	w := c.X.Written
	w.Systems = event.PropString("target", "value")
	c.X.Write(w)
}

// Measures takes what is typed.
func (c *Experiment) Measures(event vugu.DOMEvent) {
	w := c.X.Written
	w.Measures = event.PropString("target", "value")
	c.X.Write(w)
}

// Baseline takes what is typed.
func (c *Experiment) Baseline(event vugu.DOMEvent) {
	w := c.X.Written
	w.Baseline = event.PropString("target", "value")
	c.X.Write(w)
}

// D is how far it is, nil while nothing is known.
func (c *Experiment) D() *message.Experimented {
	c.X.Look()
	return c.X.Done
}

// Missing tells of the collection that the link is about and that is not here.
func (c *Experiment) Missing() Missing { return Missing{c.X} }

// Plan says what would be run.
func (c *Experiment) Plan() string {
	d := c.D()
	switch {
	case c.X.Missing() != nil:
		return ""
	case c.X.App.Engine.Opened == nil:
		return "Loading the collection …"
	case len(c.X.Matrix().Systems) == 0:
		return "List a system, or start from one of the examples."
	case d == nil:
		return "Counting the runs …"
	case d.Problem != "":
		return ""
	}
	s := say.Visible(d.Said)
	if d.Queries > 0 {
		s += " on " + say.Count(d.Queries, "query", "queries")
		if a := c.X.App; a.Settings.Collection() != a.Settings.Default {
			s += " of " + say.Visible(a.Engine.Opened.Ref.Name)
		}
	}
	if !d.Over && d.Micros > 0 {
		s += ", about " + took(d.Micros) + " on this device"
	}
	if d.Bytes > 1<<20 {
		s += ", " + say.Bytes(int64(d.Bytes))
	}
	if d.Price != "" && !d.Over {
		s += ". Backends are asked for at most " + say.Visible(d.Price)
	}
	return s + "."
}

// took says a time.
func took(micros float64) string {
	switch s := micros / 1e6; {
	case s < 1:
		return "a second"
	case s < 90:
		return say.Count(int(math.Ceil(s)), "second", "seconds")
	default:
		return say.Count(int(math.Ceil(s/60)), "minute", "minutes")
	}
}

// Problem is what is wrong with what is typed.
func (c *Experiment) Problem() string {
	if d := c.D(); d != nil {
		return say.Visible(d.Problem)
	}
	return ""
}

// Ready says whether it can be started.
func (c *Experiment) Ready() bool {
	d := c.D()
	return d != nil && d.Problem == "" && !d.Over && !c.X.Running
}

// Go is what the button says.
func (c *Experiment) Go() string {
	d := c.D()
	if d == nil {
		return "Run"
	}
	switch {
	case d.Over && len(d.Runs) > 0:
		return "All runs are done"
	case c.Rankings() > 0:
		return "Continue"
	}
	return "Run " + say.Count(len(d.Runs), "system", "systems")
}

// Rankings is how many are done.
func (c *Experiment) Rankings() (n int) {
	if d := c.D(); d != nil {
		for _, r := range d.Runs {
			n += r.Evaluated + r.Empty + r.Failed
		}
	}
	return n
}

// All is how many there are to do.
func (c *Experiment) All() (n int) {
	if d := c.D(); d != nil {
		for _, r := range d.Runs {
			if r.State != "failed" || r.NotRun == 0 {
				n += d.Queries
			}
		}
	}
	return n
}

// Progress says how far it is.
func (c *Experiment) Progress() string {
	d := c.D()
	if d == nil || d.Problem != "" {
		return ""
	}
	done, kept := c.Rankings(), 0
	for _, r := range d.Runs {
		kept += r.Kept
	}
	s := say.Thousands(done) + " of " + say.Count(c.All(), "ranking", "rankings")
	switch {
	case d.Over:
		s = "All " + say.Count(done, "ranking is", "rankings are") + " done"
	case c.X.Running:
		s += " done"
		if w := c.X.Helpers.Workers(); w != "" {
			s += "; " + w
		}
	case done > 0:
		s += " done and saved"
	default:
		return ""
	}
	if kept > 0 {
		s += "; " + say.Thousands(kept) + " from before"
	}
	if d.Reused > 0 {
		s += "; " + say.Thousands(d.Reused) + " shared with another run"
	}
	return s + "."
}

// Notes are what else is to be said.
func (c *Experiment) Notes() []string {
	d := c.D()
	if d == nil {
		return nil
	}
	var out []string
	if d.Note != "" {
		out = append(out, say.Visible(d.Note))
	}
	if c.X.Running && c.X.Helpers.Alone != "" {
		out = append(out, c.X.Helpers.Alone)
	}
	return out
}

// Changed says which backends are others now than the ones that the figures are of.
func (c *Experiment) Changed() string {
	if d := c.D(); d != nil {
		return say.Visible(d.Changed)
	}
	return ""
}

// CanKeep says whether everything is done and backends had a part in it.
func (c *Experiment) CanKeep() bool {
	d := c.D()
	return d != nil && d.Over && d.Remote
}

// Answers says what keeping them is for.
func (c *Experiment) Answers() string {
	if c.X.Answers == "" {
		return "They hold ids and scores, no text. Anyone with the link gets these figures without asking the " +
			"backends again."
	}
	return "The edge keeps them as " + c.X.Answers[:12] + ", which the link names."
}

// Comparing says what the button does.
func (c *Experiment) Comparing() string {
	n := 0
	for _, r := range c.D().Runs {
		if r.State == "completed" {
			n++
		}
	}
	if n > message.MaxRuns {
		return "Compare the best " + strconv.Itoa(message.MaxRuns)
	}
	return "Compare " + say.Count(n, "run", "runs")
}

// Here names the collection, as elsewhere.
func (c *Experiment) Here() string {
	o := c.X.App.Engine.Opened
	if o == nil {
		return c.X.App.Settings.Collection()
	}
	return o.Ref.Name + " · " + o.Ref.Size() + " · " + say.Count(len(o.Queries), "query", "queries")
}

// Hash is empty: there is no report here.
func (c *Experiment) Hash() string { return "" }

// Status says what is at work.
func (c *Experiment) Status() string {
	if c.X.Running {
		return "Running the experiment."
	}
	return ""
}

// Exporting is never.
func (c *Experiment) Exporting() bool { return false }

// Cancel stops it.
func (c *Experiment) Cancel() { c.X.Stop() }

// Find is the field for systems.
func (c *Experiment) Find() string { return "experiment-systems" }

// Step does nothing: there are no queries.
func (c *Experiment) Step(int) {}

// Escape has nothing to close.
func (c *Experiment) Escape() bool { return false }

// Key does nothing.
func (c *Experiment) Key(string) bool { return false }
