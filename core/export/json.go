package export

import (
	"strconv"

	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
)

// Version is the version of the JSON form.
const Version = 1

// asJSON is JSON for programs: everything that the report says.
var asJSON = Format{"json", "JSON", ".json", "application/json", byQuery, writeJSON}

func writeJSON(b *builder, r *report.Report, d Detail) {
	j := &jsonWriter{b: b}
	j.object("", func() {
		j.str("format", "rankbox-report")
		j.int("version", Version)
		j.str("hash", r.Hash)
		j.str("digest", Digest(r))
		j.str("finding", r.Sentence(say.Plain))
		j.str("note", r.Note(say.Plain))
		j.collection(r)
		j.object("policies", func() {
			for _, s := range r.Decisions {
				j.str(s.Name, s.Option)
			}
		})
		j.str("baseline", r.Systems[r.Baseline].Label)
		j.object("test", func() { j.test(r.Test) })
		j.list("runs", len(r.Systems), func(s int) { j.run(r, s) })
		j.list("measures", len(r.Measures), func(m int) { j.measure(r, m) })
		j.tests(r, d)
		kinds := r.Kinds()
		j.list("fields", len(kinds), func(i int) { j.field(kinds[i]) })
		if d.Queries {
			j.list("queries", len(r.Queries), func(q int) { j.query(r, q) })
		}
		j.strs("skipped", r.Skipped)
		j.strs("warnings", r.Doubts(say.Plain))
	})
	b.line()
}

func (j *jsonWriter) collection(r *report.Report) {
	j.object("collection", func() {
		j.str("name", r.Collection.Name)
		j.int("queries", r.Stats.Queries)
		j.int("judgments", r.Stats.Judgments)
		j.str("judgments_digest", r.Stats.Digest)
		j.int("relevant", r.Stats.Relevant)
		j.int("queries_without_relevant", r.Stats.Barren)
		j.object("grades", func() {
			for _, g := range r.Stats.Grades {
				j.int(strconv.Itoa(g.Grade), g.Count)
			}
		})
	})
}

func (j *jsonWriter) test(t report.Test) {
	j.str("name", t.Name)
	j.str("why", t.Why(say.Plain))
	j.strs("warnings", t.Doubts(say.Plain))
}

func (j *jsonWriter) run(r *report.Report, s int) {
	u := r.Coverage[s]
	j.object("", func() {
		j.str("name", r.Systems[s].Label)
		j.str("letter", r.Letter(s))
		j.str("tag", u.Tag)
		j.int("queries", u.Queries)
		j.int("missing", r.Systems[s].Missing)
		if fell := r.Fell(s); len(fell) > 0 {
			j.int("fell_back", len(fell))
			j.strs("fell_back_queries", fell)
		}
		j.int("foreign", u.Foreign)
		j.int("documents", u.Documents)
		j.int("unjudged", u.Unjudged)
		j.int("looked_at", u.Top)
		j.int("tied", u.Tied)
		j.object("measures", func() {
			for m := range r.Columns {
				j.object(r.Measures[m], func() { j.figures(&r.Columns[m], s) })
			}
		})
	})
}

// figures are those of one system on one measure.
func (j *jsonWriter) figures(c *report.Column, s int) {
	j.num("mean", c.Means[s])
	j.num("low", c.Low[s])
	j.num("high", c.High[s])
	j.str("groups", c.Groups[s])
	j.num("geometric_mean", c.Geometric[s])
	j.num("median", c.Median[s])
	j.num("tie_low", c.TieLow[s])
	j.num("tie_high", c.TieHigh[s])
	j.num("residual_low", c.ResidualLow[s])
	j.num("residual_high", c.ResidualHigh[s])
}

func (j *jsonWriter) measure(r *report.Report, m int) {
	j.object("", func() {
		j.str("measure", r.Measures[m])
		j.str("applied", r.Columns[m].Applied)
		j.bool("smaller_is_better", r.Columns[m].Lower)
		var best []string
		for _, s := range r.Best(m) {
			best = append(best, r.Systems[s].Label)
		}
		j.strs("best", best)
	})
}

// tests are the reasons of the tests on further measures, and the pairs of all.
func (j *jsonWriter) tests(r *report.Report, d Detail) {
	all := d.tests(r)
	if further := all[1:]; len(further) > 0 {
		j.list("further_tests", len(further), func(i int) {
			j.object("", func() {
				j.str("measure", r.Measures[further[i].Column])
				j.test(further[i].Test)
			})
		})
	}
	j.open("pairs", '[')
	for _, t := range all {
		for _, p := range t.Pairs {
			j.object("", func() {
				j.str("measure", r.Measures[t.Column])
				j.pair(r, p.A, p.B)
				j.num("difference", p.Diff)
				j.num("low", p.Low)
				j.num("high", p.High)
				j.num("p", p.P)
				j.num("p_"+r.CorrectionKey(), p.Adjusted)
				j.num("d_z", p.Effect)
				j.counts(p.Better, p.Worse, p.Equal)
			})
		}
	}
	j.close(']')
}

// pair names two runs.
func (j *jsonWriter) pair(r *report.Report, a, b int) {
	j.str("a", r.Systems[a].Label)
	j.str("b", r.Systems[b].Label)
}

// counts are the queries on which the second of a pair is better, worse and neither.
func (j *jsonWriter) counts(better, worse, equal int) {
	j.int("better", better)
	j.int("worse", worse)
	j.int("equal", equal)
}

func (j *jsonWriter) field(f report.Field) {
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
}

func (j *jsonWriter) query(r *report.Report, q int) {
	j.object("", func() {
		j.str("query", r.Queries[q].ID)
		j.int("relevant", r.Queries[q].Relevant)
		j.object("values", func() {
			for m, c := range r.Columns {
				j.list(r.Measures[m], len(r.Systems), func(s int) { j.num("", c.Values[s][q]) })
			}
		})
	})
}
