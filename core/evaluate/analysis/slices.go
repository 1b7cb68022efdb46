package analysis

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// Facet is something by which queries are told apart: a field of theirs, or a number that is cut into ranges.
type Facet struct {
	Name   string
	Values []string // a query of the report, "" where nothing is known; in ranges where it is a number
	Order  []string // of the values; nil for that in which they come
}

// Bins makes a facet of numbers: ends are the upper ends of its ranges but the last one, which is open. NaN is not
// known.
func Bins(name string, values []float64, ends ...float64) Facet {
	f := Facet{Name: name}
	low := ""
	for _, e := range ends {
		text := say.Plain.Short(e)
		if low != "" && low != text {
			text = low + " to " + text
		} else if low == "" {
			text = "up to " + text
		}
		f.Order = append(f.Order, text)
		low = say.Plain.Short(e + 1)
	}
	f.Order = append(f.Order, "from "+low)
	for _, v := range values {
		at := 0
		for at < len(ends) && v > ends[at] {
			at++
		}
		if v != v {
			f.Values = append(f.Values, "")
		} else {
			f.Values = append(f.Values, f.Order[at])
		}
	}
	return f
}

// Thirds makes a facet of numbers whose ranges have about as many queries each.
func Thirds(name string, values []float64) Facet {
	known := slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return v != v })
	slices.Sort(known)
	var ends []float64
	for k := 1; k < 3 && len(known) > 0; k++ {
		if e := known[k*(len(known)-1)/3]; e < known[len(known)-1] && !slices.Contains(ends, e) {
			ends = append(ends, e)
		}
	}
	if ends == nil {
		return Facet{Name: name, Values: make([]string, len(values))}
	}
	return Bins(name, values, ends...)
}

// Few is of how many queries a slice is small: its interval is wide and its test finds little.
const Few = 10

// FacetsOf are those that the queries of a report have by themselves: type, difficulty, domain, words, relevant
// documents.
func FacetsOf(r *report.Report, queries []collection.Query) []Facet {
	domain := map[string]string{}
	for _, q := range queries {
		domain[q.ID] = q.Domain
	}
	fields := []Facet{{Name: "type"}, {Name: "difficulty"}, {Name: "domain"}}
	var length, relevant []float64
	for i := range r.Queries {
		q := &r.Queries[i]
		fields[0].Values = append(fields[0].Values, q.Type)
		fields[1].Values = append(fields[1].Values, q.Difficulty)
		fields[2].Values = append(fields[2].Values, domain[q.ID])
		n := float64(len(strings.Fields(q.Text)))
		if n == 0 {
			n = math.NaN()
		}
		length = append(length, n)
		relevant = append(relevant, float64(q.Relevant))
	}
	return append(fields, Bins("words", length, 3, 6, 12), Bins("relevant documents", relevant, 1, 5, 20))
}

// groups are the queries of every value of a facet, where there are at least two values.
func (f *Facet) groups(r *report.Report) (values []string, of [][]int) {
	at := map[string]int{}
	if f.Order != nil {
		for i, v := range f.Order {
			at[v] = i
		}
		values, of = slices.Clone(f.Order), make([][]int, len(f.Order))
	}
	for q, v := range f.Values {
		if v == "" || q >= len(r.Queries) {
			continue
		}
		i, ok := at[v]
		if !ok {
			i = len(values)
			at[v] = i
			values, of = append(values, v), append(of, nil)
		}
		of[i] = append(of[i], q)
	}
	for i := len(of) - 1; i >= 0; i-- {
		if len(of[i]) == 0 {
			values, of = slices.Delete(values, i, i+1), slices.Delete(of, i, i+1)
		}
	}
	if len(values) < 2 || len(values) > mostSlices {
		return nil, nil
	}
	return values, of
}

const (
	mostSlices = 24 // values of a facet: with more it tells queries apart, not kinds of them
	mostOthers = 4  // systems that are all held against the baseline; of more the best
)

// Sliced is one system against the baseline on the queries of one slice.
type Sliced struct {
	Facet, Value string
	Queries      int
	System       int
	Baseline     float64 // means
	Mean         float64
	Diff         float64
	// 95 % interval of Diff, after the same correction: without 0 exactly if P is below report.Alpha; NaN where there
	// is none
	Low, High float64
	P         float64 // after Holm over all slices and systems; NaN where one query says nothing
}

// Slices compares systems with the baseline on the queries of every value of every facet, by the first measure.
func Slices(r *report.Report, facets []Facet, cancel func() bool) ([]Sliced, error) {
	c := &r.Columns[0]
	var others []int
	for _, s := range r.Ranking() {
		if s != r.Baseline {
			others = append(others, s)
		}
	}
	if len(others) > mostOthers {
		others = others[:1]
	}
	slices.Sort(others)
	var out []Sliced
	var ps []float64
	var outcomes []report.Outcome
	for i := range facets {
		values, of := facets[i].groups(r)
		for v, queries := range of {
			for _, s := range others {
				a, b := pick(c.Values[r.Baseline], queries), pick(c.Values[s], queries)
				x := Sliced{Facet: facets[i].Name, Value: values[v], Queries: len(queries), System: s,
					Baseline: measure.Mean(a), Mean: measure.Mean(b), P: math.NaN(), Low: math.NaN(), High: math.NaN()}
				x.Diff = x.Mean - x.Baseline
				var o report.Outcome
				if len(queries) > 1 {
					var err error
					if o, err = report.Paired(r.Measures[0], a, b, cancel); err != nil {
						return nil, err
					}
					x.P = o.P
				}
				ps, out = append(ps, x.P), append(out, x)
				outcomes = append(outcomes, o)
			}
		}
	}
	family := 0
	for _, p := range ps {
		if p == p {
			family++
		}
	}
	for i, p := range report.Holm(ps) {
		x, o := &out[i], &outcomes[i]
		if x.P = p; x.Queries > 1 {
			if err := o.Correct(p, family, cancel); err != nil {
				return nil, err
			}
			x.Low, x.High = o.Low, o.High
		}
	}
	return out, nil
}

func pick(values []float64, at []int) []float64 {
	out := make([]float64, len(at))
	for i, q := range at {
		out[i] = values[q]
	}
	return out
}

var slicing = analysis{"slices", Slice, "Kinds of queries", func(s *Subject, out *Section) error {
	r := s.Report
	if len(r.Systems) < 2 {
		out.Sentence = "One run has no other to compare with by kind of query."
		return nil
	}
	var queries []collection.Query
	if s.Opened != nil {
		queries = s.Opened.Input().Queries
	}
	rows, err := Slices(r, slices.Concat(FacetsOf(r, queries), s.Facets), s.Cancel)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		out.Sentence = "The queries have no field with two values, no texts of different lengths, and no different " +
			"numbers of relevant documents."
		return nil
	}
	c := &r.Columns[0]
	sure, small, tested := []string{}, 0, 0
	var t *Table
	for i, x := range rows { // those of a facet stand together
		if i == 0 || x.Facet != rows[i-1].Facet {
			out.Tables = append(out.Tables,
				Table{Caption: "By " + x.Facet + ": " + c.Measure,
					Columns: []string{"Queries of", "n", "Run", "Baseline", "Mean", "Change", "From", "To", "p (Holm)",
						"Says"}})
			t = &out.Tables[len(out.Tables)-1]
		}
		says := ""
		if x.P == x.P {
			tested++
		}
		switch {
		case x.P < report.Alpha:
			says = "better"
			if better(c, x.Diff) < 0 {
				says = "worse"
			}
			sure = append(sure, label(r, x.System)+" is "+says+" on "+x.Facet+" "+x.Value+" ("+s.Style.Signed(x.Diff,
				3)+", "+say.Count(x.Queries, "query", "queries")+")")
		case x.Queries < Few:
			says = "few queries"
		}
		if x.Queries < Few {
			small++
		}
		t.Rows = append(t.Rows, []Cell{Words(x.Value), Whole(x.Queries), Words(label(r, x.System)),
			Number(x.Baseline, 4), Number(x.Mean, 4), Signed(x.Diff, 4), Signed(x.Low, 4), Signed(x.High, 4),
			Chance(x.P), Words(says)})
	}
	base := label(r, r.Baseline)
	switch {
	case len(sure) == 0:
		out.Sentence = "On no kind of query is a run better or worse than " + base +
			" by more than chance, after correction over " + say.Count(tested, "test", "tests") + "."
	case len(sure) > 3:
		out.Sentence = "Against " + base + ": " + strings.Join(sure[:3], "; ") + "; and " + strconv.Itoa(len(sure)-3) +
			" more."
	default:
		out.Sentence = "Against " + base + ": " + say.And(sure) + "."
	}
	out.Notes = append(out.Notes, "p is Holm's over the "+say.Count(tested, "test", "tests")+
		" of slices and runs. The 95 % intervals of the change in "+c.Measure+
		" agree with it: one without 0 has a p below 0.05. All together hold the true changes in at least 90 of 100 "+
		"samples.")
	if small > 0 {
		out.Notes = append(out.Notes, say.Count(small, "row rests", "rows rest")+" on fewer than "+strconv.Itoa(Few)+
			" queries: a missing effect there says little.")
	}
	if len(r.Systems) > mostOthers+1 {
		out.Notes = append(out.Notes, "Of "+strconv.Itoa(len(r.Systems))+" runs only the best, "+
			label(r, rows[0].System)+", is compared with the baseline, and choosing it flatters it.")
	}
	return nil
}}
