package facts

import (
	"math"

	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/present/chart"
)

// Timed adds what the systems of a report needed to its facts. t may be nil; a run that no system is adds nothing.
func Timed(out *chart.Facts, r *report.Report, t *analysis.Times) {
	if t == nil {
		return
	}
	out.Times, out.Protocol = make([][]float64, len(r.Systems)), t.Protocol
	bytes, all := chart.Cost{Name: "files read for ranking", Bytes: true}, chart.Cost{Name: "time of all queries"}
	for i := range r.Systems {
		bytes.Values, all.Values = append(bytes.Values, math.NaN()), append(all.Values, math.NaN())
		for _, run := range t.Runs {
			if run.Name != r.Systems[i].Pipeline() && run.Name != r.Systems[i].Label {
				continue
			}
			out.Times[i], bytes.Values[i], all.Values[i] = run.Milliseconds, run.Bytes, 0
			for _, ms := range run.Milliseconds {
				all.Values[i] += ms
			}
		}
	}
	out.Costs = []chart.Cost{bytes, all}
}
