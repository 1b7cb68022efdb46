// Package experiment is the screen on which a matrix of systems is written, run and watched.
package experiment

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/experiment"
)

// Make is the screen for a page.
func Make(a *state.App) (state.Screen, vugu.Builder) {
	s := screen.New(a, screen.Written{Systems: starts[0].Systems, Measures: strings.Join(measure.Defaults()[:2], " "), Baseline: "bm25"})
	return s, &Experiment{X: s}
}

// Experiment is the screen.
type Experiment struct {
	X   *screen.Experiment
	all bool // every run is shown, not the first ones
	by  int  // the measure that sorts the runs
	up  bool // worst first
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

// Starts are what there is to begin with.
func (c *Experiment) Starts() []Start { return starts }

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

// Absent says which collection the link is about, and that it is not here.
func (c *Experiment) Absent() string {
	n := c.X.Missing()
	name := n.Name
	if name == "" {
		name = n.ID
	}
	var known []string
	if n.Documents > 0 {
		known = append(known, say.Count(n.Documents, "document", "documents"))
	}
	if n.Hash != "" {
		known = append(known, "content hash "+n.Hash+"…")
	}
	s := "This experiment is about " + say.Visible(name)
	if len(known) > 0 {
		s += " (" + strings.Join(known, ", ") + ")"
	}
	if o := c.X.App.Engine.Opened; o != nil {
		return s + ". " + say.Visible(o.Ref.Name) + " has another content here (" + say.Count(o.Ref.Documents, "document", "documents") + ", content hash " + o.Ref.Hash[:16] + "…)."
	}
	if n.Uploaded() {
		return s + ". It was uploaded on another device, or is no longer on this one."
	}
	return s + ". This site does not have it."
}

// Remedy says what can be done.
func (c *Experiment) Remedy() string {
	s := "Nothing was computed. "
	if c.X.Missing().Uploaded() {
		return s + "Upload the same files and open the link again, or run these systems on another collection."
	}
	return s + "You can run these systems on another collection."
}

// Instead is what the button says that drops the collection.
func (c *Experiment) Instead() string {
	if o := c.X.App.Engine.Opened; o != nil {
		return "Run it on this collection"
	}
	return "Use this site’s collection"
}

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
		if w := c.X.Workers(); w != "" {
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
	if c.X.Running && c.X.Alone != "" {
		out = append(out, c.X.Alone)
	}
	return out
}

// mostShown is how many runs are shown before somebody wants all.
const mostShown = 50

// Rows are the runs that are shown: completed ones by the measure that sorts them, then those at work, those to come, those that failed.
func (c *Experiment) Rows() []message.ExperimentRun {
	d := c.D()
	if d == nil {
		return nil
	}
	out := slices.Clone(d.Runs)
	slices.SortStableFunc(out, c.before)
	if !c.all && len(out) > mostShown {
		out = out[:mostShown]
	}
	return out
}

// before orders two runs.
func (c *Experiment) before(x, y message.ExperimentRun) int {
	if a, b := rank(x), rank(y); a != b || a > 0 {
		return cmp.Compare(a, b)
	}
	u, v := c.value(x, c.by), c.value(y, c.by)
	if c.lower(c.by) == c.up {
		u, v = v, u
	}
	return cmp.Compare(u, v)
}

// rank is the place of a run's state in the table.
func rank(r message.ExperimentRun) int {
	switch r.State {
	case "completed":
		return 0
	case "failed":
		return 3
	case "pending":
		return 2
	}
	return 1
}

// value is the mean of a run by a measure, NaN where there is none.
func (c *Experiment) value(r message.ExperimentRun, m int) float64 {
	if m < len(r.Means) {
		return r.Means[m]
	}
	if m == 0 {
		return r.Mean
	}
	return math.NaN()
}

// lower says whether less is better by a measure.
func (c *Experiment) lower(m int) bool {
	if m == 0 {
		return c.D().Lower
	}
	x, err := measure.Parse(c.Columns()[m])
	return err == nil && x.Info().Lower
}

// SortBy sorts the completed runs by a measure, best first; the same measure again reverses the order.
func (c *Experiment) SortBy(m int) {
	c.by, c.up = m, m == c.by && !c.up
	c.X.App.View.Draw()
}

// Sorted says for the screen reader how a column sorts the runs.
func (c *Experiment) Sorted(m int) interface{} {
	switch {
	case m != c.by:
		return nil
	case c.lower(m) != c.up:
		return "ascending"
	}
	return "descending"
}

// Arrow shows the same.
func (c *Experiment) Arrow(m int) string {
	switch c.Sorted(m) {
	case "ascending":
		return " ▲"
	case "descending":
		return " ▼"
	}
	return ""
}

// RowClass marks the baseline.
func (c *Experiment) RowClass(r message.ExperimentRun) string {
	if c.IsBaseline(r) {
		return "picked"
	}
	return ""
}

// More says how many are not shown.
func (c *Experiment) More() string {
	if d := c.D(); d != nil && !c.all && len(d.Runs) > mostShown {
		return "Show all " + say.Count(len(d.Runs), "run", "runs")
	}
	return ""
}

// ShowAll shows every run.
func (c *Experiment) ShowAll() { c.all = true; c.X.App.View.Draw() }

// Mean is what a run has so far.
func (c *Experiment) Mean(r message.ExperimentRun, m int) string {
	v := c.value(r, m)
	if math.IsNaN(v) {
		return ""
	}
	return say.Page.Number(v, 4)
}

// Best marks the best mean of those that are done.
func (c *Experiment) Best(r message.ExperimentRun, m int) string {
	if r.State != "completed" {
		return "num muted"
	}
	v := c.value(r, m)
	for _, o := range c.D().Runs {
		if w := c.value(o, m); o.State == "completed" && w != v && (w > v) != c.lower(m) {
			return "num"
		}
	}
	return "num best"
}

// State says what became of a run.
func (c *Experiment) State(r message.ExperimentRun) string {
	s := r.State
	if s == "running" || s == "cancelled" {
		s = strconv.Itoa(r.Evaluated+r.Empty+r.Failed) + " of " + strconv.Itoa(c.D().Queries)
	}
	if r.Empty > 0 {
		s += ", " + strconv.Itoa(r.Empty) + " without a document"
	}
	if r.Failed > 0 {
		s += ", " + strconv.Itoa(r.Failed) + " not answered"
	}
	return s
}

// Why says why a run failed.
func (c *Experiment) Why(r message.ExperimentRun) string { return say.Visible(r.Why) }

// Behind says what of a run was done behind the edge.
func (c *Experiment) Behind(r message.ExperimentRun) string { return say.Visible(r.Behind) }

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
		return "They hold ids and scores, no text. Anyone with the link gets these figures without asking the backends again."
	}
	return "The edge keeps them as " + c.X.Answers[:12] + ", which the link names."
}

// Columns are the measures.
func (c *Experiment) Columns() []string {
	if d := c.D(); len(d.Measures) > 0 {
		return d.Measures
	}
	return []string{c.D().Measure}
}

// IsBaseline says whether a run is the one that the others are held against.
func (c *Experiment) IsBaseline(r message.ExperimentRun) bool {
	d := c.D()
	return d.Baseline < len(d.Runs) && d.Runs[d.Baseline].Hash == r.Hash
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
