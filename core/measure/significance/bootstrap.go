package significance

import "slices"

// resample returns the means of Options.Samples resamples of the positions of rows, for every row; the same positions
// serve all of them. None for fewer than two positions.
func resample(rows [][]float64, o Options) ([][]float64, error) {
	means := make([][]float64, len(rows))
	n := len(rows[0])
	if n < 2 {
		return means, nil
	}
	draws := o.samples()
	for i := range means {
		means[i] = make([]float64, draws)
	}
	rnd, w := NewRand(o.Seed, streamBootstrap), o.watch()
	weight := make([]float64, n)
	for b := range draws {
		rnd.tally(weight)
		for i, row := range rows {
			means[i][b] = dot(weight, row) / float64(n)
		}
		if w.stopped(n * (2 + len(rows))) {
			return nil, ErrCancelled
		}
	}
	return means, nil
}

// tally draws as many positions of weight as there are, and sets weight to how often each was drawn: Intn for each,
// written out so that in wasm the state stays in registers.
//
//go:noinline
func (r *Rand) tally(weight []float64) {
	clear(weight)
	x := *r
	bound := uint32(len(weight))
	reject := -bound % bound
	for range weight {
		m := (x.Uint64() >> 32) * uint64(bound)
		for uint32(m) < reject {
			m = (x.Uint64() >> 32) * uint64(bound)
		}
		weight[m>>32]++
	}
	*r = x
}

// dot returns the sum of products, the even and the odd positions apart: a processor has two adders. Eight products a
// turn, because in wasm the loop costs as much as a product; the order of the additions is that of the plain loop.
//
//go:noinline
func dot(x, y []float64) float64 {
	var even, odd float64
	for len(x) >= 8 {
		a, b := (*[8]float64)(x), (*[8]float64)(y)
		even += float64(a[0] * b[0])
		odd += float64(a[1] * b[1])
		even += float64(a[2] * b[2])
		odd += float64(a[3] * b[3])
		even += float64(a[4] * b[4])
		odd += float64(a[5] * b[5])
		even += float64(a[6] * b[6])
		odd += float64(a[7] * b[7])
		x, y = x[8:], y[8:]
	}
	for i, v := range x {
		if i&1 == 0 {
			even += float64(v * y[i])
		} else {
			odd += float64(v * y[i])
		}
	}
	return even + odd
}

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
