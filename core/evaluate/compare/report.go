package compare

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/measure"
)

// Report measures the runs and tests their differences. cancel is polled between queries and between resamples;
// progress is told how many rankings are measured. Both may be nil.
func (c *Comparison) Report(cancel func() bool, progress func(done, total int)) (*report.Report, error) {
	r := &report.Report{}
	r.Baseline, r.Letters = c.in.Baseline, c.in.Letters
	r.Collection = report.Ref{Name: c.in.Name, Queries: len(c.queries), Judgments: c.in.Qrels.Len()}
	r.Stats.Digest = c.digest()
	for _, q := range c.queries {
		f := c.fields[q]
		r.Queries = append(r.Queries, report.Query{ID: q, Text: f.Text, Type: f.Type, Difficulty: f.Difficulty})
	}
	for s, run := range c.runs {
		r.Systems = append(r.Systems, report.System{Notation: c.in.Runs[s].Pipeline, Label: c.names[s]})
		u := report.Coverage{Tag: run.Tag}
		for _, q := range run.Queries() {
			if !c.in.Qrels.Has(q) {
				u.Foreign++
			}
		}
		r.Coverage = append(r.Coverage, u)
	}
	if err := c.Evaluation.Measure(r, evaluation.Watch{Cancel: cancel, Progress: progress}); err != nil {
		return nil, err
	}
	if c.in.Graded != nil {
		c.in.Graded.note(r)
	}
	for s := range r.Systems {
		x := &r.Systems[s]
		if x.Missing > 0 {
			x.Why = "the run has no list for them"
		} else if w := c.fell(s); w.N > 0 {
			x.Why = report.SayFell(w.N)
		}
	}
	r.Fields = c.byField(r)
	r.Skipped = slices.Clone(c.skipped)
	r.Warnings = append(c.warnings(r), r.Warnings...)
	if err := r.Conclude(c.in.Protocol, cancel); err != nil {
		return nil, err
	}
	return r, nil
}

// Belong returns the error of collection.Belong for the judgments and runs. Grades by rank name no documents: of them
// nothing is known.
func (c *Comparison) Belong() error {
	if c.in.Graded != nil {
		return nil
	}
	return collection.Belong(c.in.Qrels, c.runs...)
}

// digest is that of the judgments, "" where some of them lost their ids on the way here.
func (c *Comparison) digest() string {
	type judgment struct {
		doc   string
		grade float64
	}
	var all strings.Builder
	queries := slices.Clone(c.in.Qrels.Queries())
	slices.Sort(queries)
	unnamed := c.in.Graded != nil
	for _, q := range queries {
		var list []judgment
		c.in.Qrels.Each(q, func(doc string, grade float64) {
			unnamed = unnamed || strings.HasPrefix(doc, NotRetrieved)
			list = append(list, judgment{doc, grade})
		})
		if len(list) == 0 {
			continue
		}
		sort.Slice(list, func(a, b int) bool { return list[a].doc < list[b].doc })
		of := append([]byte(nil), strconv.Quote(q)...)
		for _, j := range list {
			of = append(append(append(of, ' '), strconv.Quote(j.doc)...), " "+say.Plain.Grade(j.grade)...)
		}
		all.WriteString(sha256.Hex(of))
	}
	if unnamed {
		return ""
	}
	return sha256.Hex([]byte(all.String()))
}

// fieldsOf lists the fields that queries are grouped by.
var fieldsOf = []struct {
	name string
	of   func(q collection.Query) string
}{
	{"type", func(q collection.Query) string { return q.Type }},
	{"difficulty", func(q collection.Query) string { return q.Difficulty }},
	{"domain", func(q collection.Query) string { return q.Domain }},
}

// byField aggregates by every field with at least two values; queries without one are a group of their own, "".
func (c *Comparison) byField(r *report.Report) []report.Field {
	var out []report.Field
	for _, f := range fieldsOf {
		if groups := r.By(func(q int) string { return f.of(c.fields[c.queries[q]]) }); len(groups) > 1 {
			out = append(out, report.Field{Name: f.name, Groups: groups})
		}
	}
	return out
}

// fell is of the queries that count those for which a backend gave run s nothing.
func (c *Comparison) fell(s int) report.Warning {
	w := report.Warning{Kind: report.FellBack, System: s, Column: -1}
	for _, q := range c.in.Runs[s].Fell {
		if _, counts := c.place[q]; counts {
			w.Names = append(w.Names, q)
		}
	}
	w.N = len(w.Names)
	return w
}

// warnings says what is odd about the runs and the judgments.
func (c *Comparison) warnings(r *report.Report) []report.Warning {
	var out []report.Warning
	for s := range c.runs {
		if w := c.fell(s); w.N > 0 {
			out = append(out, w)
		}
	}
	out = append(out, r.CoverageWarnings(func(s int) []string {
		return []string{c.in.Qrels.Queries()[0], c.runs[s].Queries()[0]}
	})...)
	var ms []measure.Measure
	for _, name := range r.Measures {
		if m, err := measure.Parse(name); err == nil {
			ms = append(ms, m)
		}
	}
	sizes := make([]int, len(c.queries))
	for s := range c.runs {
		for q := range sizes {
			sizes[q] = c.Size(s, q)
		}
		if depth, m := evaluation.Ended(ms, sizes); depth > 0 && depth != c.in.Policy.Depth &&
			c.runs[s].Lacks(c.in.Qrels, depth) {
			out = append(out, report.Warning{Kind: report.ListsEnd, System: s, Column: -1, N: depth,
				Text: evaluation.SayEnded(m.String(), depth)})
		}
	}
	var missing, empty int
	for _, w := range c.why {
		if w == "empty" {
			empty++
		} else {
			missing++
		}
	}
	add := func(kind report.WarningKind, n int) {
		out = append(out, report.Warning{Kind: kind, System: -1, Column: -1, N: n})
	}
	if missing > 0 {
		add(report.LeftOutMissing, missing)
	}
	if empty > 0 {
		add(report.LeftOutEmpty, empty)
	} else if r.Stats.Barren > 0 {
		add(report.BarrenQueries, r.Stats.Barren)
	}
	if len(c.queries) == 0 {
		add(report.NothingLeft, 0)
	}
	return out
}
