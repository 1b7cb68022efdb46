package matrix

import (
	"math"
	"math/bits"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// MaxPlayers is how many stages an ablation takes apart. Of up to exactPlayers every set is a run and the values are
// exact; of more, the sets that orders of the stages drawn by the Spec's seed pass through, and the values have an
// error. Of more than comparedPlayers only the sets that a table shows are systems of the comparison: the whole, the
// whole without one, each alone.
const (
	MaxPlayers      = 20
	exactPlayers    = 10
	comparedPlayers = 8
	drawnOrders     = 40
)

// Ablation is what each stage of a pipeline is worth by the first measure of a report: what is lost without it, what it
// brings alone, and its Shapley value, the mean of what it brings over all orders in which the stages could come.
//
// Source: Shapley 1953, A Value for n-Person Games.
type Ablation struct {
	Pipeline string
	Full     float64 // mean of the whole pipeline
	Bare     float64 // mean with all of the stages left out; 0 where nothing is left of it
	Orders   int     // drawn for the Shapley values; 0 where they are exact
	Stages   []Worth
}

// Worth is what one stage is worth.
type Worth struct {
	Stage     string  // as it is written
	Lost      float64 // of the mean, where it alone is left out: Full less that
	Low, High float64 // 95 % interval of Lost, corrected like P; NaN where there is none
	P         float64 // of the paired test, after Holm over the stages
	Alone     float64 // what it adds to Bare
	Shapley   float64 // all of them sum to Full - Bare
	Error     float64 // standard error of Shapley where orders were drawn, 0 where it is exact
	Without   string  // the pipeline without it, "" where nothing is left
}

// player is a part of a pipeline that may be left out.
type player struct {
	place
	text string
}

// place is where a part stands: a transformer and the argument that it ends are one node and two parts.
type place struct {
	node     *pipeline.Node
	argument bool
}

// players are the transformers of a pipeline and the arguments of its combiners, in the order in which they are
// written.
func players(n *pipeline.Node) (out []player) {
	if n.Input != nil {
		out = append(out, players(n.Input)...)
	}
	for _, a := range n.Args {
		out = append(out, players(a)...)
		out = append(out, player{place{a, true}, a.String()})
	}
	if n.Stage.Role == pipeline.Transformer {
		out = append(out, player{place{n, false}, own(n)})
	}
	return out
}

// own is a transformer as it is written, without what stands before it.
func own(n *pipeline.Node) string { return n.String()[len(n.Input.String()+" >> "):] }

// part writes a pipeline without the parts that are off, "" where nothing is left. A combiner of one argument is that
// argument.
func part(n *pipeline.Node, off map[place]bool) string {
	switch n.Stage.Role {
	case pipeline.Transformer:
		before := part(n.Input, off)
		if before == "" || off[place{n, false}] {
			return before
		}
		return before + " >> " + own(n)
	case pipeline.Combiner:
		var args, written []string
		for _, a := range n.Args {
			written = append(written, a.String())
			if off[place{a, true}] {
				continue
			}
			if text := part(a, off); text != "" {
				args = append(args, text)
			}
		}
		if len(args) < 2 {
			return strings.Join(args, "")
		}
		head := n.Stage.Name + "("
		return head + strings.Join(args, ", ") + n.String()[len(head)+len(strings.Join(written, ", ")):]
	}
	return n.String()
}

// subset returns the pipeline of a set of players, as written: bit i of the mask says that player i is on.
func subset(n *pipeline.Node, of []player, mask uint32) string {
	off := map[place]bool{}
	for i, p := range of {
		off[p.place] = mask>>i&1 == 0
	}
	return part(n, off)
}

// coalitions are the sets of players that are run, the whole first, and the orders that they come of where not all sets
// are.
func coalitions(players, seed int) (masks []uint32, orders [][]int) {
	whole := uint32(1)<<players - 1
	if players <= exactPlayers {
		for mask := range whole + 1 {
			masks = append(masks, whole-mask)
		}
		return masks, nil
	}
	there := map[uint32]bool{}
	add := func(mask uint32) {
		if !there[mask] {
			there[mask] = true
			masks = append(masks, mask)
		}
	}
	add(whole)
	for i := range players {
		add(whole &^ (1 << i))
	}
	for i := range players {
		add(1 << i)
	}
	add(0)
	orders = drawOrders(players, drawnOrders, seed)
	for _, order := range orders {
		mask := uint32(0)
		for _, i := range order {
			mask |= 1 << i
			add(mask)
		}
	}
	return masks, orders
}

// shown reports whether a set of so many players is a system of the comparison.
func shown(mask uint32, players int) bool {
	n := bits.OnesCount32(mask)
	return players <= comparedPlayers || n <= 1 || n >= players-1
}

// takenApart reads what is to be taken apart.
func takenApart(written string) (*pipeline.Node, []player, error) {
	n, err := stage.Parse(written)
	if err != nil {
		return nil, nil, say.Faultf("matrix", "ablate: %w", err)
	}
	of := players(n)
	if len(of) == 0 {
		return nil, nil, say.Faultf("matrix", "ablate: %s has no stage to leave out", n)
	}
	if len(of) > MaxPlayers {
		return nil, nil, say.Faultf("matrix", "ablate: %d stages, the limit is %d", len(of), MaxPlayers)
	}
	return n, of, nil
}

// ablated returns the pipelines that the ablation of a Spec needs: those that are compared, and those that only the
// Shapley values need.
func (s *Spec) ablated() (compared, only []string, err error) {
	n, of, err := takenApart(s.Ablate)
	if err != nil {
		return nil, nil, err
	}
	masks, _ := coalitions(len(of), s.Seed)
	for _, mask := range masks {
		switch text := subset(n, of, mask); {
		case text == "":
		case shown(mask, len(of)):
			compared = append(compared, text)
		default:
			only = append(only, text)
		}
	}
	return compared, only, nil
}

// unfinished says that a set of an ablation was not run to the end.
type unfinished struct{ run string }

// Error implements error.
func (u *unfinished) Error() string { return u.run + " was not run to the end" }

// Ablate takes a pipeline apart by the runs of a report, which must have every set of its stages that is shown; further
// has the means of the others by canonical pipeline, and may be nil.
func Ablate(r *report.Report, written string, seed int, further map[string]float64) (*Ablation, error) {
	n, of, err := takenApart(written)
	if err != nil {
		return nil, err
	}
	run := map[string]int{}
	for i := range r.Systems {
		run[r.Systems[i].Pipeline()] = i
	}
	masks, orders := coalitions(len(of), seed)
	systems, values := map[uint32]int{}, map[uint32]float64{}
	for _, mask := range masks {
		text := subset(n, of, mask)
		if text == "" {
			continue
		}
		m, err := stage.Parse(text)
		if err != nil {
			return nil, err
		}
		if i, ok := run[m.String()]; ok {
			systems[mask], values[mask] = i, r.Columns[0].Means[i]
		} else if v, ok := further[m.String()]; ok && !shown(mask, len(of)) {
			values[mask] = v
		} else {
			return nil, &unfinished{m.String()}
		}
	}
	whole := uint32(1)<<len(of) - 1
	out := &Ablation{Pipeline: n.String(), Full: values[whole], Bare: values[0], Orders: len(orders)}
	var worth, off []float64
	if orders == nil {
		list := make([]float64, whole+1)
		for mask, v := range values {
			list[mask] = v
		}
		worth, off = shapley(list), make([]float64, len(of))
	} else {
		worth, off = sampledShapley(orders, func(mask uint32) float64 { return values[mask] })
	}
	// a pipeline without one of its stages is a system too: what is left always ranks
	of1 := func(mask uint32) []float64 { return r.Columns[0].Values[systems[mask]] }
	var ps []float64
	var outcomes []report.Outcome
	for i, p := range of {
		without := whole &^ (1 << i)
		o, err := report.Paired(r.Measures[0], of1(without), of1(whole), nil)
		if err != nil {
			return nil, err
		}
		ps, outcomes = append(ps, o.P), append(outcomes, o)
		out.Stages = append(out.Stages, Worth{Stage: p.text, Lost: values[whole] - values[without],
			Alone: values[1<<i] - values[0], Shapley: worth[i], Error: off[i], Without: subset(n, of, without)})
	}
	for i, p := range report.Holm(ps) {
		if err := outcomes[i].Correct(p, len(ps), nil); err != nil {
			return nil, err
		}
		x := &out.Stages[i]
		x.P, x.Low, x.High = p, outcomes[i].Low, outcomes[i].High
	}
	return out, nil
}

// sampledShapley estimates Shapley values by orders in which the players come, with their standard errors: the mean of
// what each brings when its turn comes. The estimates sum to what all get less what none gets.
//
// Source: Castro, Gómez and Tejada 2009, Polynomial calculation of the Shapley value based on sampling.
func sampledShapley(orders [][]int, value func(mask uint32) float64) (worth, off []float64) {
	n := len(orders[0])
	brought := make([][]float64, n)
	for _, order := range orders {
		mask, before := uint32(0), value(0)
		for _, i := range order {
			mask |= 1 << i
			now := value(mask)
			brought[i] = append(brought[i], now-before)
			before = now
		}
	}
	worth, off = make([]float64, n), make([]float64, n)
	for i, b := range brought {
		worth[i] = measure.Mean(b)
		s := 0.0
		for _, v := range b {
			s += float64((v - worth[i]) * (v - worth[i]))
		}
		off[i] = math.Sqrt(s / float64(max(len(b)-1, 1)) / float64(len(b)))
	}
	return worth, off
}

// drawOrders draws orders of players.
func drawOrders(players, orders, seed int) (out [][]int) {
	next := splitmix(seed + 1)
	for range orders {
		out = append(out, shuffled(players, next))
	}
	return out
}

// shapley returns the Shapley value of every player of a game: values[mask] is what the players whose bits are set in
// mask get together, len(values) == 1<<players. The values sum to what all get less what none gets.
//
//	φ(i) = Σ over the sets S without i of |S|! (n - |S| - 1)! / n! · (v(S ∪ i) - v(S))
func shapley(values []float64) []float64 {
	n := bits.Len(uint(len(values))) - 1
	factorial := func(k int) float64 {
		f := 1.0
		for i := 2; i <= k; i++ {
			f *= float64(i)
		}
		return f
	}
	out := make([]float64, n)
	for i := range out {
		bit := 1 << i
		for mask := range values {
			if mask&bit != 0 {
				continue
			}
			size := bits.OnesCount(uint(mask))
			weight := factorial(size) * factorial(n-size-1) / factorial(n)
			out[i] += float64(weight * (values[mask|bit] - values[mask]))
		}
	}
	return out
}
