package chart

import (
	"cmp"
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/significance"
)

var ranks = Figure{
	Name: "ranks", Title: "Critical difference",
	Doc: "The mean rank of every run over the queries, 1 the best, equal values sharing their ranks; with ± half the " +
		"critical difference of Nemenyi's test at 5 %, " +
		"so two runs differ if their bars do not meet. Friedman's test beside it says whether ranks differ at all. A " +
		"thick line at the right joins runs without a significant difference. It uses only the order, not how large " +
		"differences are, and is the figure of Demšar 2006 (Journal of Machine Learning Research 7) turned on its " +
		"side, so that long names and twenty runs have room.",
	Needs: "two runs and two queries",
	draw:  drawRanks,
}

// alpha is the level of every test of the figures.
const alpha = 0.05

func drawRanks(in *Input) *Drawing {
	r, col := in.Report, in.column()
	k, n := len(r.Systems), len(r.Queries)
	if k < 2 || n < 2 {
		return nil
	}
	mean, ties := meanRanks(col.Values, n, in.lower(in.Column))
	cd := criticalDifference(k, n)
	order := descending(k, func(s int) float64 { return -mean[s] })
	d := &Drawing{Head: []string{"Run", "Mean rank", "Cannot be told apart from"},
		Data: [][]string{{"run", "measure", "mean rank", "critical difference"}}}
	lo, hi := 1.0, float64(k)
	for i, s := range order {
		y := float64(i)
		d.Y.Bands = append(d.Y.Bands, Band{r.Systems[s].Label, s})
		d.Layers = append(d.Layers, of(s, Rules,
			Mark{X: mean[s] - float64(cd/2), X2: mean[s] + float64(cd/2), Y: y, Y2: y}), of(s, Points,
			Mark{X: mean[s], Y: y}))
		lo, hi = min(lo, mean[s]-float64(cd/2)), max(hi, mean[s]+float64(cd/2))
		var same []string
		for _, t := range order {
			if t != s && math.Abs(mean[t]-mean[s]) < cd {
				same = append(same, r.Letter(t))
			}
		}
		apart := "any"
		if same == nil {
			apart = "none"
		} else if len(same) < k-1 {
			apart = say.And(same)
		}
		d.Rows = append(d.Rows, []string{in.named(s), in.Style.Number(mean[s], 3), apart})
		d.Data = append(d.Data, []string{r.Systems[s].Label, col.Measure, say.Exact(mean[s]), say.Exact(cd)})
	}
	// lines of groups, right of the ranks
	lane := (hi - lo) * 0.03
	joined := Layer{Kind: Thick, Role: Ink, Name: "cannot be told apart"}
	reach := -1
	for i, s := range order {
		j := i
		for j+1 < k && mean[order[j+1]]-mean[s] < cd {
			j++
		}
		if j > i && j > reach {
			x := hi + float64(lane*float64(1+len(joined.Marks)))
			joined.Marks = append(joined.Marks, Mark{X: x, X2: x, Y: float64(i) - 0.2, Y2: float64(j) + 0.2})
			reach = j
		}
	}
	d.Layers = append(d.Layers, joined)
	d.X = Axis{Low: lo, High: hi + float64(lane*float64(len(joined.Marks)+1)), From: 1, To: float64(k),
		Title: "mean rank by " + col.Measure + " over " + say.Count(n, "query", "queries") +
			", 1 the best; critical difference " + in.Style.Number(cd, 2) + " (Nemenyi, 5 %)"}
	first := order[0]
	d.Sentence = r.Letter(first) + " has the best mean rank by " + col.Measure + ", " + in.Style.Number(mean[first], 2)
	better := 0
	for _, s := range order[1:] {
		if mean[s]-mean[first] >= cd {
			better++
		}
	}
	switch {
	case better == k-1:
		d.Sentence += ", better than every other run"
	case better == 0:
		d.Sentence += ", but no other run is behind it by more than chance"
	default:
		d.Sentence += ", better than " + say.Count(better, "run", "runs") + " of " + say.Thousands(k-1)
	}
	d.Sentence += " (Nemenyi’s test at 5 %: ranks differ where they are " + in.Style.Number(cd, 2) +
		" or more apart; Friedman’s, that all runs are alike: " + in.Style.PIs(friedman(mean, n, ties)) + ")."
	return d
}

// meanRanks returns the mean rank of every system over the queries: 1 for the best value of a query, values that are
// equal but for rounding the mean of their ranks; and Σ t(t²-1) over the groups of t equal values.
func meanRanks(values [][]float64, n int, lower bool) (out []float64, ties float64) {
	k := len(values)
	out = make([]float64, k)
	order := make([]int, k)
	for q := range n {
		for s := range order {
			order[s] = s
		}
		slices.SortFunc(order, func(x, y int) int {
			u, v := values[x][q], values[y][q]
			if lower {
				u, v = -u, -v
			}
			return cmp.Compare(v, u) // what is no number last
		})
		for i := 0; i < k; {
			j := i
			for j+1 < k && significance.Difference(values[order[j]][q], values[order[j+1]][q]) == 0 {
				j++
			}
			for _, s := range order[i : j+1] {
				out[s] += float64(float64(i+j)/2) + 1
			}
			t := float64(j - i + 1)
			ties += float64(t * (float64(t*t) - 1))
			i = j + 1
		}
	}
	for s := range out {
		out[s] /= float64(n)
	}
	return out, ties
}

// friedman is the p value of Friedman's test that the systems have equal ranks, by the χ² approximation with correction
// for ties: 1 where all values are equal.
//
// Source: Friedman 1937; Conover 1999, Practical Nonparametric Statistics, section 5.8.
func friedman(mean []float64, n int, ties float64) float64 {
	k, of := float64(len(mean)), float64(n)
	sum := 0.0
	for _, r := range mean {
		sum += float64(r * r)
	}
	free := 1 - ties/(k*(float64(k*k)-1)*of)
	if !(free > 0) {
		return 1
	}
	chi := (float64(12*of/(k*(k+1))*sum) - float64(3*of*(k+1))) / free
	return significance.ChiSquareSF(max(chi, 0), k-1)
}

// criticalDifference is by how much the mean ranks of two of k systems over n queries must differ: q(α, k, ∞)/√2 ·
// √(k(k+1)/(6n)). Nemenyi 1963; Demšar 2006, section 3.2.2.
func criticalDifference(k, n int) float64 {
	q := significance.StudentizedRangeQuantile(1-alpha, k, math.Inf(1)) / math.Sqrt2
	return float64(q * math.Sqrt(float64(k*(k+1))/float64(6*n)))
}
