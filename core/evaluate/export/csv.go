package export

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/export/sheet"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// asCSV is for spreadsheets.
var asCSV = Format{"csv", "CSV", ".csv", "text/csv; charset=utf-8", summary | byQuery, writeCSV}

func writeCSV(b *builder, r *report.Report, d Detail) {
	// Where a backend gave nothing there is a column more, and otherwise none: files without it are what they always
	// were.
	fell := fallen(r)
	more := func(cell string) string {
		if fell == nil {
			return ""
		}
		return "," + cell
	}
	one := func(yes bool) string {
		if yes {
			return "1"
		}
		return "0"
	}
	if d.Queries {
		b.line("query,run,measure,value", more("fell_back"))
		for q, t := range r.Queries {
			for s := range r.Systems {
				for m := range r.Columns {
					b.line(sheet.Text(t.ID), ",", sheet.Text(r.Systems[s].Label), ",", sheet.Text(r.Measures[m]), ",",
						say.Exact(r.Columns[m].Values[s][q]), more(one(fell != nil && fell[s][t.ID])))
				}
			}
		}
		return
	}
	b.line("run,measure,mean,low,high,groups,geometric_mean,median,tie_low,tie_high,residual_low,residual_high,queries,missing,baseline,difference,relative,difference_low,difference_high,p,p_" +
		r.CorrectionKey() + ",d_z,better,worse,equal" + more("fell_back"))
	tested := d.tests(r)
	for _, s := range r.Ranking() {
		for m, c := range r.Columns {
			cells := []string{sheet.Text(r.Systems[s].Label), sheet.Text(r.Measures[m]), say.Exact(c.Means[s]),
				say.Exact(c.Low[s]), say.Exact(c.High[s]), sheet.Text(c.Groups[s]), say.Exact(c.Geometric[s]),
				say.Exact(c.Median[s]),
				say.Exact(c.TieLow[s]), say.Exact(c.TieHigh[s]), say.Exact(c.ResidualLow[s]),
				say.Exact(c.ResidualHigh[s]), strconv.Itoa(r.Coverage[s].Queries), strconv.Itoa(r.Systems[s].Missing)}
			tail := make([]string, 11)
			if s != r.Baseline {
				base := c.Means[r.Baseline]
				tail[0], tail[1], tail[2] = sheet.Text(r.Systems[r.Baseline].Label), say.Exact(c.Means[s]-base),
					say.Exact(say.Relative(base, c.Means[s]))
				for _, t := range tested {
					if p, ok := t.Pair(r.Baseline, s); ok && m == t.Column {
						copy(tail[3:], []string{say.Exact(p.Low), say.Exact(p.High), say.Exact(p.P),
							say.Exact(p.Adjusted), say.Exact(p.Effect), strconv.Itoa(p.Better), strconv.Itoa(p.Worse),
							strconv.Itoa(p.Equal)})
					}
				}
			}
			b.line(strings.Join(append(cells, tail...), ","), more(strconv.Itoa(len(r.Fell(s)))))
		}
	}
}

// fallen says of each system for which queries a backend gave it nothing; nil where that is so of none.
func fallen(r *report.Report) (out []map[string]bool) {
	for s := range r.Systems {
		for _, q := range r.Fell(s) {
			if out == nil {
				out = make([]map[string]bool, len(r.Systems))
			}
			if out[s] == nil {
				out[s] = map[string]bool{}
			}
			out[s][q] = true
		}
	}
	return out
}
