package compare

import (
	"strings"

	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Claim is the form that looks for where a printed figure comes from.
type Claim struct {
	app  *state.App
	runs *Runs
	view *View

	Typed   Claimed // before it is looked into
	Changed bool    // the queries that a tool values otherwise are listed

	Printed Printed // figures without files
}

// Printed are figures that somebody printed, as they are typed: what they can show needs no file.
type Printed struct {
	Queries, Mean, Baseline string
	Asked                   string // the three, once they are checked; "" before
}

// CheckPrinted says what the printed figures can show.
func (c *Claim) CheckPrinted() {
	p := &c.Printed
	p.Asked = strings.Join(strings.Fields(p.Queries+" "+p.Mean+" "+p.Baseline), " ")
	c.app.View.Draw()
}

// Claimed is a printed figure in parts, as the form has them.
type Claimed struct {
	Number  string // as typed; it may name measure and run itself, as in "bm25 nDCG@10 0.665"
	Run     int    // of the report
	Measure string // of the report, "" for its first
	Edited  bool   // something was typed or chosen since the last answer
}

// Form is what the form shows: what was typed, otherwise the parts of the figure that is looked into.
func (c *Claim) Form() Claimed {
	r := c.runs.Report()
	f := c.Typed
	if !f.Edited && c.view.Claim != "" {
		f = c.parts(c.view.Claim)
	}
	if f.Run < 0 || f.Run >= len(r.Systems) {
		f.Run = 0
	}
	if f.Measure == "" {
		f.Measure = r.Measures[c.view.Column]
	}
	return f
}

// parts takes a figure apart that Check put together; any other is a number that says more.
func (c *Claim) parts(claim string) Claimed {
	w := strings.Fields(claim)
	if len(w) == 3 {
		if _, err := measure.Parse(w[1]); err == nil {
			for i := range c.runs.Report().Systems {
				if c.runs.Report().Letter(i) == w[0] {
					return Claimed{Number: w[2], Run: i, Measure: w[1]}
				}
			}
		}
	}
	return Claimed{Number: claim}
}

// Edit changes what the form shows.
func (c *Claim) Edit(change func(*Claimed)) {
	f := c.Form()
	change(&f)
	f.Edited = true
	c.Typed = f
	c.app.View.Draw()
}

// Check looks for who prints the figure of the form. It gets an entry of the history, and links hold it.
func (c *Claim) Check() {
	if c.runs.Report() == nil {
		return
	}
	f := c.Form()
	claim := strings.TrimSpace(f.Number)
	if claim != "" && len(strings.Fields(claim)) == 1 {
		claim = c.runs.Report().Letter(f.Run) + " " + f.Measure + " " + claim
	}
	c.Investigate(claim)
}

// Investigate looks for where a printed figure comes from, "" for none.
func (c *Claim) Investigate(claim string) {
	c.Typed = Claimed{}
	c.view.look(visiting, func(x *packed.View) { x.Claim = strings.TrimSpace(claim) })
}

// ShowChanged shows the queries that a tool values otherwise, or hides them.
func (c *Claim) ShowChanged(on bool) {
	c.Changed = on
	c.app.View.Draw()
}
