// Package tune finds what a fusion should weigh, by the judged queries of a collection. It ranks nothing itself, and it
// never shows the figure of a choice without that of queries which had no say in it.
//
// Order of the pipeline: a pipeline with a fusion → the values of its weight → every value on every judged query → the
// best over all and by type of query, chosen and judged on different queries → the settings of other search programs.
package tune

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/classify"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Knob is what is tuned: a parameter of the first fusion of a pipeline that has one.
type Knob struct {
	Stage  int // in the order of pipeline.Node.Walk
	Name   string
	Values []string // tried, ascending; what the pipeline says is among them
	Start  int      // that one
}

// knobs are the parameters that a fusion weighs its parts by, and the values of those that no slider moves.
var knobs = []struct {
	name   string
	values []float64
}{
	{"weight", pipeline.Range{Max: 1, Step: 0.05}.Values()},
	{"k", []float64{0, 1, 2, 5, 10, 20, 40, 60, 80, 100, 200, 500}},
	{"gamma", pipeline.Range{Max: 2, Step: 0.1}.Values()},
	{"phi", pipeline.Range{Min: 0.05, Max: 0.95, Step: 0.05}.Values()},
}

// Find returns the knob of a pipeline; ok is false where no fusion in it weighs anything.
func Find(n *pipeline.Node) (k Knob, ok bool) {
	at := -1
	n.Walk(func(m *pipeline.Node) {
		at++
		if ok {
			return
		}
		for _, x := range knobs {
			if !weighs(m.Stage, x.name) {
				continue
			}
			now := m.Number(x.name)
			values := slices.Clone(x.values)
			if i, there := slices.BinarySearch(values, now); !there {
				values = slices.Insert(values, i, now)
			}
			k = Knob{Stage: at, Name: x.name}
			for i, v := range values {
				if v == now {
					k.Start = i
				}
				k.Values = append(k.Values, strconv.FormatFloat(v, 'f', -1, 64))
			}
			ok = true
			return
		}
	})
	return k, ok
}

// weighs reports whether a stage is a fusion with a knob of that name.
func weighs(s *pipeline.Stage, name string) bool {
	p := s.Param(name)
	return s.Role == pipeline.Combiner && p != nil && p.Kind == pipeline.Number
}

// tunable says which fusions have which knob.
func tunable() string {
	var all []string
	for _, x := range knobs {
		var names []string
		for _, s := range stage.All() {
			if weighs(s, x.name) {
				names = append(names, s.Name)
			}
		}
		all = append(all, say.And(names)+" "+say.Verb(len(names), "has", "have")+" "+x.name)
	}
	return strings.Join(all, ", ")
}

// Choice is the best value for some queries, and what it is worth on queries that had no say in it.
type Choice struct {
	Type     string // of the queries, "" for all of them
	Queries  int
	Best     int     // of Knob.Values
	Start    float64 // mean of the value that the pipeline has
	Tuned    float64 // mean of Best, on the queries that chose it
	HeldOut  float64 // mean over the queries of the values that the other folds chose
	Optimism float64 // Tuned less HeldOut
	Folds    []int   // a fold: the value that the others chose
}

// Result is what came out.
type Result struct {
	Pipeline *pipeline.Node
	Knob     Knob
	Measure  string
	Means    []float64 // a value: its mean over all queries
	All      Choice
	Types    []Choice // a type of which there are enough queries
	// What a value a type is worth: Tuned and HeldOut of all queries, each with the value of its type, and that of all
	// where its type has too few.
	ByTuned, ByHeldOut float64
	// The held-out values less those that the pipeline has: 95 % interval, and p of the paired test.
	Low, High, P float64
}

// Job goes through the values. It is not safe for use by several goroutines at once.
type Job struct {
	s       *experiment.Session
	n       *pipeline.Node
	knob    Knob
	measure measure.Measure
	c       *kept
	ranker  stage.Ranker
	judged  []int // queries of the bundle
	values  [][]float64
}

// Start begins to tune a pipeline for a measure of which more is better. The error says, for people, what there is
// nothing to tune for.
func Start(s *experiment.Session, n *pipeline.Node, name string) (*Job, error) {
	k, ok := Find(n)
	if !ok {
		return nil, fmt.Errorf("%s has no fusion with anything to tune: %s", n, tunable())
	}
	m, err := measure.Parse(name)
	if err != nil {
		return nil, err
	}
	j := &Job{s: s, n: n, knob: k, measure: m, c: &kept{Collection: s.Parts(), parts: map[string]bool{},
		lists: map[asked][]rank.Hit{}}}
	have := s.Queries.JudgedIDs()
	for i, q := range s.Bundle().Queries {
		if have[q.ID] {
			j.judged = append(j.judged, i)
		}
	}
	if len(j.judged) < 2*matrix.Folds {
		return nil, fmt.Errorf("%s has %s: tuning on some and testing on others needs at least %d", s.Ref().Name,
			say.Count(len(j.judged), "judged query", "judged queries"), 2*matrix.Folds)
	}
	at := -1
	n.Walk(func(m *pipeline.Node) {
		if at++; at == k.Stage {
			for _, a := range m.Args {
				j.c.parts[a.String()] = true
			}
		}
	})
	return j, nil
}

// Progress returns how many of the values are done.
func (j *Job) Progress() (done, of int) { return len(j.values), len(j.knob.Values) }

// Means returns the mean of every value that is done.
func (j *Job) Means() []float64 {
	out := make([]float64, len(j.values))
	for i, row := range j.values {
		out[i] = measure.Mean(row)
	}
	return out
}

// Step tries the next value. It says whether there are more. Where a part of the pipeline cannot answer at all, that is
// the error.
func (j *Job) Step() (more bool, err error) {
	n, err := j.n.SetAt(j.knob.Stage, j.knob.Name, j.knob.Values[len(j.values)])
	if err != nil {
		return false, err
	}
	if j.ranker == nil {
		j.ranker, err = stage.Build(j.c, n)
	} else {
		err = j.ranker.Set(n)
	}
	if err != nil {
		return false, err
	}
	var topic measure.Topic
	var hits []rank.Hit
	row, why := make([]float64, len(j.judged)), error(nil)
	answered, depth := false, evaluation.Depth([]measure.Measure{j.measure})
	for i, q := range j.judged {
		x := j.s.Bundle().Queries[q]
		hits, err = j.ranker.Rank(rank.Query{ID: x.ID, Text: x.Text}, depth, j.s.FilterFor(x.ID, nil), hits)
		if backend := silent(j.ranker, err); backend != nil { // a weight of lists that are not its own is none
			return false, fmt.Errorf("query %s: %w", x.ID, backend)
		}
		if _, ok := errors.AsType[*rank.Unanswerable](err); ok { // counts 0, as in every comparison
			why = err
			continue
		}
		if err != nil {
			return false, fmt.Errorf("query %s: %w", x.ID, err)
		}
		answered = true
		j.s.Queries.Topic(&topic, q, hits)
		row[i] = j.measure.Score(&topic)
	}
	if !answered {
		return false, why
	}
	j.values = append(j.values, row)
	return len(j.values) < len(j.knob.Values), nil
}

// silent is the error of a ranking for which a backend gave nothing, nil where none was asked in vain.
func silent(r stage.Ranker, err error) error {
	_, nothing := errors.AsType[*remote.Error](err)
	_, changed := errors.AsType[*remote.Changed](err)
	if nothing || changed {
		return err
	}
	if why := stage.WhyFell(r); err == nil && why != "" {
		return &rank.Unanswerable{Reason: why}
	}
	return nil
}

// Result concludes, when every value has been tried.
func (j *Job) Result() (*Result, error) {
	fold := matrix.Deal(len(j.judged), matrix.Folds, 1)
	types := make([]int, len(j.judged))
	for i, q := range j.judged {
		types[i] = int(classify.Of(j.s.Bundle().Queries[q].Text).Type)
	}
	r := &Result{Pipeline: j.n, Knob: j.knob, Measure: j.measure.String(), Means: j.Means()}
	held := make([]float64, len(fold))
	r.All = j.choose(fold, func(int) bool { return true }, held)
	byTuned, byHeld := make([]float64, len(fold)), slices.Clone(held)
	for i := range byTuned {
		byTuned[i] = j.values[r.All.Best][i]
	}
	for t, name := range classify.Types {
		in := func(i int) bool { return types[i] == t }
		n := 0
		for i := range types {
			if in(i) {
				n++
			}
		}
		if n < 2*matrix.Folds {
			continue
		}
		c := j.choose(fold, in, byHeld)
		c.Type = name
		r.Types = append(r.Types, c)
		for i := range byTuned {
			if in(i) {
				byTuned[i] = j.values[c.Best][i]
			}
		}
	}
	r.ByTuned, r.ByHeldOut = measure.Mean(byTuned), measure.Mean(byHeld)
	o, err := report.Paired(r.Measure, j.values[j.knob.Start], held, nil)
	r.Low, r.High, r.P = o.Low, o.High, o.P
	return r, err
}

// choose chooses by the queries that in takes, and writes what the values that the other folds chose are worth into
// held.
func (j *Job) choose(fold []int, in func(i int) bool, held []float64) Choice {
	// by the queries that are not of the fold out: of equal ones that which is nearest to the start
	best := func(out int) int {
		at, most := -1, math.Inf(-1)
		for v, row := range j.values {
			sum := 0.0
			for i, x := range row {
				if in(i) && fold[i] != out {
					sum += x
				}
			}
			if sum > most || sum == most && abs(v-j.knob.Start) < abs(at-j.knob.Start) {
				at, most = v, sum
			}
		}
		return at
	}
	c := Choice{Best: best(-1)}
	for f := range matrix.Folds {
		c.Folds = append(c.Folds, best(f))
	}
	var start, tuned, out []float64
	for i, f := range fold {
		if !in(i) {
			continue
		}
		held[i] = j.values[c.Folds[f]][i]
		start, tuned, out = append(start, j.values[j.knob.Start][i]), append(tuned, j.values[c.Best][i]),
			append(out, held[i])
	}
	c.Queries, c.Start, c.Tuned, c.HeldOut = len(out), measure.Mean(start), measure.Mean(tuned), measure.Mean(out)
	c.Optimism = c.Tuned - c.HeldOut
	return c
}

func abs(n int) int { return max(n, -n) }

// kept keeps the rankings that the fusion joins: they are the same for every weight.
type kept struct {
	stage.Collection
	parts map[string]bool
	lists map[asked][]rank.Hit
}

type asked struct {
	part, query string
	k           int
}

// Judged implements stage.Taught.
func (c *kept) Judged() []fuse.Judged { return c.Collection.(stage.Taught).Judged() }

// Edge implements stage.Edged.
func (c *kept) Edge() *remote.Edge {
	x, ok := c.Collection.(stage.Edged)
	if !ok {
		return nil
	}
	return x.Edge()
}

// Keep implements stage.Keeper.
func (c *kept) Keep(n *pipeline.Node, r stage.Ranker) stage.Ranker {
	part := n.String()
	if !c.parts[part] || len(stage.Backends(n)) > 0 { // whose answers are kept where they came in
		return r
	}
	return &list{Ranker: r, c: c, part: part}
}

// list is a ranker whose rankings are kept.
type list struct {
	stage.Ranker
	c    *kept
	part string
}

// Rank implements rank.Ranker.
func (l *list) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	key := asked{l.part, q.ID, k}
	if hits, ok := l.c.lists[key]; ok {
		return append(dst[:0], hits...), nil
	}
	hits, err := l.Ranker.Rank(q, k, f, dst)
	if err == nil {
		l.c.lists[key] = slices.Clone(hits)
	}
	return hits, err
}

// Set implements stage.Ranker: the parts stay what they are.
func (l *list) Set(*pipeline.Node) error { return nil }
