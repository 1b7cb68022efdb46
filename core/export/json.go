package export

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/wire"
)

// Digest is the SHA-256 of what a later report is held against, 64 hex digits: decisions, runs, measures, the values of every query and the
// judgments they rest on. A report that was read from JSON has it too, so that an edited figure is noticed.
func Digest(r *report.Report) string {
	kept := report.Report{Measures: r.Measures}
	for _, d := range r.Decisions {
		kept.Decisions = append(kept.Decisions, report.Decision{Name: d.Name, Option: d.Option})
	}
	slices.SortFunc(kept.Decisions, func(a, b report.Decision) int { return strings.Compare(a.Name, b.Name) })
	for _, s := range r.Systems {
		kept.Systems = append(kept.Systems, report.System{Label: s.Label})
	}
	for _, q := range r.Queries {
		kept.Queries = append(kept.Queries, report.Query{ID: q.ID, Relevant: q.Relevant})
	}
	for m := range r.Columns {
		c := report.Column{Measure: r.Columns[m].Measure, Lower: r.Columns[m].Lower}
		for _, row := range r.Columns[m].Values {
			row = slices.Clone(row)
			for i, v := range row {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					row[i] = math.NaN() // null
				}
			}
			c.Values = append(c.Values, row)
		}
		kept.Columns = append(kept.Columns, c)
	}
	kept.Stats.Judgments, kept.Stats.Digest = r.Stats.Judgments, r.Stats.Digest
	return sha256.Hex(wire.Marshal(&kept))
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

func writeJSON(b *builder, r *report.Report, d Detail) {
	j := &jsonWriter{b: b}
	j.object("", func() {
		j.str("format", "rankbox-report")
		j.int("version", Version)
		j.str("hash", r.Hash)
		j.str("digest", Digest(r))
		j.str("finding", r.Sentence(say.Plain))
		j.str("note", r.Note(say.Plain))
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
		j.object("policies", func() {
			for _, s := range r.Decisions {
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
			u := r.Coverage[s]
			j.object("", func() {
				j.str("name", r.Systems[s].Label)
				j.str("letter", say.Letter(s))
				j.str("tag", u.Tag)
				j.int("queries", u.Queries)
				j.int("missing", r.Systems[s].Missing)
				j.int("foreign", u.Foreign)
				j.int("documents", u.Documents)
				j.int("unjudged", u.Unjudged)
				j.int("looked_at", u.Top)
				j.int("tied", u.Tied)
				j.object("measures", func() {
					for m, c := range r.Columns {
						j.object(r.Measures[m], func() {
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
						})
					}
				})
			})
		})
		j.list("measures", len(r.Measures), func(m int) {
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
		})
		if tested := d.tests(r)[1:]; len(tested) > 0 {
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
			report.Pair
		}
		var pairs []pair
		for _, t := range d.tests(r) {
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
				j.num("p_"+r.CorrectionKey(), p.Adjusted)
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
		j.strs("warnings", r.Doubts(say.Plain))
	})
	b.line()
}
