package analysis

import (
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// ByJudge says how far each judge of a class agrees with the others: over the documents that others judged too, with
// the middle grade of those others (of an even number the lower one of the two middle grades). So each document counts
// once, and no judge is held against themself.
func ByJudge(sets []Judgments) (Section, error) {
	out := Section{Name: "by-judge", Title: "Agreement by judge"}
	docs := join(sets)
	t := Table{Caption: "Each with the middle grade of the others", Columns: []string{"judge", "grades", "shared",
		"same grade", "κ", "95 % from", "to", "κ squared", "mean difference"}}
	shared, least, most := 0, -1, -1
	kappas := make([]float64, len(sets))
	for _, d := range docs {
		n := 0
		for _, g := range d {
			if g != collection.Unjudged {
				n++
			}
		}
		if n > 1 {
			shared++
		}
	}
	for s := range sets {
		var own, other []float64
		all, same, off := 0, 0, 0.0
		for _, d := range docs {
			if d[s] == collection.Unjudged {
				continue
			}
			all++
			if g, ok := middle(d, s); ok {
				own, other = append(own, d[s]), append(other, g)
				off += d[s] - g
				if d[s] == g {
					same++
				}
			}
		}
		x, y := significance.Whole(own, other)
		k, err := significance.CohenInterval(x, y, significance.Unweighted, 0.95)
		if err != nil {
			return Section{}, err
		}
		squared, err := significance.CohenKappa(x, y, significance.Quadratic)
		if err != nil {
			return Section{}, err
		}
		if kappas[s] = k.Coefficient; k.Coefficient == k.Coefficient {
			if least < 0 || k.Coefficient < kappas[least] {
				least = s
			}
			if most < 0 || k.Coefficient > kappas[most] {
				most = s
			}
		}
		n := float64(len(own))
		t.Rows = append(t.Rows, []Cell{Words(sets[s].Name), Whole(all), Whole(len(own)), Share(float64(same) / n),
			Number(k.Coefficient, 3), Number(k.Low, 3), Number(k.High, 3),
			Number(squared, 3), Signed(off/n, 3)})
	}
	out.Tables = []Table{t}
	out.Sentence = say.Count(len(sets), "judge", "judges") + " graded " + say.Count(len(docs), "document",
		"documents") + ", " + strconv.Itoa(shared) + " of them more than once."
	if least >= 0 && kappas[least] < kappas[most] {
		out.Sentence += " κ with the others goes from " + say.Plain.Number(kappas[least], 3) + " (" + sets[least].Name +
			") to " + say.Plain.Number(kappas[most], 3) + " (" + sets[most].Name + ")."
	}
	out.Notes = []string{"Mean difference: positive if the judge grades higher than the others. With few shared " +
		"documents κ is nearly chance: look at its interval."}
	return out, nil
}

// middle is the middle grade of all judges of a document but one, the lower one of two.
func middle(d judged, but int) (grade float64, ok bool) {
	var list []float64
	for s, g := range d {
		if s != but && g != collection.Unjudged {
			list = append(list, g)
		}
	}
	if len(list) == 0 {
		return 0, false
	}
	slices.Sort(list)
	return list[(len(list)-1)/2], true
}
