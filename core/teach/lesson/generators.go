package lesson

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// Generators are the exercises. Right answers come from the measures and package significance; wrong ones from
// named mistakes.
var Generators = []Generator{
	{"precision", "Precision at a cutoff", [Levels]float64{1, 1, 1.5}, makePrecision},
	{"recall", "Recall at a cutoff", [Levels]float64{1, 1, 1.5}, makeRecall},
	{"ap", "Average precision", [Levels]float64{1.5, 2, 3}, makeAP},
	{"iprec", "Interpolated precision", [Levels]float64{1.5, 2, 2.5}, makeIPrec},
	{"ndcg", "nDCG with the grade as gain", [Levels]float64{2, 2.5, 3}, makeNDCG},
	{"gain", "One term of DCG", [Levels]float64{1, 1.5, 2}, makeGain},
	{"cutoff", "How much a cutoff is worth", [Levels]float64{1, 1.5, 1.5}, makeCutoff},
	{"ties", "Ties", [Levels]float64{1, 1.5, 2}, makeTies},
	{"holes", "Unjudged documents", [Levels]float64{1, 1.5, 2}, makeHoles},
	{"kappa", "Cohen's kappa", [Levels]float64{2, 2.5, 2.5}, makeKappa},
	{"chance", "Agreement by chance", [Levels]float64{1, 1.5, 1.5}, makeChance},
	{"rbp", "Rank-biased precision", [Levels]float64{1.5, 2, 2.5}, makeRBP},
	{"err", "Expected reciprocal rank", [Levels]float64{1.5, 2.5, 3}, makeERR},
	{"gmean", "Geometric mean", [Levels]float64{1, 1, 1.5}, makeGmean},
	{"flips", "The randomisation test by hand", [Levels]float64{1.5, 2.5, 4}, makeFlips},
	{"alarm", "A false alarm among many tests", [Levels]float64{1, 1, 1.5}, makeAlarm},
	{"bm25", "One term of BM25", [Levels]float64{1, 1.5, 1.5}, makeBM25},
	{"merge", "Merging two posting lists", [Levels]float64{1, 1.5, 2}, makeMerge},
	{"tfidf", "The weight of a word", [Levels]float64{1, 1.5, 2}, makeTFIDF},
	{"rrf", "Reciprocal rank fusion", [Levels]float64{1, 1.5, 2}, makeRRF},
	{"probe", "What a search of an inverted file costs", [Levels]float64{1, 1.5, 2}, makeProbe},
	{"expand", "The weight of a word in an expanded query", [Levels]float64{1, 1.5, 1.5}, makeExpand},
	{"nuggets", "Nugget recall", [Levels]float64{1, 1, 1.5}, makeNuggets},
	{"order", "An order that two conditions ask for", [Levels]float64{1.5, 2, 2.5}, makeOrder},
}

// drawn is a random ranking with its qrels.
type drawn struct {
	ranked []float64
	missed []float64 // judged, not retrieved
}

func (d drawn) judged() []float64 {
	var out []float64
	for _, g := range d.ranked {
		if g != measure.Unjudged {
			out = append(out, g)
		}
	}
	return append(out, d.missed...)
}

func (d drawn) value(notation string) float64 {
	return value(notation, d.ranked, d.judged())
}

func value(notation string, ranked, judged []float64) float64 {
	m, err := measure.Parse(notation)
	if err != nil {
		panic("lesson: " + err.Error())
	}
	return m.Score(&measure.Topic{Query: "exercise", Ranked: ranked, Judged: judged, TopGrade: 3})
}

// draw draws a ranking of size documents with grades up to top, and missed relevant documents outside it.
func draw(rng *rand.Rand, size, top, missed int) drawn {
	var d drawn
	for range size {
		g := 0.0
		if rng.IntN(2) == 0 {
			g = float64(1 + rng.IntN(top))
		}
		d.ranked = append(d.ranked, g)
	}
	for range missed {
		d.missed = append(d.missed, float64(1+rng.IntN(top)))
	}
	return d
}

// listSize draws the length of a list for a level.
func listSize(rng *rand.Rand, level int) int { return []int{5, 6, 8}[level-1] + rng.IntN(2) }

func gradesOf(g []float64) string {
	var parts []string
	for _, v := range g {
		if v == measure.Unjudged {
			parts = append(parts, "–")
		} else {
			parts = append(parts, strconv.Itoa(int(v)))
		}
	}
	return strings.Join(parts, " ")
}

func (d drawn) given() []string {
	out := []string{"The list, from rank 1: " + gradesOf(d.ranked)}
	if len(d.missed) > 0 {
		out = append(out, "Judged too, but not retrieved: "+gradesOf(d.missed))
	}
	return out
}

func relevant(g []float64, k int) int {
	n := 0
	for i, v := range g {
		if i < k && v > 0 {
			n++
		}
	}
	return n
}

func quotient(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

func itoa(n int) string { return strconv.Itoa(n) }

func makePrecision(rng *rand.Rand, level int) *Exercise {
	d := draw(rng, listSize(rng, level), 3, 1+rng.IntN(3))
	k := 3 + rng.IntN(len(d.ranked)-3)
	n, all := relevant(d.ranked, k), relevant(d.ranked, 99)+len(d.missed)
	sum := 0
	for _, g := range d.ranked[:k] {
		sum += int(g)
	}
	if n == 0 || n == k {
		return nil
	}
	names := kinds{}
	return &Exercise{Kinds: names, Question: "What is P@" + itoa(k) + "? A grade of 1 or more is relevant.",
		Given: d.given(), Answer: d.value("P@" + itoa(k)),
		Hint: "Count the relevant documents among the first " + itoa(k) + " and divide by " + itoa(k),
		Working: itoa(n) + " of the first " + itoa(k) + " " + say.Verb(n, "is", "are") + " relevant, " + itoa(n) + "/" +
			itoa(k),
		Wrong: []Mistake{
			{quotient(n, all), "divided by all the relevant documents, which is recall"},
			{quotient(relevant(d.ranked, 99), len(d.ranked)),
				names.name("counted the whole list instead of the first ", k, "")},
			{quotient(sum, k), "added the grades up instead of counting the relevant"},
			{quotient(n, len(d.ranked)), "divided by the length of the list instead of the cutoff"},
		}}
}

func makeRecall(rng *rand.Rand, level int) *Exercise {
	d := draw(rng, listSize(rng, level), 3, 1+rng.IntN(3))
	k := 3 + rng.IntN(len(d.ranked)-3)
	n, found := relevant(d.ranked, k), relevant(d.ranked, 99)
	all := found + len(d.missed)
	if n == 0 {
		return nil
	}
	names := kinds{}
	return &Exercise{Kinds: names, Question: "What is R@" + itoa(k) + ", recall at " + itoa(k) +
		"? A grade of 1 or more is relevant.", Given: d.given(), Answer: d.value("R@" + itoa(k)),
		Hint: "Count the relevant documents among the first " + itoa(k) +
			". Divide by all relevant documents, retrieved or not",
		Working: itoa(n) + " of the " + say.Count(all, "relevant document", "relevant documents") + " " +
			say.Verb(n, "is", "are") + " among the first " + itoa(k),
		Wrong: []Mistake{
			{quotient(n, found), "divided by the relevant documents that were retrieved and forgotten the others"},
			{quotient(n, k), "divided by the cutoff, which is precision"},
			{quotient(found, all), names.name("counted the whole list instead of the first ", k, "")},
		}}
}

func makeAP(rng *rand.Rand, level int) *Exercise {
	d := draw(rng, listSize(rng, level), 1, 1+rng.IntN(2))
	found := relevant(d.ranked, 99)
	if found < 2 {
		return nil
	}
	sum, every := 0.0, 0.0
	var work []string
	for i, g := range d.ranked {
		p := quotient(relevant(d.ranked, i+1), i+1)
		every += p
		if g > 0 {
			sum += p
			work = append(work, itoa(relevant(d.ranked, i+1))+"/"+itoa(i+1))
		}
	}
	all := found + len(d.missed)
	return &Exercise{Question: "What is AP, average precision?", Given: d.given(), Answer: d.value("AP"),
		Hint: "Add up the precision at the rank of each relevant document. " +
			"Divide by all relevant documents, retrieved or not",
		Working: "(" + strings.Join(work, " + ") + ") / " + itoa(all) + " relevant documents",
		Wrong: []Mistake{
			{sum / float64(found), "divided by the retrieved relevant documents instead of all the relevant ones"},
			{every / float64(len(d.ranked)),
				"averaged the precision at every rank, not only at ranks with a relevant document"},
			{quotient(found, len(d.ranked)), "taken the precision of the whole list"},
			{sum / float64(len(d.ranked)), "divided by the length of the list"},
		}}
}

func makeIPrec(rng *rand.Rand, level int) *Exercise {
	d := draw(rng, listSize(rng, level)+1, 1, rng.IntN(2))
	found, all := relevant(d.ranked, 99), relevant(d.ranked, 99)+len(d.missed)
	if found < 2 {
		return nil
	}
	recall := []float64{0.2, 0.3, 0.4, 0.5, 0.6}[rng.IntN(5)]
	at := ""
	for _, f := range []string{"0.2", "0.3", "0.4", "0.5", "0.6"} {
		if v, _ := strconv.ParseFloat(f, 64); v == recall {
			at = f
		}
	}
	first, best := -1.0, 0.0
	for i, g := range d.ranked {
		if n := relevant(d.ranked, i+1); g > 0 && quotient(n, all) >= recall-1e-12 {
			if first < 0 {
				first = quotient(n, i+1)
			}
			best = max(best, quotient(n, i+1))
		}
	}
	if first < 0 {
		return nil
	}
	// trec_eval truncates recall × relevant + 0.9 to the number of documents to find, which is sometimes one fewer.
	if d := d.value("IPrec@"+at) - best; d > 1e-9 || d < -1e-9 {
		return nil
	}
	nearest := 0.0
	for i := range d.ranked {
		if n := relevant(d.ranked, i+1); quotient(n, all) < recall {
			nearest = quotient(n, i+1)
		}
	}
	return &Exercise{Question: "What is the interpolated precision at recall " + at + "? There are " + itoa(all) +
		" relevant documents.", Given: d.given(), Answer: d.value("IPrec@" + at),
		Hint:    "Take the precision at every rank whose recall is " + at + " or more. The highest one counts",
		Working: "the highest precision at any rank whose recall is " + at + " or more, " + brief(best),
		Wrong: []Mistake{
			{first, "taken the precision where that recall is first reached, without interpolating"},
			{nearest, "stopped before that recall is reached"},
			{quotient(found, len(d.ranked)), "taken the precision of the whole list"},
		}}
}

// discounted sums discounted gains, for the mistakes.
func discounted(g []float64, k int, discount func(rank int) float64, gain func(g float64) float64) float64 {
	sum := 0.0
	for i, v := range g {
		if i < k && v > 0 {
			sum += float64(gain(v) / discount(i+1))
		}
	}
	return sum
}

func log2(x float64) float64 { return float.Log(x) / float.Log(2) }

func descending(g []float64) []float64 {
	s := slices.Clone(g)
	slices.Sort(s) // then reversed: sorting with a function would add 12 kB of code
	slices.Reverse(s)
	return s
}

func makeNDCG(rng *rand.Rand, level int) *Exercise {
	d := draw(rng, listSize(rng, level), 3, 1+rng.IntN(3))
	k := 3 + rng.IntN(3)
	proper := func(rank int) float64 { return log2(float64(rank + 1)) }
	plain := func(g float64) float64 { return g }
	ideal := descending(d.judged())
	dcg := discounted(d.ranked, k, proper, plain)
	if dcg == 0 {
		return nil
	}
	late := func(rank int) float64 { return max(1, log2(float64(rank))) }
	none := func(int) float64 { return 1 }
	power := func(g float64) float64 { return math.Ldexp(1, int(g)) - 1 }
	ratio := func(discount func(int) float64, gain func(float64) float64) float64 {
		return discounted(d.ranked, k, discount, gain) / discounted(ideal, k, discount, gain)
	}
	return &Exercise{Question: "What is nDCG@" + itoa(k) + ", with the grade as gain and log2(rank + 1) as discount?",
		Given: d.given(), Answer: d.value("nDCG@" + itoa(k)),
		Hint: "Divide each of the first " + itoa(k) + " grades by log2(rank + 1) and add up. " +
			"Then divide by the same sum of the ideal order",
		Working: "DCG " + brief(dcg) + " over that of the ideal order " + gradesOf(ideal[:min(k, len(ideal))]) + ", " +
			brief(discounted(ideal, k, proper, plain)),
		Wrong: []Mistake{
			{dcg / discounted(descending(d.ranked), k, proper, plain),
				"taken the ideal from the list instead of the judgments"},
			{ratio(late, plain), "discounted by log2(rank) instead of log2(rank + 1)"},
			{ratio(none, plain), "left the discount out"},
			{ratio(proper, power), "taken 2^grade - 1 as gain instead of the grade"},
		}}
}

// makeGain asks what a document adds to DCG; on level 2 two documents, on level 3 all from rank 2 on.
func makeGain(rng *rand.Rand, level int) *Exercise {
	d := draw(rng, listSize(rng, level), 3, 0)
	var at []int // ranks of relevant documents below the first, where the discount is 1
	for i, g := range d.ranked {
		if i > 0 && g > 0 {
			at = append(at, i+1)
		}
	}
	want := []int{1, 2, 3}[level-1]
	if len(at) < want || level == 3 && len(at) > 4 {
		return nil
	}
	if level < 3 {
		rng.Shuffle(len(at), func(i, j int) { at[i], at[j] = at[j], at[i] })
		at = at[:want]
		slices.Sort(at)
	}
	answer := 0.0
	var ranks, work []string
	for _, r := range at {
		answer += float64(d.value("DCG@"+itoa(r)) - d.value("DCG@"+itoa(r-1)))
		ranks = append(ranks, itoa(r))
		work = append(work, itoa(int(d.ranked[r-1]))+" / log2("+itoa(r+1)+")")
	}
	with := func(term func(rank int, grade float64) float64) float64 {
		sum := 0.0
		for _, r := range at {
			sum += float64(term(r, float64(d.ranked[r-1])))
		}
		return sum
	}
	who, hint := "does the document at rank "+ranks[0], "Divide its grade by log2(rank + 1)"
	if level > 1 {
		hint = "Divide each grade by log2(rank + 1), then add up"
		who = "do the documents at ranks " + strings.Join(ranks[:len(ranks)-1], ", ") + " and " + ranks[len(ranks)-1] +
			" together"
	}
	return &Exercise{Question: "What " + who + " add to DCG, with the grade as gain and log2(rank + 1) as discount?",
		Given: []string{"Grades from rank 1: " + gradesOf(d.ranked)}, Answer: answer, Hint: hint,
		Working: strings.Join(work, " + "),
		Wrong: []Mistake{
			{with(func(r int, g float64) float64 { return g / log2(float64(r)) }),
				"discounted by log2(rank) instead of log2(rank + 1)"},
			{with(func(_ int, g float64) float64 { return g }), "left the discount out"},
			{with(func(r int, g float64) float64 { return float64(int(1)<<int(g)-1) / log2(float64(r+1)) }),
				"taken 2^grade - 1 as gain instead of the grade"},
			{with(func(r int, g float64) float64 { return g / float64(r) }),
				"divided by the rank instead of its logarithm"},
		}}
}

func makeCutoff(rng *rand.Rand, level int) *Exercise {
	a, b := draw(rng, listSize(rng, level)+2, 1, 0), draw(rng, listSize(rng, level)+2, 1, 0)
	k := 3 + rng.IntN(4)
	n := min(len(a.ranked), len(b.ranked))
	a.ranked, b.ranked = a.ranked[:n], b.ranked[:n]
	answer := a.value("P@"+itoa(k)) - b.value("P@"+itoa(k))
	whole := quotient(relevant(a.ranked, 99)-relevant(b.ranked, 99), n)
	names := kinds{}
	return &Exercise{Kinds: names, Question: "By how much is P@" + itoa(k) +
		" of A above that of B? Write a minus where it is below.",
		Given:   []string{"A, from rank 1: " + gradesOf(a.ranked), "B, from rank 1: " + gradesOf(b.ranked)},
		Answer:  answer,
		Hint:    "Work out P@" + itoa(k) + " of each list, then subtract that of B from that of A",
		Working: itoa(relevant(a.ranked, k)) + "/" + itoa(k) + " - " + itoa(relevant(b.ranked, k)) + "/" + itoa(k),
		Wrong: []Mistake{
			{-answer, "taken B minus A"},
			{whole, names.name("looked at the whole lists instead of the first ", k, "")},
			{float64(relevant(a.ranked, k) - relevant(b.ranked, k)), "forgotten to divide by the cutoff"},
			{a.value("RR") - b.value("RR"), "compared the ranks of the first relevant documents"},
		}}
}

func makeTies(rng *rand.Rand, level int) *Exercise {
	d := draw(rng, listSize(rng, level), 1, 0)
	from := 1 + rng.IntN(2)
	width := 3 + rng.IntN(2) + level/3
	if from+width > len(d.ranked) {
		return nil
	}
	k := from + 1 + rng.IntN(width-1)
	tied := d.ranked[from : from+width]
	n := relevant(tied, 99)
	if n == 0 || n == width {
		return nil
	}
	best, worst := slices.Clone(d.ranked), slices.Clone(d.ranked)
	copy(best[from:], descending(tied))
	low := descending(tied)
	slices.Reverse(low)
	copy(worst[from:], low)
	p := "P@" + itoa(k)
	lowest, highest, printed := value(p, worst, worst), value(p, best, best), d.value(p)
	wrong := []Mistake{
		{printed, "taken the order as it was printed"},
		{highest, "put the relevant documents first, which is the largest value"},
		{(lowest + highest) / 2, "taken the mean of the smallest and the largest value"},
		{quotient(relevant(d.ranked[:from], 99), k), "counted none of the tied documents"},
	}
	if printed == highest {
		wrong = wrong[1:]
		wrong[0].Name = "put the relevant documents first, as they happen to be printed, which is the largest value"
	}
	return &Exercise{Question: "The documents at ranks " + itoa(from+1) + " to " + itoa(from+width) +
		" have equal scores, so that any order of them may be printed. What is the smallest " + p +
		" that the list can have?",
		Given: []string{"The list as it was printed, from rank 1: " + gradesOf(d.ranked)}, Answer: lowest,
		Hint:    "Put the relevant ones among the tied documents last, then work out " + p,
		Working: "with the relevant of the tied documents last, " + gradesOf(worst),
		Wrong:   wrong}
}

func makeHoles(rng *rand.Rand, level int) *Exercise {
	d := draw(rng, listSize(rng, level)+1, 1, 0)
	holes := 0
	for i := range d.ranked {
		if rng.IntN(3) == 0 {
			d.ranked[i] = measure.Unjudged
			holes++
		}
	}
	k := 3 + rng.IntN(2)
	var condensed []float64
	for _, g := range d.ranked {
		if g != measure.Unjudged {
			condensed = append(condensed, g)
		}
	}
	if holes == 0 || len(condensed) < k || relevant(condensed, k) == 0 {
		return nil
	}
	open := 0
	for _, g := range d.ranked[:k] {
		if g == measure.Unjudged {
			open++
		}
	}
	p := itoa(k)
	judged := k - open
	names := kinds{}
	return &Exercise{Kinds: names,
		Question: "Unjudged documents (–) are taken out of the list before it is measured: a condensed list. " +
			"What is P@" + p + "?",
		Given: d.given(), Answer: d.value("P(judged_only=True)@" + p),
		Hint: "Strike out every –. Count the relevant documents among the first " + p + " that are left, and " +
			"divide by " +
			p,
		Working: "the condensed list is " + gradesOf(condensed) + ", " + itoa(relevant(condensed, k)) + "/" + p,
		Wrong: []Mistake{
			{d.value("P@" + p), "counted the unjudged documents as not relevant"},
			{quotient(relevant(d.ranked, k)+open, k), "counted the unjudged documents as relevant"},
			{quotient(relevant(d.ranked, k), judged), names.name("divided by the judged documents of the first ", k,
				" instead of going on to the next ones")},
			{quotient(judged, k), "worked out the share of judged documents"},
		}}
}

// verdicts counts two judges' binary judgments: documents that both called relevant, only the first, only the
// second, neither.
type verdicts struct{ yy, yn, ny, nn int }

func drawVerdicts(rng *rand.Rand, level int) verdicts {
	scale := []int{1, 1, 3}[level-1]
	cell := func(low int) int { return low + scale*rng.IntN(10) }
	return verdicts{yy: cell(2), yn: cell(1), ny: cell(1), nn: cell(3)}
}

func (v verdicts) given() []string {
	return []string{"Both relevant: " + itoa(v.yy), "Only the first says relevant: " + itoa(v.yn), "Only the second: " +
		itoa(v.ny), "Both not relevant: " + itoa(v.nn)}
}

// agreement returns the share of equal verdicts and the chance agreement of Cohen's kappa k: k = (agree - chance) /
// (1 - chance).
func (v verdicts) agreement() (n int, k, agree, chance float64, err error) {
	var a, b []int
	for _, c := range [][3]int{{v.yy, 1, 1}, {v.yn, 1, 0}, {v.ny, 0, 1}, {v.nn, 0, 0}} {
		for range c[0] {
			a, b = append(a, c[1]), append(b, c[2])
		}
	}
	k, err = significance.CohenKappa(a, b, significance.Unweighted)
	n = len(a)
	agree = quotient(v.yy+v.nn, n)
	return n, k, agree, (agree - k) / (1 - k), err
}

func makeChance(rng *rand.Rand, level int) *Exercise {
	v := drawVerdicts(rng, level)
	n, _, agree, chance, err := v.agreement()
	if err != nil {
		return nil
	}
	first, second := v.yy+v.yn, v.yy+v.ny
	both := quotient(first*second, n*n)
	return &Exercise{Question: "Two judges said relevant or not of " + itoa(n) +
		" documents. On what share of them would they agree by chance alone, each saying relevant as often as now?",
		Given: v.given(), Answer: chance,
		Hint: "Multiply the judges' shares of relevant, multiply their shares of not relevant, and add both products",
		Working: "relevant " + itoa(first) + "/" + itoa(n) + " × " + itoa(second) + "/" + itoa(n) + ", not relevant " +
			itoa(n-first) + "/" + itoa(n) + " × " + itoa(n-second) + "/" + itoa(n) + ", added up",
		Wrong: []Mistake{
			{agree, "taken the share of equal judgments"},
			{0.5, "taken chance to be one half"},
			{both, "counted agreement on relevant and left out agreement on not relevant"},
			{float64(agree * agree), "squared the share of equal judgments"},
		}}
}

func makeKappa(rng *rand.Rand, level int) *Exercise {
	v := drawVerdicts(rng, level)
	n, k, agree, chance, err := v.agreement()
	if err != nil {
		return nil
	}
	return &Exercise{Question: "Two judges said relevant or not of " + itoa(n) + " documents. What is Cohen's kappa?",
		Given:  v.given(),
		Hint:   "Kappa is (share of equal judgments − share by chance) / (1 − share by chance)",
		Answer: k, Working: "they agree on " + brief(agree) + ", chance alone would give " + brief(chance) + ": (" +
			brief(agree) + " - " + brief(chance) + ") / (1 - " + brief(chance) + ")",
		Wrong: []Mistake{
			{agree, "taken the share of equal judgments and left chance out"},
			{2*agree - 1, "taken chance to be one half"},
			{agree - chance, "forgotten to divide by what chance leaves"},
			{quotient(v.yy, v.yy+v.yn+v.ny), "looked only at the documents that at least one judge called relevant"},
		}}
}

func makeRBP(rng *rand.Rand, level int) *Exercise {
	d := draw(rng, []int{5, 6, 8}[level-1], 1, 0)
	p := []string{"0.5", "0.55", "0.6", "0.65", "0.7", "0.75", "0.8", "0.85", "0.9"}[rng.IntN(9)]
	v, _ := strconv.ParseFloat(p, 64)
	sum, weight := 0.0, 1.0
	var work []string
	for i, g := range d.ranked {
		if g > 0 {
			sum += weight
			work = append(work, p+"^"+itoa(i))
		}
		weight = float64(weight * v)
	}
	if sum == 0 || len(work) < 2 {
		return nil
	}
	return &Exercise{Question: "What is RBP with p = " + p + "?", Given: d.given(),
		Answer: d.value("RBP(p=" + p + ",rel=1)"),
		Hint: "Rank 1 weighs 1, each further rank p times as much. Add up the weights of relevant ranks, " +
			"times 1 − p",
		Working: "(1 - " + p + ") × (" + strings.Join(work, " + ") + ")",
		Wrong: []Mistake{
			{sum, "left out the factor 1 − p"},
			{(1 - v) * sum * v, "weighted rank 1 with p instead of 1"},
			{v * sum, "multiplied by p instead of 1 − p"},
			{quotient(relevant(d.ranked, 99), len(d.ranked)), "given every rank the same weight"},
		}}
}

func makeERR(rng *rand.Rand, level int) *Exercise {
	d := draw(rng, []int{4, 4, 5}[level-1], 3, 0)
	stop := func(g float64) float64 { return float64((math.Ldexp(1, int(g)) - 1) / 8) }
	reads, sum, once := 1.0, 0.0, 0.0
	noRank, late := 0.0, 1.0
	for i, g := range d.ranked {
		sum += float64(reads * stop(g) / float64(i+1))
		noRank += float64(reads * stop(g))
		once += stop(g) / float64(i+1)
		reads = float64(reads * (1 - stop(g)))
	}
	late = 0
	for i, g := range d.ranked {
		late += g / 3 / float64(i+1)
	}
	if relevant(d.ranked, 99) < 2 {
		return nil
	}
	k := itoa(len(d.ranked))
	return &Exercise{Question: "What is ERR@" + k + "? A document of grade g satisfies with the chance (2^g - 1) / 8.",
		Given: d.given(), Answer: d.value("ERR(max_rel=3)@" + k),
		Hint: "At each rank, multiply its chance to satisfy, the chance that none above satisfied, and 1/rank. " +
			"Then add up",
		Working: "the chances are " + chances(d.ranked) +
			"; each counts 1/rank times the chance that nothing above satisfied, " + brief(sum),
		Wrong: []Mistake{
			{once, "forgotten that a satisfied reader stops"},
			{noRank, "left 1/rank out"},
			{late, "taken grade / 3 for the chance"},
			{d.value("RR"), "looked only at the first relevant document"},
		}}
}

func chances(g []float64) string {
	var parts []string
	for _, v := range g {
		parts = append(parts, itoa(1<<int(v)-1)+"/8")
	}
	return strings.Join(parts, ", ")
}

func makeGmean(rng *rand.Rand, level int) *Exercise {
	n := []int{2, 2, 3}[level-1]
	var v []float64
	var text []string
	sum, product, low := 0.0, 1.0, 1.0
	for range n {
		x := float64(1+rng.IntN(19)) / 20
		v = append(v, x)
		text = append(text, brief(x))
		sum += x
		product = float64(product * x)
		low = min(low, x)
	}
	r := measure.Result{Values: [][]float64{v}}
	mean := sum / float64(n)
	root := map[int]string{2: "square", 3: "cube"}[n] + " root"
	return &Exercise{Question: "What is the geometric mean of these values of AP?",
		Given: []string{"By query: " + strings.Join(text, ", ")}, Answer: r.GeometricMean(0),
		Hint:    "Multiply the values, then take the " + root,
		Working: "the " + root + " of " + strings.Join(text, " × "),
		Wrong: []Mistake{
			{mean, "taken the arithmetic mean"},
			{product, "forgotten the root"},
			{low, "taken the smallest value"},
			{product / float64(n), "divided the product by the number of values"},
		}}
}

func makeFlips(rng *rand.Rand, level int) *Exercise {
	n := []int{3, 4, 5}[level-1]
	var d []int
	sum := 0
	for range n {
		x := 1 + rng.IntN(6)
		if rng.IntN(4) == 0 {
			x = -x
		}
		d = append(d, x)
		sum += x
	}
	if sum <= 0 || !slices.ContainsFunc(d, func(x int) bool { return x < 0 }) {
		return nil // if every query wins, p is the minimum, whatever the differences
	}
	all, up, both, strict := 1<<n, 0, 0, 0
	for set := range all {
		s := 0
		for i, x := range d {
			if set>>i&1 != 0 {
				s -= x
			} else {
				s += x
			}
		}
		if s >= sum {
			up++
		}
		if s >= sum || s <= -sum {
			both++
		}
		if s > sum || s < -sum {
			strict++
		}
	}
	var text []string
	var x []float64
	plus := 0
	for _, v := range d {
		text = append(text, "+"+itoa(v))
		if v < 0 {
			text[len(text)-1] = "−" + itoa(-v)
		} else {
			plus++
		}
		x = append(x, float64(v)/100)
	}
	r, err := significance.Randomisation(x, significance.Options{})
	if err != nil {
		return nil
	}
	return &Exercise{Question: "Flip the signs of these differences in every way: of how large a share of the " +
		itoa(all) + " ways is the sum as far from 0 as it is, or farther? That is the two-sided p.",
		Given: []string{"Differences in hundredths, a query each: " + strings.Join(text, ", ")}, Answer: r.P,
		Hint: "Write down the sum of each of the " + itoa(all) + " ways. Count those that are at least as far " +
			"from 0, " +
			"on both sides",
		Working: itoa(both) + " of " + itoa(all) + " ways",
		Wrong: []Mistake{
			{quotient(up, all), "counted only one side"},
			{quotient(strict, all), "left out the sums that are exactly as far from 0"},
			{1 - quotient(both, all), "taken the share of the other ways"},
			{quotient(n-plus, n), "counted the queries that got worse"},
		}}
}

func makeBM25(rng *rand.Rand, level int) *Exercise {
	tf := 1 + rng.IntN(4+level)
	dl := 50 + 10*rng.IntN(16)
	idf := float64(5+rng.IntN(30)) / 10
	k1, b, avg := 0.9, 0.4, 100.0
	if level == 1 {
		dl = 100
	}
	t := float64(tf)
	score := func(tf, k1, b float64) float64 {
		return float64(idf * tf / (tf + float64(k1*(1-b+float64(b*float64(dl)/avg)))))
	}
	wrong := []Mistake{{idf * t, "multiplied by tf without saturation"}}
	if level > 1 { // b does not affect a document of average length
		wrong = append(wrong, Mistake{score(t, k1, 0), "left the length out, as with b = 0"},
			Mistake{score(t, k1, 1), "normalised by the whole length, as with b = 1"})
	}
	wrong = append(wrong, Mistake{score(1, k1, b), "counted the word once"},
		Mistake{score(t, k1, b) / idf, "left idf out"})
	return &Exercise{Question: "What does this term add to the BM25 score, with k1 = 0.9 and b = 0.4? The formula is " +
		"idf × tf / (tf + k1 × (1 − b + b × length / average length)).",
		Given: []string{"How often the word stands in the document, tf: " + itoa(tf), "Its idf: " + brief(idf),
			"Words of the document: " + itoa(dl) + ", on average 100"},
		Hint:   "Work out the bracket behind k1 first, multiply it by k1 and add tf. Then divide idf × tf by that",
		Answer: score(t, k1, b), Working: brief(idf) + " × " + itoa(tf) + " / (" + itoa(tf) + " + " +
			brief(k1*(1-b+b*float64(dl)/avg)) + ")",
		Wrong: wrong}
}
