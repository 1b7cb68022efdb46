package matrix

import (
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Folds is into how many parts the queries are divided to choose a run, where the Spec does not say.
const Folds = 5

// mostFolds is into how many they may be divided.
const mostFolds = 50

// Tuning is what choosing the best of several runs by judged queries is worth: the figure that the choice was made by,
// and the one on queries that it was not made by. The choice is by cross-validation: the queries are shuffled by the
// seed and dealt out to folds; of each fold the run counts that is best on all the others.
//
// Source: Stone 1974, Cross-Validatory Choice and Assessment of Statistical Predictions; Cawley and Talbot 2010, On
// Over-fitting in Model Selection.
type Tuning struct {
	Best       int     // of the report's systems: the best on all queries
	Tuned      float64 // its mean, on the queries that chose it
	HeldOut    float64 // mean over all queries of the run that the other folds chose
	Optimism   float64 // how much better Tuned is than HeldOut, above 0 where choosing flatters
	Choices    []int   // a fold: the run that the others chose
	Baseline   float64 // mean of the baseline
	Gain       float64 // HeldOut less Baseline, or the other way round where less is better
	Low, High  float64 // 95 % interval of HeldOut - Baseline
	P          float64 // of the paired test of the held-out values against the baseline's
	WithinBest bool    // the baseline and Best are not significantly different: the report's pair is not below its level
}

// tune chooses among the systems of a report by its first measure. ok is false where there is nothing to choose: one
// system, or fewer than twice as many queries as folds. Equal means choose the earlier system.
func tune(r *report.Report, seed, folds int) (t Tuning, ok bool, err error) {
	n, k := len(r.Queries), len(r.Systems)
	if k < 2 || n < 2*folds {
		return t, false, nil
	}
	c := &r.Columns[0]
	fold := Deal(n, folds, seed)
	every := make([]int, k)
	for s := range every {
		every[s] = s
	}
	t.Best = r.Ranking()[0]
	t.Tuned, t.Baseline = c.Means[t.Best], c.Means[r.Baseline]
	held := make([]float64, n)
	for f := range folds {
		best := chosen(c, every, func(q int) bool { return fold[q] != f })
		t.Choices = append(t.Choices, best)
		for q := range held {
			if fold[q] == f {
				held[q] = c.Values[best][q]
			}
		}
	}
	t.HeldOut = measure.Mean(held)
	t.Optimism, t.Gain = t.Tuned-t.HeldOut, t.HeldOut-t.Baseline
	if c.Lower {
		t.Optimism, t.Gain = t.HeldOut-t.Tuned, t.Baseline-t.HeldOut // and not -0 where they are equal
	}
	o, err := report.Paired(c.Measure, c.Values[r.Baseline], held, nil)
	if err != nil {
		return t, false, err
	}
	t.Low, t.High, t.P = o.Low, o.High, o.P
	t.WithinBest = within(r, r.Baseline, t.Best)
	return t, true, nil
}

// within reports whether two systems are not significantly different by the tests of the report.
func within(r *report.Report, a, b int) bool {
	p, there := r.Pair(a, b)
	return a == b || there && !(p.Adjusted < report.Alpha)
}

// chosen is the best of some systems on the queries that count; of equal ones the earlier.
func chosen(c *report.Column, of []int, counts func(q int) bool) int {
	best, most := -1, 0.0
	for _, s := range of {
		m := meanOn(c, s, counts)
		if c.Lower {
			m = -m
		}
		if best < 0 || m > most {
			best, most = s, m
		}
	}
	return best
}

func meanOn(c *report.Column, s int, counts func(q int) bool) float64 {
	var kept []float64
	for q, v := range c.Values[s] {
		if counts(q) {
			kept = append(kept, v)
		}
	}
	return measure.Mean(kept)
}

// Family is the runs of one system of a Spec, whose values are tuned.
type Family struct {
	Runs       []int   // of the report's systems
	Best       int     // on all queries
	Tuned      float64 // its mean
	HeldOut    float64 // mean over all queries of what the other folds chose
	Optimism   float64 // above 0 where choosing flatters
	Default    int     // the run that sets the fewest values, -1 where several do
	WithinBest bool    // Default and Best are not significantly different
}

// Families is what tuning each of several systems is worth, and what choosing among the tuned ones is: of each fold the
// others choose the system, by folds among themselves, and then its values.
//
// Source: Varma and Simon 2006, Bias in error estimation when using cross-validation for model selection.
type Families struct {
	Families []Family
	HeldOut  float64 // mean over all queries of the systems that the others chose; NaN never
	Choices  []int   // a fold: the run
	Optimism float64 // the best of Tuned less HeldOut, turned so that above 0 flatters
}

// tuneFamilies tunes systems apart and together. Families of fewer than two are only chosen among; nil where none has
// two runs, or there are fewer than four times as many queries as folds.
func tuneFamilies(r *report.Report, families [][]int, seed, folds int) (*Families, error) {
	c := &r.Columns[0]
	n := len(r.Queries)
	tuned := false
	for _, f := range families {
		tuned = tuned || len(f) > 1
	}
	if !tuned || n < 4*folds {
		return nil, nil
	}
	fold := Deal(n, folds, seed)
	all := func(int) bool { return true }
	out := &Families{}
	flatters := func(a, b float64) float64 {
		if c.Lower {
			return b - a
		}
		return a - b
	}
	best := 0
	for i, runs := range families {
		f := Family{Runs: runs, Best: chosen(c, runs, all), Default: plainest(r, runs)}
		f.Tuned = c.Means[f.Best]
		f.HeldOut = heldOut(c, runs, fold, folds, all)
		f.Optimism = flatters(f.Tuned, f.HeldOut)
		f.WithinBest = f.Default >= 0 && within(r, f.Default, f.Best)
		out.Families = append(out.Families, f)
		if flatters(f.Tuned, out.Families[best].Tuned) > 0 {
			best = i
		}
	}
	values := make([]float64, n)
	for f := range folds {
		others := func(q int) bool { return fold[q] != f }
		inner := make([]int, n)
		for i, q := range shuffled(n, splitmix(seed+f+1)) {
			inner[q] = i % folds
		}
		take, most := 0, 0.0
		for i, runs := range families {
			v := heldOut(c, runs, inner, folds, others)
			if i == 0 || flatters(v, most) > 0 {
				take, most = i, v
			}
		}
		run := chosen(c, families[take], others)
		out.Choices = append(out.Choices, run)
		for q := range values {
			if fold[q] == f {
				values[q] = c.Values[run][q]
			}
		}
	}
	out.HeldOut = measure.Mean(values)
	out.Optimism = flatters(out.Families[best].Tuned, out.HeldOut)
	return out, nil
}

// heldOut is the mean, over the queries that count, of the run that those of the other folds chose.
func heldOut(c *report.Column, runs, fold []int, folds int, counts func(q int) bool) float64 {
	var values []float64
	for f := range folds {
		best := chosen(c, runs, func(q int) bool { return counts(q) && fold[q] != f })
		for q, v := range c.Values[best] {
			if counts(q) && fold[q] == f {
				values = append(values, v)
			}
		}
	}
	return measure.Mean(values)
}

// plainest is the run whose pipeline sets the fewest values, -1 where there are several or none can be read.
func plainest(r *report.Report, runs []int) int {
	best, least := -1, 0
	for _, s := range runs {
		n, err := stage.Parse(r.Systems[s].Pipeline())
		if err != nil {
			return -1
		}
		set := 0
		n.Walk(func(m *pipeline.Node) {
			for _, p := range m.Stage.Params {
				if m.IsSet(p.Name) {
					set++
				}
			}
		})
		switch {
		case best < 0 && least == 0 || set < least:
			best, least = s, set
		case set == least:
			best = -1
		}
	}
	return best
}

// Deal gives each of n queries a fold, all folds of nearly one size, by a shuffle.
func Deal(n, folds, seed int) []int {
	out := make([]int, n)
	for i, q := range shuffled(n, splitmix(seed)) {
		out[q] = i % folds
	}
	return out
}

// splitmix returns the numbers of splitmix64 (Steele, Lea and Flood 2014).
func splitmix(seed int) func() uint64 {
	state := uint64(seed)
	return func() uint64 {
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
}

// shuffled returns 0 to n-1 in a drawn order (Fisher and Yates).
func shuffled(n int, next func() uint64) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	for i := n - 1; i > 0; i-- {
		j := int(next() % uint64(i+1))
		order[i], order[j] = order[j], order[i]
	}
	return order
}
