//go:build !first

package measure

import (
	"math"
	"slices"
)

var infoINST = Info{
	Name:   "INST",
	Title:  "INST, an adaptive user model",
	Brief:  "The gain per document of a reader who wants gain T, and grows less patient as they find it.",
	Group:  User,
	Params: []Param{paramT, paramMinRel, paramTopGrade},
	Formula: "INST = sum W(i) gain(i) / sum W(i) over 1,000 ranks; W(1) = 1, W(i+1) = W(i) C(i), C(i) = ((i + 2T - " +
		"S(i) - 1) / (i + 2T - S(i)))^2, S(i) the gain up to rank i",
	High: 1,
	Reference: "A. Moffat, P. Bailey, F. Scholer and P. Thomas, INST: an adaptive metric for information retrieval " +
		"evaluation, ADCS 2015",
	Example: Example{
		Measure: "INST(max_rel=1)", Ranked: []float64{1}, Value: 1 / 1.6439345666815615,
		Working: "all gain is at rank 1, with weight 1; C(i) = (i / (i + 1))^2 makes W(i) = 1 / i^2, and the weights " +
			"of 1,000 ranks add up to 1.6439",
	},
	Notes: []string{
		"ir_measures requires max_rel; here it defaults to the highest grade of the collection.",
		"The sum over all ranks converges slowly; cwl_eval and Rankbox stop after 1,000.",
	},
	check:  checkScale,
	better: betterScaled,
	spread: spreadINST,
	open:   residual{bounds: boundINST},
	score:  func(m Measure, t *Topic) float64 { return m.expectedGain(t, "T", goOnINST, nil) },
	unfold: func(u *unfolder) { u.expectedGain("T", goOnINST) },
}

func goOnINST(x float64, k, rank int, gain, total float64) float64 {
	return insq(float64(rank) + 2*x - total)
}

// spreadINST: the continuation probability depends on the gain so far, so that the value is a ratio N/D of sums
// whose weights depend on the order. Dinkelbach's method: for a guess x, dynamic programming from the end finds the
// best order for N - xD. Its ratio is the next guess, until that stops improving.
func spreadINST(m Measure, t *Topic) (lo, hi float64, ok bool) {
	grades, scores := t.gradesSeen(m.judged)
	scale := m.scale(t)
	var groups []instGroup
	total := 0.0
	for from := 0; from < len(grades) && from < horizon; {
		to := from + 1
		for to < len(grades) && scores[to] == scores[from] {
			to++
		}
		g := instGroup{from: from, before: total}
		for _, grade := range grades[from:to] {
			v := scale.gain(grade)
			total += v
			c := slices.Index(g.gains, v)
			if c < 0 {
				if c = len(g.gains); 1<<c > maxTieStates/8 {
					return 0, 0, false // as below, before searching many orders
				}
				g.gains = append(g.gains, v)
				g.have = append(g.have, 0)
			}
			g.have[c]++
		}
		g.states = 1
		for _, n := range g.have {
			if g.states *= n + 1; g.states > maxTieStates/8 {
				return 0, 0, false
			}
		}
		groups = append(groups, g)
		from = to
	}
	length := len(grades)
	start := m.Score(t)
	search := func(sign float64) float64 {
		best := start
		for range 100 {
			v := instBest(&m, groups, length, total, best, sign)
			if sign*(v-best) <= 1e-15 {
				break
			}
			best = v
		}
		return best
	}
	return search(-1), search(+1), true
}

// instGroup is one tie of spreadINST.
type instGroup struct {
	from   int     // position before its first document
	before float64 // gain above it
	gains  []float64
	have   []int
	states int
}

// instBest returns N/D of the order that maximises sign·(N - xD).
func instBest(m *Measure, groups []instGroup, length int, total, x, sign float64) float64 {
	goal := m.Float("T")
	on := func(rank int, found float64) float64 { return insq(float64(rank) + 2*goal - found) }
	// Beyond the list there is no gain.
	value := 0.0
	for r := horizon; r > length; r-- {
		value = -x + float64(on(r, total)*value)
	}
	choice := make([][]uint16, len(groups))
	for gi := len(groups) - 1; gi >= 0; gi-- {
		g := &groups[gi]
		v := make([]float64, g.states)
		choice[gi] = make([]uint16, g.states)
		placed := slices.Clone(g.have)
		v[g.states-1] = value
		for s := g.states - 2; s >= 0; s-- {
			for d := 0; ; d++ { // count down
				if placed[d] > 0 {
					placed[d]--
					break
				}
				placed[d] = g.have[d]
			}
			rank, found := g.from+1, g.before
			for c, n := range placed {
				rank += n
				found += float64(g.gains[c] * float64(n))
			}
			if rank > horizon {
				continue
			}
			best, bestAt, stride := math.Inf(-1), 0, 1
			for c, n := range placed {
				if n < g.have[c] {
					w := g.gains[c] - x + float64(on(rank, found+g.gains[c])*v[s+stride])
					if sign*w > best {
						best, bestAt = sign*w, c
					}
				}
				stride *= g.have[c] + 1
			}
			v[s], choice[gi][s] = sign*best, uint16(bestAt)
		}
		value = v[0]
	}
	var gained, looked, found float64
	weight := 1.0
	rank := 1
	take := func(gain float64) {
		if rank > horizon {
			return
		}
		found += gain
		gained += float64(weight * gain)
		looked += weight
		weight = float64(weight * on(rank, found))
		rank++
	}
	for gi := range groups {
		g := &groups[gi]
		for s := 0; s < g.states-1 && rank <= horizon; {
			c := int(choice[gi][s])
			take(g.gains[c])
			stride := 1
			for d := range c {
				stride *= g.have[d] + 1
			}
			s += stride
		}
	}
	for rank <= horizon {
		take(0)
	}
	return gained / looked
}

// boundINST tries only two judgments, although less gain may keep the reader longer at good documents.
func boundINST(m Measure, t *Topic) Range {
	r := boundWeights(m, t)
	r.Exact = false
	return r
}
