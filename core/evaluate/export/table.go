package export

import (
	"math"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// cell is one cell of a table that several formats show.
type cell struct {
	text   string
	to     string // the upper end of a range, of which text is the lower one
	note   string // in brackets behind the text
	letter string // groups, raised
	data   bool   // text out of somebody's file: a name, an id
	number bool   // a figure, or the head of a column of figures
	minus  bool   // an end of the range has a sign: -, > or <
	symbol bool   // text is a symbol of mathematics
	bold   bool
}

func figure(text string) cell { return cell{text: text, number: true} }
func whole(n int) cell        { return figure(strconv.Itoa(n)) }
func plain(s string) cell     { return cell{text: s} }
func name(s string) cell      { return cell{text: brief(s), data: true} }

func num(v float64, places int, style say.Style) cell { return figure(style.Number(v, places)) }

// symbol is the head of a column of figures that mathematics has a symbol for.
func symbol(text, note string) cell { return cell{text: text, note: note, number: true, symbol: true} }

// between is a range with four decimals.
func between(low, high float64, style say.Style) cell {
	c := figure(style.Gap(low, 4))
	if math.IsNaN(low) || math.IsNaN(high) {
		c.text = style.None()
		return c
	}
	c.to = style.Gap(high, 4)
	c.minus = low == say.Beside || c.text != style.Gap(math.Abs(low), 4) || c.to != style.Gap(math.Abs(high), 4)
	return c
}

// shown is the whole text, of a range with the given word between its ends.
func (c cell) shown(to string) string {
	switch {
	case c.to != "":
		return c.text + to + c.to
	case c.note != "":
		return c.text + " (" + c.note + ")"
	}
	return c.text
}

// upTo stands between the ends of a range.
const upTo = " to "

// table is what text, Markdown and LaTeX share.
type table struct {
	key, caption string
	head         []cell
	rows         [][]cell
}

// tables returns the tables of a report in the order in which they are read, with figures in a style.
func tables(r *report.Report, d Detail, style say.Style) []table {
	out := []table{leaderboard(r, style)}
	if r.Test.Name != "" {
		for _, x := range d.tests(r) {
			out = append(out, pairs(r, x, style))
		}
	}
	if _, given := r.Given(); given {
		if len(r.Pairs) > 0 {
			out = append(out, ranks(r))
		}
	} else {
		out = append(out, coverage(r, style))
		for _, f := range r.Kinds() {
			out = append(out, field(r, f, style))
		}
	}
	if d.Queries {
		for m := range r.Columns {
			out = append(out, queryTable(r, m, style))
		}
	}
	return out
}

func leaderboard(r *report.Report, style say.Style) table {
	t := table{key: "systems", caption: "Means over " + r.Count(len(r.Queries)) + "."}
	for m := range r.Columns {
		if n := len(r.On(m).Queries); n < len(r.Queries) {
			t.caption += " " + r.Measures[m] + " is over " + say.Thousands(n) + "."
		}
	}
	if len(r.Columns) > 0 {
		if why := r.Columns[0].NoInterval(); why != "" {
			t.caption += " " + why
		}
	}
	if len(r.Systems) > 1 {
		t.caption += " " + r.LettersMean("Runs")
	}
	for s := range r.Systems {
		if fell := r.Fell(s); len(fell) > 0 {
			t.caption += " " + r.Letter(s) + ": " + report.SayFell(len(fell)) + "."
		}
	}
	t.head = []cell{plain(""), plain("run")}
	for m := range r.Columns {
		t.head = append(t.head, figure(r.Measures[m]))
		if m == 0 {
			t.head = append(t.head, figure("95 % interval"))
			if len(r.Systems) > 1 {
				t.head = append(t.head, figure("change"))
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
			v := num(c.Means[s], 4, style)
			if r.Unanswered(s) {
				v.text = style.None()
			}
			v.bold = best[m][s] && len(r.Systems) > 1
			if len(r.Systems) > 1 {
				v.letter = c.Groups[s]
			}
			row = append(row, v)
			if m == 0 {
				if r.Unanswered(s) {
					row = append(row, figure(style.None()))
				} else {
					row = append(row, between(c.Low[s], c.High[s], style))
				}
				if len(r.Systems) > 1 {
					change := figure("baseline")
					if r.Unanswered(s) || r.Unanswered(r.Baseline) && s != r.Baseline {
						change.text = style.None()
					} else if s != r.Baseline {
						change.text = style.Change(c.Means[r.Baseline], c.Means[s])
					}
					row = append(row, change)
				}
			}
		}
		t.rows = append(t.rows, row)
	}
	return t
}

func pairs(r *report.Report, x *report.Tests, style say.Style) table {
	t := table{key: "pairs", caption: "Differences in " + r.Measures[x.Column] + " by pair (second run less first), " +
		x.Test.Name + "; p" + r.Corrected() + "."}
	if held := r.Together(x); held != "" {
		t.caption += " " + held
	}
	if x.Column > 0 {
		t.key += "-" + strconv.Itoa(x.Column+1)
	}
	t.head = []cell{plain("pair"), figure("difference"), figure("95 % interval"), symbol("p", ""),
		symbol("p", r.Correction()), symbol("d_z", ""),
		figure("better"), figure("worse"), figure("equal")}
	for _, p := range x.Pairs {
		if p.A != r.Baseline && p.B != r.Baseline || r.Unanswered(p.A) || r.Unanswered(p.B) {
			continue
		}
		q, _ := x.Pair(r.Baseline, p.A+p.B-r.Baseline)
		t.rows = append(t.rows, pairRow(r, &x.Test, style, &q))
	}
	if _, given := r.Given(); given && len(x.Pairs) > mostPairs {
		t.caption += " Only the pairs with the baseline are listed, of " + say.Thousands(len(x.Pairs)) +
			"; JSON has all."
		return t
	}
	for _, p := range x.Pairs {
		if p.A != r.Baseline && p.B != r.Baseline && !r.Unanswered(p.A) && !r.Unanswered(p.B) {
			t.rows = append(t.rows, pairRow(r, &x.Test, style, &p))
		}
	}
	return t
}

// mostPairs is how many pairs of given scores are listed, which may be of hundreds of systems.
const mostPairs = 500

func pairRow(r *report.Report, t *report.Test, style say.Style, p *report.Pair) []cell {
	most := ""
	if r.AtMost(t, p) > 0 { // no draw was as far out: the p is a bound
		most = "≤ "
	}
	written := func(p float64) cell {
		text := style.P(p)
		if p >= 0.001 {
			text = most + text
		}
		return figure(text)
	}
	return []cell{plain(r.Letter(p.B) + " - " + r.Letter(p.A)),
		{text: style.Signed(p.Diff, 4), number: true, bold: p.Apart()}, between(p.Low, p.High, style), written(p.P),
		written(p.Adjusted), num(p.Effect, 2, style), whole(p.Better), whole(p.Worse), whole(p.Equal)}
}

// ranks are those that the tests leave every run, by the first measure.
func ranks(r *report.Report) table {
	t := table{key: "ranks", caption: "Ranks by the mean " + r.Measures[0] +
		". Possible ranks are below the runs that are significantly better and above those that are significantly worse (" +
		r.Level() + ")."}
	t.head = []cell{plain(""), plain("run"), figure("rank"), figure("possible ranks")}
	found := r.Conclusion().Ranks()
	for _, s := range r.Ranking() {
		p := found[s]
		t.rows = append(t.rows, []cell{plain(r.Letter(s)), name(r.Systems[s].Label), whole(p.Rank),
			{text: strconv.Itoa(p.Best), to: strconv.Itoa(p.Worst), number: true}})
	}
	return t
}

func coverage(r *report.Report, style say.Style) table {
	t := table{key: "coverage",
		caption: "What was read of each run: judged queries, those missing, documents, share of unjudged documents " +
			"among the first " + strconv.Itoa(report.Window) +
			", documents that share a score; what the order of ties and the unjudged documents could make of " +
			r.Measures[0] + "."}
	t.head = []cell{plain(""), plain("run"), figure("queries"), figure("missing"), figure("documents"),
		figure("unjudged"), figure("tied"), figure("ties"), figure("residual")}
	for s := range r.Coverage {
		u := &r.Coverage[s]
		row := []cell{plain(r.Letter(s)), name(r.Systems[s].Label), whole(u.Queries), whole(r.Systems[s].Missing),
			whole(u.Documents)}
		row = append(row, figure(style.Percent(u.Share(), 1)), whole(u.Tied))
		x := r.Columns[0]
		row = append(row, between(x.TieLow[s], x.TieHigh[s], style),
			between(x.ResidualLow[s], x.ResidualHigh[s], style))
		t.rows = append(t.rows, row)
	}
	return t
}

func field(r *report.Report, f report.Field, style say.Style) table {
	t := table{key: "by-" + strings.ReplaceAll(f.Name, " ", "-"), caption: r.Measures[0] + " by the queries' " +
		f.Name + "."}
	t.head = []cell{plain(f.Name), figure("queries")}
	for s := range r.Systems {
		t.head = append(t.head, figure(r.Letter(s)))
	}
	for _, g := range f.Groups {
		v := name(g.Value)
		if g.Value == "" {
			v = plain("(none)")
		}
		row := []cell{v, whole(g.Queries)}
		for _, x := range g.Means[0] {
			row = append(row, num(x, 4, style))
		}
		t.rows = append(t.rows, row)
	}
	return t
}

func queryTable(r *report.Report, m int, style say.Style) table {
	t := table{key: "queries", caption: r.Measures[m] + r.Words(" by query.")}
	t.head = []cell{plain(r.Words("query"))}
	for s := range r.Systems {
		t.head = append(t.head, figure(r.Letter(s)))
	}
	for q, topic := range r.Queries {
		row := []cell{name(topic.ID)}
		for s := range r.Systems {
			row = append(row, num(r.Columns[m].Values[s][q], 4, style))
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
		grades = append(grades, " "+say.Plain.Grade(g.Grade)+": "+strconv.Itoa(g.Count))
	}
	return say.Count(r.Stats.Judgments, "judgment", "judgments") + " of " + say.Count(r.Stats.Queries, "query",
		"queries") + ", " + strconv.Itoa(r.Stats.Relevant) + " relevant (" +
		strconv.Itoa(r.Stats.RelevantMin) + " to " + strconv.Itoa(r.Stats.RelevantMax) + " a query, median " +
		say.Plain.Short(r.Stats.RelevantMedian) + "); grades" + strings.Join(grades, ",") + "."
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
			parts = append(parts, r.Measures[m]+": "+strings.Join(names, " and ")+" ("+
				say.Plain.Number(r.Columns[m].Means[best[0]], 4)+")")
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
			out = append(out, "Test: "+r.Words(t.Test.Why(say.Plain)))
		default:
			out = append(out, "Test of "+r.Measures[t.Column]+": "+r.Words(t.Test.Why(say.Plain)))
		}
	}
	if _, given := r.Given(); given {
		return out
	}
	return append(out, "Judgments: "+judgments(r), decisions(r))
}

// doubts returns the warnings about the runs, the judgments and the tests.
func doubts(r *report.Report, d Detail) []string {
	out := say.Alike(r.Doubts(say.Plain))
	for _, t := range d.tests(r) {
		for _, w := range r.TestDoubts(t, say.Plain) {
			if t.Column > 0 {
				w = r.Measures[t.Column] + ": " + w
			}
			out = append(out, w)
		}
	}
	return out
}
