package significance

import (
	"math"

	"github.com/rankbox/rankbox/core/say"
)

// A Table is the scores of systems on the same queries: Table[system][query], all rows of one length.
type Table [][]float64

func (t Table) check() error {
	for i := range t {
		if len(t[i]) != len(t[0]) {
			return say.Faultf("significance", "read table: system %d has %d queries, system 0 has %d", i, len(t[i]),
				len(t[0]))
		}
	}
	return nil
}

// queries returns the number of queries.
func (t Table) queries() int {
	if len(t) == 0 {
		return 0
	}
	return len(t[0])
}

func (t Table) finite() bool {
	for _, row := range t {
		if !finite(row) {
			return false
		}
	}
	return true
}

// Pairs returns all pairs {i, j} of k systems with i < j, in the order (0,1), (0,2) … (1,2) …: the order of every list
// of pairs here.
func Pairs(k int) [][2]int {
	out := [][2]int{}
	for i := range k {
		for j := i + 1; j < k; j++ {
			out = append(out, [2]int{i, j})
		}
	}
	return out
}

// maxExactShuffles is the number of shuffles of a whole table up to which RandomisedTukey enumerates them.
const maxExactShuffles = 100000

// RandomisedTukey is Tukey's honestly significant difference without the normal distribution, for all pairs of systems
// at once:
// every query's scores are shuffled over the systems; P of a pair is the share of shuffles whose largest difference of
// any two means is at least that pair's. It needs no further correction for the number of pairs. Two-sided. The results
// are in the order of Pairs, Statistic is mean(j) - mean(i).
//
// Small tables, (k!)ⁿ⁻¹ ≤ 100,000, are enumerated; otherwise Options.Samples shuffles are drawn and P = (count +
// 1)/(draws + 1). NaN where a score is not finite or there are no queries.
//
// Source: Carterette 2012, ACM TOIS 30(1); Sakai 2018. Shuffling: several numbers from one draw (Brackett-Rozinsky and
// Lemire 2024).
func RandomisedTukey(t Table, o Options) ([]Result, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	k, n := len(t), t.queries()
	if k > MaxSystems {
		return nil, say.Faultf("significance", "randomised Tukey HSD: %d systems, the limit is %d", k, MaxSystems)
	}
	pairs := Pairs(k)
	out := make([]Result, len(pairs))
	for p := range out {
		nan := math.NaN()
		out[p] = Result{Test: "tukey", N: n, Statistic: nan, P: nan, Low: nan, High: nan}
	}
	if n == 0 || k < 2 || !t.finite() {
		return out, nil
	}
	// sums instead of means; the query's scores side by side
	scores := make([]float64, n*k)
	size := 0.0
	for i, row := range t {
		for q, v := range row {
			scores[q*k+i] = v
		}
		size = max(size, magnitude(row))
	}
	tol := float64(tieTolerance * float64(2*size))
	limit := make([]float64, len(pairs))
	for p, ij := range pairs {
		limit[p] = math.Abs(sum(t[ij[1]])-sum(t[ij[0]])) - tol
		out[p].Statistic = Mean(t[ij[1]]) - Mean(t[ij[0]])
	}
	counts := make([]int, len(pairs))
	count := func(sums []float64) {
		lo, hi := sums[0], sums[0]
		for _, s := range sums[1:] {
			if s < lo {
				lo = s
			}
			if s > hi {
				hi = s
			}
		}
		q := hi - lo
		for p, l := range limit {
			if q >= l {
				counts[p]++
			}
		}
	}
	if total, ok := shuffles(k, n); ok {
		w := o.watch()
		if !everyShuffle(scores, k, 1, append([]float64(nil), scores[:k]...), count, &w) {
			return nil, ErrCancelled
		}
		for p := range out {
			out[p].Method, out[p].Draws = "exact", total
			out[p].P = float64(counts[p]) / float64(total)
		}
		return out, nil
	}
	if err := drawShuffles(scores, k, count, o); err != nil {
		return nil, err
	}
	for p := range out {
		r := &out[p]
		r.Method, r.Draws = "monte-carlo", o.samples()
		r.P = float64(counts[p]+1) / float64(r.Draws+1)
		r.Error = math.Sqrt(float64(r.P*(1-r.P)) / float64(r.Draws+1))
	}
	return out, nil
}

// shuffles returns (k!)^(n-1), the number of shuffles of n rows of k with the first row left as it is: exchanging the
// columns does not change their range.
func shuffles(k, n int) (int, bool) {
	total, f := 1, 1
	for i := 2; i <= k && n > 1; i++ {
		if f *= i; f > maxExactShuffles {
			return 0, false
		}
	}
	for range n - 1 {
		if total *= f; total > maxExactShuffles {
			return 0, false
		}
	}
	return total, true
}

// everyShuffle calls count with the column sums of every shuffle of the rows from the given one on, added to sums.
func everyShuffle(scores []float64, k, row int, sums []float64, count func([]float64), w *watch) bool {
	if (row+1)*k > len(scores) {
		count(sums)
		return !w.stopped(20 * k * k)
	}
	next := make([]float64, k)
	order := make([]int, k)
	for i := range order {
		order[i] = i
	}
	var permute func(i int) bool
	permute = func(i int) bool {
		if i == k {
			for c, from := range order {
				next[c] = sums[c] + scores[row*k+from]
			}
			return everyShuffle(scores, k, row+1, next, count, w)
		}
		for j := i; j < k; j++ {
			order[i], order[j] = order[j], order[i]
			ok := permute(i + 1)
			order[i], order[j] = order[j], order[i]
			if !ok {
				return false
			}
		}
		return true
	}
	return permute(0)
}

// drawShuffles calls count with the column sums of random shuffles of every row.
func drawShuffles(scores []float64, k int, count func([]float64), o Options) error {
	w := o.watch()
	s := shuffler{rnd: NewRand(o.Seed, streamTukey), groups: shuffleGroups(k)}
	for range o.samples() {
		clear(s.sums[:k])
		for at := 0; at < len(scores); at += k {
			s.add(scores[at : at+k])
		}
		count(s.sums[:k])
		if w.stopped(len(scores) * 4) {
			return ErrCancelled
		}
	}
	return nil
}

// shuffler adds shuffled rows. Its arrays have a power of two of elements, so that no index needs a check.
type shuffler struct {
	rnd       *Rand
	groups    []shuffleGroup
	sums, row [MaxSystems]float64
}

// add shuffles a row and adds it to sums. It is a function of its own, like the others that every draw calls, because a
// browser exchanges its first, slow code of a function for fast code only where the function is entered.
//
//go:noinline
func (s *shuffler) add(row []float64) {
	copy(s.row[:], row)
	for _, g := range s.groups {
		x := s.rnd.Uint64() >> (64 - shuffleBits)
		for x*g.product&(1<<shuffleBits-1) < g.reject {
			x = s.rnd.Uint64() >> (64 - shuffleBits)
		}
		i, down := uint64(g.left-1), uint64(g.down)
		for ; i >= down+3; i -= 4 { // the same four times: in wasm the loop costs as much as what it does
			x *= i + 1
			j := x >> shuffleBits & (MaxSystems - 1)
			x &= 1<<shuffleBits - 1
			s.sums[i&(MaxSystems-1)] += s.row[j]
			s.row[j] = s.row[i&(MaxSystems-1)]

			x *= i
			j = x >> shuffleBits & (MaxSystems - 1)
			x &= 1<<shuffleBits - 1
			s.sums[(i-1)&(MaxSystems-1)] += s.row[j]
			s.row[j] = s.row[(i-1)&(MaxSystems-1)]

			x *= i - 1
			j = x >> shuffleBits & (MaxSystems - 1)
			x &= 1<<shuffleBits - 1
			s.sums[(i-2)&(MaxSystems-1)] += s.row[j]
			s.row[j] = s.row[(i-2)&(MaxSystems-1)]

			x *= i - 2
			j = x >> shuffleBits & (MaxSystems - 1)
			x &= 1<<shuffleBits - 1
			s.sums[(i-3)&(MaxSystems-1)] += s.row[j]
			s.row[j] = s.row[(i-3)&(MaxSystems-1)]
		}
		for ; i >= down; i-- {
			x *= i + 1
			j := x >> shuffleBits & (MaxSystems - 1)
			x &= 1<<shuffleBits - 1
			s.sums[i&(MaxSystems-1)] += s.row[j]
			s.row[j] = s.row[i&(MaxSystems-1)]
		}
	}
	s.sums[0] += s.row[0]
}

// MaxSystems is the number of systems above which RandomisedTukey returns an error; a power of two.
const MaxSystems = 1024

// shuffleBits is the width of the fraction that random positions are taken from, most significant first: times
// MaxSystems it fits a word.
const shuffleBits = 48

// shuffleGroup says that one draw gives positions among left, left-1 … down+1, and which remainders are drawn again so
// that all are equally likely.
type shuffleGroup struct {
	left, down      int
	product, reject uint64 // left·(left-1)…(down+1), and 2**48 modulo it
}

func shuffleGroups(k int) []shuffleGroup {
	var out []shuffleGroup
	for left := k; left > 1; {
		product, down := uint64(1), left
		for down > 1 && product*uint64(down) < 1<<40 {
			product *= uint64(down)
			down--
		}
		out = append(out, shuffleGroup{left, down, product, (1 << shuffleBits) % product})
		left = down
	}
	return out
}
