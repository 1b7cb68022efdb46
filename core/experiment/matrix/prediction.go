package matrix

import (
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/analysis/predict"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// A query is hopeless where it is in the lowest fifth of so many predictors, or has no word that a document has.
const hopelessBy = 4

// unread says that an analysis of texts cannot be: the documents are elsewhere, and what is here are their ids. It is ""
// where they are here.
func unread(s *experiment.Session) string {
	if !s.Ref().Elsewhere {
		return ""
	}
	return "The documents are in a search backend, so their words are not analysed here."
}

// Prediction says how hard each query of a report is by its words and the collection alone, and how far that goes
// together with what the baseline then had. It is one table and the sentence about it.
func Prediction(s *experiment.Session, r *report.Report, style say.Style) (analysis.Section, error) {
	out := analysis.Section{Name: "prediction", Part: analysis.Matters, Title: "Query performance prediction"}
	if out.Sentence = unread(s); out.Sentence != "" {
		return out, nil
	}
	x, an, err := stage.Analyzed(s.Parts())
	if err != nil {
		return out, err
	}
	n := len(r.Queries)
	values := make([]predict.Values, n)
	collection := predict.New(x)
	for q := range r.Queries {
		values[q] = collection.Of(an.Terms(r.Queries[q].Text))
	}
	c := &r.Columns[0]
	had := slices.Clone(c.Values[r.Baseline])
	if c.Lower {
		for q, v := range had {
			had[q] = -v
		}
	}
	low := make([]int, n)
	t := analysis.Table{Caption: "How closely each predictor follows " + c.Measure + " of " + r.Letter(r.Baseline) +
		" " + say.Brief(r.Systems[r.Baseline].Label, 60), Columns: []string{"Predictor", "Pearson's r", "p (Holm)",
		"Kendall's τ", "Says"}}
	var ps, rs []float64
	for i, p := range predict.Predictors {
		var a, b, known []float64
		for q := range values {
			if v := values[q].Of[i]; v == v {
				a, b, known = append(a, v), append(b, had[q]), append(known, v)
			}
		}
		slices.Sort(known)
		for q := range values {
			if v := values[q].Of[i]; len(known) >= 5 && v <= known[(len(known)-1)/5] && known[0] < known[len(known)-1] {
				low[q]++
			}
		}
		pearson, err := significance.Pearson(a, b)
		if err != nil {
			return out, err
		}
		tau, err := significance.KendallTau(a, b)
		if err != nil {
			return out, err
		}
		ps, rs = append(ps, pearson.P), append(rs, pearson.Coefficient)
		t.Rows = append(t.Rows, []analysis.Cell{analysis.Words(p.Name), analysis.Signed(pearson.Coefficient, 3), {},
			analysis.Signed(tau.B, 3), analysis.Words(p.Doc)})
	}
	best := -1
	for i, p := range report.Holm(ps) {
		t.Rows[i][2] = analysis.Chance(p)
		if p < report.Alpha && rs[i] > 0 && (best < 0 || rs[i] > rs[best]) {
			best = i
		}
	}
	h := analysis.Table{Caption: "Queries that are hopeless by " + strconv.Itoa(hopelessBy) + " of " +
		strconv.Itoa(len(predict.Predictors)) + " predictors, or none of whose words is in a document",
		Columns: []string{"Query", "Text", "Low by", "Words no document has", c.Measure}}
	var those, others []float64
	for q := range values {
		v := &values[q]
		if low[q] < hopelessBy && v.Found > 0 {
			others = append(others, c.Values[r.Baseline][q])
			continue
		}
		those = append(those, c.Values[r.Baseline][q])
		h.Rows = append(h.Rows, []analysis.Cell{analysis.Words(r.Queries[q].ID),
			analysis.Words(say.Brief(r.Queries[q].Text, 60)), analysis.Whole(low[q]), analysis.Whole(v.Unknown),
			analysis.Number(c.Values[r.Baseline][q], 4)})
	}
	out.Tables = []analysis.Table{t}
	switch {
	case len(those) == 0:
		out.Sentence = "No query is hopeless by its words."
	case len(others) == 0:
		out.Sentence = "Every query is hopeless by its words."
	default:
		out.Sentence = say.Count(len(those), "query is", "queries are") + " hopeless by the words alone, and had " +
			c.Measure + " " + style.Number(measure.Mean(those), 3) + " on average, the others " +
			style.Number(measure.Mean(others), 3) + "."
	}
	if len(those) > 0 {
		out.Tables = append(out.Tables, h)
	}
	if best >= 0 {
		out.Sentence += " Of the predictors " + predict.Predictors[best].Name + " says the most (r " +
			style.Signed(rs[best], 2) + ")."
	} else {
		out.Sentence += " No predictor follows the measure by more than chance: do not rely on it here."
	}
	out.Notes = []string{"Predicted from the words of the query, the collection and what query likelihood " +
		"(Dirichlet, 1000) ranks first; no judgment is looked at. Low is the lowest fifth of the queries."}
	return out, nil
}
