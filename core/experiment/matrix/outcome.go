package matrix

import (
	"errors"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Provenance says where an experiment was made. It is not part of any hash.
type Provenance struct {
	Program string // version of Rankbox
	Device  string // "linux/amd64, 2 processors"
	Date    string // RFC 3339, "" where it is not told
}

// Outcome is what came out of an experiment: the comparison of the runs that were completed, and what became of every
// one.
type Outcome struct {
	Plan       *Plan
	Collection report.Ref
	Models     []Model // whose vectors the runs used
	Status     []Status
	Failures   [][]Failure // a run: the queries that it could not answer, and those without a document
	Compared   []int       // the runs of the comparison, of Plan.Runs
	Input      *compare.Input
	Report     *report.Report
	Tuning     *Tuning            // what choosing the best is worth, nil where there is nothing to choose
	Families   *Families          // of the Spec's systems that have several runs; nil where none has
	Ablation   *Ablation          // of Spec.Ablate, nil where none was asked for or could be
	Unablated  string             // why it could not be: a run of it failed
	Analyses   []analysis.Section // see Analyse
	// rankings of parts that several runs share, and how often one was taken that was there
	Made   int
	Reused int
	From   Provenance
	Hash   string // SHA-256 of the plan, of what became of every query and of the report; 64 hex digits
}

// Model is a model with its revision.
type Model struct{ Name, Label, Revision string }

// NoneCompleted is the error of an experiment of which there is nothing to compare.
type NoneCompleted struct{ why string }

func (e *NoneCompleted) Error() string { return "matrix: " + e.why }

// Said is what people are told.
func (e *NoneCompleted) Said() string { return e.why }

// Failure is a query that has no list.
type Failure struct {
	Query string
	State State
	Why   string // Failed
}

// Outcome compares the runs that are completed. cancel is polled; it may be nil. The error is compare.ErrCancelled, or
// says that no run is completed.
func (x *Experiment) Outcome(from Provenance, cancel func() bool) (*Outcome, error) {
	out := &Outcome{Plan: x.Plan, Collection: x.s.Ref(), Status: x.Status(), From: from}
	x.doubts(out.Status)
	out.Made, out.Reused = x.Reused()
	out.Models = modelsOf(x)
	b := x.s.Bundle()
	first := ""
	var uncompared []int
	for run := range x.Plan.Runs {
		var failures []Failure
		for q, l := range x.lists[run] {
			if l.state == Empty || l.state == Failed {
				failures = append(failures, Failure{b.Queries[x.queries[q]].ID, l.state, l.why})
			}
		}
		out.Failures = append(out.Failures, failures)
		switch t := &out.Status[run]; {
		case t.State == Completed && x.Plan.Runs[run].Uncompared:
			uncompared = append(uncompared, run)
		case t.State == Completed:
			out.Compared = append(out.Compared, run)
		case (t.State == Broken || t.State == Incomplete || t.State == Idle) && first == "":
			first = x.Plan.Runs[run].Name() + ": " + t.Why
		}
	}
	if len(out.Compared) == 0 {
		if first != "" {
			return nil, &NoneCompleted{"no run was completed: " + first}
		}
		return nil, &NoneCompleted{"no run was completed"}
	}
	in, err := x.Input(out.Compared)
	if err != nil {
		return nil, err
	}
	out.Input = in
	if out.Report, err = compare.Compare(*in, cancel, nil); err != nil {
		return nil, err
	}
	out.Hash = x.hash(out.Report.Hash)
	folds := x.Plan.Spec.Folds
	if folds == 0 {
		folds = Folds
	}
	if t, ok, err := tune(out.Report, x.Plan.Spec.Seed, folds); err != nil {
		return nil, err
	} else if ok {
		out.Tuning = &t
	}
	if out.Families, err = tuneFamilies(out.Report, out.families(), x.Plan.Spec.Seed, folds); err != nil {
		return nil, err
	}
	if x.Plan.Spec.Ablate != "" {
		further, err := x.means(uncompared, cancel)
		if err != nil {
			return nil, err
		}
		if out.Ablation, err = Ablate(out.Report, x.Plan.Spec.Ablate, x.Plan.Spec.Seed, further); err != nil {
			missing, ok := errors.AsType[*unfinished](err)
			if !ok {
				return nil, err
			}
			out.Unablated = missing.Error()
		}
	}
	return out, nil
}

// doubts says of every run whether its backends could not say what they are.
func (x *Experiment) doubts(all []Status) {
	edge := edgeOf(x.s)
	if edge == nil {
		return
	}
	fresh := false
	for i := range all {
		for _, b := range stage.Backends(x.Plan.Runs[i].node) {
			if edge.Unconfirmed(b) != "" && !fresh {
				fresh = true
				edge.Refresh()
			}
			if why := edge.Unconfirmed(b); why != "" && all[i].Unconfirmed == "" {
				all[i].Unconfirmed = why
			}
		}
	}
}

// Analyse fills Analyses: what matters among the runs, and whether it is luck. cancel may be nil.
func (x *Outcome) Analyse(s *experiment.Session, cancel func() bool) error {
	opened, err := compare.Open(*x.Input)
	if err != nil {
		return err
	}
	if x.Analyses, err = analysis.Analyse(&analysis.Subject{Report: x.Report, Opened: opened,
		Facets: Facets(s, x.Report), Style: say.Plain, Cancel: cancel}); err != nil {
		return err
	}
	predicted, err := Prediction(s, x.Report, say.Plain)
	if err != nil {
		return err
	}
	wrong, err := Errors(s, opened, x.Report, say.Plain, cancel)
	x.Analyses = append(x.Analyses, predicted, wrong)
	return err
}

// families are the runs that are compared, by the system of the Spec that they are of.
func (x *Outcome) families() (out [][]int) {
	of := map[int]int{}
	for i, run := range x.Compared {
		system := x.Plan.Runs[run].System
		if system == len(x.Plan.Spec.Systems) { // of the ablation only
			continue
		}
		at, ok := of[system]
		if !ok {
			at = len(out)
			of[system] = at
			out = append(out, nil)
		}
		out[at] = append(out[at], i)
	}
	return out
}

// means are those of runs that are not compared, by the first measure under the Spec's policy.
func (x *Experiment) means(runs []int, cancel func() bool) (map[string]float64, error) {
	if len(runs) == 0 {
		return nil, nil
	}
	in, err := x.Input(runs)
	if err != nil {
		return nil, err
	}
	in.Measures = in.Measures[:1]
	c, err := compare.Open(*in)
	if err != nil {
		return nil, err
	}
	means, err := c.Evaluation.Means(cancel)
	if err != nil {
		return nil, err
	}
	out := map[string]float64{}
	for i, run := range runs {
		out[x.Plan.Runs[run].Notation] = means[0][i]
	}
	return out, nil
}

// hash is that of an outcome.
func (x *Experiment) hash(of string) string {
	var b strings.Builder
	b.WriteString("rankbox outcome 1\n" + x.Plan.Hash + "\n" + of + "\n")
	for run := range x.Plan.Runs {
		for _, l := range x.lists[run] {
			b.WriteByte('0' + byte(l.state))
		}
		b.WriteByte('\n')
		for q, l := range x.lists[run] {
			if l.passing {
				b.WriteString("fell back " + strconv.Itoa(q) + "\n")
			}
			if l.strays > 0 {
				b.WriteString("unknown " + strconv.Itoa(q) + " " + strconv.Itoa(l.strays) + "\n")
			}
		}
		for _, said := range x.status[run].Asked {
			b.WriteString(said + "\n")
		}
	}
	return sha256.Hex([]byte(b.String()))
}

// manyRuns is how many runs are compared by a test that is chosen for them. Of more, all pairs are compared by the t
// test: the randomisation test would draw a hundred times as often as there are pairs, for minutes, and over a grid of
// neighbours that finds nothing else. A Spec whose policy names a test has that.
const manyRuns = 40

// Input is what compare compares of some runs, as far as they are done: a run is called by its pipeline. A query that a
// run did not answer, or not yet, is not in it.
func (x *Experiment) Input(runs []int) (*compare.Input, error) {
	b := x.s.Bundle()
	policy, protocol, err := compare.ReadPolicy(x.Plan.Spec.Policy)
	if err != nil {
		return nil, err
	}
	if len(runs) > manyRuns && protocol.Test == "" {
		protocol.Test = "t"
	}
	in := &compare.Input{Name: b.Manifest.Name, Qrels: x.s.Queries.Qrels(), Queries: b.Queries,
		Measures: x.Plan.Measures(), Policy: policy, Protocol: protocol}
	for i, run := range runs {
		if run == x.Plan.Baseline {
			in.Baseline = i
		}
		name := x.Plan.Runs[run].Name()
		builder := collection.NewRunBuilder(strings.ReplaceAll(name, " ", ""))
		var fell []string
		for q, l := range x.lists[run] {
			id := b.Queries[x.queries[q]].ID
			if l.passing && l.state == Evaluated {
				fell = append(fell, id)
			}
			if l.state == Empty {
				if err := builder.Touch(id); err != nil {
					return nil, err
				}
			}
			for _, h := range l.hits {
				if err := builder.Add(id, b.Cards[h.Doc].ID, h.Score); err != nil {
					return nil, err
				}
			}
		}
		made, _ := builder.Run()
		named := compare.Named{Name: name, Run: made, Fell: fell}
		if x.Plan.Runs[run].Threshold == 0 { // else the run is less than its pipeline
			named.Pipeline = x.Plan.Runs[run].Notation
		}
		in.Runs = append(in.Runs, named)
	}
	return in, nil
}

// models are those that the runs name.
func modelsOf(x *Experiment) (out []Model) {
	for _, m := range x.s.Models.All() {
		used := false
		for i := range x.Plan.Runs {
			for _, name := range stage.Models(x.Plan.Runs[i].node) {
				used = used || name == m.Name || name == m.Label
			}
		}
		if used {
			out = append(out, Model{m.Name, m.Label, m.Revision})
		}
	}
	return out
}

// ID is the beginning of a hash, as it is shown.
func ID(hash string) string { return hash[:min(12, len(hash))] }

// Said is one line on what a plan does: how many runs, how many of them merged and refused.
func (p *Plan) Said() string {
	text := say.Count(len(p.Runs), "run", "runs")
	if n := len(p.Merged); n > 0 {
		text += "; " + say.Count(n, "written one", "written ones") + " " + say.Verb(n, "is", "are") +
			" the same as another"
	}
	if n := len(p.Refused); n > 0 {
		text += "; " + say.Count(n, "combination", "combinations") + " cannot be"
	}
	return text
}
