package significance

import "slices"

// arrange moves the values of the given ranks, ascending and counted from first, to the places they have in the sorted
// x: Hoare's selection (1961) for several ranks at once. The pivot is the median of three, so the work does not depend
// on chance.
func arrange(x []float64, ranks []int, first int) {
	for rounds := 0; len(ranks) > 0 && len(x) > 1; rounds++ {
		if rounds > 200 { // no data should come here
			slices.Sort(x)
			return
		}
		i, j := partition(x)
		l, _ := slices.BinarySearch(ranks, first+j+1)
		arrange(x[:j+1], ranks[:l], first)
		r, _ := slices.BinarySearch(ranks, first+i)
		x, ranks, first = x[i:], ranks[r:], first+i
	}
}

// partition moves the values of x[:j+1] before those of x[i:], what is between is equal; j < i.
//
//go:noinline
func partition(x []float64) (i, j int) {
	j = len(x) - 1
	first, mid, last := x[0], x[len(x)/2], x[j]
	pivot := max(min(first, mid), min(max(first, mid), last))
	for i <= j {
		for x[i] < pivot {
			i++
		}
		for x[j] > pivot {
			j--
		}
		if i <= j {
			x[i], x[j] = x[j], x[i]
			i++
			j--
		}
	}
	return i, j
}
