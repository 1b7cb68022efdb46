package analysis

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// Judgments are what one judge, or one round of judging, said.
type Judgments struct {
	Name  string
	Qrels *collection.Qrels
}

// relevantFrom is the grade from which a document counts as relevant where only that is asked.
const relevantFrom = 1

// judged is a document of a query with what each set of judgments says of it, collection.Unjudged where it says
// nothing.
type judged []float64

// Judges says how far two or more sets of judgments agree: every two of them by the share of equal grades, Cohen's κ
// and the overlap of what they hold relevant (|A ∩ B| / |A ∪ B| over the documents that both judged; Voorhees 2000,
// Information Processing & Management 36), and all of them by Fleiss's and Randolph's κ, Krippendorff's α, and Gwet's
// AC1 and AC2. κ comes with its base rates: how much each judge finds relevant, and how often chance would agree.
// Coefficients have 95 % intervals.
func Judges(sets []Judgments) (Section, error) {
	if len(sets) < 2 {
		return Section{}, say.Faultf("analysis: judges", "agreement needs at least two sets of judgments")
	}
	out := Section{Name: "judges", Title: "Agreement of judges"}
	docs := join(sets)
	pairs := Table{Caption: "Every two", Columns: []string{"judges", "both judged", "same grade", "κ", "κ linear",
		"κ squared", "relevant to both",
		"relevant, first", "relevant, second", "same by chance"}}
	sure := Table{Caption: "95 % intervals", Columns: []string{"judges", "coefficient", "documents", "value", "from",
		"to"}}
	for a := range sets {
		for b := a + 1; b < len(sets); b++ {
			row, intervals, err := agreed(sets, docs, a, b)
			if err != nil {
				return Section{}, err
			}
			pairs.Rows = append(pairs.Rows, row)
			sure.Rows = append(sure.Rows, intervals...)
		}
	}
	all, alphas, err := together(docs, len(sets))
	if err != nil {
		return Section{}, err
	}
	alpha, units := alphas[significance.Ordinal].Coefficient, alphas[significance.Ordinal].Documents
	for i, name := range scales {
		sure.Rows = append(sure.Rows, []Cell{Words("all"), Words(name), Whole(units), Number(alphas[i].Coefficient, 3),
			Number(alphas[i].Low, 3), Number(alphas[i].High, 3)})
	}
	corrected, err := gwet(docs)
	if err != nil {
		return Section{}, err
	}
	switch {
	case units == 0 && len(sets) == 2:
		out.Sentence = "There is no document that " + sets[0].Name + " and " + sets[1].Name + " both judged."
		return out, nil
	case units == 0:
		out.Sentence = "There is no document that two of these sets judged."
		return out, nil
	case len(sets) == 2:
		row := pairs.Rows[0]
		out.Sentence = sets[0].Name + " and " + sets[1].Name + " give the same grade to " + row[2].Said(say.Plain) +
			" of the " + say.Count(int(row[1].Value), "document", "documents") + " that both judged; Cohen's κ is " +
			row[3].Said(say.Plain) + "."
		out.Tables = []Table{pairs, crossed(sets, docs, 0, 1), corrected, sure}
	default:
		out.Sentence = say.Count(len(sets), "set", "sets") + " of judgments: Krippendorff's α of their grades is " +
			say.Plain.Number(alpha, 3) + " over the " + say.Count(units, "document", "documents") +
			" that at least two judged." + extremes(pairs.Rows)
		shorten(&pairs, &sure)
		out.Tables = append([]Table{pairs, all, corrected, sure}, everyCrossed(sets, docs)...)
	}
	out.Notes = []string{
		"1 is perfect agreement and 0 what chance would give. A document of two queries counts twice.",
		"Same by chance: how often two judges would agree who give each grade as often as these do, but at random. " +
			"If it is high, κ is low even if nearly all grades are the same: read it with AC1.",
		"Relevant to both: of the documents that either holds relevant (grade " + strconv.Itoa(relevantFrom) +
			" or more) and both judged, those that both do.",
		"Gwet's AC counts documents that two or more judged in the agreement, and those that one judged in chance. " +
			"Intervals are over the documents, and hold for few.",
	}
	if len(sets) > 2 {
		out.Notes = append(out.Notes,
			"Fleiss's and Randolph's κ leave out documents that some judge did not judge (Fleiss 1971). α and "+
				"AC keep them.")
	}
	return out, nil
}

// extremes says which two judges are most alike, and which least; "" if all pairs are alike.
func extremes(pairs [][]Cell) string {
	order := slices.DeleteFunc(slices.Clone(pairs), func(x []Cell) bool { return x[3].Value != x[3].Value })
	if len(order) == 0 {
		return ""
	}
	slices.SortStableFunc(order, byKappa)
	most, least := order[len(order)-1], order[0]
	if most[3].Value <= least[3].Value {
		return ""
	}
	return " Most alike are " + most[0].Text + " (κ " + most[3].Said(say.Plain) + "), least " + least[0].Text +
		" (κ " + least[3].Said(say.Plain) + ")."
}

// shorten leaves the pairs that agree least if there are many, and the intervals of all together.
func shorten(pairs, sure *Table) {
	n := len(pairs.Rows)
	if n <= mostPairs {
		return
	}
	slices.SortStableFunc(pairs.Rows, byKappa)
	pairs.Caption = "The " + strconv.Itoa(mostPairs) + " pairs of " + strconv.Itoa(n) + " that agree least"
	pairs.Rows = pairs.Rows[:mostPairs]
	sure.Rows = sure.Rows[len(sure.Rows)-len(scales):]
}

// everyCrossed crosses the grades of every two of a few sets.
func everyCrossed(sets []Judgments, docs []judged) (out []Table) {
	if len(sets) > mostCrossed {
		return nil
	}
	for a := range sets {
		for b := a + 1; b < len(sets); b++ {
			out = append(out, crossed(sets, docs, a, b))
		}
	}
	return out
}

// join lists the grades of all judges by query and document, so that sums have one order whatever the order of the
// files.
func join(sets []Judgments) []judged {
	type key struct{ query, doc string }
	at := map[key]int{}
	var out []judged
	var keys []key
	for s, set := range sets {
		for _, q := range set.Qrels.Queries() {
			set.Qrels.Each(q, func(doc string, grade float64) {
				k := key{q, doc}
				i, ok := at[k]
				if !ok {
					i = len(out)
					at[k] = i
					keys = append(keys, k)
					out = append(out, slices.Repeat(judged{collection.Unjudged}, len(sets)))
				}
				out[i][s] = grade
			})
		}
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(strings.Compare(a.query, b.query), strings.Compare(a.doc,
			b.doc))
	})
	sorted := make([]judged, len(out))
	for i, k := range keys {
		sorted[i] = out[at[k]]
	}
	return sorted
}

// mostPairs is how many pairs of sets are listed.
const mostPairs = 20

// byKappa orders pairs of sets, the lowest κ first, those without one last.
func byKappa(x, y []Cell) int {
	a, b := x[3].Value, y[3].Value
	if a != a || b != b {
		return cmp.Compare(b, a) // NaN is below all numbers
	}
	return cmp.Compare(a, b)
}

// mostCrossed is up to how many sets the grades of every two are crossed.
const mostCrossed = 4

// mostSure is up to how many pairs of sets have all their intervals; of more only κ has one.
const mostSure = 6

// agreed is the row of two sets, and the intervals of their coefficients.
func agreed(sets []Judgments, docs []judged, a, b int) (row []Cell, sure [][]Cell, err error) {
	var x, y []float64
	same, both, either := 0, 0, 0
	var relevant [2]int
	for _, d := range docs {
		if d[a] == collection.Unjudged || d[b] == collection.Unjudged {
			continue
		}
		x, y = append(x, d[a]), append(y, d[b])
		if d[a] == d[b] {
			same++
		}
		p, q := d[a] >= relevantFrom, d[b] >= relevantFrom
		if p {
			relevant[0]++
		}
		if q {
			relevant[1]++
		}
		if p && q {
			both, either = both+1, either+1
		} else if p || q {
			either++
		}
	}
	n := float64(len(x))
	name := Words(sets[a].Name + " and " + sets[b].Name)
	row = []Cell{name, Whole(len(x)), Share(float64(same) / n)}
	low, high := significance.ShareInterval(same, len(x), 0.95)
	level, many := 0.95, len(sets)*(len(sets)-1)/2
	few := many <= mostSure
	if many > mostPairs { // none is listed
		level = 0
	}
	if few {
		sure = append(sure, []Cell{name, Words("same grade"), Whole(len(x)), Share(float64(same) / n), Share(low),
			Share(high)})
	}
	first, second := significance.Whole(x, y)
	chance := math.NaN()
	for w, called := range []string{"Cohen's κ", "κ linear", "κ squared"} {
		k, err := significance.CohenInterval(first, second, significance.Weighting(w), level)
		if err != nil {
			return nil, nil, err
		}
		row = append(row, Number(k.Coefficient, 3))
		if w == int(significance.Unweighted) {
			chance = k.Chance
		}
		if few || w == int(significance.Unweighted) {
			sure = append(sure, []Cell{name, Words(called), Whole(len(x)), Number(k.Coefficient, 3), Number(k.Low, 3),
				Number(k.High, 3)})
		}
	}
	return append(row, Share(float64(both)/float64(either)), Share(float64(relevant[0])/n),
		Share(float64(relevant[1])/n), Share(chance)), sure, nil
}

// crossed counts the grades of one set by those of another.
func crossed(sets []Judgments, docs []judged, a, b int) Table {
	var grades []float64
	count := map[[2]float64]int{}
	for _, d := range docs {
		if d[a] == collection.Unjudged || d[b] == collection.Unjudged {
			continue
		}
		count[[2]float64{d[a], d[b]}]++
		grades = append(grades, d[a], d[b])
	}
	slices.Sort(grades)
	grades = slices.Compact(grades)
	t := Table{Caption: "Grades of " + sets[a].Name + " down, of " + sets[b].Name + " across",
		Columns: []string{"grade"}}
	for _, g := range grades {
		t.Columns = append(t.Columns, say.Plain.Grade(g))
		row := []Cell{Words(say.Plain.Grade(g))}
		for _, h := range grades {
			row = append(row, Whole(count[[2]float64{g, h}]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// scales are the names of Krippendorff's α, by its scale.
var scales = []string{"Krippendorff's α, nominal", "Krippendorff's α, ordinal", "Krippendorff's α, interval"}

// together is the agreement of all sets: the two κ over the documents that every set judged, α by scale over those
// that at least two did.
func together(docs []judged, sets int) (t Table, alphas []significance.Agreement, err error) {
	table, _ := tally(docs)
	ratings := make([][]float64, sets)
	var counts [][]int
	for i, d := range docs {
		some := 0
		for s, g := range d {
			v := math.NaN()
			if g != collection.Unjudged {
				some++
				v = g
			}
			ratings[s] = append(ratings[s], v)
		}
		if some == sets {
			counts = append(counts, table[i])
		}
	}
	t = Table{Caption: "All together", Columns: []string{"coefficient", "documents", "agreement"}}
	for _, k := range []struct {
		name string
		of   func([][]int) (float64, error)
	}{{"Fleiss's κ", significance.FleissKappa}, {"Randolph's κ", significance.RandolphKappa}} {
		v, err := k.of(counts)
		if err != nil {
			return t, nil, err
		}
		t.Rows = append(t.Rows, []Cell{Words(k.name), Whole(len(counts)), Number(v, 3)})
	}
	for i, name := range scales {
		a, err := significance.KrippendorffInterval(ratings, significance.Scale(i), 0.95)
		if err != nil {
			return t, nil, err
		}
		alphas = append(alphas, a)
		t.Rows = append(t.Rows, []Cell{Words(name), Whole(a.Documents), Number(a.Coefficient, 3)})
	}
	return t, alphas, nil
}

// tally counts how many judges gave a document each grade; grades ascend.
func tally(docs []judged) (table [][]int, grades []float64) {
	for _, d := range docs {
		for _, g := range d {
			if g != collection.Unjudged {
				grades = append(grades, g)
			}
		}
	}
	slices.Sort(grades)
	grades = slices.Compact(grades)
	for _, d := range docs {
		row := make([]int, len(grades))
		for _, g := range d {
			if at, found := slices.BinarySearch(grades, g); found {
				row[at]++
			}
		}
		table = append(table, row)
	}
	return table, grades
}

// gwet is the table of Gwet's coefficients of all sets, with intervals.
func gwet(docs []judged) (Table, error) {
	table, values := tally(docs)
	grades, _ := significance.Whole(values, nil)
	t := Table{Caption: "Gwet's coefficients", Columns: []string{"coefficient", "documents", "agreement", "95 % from",
		"to"}}
	for _, w := range []struct {
		name string
		of   significance.Weighting
	}{
		{"AC1", significance.Unweighted},
		{"AC2 linear", significance.Linear},
		{"AC2 squared", significance.Quadratic},
	} {
		a, err := significance.GwetAC(table, grades, w.of, 0.95)
		if err != nil {
			return t, err
		}
		t.Rows = append(t.Rows, []Cell{Words(w.name), Whole(a.Documents), Number(a.Coefficient, 3), Number(a.Low, 3),
			Number(a.High, 3)})
	}
	return t, nil
}
