package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/significance"
)

// Judgments are what one judge, or one round of judging, said.
type Judgments struct {
	Name  string
	Qrels *collection.Qrels
}

// relevantFrom is the grade from which a document counts as relevant where only that is asked.
const relevantFrom = 1

// judged is a document of a query with what each set of judgments says of it, collection.Unjudged where it says nothing.
type judged []int

// Judges says how far two or more sets of judgments agree: every two of them by the share of equal grades, Cohen's κ and the overlap of what
// they hold relevant (|A ∩ B| / |A ∪ B| over the documents that both judged; Voorhees 2000, Information Processing & Management 36), and
// all of them by Fleiss's and Randolph's κ, Krippendorff's α, and Gwet's AC1 and AC2 with intervals.
func Judges(sets []Judgments) (Section, error) {
	if len(sets) < 2 {
		return Section{}, say.Faultf("analysis: judges", "agreement needs at least two sets of judgments")
	}
	out := Section{Name: "judges", Title: "Agreement of judges"}
	docs := join(sets)
	pairs := Table{Caption: "Every two", Columns: []string{"", "both judged", "same grade", "κ", "κ linear", "κ squared", "relevant to both"}}
	for a := range sets {
		for b := a + 1; b < len(sets); b++ {
			row, err := agreed(sets, docs, a, b)
			if err != nil {
				return Section{}, err
			}
			pairs.Rows = append(pairs.Rows, row)
		}
	}
	all, alpha, units, err := together(docs, len(sets))
	if err != nil {
		return Section{}, err
	}
	corrected, err := gwet(docs)
	if err != nil {
		return Section{}, err
	}
	if len(sets) == 2 {
		row := pairs.Rows[0]
		if row[1].Value == 0 {
			out.Sentence = "There is no document that " + sets[0].Name + " and " + sets[1].Name + " both judged."
			return out, nil
		}
		out.Sentence = sets[0].Name + " and " + sets[1].Name + " give the same grade to " + row[2].Said(say.Plain) + " of the " + say.Count(int(row[1].Value), "document", "documents") +
			" that both judged; Cohen's κ is " + row[3].Said(say.Plain) + "."
		out.Tables = []Table{pairs, crossed(sets, docs), corrected}
	} else {
		if units == 0 {
			out.Sentence = "There is no document that two of these sets judged."
			return out, nil
		}
		out.Sentence = say.Count(len(sets), "set", "sets") + " of judgments: Krippendorff's α of their grades is " + say.Plain.Number(alpha, 3) + " over the " +
			say.Count(units, "document", "documents") + " that at least two judged."
		order := slices.Clone(pairs.Rows)
		slices.SortStableFunc(order, func(x, y []Cell) int { return cmp.Compare(y[3].Value, x[3].Value) })
		if first, last := order[0], order[len(order)-1]; first[3].Value > last[3].Value {
			out.Sentence += " Most alike are " + first[0].Text + " (κ " + first[3].Said(say.Plain) + "), least " + last[0].Text + " (κ " + last[3].Said(say.Plain) + ")."
		}
		out.Tables = []Table{pairs, all, corrected}
	}
	out.Notes = []string{
		"1 is perfect agreement and 0 what chance would give. A document of two queries counts twice.",
		"Relevant to both: of the documents that either holds relevant (grade " + strconv.Itoa(relevantFrom) + " or more) and both judged, those that both do.",
		"Gwet's AC counts documents that two or more judged in the agreement, and those that one judged in chance. Its interval is Student's over the documents.",
	}
	if len(sets) > 2 {
		out.Notes = append(out.Notes, "Fleiss's and Randolph's κ leave out documents that some judge did not judge (Fleiss 1971). α and AC keep them.")
	}
	return out, nil
}

// join puts what is said of every document side by side, in the order in which the sets bring it up.
func join(sets []Judgments) []judged {
	type key struct{ query, doc string }
	at := map[key]int{}
	var out []judged
	for s, set := range sets {
		for _, q := range set.Qrels.Queries() {
			set.Qrels.Each(q, func(doc string, grade int) {
				k := key{q, doc}
				i, ok := at[k]
				if !ok {
					i = len(out)
					at[k] = i
					out = append(out, slices.Repeat(judged{collection.Unjudged}, len(sets)))
				}
				out[i][s] = grade
			})
		}
	}
	return out
}

// agreed is the row of two sets.
func agreed(sets []Judgments, docs []judged, a, b int) ([]Cell, error) {
	var x, y []int
	same, both, either := 0, 0, 0
	for _, d := range docs {
		if d[a] == collection.Unjudged || d[b] == collection.Unjudged {
			continue
		}
		x, y = append(x, d[a]), append(y, d[b])
		if d[a] == d[b] {
			same++
		}
		if p, q := d[a] >= relevantFrom, d[b] >= relevantFrom; p && q {
			both, either = both+1, either+1
		} else if p || q {
			either++
		}
	}
	row := []Cell{Words(sets[a].Name + " and " + sets[b].Name), Whole(len(x)), Share(float64(same) / float64(len(x)))}
	for _, w := range []significance.Weighting{significance.Unweighted, significance.Linear, significance.Quadratic} {
		kappa, err := significance.CohenKappa(x, y, w)
		if err != nil {
			return nil, err
		}
		row = append(row, Number(kappa, 3))
	}
	return append(row, Share(float64(both)/float64(either))), nil
}

// crossed counts the grades of the first of two sets by those of the second.
func crossed(sets []Judgments, docs []judged) Table {
	var grades []int
	count := map[[2]int]int{}
	for _, d := range docs {
		if d[0] == collection.Unjudged || d[1] == collection.Unjudged {
			continue
		}
		count[[2]int{d[0], d[1]}]++
		grades = append(grades, d...)
	}
	slices.Sort(grades)
	grades = slices.Compact(grades)
	t := Table{Caption: "Grades of " + sets[0].Name + " down, of " + sets[1].Name + " across", Columns: []string{""}}
	for _, g := range grades {
		t.Columns = append(t.Columns, strconv.Itoa(g))
		row := []Cell{Words(strconv.Itoa(g))}
		for _, h := range grades {
			row = append(row, Whole(count[[2]int{g, h}]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// together is the agreement of all sets: the two κ over the documents that every set judged, α over those that at least two did, of which there
// are units. alpha is that of ordinal grades.
func together(docs []judged, sets int) (t Table, alpha float64, units int, err error) {
	table, _ := tally(docs)
	ratings := make([][]float64, sets)
	var counts [][]int
	for i, d := range docs {
		some := 0
		for s, g := range d {
			v := math.NaN()
			if g != collection.Unjudged {
				some++
				v = float64(g)
			}
			ratings[s] = append(ratings[s], v)
		}
		if some == sets {
			counts = append(counts, table[i])
		}
		if some > 1 {
			units++
		}
	}
	t = Table{Caption: "All together", Columns: []string{"", "documents", "agreement"}}
	for _, k := range []struct {
		name string
		of   func([][]int) (float64, error)
	}{{"Fleiss's κ", significance.FleissKappa}, {"Randolph's κ", significance.RandolphKappa}} {
		v, err := k.of(counts)
		if err != nil {
			return t, 0, 0, err
		}
		t.Rows = append(t.Rows, []Cell{Words(k.name), Whole(len(counts)), Number(v, 3)})
	}
	for _, a := range []struct {
		name  string
		scale significance.Scale
	}{{"Krippendorff's α, nominal", significance.Nominal}, {"Krippendorff's α, ordinal", significance.Ordinal}, {"Krippendorff's α, interval", significance.IntervalScale}} {
		v, err := significance.KrippendorffAlpha(ratings, a.scale)
		if err != nil {
			return t, 0, 0, err
		}
		if a.scale == significance.Ordinal {
			alpha = v
		}
		t.Rows = append(t.Rows, []Cell{Words(a.name), Whole(units), Number(v, 3)})
	}
	return t, alpha, units, nil
}

// tally counts how many judges gave a document each grade; grades ascend.
func tally(docs []judged) (table [][]int, grades []int) {
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
	table, grades := tally(docs)
	t := Table{Caption: "Gwet's coefficients", Columns: []string{"", "documents", "agreement", "95 % from", "to"}}
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
		t.Rows = append(t.Rows, []Cell{Words(w.name), Whole(a.Documents), Number(a.Coefficient, 3), Number(a.Low, 3), Number(a.High, 3)})
	}
	return t, nil
}

// JudgedOrder says whether the runs of in come out in another order when another judge judges them (Voorhees 1998, SIGIR): their means of
// the first measure by every set of judgments, and how alike the orders are. The judgments of in are not looked at.
func JudgedOrder(sets []Judgments, in compare.Input, cancel func() bool) (Section, error) {
	out := Section{Name: "judged-order", Title: "Order of runs by judge"}
	var means [][]float64
	var names []string
	notation := ""
	for _, set := range sets {
		in.Qrels = set.Qrels
		c, err := compare.Open(in)
		if err != nil {
			return Section{}, fmt.Errorf("%s: %w", set.Name, err)
		}
		m, err := c.Means(cancel)
		if err != nil {
			return Section{}, err
		}
		means, names, notation = append(means, m[0]), c.Names(), c.Measures()[0]
	}
	by := Table{Caption: notation + " by", Columns: []string{"run"}}
	for _, set := range sets {
		by.Columns = append(by.Columns, set.Name)
	}
	for r, name := range names {
		row := []Cell{Words(name)}
		for s := range sets {
			row = append(row, Number(means[s][r], 4))
		}
		by.Rows = append(by.Rows, row)
	}
	pairs := Table{Caption: "Orders of the runs", Columns: []string{"", "τ", "τ weighted", "ρ", "pairs that swap"}}
	changed, all := 0, 0
	for a := range sets {
		for b := a + 1; b < len(sets); b++ {
			x, y := means[a], means[b]
			tau, err := significance.KendallTau(x, y)
			if err != nil {
				return Section{}, err
			}
			weighted, err := significance.WeightedTau(x, y)
			if err != nil {
				return Section{}, err
			}
			rho, err := significance.Spearman(x, y)
			if err != nil {
				return Section{}, err
			}
			swaps := 0
			for i := range x {
				for j := range i {
					if (x[i]-x[j])*(y[i]-y[j]) < 0 {
						swaps++
					}
				}
			}
			changed, all = changed+swaps, all+len(x)*(len(x)-1)/2
			pairs.Rows = append(pairs.Rows, []Cell{Words(sets[a].Name + " and " + sets[b].Name), Number(tau.B, 3), Number(weighted, 3), Number(rho.Coefficient, 3), Whole(swaps)})
		}
	}
	out.Tables = []Table{by}
	if len(names) < 2 {
		out.Sentence = "One run has no order."
		return out, nil
	}
	out.Tables = append(out.Tables, pairs)
	if changed == 0 {
		out.Sentence = "By " + notation + " no two of the " + say.Count(len(names), "run", "runs") + " swap, whoever judges."
	} else {
		out.Sentence = "By " + notation + " " + strconv.Itoa(changed) + " of " + say.Count(all, "pair of runs", "pairs of runs") + " " + say.Verb(changed, "changes", "change") + " places with the judge."
	}
	return out, nil
}
