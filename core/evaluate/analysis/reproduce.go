package analysis

import (
	"math"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// Reproduced is how near a run comes to one that was stored. RMSE, nRMSE, ER and DRI are those of Breuer et al. 2020,
// How to Measure the Reproducibility of System-oriented IR Experiments, SIGIR, as repro_eval 0.5.0 has them. For the
// order of documents it has τ of the union, which one inserted document can bring below 0, and RBO cut off at 1,000,
// which short lists that are the same do not bring to 1; here they are told in three figures that both have 1 for the
// same rankings.
type Reproduced struct {
	Name    string
	Queries int     // that both have
	Same    bool    // every ranking is the same
	Common  float64 // mean over the queries of the documents in common, as a share of those of the longer ranking
	// mean of Kendall's τ of the documents in common, over the queries with at least two; NaN where none has
	Tau   float64
	RBO   float64 // mean over the queries of rank-biased overlap, p = 0.9, extrapolated as significance.RBO does
	RMSE  float64 // of the values of the queries
	NRMSE float64 // that over the largest that it could be
	// effect ratio: how much of the stored improvement over the baseline there is, 1 for all of it; NaN of the baseline
	// itself
	ER  float64
	DRI float64 // stored relative improvement less this one, 0 for the same; NaN of the baseline itself
	P   float64 // of the paired t test of the values, two-sided; 1 where they are the same
	Old float64 // means
	New float64
}

// depthReproduced is how many documents of a ranking are held against each other.
const depthReproduced = 1000

// Reproduce holds runs against stored ones of the same names, by the first measure of the new report. Only queries of
// both count. It is one row, figure after figure, for every run.
func Reproduce(old, new *compare.Comparison, oldReport, newReport *report.Report) ([]Reproduced, error) {
	m := newReport.Measures[0]
	at := slices.Index(oldReport.Measures, m)
	if at < 0 {
		return nil, say.Faultf("analysis", "reproduce: the stored report has no measure %s", m)
	}
	place := map[string]int{}
	for q := range oldReport.Queries {
		place[oldReport.Queries[q].ID] = q
	}
	var here, there []int
	for q := range newReport.Queries {
		if p, ok := place[newReport.Queries[q].ID]; ok {
			here, there = append(here, q), append(there, p)
		}
	}
	values := func(r *report.Report, column, system int, queries []int) []float64 {
		return pick(r.Columns[column].Values[system], queries)
	}
	oldName := map[string]int{}
	for i, s := range oldReport.Systems {
		oldName[s.Label] = i
	}
	baseOld, hasBase := oldName[newReport.Systems[newReport.Baseline].Label]
	var out []Reproduced
	var which [][2]int
	if len(here) == 0 {
		return nil, say.Faultf("analysis", "reproduce: the reports have no judged query in common")
	}
	for i, s := range newReport.Systems {
		o, ok := oldName[s.Label]
		if !ok && len(oldReport.Systems) == 1 && len(newReport.Systems) == 1 {
			o, ok = 0, true
		}
		if !ok {
			continue
		}
		a, b := values(oldReport, at, o, there), values(newReport, 0, i, here)
		x := Reproduced{Name: s.Label, Queries: len(here), Old: measure.Mean(a), New: measure.Mean(b), Same: true,
			Tau: math.NaN(), ER: math.NaN(), DRI: math.NaN(), P: 1}
		x.RMSE, x.NRMSE = rmse(a, b)
		d, err := significance.Differences(a, b)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(d, func(v float64) bool { return v != 0 }) {
			t, err := significance.PairedT(d, significance.Options{})
			if err != nil {
				return nil, err
			}
			x.P = t.P
		}
		if hasBase && i != newReport.Baseline {
			bo, bn := measure.Mean(values(oldReport, at, baseOld, there)),
				measure.Mean(values(newReport, 0, newReport.Baseline, here))
			x.ER = (x.New - bn) / (x.Old - bo)
			x.DRI = (x.Old-bo)/bo - (x.New-bn)/bn
		}
		out, which = append(out, x), append(which, [2]int{o, i})
	}
	if len(out) == 0 {
		return nil, say.Faultf("analysis", "reproduce: no stored run has the name of one of these")
	}
	taus := make([]int, len(out)) // queries that have one
	for k := range here {
		id := newReport.Queries[here[k]].ID
		a, err := old.Sides(id, depthReproduced)
		if err != nil {
			return nil, err
		}
		b, err := new.Sides(id, depthReproduced)
		if err != nil {
			return nil, err
		}
		for i, w := range which {
			o, err := orderOf(ids(a[w[0]]), ids(b[w[1]]))
			if err != nil {
				return nil, err
			}
			x := &out[i]
			x.Same = x.Same && o.same
			x.Common += o.common
			x.RBO += o.rbo
			if o.tau == o.tau {
				if taus[i]++; taus[i] == 1 {
					x.Tau = 0
				}
				x.Tau += o.tau
			}
		}
	}
	for i := range out {
		x := &out[i]
		x.Common, x.RBO = x.Common/float64(len(here)), x.RBO/float64(len(here))
		x.Tau /= float64(max(taus[i], 1))
	}
	return out, nil
}

func ids(s compare.Side) (out []string) {
	for _, d := range s.Docs {
		out = append(out, d.ID)
	}
	return out
}

// order is how near the order of a ranking comes to that of another.
type order struct {
	same             bool
	common, tau, rbo float64
}

// orderOf holds two rankings against each other. Two that are empty are the same; one that is empty has nothing in
// common with another.
func orderOf(x, y []string) (order, error) {
	o := order{same: slices.Equal(x, y), tau: math.NaN()}
	if len(x) == 0 && len(y) == 0 {
		o.common, o.rbo = 1, 1
		return o, nil
	}
	place := map[string]int{}
	for i, d := range x {
		place[d] = i
	}
	var a, b []float64
	for i, d := range y {
		if p, ok := place[d]; ok {
			a, b = append(a, float64(p)), append(b, float64(i))
		}
	}
	o.common = float64(len(a)) / float64(max(len(x), len(y)))
	if len(a) > 1 {
		k, err := significance.KendallTau(a, b)
		if err != nil {
			return o, err
		}
		o.tau = k.B
	}
	rbo, err := significance.RBO(x, y, significance.Persistence)
	if err != nil {
		return o, err
	}
	if o.rbo = rbo.Ext; o.rbo != o.rbo { // one is empty
		o.rbo = 0
	}
	return o, nil
}

// rmse is the root of the mean square difference, and that over the largest that it could be of values from 0 to 1.
func rmse(a, b []float64) (value, normal float64) {
	s, most := 0.0, 0.0
	for i, v := range a {
		s += float64((v - b[i]) * (v - b[i]))
		m := max(v, 1-v)
		most += float64(m * m)
	}
	n := float64(len(a))
	return math.Sqrt(s / n), math.Sqrt(s/n) / math.Sqrt(most/n)
}

// Reproduction is Reproduce as a section.
func Reproduction(old, new *compare.Comparison, oldReport, newReport *report.Report) (Section, error) {
	out := Section{Name: "reproduction", Part: Luck, Title: "Reproduction"}
	found, err := Reproduce(old, new, oldReport, newReport)
	if err != nil {
		return out, err
	}
	m := newReport.Measures[0]
	t := Table{Caption: m + " of " + say.Count(found[0].Queries, "query", "queries") + ": stored and now",
		Columns: []string{"Run", "Stored", "Now", "Documents in common", "Kendall's τ", "RBO", "RMSE", "nRMSE",
			"Effect ratio", "Δ relative improvement", "p"}}
	same, worst := 0, found[0]
	for _, x := range found {
		if x.RMSE == 0 && x.Same {
			same++
		}
		if x.RMSE > worst.RMSE {
			worst = x
		}
		t.Rows = append(t.Rows, []Cell{Words(say.Brief(x.Name, 60)), Number(x.Old, 4), Number(x.New, 4),
			Share(x.Common), Number(x.Tau, 4), Number(x.RBO, 4), Number(x.RMSE, 4), Number(x.NRMSE, 4), Number(x.ER, 4),
			Signed(x.DRI, 4), Chance(x.P)})
	}
	if same == len(found) {
		out.Sentence = "Every stored run is reproduced to the document: the same rankings and the same values."
	} else {
		out.Sentence = strconv.Itoa(same) + " of " + say.Count(len(found), "run", "runs") + " " + say.Verb(same, "is",
			"are") + " the same; the farthest off is " + say.Brief(worst.Name, 60) + ", RMSE " +
			say.Plain.Number(worst.RMSE, 4) + " by " + m + " (" + say.Plain.Number(worst.Old, 4) + " stored, " +
			say.Plain.Number(worst.New, 4) + " now)."
	}
	out.Tables = []Table{t}
	out.Notes = []string{"Rankings to 1,000 documents: Kendall's τ is that of the documents in common, RBO has p 0.9 " +
		"and is extrapolated, and the same rankings have 1 by both. RMSE and the effects are those of Breuer et al. " +
		"2020, as repro_eval 0.5.0 has them. An effect ratio of 1 and a Δ of 0 are those of a perfect reproduction; " +
		"p is that of the paired t test, and says how surely the values differ."}
	if len(found) < len(newReport.Systems) {
		out.Notes = append(out.Notes, say.Count(len(newReport.Systems)-len(found), "run has", "runs have")+
			" no stored one of the same name.")
	}
	return out, nil
}
