package ui

import (
	"strings"

	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Compare is the screen for the runs that somebody brings.
type Compare struct {
	App *state.App
}

// Report is the report on the screen.
func (c *Compare) Report() *compare.Report { return c.App.Compare.Report() }

// Busy says whether something is on its way.
func (c *Compare) Busy() string {
	if c.App.Comparing() {
		return "true"
	}
	return "false"
}

// Heading is the finding, or what the screen is for.
func (c *Compare) Heading() string {
	if r := c.Report(); r != nil {
		s := shown(r.Finding) // it may end in a difference: "… by AP (-0.012)."
		if i := strings.LastIndex(s, " (-"); i >= 0 && strings.Trim(s[i+3:], "0123456789.)") == "" {
			s = s[:i] + " (−" + s[i+3:]
		}
		return s
	}
	return "Compare your runs"
}

// Lead says what to do first.
func (c *Compare) Lead() string {
	switch d := c.App.Compare.Done; {
	case c.App.Comparing():
		return "Reading and measuring …"
	case d != nil && d.Need == "qrels":
		return "The runs are read. What is missing are the judgments (qrels): without them nothing can be measured. Drop them on the page too."
	case d != nil && d.Need == "runs":
		return "The judgments are read. What is missing is at least one run; two or more are compared."
	case d != nil && d.Need != "" && !c.App.Compare.Empty(): // not after everything was cancelled or taken out
		return "Nothing of this can be compared yet: the reasons stand beside the files. Wanted are judgments (qrels) and one or more runs."
	}
	return "Drop qrels and up to 20 runs anywhere on this page. You get the measures that trec_eval prints, a paired test with correction, and every query explained document by document."
}

// Warnings are doubts about the runs, the judgments and the test.
func (c *Compare) Warnings() []string {
	r := c.Report()
	return append(append([]string(nil), r.Warnings...), r.Test.Warnings...)
}

const warningsShown = 3

// Some are the first of the warnings.
func (c *Compare) Some() []string { w := c.Warnings(); return w[:min(len(w), warningsShown)] }

// More are the others.
func (c *Compare) More() []string { w := c.Warnings(); return w[min(len(w), warningsShown):] }

// MoreLabel counts them.
func (c *Compare) MoreLabel() string { return plural(len(c.More()), "more doubt", "more doubts") }
