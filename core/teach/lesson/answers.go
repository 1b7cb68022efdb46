package lesson

import (
	"math/rand/v2"
	"strings"

	"github.com/rankbox/rankbox/core/intake/scores/nugget"
)

// Exercises on answers with citations.

func makeNuggets(rng *rand.Rand, level int) *Exercise {
	var list []nugget.Nugget
	lines := [2]string{"Vital nuggets: ", "Other nuggets: "}
	var full, half, n [2]int
	for i := range 2 { // vital ones first
		n[i] = 3 + rng.IntN(3)
		var words []string
		for range n[i] {
			s := nugget.Support(rng.IntN(3))
			list = append(list, nugget.Nugget{Vital: i == 0, Support: s})
			words = append(words, []string{"none", "partial", "support"}[s])
			switch s {
			case nugget.Full:
				full[i]++
			case nugget.Partial:
				half[i]++
			}
		}
		lines[i] += strings.Join(words, ", ")
	}
	r := nugget.Of(list)
	all := n[0] + n[1]
	e := &Exercise{Given: lines[:]}
	switch level {
	case 1:
		e.Question = "What is the strict vital recall of this answer? Only full support counts."
		e.Hint = "Count the vital nuggets with full support, and divide by all vital nuggets"
		e.Answer, e.Working = r.StrictVital, itoa(full[0])+" / "+itoa(n[0])
		e.Wrong = []Mistake{
			{r.StrictAll, "taken all nuggets instead of the vital ones"},
			{r.Vital, "counted partial support as a half, which strict does not"},
			{quotient(full[0], all), "divided by all nuggets"},
		}
	case 2:
		e.Question = "What is the vital recall of this answer? Partial support counts as a half."
		e.Hint = "Among vital nuggets, count full support as 1 and partial support as 0.5. Divide by all vital nuggets"
		e.Answer, e.Working = r.Vital, "("+itoa(full[0])+" + "+itoa(half[0])+" / 2) / "+itoa(n[0])
		e.Wrong = []Mistake{
			{r.StrictVital, "left partial support out, as strict recall does"},
			{quotient(full[0]+half[0], n[0]), "counted partial support in full"},
			{r.All, "taken all nuggets instead of the vital ones"},
		}
	case 3:
		e.Question = "What is the recall of all nuggets of this answer? Partial support counts as a half."
		e.Hint = "In both lines, count full support as 1 and partial support as 0.5. " +
			"Divide by the number of all nuggets"
		e.Answer = r.All
		e.Working = "(" + itoa(full[0]+full[1]) + " + " + itoa(half[0]+half[1]) + " / 2) / " + itoa(all)
		e.Wrong = []Mistake{
			{(r.Vital + float64((float64(full[1])+float64(float64(half[1])/2))/float64(n[1]))) / 2,
				"averaged the recall of the vital and of the other nuggets"},
			{r.StrictAll, "left partial support out, as strict recall does"},
			{r.Vital, "taken the vital nuggets alone"},
		}
	}
	return e
}
