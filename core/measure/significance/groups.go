package significance

import (
	"slices"
	"strings"
)

// Groups returns a compact letter display: a string of letters for every system, so that two systems share a letter
// exactly if they are not significantly different. notDifferent is asked for i < j only. Systems are taken in descending order of
// mean (NaN last, ties by index), so that a is the letter of the best; letters within a string ascend. There are as
// many letters as needed: a … z, then A … Z, then aa, ab … (which no real experiment reaches), each written after a
// space then.
//
// The letters are cliques of the graph of pairs that are not significantly different, found greedily from the best system down,
// those that others make superfluous left out. They need not be fewest, but they are always the same for the same
// input. Cost: k³ steps and more, k²/2 calls of notDifferent.
//
// Source: Piepho 2004, Journal of Computational and Graphical Statistics 13; Gramm et al. 2007 (clique covering).
// It is one algorithm, as published.
func Groups(means []float64, notDifferent func(i, j int) bool) []string {
	k := len(means)
	order := ascending(means)
	slices.SortStableFunc(order, func(i, j int) int {
		x, y := means[i], means[j]
		if x != x || y != y {
			return compare(x, y)
		}
		return compare(y, x)
	})
	// same[a][b]: the a-th and the b-th best are not significantly different
	same := make([][]bool, k)
	for a := range same {
		same[a] = make([]bool, k)
	}
	for a := range k {
		same[a][a] = true
		for b := a + 1; b < k; b++ {
			i, j := order[a], order[b]
			s := notDifferent(min(i, j), max(i, j))
			same[a][b], same[b][a] = s, s
		}
	}
	// covered counts the cliques that a pair shares
	covered := make([][]int, k)
	for a := range covered {
		covered[a] = make([]int, k)
	}
	var cliques [][]int
	grow := func(a, b int) {
		c := []int{a}
		if b != a {
			c = append(c, b)
		}
		fits := func(x int) bool {
			for _, y := range c {
				if x == y || !same[x][y] {
					return false
				}
			}
			return true
		}
		for x := range k {
			if fits(x) {
				c = append(c, x)
			}
		}
		slices.Sort(c)
		for _, x := range c {
			for _, y := range c {
				covered[x][y]++
			}
		}
		cliques = append(cliques, c)
	}
	for a := range k {
		for b := k - 1; b >= a; b-- {
			if same[a][b] && covered[a][b] == 0 {
				grow(a, b)
			}
		}
	}
	// leave out what is covered twice throughout, the last found first
	for i := len(cliques) - 1; i >= 0; i-- {
		needed := false
		for _, x := range cliques[i] {
			for _, y := range cliques[i] {
				needed = needed || covered[x][y] == 1
			}
		}
		if !needed {
			for _, x := range cliques[i] {
				for _, y := range cliques[i] {
					covered[x][y]--
				}
			}
			cliques = slices.Delete(cliques, i, i+1)
		}
	}
	slices.SortStableFunc(cliques, slices.Compare[[]int])
	out := make([][]string, k)
	for l, c := range cliques {
		for _, x := range c {
			out[order[x]] = append(out[order[x]], letter(l))
		}
	}
	groups := make([]string, k)
	sep := ""
	if len(cliques) > 52 {
		sep = " "
	}
	for i, l := range out {
		groups[i] = strings.Join(l, sep)
	}
	return groups
}

// letter returns a … z, A … Z, aa, ab …
func letter(i int) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if i < len(letters) {
		return letters[i : i+1]
	}
	return letter(i/26-2) + letters[i%26:i%26+1]
}
