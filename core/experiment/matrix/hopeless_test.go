package matrix

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/analysis/predict"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// asked is a report of one system about as many queries as texts, with the values of its measure.
func asked(whole *report.Report, values []float64, texts ...string) *report.Report {
	r := *whole
	r.Queries = slices.Clone(r.Queries[:len(texts)])
	for q, text := range texts {
		r.Queries[q].Text = text
	}
	c := r.Columns[0]
	if values == nil {
		values = c.Values[0][:len(texts)]
	}
	c.Values = [][]float64{values}
	r.Columns = []report.Column{c}
	return &r
}

// predicted are the values of a predictor for the texts, as package predict has them.
func predicted(t *testing.T, s *experiment.Session, name string, texts ...string) (out []float64) {
	t.Helper()
	x, an, err := stage.Analyzed(s.Parts())
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(predict.Predictors, func(p predict.Predictor) bool { return p.Name == name })
	for _, text := range texts {
		v := predict.New(x).Of(an.Terms(text))
		out = append(out, v.Of[at])
	}
	return out
}

func section(t *testing.T, s *experiment.Session, r *report.Report) analysis.Section {
	t.Helper()
	out, err := Prediction(s, r, say.Plain)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The lowest fifth of four queries is none. Of five it is one, and that is hopeless if four predictors agree.
func TestHopelessQueriesAreLowByFourPredictors(t *testing.T) {
	s := session(t)
	whole := finished(t, s, `{"systems": ["bm25"], "measures": ["nDCG@10"]}`, 1).Report
	texts := []string{"quay", "strike ferry", "crane storm", "pilot market", "lock tide"}
	low := 0
	for _, p := range predict.Predictors {
		v := predicted(t, s, p.Name, texts...)
		if v[0] == slices.Min(v) {
			low++
		}
	}
	if low < hopelessBy {
		t.Fatalf("the first query is the lowest by %d predictors", low)
	}
	four := section(t, s, asked(whole, nil, texts[:4]...))
	if len(four.Tables) != 1 || !strings.HasPrefix(four.Sentence, "No query is hopeless by its words.") {
		t.Errorf("four queries: %s", four.Sentence)
	}
	five := section(t, s, asked(whole, []float64{0.5, 0.25, 0.75, 0.25, 0.75}, texts...))
	if len(five.Tables) != 2 || !strings.HasPrefix(five.Sentence,
		"1 query is hopeless by the words alone, and had nDCG@10 0.500 on average, the others 0.500.") {
		t.Fatalf("five queries: %s", five.Sentence)
	}
	rows := five.Tables[1].Rows
	if len(rows) != 1 || rows[0][1].Text != "quay" || rows[0][2].Value != float64(low) || rows[0][3].Value != 0 ||
		rows[0][4].Value != 0.5 {
		t.Errorf("%+v, want low by %d", rows, low)
	}
	same := section(t, s, asked(whole, nil, "quay", "quay", "quay", "quay", "quay"))
	if len(same.Tables) != 1 {
		t.Errorf("equal queries: %s", same.Sentence)
	}
}

// A query none of whose words is in a document is hopeless whatever the predictors say; it has none of their values.
func TestQueriesOfUnknownWordsAreHopeless(t *testing.T) {
	s := session(t)
	whole := finished(t, s, `{"systems": ["bm25"], "measures": ["nDCG@10"]}`, 1).Report
	out := section(t, s, asked(whole, nil, "strike ferry", "crane storm", "zeppelin kraken", "pilot market"))
	if len(out.Tables) != 2 || len(out.Tables[1].Rows) != 1 {
		t.Fatalf("%s", out.Sentence)
	}
	if row := out.Tables[1].Rows[0]; row[1].Text != "zeppelin kraken" || row[2].Value != 0 || row[3].Value != 2 {
		t.Errorf("%+v", row)
	}
	all := section(t, s, asked(whole, nil, "zeppelin", "kraken", "zeppelin kraken"))
	if !strings.HasPrefix(all.Sentence, "Every query is hopeless by its words.") {
		t.Errorf("%s", all.Sentence)
	}
}

// Of the predictors that follow the measure, the closest is named. Of a measure whose lower values are better, the
// sign is turned around.
func TestThePredictorThatFollowsTheMeasureIsNamed(t *testing.T) {
	s := session(t)
	whole := finished(t, s, `{"systems": ["bm25"], "measures": ["nDCG@10"]}`, 1).Report
	var texts []string
	for _, q := range whole.Queries[:11] { // the last has an unknown word
		texts = append(texts, q.Text)
	}
	wig := predicted(t, s, "WIG", texts...)
	r := asked(whole, wig, texts...)
	out := section(t, s, r)
	if !strings.HasSuffix(out.Sentence, " Of the predictors WIG says the most (r +1.00).") {
		t.Errorf("%s", out.Sentence)
	}
	for i, p := range predict.Predictors {
		row := out.Tables[0].Rows[i]
		v := predicted(t, s, p.Name, texts...)
		if row[0].Text != p.Name || math.Abs(row[1].Value-correlation(v, wig)) > 1e-12 {
			t.Errorf("%s: r %v, want %v", row[0].Text, row[1].Value, correlation(v, wig))
		}
	}
	r.Columns[0].Lower = true
	if out = section(t, s, r); !strings.HasSuffix(out.Sentence, "do not rely on it here.") ||
		math.Abs(out.Tables[0].Rows[6][1].Value+1) > 1e-12 {
		t.Errorf("lower is better: %s, r %v", out.Sentence, out.Tables[0].Rows[6][1].Value)
	}
}

// correlation is Pearson's r by its definition.
func correlation(a, b []float64) float64 {
	mean := func(v []float64) (m float64) {
		for _, x := range v {
			m += x / float64(len(v))
		}
		return m
	}
	ma, mb := mean(a), mean(b)
	ab, aa, bb := 0.0, 0.0, 0.0
	for i := range a {
		ab += (a[i] - ma) * (b[i] - mb)
		aa += (a[i] - ma) * (a[i] - ma)
		bb += (b[i] - mb) * (b[i] - mb)
	}
	return ab / math.Sqrt(aa*bb)
}
