package chart

import (
	"math"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/present/chart/scale"
)

var worth = Figure{
	Name: Worths, Title: "What stages are worth",
	Doc: "For every stage of a pipeline: what the mean loses where it alone is left out (circle, with its 95 % " +
		"interval over the queries), what it adds where all others are left out (square), and its Shapley value " +
		"(diamond), the mean of " +
		"gain over all orders of the stages. If the three differ, the stage's worth depends on the others.",
	Needs: "every set of a pipeline's stages as a run: a pipeline that ranks here quickly, or rankbox run with ablate",
	draw:  drawWorth,
}

func drawWorth(in *Input) *Drawing {
	a := in.Facts.Ablation
	if a == nil || len(a.Stages) == 0 || a.Measure != in.column().Measure {
		return nil
	}
	d := &Drawing{Legend: true, Head: []string{"Stage", "lost without it", "95 % interval", "alone", "Shapley value"},
		Data: [][]string{{"stage", "measure", "lost", "low", "high", "alone", "shapley"}}}
	spans := Layer{Kind: Spans, Role: Ink}
	lost, alone, shapley := Layer{Kind: Points, Role: RoleOf(0), Shape: 0, Label: "l",
		Name: "lost without it"}, Layer{Kind: Points, Role: RoleOf(1), Shape: 1, Label: "a",
		Name: "alone"}, Layer{Kind: Points, Role: RoleOf(2), Shape: 3, Label: "s", Name: "Shapley value"}
	lo, hi := 0.0, 0.0
	most, sure := 0, 0
	for i, w := range a.Stages {
		y := float64(i)
		d.Y.Bands = append(d.Y.Bands, Band{w.Stage, -1})
		for _, v := range []float64{w.Lost, w.Low, w.High, w.Alone, w.Shapley} {
			lo, hi = min(lo, v), max(hi, v)
		}
		spans.Marks = append(spans.Marks, Mark{X: w.Low, X2: w.High, Y: y, Y2: y})
		lost.Marks, alone.Marks, shapley.Marks = append(lost.Marks, Mark{X: w.Lost, Y: y}), append(alone.Marks,
			Mark{X: w.Alone, Y: y}), append(shapley.Marks, Mark{X: w.Shapley, Y: y})
		d.Rows = append(d.Rows, []string{say.Brief(w.Stage, 60), in.Style.Signed(w.Lost, 4), in.Style.Signed(w.Low, 4) +
			" to " + in.Style.Signed(w.High, 4), in.Style.Signed(w.Alone, 4), in.Style.Signed(w.Shapley, 4)})
		d.Data = append(d.Data, []string{w.Stage, a.Measure, say.Exact(w.Lost), say.Exact(w.Low), say.Exact(w.High),
			say.Exact(w.Alone), say.Exact(w.Shapley)})
		if math.Abs(w.Shapley) > math.Abs(a.Stages[most].Shapley) {
			most = i
		}
		if w.Low > 0 || w.High < 0 {
			sure++
		}
	}
	zero := Layer{Kind: Frame, Marks: []Mark{{Y: -0.5}, {Y: float64(len(a.Stages)) - 0.5}}}
	d.Layers = []Layer{zero, spans, lost, alone, shapley}
	d.X.Low, d.X.High = scale.Span(lo, hi)
	d.X.Signed, d.X.Title = true, "change of the mean "+a.Measure+" by a stage of "+a.Pipeline
	d.Sentence = say.Brief(a.Stages[most].Stage, 60) + " is worth most by " + a.Measure + ", " +
		in.Style.Signed(a.Stages[most].Shapley, 3) + " of " + say.Brief(a.Pipeline, 80) +
		"; the interval of the loss without it excludes 0 for " +
		say.Thousands(sure) + " of " + say.Count(len(a.Stages), "stage", "stages") + "."
	return d
}
