package compare

import (
	"iter"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
)

// Opinion is what another tool says about a measure of the runs.
type Opinion struct {
	Tool, Version, Doc string
	As                 string    // what it calls the measure; "" where it has none such, and nothing below is set then
	Means              []float64 // a run
	Queries            []int     // a run: the queries that count
	Differs            [][]Cause // a run: why its queries' values are not those of the report
}

// Cause is a decision of a tool that changes values.
type Cause struct {
	Decision string // as measure.Reason
	Queries  int
	Example  string // the sentence for the first query
}

// Opinions recomputes a measure as other tools would.
func (c *Comparison) Opinions(notation string, cancel func() bool) ([]Opinion, error) {
	m, _, err := c.asked("what other tools print", notation)
	if err != nil {
		return nil, err
	}
	tools := measure.Conventions()
	out := make([]Opinion, len(tools))
	for i, v := range tools {
		out[i] = Opinion{Tool: v.Name, Version: v.Version, Doc: v.Doc}
	}
	for s := range c.runs {
		inquiries := make([]*measure.Inquiry, len(tools))
		causes := make([][]Cause, len(tools))
		for i, v := range tools {
			inquiries[i], _ = v.Inquire(m, c.in.Policy)
		}
		for l := range c.lists(s) {
			if cancel != nil && cancel() {
				return nil, ErrCancelled
			}
			for i, q := range inquiries {
				if q == nil {
					continue
				}
				if d := q.Add(&l); d != nil {
					causes[i] = tally(causes[i], d.Reasons)
				}
			}
		}
		for i, q := range inquiries {
			if q == nil {
				continue
			}
			o := &out[i]
			as, mean, queries := q.Summary()
			o.As = as
			o.Means = append(o.Means, mean)
			o.Queries = append(o.Queries, queries)
			o.Differs = append(o.Differs, causes[i])
		}
	}
	return out, nil
}

// Said is what another tool says of one query where that is not what the report says.
type Said struct {
	Tool, As     string
	System       int
	Ours, Theirs float64
	// OursCounts and TheirsCounts say whether the query is part of the mean.
	OursCounts, TheirsCounts bool
	Reasons                  []measure.Reason // they lead from Ours to Theirs, one after the other
}

// Said returns the other tools that would give systems another value of a measure for a query, or none, and why: system
// by system in the order given, tools in the order of measure.Conventions. The query is a judged one, which the policy
// may leave out.
func (c *Comparison) Said(notation string, systems []int, query string) ([]Said, error) {
	m, _, err := c.asked("what other tools print", notation, systems...)
	if err != nil {
		return nil, err
	}
	var out []Said
	for _, s := range systems {
		l, ok := c.listOf(s, query)
		if !ok {
			return nil, say.Faultf("compare", "query %q has no judgments", query)
		}
		for _, v := range measure.Conventions() {
			q, ok := v.Inquire(m, c.in.Policy)
			if !ok {
				continue
			}
			if d := q.Add(&l); d != nil {
				as, _, _ := q.Summary()
				out = append(out, Said{v.Name, as, s, d.Ours, d.Theirs, d.OursCounts, d.TheirsCounts, d.Reasons})
			}
		}
	}
	return out, nil
}

// tally adds the reasons of one query to those of the queries before.
func tally(causes []Cause, reasons []measure.Reason) []Cause {
	for _, r := range reasons {
		k := slices.IndexFunc(causes, func(x Cause) bool { return x.Decision == r.Decision })
		if k < 0 {
			k = len(causes)
			causes = append(causes, Cause{Decision: r.Decision, Example: r.Text})
		}
		causes[k].Queries++
	}
	return causes
}

// lists yields a run as it was read, joined with the judgments, one judged query after the other: all of them with
// their ids need many times what the run does.
func (c *Comparison) lists(system int) iter.Seq[measure.List] {
	return func(yield func(measure.List) bool) {
		for _, q := range c.in.Qrels.Queries() {
			if l, ok := c.listOf(system, q); ok && !yield(l) {
				return
			}
		}
	}
}

// listOf returns a run's ranking of a query as it was read, joined with the judgments; ok is false where there are
// none.
func (c *Comparison) listOf(system int, q string) (l measure.List, ok bool) {
	l = measure.List{Query: q, Judged: c.in.Qrels.Grades(q, nil), TopGrade: c.top}
	if len(l.Judged) == 0 {
		return l, false
	}
	c.in.Qrels.Each(q, func(doc string, _ float64) { l.JudgedIDs = append(l.JudgedIDs, doc) })
	of := c.in.besideOf(q)
	l.Subtopics, l.Preferences = of.unranked()
	r := c.in.Runs[system].Run
	i := r.Query(q)
	if i < 0 {
		l.Missing = true
		return l, true
	}
	e, again := r.Listed(i)
	l.Again = again
	l.IDs = make([]string, 0, len(e))
	for _, x := range e {
		l.IDs = append(l.IDs, x.Doc)
	}
	l.Grades, l.Scores = c.join(q, e, of, l.Subtopics, l.Preferences, make([]float64, 0, len(e)),
		make([]float64, 0, len(e)))
	return l, true
}

// Why gives the reasons in a line, with the value before and after each where there are several.
func (x *Said) Why(style say.Style) string {
	var parts []string
	for _, r := range x.Reasons {
		s := say.Visible(r.Text)
		if len(x.Reasons) > 1 {
			s += " (" + style.Number(r.Before, 4) + " -> " + style.Number(r.After, 4) + ")"
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, "; ")
}

// Differences returns the queries of a run to which a tool would give another value of a measure, or another weight in
// the mean, in the order of the judgments, each with its reasons; none where the tool has no such measure.
func (c *Comparison) Differences(notation string, system int, tool *measure.Convention, cancel func() bool) (
	[]measure.Difference, error) {
	m, _, err := c.asked("what other tools print", notation, system)
	if err != nil {
		return nil, err
	}
	q, ok := tool.Inquire(m, c.in.Policy)
	if !ok {
		return nil, nil
	}
	var out []measure.Difference
	for l := range c.lists(system) {
		if cancel != nil && cancel() {
			return nil, ErrCancelled
		}
		if d := q.Add(&l); d != nil {
			out = append(out, *d)
		}
	}
	return out, nil
}
