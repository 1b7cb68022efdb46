package significance

import (
	"math"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/base/say"
)

// Association is how far two lists of numbers go together, from -1 to 1, and the two-sided p of there being nothing.
type Association struct {
	Coefficient float64
	P           float64
	N           int
}

func noAssociation(n int) Association { return Association{math.NaN(), math.NaN(), n} }

func samePairs(what string, x, y []float64) error {
	if len(x) != len(y) {
		return say.Faultf("significance", "%s: %d values of x and %d of y", what, len(x), len(y))
	}
	return nil
}

// Pearson returns the linear correlation of x and y. P is that of r·√((n-2)/(1-r²)) in Student's t with n - 2 degrees
// of freedom; 1 for n = 2. NaN where one of the two does not vary, for fewer than two values and for values that are
// not finite.
//
// Source: scipy.stats.pearsonr.
func Pearson(x, y []float64) (Association, error) {
	if err := samePairs("Pearson", x, y); err != nil {
		return noAssociation(0), err
	}
	n := len(x)
	if n < 2 || !finite(x) || !finite(y) {
		return noAssociation(n), nil
	}
	_, cx := constant(x)
	_, cy := constant(y)
	if cx || cy {
		return noAssociation(n), nil
	}
	r := correlation(x, y)
	if n == 2 {
		return Association{math.Copysign(1, r), 1, n}, nil
	}
	return Association{r, correlationP(r, n), n}, nil
}

// correlation returns the linear correlation of two lists that vary.
func correlation(x, y []float64) float64 {
	mx, xx, _ := moments(x)
	my, yy, _ := moments(y)
	xy := make([]float64, len(x))
	for i := range x {
		xy[i] = float64((x[i] - mx) * (y[i] - my))
	}
	return max(-1, min(1, sum(xy)/root2(xx, yy)))
}

// root2 returns √(ab), exactly a where a = b.
func root2(a, b float64) float64 {
	if p := a * b; p > 1e-280 && p < 1e280 {
		return math.Sqrt(p)
	}
	return float64(math.Sqrt(a) * math.Sqrt(b))
}

func correlationP(r float64, n int) float64 {
	t := math.Abs(r) * math.Sqrt(float64(n-2)/float64((1-r)*(1+r)))
	return unit(2 * StudentSF(t, float64(n-2)))
}

// Spearman returns the linear correlation of the ranks of x and y, ties sharing their mean rank. P as Pearson's; NaN
// for n = 2.
//
// Source: Spearman 1904; scipy.stats.spearmanr.
func Spearman(x, y []float64) (Association, error) {
	if err := samePairs("Spearman", x, y); err != nil {
		return noAssociation(0), err
	}
	n := len(x)
	if n < 2 || hasNaN(x) || hasNaN(y) {
		return noAssociation(n), nil
	}
	rx, _ := ranks(x)
	ry, _ := ranks(y)
	a, err := Pearson(rx, ry)
	if n == 2 {
		a.P = math.NaN()
	}
	return a, err
}

func hasNaN(x []float64) bool {
	for _, v := range x {
		if v != v {
			return true
		}
	}
	return false
}

// Kendall is the count of pairs behind the taus.
type Kendall struct {
	N                      int
	Concordant, Discordant float64 // pairs ordered alike and unlike
	TiedX, TiedY           float64 // pairs equal in x, in y (pairs equal in both count in both)
	A, B, C                float64 // τ-a, τ-b, τ-c; NaN where not defined
	// two-sided, of τ-b: exact without ties up to n = 33 (or with at most one pair out of order), else normal
	P float64
}

// KendallTau compares two lists of scores pair by pair. With P = concordant, Q = discordant, T and U = pairs tied in x
// and in y, n₀ = n(n-1)/2, m the smaller number of distinct values:
//
//	τ-a = (P - Q)/n₀    τ-b = (P - Q)/√((n₀ - T)(n₀ - U))    τ-c = 2(P - Q)/(n²(m - 1)/m)
//
// Source: Kendall 1945, Stuart 1953; n log n by Knight 1966; scipy.stats.kendalltau.
func KendallTau(x, y []float64) (Kendall, error) {
	nan := math.NaN()
	k := Kendall{N: len(x), A: nan, B: nan, C: nan, P: nan}
	if err := samePairs("Kendall", x, y); err != nil {
		return k, err
	}
	n := len(x)
	if n < 2 || hasNaN(x) || hasNaN(y) {
		return k, nil
	}
	x, y = level(x), level(y)
	// in the order of x, and of y where x is tied, the discordant pairs are the inversions of y
	byY := ascending(y)
	sx := make([]float64, n)
	for i, at := range byY {
		sx[i] = x[at]
	}
	ys := make([]float64, n)
	order := ascending(sx)
	for i, at := range order {
		ys[i] = y[byY[at]]
	}
	var both float64
	for i := 0; i < n; {
		j := i + 1
		for j < n && sx[order[j]] == sx[order[i]] && ys[j] == ys[i] {
			j++
		}
		t := float64(j - i)
		both += float64(float64(t*(t-1)) / 2)
		i = j
	}
	tx, x0, x1, mx := tieSums(x)
	ty, y0, y1, my := tieSums(y)
	total := float64(float64(float64(n)*float64(n-1)) / 2)
	k.Discordant = inversions(ys, make([]float64, n))
	k.Concordant = total - tx - ty + both - k.Discordant
	k.TiedX, k.TiedY = tx, ty
	s := k.Concordant - k.Discordant
	k.A = s / total
	if tx == total || ty == total {
		return k, nil
	}
	k.B = max(-1, min(1, s/math.Sqrt(total-tx)/math.Sqrt(total-ty)))
	m := float64(min(mx, my))
	k.C = max(-1, min(1, 2*s/float64(float64(float64(n)*float64(n))*((m-1)/m))))

	out := min(k.Discordant, total-k.Discordant)
	if tx == 0 && ty == 0 && (n <= 33 || out <= 1) {
		k.P = kendallExact(n, int(out))
		return k, nil
	}
	nn := float64(n)
	v := (float64(2*total*(2*nn+5)) - x1 - y1) / 18
	v += 2 * float64(tx*ty) / float64(2*total)
	v += float64(x0*y0) / float64(9*float64(float64(2*total)*(nn-2))) // of two values without ties p is exact
	k.P = float.Erfc(math.Abs(s) / math.Sqrt(v) / math.Sqrt2)
	return k, nil
}

// tieSums returns, over the groups of t equal values, Σt(t-1)/2, Σt(t-1)(t-2), Σt(t-1)(2t+5) and the number of groups.
func tieSums(x []float64) (pairs, s0, s1 float64, groups int) {
	order := ascending(x)
	for i := 0; i < len(order); {
		j := i + 1
		for j < len(order) && x[order[j]] == x[order[i]] {
			j++
		}
		t := float64(j - i)
		p := float64(t * (t - 1))
		pairs += float64(p / 2)
		s0 += float64(p * (t - 2))
		s1 += float64(p * (2*t + 5))
		groups++
		i = j
	}
	return pairs, s0, s1, groups
}

// inversions sorts x and returns how many pairs were in descending order.
func inversions(x, buf []float64) float64 {
	if len(x) < 2 {
		return 0
	}
	h := len(x) / 2
	count := inversions(x[:h], buf[:h]) + inversions(x[h:], buf[h:])
	copy(buf, x)
	i, j := 0, h
	for k := range x {
		if j == len(x) || i < h && buf[i] <= buf[j] {
			x[k] = buf[i]
			i++
		} else {
			x[k] = buf[j]
			j++
			count += float64(h - i)
		}
	}
	return count
}

// kendallExact returns the two-sided p of c pairs out of order (or in order, if fewer) of n values without ties: twice
// the share of permutations with at most c inversions.
func kendallExact(n, c int) float64 {
	// p[i] is the chance of i inversions among the first j values
	p := make([]float64, c+1)
	p[0] = 1
	for j := 2; j <= n; j++ {
		next := make([]float64, c+1)
		window := 0.0
		for i := range p {
			window += p[i]
			if i >= j {
				window -= p[i-j]
			}
			next[i] = window / float64(j)
		}
		p = next
	}
	s := 0.0
	for _, v := range p {
		s += v
	}
	return unit(2 * s)
}

// WeightedTau returns Vigna's weighted τ, in which exchanges near the top cost more: every pair weighs 1/(1+r) +
// 1/(1+s) for the ranks r, s from 0 of its members; ranks by descending x (ties by y) and by descending y (ties by x)
// are tried and averaged. NaN where one of the two does not vary. Cost: n² steps.
//
// Source: Vigna 2015; scipy.stats.weightedtau with its defaults.
func WeightedTau(x, y []float64) (float64, error) {
	if err := samePairs("weighted tau", x, y); err != nil {
		return math.NaN(), err
	}
	if len(x) < 2 || hasNaN(x) || hasNaN(y) {
		return math.NaN(), nil
	}
	return (weightedTau(x, y) + weightedTau(y, x)) / 2, nil
}

func weightedTau(x, y []float64) float64 {
	n := len(x)
	byY := ascending(y)
	sx := make([]float64, n)
	for i, at := range byY {
		sx[i] = x[at]
	}
	w := make([]float64, n) // 1/(1+rank)
	for r, at := range ascending(sx) {
		w[byY[at]] = 1 / float64(n-r)
	}
	var s, xx, yy float64
	for i := range x {
		for j := i + 1; j < n; j++ {
			v := w[i] + w[j]
			cx, cy := compare(x[i], x[j]), compare(y[i], y[j])
			if cx != 0 {
				xx += v
			}
			if cy != 0 {
				yy += v
			}
			s += float64(v * float64(cx*cy))
		}
	}
	return max(-1, min(1, s/math.Sqrt(xx)/math.Sqrt(yy)))
}

// TauAP compares the order of systems by their scores with that of a reference, errors near the top weighing more:
// 2/(n-1)·Σᵢ cᵢ/(i-1) - 1 over the ranks i = 2 … n of the ordering, cᵢ the number of systems above rank i that the
// reference too has above that system. It is not symmetric. NaN where either has ties, for which it is not defined, and
// for fewer than two systems.
//
// Source: Yilmaz, Aslam and Robertson 2008, SIGIR.
func TauAP(reference, ordering []float64) (float64, error) {
	if err := samePairs("tau AP", reference, ordering); err != nil {
		return math.NaN(), err
	}
	n := len(reference)
	if n < 2 || hasNaN(reference) || hasNaN(ordering) {
		return math.NaN(), nil
	}
	tx, _, _, _ := tieSums(reference)
	ty, _, _, _ := tieSums(ordering)
	if tx > 0 || ty > 0 {
		return math.NaN(), nil
	}
	order := ascending(ordering) // from the last
	s := 0.0
	for i := 1; i < n; i++ {
		at := order[n-1-i]
		c := 0
		for _, above := range order[n-i:] {
			if reference[above] > reference[at] {
				c++
			}
		}
		s += float64(c) / float64(i)
	}
	return 2*s/float64(n-1) - 1, nil
}
