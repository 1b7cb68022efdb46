package matrix

import (
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
)

// Beginnings are the pipelines that a pipeline grows from, the shortest first, and itself; one where it has no
// transformer.
func Beginnings(n *pipeline.Node) (out []string) {
	if n.Input != nil {
		out = Beginnings(n.Input)
	}
	return append(out, n.String())
}

// Try runs a Spec over an open collection, keeps nothing, and compares its runs by all of its measures. It returns nil
// if that would take longer than most microseconds by the clock of o. The error is ErrCancelled, or that of the plan.
func Try(s *experiment.Session, spec Spec, o Options, most float64) (*report.Report, error) {
	p, err := NewPlan(spec, s.Ref())
	if err != nil {
		return nil, err
	}
	x, err := Open(p, s, &Memory{})
	if err != nil {
		return nil, err
	}
	if x.Estimate(o.Clock, triedRuns).Micros > most {
		return nil, nil
	}
	if err := x.Run(o); err != nil {
		return nil, err
	}
	var runs []int
	for i := range p.Runs {
		if x.status[i].State == Completed && !p.Runs[i].Uncompared {
			runs = append(runs, i)
		}
	}
	in, err := x.Input(runs)
	if err != nil {
		return nil, err
	}
	return compare.Compare(*in, o.Cancel, nil)
}

// triedRuns is how many shapes of runs the estimate of Try tries.
const triedRuns = 8
