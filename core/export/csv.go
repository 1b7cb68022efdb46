package export

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
)

// asCSV is for spreadsheets.
var asCSV = Format{"csv", "CSV", ".csv", "text/csv; charset=utf-8", summary | byQuery, writeCSV}

func writeCSV(b *builder, r *report.Report, d Detail) {
	// Where a backend gave nothing there is a column more, and otherwise none: files without it are what they always were.
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
					b.line(csvCell(t.ID), ",", csvCell(r.Systems[s].Label), ",", csvCell(r.Measures[m]), ",", say.Exact(r.Columns[m].Values[s][q]), more(one(fell != nil && fell[s][t.ID])))
				}
			}
		}
		return
	}
	b.line("run,measure,mean,low,high,groups,geometric_mean,median,tie_low,tie_high,residual_low,residual_high,queries,missing,baseline,difference,relative,difference_low,difference_high,p,p_" + r.CorrectionKey() + ",d_z,better,worse,equal" + more("fell_back"))
	tested := d.tests(r)
	for _, s := range r.Ranking() {
		for m, c := range r.Columns {
			cells := []string{csvCell(r.Systems[s].Label), csvCell(r.Measures[m]), say.Exact(c.Means[s]), say.Exact(c.Low[s]), say.Exact(c.High[s]), csvCell(c.Groups[s]), say.Exact(c.Geometric[s]), say.Exact(c.Median[s]),
				say.Exact(c.TieLow[s]), say.Exact(c.TieHigh[s]), say.Exact(c.ResidualLow[s]), say.Exact(c.ResidualHigh[s]), strconv.Itoa(r.Coverage[s].Queries), strconv.Itoa(r.Systems[s].Missing)}
			tail := make([]string, 11)
			if s != r.Baseline {
				base := c.Means[r.Baseline]
				tail[0], tail[1], tail[2] = csvCell(r.Systems[r.Baseline].Label), say.Exact(c.Means[s]-base), say.Exact(say.Relative(base, c.Means[s]))
				for _, t := range tested {
					if p, ok := t.Pair(r.Baseline, s); ok && m == t.Column {
						copy(tail[3:], []string{say.Exact(p.Low), say.Exact(p.High), say.Exact(p.P), say.Exact(p.Adjusted), say.Exact(p.Effect), strconv.Itoa(p.Better), strconv.Itoa(p.Worse), strconv.Itoa(p.Equal)})
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

// csvCell returns s as a cell: quoted where that is needed, and with an apostrophe before what a spreadsheet would take for a
// formula or a command (collection.Guard). A tab is spelled out.
func csvCell(s string) string {
	s = collection.Guard(say.Visible(s))
	if strings.ContainsAny(s, ",;\"\t") || strings.HasPrefix(s, " ") || strings.HasSuffix(s, " ") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}

// CSV returns rows as a CSV file. Cells that a spreadsheet would take for a formula or a command are neutralised, unless they are numbers.
func CSV(rows [][]string) string {
	var b builder
	for _, row := range rows {
		for i, s := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(Cell(s))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Cell is one cell of such a file. No line feed and no tab is in it.
func Cell(s string) string {
	if _, err := strconv.ParseFloat(s, 64); err != nil {
		return csvCell(s)
	}
	return s
}
