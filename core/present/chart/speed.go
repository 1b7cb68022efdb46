package chart

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/present/chart/scale"
)

var speed = Figure{
	Name: "speed", Title: "Quality and time",
	Doc: "One point per run: x is the median time of its queries, y its mean. The line joins the runs that no other " +
		"beats in both (the Pareto front): for each of the others some run is as quick and better, or as good and " +
		"quicker. Larger points have more stages.",
	Needs: "times of the queries: systems that run here, or rankbox run -time",
	draw:  drawSpeed,
}

func drawSpeed(in *Input) *Drawing {
	r, col := in.Report, in.column()
	type place struct {
		system     int
		time, mean float64
	}
	var all []place
	for s := range r.Systems {
		if t, ok := in.time(s); ok {
			all = append(all, place{s, max(t.median, least), col.Means[s]})
		}
	}
	if all == nil {
		return nil
	}
	better := func(a, b float64) bool { return a != b && a > b != col.Lower }
	d := &Drawing{Legend: true, Height: 300, Head: []string{"Run", "median time", col.Measure, "stages", "on the line"},
		Data: [][]string{{"run", "median milliseconds", "measure", "mean", "stages", "pareto"}}}
	lo, hi, low, high := all[0].time, all[0].time, all[0].mean, all[0].mean
	frame := Layer{Kind: Frame}
	on := map[int]bool{}
	order := descending(len(all), func(i int) float64 { return -all[i].time })
	for _, i := range order {
		p := all[i]
		free := true
		for _, o := range all {
			if (o.time < p.time && !better(p.mean, o.mean)) || (o.time == p.time && better(o.mean, p.mean)) {
				free = false
			}
		}
		if free {
			on[p.system] = true
			frame.Marks = append(frame.Marks, Mark{X: p.time, Y: p.mean})
		}
	}
	d.Layers = append(d.Layers, frame)
	for _, p := range all {
		lo, hi, low, high = min(lo, p.time), max(hi, p.time), min(low, p.mean), max(high, p.mean)
		l := of(p.system, Points, Mark{X: p.time, Y: p.mean})
		l.Label, l.Name, l.Size = r.Letter(p.system), r.Systems[p.system].Label, 1
		stages, text := 0, in.Style.None()
		if p.system < len(in.Facts.Stages) && in.Facts.Stages[p.system] > 0 {
			stages = in.Facts.Stages[p.system]
			text = in.Style.Int(stages)
			l.Size = 0.8 + float64(0.2*float64(min(stages, 8)))
		}
		d.Layers = append(d.Layers, l)
		yes := "no"
		if on[p.system] {
			yes = "yes"
		}
		d.Rows = append(d.Rows, []string{in.named(p.system), millis(p.time), in.Style.Number(p.mean, 4), text, yes})
		d.Data = append(d.Data, []string{r.Systems[p.system].Label, say.Exact(p.time), col.Measure, say.Exact(p.mean),
			say.Exact(float64(stages)), yes})
	}
	d.X = Axis{Low: lo * 0.85, High: hi * 1.18, Log: true,
		Title: "median milliseconds a query; the larger a point, the more stages"}
	d.Y.Low, d.Y.High = scale.Span(low, high)
	d.Y.Title = "mean " + col.Measure
	var names []string
	for _, i := range order {
		if on[all[i].system] {
			names = append(names, r.Letter(all[i].system))
		}
	}
	d.Sentence = say.And(names) + " are the runs that none betters in both time and " + col.Measure
	if len(names) == 1 {
		d.Sentence = names[0] + " is the one run that none betters in both time and " + col.Measure
	}
	if left := len(all) - len(names); left > 0 {
		d.Sentence += "; for " + say.Count(left, "other", "others") +
			" there is a run as quick or quicker that is as good or better"
	}
	d.Sentence += "."
	return d
}
