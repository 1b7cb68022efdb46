package lesson

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/lesson/figure"
	"github.com/rankbox/rankbox/core/say"
)

// Exercises of the lessons on retrieval.

// drawPostings draws a posting list of n documents that are apart by up to gap.
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
	rest := 0 // what stands behind the end of the list that ends first
	for _, d := range append(slices.Clone(a), b...) {
		if d > end {
			rest++
		}
	}
	wrong := []Mistake{
		{float64(len(a) * len(b)), "compared each posting with each of the other list, without using their order"},
		{float64(n + len(both)), "counted two comparisons where both pointers move"},
		{float64(n + rest), "gone on when one list was at its end"},
		{float64(len(a) + len(b)), "added up both lengths"},
	}
	ask := "How many comparisons does a merge of these two posting lists take, until one is at its end?"
	given := []string{"Postings of the first word: " + list(a), "Postings of the second word: " + list(b)}
	if every > 1 {
		wrong = append([]Mistake{{float64(plain), "followed no skip pointer"}}, wrong[1:]...)
		ask += " Every third posting of the first list has a skip pointer to the one three further on. Where the first " +
			"pointer is at the smaller document and has a skip pointer, the merge compares the document behind that, too."
	}
	return &Exercise{Question: ask, Given: given, Answer: float64(n),
		Working: strings.Join(work, ", ") + ": " + say.Count(n, "comparison", "comparisons"), Wrong: wrong}
}
