//go:build !first

package message

import (
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// Analyse asks for the analysis of the comparison: which components matter, and which differences chance explains.
const Analyse Kind = 23

func init() { register[AskAnalyse, Analysed](Analyse, true) }

// AskAnalyse names sections of package analysis. Without sections and claim it cancels the previous question.
type AskAnalyse struct {
	Parts []string
	Claim string // a printed figure to check; "" for none

	Measures []string // measures that the figures need and the report lacks
}

// Analysed is the analysis.
type Analysed struct {
	Parts    []string // the requested sections
	Sections []analysis.Section
	Problem  string          // problem with the claim
	Times    *analysis.Times // of the runs, if requested and the runs were made here
	Grown    *report.Report  // of the prefixes of the leading pipeline, nil if it has no stages
	Apart    *report.Report  // of every subset of stages of a pipeline, nil if that takes too long
	More     *report.Report  // the same comparison by the requested measures, nil for none
	// the claim beside the output of other tools, nil without one
	Checked *analysis.Checked
}

// Wire codes the question.
func (a *AskAnalyse) Wire(c *wire.Codec) {
	c.Fields(&a.Parts, &a.Claim, &a.Measures)
}

// Wire codes the answer.
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
