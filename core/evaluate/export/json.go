package export

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// Version is the version of the JSON form.
const Version = 1

// asJSON is JSON for programs: everything that the report says.
var asJSON = Format{"json", "JSON", ".json", "application/json", byQuery, writeJSON}

func writeJSON(b *builder, r *report.Report, d Detail) {
	j := writer(b)
	j.Object("", func() {
		j.Str("format", "rankbox-report")
		j.Int("version", Version)
		j.Str("hash", r.Hash)
		j.Str("finding", r.Sentence(say.Plain))
		j.Str("note", r.Note(say.Plain))
		j.collection(r)
		j.Object("policies", func() {
			for _, s := range r.Decisions {
				j.Str(s.Name, s.Option)
			}
		})
		j.Str("baseline", r.Systems[r.Baseline].Label)
		j.Object("test", func() { j.test(r, r.Tests()) })
		j.List("runs", len(r.Systems), func(s int) { j.run(r, s) })
		j.List("measures", len(r.Measures), func(m int) { j.measure(r, m) })
		j.tests(r, d)
		j.ranks(r)
		kinds := r.Kinds()
		if noun, given := r.Given(); given {
			j.Str("scores_of", report.Plural(noun))
			kinds = nil
		}
		j.List("fields", len(kinds), func(i int) { j.field(kinds[i]) })
		if d.Queries {
			j.List("queries", len(r.Queries), func(q int) { j.query(r, q) })
		}
		j.Strs("skipped", r.Skipped)
		j.Strs("warnings", r.Doubts(say.Plain))
		if d.Queries {
			j.Str("data", packed.Carry(r))
		}
	})
	b.line()
}

func (j *jsonWriter) collection(r *report.Report) {
	j.Object("collection", func() {
		j.Str("name", r.Collection.Name)
		j.Int("queries", r.Stats.Queries)
		j.Int("judgments", r.Stats.Judgments)
		j.Str("judgments_digest", r.Stats.Digest)
		j.Int("relevant", r.Stats.Relevant)
		j.Int("queries_without_relevant", r.Stats.Barren)
		j.Object("grades", func() {
			for _, g := range r.Stats.Grades {
				j.Int(say.Plain.Grade(g.Grade), g.Count)
			}
		})
	})
}

func (j *jsonWriter) test(r *report.Report, t *report.Tests) {
	j.Str("name", t.Test.Name)
	j.Str("why", r.Words(t.Test.Why(say.Plain)))
	j.Strs("warnings", r.TestDoubts(t, say.Plain))
}

func (j *jsonWriter) run(r *report.Report, s int) {
	u := r.Coverage[s]
	j.Object("", func() {
		j.Str("name", r.Systems[s].Label)
		j.Str("letter", r.Letter(s))
		j.Str("tag", u.Tag)
		j.Int("queries", u.Queries)
		j.Int("missing", r.Systems[s].Missing)
		if fell := r.Fell(s); len(fell) > 0 {
			j.Int("fell_back", len(fell))
			j.Strs("fell_back_queries", fell)
		}
		j.Int("foreign", u.Foreign)
		j.Int("documents", u.Documents)
		j.Int("unjudged", u.Unjudged)
		j.Int("looked_at", u.Top)
		j.Int("tied", u.Tied)
		j.Object("measures", func() {
			for m := range r.Columns {
				j.Object(r.Measures[m], func() { j.figures(&r.Columns[m], s) })
			}
		})
	})
}

// figures are those of one system on one measure.
func (j *jsonWriter) figures(c *report.Column, s int) {
	j.Num("mean", c.Means[s])
	j.Num("low", c.Low[s])
	j.Num("high", c.High[s])
	if c.Low[s] != c.Low[s] {
		j.noInterval(c.NoInterval())
	}
	j.Str("groups", c.Groups[s])
	j.Num("geometric_mean", c.Geometric[s])
	j.Num("median", c.Median[s])
	j.Num("tie_low", c.TieLow[s])
	j.Num("tie_high", c.TieHigh[s])
	j.Num("residual_low", c.ResidualLow[s])
	j.Num("residual_high", c.ResidualHigh[s])
}

// noInterval says why there is no interval, nothing if there is one.
func (j *jsonWriter) noInterval(why string) {
	if why != "" {
		j.Str("no_interval", why)
	}
}

func (j *jsonWriter) measure(r *report.Report, m int) {
	j.Object("", func() {
		j.Str("measure", r.Measures[m])
		j.Str("applied", r.Columns[m].Applied)
		j.Bool("smaller_is_better", r.Columns[m].Lower)
		if n := len(r.On(m).Queries); n < len(r.Queries) {
			j.Int("queries", n)
		}
		var best []string
		for _, s := range r.Best(m) {
			best = append(best, r.Systems[s].Label)
		}
		j.Strs("best", best)
	})
}

// tests are the reasons of the tests on further measures, and the pairs of all.
func (j *jsonWriter) tests(r *report.Report, d Detail) {
	all := d.tests(r)
	if further := all[1:]; len(further) > 0 {
		j.List("further_tests", len(further), func(i int) {
			j.Object("", func() {
				j.Str("measure", r.Measures[further[i].Column])
				j.test(r, further[i])
			})
		})
	}
	j.Array("pairs", func() {
		for _, t := range all {
			for _, p := range t.Pairs {
				j.Object("", func() {
					j.Str("measure", r.Measures[t.Column])
					j.pair(r, p.A, p.B)
					j.Num("difference", p.Diff)
					j.Num("low", p.Low)
					j.Num("high", p.High)
					j.noInterval(r.NoInterval(t, &p))
					j.Num("p", p.P)
					j.Num("p_"+r.CorrectionKey(), p.Adjusted)
					j.Num("d_z", p.Effect)
					j.counts(p.Better, p.Worse, p.Equal)
				})
			}
		}
	})
}

// pair names two runs.
func (j *jsonWriter) pair(r *report.Report, a, b int) {
	j.Str("a", r.Systems[a].Label)
	j.Str("b", r.Systems[b].Label)
}

// ranks are those that the tests on the first measure leave every run.
func (j *jsonWriter) ranks(r *report.Report) {
	if len(r.Pairs) == 0 {
		return
	}
	found := r.Conclusion().Ranks()
	j.List("ranks", len(found), func(s int) {
		p := found[s]
		j.Object("", func() {
			j.Str("run", r.Systems[s].Label)
			j.Int("rank", p.Rank)
			j.Int("low", p.Best)
			j.Int("high", p.Worst)
		})
	})
}

// counts are the queries on which the second of a pair is better, worse and neither.
func (j *jsonWriter) counts(better, worse, equal int) {
	j.Int("better", better)
	j.Int("worse", worse)
	j.Int("equal", equal)
}

func (j *jsonWriter) field(f report.Field) {
	j.Object("", func() {
		j.Str("field", f.Name)
		j.List("groups", len(f.Groups), func(k int) {
			g := f.Groups[k]
			j.Object("", func() {
				j.Str("value", g.Value)
				j.Int("queries", g.Queries)
				j.List("means", len(g.Means), func(m int) { j.Nums("", g.Means[m]) })
			})
		})
	})
}

func (j *jsonWriter) query(r *report.Report, q int) {
	j.Object("", func() {
		j.Str("query", r.Queries[q].ID)
		j.Int("relevant", r.Queries[q].Relevant)
		j.Object("values", func() {
			for m, c := range r.Columns {
				j.List(r.Measures[m], len(r.Systems), func(s int) { j.Num("", c.Values[s][q]) })
			}
		})
	})
}
