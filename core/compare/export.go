package compare

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/say"
)

// Format is a form in which a report is written.
type Format struct {
	Name   string // "latex"
	Title  string // "LaTeX, with booktabs"
	Ending string // of its files: ".tex"
	Type   string // media type
	write  func(b *builder, r *Report, d Detail)
}

// Detail says how much is written.
type Detail struct {
	Queries bool      // every query's values too; in CSV instead of the summary
	Tested  []*Tested // paired tests on further measures than the first; see Report.TestOn
}

// tested returns the tests that are written: those of the first measure, and the further ones.
func (d Detail) tested(r *Report) []*Tested {
	out := []*Tested{{Pairs: r.Pairs, Test: r.Test}}
	for _, t := range d.Tested {
		if t != nil && t.Column != 0 && !slices.ContainsFunc(out, func(o *Tested) bool { return o.Column == t.Column }) {
			out = append(out, t)
		}
	}
	return out
}

// Formats returns all forms: one line a form.
func Formats() []Format {
	return []Format{
		{"text", "Text", ".txt", "text/plain; charset=utf-8", writeText},
		{"json", "JSON", ".json", "application/json", writeJSON},
		{"md", "Markdown", ".md", "text/markdown; charset=utf-8", writeMarkdown},
		{"latex", "LaTeX, with booktabs", ".tex", "application/x-tex", writeLaTeX},
		{"csv", "CSV", ".csv", "text/csv; charset=utf-8", writeCSV},
		{"trec", "trec_eval's lines", ".txt", "text/plain; charset=utf-8", writeTREC},
	}
}

// Write writes the report in a format by its name.
func (r *Report) Write(w io.Writer, format string, d Detail) error {
	for _, f := range Formats() {
		if f.Name == format {
			var b builder
			f.write(&b, r, d)
			_, err := io.WriteString(w, b.String())
			return err
		}
	}
	return errors.New("compare: write report: there is no format " + strconv.Quote(format))
}

// builder collects text.
type builder struct{ strings.Builder }

func (b *builder) line(parts ...string) {
	for _, p := range parts {
		b.WriteString(p)
	}
	b.WriteByte('\n')
}

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
func (r *Report) tables(d Detail) []table {
	out := []table{r.leaderboard()}
	if len(r.Pairs) > 0 {
		for _, x := range d.tested(r) {
			out = append(out, r.pairs(x))
		}
	}
	out = append(out, r.coverage())
	for _, f := range r.Kinds() {
		out = append(out, r.field(f))
	}
	if d.Queries {
		for m := range r.Columns {
			out = append(out, r.byQuery(m))
		}
	}
	return out
}

func (r *Report) leaderboard() table {
	t := table{key: "systems", caption: "Means over " + say.Count(len(r.Queries), "query", "queries") + "."}
	if len(r.Systems) > 1 {
		t.caption += " Runs that share a letter cannot be told apart (randomised Tukey HSD, 5 %)."
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
		row := []cell{plain(say.Letter(s)), name(r.Systems[s].Label)}
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

func (r *Report) pairs(x *Tested) table {
	t := table{key: "pairs", caption: "Differences in " + r.Measures[x.Column] + " by pair (second run less first), " + x.Test.Name + "; p" + r.corrected(len(x.Pairs)) + "."}
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
		t.rows = append(t.rows, pairRow(q.A, q.B, q.Diff, q.Low, q.High, q.P, q.Adjusted, q.Effect, q.Better, q.Worse, q.Equal))
	}
	for _, p := range x.Pairs {
		if p.A != r.Baseline && p.B != r.Baseline {
			t.rows = append(t.rows, pairRow(p.A, p.B, p.Diff, p.Low, p.High, p.P, p.Adjusted, p.Effect, p.Better, p.Worse, p.Equal))
		}
	}
	return t
}

func pairRow(a, b int, diff, low, high, p, adjusted, effect float64, better, worse, equal int) []cell {
	return []cell{plain(say.Letter(b) + " - " + say.Letter(a)), {text: say.Plain.Signed(diff, 4), number: true, bold: adjusted < Alpha}, {text: say.Plain.Number(low, 4) + " to " + say.Plain.Number(high, 4), number: true},
		{text: say.Plain.P(p), number: true}, {text: say.Plain.P(adjusted), number: true}, num(effect, 2), whole(better), whole(worse), whole(equal)}
}

func (r *Report) coverage() table {
	t := table{key: "coverage", caption: "What was read of each run: judged queries, those missing, documents, share of unjudged documents among the first " + strconv.Itoa(Window) +
		", documents that share a score; what the order of ties and the unjudged documents could make of " + r.Measures[0] + "."}
	t.head = []cell{plain(""), plain("run"), {text: "queries", number: true}, {text: "missing", number: true}, {text: "documents", number: true}, {text: "unjudged", number: true}, {text: "tied", number: true},
		{text: "ties", number: true}, {text: "residual", number: true}}
	for s, u := range r.Runs {
		row := []cell{plain(say.Letter(s)), name(r.Systems[s].Label), whole(u.Queries), whole(r.Systems[s].Missing), whole(u.Entries)}
		unjudged := "n/a"
		if u.Looked > 0 {
			unjudged = say.Plain.Percent(float64(u.Unjudged)/float64(u.Looked), 1)
		}
		row = append(row, cell{text: unjudged, number: true}, whole(u.Tied))
		x := r.Extra[0]
		row = append(row, cell{text: say.Plain.Span(x.TieLow[s], x.TieHigh[s], 4), number: true}, cell{text: say.Plain.Span(x.ResidualLow[s], x.ResidualHigh[s], 4), number: true})
		t.rows = append(t.rows, row)
	}
	return t
}

func (r *Report) field(f Field) table {
	t := table{key: "by-" + strings.ReplaceAll(f.Name, " ", "-"), caption: r.Measures[0] + " by the queries' " + f.Name + "."}
	t.head = []cell{plain(f.Name), {text: "queries", number: true}}
	for s := range r.Systems {
		t.head = append(t.head, cell{text: say.Letter(s), number: true})
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

func (r *Report) byQuery(m int) table {
	t := table{key: "queries", caption: r.Measures[m] + " by query."}
	t.head = []cell{plain("query")}
	for s := range r.Systems {
		t.head = append(t.head, cell{text: say.Letter(s), number: true})
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
func (r *Report) decisions() string {
	var parts []string
	for _, s := range r.Policies {
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
func (r *Report) judgments() string {
	s := say.Count(r.Stats.Judgments, "judgment", "judgments") + " of " + say.Count(r.Stats.Queries, "query", "queries") + ", " + strconv.Itoa(r.Stats.Relevant) + " relevant (" +
		strconv.Itoa(r.Stats.RelevantMin) + " to " + strconv.Itoa(r.Stats.RelevantMax) + " a query, median " + say.Plain.Short(r.Stats.RelevantMedian) + "); grades"
	for i, g := range r.Stats.Grades {
		if i > 0 {
			s += ","
		}
		s += " " + strconv.Itoa(g.Grade) + ": " + strconv.Itoa(g.Count)
	}
	return s + "."
}

// winners names the best runs by every measure that says how good a run is; "" where there is but one run.
func (r *Report) winners() string {
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
			names = append(names, say.Letter(s)+" "+brief(r.Systems[s].Label))
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
func (r *Report) sentences(d Detail) []string {
	var out []string
	if s := r.winners(); s != "" {
		out = append(out, s)
	}
	for _, t := range d.tested(r) {
		switch {
		case t.Test.Name == "":
		case t.Column == 0:
			out = append(out, "Test: "+t.Test.Why)
		default:
			out = append(out, "Test of "+r.Measures[t.Column]+": "+t.Test.Why)
		}
	}
	return append(out, "Judgments: "+r.judgments(), r.decisions())
}

// doubts returns the warnings about the tests, the runs and the judgments.
func (r *Report) doubts(d Detail) []string {
	var out []string
	for _, t := range d.tested(r) {
		for _, w := range t.Test.Warnings {
			if t.Column > 0 {
				w = r.Measures[t.Column] + ": " + w
			}
			out = append(out, w)
		}
	}
	return append(out, r.Warnings...)
}

func writeText(b *builder, r *Report, d Detail) {
	b.line(say.Visible(r.Finding))
	if r.Note != "" {
		b.line(say.Visible(r.Note))
	}
	for _, t := range r.tables(d) {
		b.line()
		width := make([]int, len(t.head))
		show := func(c cell) string {
			if c.letter != "" {
				return c.text + " " + c.letter
			}
			return c.text
		}
		letters := make([]int, len(t.head)) // so that figures stand under one another
		for _, row := range append([][]cell{t.head}, t.rows...) {
			for i, c := range row {
				letters[i] = max(letters[i], len(c.letter))
			}
		}
		pad := func(c cell, i int) string {
			s := show(c)
			if c.number && letters[i] > 0 {
				s += strings.Repeat(" ", letters[i]-len(c.letter))
				if c.letter == "" {
					s += " "
				}
			}
			return s
		}
		for _, row := range append([][]cell{t.head}, t.rows...) {
			for i, c := range row {
				width[i] = max(width[i], utf8.RuneCountInString(pad(c, i)))
			}
		}
		for _, row := range append([][]cell{t.head}, t.rows...) {
			var l strings.Builder
			for i, c := range row {
				if i > 0 {
					l.WriteString("  ")
				}
				s := pad(c, i)
				gap := strings.Repeat(" ", width[i]-utf8.RuneCountInString(s))
				if c.number {
					l.WriteString(gap + s)
				} else {
					l.WriteString(s + gap)
				}
			}
			b.line(strings.TrimRight(l.String(), " "))
		}
		b.line(say.Visible(t.caption))
	}
	b.line()
	for _, s := range r.sentences(d) {
		b.line(say.Visible(s))
	}
	for _, s := range r.doubts(d) {
		b.line("Warning: ", say.Visible(s))
	}
	b.line("Report ", r.Hash)
}

func writeMarkdown(b *builder, r *Report, d Detail) {
	b.line(markdownText(say.Visible(r.Finding)))
	if r.Note != "" {
		b.line(markdownText(say.Visible(r.Note)))
	}
	for _, t := range r.tables(d) {
		b.line()
		row := func(cells []cell) {
			b.WriteByte('|')
			for _, c := range cells {
				s := markdownText(c.text)
				if c.bold {
					s = "**" + s + "**"
				}
				if c.letter != "" {
					s += " <sup>" + markdownText(c.letter) + "</sup>"
				}
				b.WriteString(" " + s + " |")
			}
			b.line()
		}
		row(t.head)
		b.WriteByte('|')
		for _, c := range t.head {
			if c.number {
				b.WriteString(" ---: |")
			} else {
				b.WriteString(" --- |")
			}
		}
		b.line()
		for _, cells := range t.rows {
			row(cells)
		}
		b.line()
		b.line(markdownText(say.Visible(t.caption)))
	}
	b.line()
	for _, s := range r.sentences(d) {
		b.line("- ", markdownText(say.Visible(s)))
	}
	for _, s := range r.doubts(d) {
		b.line("- Warning: ", markdownText(say.Visible(s)))
	}
	b.line("- Report `", r.Hash, "`")
}

func writeCSV(b *builder, r *Report, d Detail) {
	if d.Queries {
		b.line("query,run,measure,value")
		for q, t := range r.Queries {
			for s := range r.Systems {
				for m := range r.Columns {
					b.line(csvCell(t.ID), ",", csvCell(r.Systems[s].Label), ",", csvCell(r.Measures[m]), ",", say.Exact(r.Columns[m].Values[s][q]))
				}
			}
		}
		return
	}
	b.line("run,measure,mean,low,high,groups,geometric_mean,median,tie_low,tie_high,residual_low,residual_high,queries,missing,baseline,difference,relative,difference_low,difference_high,p,p_" + r.correctionKey() + ",d_z,better,worse,equal")
	tested := d.tested(r)
	for _, s := range r.Ranking() {
		for m, c := range r.Columns {
			x := r.Extra[m]
			cells := []string{csvCell(r.Systems[s].Label), csvCell(r.Measures[m]), say.Exact(c.Means[s]), say.Exact(c.Low[s]), say.Exact(c.High[s]), csvCell(c.Groups[s]), say.Exact(x.Geometric[s]), say.Exact(x.Median[s]),
				say.Exact(x.TieLow[s]), say.Exact(x.TieHigh[s]), say.Exact(x.ResidualLow[s]), say.Exact(x.ResidualHigh[s]), strconv.Itoa(r.Runs[s].Queries), strconv.Itoa(r.Systems[s].Missing)}
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
			b.line(strings.Join(append(cells, tail...), ","))
		}
	}
}

func writeTREC(b *builder, r *Report, d Detail) {
	row := func(measure, query, value string) {
		if pad := 22 - utf8.RuneCountInString(measure); pad > 0 {
			measure += strings.Repeat(" ", pad)
		}
		b.line(measure, "\t", query, "\t", value)
	}
	for s, sys := range r.Systems {
		if d.Queries {
			for q, t := range r.Queries {
				for m, c := range r.Columns {
					row(r.Measures[m], word(t.ID), say.Plain.Number(c.Values[s][q], 4))
				}
			}
		}
		row("runid", "all", word(sys.Label))
		row("num_q", "all", strconv.Itoa(len(r.Queries)))
		for m, c := range r.Columns {
			row(r.Measures[m], "all", say.Plain.Number(c.Means[s], 4))
		}
	}
}

// Version is the version of the JSON form.
const Version = 1

// jsonWriter writes JSON with members in the order in which they are given.
type jsonWriter struct {
	b     *builder
	comma bool
}

func (j *jsonWriter) key(k string) {
	if j.comma {
		j.b.WriteByte(',')
	}
	j.comma = false
	if k != "" {
		j.b.WriteString(jsontext.Quote(k) + ":")
	}
}

func (j *jsonWriter) raw(k, v string) {
	j.key(k)
	j.b.WriteString(v)
	j.comma = true
}

func (j *jsonWriter) str(k, v string)       { j.raw(k, jsontext.Quote(v)) }
func (j *jsonWriter) int(k string, v int)   { j.raw(k, strconv.Itoa(v)) }
func (j *jsonWriter) bool(k string, v bool) { j.raw(k, strconv.FormatBool(v)) }

// num writes null for what is not a number.
func (j *jsonWriter) num(k string, v float64) {
	s := say.Exact(v)
	if s == "" {
		s = "null"
	}
	j.raw(k, s)
}

func (j *jsonWriter) open(k string, bracket byte) {
	j.key(k)
	j.b.WriteByte(bracket)
}

func (j *jsonWriter) close(bracket byte) {
	j.b.WriteByte(bracket)
	j.comma = true
}

func (j *jsonWriter) list(k string, n int, f func(i int)) {
	j.open(k, '[')
	for i := range n {
		f(i)
	}
	j.close(']')
}

func (j *jsonWriter) object(k string, f func()) {
	j.open(k, '{')
	f()
	j.close('}')
}

func (j *jsonWriter) strs(k string, v []string) { j.list(k, len(v), func(i int) { j.str("", v[i]) }) }
func (j *jsonWriter) nums(k string, v []float64) {
	j.list(k, len(v), func(i int) { j.num("", v[i]) })
}

func writeJSON(b *builder, r *Report, d Detail) {
	j := &jsonWriter{b: b}
	j.object("", func() {
		j.str("format", "rankbox-report")
		j.int("version", Version)
		j.str("hash", r.Hash)
		j.str("finding", r.Finding)
		j.str("note", r.Note)
		j.object("collection", func() {
			j.str("name", r.Collection.Name)
			j.int("queries", r.Stats.Queries)
			j.int("judgments", r.Stats.Judgments)
			j.int("relevant", r.Stats.Relevant)
			j.int("queries_without_relevant", r.Stats.Barren)
			j.object("grades", func() {
				for _, g := range r.Stats.Grades {
					j.int(strconv.Itoa(g.Grade), g.Count)
				}
			})
		})
		j.object("policies", func() {
			for _, s := range r.Policies {
				j.str(s.Name, s.Option)
			}
		})
		j.str("baseline", r.Systems[r.Baseline].Label)
		j.object("test", func() {
			j.str("name", r.Test.Name)
			j.str("why", r.Test.Why)
			j.strs("warnings", r.Test.Warnings)
		})
		j.list("runs", len(r.Systems), func(s int) {
			u := r.Runs[s]
			j.object("", func() {
				j.str("name", r.Systems[s].Label)
				j.str("letter", say.Letter(s))
				j.str("tag", u.Tag)
				j.int("queries", u.Queries)
				j.int("missing", r.Systems[s].Missing)
				j.int("foreign", u.Foreign)
				j.int("documents", u.Entries)
				j.int("unjudged", u.Unjudged)
				j.int("looked_at", u.Looked)
				j.int("tied", u.Tied)
				j.object("measures", func() {
					for m, c := range r.Columns {
						x := r.Extra[m]
						j.object(r.Measures[m], func() {
							j.num("mean", c.Means[s])
							j.num("low", c.Low[s])
							j.num("high", c.High[s])
							j.str("groups", c.Groups[s])
							j.num("geometric_mean", x.Geometric[s])
							j.num("median", x.Median[s])
							j.num("tie_low", x.TieLow[s])
							j.num("tie_high", x.TieHigh[s])
							j.num("residual_low", x.ResidualLow[s])
							j.num("residual_high", x.ResidualHigh[s])
						})
					}
				})
			})
		})
		j.list("measures", len(r.Measures), func(m int) {
			j.object("", func() {
				j.str("measure", r.Measures[m])
				j.str("applied", r.Applied[m])
				j.bool("smaller_is_better", r.Extra[m].Lower)
				var best []string
				for _, s := range r.Best(m) {
					best = append(best, r.Systems[s].Label)
				}
				j.strs("best", best)
			})
		})
		if tested := d.tested(r)[1:]; len(tested) > 0 {
			j.list("further_tests", len(tested), func(i int) {
				t := tested[i]
				j.object("", func() {
					j.str("measure", r.Measures[t.Column])
					j.str("name", t.Test.Name)
					j.str("why", t.Test.Why)
					j.strs("warnings", t.Test.Warnings)
				})
			})
		}
		type pair struct {
			measure string
			experiment.Pair
		}
		var pairs []pair
		for _, t := range d.tested(r) {
			for _, p := range t.Pairs {
				pairs = append(pairs, pair{r.Measures[t.Column], p})
			}
		}
		j.list("pairs", len(pairs), func(i int) {
			p := pairs[i]
			j.object("", func() {
				j.str("measure", p.measure)
				j.str("a", r.Systems[p.A].Label)
				j.str("b", r.Systems[p.B].Label)
				j.num("difference", p.Diff)
				j.num("low", p.Low)
				j.num("high", p.High)
				j.num("p", p.P)
				j.num("p_"+r.correctionKey(), p.Adjusted)
				j.num("d_z", p.Effect)
				j.int("better", p.Better)
				j.int("worse", p.Worse)
				j.int("equal", p.Equal)
			})
		})
		kinds := r.Kinds()
		j.list("fields", len(kinds), func(i int) {
			f := kinds[i]
			j.object("", func() {
				j.str("field", f.Name)
				j.list("groups", len(f.Groups), func(k int) {
					g := f.Groups[k]
					j.object("", func() {
						j.str("value", g.Value)
						j.int("queries", g.Queries)
						j.list("means", len(g.Means), func(m int) { j.nums("", g.Means[m]) })
					})
				})
			})
		})
		if d.Queries {
			j.list("queries", len(r.Queries), func(q int) {
				j.object("", func() {
					j.str("query", r.Queries[q].ID)
					j.int("relevant", r.Queries[q].Relevant)
					j.object("values", func() {
						for m, c := range r.Columns {
							j.list(r.Measures[m], len(r.Systems), func(s int) { j.num("", c.Values[s][q]) })
						}
					})
				})
			})
		}
		j.strs("skipped", r.Skipped)
		j.strs("warnings", r.Warnings)
	})
	b.line()
}
