package export

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
)

// cell is one cell of a table that several formats show.
type cell struct {
	text   string
	letter string // groups, raised
	data   bool   // text out of somebody's file: a name, an id
	number bool
	bold   bool
}

func num(v float64, places int) cell { return cell{text: say.Plain.Number(v, places), number: true} }
func whole(n int) cell               { return cell{text: strconv.Itoa(n), number: true} }
func plain(s string) cell            { return cell{text: s} }
func name(s string) cell             { return cell{text: brief(s), data: true} }

// table is what text, Markdown and LaTeX share.
type table struct {
	key, caption string
	head         []cell
	rows         [][]cell
}

// tables returns the tables of a report in the order in which they are read.
func tables(r *report.Report, d Detail) []table {
	out := []table{leaderboard(r)}
	if len(r.Pairs) > 0 {
		for _, x := range d.tests(r) {
			out = append(out, pairs(r, x))
		}
	}
	out = append(out, coverage(r))
	for _, f := range r.Kinds() {
		out = append(out, field(r, f))
	}
	if d.Queries {
		for m := range r.Columns {
			out = append(out, queryTable(r, m))
		}
	}
	return out
}

func leaderboard(r *report.Report) table {
	t := table{key: "systems", caption: "Means over " + say.Count(len(r.Queries), "query", "queries") + "."}
	if len(r.Systems) > 1 {
		t.caption += " Runs that share a letter cannot be told apart (randomised Tukey HSD, 5 %)."
	}
	for s := range r.Systems {
		if fell := r.Fell(s); len(fell) > 0 {
			t.caption += " " + r.Letter(s) + ": " + report.SayFell(len(fell)) + "."
		}
	}
	t.head = []cell{plain(""), plain("run")}
	for m := range r.Columns {
		t.head = append(t.head, cell{text: r.Measures[m], number: true})
		if m == 0 {
			t.head = append(t.head, cell{text: "95 % interval", number: true})
			if len(r.Systems) > 1 {
				t.head = append(t.head, cell{text: "change", number: true})
			}
		}
	}
	best := make([]map[int]bool, len(r.Columns))
	for m := range r.Columns {
		best[m] = map[int]bool{}
		for _, s := range r.Best(m) {
			best[m][s] = true
		}
	}
	for _, s := range r.Ranking() {
		row := []cell{plain(r.Letter(s)), name(r.Systems[s].Label)}
		for m, c := range r.Columns {
			v := num(c.Means[s], 4)
			v.bold = best[m][s] && len(r.Systems) > 1
			if len(r.Systems) > 1 {
				v.letter = c.Groups[s]
			}
			row = append(row, v)
			if m == 0 {
				row = append(row, cell{text: say.Plain.Number(c.Low[s], 4) + " to " + say.Plain.Number(c.High[s], 4), number: true})
				if len(r.Systems) > 1 {
					change := cell{text: "baseline", number: true}
					if s != r.Baseline {
						change.text = say.Plain.Change(c.Means[r.Baseline], c.Means[s])
					}
					row = append(row, change)
				}
			}
		}
		t.rows = append(t.rows, row)
	}
	return t
}

func pairs(r *report.Report, x *report.Tests) table {
	t := table{key: "pairs", caption: "Differences in " + r.Measures[x.Column] + " by pair (second run less first), " + x.Test.Name + "; p" + r.Corrected() + "."}
	if x.Column > 0 {
		t.key += "-" + strconv.Itoa(x.Column+1)
	}
	t.head = []cell{plain("pair"), {text: "difference", number: true}, {text: "95 % interval", number: true}, {text: "p", number: true}, {text: "p (" + r.Correction() + ")", number: true}, {text: "d_z", number: true},
		{text: "better", number: true}, {text: "worse", number: true}, {text: "equal", number: true}}
	for _, p := range x.Pairs {
		if p.A != r.Baseline && p.B != r.Baseline {
			continue
		}
		q, _ := x.Pair(r.Baseline, p.A+p.B-r.Baseline)
		t.rows = append(t.rows, pairRow(r, q.A, q.B, q.Diff, q.Low, q.High, q.P, q.Adjusted, q.Effect, q.Better, q.Worse, q.Equal))
	}
	for _, p := range x.Pairs {
		if p.A != r.Baseline && p.B != r.Baseline {
			t.rows = append(t.rows, pairRow(r, p.A, p.B, p.Diff, p.Low, p.High, p.P, p.Adjusted, p.Effect, p.Better, p.Worse, p.Equal))
		}
	}
	return t
}

func pairRow(r *report.Report, a, b int, diff, low, high, p, adjusted, effect float64, better, worse, equal int) []cell {
	return []cell{plain(r.Letter(b) + " - " + r.Letter(a)), {text: say.Plain.Signed(diff, 4), number: true, bold: adjusted < report.Alpha}, {text: say.Plain.Number(low, 4) + " to " + say.Plain.Number(high, 4), number: true},
		{text: say.Plain.P(p), number: true}, {text: say.Plain.P(adjusted), number: true}, num(effect, 2), whole(better), whole(worse), whole(equal)}
}

func coverage(r *report.Report) table {
	t := table{key: "coverage", caption: "What was read of each run: judged queries, those missing, documents, share of unjudged documents among the first " + strconv.Itoa(report.Window) +
		", documents that share a score; what the order of ties and the unjudged documents could make of " + r.Measures[0] + "."}
	t.head = []cell{plain(""), plain("run"), {text: "queries", number: true}, {text: "missing", number: true}, {text: "documents", number: true}, {text: "unjudged", number: true}, {text: "tied", number: true},
		{text: "ties", number: true}, {text: "residual", number: true}}
	for s := range r.Coverage {
		u := &r.Coverage[s]
		row := []cell{plain(r.Letter(s)), name(r.Systems[s].Label), whole(u.Queries), whole(r.Systems[s].Missing), whole(u.Documents)}
		row = append(row, cell{text: say.Plain.Percent(u.Share(), 1), number: true}, whole(u.Tied))
		x := r.Columns[0]
		row = append(row, cell{text: say.Plain.Span(x.TieLow[s], x.TieHigh[s], 4), number: true}, cell{text: say.Plain.Span(x.ResidualLow[s], x.ResidualHigh[s], 4), number: true})
		t.rows = append(t.rows, row)
	}
	return t
}

func field(r *report.Report, f report.Field) table {
	t := table{key: "by-" + strings.ReplaceAll(f.Name, " ", "-"), caption: r.Measures[0] + " by the queries' " + f.Name + "."}
	t.head = []cell{plain(f.Name), {text: "queries", number: true}}
	for s := range r.Systems {
		t.head = append(t.head, cell{text: r.Letter(s), number: true})
	}
	for _, g := range f.Groups {
		v := name(g.Value)
		if g.Value == "" {
			v = plain("(none)")
		}
		row := []cell{v, whole(g.Queries)}
		for _, x := range g.Means[0] {
			row = append(row, num(x, 4))
		}
		t.rows = append(t.rows, row)
	}
	return t
}

func queryTable(r *report.Report, m int) table {
	t := table{key: "queries", caption: r.Measures[m] + " by query."}
	t.head = []cell{plain("query")}
	for s := range r.Systems {
		t.head = append(t.head, cell{text: r.Letter(s), number: true})
	}
	for q, topic := range r.Queries {
		row := []cell{name(topic.ID)}
		for s := range r.Systems {
			row = append(row, num(r.Columns[m].Values[s][q], 4))
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// decisions returns the policies in a sentence.
func decisions(r *report.Report) string {
	var parts []string
	for _, s := range r.Decisions {
		if !s.Default {
			parts = append(parts, s.Name+"="+s.Option)
		}
	}
	if len(parts) == 0 {
		return "Policies: all at their defaults, as trec_eval -c."
	}
	return "Policies: " + strings.Join(parts, ", ") + "; the others at their defaults."
}

// judgments returns the statistics of the qrels in a sentence.
func judgments(r *report.Report) string {
	grades := make([]string, 0, len(r.Stats.Grades))
	for _, g := range r.Stats.Grades {
		grades = append(grades, " "+strconv.Itoa(g.Grade)+": "+strconv.Itoa(g.Count))
	}
	return say.Count(r.Stats.Judgments, "judgment", "judgments") + " of " + say.Count(r.Stats.Queries, "query", "queries") + ", " + strconv.Itoa(r.Stats.Relevant) + " relevant (" +
		strconv.Itoa(r.Stats.RelevantMin) + " to " + strconv.Itoa(r.Stats.RelevantMax) + " a query, median " + say.Plain.Short(r.Stats.RelevantMedian) + "); grades" + strings.Join(grades, ",") + "."
}

// winners names the best runs by every measure that says how good a run is; "" where there is but one run.
func winners(r *report.Report) string {
	if len(r.Systems) < 2 {
		return ""
	}
	var parts []string
	for m := range r.Columns {
		if measure.Describes(r.Measures[m]) {
			continue
		}
		var names []string
		best := r.Best(m)
		for _, s := range best {
			names = append(names, r.Letter(s)+" "+brief(r.Systems[s].Label))
		}
		if len(best) > 0 {
			parts = append(parts, r.Measures[m]+": "+strings.Join(names, " and ")+" ("+say.Plain.Number(r.Columns[m].Means[best[0]], 4)+")")
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Best run by measure: " + strings.Join(parts, "; ") + "."
}

// sentences returns what is said beside the tables.
func sentences(r *report.Report, d Detail) []string {
	var out []string
	if s := winners(r); s != "" {
		out = append(out, s)
	}
	for _, t := range d.tests(r) {
		switch {
		case t.Test.Name == "":
		case t.Column == 0:
			out = append(out, "Test: "+t.Test.Why(say.Plain))
		default:
			out = append(out, "Test of "+r.Measures[t.Column]+": "+t.Test.Why(say.Plain))
		}
	}
	return append(out, "Judgments: "+judgments(r), decisions(r))
}

// doubts returns the warnings about the tests, the runs and the judgments.
func doubts(r *report.Report, d Detail) []string {
	var out []string
	for _, t := range d.tests(r) {
		for _, w := range t.Test.Doubts(say.Plain) {
			if t.Column > 0 {
				w = r.Measures[t.Column] + ": " + w
			}
			out = append(out, w)
		}
	}
	return append(out, r.Doubts(say.Plain)...)
}
