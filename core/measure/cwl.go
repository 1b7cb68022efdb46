package measure

import (
	"fmt"

	"github.com/rankbox/rankbox/core/base/say"
)

// The measures of the C/W/L framework share a reader model: the reader looks at rank 1 and continues from rank i to
// rank i+1 with probability C(i), which may depend on the rank, the gain there and the gain so far. The score is
// the expected gain per document looked at. A. Moffat, P. Bailey, F. Scholer and P. Thomas, Incorporating user
// expectations and behavior into the measurement of search effectiveness, ACM TOIS 35(3), 2017.

// horizon is the number of ranks over which readers are followed, cwl_eval's default. Longer lists are cut there,
// shorter ones padded with documents without gain.
const horizon = 1000

var (
	paramT = Param{Name: "T", Kind: KindFloat, Default: 1, Min: 0.25, Max: 1e6,
		Doc: "the gain that the reader wants, in documents of the highest grade"}
	paramMinRel = Param{Name: "min_rel", Kind: KindInt, Min: -1e6, Max: 1e6,
		Doc: "grade at which gain begins: this one and lower ones have gain 0"}
)

// checkScale refuses a scale whose lowest grade is not below its highest.
func checkScale(m Measure) error {
	low, high := m.Float("min_rel"), m.Float("max_rel")
	if high != notGiven && low >= high {
		return fmt.Errorf("%w: min_rel %s is not below max_rel %s", ErrValue, gainText(low), gainText(high))
	}
	return nil
}

// scale is the range of a query's grades, from min_rel to max_rel.
type scale struct{ low, size float64 } // size: the highest grade less the lowest

func (m *Measure) scale(t *Topic) scale {
	high := t.top()
	if v := m.Float("max_rel"); v != notGiven {
		high = v
	}
	low := m.Float("min_rel")
	return scale{low, max(high-low, 1)}
}

// steps returns by how much a grade is above the lowest of the scale.
func (s scale) steps(grade float64) float64 { return min(max(grade, 0, s.low)-s.low, s.size) }

// gain maps a grade to [0,1]: negative grades to 0, then linearly over the scale.
func (s scale) gain(grade float64) float64 { return s.steps(grade) / s.size }

// stepProb is the probability of continuing after a rank (from 1) whose document has the given gain. total is
// the gain up to this rank, x a parameter of the measure (T or p) and k its cutoff. Ranks are at most horizon.
type stepProb func(x float64, k, rank int, gain, total float64) float64

// expectedGain returns the expected gain per document for a reader who continues as c says. name is the parameter
// that c gets, "" for none. saw, if not nil, receives every rank with its weight, the probability that the reader
// reaches it.
func (m *Measure) expectedGain(t *Topic, name string, c stepProb, saw func(rank int, gain, weight float64)) float64 {
	hits, _ := t.list(m.judged)
	x, grades := 0.0, m.scale(t)
	if name != "" {
		x = m.Float(name)
	}
	next := 0
	var gained, looked, total float64
	weight := 1.0
	for rank := 1; rank <= horizon && weight > 0; rank++ {
		g := 0.0
		if next < len(hits) && int(hits[next].Rank) == rank {
			g = grades.gain(hits[next].Grade)
			next++
		}
		total += g
		gained += float64(weight * g)
		looked += weight
		if saw != nil {
			saw(rank, g, weight)
		}
		weight = float64(weight * c(x, m.cut, rank, g, total))
	}
	return gained / looked
}

// expectedGain unfolds it: every document adds its gain times its weight.
func (u *unfolder) expectedGain(name string, c stepProb) {
	looked := 0.0
	u.m.expectedGain(u.t, name, c, func(rank int, gain, weight float64) {
		if looked += weight; gain > 0 {
			p := &u.Parts[u.list[rank-1]]
			p.Term, p.Work = float64(weight*gain), say.Plain.Short(gain)
			if weight != 1 {
				p.Work = say.Plain.Short(weight) + " x " + p.Work
			}
		}
	})
	u.over(looked, "the weights of all ranks")
}

// insq returns ((x-1)/x)², the continuation probability of INST and INSQ.
func insq(x float64) float64 {
	r := (x - 1) / x
	return float64(r * r)
}

func betterScaled(m *Measure, t *Topic, i int) float64 { return m.scale(t).gain(t.Ranked[i]) }
