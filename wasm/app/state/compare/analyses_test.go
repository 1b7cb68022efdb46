package compare

import (
	"slices"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/present/chart"
)

func TestAnalysesAreAskedForOnlyWhereSomebodyLooks(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	if count(r, message.Analyse) != 0 {
		t.Fatal("asked before anybody looked")
	}
	ask := func() *message.AskAnalyse { return r.Last(t, message.Analyse).Question.(*message.AskAnalyse) }
	c.Analyses.Show(analysis.Slice, true)
	if x := ask(); !slices.Equal(x.Parts, []string{analysis.Slice}) || c.Analyses.Has(analysis.Slice) ||
		!c.Analyses.Waiting() {
		t.Errorf("%+v", x)
	}
	c.App.Receive(message.Reply{ID: r.Last(t, message.Analyse).ID, Kind: message.Analyse,
		Answer: &message.Analysed{Parts: []string{analysis.Slice}}})
	if !c.Analyses.Has(analysis.Slice) || c.Analyses.Waiting() {
		t.Error("the answer is not taken")
	}
	c.Analyses.Show(analysis.Luck, true)
	if x := ask(); len(x.Parts) != 2 || !c.Analyses.Has(analysis.Slice) {
		t.Errorf("%+v: what was there goes", x)
	}
	c.Claim.Investigate("P@1 0.5")
	if x := ask(); x.Claim != "P@1 0.5" || len(x.Parts) != 2 {
		t.Errorf("%+v", x)
	}
	before := count(r, message.Analyse)
	answer(t, c, r, compared(t, 1)) // another comparison: what is looked at is asked of it
	if c.Analyses.Done != nil || count(r, message.Analyse) != before+1 {
		t.Errorf("of another comparison: %+v, %d questions", c.Analyses.Done, count(r, message.Analyse)-before)
	}
}

// The figure of what goes wrong shows named patterns, which are found in the documents of an experiment's collection.
func TestTheFigureOfWhatGoesWrongAsksForItsPatterns(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	c.Analyses.TurnFigure(chart.Mistakes)
	if count(r, message.Analyse) != 0 {
		t.Error("asked of runs without documents")
	}
	c.Analyses.TurnFigure(chart.Mistakes)
	c.UseExperiment(message.Matrix{Systems: []string{"bm25|ql"}})
	answer(t, c, r, compared(t, 0))
	if count(r, message.Analyse) != 0 {
		t.Error("asked though the figure is folded")
	}
	c.Analyses.TurnFigure(chart.Mistakes)
	if x := r.Last(t, message.Analyse).Question.(*message.AskAnalyse); !slices.Equal(x.Parts,
		[]string{analysis.Matters}) || len(c.Analyses.Parts) != 0 {
		t.Errorf("%+v, shown %v", x, c.Analyses.Parts)
	}
	c.Analyses.Show(analysis.Luck, true)
	if x := r.Last(t, message.Analyse).Question.(*message.AskAnalyse); !slices.Equal(x.Parts,
		[]string{analysis.Luck, analysis.Matters}) {
		t.Errorf("%+v: the patterns of the figure go", x)
	}
}

// Figures of more measures than the report has are drawn from a report of their own, which is asked for once.
func TestMeasuresThatAFigureLacksAreAskedFor(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	if count(r, message.Analyse) != 0 {
		t.Fatal("no figure is unfolded, and the worker is asked")
	}
	c.Analyses.TurnFigure("cutoffs")
	ask := r.Last(t, message.Analyse).Question.(*message.AskAnalyse)
	if len(ask.Parts) != 0 || ask.Measures[0] != "P@1" || !slices.Contains(ask.Measures, "P@100") ||
		!slices.Contains(ask.Measures, "RR") {
		t.Fatalf("%+v", ask)
	}
	more := *c.Runs.Report()
	more.Measures = ask.Measures
	c.App.Receive(message.Reply{ID: r.Last(t, message.Analyse).ID, Kind: message.Analyse,
		Answer: &message.Analysed{More: &more}})
	n := count(r, message.Analyse)
	c.Analyses.TurnFigure("bars")
	if count(r, message.Analyse) != n {
		t.Error("the worker was asked twice for the same")
	}
}

// Runs that were made here have times; those of files have none.
func TestTimesAreMeasuredForFiguresOfRunsThatWereMadeHere(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	answer(t, c, r, compared(t, 0))
	if c.Analyses.TurnFigure("latency"); count(r, message.Analyse) != 0 || c.Runs.Timeable() {
		t.Error("times of imported runs were asked for")
	}
	c.Input.UsePresets(Presets...)
	answer(t, c, r, compared(t, 0))
	if ask := r.Last(t, message.Analyse).Question.(*message.AskAnalyse); !slices.Contains(ask.Parts, analysis.Took) ||
		!slices.Contains(ask.Parts, analysis.Matters) {
		t.Errorf("%+v", ask)
	}
}
