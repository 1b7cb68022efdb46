package matrix

import (
	"sync"

	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Estimate is what a plan would take on this machine, judged by a few queries.
type Estimate struct {
	Micros float64 // of all runs on one hand
	Bytes  int     // of the lists
	Tried  int     // runs that were tried; the others are taken to be like those of their shape
}

// Estimate tries two queries with one run of each shape, at most tries of them, and says what all of it would take.
// clock returns a time in microseconds. Runs that cannot be built take no time.
func (x *Experiment) Estimate(clock func() float64, tries int) Estimate {
	out := Estimate{Bytes: x.Plan.Bytes(len(x.queries))}
	s := &shelf{of: x.s.Parts(), lock: &sync.Mutex{}, left: map[string]int{}, lists: map[request]kept{}}
	took := map[string]float64{} // by shape, of one query
	sum, known := 0.0, 0
	for run := range x.Plan.Runs {
		shape := x.Plan.Runs[run].node.Shape()
		if _, ok := took[shape]; ok || out.Tried >= tries {
			continue
		}
		out.Tried++
		r, err := x.ranker(s, map[string]stage.Ranker{}, run)
		if err != nil {
			took[shape] = 0
			continue
		}
		x.ask(r, run, 0, nil) // loads what it needs
		start, n := clock(), min(2, len(x.queries))
		for q := range n {
			x.ask(r, run, len(x.queries)-1-q, nil)
		}
		took[shape] = (clock() - start) / float64(n)
		sum += took[shape]
		known++
	}
	for run := range x.Plan.Runs {
		t, ok := took[x.Plan.Runs[run].node.Shape()]
		if !ok && known > 0 {
			t = sum / float64(known)
		}
		out.Micros += float64(t * float64(x.status[run].NotRun))
	}
	return out
}
