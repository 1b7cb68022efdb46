package significance

import (
	"math"
	"slices"
)

// Level says at which level a pair is tested, and what came out.
type Level struct {
	// the pair is rejected if its P is below it; after a correction that is less than the level of the family
	Alpha  float64
	Reject bool
}

// maxExactSubsets is the number of queries up to which Invert lists every set of queries.
const maxExactSubsets = 13

// Invert returns for every pair of systems, in the order of Pairs, an interval of the mean difference that agrees with
// the paired test of a name: it leaves out 0 exactly if the pair is rejected. It holds every difference that the test
// would not reject at the pair's level, and what [Bounds.Interval] says of values with these bounds, because the
// inverted tests assume that differences spread about their mean as about 0: if most are 0, they are too narrow. Both
// ends are NaN if there is no such interval: if the test is not about the mean (Wilcoxon's, and the sign test of
// differences of several sizes), of no queries, and of values without bounds if there are fewer than
// [Enough] or no difference.
//
// The t test gives Student's interval. The randomisation test gives Hartigan's: it keeps a mean difference δ as long as
// enough sets of queries have a mean difference of δ or less, so the ends are order statistics of the means over sets.
// All sets count for up to 13 queries; above, those that the test draws.
//
// Source: Student 1908; Hartigan 1969, Using subsample values as typical values, JASA 64; as scipy.stats.ttest_rel.
func Invert(t Table, b Bounds, test string, levels []Level, o Options) ([][2]float64, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	pairs := Pairs(len(t))
	out := make([][2]float64, len(pairs))
	differences := make([][]float64, len(pairs))
	drawn := false
	n := t.queries()
	o.student = newStudent(float64(n - 1))
	for p, ij := range pairs {
		d, err := Differences(t[ij[0]], t[ij[1]])
		if err != nil {
			return nil, err
		}
		differences[p] = d
		out[p] = [2]float64{math.NaN(), math.NaN()}
		if n == 0 || !finite(d) || !(levels[p].Alpha > 0) {
			continue
		}
		switch {
		case len(nonZero(d)) == 0:
			out[p] = b.difference(d, out[p], levels[p])
		case test == "t":
			o.Level = 1 - levels[p].Alpha
			low, high := o.around(Mean(d), SD(d)/math.Sqrt(float64(n)), float64(n-1))
			out[p] = b.difference(d, [2]float64{low, high}, levels[p])
		case test == "randomisation" || test == "sign" && oneSize(d):
			drawn = true
		}
	}
	if !drawn {
		return out, nil
	}
	if n > maxExactSubsets && test == "randomisation" {
		o.Samples = max(o.samples(), drawsPerPair*len(pairs))
	}
	s, err := drawSubsets(t, &o)
	if err != nil {
		return nil, err
	}
	w := o.watch()
	means := make([]float64, 0, len(s.sizes))
	for p, ij := range pairs {
		d := differences[p]
		if test == "t" || !finite(d) || len(nonZero(d)) == 0 || test == "sign" && !oneSize(d) ||
			!(levels[p].Alpha > 0) {
			continue
		}
		means = s.means(means[:0], ij[0], ij[1], float64(tieTolerance*magnitude(d)))
		out[p] = b.difference(d, s.interval(means, Mean(d), levels[p]), levels[p])
		if w.stopped(len(means) * 16) {
			return nil, ErrCancelled
		}
	}
	return out, nil
}

// oneSize reports whether all differences but zeros have one size: the sign test is the randomisation test then.
func oneSize(d []float64) bool {
	size, tol := 0.0, same(d)
	for _, v := range d {
		if v = math.Abs(v); v <= tol {
			continue
		}
		if size == 0 {
			size = v
		}
		if math.Abs(v-size) > tol {
			return false
		}
	}
	return true
}

// subsets are sums of systems over sets of queries.
type subsets struct {
	sums  [][]float64 // [system][set]
	sizes []int       // of the sets
	extra int         // 1 where the drawn sets stand beside the empty one, as P = (count + 1)/(draws + 1) has it
}

// drawSubsets sums every row over all sets of queries, or over those that Randomisation draws.
func drawSubsets(t Table, o *Options) (*subsets, error) {
	n := t.queries()
	every := n <= maxExactSubsets
	draws := o.samples()
	s := &subsets{extra: 1}
	if every {
		draws, s.extra = 1<<n, 0
	}
	tables := make([]flipTable, len(t))
	for i, row := range t {
		tables[i] = newFlipTable(row)
		s.sums = append(s.sums, make([]float64, draws))
	}
	ones := make([]float64, n)
	for q := range ones {
		ones[q] = 1
	}
	size := newFlipTable(ones)
	s.sizes = make([]int, draws)
	rnd, w := NewRand(o.Seed, streamFlips), o.watch()
	set := make([]uint64, (n+63)/64)
	for b := range draws {
		for i := range set {
			if set[i] = uint64(b); !every {
				set[i] = rnd.Uint64()
			}
		}
		for i := range tables {
			s.sums[i][b] = tables[i].sum(set)
		}
		s.sizes[b] = int(size.sum(set))
		if w.stopped(len(t) * (n/8 + 8)) {
			return nil, ErrCancelled
		}
	}
	return s, nil
}

// means appends the mean differences of two systems over the sets that are not empty, those within tol of 0 made 0.
func (s *subsets) means(out []float64, i, j int, tol float64) []float64 {
	a, b := s.sums[i], s.sums[j]
	for x, n := range s.sizes {
		if n == 0 {
			continue
		}
		d := b[x] - a[x]
		if math.Abs(d) <= tol {
			d = 0
		}
		out = append(out, d/float64(n))
	}
	return out
}

// interval returns the ends among the means over sets, and moves those about.
func (s *subsets) interval(means []float64, mean float64, l Level) [2]float64 {
	empty := len(s.sizes) - len(means) + s.extra
	// δ is kept if count + empty is at least this
	least := int(math.Ceil(float64(float64(len(s.sizes)+s.extra)*l.Alpha)/2)) - empty
	if least < 1 || least > len(means) {
		return [2]float64{math.NaN(), math.NaN()}
	}
	ranks := []int{least - 1, len(means) - least}
	slices.Sort(ranks)
	arrange(means, ranks, 0)
	// the mean itself is as large as that of all queries in another order of adding
	return [2]float64{min(means[ranks[0]], mean), max(means[ranks[1]], mean)}
}
