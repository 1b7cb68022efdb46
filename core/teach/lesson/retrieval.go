package lesson

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/teach/lesson/figure"
)

// Exercises of the lessons on retrieval.

// drawPostings draws a posting list of n documents with gaps of up to gap.
func drawPostings(rng *rand.Rand, n, gap int) []int {
	var list []int
	doc := 0
	for range n {
		doc += 1 + rng.IntN(gap)
		list = append(list, doc)
	}
	return list
}

func makeMerge(rng *rand.Rand, level int) *Exercise {
	every := []int{1, 1, 3}[level-1]
	a := drawPostings(rng, []int{4, 6, 8}[level-1]+rng.IntN(2), 3)
	b := drawPostings(rng, 3+level/3, []int{4, 6, 8}[level-1])
	both, n := figure.Intersect(a, b, every)
	_, plain := figure.Intersect(a, b, 1)
	if len(both) == 0 || len(both) == len(b) {
		return nil
	}
	var work []string
	figure.Walk(a, b, every, func(x, y int, skip bool) {
		sign := map[bool]string{true: " < ", false: " > "}[x < y]
		if x == y {
			sign = " = "
		}
		step := itoa(x) + sign + itoa(y)
		if skip {
			step = "skip pointer " + step
		}
		work = append(work, step)
	})
	end := min(a[len(a)-1], b[len(b)-1])
	rest := 0 // postings left in the longer list
	for _, d := range append(slices.Clone(a), b...) {
		if d > end {
			rest++
		}
	}
	wrong := []Mistake{
		{float64(len(a) * len(b)), "compared every posting of one list with every posting of the other"},
		{float64(n + len(both)), "counted two comparisons where both pointers move"},
		{float64(n + rest), "gone on when one list was at its end"},
		{float64(len(a) + len(b)), "added up both lengths"},
	}
	ask := "How many comparisons does a merge of these two posting lists take, until one is at its end?"
	hint := "Compare both pointers' documents, and move on the pointer at the smaller one, or both if they are equal"
	given := []string{"Postings of the first word: " + commas(a), "Postings of the second word: " + commas(b)}
	if every > 1 {
		wrong = append([]Mistake{{float64(plain), "followed no skip pointer"}}, wrong[1:]...)
		hint += ". Looking at a skip pointer is a comparison, too"
		ask += " Every third posting of the first list has a skip pointer to the one three further on. Where the first " +
			"pointer is at the smaller document and has a skip pointer, the merge compares the document " +
			"behind that, too."
	}
	return &Exercise{Question: ask, Given: given, Answer: float64(n), Hint: hint,
		Working: strings.Join(work, ", ") + ": " + say.Count(n, "comparison", "comparisons"), Wrong: wrong}
}

func makeTFIDF(rng *rand.Rand, level int) *Exercise {
	tf, docs := 2+rng.IntN(8), 100*(1+rng.IntN(10))
	df := 2 + rng.IntN(docs/4)
	x := figure.Scored{Docs: float64(docs), Length: 1, Average: 1,
		Words: []figure.Word{{TF: float64(tf), DF: float64(df)}}}
	weight := func(tf, idf int) float64 {
		_, _, v := x.Weight(0, figure.Forms{TF: tf, IDF: idf})
		return v
	}
	n, d, t := float64(docs), float64(df), float64(tf)
	ln := float.Log(n / d)
	forms := []struct {
		formula, working string
		form             figure.Forms
		wrong            []Mistake
	}{
		{"tf × ln(N / df)", itoa(tf) + " × ln(" + itoa(docs) + "/" + itoa(df) + ")", figure.Forms{IDF: 1}, []Mistake{
			{float64(t * ln / float.Log(10)), "taken the logarithm to base 10"},
			{t, "left the rarity out"},
			{float64(t * n / d), "left the logarithm out"},
		}},
		{"(1 + ln tf) × ln(N / df)", "(1 + ln(" + itoa(tf) + ")) × ln(" + itoa(docs) + "/" + itoa(df) + ")",
			figure.Forms{TF: 1, IDF: 1}, []Mistake{
				{weight(0, 1), "taken tf without its logarithm"},
				{float64(float.Log(t) * ln), "left the 1 out, so that a single mention counts nothing"},
				{weight(1, 0), "left the rarity out"},
			}},
		{"ln(1 + (N − df + 0.5) / (df + 0.5)) × tf / (tf + 0.9), which is BM25 in an article of average length",
			"ln(1 + " + brief(n-d+0.5) + "/" + brief(d+0.5) + ") × " + itoa(tf) + "/" + brief(t+0.9),
			figure.Forms{TF: 2, IDF: 2}, []Mistake{
				{weight(0, 2), "multiplied by tf without saturation"},
				{float64(float.Log((n-d+0.5)/(d+0.5)) * t / (t + 0.9)), "left the 1 in the logarithm out"},
				{weight(2, 0), "left the rarity out"},
			}},
	}
	f := forms[level-1]
	_, _, answer := x.Weight(0, f.form)
	return &Exercise{Question: "What is the weight of this word, by " + f.formula + "? ln is the natural logarithm.",
		Given: []string{"How often the word occurs in the article, tf: " + itoa(tf),
			"Articles that have the word, df: " + itoa(df), "Articles of the collection, N: " + itoa(docs)},
		Answer: answer, Hint: "Work out the logarithm of the rarity first, then multiply by the factor of tf",
		Working: f.working, Wrong: f.wrong}
}

func makeRRF(rng *rand.Rand, level int) *Exercise {
	k := 1 + rng.IntN(4)
	a, b := 1+rng.IntN(6), 1+rng.IntN(9)
	if a == b {
		return nil
	}
	w := []float64{0.5, 0.5, float64(1+rng.IntN(4)) / 10}[level-1]
	c := float64(k)
	by := 2.0 // both lists have weight 1
	weights, adds := "", "1 / (k + rank)."
	hint := "Divide 1 by k + rank for each list that has the document, then add up"
	if level == 3 {
		by, adds, hint = 1, "its weight / (k + rank).", "Divide each list's weight by k + rank, then add up"
		weights = ", with weight " + brief(1-w) + " for the first list and " + brief(w) + " for the second"
	}
	score := func(a, b int, w, k float64) float64 { return float64(by * figure.ReciprocalRanks(a, b, w, k)) }
	share := func(w float64, rank int) string {
		return brief(float64(by*w)) + "/(" + itoa(k) + " + " + itoa(rank) + ")"
	}
	given := []string{"Its rank in the first list: " + itoa(a), "Its rank in the second list: " + itoa(b)}
	wrong := []Mistake{
		{score(a, b, w, 0), "left k out"},
		{max(score(a, 0, w, c), score(0, b, w, c)), "used only one list"},
		{by / (c + float64(float64(a+b)/2)), "averaged the ranks first"},
		{score(a, b, w, c) / 2, "divided by the number of lists"},
	}
	working := share(1-w, a) + " + " + share(w, b)
	switch level {
	case 2:
		given = append(given, "In the third list: not among its documents")
		wrong[2] = Mistake{score(a, b, w, c) + 1/c, "counted the third list as rank 0"}
		wrong[3].Value = score(a, b, w, c) / 3
	case 3:
		wrong[2] = Mistake{score(a, b, 1-w, c), "given each list the weight of the other"}
		wrong[3] = Mistake{float64(score(a, b, 0.5, c) * 2), "left the weights out"}
	}
	return &Exercise{
		Question: "What is the score of this document by reciprocal rank fusion with k = " + itoa(k) + weights +
			"? Each list that has it adds " + adds,
		Given: given, Answer: score(a, b, w, c), Hint: hint, Working: working, Wrong: wrong}
}

func makeProbe(rng *rand.Rand, level int) *Exercise {
	lists := []int{5, 6, 8}[level-1] + rng.IntN(3)
	sizes, all := make([]int, lists), 0
	for i := range sizes {
		sizes[i] = 5 + rng.IntN(30)
		all += sizes[i]
	}
	probes := 2 + rng.IntN(lists-3)
	given := []string{"Articles in each list, nearest list first: " + commas(sizes)}
	has := "An inverted-file index has " + itoa(lists) + " lists. "
	ask := has + "A search probes the nearest " + itoa(probes) + ". How many dot products does it take?"
	found := 0
	var holds []int // level 3: the list of each of the exact first ten
	if level == 3 {
		for range 10 {
			holds = append(holds, 1+min(rng.IntN(lists), rng.IntN(lists)))
		}
		for probes = 0; found < 8; { // of ten
			probes++
			for _, h := range holds {
				if h == probes {
					found++
				}
			}
		}
		given = append(given, "The list that holds each of the exact first ten, by the same numbers: "+commas(holds))
		ask = has + "A search probes as few of the nearest lists as give a recall of at least 0.8 of the exact " +
			"first ten. " +
			"How many dot products does it take?"
		if probes < 3 || probes == lists {
			return nil
		}
	}
	sum, parts := 0, []string{itoa(lists)}
	for _, n := range sizes[:probes] {
		sum += n
		parts = append(parts, itoa(n))
	}
	cost := float64(lists + sum)
	e := &Exercise{Question: ask, Given: given, Answer: cost, Working: strings.Join(parts, " + "),
		Hint: "Count one dot product for each centre of a list and one for each article in the probed lists"}
	e.Wrong = []Mistake{
		{float64(sum), "left out the dot products with the centres"},
		{float64(probes + sum), "compared the query with the centres of the probed lists only"},
		{float64(all), "scanned every list, without the index"},
	}
	switch level {
	case 2:
		e.Question = has + "A search probes the nearest " + itoa(probes) + ". Which share of the dot " +
			"products of an exact search over all articles does it take?"
		e.Answer, e.Working = cost/float64(all), "("+e.Working+") / "+itoa(all)
		e.Hint += ". Divide by the number of all articles"
		e.Wrong = []Mistake{
			{float64(sum) / float64(all), "left out the dot products with the centres"},
			{cost / float64(all+lists), "counted the centres for the exact search, which has none"},
			{float64(probes) / float64(lists), "assumed that all lists are equally long"},
		}
	case 3:
		e.Working += ", for the nearest " + itoa(probes) + " lists"
		e.Hint = "Find the fewest lists that hold eight of the ten. " + e.Hint
		before := cost - float64(sizes[probes-1])
		e.Wrong[1] = Mistake{before, "stopped one list too early, at a recall below 0.8"}
	}
	return e
}

func makeExpand(rng *rand.Rand, level int) *Exercise {
	share := func() float64 { return float64(5+5*rng.IntN(8)) / 100 }
	if level > 1 {
		x, y, b, v, a := share(), share(), float64(2+rng.IntN(3))/4, share(), 1.0
		if level == 3 {
			a = 0.5
		}
		return &Exercise{Question: "What is the weight of this word by Rocchio, α × its weight in the query + β × " +
			"the mean of " +
			"its weights in the three feedback documents?",
			Given: []string{"Its weight in the query: " + brief(v), "Its weights in the documents: " + brief(x) +
				" 0 " +
				brief(y), "α = " + brief(a) + ", β = " + brief(b)},
			Hint: "Add up its weights in the documents and divide by three documents, " +
				"also by the one without the word",
			Answer: float64(a*v) + float64(b*(x+y)/3),
			Working: brief(a) + " × " + brief(v) + " + " + brief(b) + " × (" + brief(x) + " + 0 + " + brief(y) +
				") / 3",
			Wrong: []Mistake{
				{float64(a*v) + float64(b*(x+y)/2),
					"averaged over the documents that have the word, without the third"},
				{float64(a*v) + float64(b*(x+y)), "added up the documents without taking their mean"},
				{float64(b * (x + y) / 3), "replaced the query by the feedback"},
			}}
	}
	w, n, f := float64(2+rng.IntN(7))/10, 2+rng.IntN(4), share()
	if w == 0.5 {
		return nil
	}
	q := 1 / float64(n)
	return &Exercise{Question: "What is the weight of this word by RM3? The words of the query share 1 among them.",
		Given: []string{"Words of the query, all different, with this one among them: " + itoa(n),
			"Weight of the original query: " + brief(w), "Its share of the feedback: " + brief(f)},
		Hint: "Its share of the query is 1 / number of words. Mix that with its share of the feedback by the weight " +
			"of the query",
		Answer:  figure.Interpolate(q, f, w),
		Working: brief(w) + " × 1/" + itoa(n) + " + " + brief((10-float64(10*w))/10) + " × " + brief(f),
		Wrong: []Mistake{{figure.Interpolate(1, f, w), "counted the word instead of taking its share of the query"},
			{figure.Interpolate(f, q, w), "given the feedback the weight of the query"},
			{float64((1 - w) * f), "left the query's part out"}}}
}
