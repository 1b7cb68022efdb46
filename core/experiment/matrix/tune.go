package matrix

import (
	"github.com/rankbox/rankbox/core/report"
)

// Folds is into how many parts the queries are divided to choose a run.
const Folds = 5

// Tuning is what choosing the best of several runs by judged queries is worth: the figure that the choice was made by, and the one on queries that
// it was not made by. The choice is by cross-validation: the queries are shuffled by the seed and dealt out to folds; of each fold the run
// counts that is best on all the others.
//
// Source: Stone 1974, Cross-Validatory Choice and Assessment of Statistical Predictions; Cawley and Talbot 2010, On Over-fitting in Model
// Selection.
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
	WithinBest bool    // the baseline and Best cannot be told apart: the report's pair is not below its level
}

// Tune chooses among the systems of a report by its first measure. ok is false where there is nothing to choose: one system, or fewer than
// twice as many queries as folds. Equal means choose the earlier system.
func Tune(r *report.Report, seed int) (t Tuning, ok bool, err error) {
	n, k := len(r.Queries), len(r.Systems)
	if k < 2 || n < 2*Folds {
		return t, false, nil
	}
	c := &r.Columns[0]
	fold := Deal(n, Folds, seed)
	t.Best = c.Ranking()[0]
	t.Tuned, t.Baseline = c.Means[t.Best], c.Means[r.Baseline]
	held := make([]float64, n)
	for f := range Folds {
		best, most := -1, 0.0
		for s := range k {
			var kept []float64
			for q, v := range c.Values[s] {
				if fold[q] != f {
					kept = append(kept, v)
				}
			}
			m := report.Mean(kept)
			if c.Lower {
				m = -m
			}
			if best < 0 || m > most {
				best, most = s, m
			}
		}
		t.Choices = append(t.Choices, best)
		for q := range held {
			if fold[q] == f {
				held[q] = c.Values[best][q]
			}
		}
	}
	t.HeldOut = report.Mean(held)
	t.Optimism, t.Gain = t.Tuned-t.HeldOut, t.HeldOut-t.Baseline
	if c.Lower {
		t.Optimism, t.Gain = -t.Optimism, -t.Gain
	}
	o, err := report.Paired(c.Values[r.Baseline], held, nil)
	if err != nil {
		return t, false, err
	}
	t.Low, t.High, t.P = o.Low, o.High, o.P
	p, there := r.Pair(r.Baseline, t.Best)
	t.WithinBest = t.Best == r.Baseline || there && !(p.Adjusted < report.Alpha)
	return t, true, nil
}

// Deal gives each of n queries a fold, all folds of nearly one size, by a shuffle (Fisher and Yates) with numbers of splitmix64 (Steele, Lea and
// Flood 2014).
func Deal(n, folds, seed int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	state := uint64(seed)
	next := func() uint64 {
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	for i := n - 1; i > 0; i-- {
		j := int(next() % uint64(i+1))
		order[i], order[j] = order[j], order[i]
	}
	out := make([]int, n)
	for i, q := range order {
		out[q] = i % folds
	}
	return out
}
