package lesson

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/scores/nugget"
)

// Exercises on answers that cite.

func makeNuggets(rng *rand.Rand, level int) *Exercise {
	var list []nugget.Nugget
	lines := [2]string{"Vital nuggets: ", "Other nuggets: "}
	var full, half, n [2]int
	for i := range 2 { // the vital ones first
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
		e.Answer, e.Working = r.StrictVital, itoa(full[0])+" / "+itoa(n[0])
		e.Wrong = []Mistake{
			{r.StrictAll, "taken all nuggets instead of the vital ones"},
			{r.Vital, "counted partial support as a half, which strict does not"},
			{part(full[0], all), "divided by all nuggets"},
		}
	case 2:
		e.Question = "What is the vital recall of this answer? Partial support counts as a half."
		e.Answer, e.Working = r.Vital, "("+itoa(full[0])+" + "+itoa(half[0])+" / 2) / "+itoa(n[0])
		e.Wrong = []Mistake{
			{r.StrictVital, "left partial support out, as strict recall does"},
			{part(full[0]+half[0], n[0]), "counted partial support in full"},
			{r.All, "taken all nuggets instead of the vital ones"},
		}
	case 3:
		e.Question = "What is the recall of all nuggets of this answer? Partial support counts as a half."
		e.Answer = r.All
		e.Working = "(" + itoa(full[0]+full[1]) + " + " + itoa(half[0]+half[1]) + " / 2) / " + itoa(all)
		e.Wrong = []Mistake{
			{(r.Vital + float64(float64(full[1])+float64(half[1])/2)/float64(n[1])) / 2,
				"averaged the recall of the vital and of the other nuggets"},
			{r.StrictAll, "left partial support out, as strict recall does"},
			{r.Vital, "taken the vital nuggets alone"},
		}
	}
	return e
}

func makeCited(rng *rand.Rand, level int) *Exercise {
	const names = "ABCDEFGHIJ"
	order := rng.Perm(len(names))
	relevant, cited := order[:3+rng.IntN(3)], []int{}
	var given []string
	times := 0 // citations, repeated ones counted again
	right := 0 // of these
	for i := range 3 {
		var words []string
		for range 1 + rng.IntN(2) {
			d := order[rng.IntN(7)]
			words = append(words, names[d:d+1])
			times++
			if slices.Contains(relevant, d) {
				right++
			}
			if !slices.Contains(cited, d) {
				cited = append(cited, d)
			}
		}
		given = append(given, "Sentence "+itoa(i+1)+" cites: "+strings.Join(words, " "))
	}
	var sorted []string
	for _, d := range relevant {
		sorted = append(sorted, names[d:d+1])
	}
	slices.Sort(sorted)
	given = append(given, "Relevant articles: "+strings.Join(sorted, " "))
	hits := 0
	ranked, judged := make([]int32, len(cited)), []int32{}
	for i, d := range cited {
		if slices.Contains(relevant, d) {
			ranked[i] = 1
			hits++
		} else {
			judged = append(judged, 0)
		}
	}
	for range relevant {
		judged = append(judged, 1)
	}
	if hits == 0 || hits == len(cited) || times == len(cited) {
		return nil
	}
	at := itoa(len(cited)) // the depth of the set, at which P and R are precision and recall of the set
	precision, recall := value("P@"+at, ranked, judged), value("R@"+at, ranked, judged)
	union := len(cited) + len(relevant) - hits
	e := &Exercise{Given: given}
	switch level {
	case 1:
		e.Question = "What is the precision of the citations, as a set of articles?"
		e.Answer, e.Working = precision, itoa(hits)+"/"+itoa(len(cited))
		e.Wrong = []Mistake{
			{part(right, times), "counted an article again that was cited before"},
			{recall, "divided by the relevant articles, which is recall"},
			{part(hits, union), "divided by the articles that are cited or relevant"},
		}
	case 2:
		e.Question = "What is the recall of the citations, as a set of articles?"
		e.Answer, e.Working = recall, itoa(hits)+"/"+itoa(len(relevant))
		e.Wrong = []Mistake{
			{precision, "divided by the cited articles, which is precision"},
			{part(right, len(relevant)), "counted an article again that was cited before"},
			{part(hits, union), "divided by the articles that are cited or relevant"},
		}
	case 3:
		e.Question = "What is F1 of the citations, the harmonic mean of their precision and recall, as a set of " +
			"articles?"
		e.Answer = part(2*hits, len(cited)+len(relevant))
		e.Working = "2 × precision × recall / (precision + recall), which is " + itoa(2*hits) + "/" +
			itoa(len(cited)+len(relevant))
		e.Wrong = []Mistake{
			{(precision + recall) / 2, "taken the arithmetic mean"},
			{float64(precision * recall), "multiplied precision and recall"},
			{part(hits, union), "divided by the articles that are cited or relevant"},
		}
	}
	return e
}
