package lesson

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// Coins are the per-query differences of two systems whose signs are tossed: the randomisation test by hand.
type Coins struct {
	Queries []string
	D       []float64
	Mean    float64 // the observed mean
	Ways    int     // number of sign assignments of the non-zero differences
	Share   float64 // share of assignments whose mean is at least as far from 0: the exact p

	all  float64 // the largest possible sum
	tol  float64 // rounding tolerance between sums of the same numbers
	edge int     // number of bars from 0 to the observed mean
}

// mostCoins limits the differences, because rendering a page enumerates all their signs.
const mostCoins = 12

// sides is the approximate number of histogram bars on each side of 0.
const sides = 12

// NewCoins takes differences. It refuses those without a useful histogram: too many, or a mean next to 0.
func NewCoins(queries []string, d []float64) (*Coins, error) {
	if len(d) != len(queries) || len(d) < 2 || len(d) > mostCoins {
		return nil, fmt.Errorf("2 to %d differences are tossed for, and here are %d", mostCoins, len(d))
	}
	p, err := significance.Randomisation(d, significance.Options{})
	if err != nil {
		return nil, err
	}
	c := &Coins{Queries: queries, D: d, Mean: p.Statistic, Ways: p.Draws, Share: p.P}
	for _, v := range d {
		c.all += math.Abs(v)
	}
	c.tol = 1e-12 * c.all
	if c.all > 0 && c.all-c.all == 0 {
		c.edge = int(math.Round(sides * math.Abs(c.sum(0)) / c.all))
	}
	if c.edge == 0 {
		return nil, errors.New("the differences have a mean next to 0: nothing is farther from it")
	}
	return c, nil
}

// coins parses "m D A nDCG@10 10 : caption": the measure of D minus that of A on the first ten queries.
func (r *resolver) coins(text string) (out Block, err error) {
	what, caption, ok := strings.Cut(text, " : ")
	args := strings.Fields(what)
	if len(args) != 5 || !ok {
		return out, errors.New("!coins is followed by a comparison, two of its systems, a measure, how many queries, " +
			"and behind \" : \" what these are")
	}
	if out.Note, err = r.fill(caption); err != nil {
		return out, err
	}
	f, ok := r.facts[args[0]].(*comparison)
	if !ok {
		return out, fmt.Errorf("there is no comparison %q", args[0])
	}
	at := [2]int{}
	for i, s := range args[1:3] {
		if at[i] = -1; len(s) == 1 {
			at[i] = int(s[0] - 'A')
		}
		if at[i] < 0 || at[i] >= len(f.Systems) {
			return out, fmt.Errorf("%q is no system of it: A is the first", s)
		}
	}
	k := slices.IndexFunc(f.Columns, func(c report.Column) bool { return c.Measure == args[3] })
	if k < 0 {
		return out, fmt.Errorf("%q is not among the measures", args[3])
	}
	n, err := strconv.Atoi(args[4])
	if err != nil || n < 2 || n > min(mostCoins, len(f.Queries)) {
		return out, fmt.Errorf("%q: 2 to %d queries", args[4], mostCoins)
	}
	for i, q := range f.Queries[:n] {
		d := significance.Difference(f.Columns[k].Values[at[1]][i], f.Columns[k].Values[at[0]][i])
		out.Rows = append(out.Rows, []string{q.Text, say.Exact(d)})
	}
	out.Kind = Coin
	out.Name = args[3]
	_, err = out.Coins()
	return out, err
}

// Coins returns the coins of a block of this kind.
func (b *Block) Coins() (*Coins, error) {
	var queries []string
	var d []float64
	for _, r := range b.Rows {
		v, err := strconv.ParseFloat(r[1], 64)
		if err != nil {
			return nil, err
		}
		queries, d = append(queries, r[0]), append(d, v)
	}
	return NewCoins(queries, d)
}

// sum adds the differences in order, with a flipped sign for each set bit.
func (c *Coins) sum(turned uint) float64 {
	s := 0.0
	for i, v := range c.D {
		if turned>>i&1 != 0 {
			v = -v
		}
		s += v
	}
	return s
}

// Edge returns the number of histogram bars between 0 and the observed mean, on either side.
func (c *Coins) Edge() int { return c.edge }

// Tosses holds the tosses so far.
type Tosses struct {
	*Coins
	Made, Far int     // how many, and how many of them have a mean at least as far from 0 as the observed one
	Bars      []int   // number of means between two edges, ascending; half of the bars are below 0
	Last      uint    // flipped signs of the last toss, a bit each
	Now       float64 // mean of the last toss
	Rounds    int     // how often Add was called

	rng *significance.Rand
}

// Toss starts a series of tosses. Equal seeds give equal tosses on every machine.
func (c *Coins) Toss(seed string) *Tosses {
	h := fnv.New64a()
	h.Write([]byte(seed))
	return &Tosses{Coins: c, Bars: make([]int, 2*c.barsToMax()), rng: significance.NewRand(h.Sum64(), 0)}
}

// barsToMax returns the number of bars from 0 to the largest possible mean.
func (c *Coins) barsToMax() int {
	return max(c.edge+1, int(math.Ceil(float64(c.edge)*(c.all-c.tol)/math.Abs(c.sum(0)))))
}

// All returns all sign assignments, each once.
func (c *Coins) All() *Tosses {
	t := c.Toss("")
	for turned := range uint(1) << len(c.D) {
		t.fall(turned)
	}
	return t
}

// Add tosses every coin n times.
func (t *Tosses) Add(n int) {
	t.Rounds++
	for range n {
		t.fall(uint(t.rng.Uint64() >> (64 - len(t.D))))
	}
}

// fall counts a toss.
func (t *Tosses) fall(turned uint) {
	s, measured := t.sum(turned), math.Abs(t.sum(0))
	from := math.Abs(s)
	bar := int(float64(t.edge) * from / measured)
	if from >= measured-t.tol {
		t.Far++
		bar = min(max(bar, t.edge), len(t.Bars)/2-1)
	} else {
		bar = min(bar, t.edge-1)
	}
	if s < 0 {
		bar = -1 - bar
	}
	t.Bars[len(t.Bars)/2+bar]++
	t.Made++
	t.Last, t.Now = turned, s/float64(len(t.D))
}

// Says describes how many means were as extreme, compared with all assignments; "" before the first toss.
func (t *Tosses) Says() string {
	if t.Made == 0 {
		return ""
	}
	return say.Thousands(t.Far) + " of " + say.Count(t.Made, "toss", "tosses") + ", " +
		say.Page.Percent(float64(t.Far)/float64(t.Made), 1) +
		", " + map[bool]string{true: "has", false: "have"}[t.Made == 1] +
		" a mean as far from 0 as the measured one, or farther. " + t.Exactly()
}

// Exactly describes the result of all assignments.
func (c *Coins) Exactly() string {
	return "All " + say.Thousands(c.Ways) + " ways to set the signs give " + say.Page.Percent(c.Share, 1) + ": p is " +
		say.Page.P(c.Share) + "."
}
