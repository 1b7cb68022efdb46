package golden

import (
	"math"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
)

// Sweep says what a lowest score of answers would do: how many queries without an answer would still get one, and how
// many queries with an answer would still find it.
type Sweep struct {
	Without int // queries without an answer, whose results have scores
	With    int // queries that expect documents, the same
	Rows    []Threshold
	// Guaranteed is the lowest of the scores that keep a promise: a new query without an answer, of the kind of those
	// in the set, gets one with probability Risk at most. Score is NaN if there are too few queries for any promise.
	Guaranteed Threshold
	Risk       float64
}

// Threshold is one row: results count from Score on.
type Threshold struct {
	Score          float64
	FalsePositives int // queries without an answer that have a result from Score on
	Found          int // queries with an answer that have an expected document from Score on among the first results
}

// Recall is the share of queries with an answer that still find it.
func (w *Sweep) Recall(t Threshold) float64 { return float64(t.Found) / float64(max(w.With, 1)) }

// The risks that a promise is made for, the smallest that the queries allow first.
var risks = []float64{0.05, 0.1, 0.2, 0.3}

// shownThresholds is how many rows a sweep has at most.
const shownThresholds = 12

// Sweep holds every lowest score of answers against the results: nil unless some query has no answer and results have
// scores. The promise is a split conformal one: with n queries without an answer, whose best scores are sorted, the
// ⌈(n + 1)(1 - risk)⌉th is exceeded by that of a new one with probability risk at most, if all n + 1 are exchangeable.
//
// Source: Vovk, Gammerman and Shafer 2005, Algorithmic Learning in a Random World; Angelopoulos and Bates 2023,
// Conformal Prediction: A Gentle Introduction.
func (s *Set) Sweep(f *Found) *Sweep {
	w := &Sweep{Guaranteed: Threshold{Score: math.NaN()}, Risk: math.NaN()}
	var without, with []float64 // the score from which on a query has no answer any more; -Inf if it has none at all
	for i := range s.Queries {
		q := &s.Queries[i]
		a := f.Answers[q.ID]
		best, scored := math.Inf(-1), true
		for k, r := range a.Results {
			scored = scored && r.Score == r.Score
			if q.Nothing || k < s.within(q) && slices.ContainsFunc(q.relevant(), func(g Grade) bool { return g.Doc == r.Doc }) {
				best = max(best, r.Score)
			}
		}
		switch {
		case !scored:
		case q.Nothing:
			without = append(without, best)
		case q.Judged():
			with = append(with, best)
		}
	}
	w.Without, w.With = len(without), len(with)
	if w.Without == 0 {
		return nil
	}
	slices.Sort(without)
	slices.Sort(with)
	scores := slices.DeleteFunc(slices.Concat(without, with), func(v float64) bool { return math.IsInf(v, -1) })
	slices.Sort(scores)
	scores = slices.Compact(scores)
	if len(scores) == 0 {
		return nil
	}
	for i := range scores {
		if n := len(scores); n > shownThresholds && i*(shownThresholds-1)/(n-1) == (i-1)*(shownThresholds-1)/(n-1) && i > 0 {
			continue
		}
		w.Rows = append(w.Rows, rowOf(scores[i], without, with))
	}
	for _, risk := range risks {
		k := int(math.Ceil(float64(float64(len(without)+1)*(1-risk)) - 1e-9))
		if k > len(without) {
			continue
		}
		// what is above the kth score: the middle to the next one, so that the threshold can be written with few digits
		v := without[k-1]
		next, _ := slices.BinarySearch(scores, math.Nextafter(v, math.Inf(1)))
		switch {
		case next < len(scores) && !math.IsInf(v, -1):
			v += float64((scores[next] - v) / 2)
		case next < len(scores):
			v = scores[next]
		default:
			v = math.Nextafter(v, math.Inf(1))
		}
		w.Guaranteed, w.Risk = rowOf(v, without, with), risk
		break
	}
	return w
}

// rowOf is the row of a score, by what queries have without it, sorted.
func rowOf(score float64, without, with []float64) Threshold {
	count := func(list []float64) int {
		i, _ := slices.BinarySearch(list, score)
		return len(list) - i
	}
	return Threshold{score, count(without), count(with)}
}

// Lines are the sweep as text.
func (w *Sweep) Lines() (out []string) {
	out = append(out, "score_threshold: queries without an answer that get one, and queries with an answer that find it")
	for _, t := range w.Rows {
		out = append(out, "  "+say.Plain.Short(t.Score)+"  "+strconv.Itoa(t.FalsePositives)+" of "+strconv.Itoa(w.Without)+
			"  "+strconv.Itoa(t.Found)+" of "+strconv.Itoa(w.With))
	}
	return append(out, w.Promise())
}

// Promise says which threshold keeps a promise, or how many queries it would need.
func (w *Sweep) Promise() string {
	if w.Guaranteed.Score != w.Guaranteed.Score {
		return "No threshold with a guarantee: " + say.Count(w.Without, "query", "queries") + " without an answer are too " +
			"few. 3 allow one for 3 of 10 new ones, 9 for 1 of 10, 19 for 1 of 20."
	}
	t := w.Guaranteed
	s := "Guarantee: with score_threshold " + say.Exact(t.Score) + " at most " + say.Plain.Percent(w.Risk, 0) +
		" of new queries without an answer get one, if they are like these " + strconv.Itoa(w.Without) +
		" (split conformal)."
	if w.With > 0 {
		s += " Then " + strconv.Itoa(t.Found) + " of " + say.Count(w.With, "query", "queries") + " with an answer find it."
	}
	return s
}
