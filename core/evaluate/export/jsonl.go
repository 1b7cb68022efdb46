package export

import "github.com/rankbox/rankbox/core/evaluate/report"

// asJSONL is one object a line, for data frames and databases.
var asJSONL = Format{"jsonl", "JSON lines", ".jsonl", "application/jsonl", summary | byQuery, writeJSONL}

// writeJSONL writes a line a run and measure with its figures, or one with the value of every query where queries are
// asked for.
func writeJSONL(b *builder, r *report.Report, d Detail) {
	fell := fallen(r)
	line := func(s, m int, members func(j *jsonWriter)) {
		j := writer(b)
		j.Object("", func() {
			j.Str("run", r.Systems[s].Label)
			j.Str("measure", r.Measures[m])
			members(j)
		})
		b.line()
	}
	for s := range r.Systems {
		for m := range r.Columns {
			c := &r.Columns[m]
			if !d.Queries {
				line(s, m, func(j *jsonWriter) {
					j.figures(c, s)
					if n := len(r.Fell(s)); n > 0 {
						j.Int("fell_back", n)
					}
				})
				continue
			}
			for q := range r.Queries {
				line(s, m, func(j *jsonWriter) {
					j.Str("query", r.Queries[q].ID)
					j.Num("value", c.Values[s][q])
					if fell != nil && fell[s][r.Queries[q].ID] {
						j.Bool("fell_back", true)
					}
				})
			}
		}
	}
}
