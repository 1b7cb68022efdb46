//go:build !first

package measure

import (
	"math"
	"slices"
	"strconv"
)

// opensearch-project/search-relevance, src/main/java/org/opensearch/searchrelevance/metrics/calculator: Evaluation.java
// and JudgmentThresholdCalculator.java at 0b75cf84b5b2f43367410d505b138937b0ca361a.
var conventionOpenSearch = Convention{
	Name: "OpenSearch", Version: "search-relevance 0b75cf8", plan: planOpenSearch, repeats: true,
	Doc: "The Search Relevance Workbench. Every query's value is rounded to two decimals. The gain is 2^rating " +
		"− 1. A document is relevant from a rating that the query's own judgments set: half of the highest, or " +
		"their 90th percentile if that is higher. Precision divides by the hits where those are fewer than k.",
}

// opensearch-project/search-relevance, Evaluation.java at d17ddf6, of the release 3.1.
var conventionOpenSearch31 = Convention{
	Name: "OpenSearch 3", Version: "search-relevance 3.1", plan: planOpenSearch31, repeats: true,
	Doc: "The Search Relevance Workbench as it began: every rating above 0 is relevant, every query's value is " +
		"rounded to two decimals, the gain is 2^rating − 1. A hit that is listed twice counts twice, so that " +
		"nDCG can exceed 1, as the 1.31 of opensearch-project/search-relevance issue 191 does (the thread does not " +
		"say why).",
}

func planOpenSearch31(m Measure) (recipe, bool) {
	r, ok := openSearch(m, "OpenSearch", func(*List) float64 { return 0 })
	return r, ok && m.info != &infoR && m.info != &infoRR && m.info != &infoDCG
}

func planOpenSearch(m Measure) (recipe, bool) {
	r, ok := openSearch(m, "OpenSearch", openSearchThreshold)
	return r, ok
}

// openSearchThreshold is the larger of half of the highest grade and the 90th percentile (nearest rank).
func openSearchThreshold(l *List) float64 {
	if len(l.Judged) == 0 {
		return 0
	}
	grades := slices.Clone(l.Judged)
	slices.Sort(grades)
	top := grades[len(grades)-1]
	index := (9*len(grades) + 9) / 10 // the ceiling of .9 n
	return max(0.5*top, grades[index-1])
}

func openSearch(m Measure, tool string, threshold func(*List) float64) (recipe, bool) {
	r := recipe{measure: m, ties: Stable, missing: missingNothing}
	at := "@" + strconv.Itoa(m.cut)
	relevant := func(l *List, g float64) bool { return g > 0 && g >= threshold(l) }
	walk := func(f func(found, rank int) float64, finish func(sum float64, found, n, all int) float64) func(Measure,
		*List, []int, *Topic) float64 {
		return func(m Measure, l *List, order []int, _ *Topic) float64 {
			n, found, sum := min(len(order), m.cut), 0, 0.0
			for rank, i := range order[:n] {
				if relevant(l, l.Grades[i]) {
					found++
					sum += f(found, rank+1)
				}
			}
			all := 0
			for _, g := range l.Judged {
				if relevant(l, g) {
					all++
				}
			}
			return twoDecimals(finish(sum, found, n, all))
		}
	}
	one := func(int, int) float64 { return 1 }
	r.why = tool + " rounds the value of each query to two decimals, and a document is relevant from a grade " +
		"of its own"
	switch m.info {
	case &infoNDCG:
		r.as = "NDCG" + at
		r.formula = func(m Measure, l *List, order []int, _ *Topic) float64 {
			return twoDecimals(ratio(gainedDCG(l, order, min(len(order), m.cut)), idealDCG(l, m.cut)))
		}
		r.why = tool + " has the gain 2^rating − 1 and rounds the value of each query to two decimals"
		return r, m.cut > 0 && !m.judged && m.table == nil
	case &infoDCG:
		r.as = "DCG" + at
		r.formula = func(m Measure, l *List, order []int, _ *Topic) float64 {
			return twoDecimals(gainedDCG(l, order, min(len(order), m.cut)))
		}
		r.why = tool + " has the gain 2^rating − 1 and rounds the value of each query to two decimals"
		return r, m.cut > 0 && !m.judged && m.table == nil
	case &infoP:
		r.as = "Precision" + at
		r.formula = walk(one, func(sum float64, _, n, _ int) float64 { return ratio(sum, float64(n)) })
	case &infoR:
		r.as = "Recall" + at
		r.formula = walk(one, func(sum float64, _, _, all int) float64 { return ratio(sum, float64(all)) })
	case &infoAP:
		r.as = "MAP" + at
		r.formula = walk(func(found, rank int) float64 { return float64(found) / float64(rank) },
			func(sum float64, _, _, all int) float64 { return ratio(sum, float64(all)) })
	case &infoRR:
		r.as = "MRR (size=" + strconv.Itoa(m.cut) + ")"
		r.formula = walk(func(found, rank int) float64 {
			if found > 1 {
				return 0
			}
			return 1 / float64(rank)
		}, func(sum float64, _, _, _ int) float64 { return sum })
	default:
		return r, false
	}
	return r, m.cut > 0 && m.isBinary()
}

// twoDecimals rounds halves up, as Java's Math.round does.
func twoDecimals(v float64) float64 { return math.Floor(float64(v*100)+0.5) / 100 }
