//go:build !first

package message

import (
	"github.com/rankbox/rankbox/core/analysis"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/wire"
)

// Analyse asks what matters in the comparison and whether it is luck.
const Analyse Kind = 23

func init() { register[AskAnalyse, Analysed](Analyse, true) }

// AskAnalyse names parts of the page, as package analysis has them; without one, and without a claim, it stops the
// question before.
type AskAnalyse struct {
	Parts []string
	Claim string // a printed figure that is looked into; "" for none

	Measures []string // that figures are drawn from and the report lacks
}

// Analysed is what is said.
type Analysed struct {
	Parts    []string // that were asked for
	Sections []analysis.Section
	Problem  string          // of the claim
	Times    *analysis.Times // of the runs, where they were asked for and the runs were made here
	Grown    *report.Report  // of the beginnings of the leading pipeline, nil where it has no stages
	Apart    *report.Report  // of every set of stages of a pipeline, nil where that takes long
	More     *report.Report  // of the same comparison by the measures that were asked for, nil for none
	// Checked is the claim beside what other tools print, nil without one.
	Checked *analysis.Checked
}

// Wire walks the question.
func (a *AskAnalyse) Wire(c *wire.Codec) {
	c.Fields(&a.Parts, &a.Claim, &a.Measures)
}

// Wire walks the answer.
func (a *Analysed) Wire(c *wire.Codec) {
	c.Strings(&a.Parts)
	wire.Structs(c, &a.Sections)
	c.String(&a.Problem)
	Pointer(c, &a.Times)
	Pointer(c, &a.Grown)
	Pointer(c, &a.Apart)
	Pointer(c, &a.More)
	Pointer(c, &a.Checked)
}
