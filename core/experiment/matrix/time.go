package matrix

import (
	"strings"
	"sync"

	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Protocol is how Time measures.
const Protocol = "each run alone on one processor, its queries in order, first once unmeasured, then twice, each " +
	"repeated for a millisecond at least; the shorter mean counts"

// atLeast is how many microseconds a query is repeated for: clocks of browsers tell a tenth of a millisecond.
const atLeast = 1000

// Timing is what runs need on this machine at this moment. It is part of no hash.
type Timing struct {
	// a run of the plan: milliseconds of every query that it can answer; nil where the run is not completed
	Millis [][]float64
	Stages [][]Lap   // a run: its stages, as they are written
	Bytes  []float64 // a run: the files of the collection that it reads to rank; 0 where it is not completed
}

// Lap is what one stage needs.
type Lap struct {
	Stage  string
	Millis []float64 // a query that the run can answer, without what the stages before it need
}

// Time measures the completed runs by Protocol: nothing is shared between them. clock returns a time in microseconds.
// The error is ErrCancelled.
func (x *Experiment) Time(clock func() float64, cancel func() bool) (*Timing, error) {
	out := &Timing{Millis: make([][]float64, len(x.Plan.Runs)), Stages: make([][]Lap, len(x.Plan.Runs)),
		Bytes: make([]float64, len(x.Plan.Runs))}
	for run := range x.Plan.Runs {
		if x.status[run].State != Completed {
			continue
		}
		c := &counted{clock: clock, shelf: shelf{of: x.s.Parts(), lock: &sync.Mutex{}, left: map[string]int{},
			lists: map[request]kept{}}, roles: map[string]bool{}}
		r, err := stage.Build(c, x.Plan.Runs[run].node)
		if err != nil {
			continue
		}
		best := make([]float64, len(x.queries))
		answered := make([]bool, len(x.queries))
		steps := make([][]stage.Step, len(x.queries))
		for pass := range 3 {
			for q := range x.queries {
				if cancel != nil && cancel() {
					return nil, ErrCancelled
				}
				took, laps, ok := x.repeat(r, run, q, clock, pass > 0)
				if ok && (pass == 1 || pass == 2 && took < best[q]) {
					best[q], answered[q], steps[q] = took, true, laps
				}
			}
		}
		for q, ok := range answered {
			if !ok {
				continue
			}
			out.Millis[run] = append(out.Millis[run], best[q])
			if out.Stages[run] == nil {
				for _, s := range steps[q] {
					out.Stages[run] = append(out.Stages[run], Lap{Stage: last(s.Node)})
				}
			}
			for i, s := range steps[q] {
				out.Stages[run][i].Millis = append(out.Stages[run][i].Millis, s.Micros/1000)
			}
		}
		for _, f := range x.s.Bundle().Manifest.Files {
			for role := range c.roles {
				if f.Role == role || strings.HasPrefix(f.Role, role+"/") {
					out.Bytes[run] += float64(f.Bytes)
				}
			}
		}
	}
	return out, nil
}

// repeat ranks one query, again and again for a while where that is measured. It returns the mean milliseconds, and the
// stages with the mean of theirs; false where the run cannot answer the query.
func (x *Experiment) repeat(r stage.Ranker, run, q int, clock func() float64, measured bool) (float64, []stage.Step,
	bool) {
	var sum []stage.Step
	start, n := clock(), 0
	for n == 0 || measured && n < atLeast && clock()-start < atLeast {
		l, again, err := x.ask(r, run, q, nil)
		if again || err != nil || l.state == Failed {
			return 0, nil, false
		}
		n++
		for i, s := range stage.Steps(r) {
			if i == len(sum) {
				sum = append(sum, s)
				continue
			}
			sum[i].Micros += s.Micros
		}
	}
	took := (clock() - start) / float64(n) / 1000
	for i := range sum {
		sum[i].Micros /= float64(n)
	}
	return took, sum, true
}

// Times are the times of the completed runs by their names. clock returns a time in microseconds. The error is
// ErrCancelled.
func (x *Experiment) Times(device string, clock func() float64, cancel func() bool) (*analysis.Times, error) {
	t, err := x.Time(clock, cancel)
	if err != nil {
		return nil, err
	}
	out := analysis.NewTimes(device, Protocol)
	for i, ms := range t.Millis {
		if ms != nil {
			run := analysis.TimedRun{Name: x.Plan.Runs[i].Name(), Milliseconds: ms, Bytes: t.Bytes[i]}
			for _, l := range t.Stages[i] {
				run.Stages = append(run.Stages, analysis.TimedStage{Stage: l.Stage, Milliseconds: l.Millis})
			}
			out.Runs = append(out.Runs, run)
		}
	}
	return out, nil
}

// counted is a collection that knows which of its files were asked for. It shares no rankings.
type counted struct {
	shelf
	roles map[string]bool
	clock func() float64
}

// Now is the clock that the stages are timed by.
func (c *counted) Now() float64 { return c.clock() }

// last is a stage as it is written, without what is ranked before it.
func last(n *pipeline.Node) string {
	switch n.Stage.Role {
	case pipeline.Transformer:
		return own(n)
	case pipeline.Combiner:
		return n.Stage.Name
	}
	return n.String()
}

// Index implements stage.Collection.
func (c *counted) Index(analyzer string) (*index.Index, error) {
	c.roles["index"] = true
	return c.shelf.Index(analyzer)
}

// Models implements stage.Collection.
func (c *counted) Models() stage.ModelOutputs { return countedModels{c.shelf.Models(), c.roles} }

// countedModels are outputs of models that know which of them were asked for.
type countedModels struct {
	stage.ModelOutputs
	roles map[string]bool
}

// Vectors implements stage.ModelOutputs.
func (c countedModels) Vectors(model string) (*stage.Vectors, error) {
	c.roles["vectors/"+model] = true
	return c.ModelOutputs.Vectors(model)
}

// Tokens implements stage.ModelOutputs.
func (c countedModels) Tokens(model string) (*stage.Tokens, error) {
	c.roles["late/"+model] = true
	return c.ModelOutputs.Tokens(model)
}

// Sparse implements stage.ModelOutputs.
func (c countedModels) Sparse(model string) (*stage.Weights, error) {
	c.roles["sparse/"+model] = true
	return c.ModelOutputs.Sparse(model)
}

// Encoded implements stage.ModelOutputs.
func (c countedModels) Encoded(model string) (*encoder.Static, *dense.Vectors, error) {
	e, v, err := c.ModelOutputs.Encoded(model)
	if e != nil {
		c.roles["encoder/"+model] = true
	}
	return e, v, err
}

// Text implements stage.Collection.
func (c *counted) Text(d uint32) (string, error) {
	c.roles["texts"] = true
	return c.shelf.Text(d)
}
