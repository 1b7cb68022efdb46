package matrix

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// State is what became of one query of a run.
type State uint8

// The states of queries.
const (
	NotRun    State = iota // nobody asked yet
	Evaluated              // there is a list of documents
	Empty                  // the system answered with no document
	Failed                 // the system could not answer
)

// String returns the state in words.
func (s State) String() string { return [...]string{"not run", "evaluated", "empty", "failed"}[s] }

// Stage of life of a run.
type Life uint8

// The lives of runs.
const (
	Pending    Life = iota // nothing is done yet
	Running                // some queries are done
	Completed              // every query is done, and at least one could be answered
	Broken                 // it cannot be built, or no query could be answered
	Cancelled              // it was stopped with queries left
	Incomplete             // every query is done, but a backend gave some no answer: it has no figures (see Spec.Partial)
	Idle                   // every query is done, but a stage had nothing to do for any: it is another system than it says
)

// String returns the state in words.
func (l Life) String() string {
	return [...]string{"pending", "running", "completed", "failed", "cancelled", "incomplete",
		"nothing to do"}[l]
}

// ErrCancelled is returned by an experiment that was told to stop. What is done is kept.
var ErrCancelled = say.Faultf("matrix", "cancelled")

// Progress is how far an experiment is.
type Progress struct {
	Run         int // the run that a query was done for last
	Done, Total int // queries of runs
	Kept        int // of Done, those that were done before this time
}

// Options says how an experiment is run. The zero Options run it on the caller's goroutine alone, to the end.
type Options struct {
	Hands int // goroutines, each with the queries of its own; 0 for 1
	// microseconds, for the time between checkpoints; nil keeps what is done every five queries
	Clock func() float64
	// queries of runs, by their place among the judged ones, that another worker does (see Take); nil for none
	Skip     func(run, query int) bool
	Cancel   func() bool      // polled between queries, by one goroutine at a time; nil never stops
	Progress func(p Progress) // called after every checkpoint, by one goroutine at a time; may be nil
}

// A checkpoint is made after five queries, but not sooner than 50 ms after the last one, and after 500 ms however few
// there were.
const (
	perCheckpoint = 5
	soonest       = 50e3 // microseconds
	latest        = 500e3
)

// Experiment is a plan over an open collection, as far as it is done.
type Experiment struct {
	Plan *Plan

	s       *experiment.Session
	store   Store
	queries []int    // of the bundle: those with judgments
	lists   [][]list // [run][query of queries]
	status  []Status
	remote  bool    // a run asks backends
	hands   []*hand // kept between two calls of Run, so that nothing is built twice

	lock      sync.Mutex // of everything above while hands are at work
	waiting   []entry
	uncertain []uncertain // until their backends said who they are behind them
	settling  sync.Mutex
	last      float64
	kept      int
	done      int
	stop      error
	collected sync.Mutex // of the collection
}

// Open joins a plan, an open collection and what a Store keeps of it.
func Open(p *Plan, s *experiment.Session, store Store) (*Experiment, error) {
	x := &Experiment{Plan: p, s: s, store: store}
	judged := s.Queries.JudgedIDs()
	place := map[int]int{}
	for i, q := range s.Bundle().Queries {
		if judged[q.ID] {
			place[i] = len(x.queries)
			x.queries = append(x.queries, i)
		}
	}
	if len(x.queries) == 0 {
		return nil, say.Faultf("matrix", "%s has no judged queries to measure", s.Bundle().Manifest.Name)
	}
	x.status = make([]Status, len(p.Runs))
	known := map[string]int{}
	for i := range p.Runs {
		known[x.key(i)] = i
		x.remote = x.remote || len(stage.Backends(p.Runs[i].node)) > 0
		x.lists = append(x.lists, make([]list, len(x.queries)))
	}
	all, err := resume(store)
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		run, ok := known[e.run]
		q, judged := place[e.query]
		if ok && judged && e.list.fits(len(x.s.Bundle().Cards)) {
			x.lists[run][q] = e.list
		}
	}
	for i := range x.status {
		x.count(i)
		x.status[i].Kept = len(x.queries) - x.status[i].NotRun
		x.kept += x.status[i].Kept
	}
	x.done = x.kept
	return x, nil
}

// key is what the journal calls a run: its hash, and of one that asks backends the digest of the identities
// that they declare now.
func (x *Experiment) key(run int) string {
	hash := x.Plan.Runs[run].Hash
	edge := edgeOf(x.s)
	if edge == nil {
		return hash
	}
	text, declared := "", false
	for _, b := range stage.Backends(x.Plan.Runs[run].node) {
		id := edge.Identity(b)
		declared = declared || id != ""
		text += b + " " + id + "\n"
	}
	if !declared {
		return hash
	}
	return hash + "+" + sha256.Hex([]byte(text))[:16]
}

// called returns the run that a key of the journal names, whatever its backends were then.
func (p *Plan) called(key string) int {
	hash, _, _ := strings.Cut(key, "+")
	return slices.IndexFunc(p.Runs, func(r PlannedRun) bool { return r.Hash == hash })
}

// edgeOf is the edge of a session, nil where it has none.
func edgeOf(s *experiment.Session) *remote.Edge {
	if x, ok := s.Parts().(stage.Edged); ok {
		return x.Edge()
	}
	return nil
}

// fits reports whether a kept list is of a collection of so many documents.
func (l list) fits(documents int) bool {
	for _, h := range l.hits {
		if int(h.Doc) >= documents {
			return false
		}
	}
	return (l.state == Evaluated) == (len(l.hits) > 0)
}

// Status returns how far every run is. It must not be called while Run is at work.
func (x *Experiment) Status() []Status { return append([]Status(nil), x.status...) }

// hand is one of those that share the queries out.
type hand struct {
	shelf   *shelf
	rankers map[string]stage.Ranker // by shape
	over    []bool                  // runs of which it has nothing left to do
	past    []bool                  // runs that it has been through: it keeps no parts for them any more
	hits    []rank.Hit
}

// uncertain is an entry whose backends may have changed while they were asked.
type uncertain struct {
	entry
	of int // the run
	at time.Time
}

// Run does what is not done yet. Queries to which a backend gave no answer are asked again at the end, as far as that
// may help, and lists of backends are kept once those said that they are still what they were. The error is ErrCancelled, or says why what is done could not be kept; in either case
// everything that was done before is kept, and Run may be called again.
func (x *Experiment) Run(o Options) error {
	n := max(o.Hands, 1)
	if x.remote { // they wait more than they work
		n = max(n, remote.InFlight)
	}
	x.stop, x.last = nil, 0
	if o.Clock != nil {
		x.last = o.Clock()
	}
	if len(x.hands) != n {
		x.hands = nil
		for range n {
			s := &shelf{of: x.s.Parts(), lock: &x.collected, left: maps.Clone(x.Plan.shared), lists: map[request]kept{}}
			x.hands = append(x.hands,
				&hand{shelf: s, rankers: map[string]stage.Ranker{}, over: make([]bool, len(x.Plan.Runs)),
					past: make([]bool, len(x.Plan.Runs))})
		}
	}
	var ledger *remote.Ledger
	if edge := edgeOf(x.s); edge != nil && x.remote {
		ledger = edge.Begin()
		defer ledger.End()
	}
	for again := true; again; {
		var all sync.WaitGroup
		for w := range n - 1 {
			all.Add(1)
			go func() {
				defer all.Done()
				x.work(x.hands[w], w, n, &o)
			}()
		}
		x.work(x.hands[n-1], n-1, n, &o)
		all.Wait()
		again = ledger != nil && x.stop == nil && x.again(ledger)
	}
	if ledger != nil {
		x.settle(ledger, x.stop == nil)
	}
	x.keep(&o, true)
	if x.stop != nil && x.stop != ErrCancelled { // something was taken back
		x.hands = nil
	}
	for i := range x.status {
		x.count(i)
		if x.stop == ErrCancelled && x.status[i].State == Running {
			x.status[i].State = Cancelled
		}
	}
	return x.stop
}

// again takes back what backends did not answer, and reports whether there is any that may be asked once more.
func (x *Experiment) again(l *remote.Ledger) bool {
	open := false
	for _, lists := range x.lists {
		open = open || slices.ContainsFunc(lists, func(l list) bool { return l.passing })
	}
	if !open {
		return false
	}
	x.settle(l, false) // before a service that fails is asked what it is
	n, err := l.Again()
	if err != nil {
		x.stop = ErrCancelled
	}
	if n == 0 || err != nil {
		return false
	}
	for run, lists := range x.lists {
		for q := range lists {
			if lists[q].passing {
				lists[q] = list{}
				x.done--
				for _, h := range x.hands {
					h.over[run] = false
				}
			}
		}
	}
	return true
}

// settle asks what the backends are now. Lists of those that are the same are kept, those of others are taken back: no
// figure is of two.
func (x *Experiment) settle(l *remote.Ledger, patience bool) {
	if !x.settling.TryLock() {
		return
	}
	defer x.settling.Unlock()
	x.lock.Lock()
	before := len(x.uncertain)
	x.lock.Unlock()
	changed, err := l.Confirm(patience)
	x.lock.Lock()
	defer x.lock.Unlock()
	if err != nil && x.stop == nil {
		x.stop = ErrCancelled
		if !errors.Is(err, remote.ErrStopped) {
			x.stop = say.Faultf("matrix", "save answers: %w", err)
		}
	}
	var left []uncertain
	for i, u := range x.uncertain {
		settled := i < before
		var of *remote.Changed
		for _, b := range stage.Backends(x.Plan.Runs[u.of].node) {
			settled = settled && l.Settled(b, u.at)
			for _, c := range changed {
				if c.Backend == b {
					of = c
				}
			}
		}
		switch {
		case of != nil:
			if q := slices.Index(x.queries, u.query); q >= 0 {
				x.lists[u.of][q] = list{state: Failed, passing: true, why: of.Said() + ". Run again to ask it as it is now"}
			}
		case settled:
			x.waiting = append(x.waiting, u.entry)
		default:
			left = append(left, u)
		}
	}
	x.uncertain = left
}

// work is what hand w of n does: of every run in the order of the plan, the queries w, w+n, …
func (x *Experiment) work(h *hand, w, n int, o *Options) {
	for run := range x.Plan.Runs {
		if h.over[run] {
			continue
		}
		skipped, stopped := x.rank(h, run, w, n, o)
		if stopped {
			return
		}
		h.over[run] = !skipped
		if !h.past[run] {
			h.past[run] = true
			h.shelf.done(x.Plan.Runs[run].node)
		}
	}
}

// rank does one run. It says whether queries are left to another worker, and whether it was stopped.
func (x *Experiment) rank(h *hand, run, w, n int, o *Options) (skipped, stopped bool) {
	var ranker stage.Ranker
	for q := w; q < len(x.queries); q += n {
		if x.lists[run][q].state != NotRun {
			continue
		}
		if o.Skip != nil && o.Skip(run, q) {
			skipped = true
			continue
		}
		if x.stopped(o) {
			return skipped, true
		}
		if ranker == nil {
			var err error
			if ranker, err = x.ranker(h.shelf, h.rankers, run); err != nil {
				x.broken(run, err)
				return false, false
			}
		}
		l, again, err := x.ask(ranker, run, q, h.hits)
		if errors.Is(err, stage.ErrStopped) {
			x.halt()
			return skipped, true
		}
		if e, ok := errors.AsType[*remote.Error](err); ok && e.Unasked {
			x.unasked(err)
			return skipped, true
		}
		if err != nil {
			x.broken(run, err)
			return false, false
		}
		if again { // it panicked: what it is in is not known
			delete(h.rankers, x.Plan.Runs[run].node.Shape())
			ranker = nil
		}
		h.hits = l.hits
		l.hits = slices.Clone(l.hits)
		x.add(run, q, l, o)
	}
	return skipped, false
}

// ranker returns the ranker of a run, one of the same shape set to its values where there is one.
func (x *Experiment) ranker(s *shelf, rankers map[string]stage.Ranker, run int) (r stage.Ranker, err error) {
	n := x.Plan.Runs[run].node
	defer func() {
		if v := recover(); v != nil {
			delete(rankers, n.Shape())
			err = fmt.Errorf("building it failed: %v", v)
		}
	}()
	if r := rankers[n.Shape()]; r != nil {
		if err := r.Set(n); err != nil {
			delete(rankers, n.Shape())
			return nil, err
		}
		return r, nil
	}
	if r, err = stage.Build(s, n); err != nil {
		return nil, err
	}
	rankers[n.Shape()] = r
	return r, nil
}

// ask asks a ranker one query. What it cannot answer is a list that says why; a panic is one too, and the ranker is not
// to be used again. An error is about neither the query nor the system, such as a file that could not be fetched.
func (x *Experiment) ask(r stage.Ranker, run, query int, dst []rank.Hit) (l list, again bool, err error) {
	defer func() {
		if v := recover(); v != nil {
			l, again, err = list{state: Failed, why: fmt.Sprintf("the system crashed: %v", v)}, true, nil
		}
	}()
	q := x.s.Bundle().Queries[x.queries[query]]
	hits, err := r.Rank(rank.Query{ID: q.ID, Text: q.Text}, x.Plan.Depth, x.s.FilterFor(q.ID, nil), dst)
	if err != nil {
		if why, ok := reason(err); ok {
			if e, ok := errors.AsType[*remote.Error](err); ok && e.Unasked { // neither done nor failed
				return list{}, false, err
			}
			_, silent := errors.AsType[*remote.Error](err)
			_, changed := errors.AsType[*remote.Changed](err)
			return list{state: Failed, why: why, passing: silent || changed}, false, nil
		}
		return list{}, false, err
	}
	l.passing = len(stage.FellBack(r)) > 0
	l.why, l.fell = stage.Asked(r), stage.WhyFell(r)
	l.strays, _ = stage.Strays(r)
	l.barren = strings.Join(stage.FoundNothing(r), " ")
	l.did = did(r)
	if t := x.Plan.Runs[run].Threshold; t != 0 {
		n := 0
		for n < len(hits) && hits[n].Score >= t {
			n++
		}
		hits = hits[:n]
	}
	if len(hits) == 0 {
		l.state = Empty
		return l, false, nil
	}
	l.state, l.hits = Evaluated, hits
	return l, false, nil
}

// did is what the stages did for the last query that r ranked, "" if all are retrievers that did their work.
func did(r stage.Ranker) string {
	all := stage.Deeds(r)
	if !slices.ContainsFunc(all, func(d stage.Deed) bool { return d.State != stage.Did || d.Moved >= 0 }) {
		return ""
	}
	return stage.WriteDeeds(all)
}

// halt stops as Cancel does.
func (x *Experiment) halt() {
	x.lock.Lock()
	defer x.lock.Unlock()
	if x.stop == nil {
		x.stop = ErrCancelled
	}
}

// unasked stops because a backend may not be asked.
func (x *Experiment) unasked(err error) {
	x.lock.Lock()
	defer x.lock.Unlock()
	if x.stop == nil {
		x.stop = err
	}
}

// stopped polls Cancel.
func (x *Experiment) stopped(o *Options) bool {
	x.lock.Lock()
	defer x.lock.Unlock()
	if x.stop == nil && o.Cancel != nil && o.Cancel() {
		x.stop = ErrCancelled
	}
	return x.stop != nil
}

// broken says that a run cannot go on.
func (x *Experiment) broken(run int, err error) {
	x.lock.Lock()
	defer x.lock.Unlock()
	why, ok := reason(err)
	if !ok {
		why = say.Told(err)
	}
	x.status[run].State, x.status[run].Why = Broken, why
}

// add takes what became of a query.
func (x *Experiment) add(run, query int, l list, o *Options) {
	key := x.key(run)
	x.lock.Lock()
	x.lists[run][query] = l
	x.done++
	x.status[run].State = Running
	edge := edgeOf(x.s)
	remote := edge != nil && len(stage.Backends(x.Plan.Runs[run].node)) > 0
	switch e := (entry{key, x.queries[query], l}); {
	case l.passing:
	case remote:
		x.uncertain = append(x.uncertain, uncertain{e, run, time.Now()})
	default:
		x.waiting = append(x.waiting, e)
	}
	x.lock.Unlock()
	if remote {
		if l := edge.Begin(); true {
			if l.Due() {
				x.settle(l, false)
			}
			l.End()
		}
	}
	x.keep(o, false)
}

// keep makes a checkpoint where it is time for one, or now.
func (x *Experiment) keep(o *Options, now bool) {
	x.lock.Lock()
	defer x.lock.Unlock()
	due := now || len(x.waiting) >= perCheckpoint
	if o.Clock != nil && !now {
		gap := o.Clock() - x.last
		due = due && gap >= soonest || gap >= latest
	}
	if !due || len(x.waiting) == 0 {
		return
	}
	if err := x.store.Append(piece(x.waiting)); err != nil {
		if x.stop == nil || x.stop == ErrCancelled {
			x.stop = say.Faultf("matrix", "save finished work: %w", err)
		}
		for _, e := range x.waiting { // what is not kept is not done
			x.forget(e)
		}
		x.waiting = nil
		return
	}
	run := x.waiting[len(x.waiting)-1].run
	x.waiting = x.waiting[:0]
	if o.Clock != nil {
		x.last = o.Clock()
	}
	if o.Progress != nil {
		o.Progress(Progress{Run: max(0, x.Plan.called(run)), Done: x.done, Total: len(x.Plan.Runs) * len(x.queries),
			Kept: x.kept})
	}
}

// forget takes an entry back.
func (x *Experiment) forget(e entry) {
	run, q := x.Plan.called(e.run), slices.Index(x.queries, e.query)
	if run >= 0 && q >= 0 {
		x.lists[run][q] = list{}
		x.done--
	}
}

// Reused says how many rankings of parts that several runs share were made, and how often one was taken that was there.
func (x *Experiment) Reused() (made, taken int) {
	for _, h := range x.hands {
		made += h.shelf.made
		taken += h.shelf.reused
	}
	return made, taken
}
