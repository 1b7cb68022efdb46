package experiment

import (
	"math"
	"strconv"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Curve is a measure over all judged queries along one parameter of the systems that have it. The filter of a Spec has
// no part in it, as it has none in Evaluate.
type Curve struct {
	Stage, Param string
	Measure      string
	Queries      int
	At           []float64 // values of the parameter, ascending
	Lines        []Line
}

// Line is the curve of one system.
type Line struct {
	System int
	Means  []float64 // one for each of Curve.At; a query that the system cannot answer counts 0, as in Evaluate
}

// Curve measures the systems of spec at every step of a parameter's slider. A system without the parameter, or that
// cannot be built on this collection, has no line. cancel is polled between two steps.
func (s *Session) Curve(spec Spec, of, param string, cancel func() bool) (*Curve, error) {
	nodes, ms, err := parse(spec)
	if err != nil {
		return nil, err
	}
	out := &Curve{Stage: of, Param: param, Measure: ms[0].String()}
	if declared := stage.Lookup(of); declared != nil {
		if p := declared.Param(param); p != nil {
			out.At = p.Slide.Values()
		}
	}
	judged := s.Queries.judged()
	out.Queries = len(judged)
	s.Rankers.want(nodes)
	for i, n := range nodes {
		if !has(n, of, param) || asks(n) { // nobody pays for a curve
			continue
		}
		line := Line{System: i}
		for _, v := range out.At {
			if cancel != nil && cancel() {
				return nil, ErrCancelled
			}
			set, err := n.With(of, param, strconv.FormatFloat(v, 'f', -1, 64))
			if err != nil {
				return nil, err
			}
			done, err := s.answer(set, evaluation.Depth(ms[:1]), nil)
			if err != nil {
				return nil, err
			}
			src := &retrieved{of: s.Queries, depth: done.depth, judged: judged, runs: []*run{done}}
			means, err := src.evaluation(ms[:1]).Means(nil)
			if err != nil {
				return nil, err
			}
			line.Means = append(line.Means, means[0][0])
		}
		out.Lines = append(out.Lines, line)
	}
	return out, nil
}

// has says whether a stage of the pipeline has the parameter.
func has(n *pipeline.Node, of, param string) bool {
	for _, x := range n.Find(of) {
		if x.Applies(param) {
			return true
		}
	}
	return false
}

// Best returns where a line is highest, the first place of several.
func (l *Line) Best() int {
	best := 0
	for i, v := range l.Means {
		if v > l.Means[best] {
			best = i
		}
	}
	return best
}

// Value returns what a line says at a value of the parameter, and whether it says anything there.
func (c *Curve) Value(l *Line, at float64) (float64, bool) {
	for i, v := range c.At {
		if math.Abs(v-at) < 1e-9 && i < len(l.Means) {
			return l.Means[i], true
		}
	}
	return 0, false
}

// Line returns the line of a system, nil where it has none.
func (c *Curve) Line(system int) *Line {
	for i := range c.Lines {
		if c.Lines[i].System == system {
			return &c.Lines[i]
		}
	}
	return nil
}

// Wire walks the curve.
func (c *Curve) Wire(w *wire.Codec) {
	w.Fields(&c.Stage, &c.Param, &c.Measure, &c.Queries, &c.At)
	wire.List(w, &c.Lines, func(l *Line) {
		w.Int(&l.System)
		w.Floats(&l.Means)
		if w.Reading() && len(l.Means) != len(c.At) {
			w.Fail()
		}
	})
}
