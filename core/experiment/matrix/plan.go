package matrix

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// PlannedRun is one run of a plan.
type PlannedRun struct {
	Notation   string  // canonical pipeline
	Threshold  float64 // least score, 0 for none
	Hash       string  // 64 hex digits, of everything that decides its lists
	System     int     // of the Spec, whose alternative it is first; len(Spec.Systems) for what only the ablation needs
	Uncompared bool    // only the Shapley values need it: it is no system of the comparison
	label      string
	node       *pipeline.Node
}

// Name is what tables call the run: its pipeline, with the threshold where there is one.
func (r *PlannedRun) Name() string {
	if r.Threshold == 0 {
		return r.Notation
	}
	return r.Notation + ", score >= " + strconv.FormatFloat(r.Threshold, 'g', -1, 64)
}

// Label is its short name, for people.
func (r *PlannedRun) Label() string { return r.label }

// Merged is a written run that is the same as an earlier one.
type Merged struct {
	Written string
	Run     int // of Plan.Runs
}

// Said is a merged run in words.
func (m Merged) Said(p *Plan) string {
	name := p.Runs[m.Run].Name()
	if m.Written == name {
		return brief(name) + " appears twice"
	}
	return brief(m.Written) + " is the same as " + name
}

// Refused is a written run that cannot be, and why.
type Refused struct {
	Written, Why string
	// Idle says that it could run, but that a stage of it has nothing to do its work with in this collection: it would
	// be another system than it says
	Idle bool
}

// Plan is which runs a Spec asks for.
type Plan struct {
	Spec     Spec
	Written  int // runs as written: len(Runs) + len(Merged) + len(Refused)
	Runs     []PlannedRun
	Merged   []Merged
	Refused  []Refused
	Baseline int // of Runs
	Depth    int
	Hash     string // of the runs, the measures and what is asked of them

	measures  []measure.Measure
	documents int            // of the collection, 0 if that is not known
	shared    map[string]int // canonical part of pipelines → places where the runs have it
}

// NewPlan makes the plan of a Spec over a collection. Runs that cannot be are in Refused, and so are those with a stage
// that has nothing to do its work with, if the collection itself is given. An error says why there is no run at all, or
// what is wrong with the whole.
func NewPlan(spec Spec, of report.Ref, over ...stage.Collection) (*Plan, error) {
	if err := spec.check(); err != nil {
		return nil, err
	}
	p := &Plan{Spec: spec, Depth: spec.Depth, documents: of.Documents, shared: map[string]int{}}
	if of.Elsewhere {
		p.documents = 0
	}
	if err := p.readMeasures(); err != nil {
		return nil, err
	}
	if p.Depth == 0 {
		p.Depth = min(evaluation.Depth(p.measures), MaxDepth)
	}
	if _, _, err := compare.ReadPolicy(spec.Policy); err != nil {
		return nil, about("policy", "policy: %w", err)
	}
	if err := p.expand(of, over); err != nil {
		return nil, err
	}
	if len(p.Runs) == 0 {
		what := "the one run cannot be"
		if p.Written > 1 {
			what = "none of the " + say.Thousands(p.Written) + " runs can be"
		}
		return nil, about("systems", "%s: %s: %s", what, brief(p.Refused[0].Written), p.Refused[0].Why)
	}
	if err := p.findBaseline(); err != nil {
		return nil, err
	}
	for i := range p.Runs {
		for _, part := range parts(p.Runs[i].node) {
			p.shared[part]++
		}
	}
	said := "rankbox plan 1\n"
	for i := range p.Runs {
		said += p.Runs[i].Hash + "\n"
	}
	for _, m := range p.measures {
		said += m.String() + "\n"
	}
	if spec.Folds != 0 {
		said += "folds " + strconv.Itoa(spec.Folds) + "\n"
	}
	p.Hash = sha256.Hex([]byte(said + strconv.Itoa(p.Baseline) + " " + strconv.Itoa(spec.Seed) + " " + spec.Policy +
		" " + spec.Ablate))
	return p, nil
}

// Nodes are the pipelines of the runs.
func (p *Plan) Nodes() []*pipeline.Node {
	out := make([]*pipeline.Node, len(p.Runs))
	for i := range p.Runs {
		out[i] = p.Runs[i].node
	}
	return out
}

// Measures returns the measures in canonical notation.
func (p *Plan) Measures() (out []string) {
	for _, m := range p.measures {
		out = append(out, m.String())
	}
	return out
}

// Lower reports whether less of the first measure is better.
func (p *Plan) Lower() bool { return p.measures[0].Info().Lower }

// Bytes is about what the rankings of so many queries take in memory.
func (p *Plan) Bytes(queries int) int {
	longest := p.Depth
	if p.documents > 0 {
		longest = min(longest, p.documents)
	}
	return len(p.Runs) * queries * (64 + 16*longest)
}

func (p *Plan) readMeasures() error {
	names := p.Spec.Measures
	if len(names) == 0 {
		names = measure.Defaults()
	}
	if len(names) > mostMeasures {
		return about("measures", "%d measures: the limit is %d", len(names), mostMeasures)
	}
	for i, text := range names {
		if len(text) > maxText {
			return aboutItem("measures", i, "a measure of %d bytes: the limit is %d", len(text), maxText)
		}
		m, err := measure.Parse(text)
		if err != nil {
			return aboutItem("measures", i, "%w", err)
		}
		if slices.ContainsFunc(p.measures, func(o measure.Measure) bool { return o.String() == m.String() }) {
			continue
		}
		if m.Cutoff() > MaxDepth {
			return aboutItem("measures", i, "%s looks at %d documents; the limit is %d", m, m.Cutoff(), MaxDepth)
		}
		if p.Depth > 0 {
			if err := evaluation.CheckDepth([]measure.Measure{m}, p.Depth); err != nil {
				return aboutItem("measures", i, "%w", err)
			}
		}
		p.measures = append(p.measures, m)
	}
	return nil
}

// deepest is the largest cutoff of a measure, and the measure.
func (p *Plan) deepest() (int, string) {
	k, name := 0, ""
	for _, m := range p.measures {
		if m.Cutoff() > k {
			k, name = m.Cutoff(), m.String()
		}
	}
	return k, name
}

// expand fills Runs, Merged and Refused.
func (p *Plan) expand(of report.Ref, over []stage.Collection) error {
	thresholds := p.Spec.Thresholds
	if len(thresholds) == 0 {
		thresholds = []float64{0}
	}
	for i, t := range thresholds {
		if math.IsNaN(t) || math.IsInf(t, 0) {
			return aboutItem("thresholds", i, "a threshold is not a number")
		}
	}
	if len(thresholds) > MaxRuns {
		return about("thresholds", "%d thresholds: the limit is %d runs", len(thresholds), MaxRuns)
	}
	place := map[string]int{} // hash → run
	written, limit := p.Spec.Systems, MaxRuns
	compared := len(written)
	if p.Spec.Ablate != "" {
		more, only, err := p.Spec.ablated()
		if err != nil {
			return &Misplaced{"ablate", -1, err}
		}
		if why := p.read(&PlannedRun{}, more[0]); why != "" {
			return about("ablate", "ablate: %s cannot be: %s", brief(more[0]), why)
		}
		compared += len(more)
		limit += len(only)
		written = slices.Concat(written, more, only)
	}
	for i, written := range written {
		room := (4*limit - p.Written) / len(thresholds)
		texts, err := Expand(written, room)
		if preset := stage.PresetNamed(written); preset != nil {
			texts, err = preset.Systems, nil
		}
		if err != nil {
			return aboutItem("systems", i, "system %d: %w", i+1, err)
		}
		for _, text := range texts {
			for _, t := range thresholds {
				p.Written++
				r := PlannedRun{Threshold: t, System: min(i, len(p.Spec.Systems)), Uncompared: i >= compared}
				name := text
				if t != 0 {
					name += ", score >= " + strconv.FormatFloat(t, 'g', -1, 64)
				}
				why := p.read(&r, text)
				if why == "" {
					why = unreachable(&r)
				}
				if why == "" && of.Elsewhere {
					why = stage.NeedsDocuments(r.node)
				}
				idle := false
				if why == "" && len(over) > 0 {
					why = stage.HasNothing(over[0], r.node)
					idle = why != ""
				}
				if why != "" {
					p.Refused = append(p.Refused, Refused{name, why, idle})
					continue
				}
				r.label = of.Label(r.node.Label())
				r.Hash = sha256.Hex([]byte("rankbox run 1\n" + of.Hash + "\n" + of.Analyzer + "\n" +
					strconv.Itoa(p.Depth) + "\n" + r.Name()))
				if first, ok := place[r.Hash]; ok {
					if i >= len(p.Spec.Systems) && name == p.Runs[first].Name() { // nobody wrote it twice
						p.Written--
						continue
					}
					p.Merged = append(p.Merged, Merged{name, first})
					continue
				}
				place[r.Hash] = len(p.Runs)
				p.Runs = append(p.Runs, r)
			}
		}
	}
	p.leaveOutTopics()
	if len(p.Runs) > limit {
		return about("systems", "%d runs are too many: the limit is %d", len(p.Runs), limit)
	}
	return nil
}

// leaveOutTopics refuses runs that only group the documents of another run: a test would compare a ranking with itself.
func (p *Plan) leaveOutTopics() {
	if p.Spec.Ablate != "" {
		return
	}
	names := map[string]bool{}
	for i := range p.Runs {
		names[p.Runs[i].Name()] = true
	}
	var runs []PlannedRun
	at := make([]int, len(p.Runs)) // where a run is now, -1 if it is refused
	for i, r := range p.Runs {
		bare := r
		if n := stage.WithoutTopics(r.node); n != r.node {
			bare.Notation = n.String()
		}
		if bare.Notation != r.Notation && names[bare.Name()] {
			at[i] = -1
			p.Refused = append(p.Refused, Refused{r.Name(), "cluster groups documents and moves none, so this system " +
				"ranks as " + bare.Name() + " does", true})
			continue
		}
		at[i] = len(runs)
		runs = append(runs, r)
	}
	p.Runs = runs
	p.Merged = slices.DeleteFunc(p.Merged, func(m Merged) bool { return at[m.Run] < 0 })
	for i := range p.Merged {
		p.Merged[i].Run = at[p.Merged[i].Run]
	}
	p.Written = len(p.Runs) + len(p.Merged) + len(p.Refused)
}

// unreachable says that no document can reach the threshold of a run, "" where one may.
func unreachable(r *PlannedRun) string {
	const slack = 1 + 1e-12 // the highest score is a sum, which may be rounded up
	highest, by, known := stage.Highest(r.node)
	if !known || r.Threshold <= float64(highest*slack) {
		return ""
	}
	return "no document can reach the score " + strconv.FormatFloat(r.Threshold, 'g', -1, 64) + ": scores of " + by +
		" end at " + say.Plain.Short(highest)
}

// read parses a run and returns why it cannot be.
func (p *Plan) read(r *PlannedRun, text string) string {
	if text == "" {
		return "nothing is left of it when its first stage is off"
	}
	n, err := stage.Parse(text)
	if err != nil {
		var at *pipeline.Error
		if errors.As(err, &at) {
			return at.Reason()
		}
		return say.Told(err)
	}
	if err := stage.Standing(n); err != nil {
		why, _ := reason(err)
		return why
	}
	r.node, r.Notation = n, n.String()
	deepest, name := p.deepest()
	for m := n; m != nil; m = m.Input {
		if m.Stage == &stage.Cut.Stage && m.Integer("n") < deepest {
			return m.Stage.Name + " leaves " + m.Value("n") + " documents, and " + name + " looks at " +
				strconv.Itoa(deepest)
		}
	}
	return ""
}

func (p *Plan) findBaseline() error {
	if p.Spec.Baseline == "" {
		return nil
	}
	want := p.Spec.Baseline
	if preset := stage.PresetNamed(want); preset != nil {
		want = preset.Systems[0]
	}
	if n, err := stage.Parse(want); err == nil {
		want = n.String()
	}
	for i := range p.Runs {
		if p.Runs[i].Name() == want {
			p.Baseline = i
			return nil
		}
	}
	var names []string
	for i := range p.Runs {
		names = append(names, p.Runs[i].Name())
	}
	text := "the baseline " + strconv.Quote(brief(p.Spec.Baseline)) + " is none of the runs"
	if near := pipeline.Nearest(want, names); near != "" {
		text += "; did you mean " + near + "?"
	}
	return about("baseline", "%s", text)
}

// parts are the canonical forms of a pipeline and of all pipelines within it, each once.
func parts(n *pipeline.Node) (out []string) {
	n.Walk(func(m *pipeline.Node) {
		if text := m.String(); !slices.Contains(out, text) {
			out = append(out, text)
		}
	})
	return out
}
