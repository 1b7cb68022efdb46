//go:build !first && (!library || notebook)

package report

import (
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/measure"
)

// Difference is a figure or a text that is one in a stored document and another one when it is made again.
type Difference struct {
	What, Stored, Computed string
	// Inferred says that it is an interval, a letter or a test: another version may compute it in another way.
	Inferred bool
}

// Recompute returns the report that the values by query of r give under its decisions, with a new digest, and lists
// the figures of r that differ from it. Ties and residuals follow from rankings, not from values: they stay as they
// are. r is as it was read from a file. cancel may be nil. The error is ErrCancelled.
func (r *Report) Recompute(cancel func() bool) (*Report, []Difference, error) {
	again := *r
	again.Columns, again.Fields = slices.Clone(r.Columns), slices.Clone(r.Fields)
	for m := range again.Columns {
		c := &again.Columns[m]
		if c.Geometric, c.Median = nil, nil; len(r.Columns[m].Geometric) == 0 {
			continue
		}
		for _, v := range r.On(m).Columns[m].Values {
			c.Geometric, c.Median = append(c.Geometric, measure.GeometricMean(v)), append(c.Median, measure.Median(v))
		}
	}
	for i := range again.Fields {
		if of := fields[again.Fields[i].Name]; of != nil {
			again.Fields[i].Groups = again.By(func(q int) string { return of(&again.Queries[q]) })
		}
	}
	if err := again.Conclude(r.Protocol(), cancel); err != nil {
		return nil, nil, err
	}
	if r.Test.Many {
		again.SayMany()
	}
	return &again, r.Differences(&again), nil
}

// fields are the fields of queries that a report holds itself.
var fields = map[string]func(*Query) string{
	"type":       func(q *Query) string { return q.Type },
	"difficulty": func(q *Query) string { return q.Difficulty },
}

// Differences lists the figures of r that are others in again, a report of the same systems, queries and measures. It
// passes over what one of them may lack: intervals, letters, medians, ties and residuals.
func (r *Report) Differences(again *Report) []Difference {
	if d := r.shape(again); d != nil {
		return d
	}
	var out differences
	for m := range r.Columns {
		out.column(r, m, &r.Columns[m], &again.Columns[m])
	}
	if len(r.Measures) > 0 {
		out.pairs(r, r.Measures[0], r.Pairs, again.Pairs)
	}
	return out
}

// shape lists how two reports differ in what they are about, so that no figure has a counterpart.
func (r *Report) shape(again *Report) (out differences) {
	out.say("systems", strconv.Itoa(len(r.Systems)), strconv.Itoa(len(again.Systems)))
	out.say("queries", strconv.Itoa(len(r.Queries)), strconv.Itoa(len(again.Queries)))
	out.say("measures", strconv.Itoa(len(r.Columns)), strconv.Itoa(len(again.Columns)))
	if out != nil {
		return out
	}
	for i := range r.Queries {
		out.say("id of query "+strconv.Itoa(i+1), r.Queries[i].ID, again.Queries[i].ID)
		out.say("relevant documents of query "+r.Queries[i].ID, strconv.Itoa(r.Queries[i].Relevant),
			strconv.Itoa(again.Queries[i].Relevant))
	}
	for i := range r.Measures {
		out.say("measure "+strconv.Itoa(i+1), r.Measures[i], again.Measures[i])
	}
	return out
}

// differences are gathered here.
type differences []Difference

// say adds two texts that are not the same.
func (d *differences) say(what, stored, computed string) {
	if stored != computed {
		*d = append(*d, Difference{What: what, Stored: stored, Computed: computed})
	}
}

// inferred marks what was added since there were n as Inferred.
func (d *differences) inferred(n int) {
	for i := range (*d)[n:] {
		(*d)[n+i].Inferred = true
	}
}

// number adds two numbers whose bits are not the same. No number equals no number.
func (d *differences) number(what string, stored, computed float64) {
	if stored != computed && (stored == stored || computed == computed) {
		d.say(what, shortest(stored), shortest(computed))
	}
}

func shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// column adds what differs in a column.
func (d *differences) column(r *Report, m int, a, b *Column) {
	for s := range r.Systems {
		of := r.Measures[m] + " of " + r.Systems[s].Label
		for q := range r.Queries {
			d.number(of+" for query "+r.Queries[q].ID, a.Values[s][q], b.Values[s][q])
		}
		d.number("mean of "+of, a.Means[s], b.Means[s])
		said := len(*d)
		d.number("lower end of the interval of "+of, a.Low[s], b.Low[s])
		d.number("upper end of the interval of "+of, a.High[s], b.High[s])
		if s < len(a.Groups) && s < len(b.Groups) {
			d.say("letters of "+of, a.Groups[s], b.Groups[s])
		}
		d.inferred(said)
		for _, x := range []struct {
			what string
			a, b []float64
		}{
			{"geometric mean of ", a.Geometric, b.Geometric}, {"median of ", a.Median, b.Median},
			{"lowest mean of ties of ", a.TieLow, b.TieLow}, {"highest mean of ties of ", a.TieHigh, b.TieHigh},
			{"least mean once judged of ", a.ResidualLow, b.ResidualLow},
			{"most mean once judged of ", a.ResidualHigh, b.ResidualHigh},
		} {
			if s < len(x.a) && s < len(x.b) {
				d.number(x.what+of, x.a[s], x.b[s])
			}
		}
	}
}

// pairs adds what differs in the tests on a measure.
func (d *differences) pairs(r *Report, measure string, a, b []Pair) {
	of := " on " + measure
	defer d.inferred(len(*d))
	d.say("pairs tested"+of, strconv.Itoa(len(a)), strconv.Itoa(len(b)))
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		name := r.Systems[x.B].Label + " against " + r.Systems[x.A].Label + of
		d.say("pair "+strconv.Itoa(i+1)+of, name, r.Systems[y.B].Label+" against "+r.Systems[y.A].Label+of)
		d.number("difference of "+name, x.Diff, y.Diff)
		d.number("lower end of the difference of "+name, x.Low, y.Low)
		d.number("upper end of the difference of "+name, x.High, y.High)
		d.number("p of "+name, x.P, y.P)
		d.number("corrected p of "+name, x.Adjusted, y.Adjusted)
		d.number("d_z of "+name, x.Effect, y.Effect)
		counts := func(p Pair) string {
			return strconv.Itoa(p.Better) + ", " + strconv.Itoa(p.Worse) + ", " + strconv.Itoa(p.Equal)
		}
		d.say("queries better, worse and equal of "+name, counts(x), counts(y))
	}
}

// TestDifferences lists what differs between tests on further measures that were stored and those that the report makes
// again. cancel may be nil. The error is that of TestOn.
func (r *Report) TestDifferences(stored []*Tests, cancel func() bool) ([]Difference, error) {
	var out differences
	for _, t := range stored {
		again, err := r.TestOn(t.Column, cancel)
		if err != nil {
			return nil, err
		}
		out.pairs(r, r.Measures[t.Column], t.Pairs, again.Pairs)
	}
	return out, nil
}
