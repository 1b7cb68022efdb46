package export

import (
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// Text of what is asked of a Comparison, for the terminal.

// lay writes rows in columns; numbers says which columns stand to the right.
func lay(b *builder, rows [][]string, numbers func(column int) bool) {
	var width []int
	for _, row := range rows {
		for i, s := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(s))
		}
	}
	for _, row := range rows {
		var l strings.Builder
		for i, s := range row {
			if i > 0 {
				l.WriteString("  ")
			}
			gap := strings.Repeat(" ", width[i]-utf8.RuneCountInString(s))
			if numbers(i) {
				l.WriteString(gap + s)
			} else {
				l.WriteString(s + gap)
			}
		}
		b.line(strings.TrimRight(l.String(), " "))
	}
}

// Columns lays rows out in columns of text; numbers says which columns stand to the right.
func Columns(rows [][]string, numbers func(column int) bool) string {
	var b builder
	lay(&b, rows, numbers)
	return b.String()
}

// grade writes the grade of a document: "-" where it is not judged.
func grade(g float64) string {
	if g == compare.Unjudged {
		return "-"
	}
	return say.Plain.Grade(g)
}

// WriteQueries writes the values of selected queries (see Select), one line each, with the differences from the
// baseline.
func WriteQueries(w io.Writer, r *report.Report, column int, sort, where string) error {
	list, err := r.Select(column, sort, where)
	if err != nil {
		return err
	}
	var b builder
	rows := [][]string{{"query"}}
	for s := range r.Systems {
		rows[0] = append(rows[0], r.Letter(s))
	}
	for s := range r.Systems {
		if s != r.Baseline {
			rows[0] = append(rows[0], r.Letter(s)+"-"+r.Letter(r.Baseline))
		}
	}
	values := r.Columns[column].Values
	for _, q := range list {
		row := []string{brief(r.Queries[q].ID)}
		for s := range r.Systems {
			row = append(row, say.Plain.Number(values[s][q], 4))
		}
		for s := range r.Systems {
			if s != r.Baseline {
				row = append(row, say.Plain.Signed(values[s][q]-values[r.Baseline][q], 4))
			}
		}
		rows = append(rows, row)
	}
	lay(&b, rows, func(i int) bool { return i > 0 })
	b.line(r.Measures[column], " of ", strconv.Itoa(len(list)), " of ", say.Count(len(r.Queries), "query", "queries"),
		".")
	_, err = io.WriteString(w, b.String())
	return err
}

// WriteQuery writes one query: the rankings side by side (depth documents each), every run's value of a measure
// unfolded, and what makes the differences from the baseline.
func WriteQuery(w io.Writer, c *compare.Comparison, notation, query string, depth int) error {
	sides, err := c.Sides(query, depth)
	if err != nil {
		return err
	}
	var b builder
	title := "Query " + brief(query)
	if text := c.Text(query); text != "" {
		title += ": " + brief(text)
	}
	b.line(title)
	b.line()
	rows := [][]string{{"rank"}}
	most := 0
	for _, s := range sides {
		rows[0] = append(rows[0], c.Letter(s.System)+" "+brief(c.Names()[s.System]), "grade")
		most = max(most, len(s.Docs))
	}
	for i := range most {
		row := []string{strconv.Itoa(i + 1)}
		for _, s := range sides {
			if i >= len(s.Docs) {
				row = append(row, "", "")
				continue
			}
			d := s.Docs[i]
			id := brief(d.ID)
			if d.Tied {
				id += " ="
			}
			row = append(row, id, grade(d.Grade))
		}
		rows = append(rows, row)
	}
	lay(&b, rows, func(i int) bool { return i%2 == 0 })
	b.line("Grade - is unjudged; = marks documents with the score of a neighbour.")
	for s := range sides {
		u, err := c.Unfold(notation, s, query)
		if err != nil {
			return err
		}
		b.line()
		b.line(c.Letter(s), " ", brief(c.Names()[s]), ": ", u.Measure, " = ", say.Plain.Number(u.Value, 4))
		if sides[s].Missing {
			b.line("  the run has no list for this query")
			continue
		}
		for _, step := range u.Steps {
			b.line("  ", step)
		}
	}
	for s := range sides {
		if s == c.Baseline() {
			continue
		}
		e, err := c.Explain(notation, c.Baseline(), s, query)
		if err != nil {
			return err
		}
		b.line()
		b.line(c.Letter(s), " - ", c.Letter(c.Baseline()), ": ", e.Sentence(say.Plain))
		rows := [][]string{{"  document", "grade", "", c.Letter(e.A), c.Letter(e.B), "before", "after", "change"}}
		for i, d := range e.Changes {
			if i == 20 {
				break
			}
			rows = append(rows, []string{"  " + brief(d.ID), grade(d.Grade), d.What, rankText(d.RankA),
				rankText(d.RankB), say.Plain.Number(d.Before, 4), say.Plain.Number(d.After, 4),
				say.Plain.Signed(d.Diff, 4)})
		}
		if len(rows) > 1 {
			lay(&b, rows, func(i int) bool { return i == 1 || i > 2 })
		}
		if n := len(e.Changes) - 20; n > 0 {
			b.line("  and ", say.Count(n, "document", "documents"), " more")
		}
	}
	_, err = io.WriteString(w, b.String())
	return err
}

func rankText(r int) string {
	if r == 0 {
		return "-"
	}
	return strconv.Itoa(r)
}

// WriteOpinions writes what other tools would say of a measure, and why.
func WriteOpinions(w io.Writer, c *compare.Comparison, notation string) error {
	list, err := c.Opinions(notation, nil)
	if err != nil {
		return err
	}
	var b builder
	head := []string{"tool", "version", "measure"}
	for s := range c.Names() {
		head = append(head, c.Letter(s))
	}
	rows := [][]string{head}
	var notes []string
	for _, o := range list {
		row := []string{o.Tool, o.Version, o.As}
		if o.As == "" {
			row[2] = "(none)"
		}
		for _, v := range o.Means {
			row = append(row, say.Plain.Number(v, 4))
		}
		rows = append(rows, row)
		for s, causes := range o.Differs {
			for _, x := range causes {
				notes = append(notes, o.Tool+", "+c.Letter(s)+": "+x.Decision+" ("+say.Count(x.Queries, "query",
					"queries")+"): "+x.Example)
			}
		}
	}
	lay(&b, rows, func(i int) bool { return i > 2 })
	for _, n := range notes {
		b.line(say.Visible(n))
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// WriteSaid writes, query by query, the values that other tools would give where they are not those of the report, and
// every decision that makes one into the other; of one query, or of all judged ones where query is "".
func WriteSaid(w io.Writer, c *compare.Comparison, notation, query string) error {
	queries := []string{query}
	if query == "" {
		queries = c.Judged()
	}
	systems := make([]int, len(c.Names()))
	for s := range systems {
		systems[s] = s
	}
	value := func(v float64, counts bool) string {
		if !counts {
			return "left out"
		}
		return say.Plain.Number(v, 4)
	}
	rows := [][]string{{"query", "run", "tool", "measure", "here", "there", "why"}}
	for _, q := range queries {
		list, err := c.Said(notation, systems, q)
		if err != nil {
			return err
		}
		for _, x := range list {
			rows = append(rows, []string{brief(q), c.Letter(x.System), x.Tool, x.As, value(x.Ours, x.OursCounts),
				value(x.Theirs, x.TheirsCounts), x.Why(say.Plain)})
		}
	}
	var b builder
	if len(rows) == 1 {
		b.line("Every tool that has ", notation, " says the same here.")
	} else {
		lay(&b, rows, func(i int) bool { return i == 4 || i == 5 })
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteUnjudged writes the documents among the first depth of any run that nobody judged, as lines of qrels without a
// grade: query, document and the rank in every run.
func WriteUnjudged(w io.Writer, c *compare.Comparison, depth int) error {
	var b builder
	head := "query\tdocument"
	for _, n := range c.Names() {
		head += "\t" + word(n)
	}
	b.line(head)
	open, err := c.Unjudged(depth, nil)
	if err != nil {
		return err
	}
	for _, d := range open {
		l := word(d.Query) + "\t" + word(d.ID)
		for _, r := range d.Ranks {
			l += "\t" + strconv.Itoa(r)
		}
		b.line(l)
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// WriteResiduals writes, for every measure and run, the mean and between which values it lies whatever is found of the
// documents that nobody judged. It can take long on deep rankings.
func WriteResiduals(w io.Writer, c *compare.Comparison, cancel func() bool) error {
	var b builder
	rows := [][]string{{"measure", "run", "mean", "least", "most"}}
	var unbounded []string
	inexact := false
	means, err := c.Evaluation.Means(cancel)
	if err != nil {
		return err
	}
	for m, name := range c.Measures() {
		bounds, ok, err := c.Residuals(name, cancel)
		if err != nil {
			return err
		}
		if !ok {
			unbounded = append(unbounded, name)
			continue
		}
		for s, x := range bounds {
			mark := ""
			if !x.Exact {
				mark, inexact = " *", true
			}
			rows = append(rows, []string{name, c.Letter(s) + " " + brief(c.Names()[s]),
				say.Plain.Number(means[m][s], 4), say.Plain.Number(x.Low, 4), say.Plain.Number(x.High, 4) + mark})
		}
	}
	lay(&b, rows, func(i int) bool { return i > 1 })
	b.line("Means over ", say.Count(len(c.Queries()), "query", "queries"),
		": as measured, and the smallest and largest possible value if the unjudged documents of the rankings "+
			"were judged.")
	if inexact {
		b.line("* every unjudged document of grade 0, and of the highest grade: other judgments may give less or more")
	}
	if len(unbounded) > 0 {
		b.line("No bounds are known for ", strings.Join(unbounded, ", "), ".")
	}
	_, err = io.WriteString(w, b.String())
	return err
}
