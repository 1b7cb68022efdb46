package compare

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/analysis"
	"github.com/rankbox/rankbox/core/measure"
)

// Claimed is a printed figure in parts, as the form has them.
type Claimed struct {
	Number  string // as typed; it may name measure and run itself, as in "bm25 nDCG@10 0.665"
	Run     int    // of the report
	Measure string // of the report, "" for its first
	Edited  bool   // somebody typed or chose since the last answer
}

// Form is what the form shows: what was typed, otherwise the parts of the figure that is looked into.
func (c *Compare) Form() Claimed {
	r := c.Report()
	f := c.Claimed
	if !f.Edited && c.Claim != "" {
		f = c.parts(c.Claim)
	}
	if f.Run < 0 || f.Run >= len(r.Systems) {
		f.Run = 0
	}
	if f.Measure == "" {
		f.Measure = r.Measures[c.Column]
	}
	return f
}

// parts takes a figure apart that Check put together; any other is a number that says more.
func (c *Compare) parts(claim string) Claimed {
	w := strings.Fields(claim)
	if len(w) == 3 {
		if _, err := measure.Parse(w[1]); err == nil {
			for i := range c.Report().Systems {
				if c.Report().Letter(i) == w[0] {
					return Claimed{Number: w[2], Run: i, Measure: w[1]}
				}
			}
		}
	}
	return Claimed{Number: claim}
}

// EditClaim changes what the form shows.
func (c *Compare) EditClaim(change func(*Claimed)) {
	f := c.Form()
	change(&f)
	f.Edited = true
	c.Claimed = f
	c.App.View.Draw()
}

// Check looks for who prints the figure of the form. It gets an entry of the history, and links hold it.
func (c *Compare) Check() {
	if c.Report() == nil {
		return
	}
	f := c.Form()
	claim := strings.TrimSpace(f.Number)
	if claim != "" && len(strings.Fields(claim)) == 1 {
		claim = c.Report().Letter(f.Run) + " " + f.Measure + " " + claim
	}
	c.Investigate(claim)
}

// Investigate looks for where a printed figure comes from, "" for none.
func (c *Compare) Investigate(claim string) {
	c.Claimed = Claimed{}
	c.look(visiting, func(c *Compare) { c.Claim = strings.TrimSpace(claim) })
}

// ShowChanged shows the queries that a tool values otherwise, or hides them.
func (c *Compare) ShowChanged(on bool) {
	c.Changed = on
	c.App.View.Draw()
}

// PasteGrades compares a list of grades, as analysis.ReadGrades reads it, and opens the tab that checks numbers; false
// where the text is none. Several lines without "|" are files: judgments can consist of numbers too.
func (c *Compare) PasteGrades(text string) bool {
	if text = strings.TrimSpace(text); strings.Contains(text, "\n") && !strings.Contains(text, "|") {
		return false
	}
	g, err := analysis.ReadGrades(text)
	if err != nil {
		return false
	}
	c.wanted = TabCheck
	n := strconv.Itoa(len(c.Setting.Files) + 1)
	c.AddFiles(c.textFiles("grades-"+n+".qrels", g.Qrels(), "grades-"+n+".run", g.Run()))
	return true
}

// ReadPath takes the path that was opened: /check opens the tab that checks numbers.
func (c *Compare) ReadPath(path string) {
	if strings.HasPrefix(path, "/check") {
		c.wanted = TabCheck
	}
}
