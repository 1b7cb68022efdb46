package chart

import (
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

var latency = Figure{
	Name: "latency", Title: "Time of a query",
	Doc: "The times of the queries of every run, in 30 bins of equal width on a log scale; the height is the square " +
		"root of the count. The points are the mean (m), the median (½) and the p95: 95 of 100 " +
		"queries are no slower (p). The grey line marks 500 ms, when people notice waiting. Times belong to this " +
		"device and moment; no hash includes them.",
	Needs: "times of the queries: systems that run here, or rankbox run -time",
	draw:  drawLatency,
}

// slow is where the line is drawn, in milliseconds.
const slow = 500

// timed is what is said of the times of a system.
type timed struct{ mean, median, p95 float64 }

// time returns what is said of the times of a system; ok is false where there are none.
func (in *Input) time(s int) (t timed, ok bool) {
	if s >= len(in.Facts.Times) || len(in.Facts.Times[s]) == 0 {
		return t, false
	}
	v := slices.Sorted(slices.Values(in.Facts.Times[s]))
	return timed{measure.Mean(in.Facts.Times[s]), report.Quantile(v, 0.5), report.Quantile(v, 0.95)}, true
}

// least is the shortest time that is drawn: a microsecond, which clocks have.
const least = 0.001

// drawLatency is one figure: scale, bars, lines and table of the same times.
func drawLatency(in *Input) *Drawing {
	r := in.Report
	lo, hi := math.Inf(1), math.Inf(-1)
	for s := range r.Systems {
		if _, ok := in.time(s); ok {
			for _, v := range in.Facts.Times[s] {
				lo, hi = min(lo, max(v, least)), max(hi, max(v, least))
			}
		}
	}
	if lo > hi {
		return nil
	}
	const classes = 30
	from, to := float.Log10(lo), float.Log10(hi)
	if to-from < 0.3 {
		from, to = from-0.15, to+0.15
	}
	step := (to - from) / classes
	place := func(v float64) float64 { return float.Pow(10, v) }
	counts := make([][classes]int, len(r.Systems))
	most := 1
	for s := range r.Systems {
		if _, ok := in.time(s); !ok {
			continue
		}
		for _, v := range in.Facts.Times[s] {
			b := min(max(int((float.Log10(max(v, least))-from)/step), 0), classes-1)
			counts[s][b]++
			most = max(most, counts[s][b])
		}
	}
	d := &Drawing{Legend: true, Head: []string{"Run", "queries", "mean", "median", "95 of 100", "longest"},
		Data: [][]string{{"run", "milliseconds"}}}
	mean, median, p95 := Layer{Kind: Points, Role: Ink, Shape: 0, Label: "m", Name: "mean"}, Layer{Kind: Points,
		Role: Ink, Shape: 3, Label: "½", Name: "median"}, Layer{Kind: Points, Role: Ink, Shape: 2, Label: "p",
		Name: "95 of 100"}
	quickest, slowest, over := -1, -1, 0
	var best, worst timed
	for s := range r.Systems {
		t, ok := in.time(s)
		if !ok {
			continue
		}
		y := float64(len(d.Y.Bands))
		d.Y.Bands = append(d.Y.Bands, Band{r.Systems[s].Label, s})
		l := of(s, Bars)
		l.classes(counts[s][:], most, y, func(b float64) float64 { return place(from + float64(step*b)) }, millis)
		d.Layers = append(d.Layers, l)
		mean.Marks, median.Marks, p95.Marks = append(mean.Marks,
			Mark{X: max(t.mean, least), Y: y}), append(median.Marks,
			Mark{X: max(t.median, least), Y: y}), append(p95.Marks, Mark{X: max(t.p95, least), Y: y})
		top := 0.0
		for _, v := range in.Facts.Times[s] {
			top = max(top, v)
			if v > slow {
				over++
			}
			d.Data = append(d.Data, []string{r.Systems[s].Label, say.Exact(v)})
		}
		d.Rows = append(d.Rows, []string{in.named(s), say.Thousands(len(in.Facts.Times[s])), millis(t.mean),
			millis(t.median), millis(t.p95), millis(top)})
		if quickest < 0 || t.p95 < best.p95 {
			quickest, best = s, t
		}
		if slowest < 0 || t.p95 > worst.p95 {
			slowest, worst = s, t
		}
	}
	low, high := place(from), place(to)
	if slow <= high*10 && slow >= low/10 { // near enough to be seen with the others
		low, high = min(low, slow*0.8), max(high, slow*1.25)
		end := float64(len(d.Y.Bands)) - 0.5
		d.Layers = append([]Layer{{Kind: Frame, Marks: []Mark{{X: slow, Y: -0.5}, {X: slow, Y: end}}}}, d.Layers...)
	}
	d.Layers = append(d.Layers, mean, median, p95)
	d.X = Axis{Low: low, High: high, Log: true, Title: "milliseconds a query"}
	if in.Facts.Protocol != "" {
		d.X.Title += "; " + in.Facts.Protocol
	}
	d.Sentence = r.Letter(quickest) + " answers 95 of 100 queries within " + millis(best.p95)
	if slowest != quickest {
		d.Sentence += ", the quickest; " + r.Letter(slowest) + " within " + millis(worst.p95) + ", the slowest"
	}
	if over > 0 {
		d.Sentence += "; " + say.Count(over, "answer takes", "answers take") + " longer than 500 ms."
	} else {
		d.Sentence += "; no answer takes longer than 500 ms."
	}
	return d
}

// millis says a time.
func millis(v float64) string {
	switch {
	case v >= 10000:
		return say.Plain.Number(v/1000, 1) + " s"
	case v >= 100:
		return say.Plain.Number(v, 0) + " ms"
	case v >= 1:
		return say.Plain.Number(v, 1) + " ms"
	}
	return say.Plain.Number(v, 3) + " ms"
}
