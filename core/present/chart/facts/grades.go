package facts

import (
	"slices"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/present/chart"
)

// mostGrades is how many grades are told apart; of more, those of the lowest are one.
const mostGrades = 8

// Grades returns where the documents of every grade lie among the scores of the lists of every run, the unjudged first.
// Lists of which all scores are equal are left out; queries without judgments too.
func Grades(in *compare.Input) (out []chart.Graded) {
	if in.Qrels == nil {
		return nil
	}
	for s, named := range in.Runs {
		places := map[float64][]float64{}
		var ranked []float64
		for i, id := range named.Run.Queries() {
			if !in.Qrels.Has(id) {
				continue
			}
			var scores []float64
			ranked, scores = named.Run.Grades(i, in.Qrels, collection.DocIDDescending, ranked, nil)
			if len(scores) == 0 {
				continue
			}
			lo, hi := slices.Min(scores), slices.Max(scores)
			if !(hi > lo) {
				continue
			}
			for k, g := range ranked {
				places[g] = append(places[g], (scores[k]-lo)/(hi-lo))
			}
		}
		var found []float64
		for g := range places {
			found = append(found, g)
		}
		slices.Sort(found)
		low := 0 // of found, the lowest grade
		if len(found) > 0 && found[0] == collection.Unjudged {
			low = 1
		}
		for len(found) > low+mostGrades {
			places[found[low+1]] = append(places[found[low+1]], places[found[low]]...)
			found = slices.Delete(found, low, low+1)
		}
		for _, g := range found {
			v := places[g]
			slices.Sort(v)
			x := chart.Graded{System: s, Judged: g != collection.Unjudged, N: len(v), Low: report.Quantile(v, 0.05),
				Lower: report.Quantile(v, 0.25), Median: report.Quantile(v, 0.5), Upper: report.Quantile(v,
					0.75), High: report.Quantile(v, 0.95)}
			if x.Judged {
				x.Grade = g
			}
			out = append(out, x)
		}
	}
	return out
}
