package analysis

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// HalfWidth is the half-width of an interval for which samples are planned if nobody says another.
const HalfWidth = 0.05

// ModelJudge holds a model's judgments against a person's: its bias by grade, and the means of the runs of in by the
// first measure, from the person's judgments alone, from the model's alone, and prediction-powered
// (significance.PredictionPowered). half is the half-width for which labels are planned. The judgments of in are not
// looked at. Without runs only the first section is returned.
//
// The mean that is estimated is that of the measure over the population of queries, as the person would judge them.
// Queries that both judged are the labelled ones, those that the model alone judged the others. It is assumed that the
// labelled queries are a random sample of all.
func ModelJudge(person, model Judgments, in compare.Input, half float64, cancel func() bool) ([]Section, error) {
	out := []Section{bias(person, model)}
	if len(in.Runs) == 0 {
		return out, nil
	}
	s, err := poweredMeans(person, model, in, half, cancel)
	if err != nil {
		return nil, err
	}
	return append(out, s), nil
}

// bias says by how much a model grades higher or lower than a person, by the person's grade.
func bias(person, model Judgments) Section {
	out := Section{Name: "model-bias", Title: "Bias of a model's grades"}
	given := map[float64][]float64{} // the model's grades, by the person's
	var off []float64
	low, high := math.Inf(1), math.Inf(-1) // of all grades
	for _, d := range join([]Judgments{person, model}) {
		if d[0] != collection.Unjudged && d[1] != collection.Unjudged {
			given[d[0]] = append(given[d[0]], d[1])
			off = append(off, d[1]-d[0])
			low, high = min(low, d[0], d[1]), max(high, d[0], d[1])
		}
	}
	if len(off) == 0 {
		out.Sentence = "There is no document that " + person.Name + " and " + model.Name + " both judged."
		return out
	}
	t := Table{Caption: "Mean grade of " + model.Name + " by the grade of " + person.Name,
		Columns: []string{"grade of " + person.Name, "documents", "mean of " + model.Name, "95 % from", "to", "bias"}}
	for _, g := range slices.Sorted(maps.Keys(given)) {
		mean := significance.Mean(given[g])
		from, to := significance.Bounds{Low: low, High: high}.Interval(given[g], 0.95)
		t.Rows = append(t.Rows, []Cell{Words(say.Plain.Grade(g)), Whole(len(given[g])), Number(mean, 3), Number(from, 3),
			Number(to, 3), Signed(mean-g, 3)})
	}
	mean := significance.Mean(off)
	low, high = significance.Bounds{Low: low - high, High: high - low}.Interval(off, 0.95)
	out.Tables = []Table{t}
	than := "higher than"
	if mean < 0 {
		than = "lower than"
	}
	out.Sentence = "Over the " + say.Count(len(off), "document", "documents") + " that both judged, the grades of " +
		model.Name + " are on average " +
		say.Plain.Number(math.Abs(mean), 3) + " " + than + " those of " + person.Name + " (difference, 95 %: " +
		say.Plain.Signed(low, 3) + " to " + say.Plain.Signed(high, 3) + ")."
	if mean == 0 {
		out.Sentence = "Over the " + say.Count(len(off), "document", "documents") +
			" that both judged, the mean grades of " + model.Name + " and " + person.Name + " are equal."
	}
	out.Notes = []string{"Bias is the model's mean grade less the person's grade. The lowest grade can only be " +
		"exceeded and the highest only be missed: even unbiased noise pulls both to the middle.",
		"Intervals are over the documents, as if they were independent."}
	return out
}

// poweredMeans are the means of runs by a person, by a model, and by both.
func poweredMeans(person, model Judgments, in compare.Input, half float64, cancel func() bool) (Section, error) {
	out := Section{Name: "model-means", Title: "Means from few human and many model judgments"}
	labelled := collection.NewQrels()
	alone := 0 // queries that the person alone judged
	for _, q := range person.Qrels.Queries() {
		if !model.Qrels.Has(q) {
			alone++
			continue
		}
		person.Qrels.Each(q, func(doc string, grade float64) { labelled.Add(q, doc, grade) })
	}
	n, others := len(labelled.Queries()), len(model.Qrels.Queries())-len(labelled.Queries())
	if n < 2 || others < 1 {
		out.Sentence = "It takes at least two queries that both judged and one that " + model.Name +
			" alone judged: there are " + strconv.Itoa(n) + " and " + strconv.Itoa(others) + "."
		return out, nil
	}
	in.Qrels = labelled
	truth, c, err := valuesBy(in, cancel)
	if err != nil {
		return Section{}, fmt.Errorf("%s: %w", person.Name, err)
	}
	in.Qrels = model.Qrels
	guess, _, err := valuesBy(in, cancel)
	if err != nil {
		return Section{}, fmt.Errorf("%s: %w", model.Name, err)
	}
	names, notation := c.Names(), c.Measures()[0]
	t := Table{Caption: notation + " with 95 % intervals", Columns: []string{"run", person.Name, "from", "to",
		model.Name, "from", "to", "both", "from", "to", "λ",
		"queries for ±" + say.Plain.Number(half, 3), "without the model"}}
	narrower, measured := 0.0, 0
	for r, name := range names {
		row, ratio, err := poweredRow(report.BoundsOf(notation), model.Qrels, labelled, truth[r], guess[r],
			half)
		if err != nil {
			return Section{}, err
		}
		if ratio == ratio {
			narrower, measured = narrower+ratio, measured+1
		}
		t.Rows = append(t.Rows, append([]Cell{Words(name)}, row...))
	}
	out.Tables = []Table{t}
	out.Sentence = "From " + say.Count(n, "query", "queries") + " that " + person.Name + " judged and " +
		strconv.Itoa(others) + " more that " + model.Name +
		" alone judged"
	if measured > 0 {
		out.Sentence += ": prediction-powered intervals are " + say.Plain.Percent(narrower/float64(measured), 0) +
			" as wide as those from " + person.Name + " alone"
	}
	out.Sentence += "."
	out.Notes = poweredNotes(notation, person.Name, alone, &t)
	return out, nil
}

// poweredRow is the row of a run whose values by query are truth by the person and guess by the model: its means with
// intervals, and how many labels are needed. ratio is the width of the interval with the model by that without.
func poweredRow(b significance.Bounds, model, labelled *collection.Qrels, truth, guess map[string]float64, half float64) (row []Cell,
	ratio float64, err error) {
	var label, predicted, rest, every []float64
	for _, q := range model.Queries() {
		v, ok := guess[q]
		if !ok {
			continue
		}
		every = append(every, v)
		if y, ok := truth[q]; ok {
			label, predicted = append(label, y), append(predicted, v)
		} else if !labelled.Has(q) {
			rest = append(rest, v)
		}
	}
	p, err := significance.PredictionPowered(label, predicted, rest, b, 0.95)
	if err != nil {
		return nil, 0, err
	}
	var width []float64
	for _, e := range []significance.Estimate{b.Estimate(label, 0.95), b.Estimate(every, 0.95), p.Estimate} {
		row = append(row, Number(e.Mean, 4), Number(e.Low, 4), Number(e.High, 4))
		width = append(width, e.High-e.Low)
	}
	need, without := p.Needed(half)
	row = append(row, Number(p.Lambda, 3))
	for _, n := range []int{need, without} {
		cell := Whole(n)
		if n == 0 {
			cell = Cell{Text: "–", Value: math.NaN(), Number: true}
		}
		row = append(row, cell)
	}
	return row, width[2] / width[0], nil
}

// poweredNotes say what is estimated and assumed.
func poweredNotes(notation, person string, alone int, t *Table) []string {
	notes := []string{
		"Estimated is the mean of " + notation + " over the queries that these are a sample of, as " + person +
			" would judge them. The model may be wrong in any way: that widens the interval, but does not shift the " +
			"mean.",
		"Assumed: the queries that " + person + " judged are a random sample of all, and were judged as deeply as " +
			"the others would be. If the hardest or the first queries were chosen, the interval is wrong.",
		"The model's mean alone is that of its own judgments: its interval says nothing about its bias.",
		"λ is how much the model's judgments count: 0 not at all, 1 fully (Angelopoulos, Duchi and Zrnic 2023, PPI++).",
	}
	if alone > 0 {
		notes = append(notes, say.Count(alone, "query", "queries")+" that "+person+" alone judged "+
			say.Verb(alone, "is", "are")+" left out.")
	}
	if slices.ContainsFunc(t.Rows, func(row []Cell) bool { return row[11].Value != row[11].Value }) {
		notes = append(notes, "– means that no number of human judgments is enough with so few others: have the "+
			"model judge more queries.")
	}
	return notes
}

// valuesBy are the values of the first measure of every run, by query.
func valuesBy(in compare.Input, cancel func() bool) ([]map[string]float64, *compare.Comparison, error) {
	c, err := compare.Open(in)
	if err != nil {
		return nil, nil, err
	}
	values, err := c.Evaluation.Values(c.Evaluation.Applied[:1], cancel)
	if err != nil {
		return nil, nil, err
	}
	v := values[0]
	out := make([]map[string]float64, len(v))
	for r := range v {
		out[r] = map[string]float64{}
		for i, q := range c.Queries() {
			if v[r][i] == v[r][i] {
				out[r][q] = v[r][i]
			}
		}
	}
	return out, c, nil
}
