package chart

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/present/chart/scale"
)

var intervals = Figure{
	Name: "intervals", Title: "Mean and 95 % interval by run",
	Doc: "The mean of the measure for every run, with its 95 % interval over the queries. Runs that share " +
		"a letter do not differ significantly; " +
		"overlapping intervals do not show that, because they ignore that the queries are the same.",
	draw: drawIntervals,
}

func drawIntervals(in *Input) *Drawing {
	r, col := in.Report, in.column()
	d := &Drawing{Head: []string{"Run", col.Measure, "95 % interval", "group"},
		Data: [][]string{{"run", "measure", "mean", "low", "high", "group"}}}
	for s := range r.Systems {
		d.Y.Bands = append(d.Y.Bands, Band{r.Systems[s].Label, s})
		if col.Low[s] == col.Low[s] {
			d.Layers = append(d.Layers, of(s, Spans, Mark{X: col.Low[s], X2: col.High[s], Y: float64(s), Y2: float64(s)}))
		}
		d.Layers = append(d.Layers, of(s, Points, Mark{X: col.Means[s], Y: float64(s)}))
		d.Rows = append(d.Rows, []string{in.named(s), in.Style.Number(col.Means[s], 4),
			col.Interval(s, in.Style, 4), col.Groups[s]})
		d.Data = append(d.Data, []string{r.Systems[s].Label, col.Measure, say.Exact(col.Means[s]),
			say.Exact(col.Low[s]), say.Exact(col.High[s]), col.Groups[s]})
	}
	d.X.Low, d.X.High = scale.Span(col.Reach())
	d.X.Title = col.Measure + ", mean and 95 % interval"
	best := in.best()
	d.Sentence = r.Letter(best) + " has the best mean " + col.Measure + ", " + in.Style.Number(col.Means[best], 3)
	if col.Low[best] == col.Low[best] {
		d.Sentence += " (95 % interval " + col.Interval(best, in.Style, 3) + ")"
	}
	if n := len(r.Systems); n > 1 {
		d.Sentence += in.apart(best)
	}
	d.Sentence += "."
	if why := col.NoInterval(); why != "" {
		d.Sentence += " " + why
	}
	return d
}

// apart says how many others are significantly different from the best; of pairs that are not tested it says nothing.
func (in *Input) apart(best int) string {
	r, col := in.Report, in.column()
	same, tested := 0, 0
	for s := range r.Systems {
		if s == best || !r.Tested(best, s) {
			continue
		}
		if tested++; report.ShareGroup(col.Groups, s, best) {
			same++
		}
	}
	text := ". Every other run is significantly different"
	switch {
	case tested == 0:
		return ""
	case tested < len(r.Systems)-1 && r.Protocol().Family != "":
		text = ". The baseline is " + map[bool]string{true: "not "}[same > 0] + "significantly different"
	case same > 0:
		text = ". " + say.Count(same, "other run is", "other runs are") + " not significantly different"
	case tested < len(r.Systems)-1:
		text = ". Every other run that answered is significantly different"
	}
	return text + " (" + r.Level() + ")"
}

// best is the first system with the best mean of the column.
func (in *Input) best() int { return in.Report.RankingBy(in.Column)[0] }

// named is letter and name of a system, as a table has room for.
func (in *Input) named(s int) string {
	return in.Report.Letter(s) + " " + say.Brief(in.Report.Systems[s].Label, 60)
}

// called is the same as an axis has room for.
func (in *Input) called(s int) string {
	return in.Report.Letter(s) + " " + say.Within(in.Report.Systems[s].Label, 28)
}
