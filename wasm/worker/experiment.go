//go:build !first

package worker

import (
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

func init() { register(message.Experiment, handler{}, toExperiments, (*experiments).answer) }

const (
	slice      = 200e3    // microseconds that an experiment goes on for before the page hears of it
	mostTries  = 8        // runs that are tried for an estimate
	mostKept   = 64 << 20 // bytes of a journal: one that has grown beyond begins anew
	mostOnPage = 96 << 20 // bytes of rankings that a tab keeps
)

// longSlice is for how many microseconds an experiment that asks backends goes on before the page hears of it.
const longSlice = 1000e3

// keepIn opens what outlasts the page, by a name; nil where nothing does.
var keepIn func(name string) (matrix.Store, error)

// forgetKept removes what keepIn has of a collection; nil where nothing outlasts the page.
var forgetKept func(collection string)

// keptAs names what is kept of one kind about a collection. That of a person's own documents can be told apart from the
// rest, since it goes with them.
func keptAs(kind, id, hash string) string {
	if strings.HasPrefix(id, "upload-") {
		kind += "-" + id
	}
	return kind + "-" + hash[:16]
}

// trial is the experiment that is at work.
type trial struct {
	matrix  message.Matrix
	x       *matrix.Experiment
	lasting bool
	note    string
	micros  float64
	remote  bool              // a run asks backends
	price   string            // what they are asked for at most
	changed string            // which of them are others now, "" for none
	answers string            // hash of what they answered, as the edge keeps it
	means   map[int][]float64 // of completed runs by every measure

	backends []string
	of       map[string]string // the identity of each, whose answers its figures are of
}

// experiments are those over the open collection, and the work on them.
type experiments struct {
	last   *trial              // the one that was asked about last
	of     *experiment.Session // over which it is
	part   *part               // of an experiment that several workers share out
	tuning *tuning             // the weights that are being tuned

	open     *openCollection
	backends *backends
	page     *page
}

func toExperiments(e *Engine) *experiments { return &e.experiments }

// answer answers Experiment.
func (x *experiments) answer(_ message.Request, ask *message.AskExperiment) (*message.Experimented, error) {
	if ask.Renew {
		x.last = nil
	}
	t, err := x.trial(&ask.Matrix, ask.Renew)
	if err != nil {
		if errors.Is(err, stage.ErrBeyond) {
			return nil, err
		}
		out := &message.Experimented{Problem: say.Sentence(err)}
		if at, ok := errors.AsType[*matrix.Misplaced](err); ok {
			out.Member = at.Member
		}
		return out, nil
	}
	release := x.backends.hold(t, !ask.Go)
	late := x.ids(t, ask.Go)
	if x.of != x.open.session { // further ids are known, so documents have other numbers
		release()
		if t, err = x.trial(&ask.Matrix, false); err != nil {
			return nil, err
		}
		release = x.backends.hold(t, false)
	}
	defer release()
	if late {
		return t.said(), nil
	}
	if ask.Keep {
		x.backends.publish(t)
		return t.said(), nil
	}
	if len(ask.Lists) > 0 {
		if err := t.x.Take(ask.Lists); err != nil {
			t.note = say.Sentence(err)
		}
	}
	waits := false
	if ask.Go {
		start, before := x.page.now(), t.done()
		end := start + t.slice()
		o := matrix.Options{Clock: x.page.now, Cancel: func() bool { return x.page.now() >= end }}
		if len(ask.Away) > 0 {
			o.Skip = func(_, query int) bool { return slices.Contains(ask.Away, query%ask.Of) }
		}
		defer x.backends.patient(func() bool { return x.page.now() < end })()
		defer x.backends.spending()()
		err := t.x.Run(o)
		if err != nil && !errors.Is(err, matrix.ErrCancelled) {
			t.note = say.Sentence(err)
		}
		waits = err == nil && len(ask.Away) > 0
		if left, now := t.left(), t.done(); left == 0 {
			t.micros = 0
		} else if now > before {
			t.micros = (x.page.now() - start) / float64(now-before) * float64(left) / float64(1+len(ask.Away))
		}
	} else if t.micros == 0 && t.left() > 0 && x.page.clock != nil && !t.remote {
		t.micros = t.x.Estimate(x.page.now, mostTries).Micros // this never asks a backend
	}
	if t.left() == 0 && t.note == "" {
		t.note = x.backends.unfoundIDs()
	}
	out := t.said()
	out.Waits = waits && !out.Over
	return out, nil
}

// trial opens an experiment, or takes up the one that is there.
func (x *experiments) trial(m *message.Matrix, renew bool) (*trial, error) {
	if t := x.last; t != nil && t.matrix.Equal(m) && x.of == x.open.session {
		return t, nil
	}
	p, err := x.plan(m)
	if err != nil {
		return nil, err
	}
	t := &trial{matrix: *m, lasting: true}
	for _, n := range p.Nodes() {
		for _, b := range stage.Backends(n) {
			t.remote = true
			if !slices.Contains(t.backends, b) {
				t.backends = append(t.backends, b)
			}
		}
	}
	store, err := x.journal()
	if x.backends.distant != nil { // the answers are kept; rankings have numbers of documents, which change
		store, t.lasting = &matrix.Memory{}, x.backends.lasting
	} else if err != nil {
		store, t.lasting = &matrix.Memory{}, false
		t.note = "What is done lasts as long as this page: " + say.Sentence(err)
	}
	if t.remote {
		if price, err := p.Price(x.open.session); err == nil {
			t.price = price.String()
		}
		x.backends.keptAnswers(t, renew)
		defer x.backends.hold(t, false)()
	}
	if t.x, err = matrix.Open(p, x.open.session, store); err != nil {
		return nil, err
	}
	x.last, x.of = t, x.open.session
	return t, nil
}

// ids gathers the ids of documents that are elsewhere, for as long as an experiment goes on at a time; pay lets
// backends be asked. It reports whether that was too short.
func (x *experiments) ids(t *trial, pay bool) (late bool) {
	if x.backends.distant == nil {
		return false
	}
	var systems []string
	for _, n := range t.x.Plan.Nodes() {
		systems = append(systems, n.String())
	}
	spend := 0
	if pay {
		spend = -1
	}
	end := x.page.now() + t.slice()
	defer x.backends.patient(func() bool { return x.page.now() < end })()
	_, late = x.backends.askIDs(systems, x.open.judgedTexts(), spend, func() bool { return x.page.now() >= end })
	return late
}

// plan makes the plan of an experiment over the open collection.
func (x *experiments) plan(m *message.Matrix) (*matrix.Plan, error) {
	if x.open.session == nil {
		return nil, errors.New("the collection is not open yet")
	}
	spec := matrix.Spec{Systems: m.Systems, Measures: m.Measures, Baseline: m.Baseline, Depth: m.Depth}
	if len(m.Systems) == 1 && strings.HasPrefix(strings.TrimSpace(m.Systems[0]), "{") {
		var err error
		if spec, err = matrix.ReadSpec([]byte(m.Systems[0])); err != nil {
			return nil, err
		}
		if ref := x.open.session.Ref(); !means(spec.Collection, &ref) {
			return nil, fmt.Errorf("the Spec is about the collection %q, and %s is open (%s, content hash %s …): "+
				"open that one, or take \"collection\" out", spec.Collection, ref.Name, ref.ID, ref.Hash[:16])
		}
	}
	p, err := matrix.NewPlan(spec, x.open.session.Ref(), x.open.session.Parts())
	if err != nil && len(m.Systems) == 1 {
		err = matrix.InText([]byte(m.Systems[0]), err)
	}
	if err != nil {
		return nil, err
	}
	if n := p.Bytes(len(x.open.session.Queries.JudgedIDs())); n > mostOnPage {
		return nil, errors.New("the rankings would take " + say.Bytes(int64(n)) +
			", more than a tab should keep: fewer runs or a smaller depth, or rankbox run on the command line")
	}
	return p, nil
}

// means says whether what a Spec writes is a collection: its id, its name, its content hash or the first 16 digits of
// it at least, or a path that ends with its id.
func means(written string, ref *report.Ref) bool {
	id := path.Base(strings.TrimSuffix(strings.ReplaceAll(written, "\\", "/"), "/"))
	return written == "" || written == ref.Name || id == ref.ID ||
		len(written) >= 16 && strings.HasPrefix(ref.Hash, written)
}

// journal is that of the open collection's experiments, one for all of them.
func (x *experiments) journal() (matrix.Store, error) {
	if keepIn == nil {
		return nil, errors.New("there is no place for it")
	}
	s, err := keepIn(keptAs("experiment", x.open.session.Ref().ID, x.open.session.Ref().Hash))
	if err != nil {
		return nil, err
	}
	b, err := s.Load()
	if err == nil && len(b) > mostKept {
		err = s.Cut(0)
	}
	return s, err
}

func (t *trial) left() (n int) {
	for _, s := range t.x.Status() {
		if s.State != matrix.Broken {
			n += s.NotRun
		}
	}
	return n
}

// done is how many queries were done since the page was opened.
func (t *trial) done() (n int) {
	for _, s := range t.x.Status() {
		n += s.Evaluated + s.Empty + s.Failed - s.Kept
	}
	return n
}

// meansOf are the means of a completed run by every measure, nil before that: they are worked out once.
func (t *trial) meansOf(run int, s matrix.Life) []float64 {
	if s != matrix.Completed {
		return nil
	}
	if t.means[run] == nil {
		if t.means == nil {
			t.means = map[int][]float64{}
		}
		t.means[run] = t.x.Means(run)
	}
	return t.means[run]
}

// said tells how far it is.
func (t *trial) said() *message.Experimented {
	p := t.x.Plan
	out := &message.Experimented{Said: p.Said(), Baseline: p.Baseline, Measure: p.Measures()[0],
		Measures: p.Measures(),
		Lower:    p.Lower(), Micros: t.micros, Lasting: t.lasting, Note: t.note, Over: t.left() == 0, Remote: t.remote,
		Answers: t.answers, Changed: t.changed, Price: t.price}
	for _, m := range p.Merged {
		out.Merged = append(out.Merged, message.Pair{Written: m.Written, Said: p.Runs[m.Run].Name()})
	}
	for _, r := range p.Refused {
		out.Refused = append(out.Refused, message.Pair{Written: r.Written, Said: r.Why})
	}
	for i, s := range t.x.Status() {
		r := &p.Runs[i]
		mean, n := t.x.Mean(i)
		if n == 0 || s.State == matrix.Broken {
			mean = math.NaN()
		}
		out.Queries = s.Evaluated + s.Empty + s.Failed + s.NotRun
		out.Runs = append(out.Runs, message.ExperimentRun{Name: r.Name(), Label: r.Label(), Hash: r.Hash,
			State: s.State.String(), Why: s.Why, Evaluated: s.Evaluated, Empty: s.Empty, Failed: s.Failed,
			NotRun: s.NotRun, Kept: s.Kept, Mean: mean, Means: t.meansOf(i, s.State), Behind: s.Remote()})
	}
	out.Bytes = p.Bytes(out.Queries)
	out.Made, out.Reused = t.x.Reused()
	if t.done() > 0 || slices.ContainsFunc(out.Runs, func(r message.ExperimentRun) bool { return r.Kept > 0 }) {
		out.Have = t.x.Have()
	}
	return out
}

// tried are the runs of an experiment as Compare takes them: what is not done yet is done first. Of more than it
// compares at once they are the best by the first measure, and the baseline.
func (x *experiments) tried(r message.Request, m *message.Matrix) (*compare.Input, error) {
	t, err := x.trial(m, false)
	if err != nil {
		return nil, err
	}
	release := x.backends.hold(t, false)
	x.ids(t, false)
	if x.of != x.open.session {
		release()
		if t, err = x.trial(m, false); err != nil {
			return nil, err
		}
		release = x.backends.hold(t, false)
	}
	defer release()
	for t.left() > 0 {
		end := x.page.now() + t.slice()
		over := x.backends.patient(func() bool { return x.page.now() < end })
		err := t.x.Run(matrix.Options{Clock: x.page.now, Cancel: func() bool { return x.page.now() >= end }})
		if over(); err != nil && !errors.Is(err, matrix.ErrCancelled) {
			return nil, err
		}
		x.page.tell(r, message.Progress{What: "Running the experiment", Done: t.done(), Total: t.done() + t.left(),
			Unit: "rankings"})
		x.page.letIn()
		if x.page.isOutdated(r) {
			return nil, errStopped
		}
	}
	return t.x.Input(t.best(message.MaxRuns))
}

// best are at most n completed runs in the order of the plan: those with the best means, and the baseline.
func (t *trial) best(n int) (out []int) {
	p := t.x.Plan
	var all []int
	means := map[int]float64{}
	for i, s := range t.x.Status() {
		if s.State == matrix.Completed && !p.Runs[i].Uncompared {
			all = append(all, i)
			if means[i], _ = t.x.Mean(i); p.Lower() {
				means[i] = -means[i]
			}
		}
	}
	slices.SortStableFunc(all, func(a, b int) int {
		switch {
		case a == p.Baseline || means[a] > means[b] && b != p.Baseline:
			return -1
		case b == p.Baseline || means[a] < means[b]:
			return 1
		}
		return 0
	})
	out = slices.Clone(all[:min(n, len(all))])
	slices.Sort(out)
	return out
}

// made reports whether the runs of a comparison were made from the open collection, by the experiment that ran last.
func (x *experiments) made(r *report.Report) bool {
	t := x.last
	if t == nil || x.open.session == nil || x.of != x.open.session || len(r.Queries) == 0 {
		return false
	}
	for i := range r.Systems {
		if planned(t.x.Plan, &r.Systems[i]) < 0 {
			return false
		}
	}
	return r.Collection.Name == x.open.session.Ref().Name
}

// planned is the run of a plan that a system of a report is, -1 for none.
func planned(p *matrix.Plan, s *report.System) int {
	return slices.IndexFunc(p.Runs, func(r matrix.PlannedRun) bool { return r.Name() == s.Pipeline() })
}

// ranked are the runs of the open systems. The experiment of Evaluate stays what it is.
func (x *experiments) ranked(r message.Request, ask *message.AskLayered) (*compare.Input, error) {
	defer func(t *trial, of *experiment.Session) { x.last, x.of = t, of }(x.last,
		x.of)
	in, err := x.tried(r, &message.Matrix{Systems: ask.Systems, Measures: []string{ask.Measure}})
	if err != nil {
		return nil, err
	}
	in.Measures = []string{ask.Measure}
	return in, nil
}

// slice is for how long an experiment goes on before the page hears of it.
func (t *trial) slice() float64 {
	if t.remote {
		return longSlice
	}
	return slice
}
