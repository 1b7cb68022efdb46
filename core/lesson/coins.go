package lesson

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/significance"
)

// Coins are the differences of two systems, a query each, whose signs are tossed for: the randomisation test by hand.
type Coins struct {
	Queries []string
	D       []float64
	Mean    float64 // as it was measured
	Ways    int     // to set the signs of those that are not 0
	Share   float64 // of all ways, with a mean as far from 0 or farther: the exact p

	all  float64 // the largest sum that there can be
	tol  float64 // how far sums of the same numbers may be apart
	edge int     // bars from 0 to the measured mean
}

// mostCoins bounds the differences: all their signs are set when a page is rendered.
const mostCoins = 12

// sides is how many bars the histogram has on each side of 0, about.
const sides = 12

// NewCoins takes differences. It refuses those of which no histogram can be drawn: too many, or with a mean next to 0.
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

// coins reads "m D A nDCG@10 10 : caption": the measure of D minus that of A on the first ten queries.
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

// Coins are those of a block of this kind.
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

// sum adds the differences up, in their order, with the signs of those turned whose bit is set.
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

// Edge is how many bars of a histogram stand between 0 and the measured mean, on either side.
func (c *Coins) Edge() int { return c.edge }

// Tosses are what has been tossed.
type Tosses struct {
	*Coins
	Made, Far int     // how many, and how many of them have a mean as far from 0 as the measured one or farther
	Bars      []int   // how many means fell between two edges, from the least; half of the bars are below 0
	Last      uint    // whose signs the last toss has turned, a bit each
	Now       float64 // its mean
	Rounds    int     // how often it was tossed, be it once or many times

	rng *significance.Rand
}

// Toss begins to toss; the same seed, any text, gives the same tosses everywhere.
func (c *Coins) Toss(seed string) *Tosses {
	h := fnv.New64a()
	h.Write([]byte(seed))
	return &Tosses{Coins: c, Bars: make([]int, 2*c.half()), rng: significance.NewRand(h.Sum64(), 0)}
}

// half is how many bars it takes from 0 to the largest mean that there can be.
func (c *Coins) half() int {
	return max(c.edge+1, int(math.Ceil(float64(c.edge)*(c.all-c.tol)/math.Abs(c.sum(0)))))
}

// All are all ways to set the signs, each once.
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

// Says says how many were as far out, and what all ways give; "" before the first toss.
func (t *Tosses) Says() string {
	if t.Made == 0 {
		return ""
	}
	return say.Thousands(t.Far) + " of " + say.Count(t.Made, "toss", "tosses") + ", " +
		say.Page.Percent(float64(t.Far)/float64(t.Made), 1) +
		", " + map[bool]string{true: "has", false: "have"}[t.Made == 1] +
		" a mean as far from 0 as the measured one, or farther. " + t.Exactly()
}

// Exactly says what all ways give.
func (c *Coins) Exactly() string {
	return "All " + say.Thousands(c.Ways) + " ways to set the signs give " + say.Page.Percent(c.Share, 1) + ": p is " +
		say.Page.P(c.Share) + "."
}
