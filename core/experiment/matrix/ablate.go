package matrix

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/stage"
)

// MaxPlayers is how many stages an ablation takes apart: every set of them is a run.
const MaxPlayers = 8

// Ablation is what each stage of a pipeline is worth by the first measure of a report: what is lost without it, what it brings alone, and its
// Shapley value, the mean of what it brings over all orders in which the stages could come.
//
// Source: Shapley 1953, A Value for n-Person Games.
type Ablation struct {
	Pipeline string
	Full     float64 // mean of the whole pipeline
	Bare     float64 // mean with all of the stages left out; 0 where nothing is left of it
	Stages   []Worth
}

// Worth is what one stage is worth.
type Worth struct {
	Stage     string  // as it is written
	Lost      float64 // of the mean, where it alone is left out: Full less that
	Low, High float64 // 95 % interval of Lost
	P         float64 // of the paired test, after Holm over the stages
	Alone     float64 // what it adds to Bare
	Shapley   float64 // all of them sum to Full - Bare
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

// players are the transformers of a pipeline and the arguments of its combiners, in the order in which they are written.
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

// part writes a pipeline without the parts that are off, "" where nothing is left. A combiner of one argument is that argument.
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

// subsets returns the pipeline of every set of players, as written: bit i of its place says that player i is on.
func subsets(n *pipeline.Node, of []player) []string {
	out := make([]string, 1<<len(of))
	for mask := range out {
		off := map[place]bool{}
		for i, p := range of {
			off[p.place] = mask>>i&1 == 0
		}
		out[mask] = part(n, off)
	}
	return out
}

// ablated returns the pipelines that the ablation of a Spec needs.
func (s *Spec) ablated() ([]string, error) {
	n, err := stage.Parse(s.Ablate)
	if err != nil {
		return nil, say.Faultf("matrix", "ablate: %w", err)
	}
	of := players(n)
	if len(of) == 0 {
		return nil, say.Faultf("matrix", "ablate: %s has no stage that could be left out", n)
	}
	if len(of) > MaxPlayers {
		return nil, say.Faultf("matrix", "ablate: %d stages make 2^%d runs; %d stages are the most", len(of), len(of), MaxPlayers)
	}
	all := subsets(n, of)
	slices.Reverse(all) // the whole first
	return slices.DeleteFunc(all, func(s string) bool { return s == "" }), nil
}

// Ablate takes a pipeline apart by the runs of a report, which must have every set of its stages.
func Ablate(r *report.Report, written string) (*Ablation, error) {
	n, err := stage.Parse(written)
	if err != nil {
		return nil, err
	}
	of := players(n)
	if len(of) == 0 || len(of) > MaxPlayers {
		return nil, say.Faultf("matrix", "ablate: there is nothing to leave out, or too much")
	}
	run := map[string]int{}
	for i, s := range r.Systems {
		run[s.Label] = i
	}
	all := subsets(n, of)
	systems, values := make([]int, len(all)), make([]float64, len(all))
	for mask, text := range all {
		systems[mask] = -1
		if text == "" {
			continue
		}
		m, err := stage.Parse(text)
		if err != nil {
			return nil, err
		}
		i, ok := run[m.String()]
		if !ok {
			return nil, say.Faultf("matrix", "ablate: %s was not run to the end", m)
		}
		systems[mask], values[mask] = i, r.Columns[0].Means[i]
	}
	whole := len(all) - 1
	out := &Ablation{Pipeline: n.String(), Full: values[whole], Bare: values[0]}
	worth := Shapley(values)
	zeros := make([]float64, len(r.Queries))
	of1 := func(mask int) []float64 {
		if systems[mask] < 0 {
			return zeros
		}
		return r.Columns[0].Values[systems[mask]]
	}
	var ps []float64
	for i, p := range of {
		without := whole &^ (1 << i)
		o, err := report.Paired(of1(without), of1(whole), nil)
		if err != nil {
			return nil, err
		}
		ps = append(ps, o.P)
		out.Stages = append(out.Stages, Worth{Stage: p.text, Lost: values[whole] - values[without], Low: o.Low, High: o.High, Alone: values[1<<i] - values[0], Shapley: worth[i], Without: all[without]})
	}
	for i, p := range report.Holm(ps) {
		out.Stages[i].P = p
	}
	return out, nil
}

// Shapley returns the Shapley value of every player of a game: values[mask] is what the players whose bits are set in mask get together,
// len(values) == 1<<players. The values sum to what all get less what none gets.
//
//	φ(i) = Σ over the sets S without i of |S|! (n - |S| - 1)! / n! · (v(S ∪ i) - v(S))
func Shapley(values []float64) []float64 {
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
