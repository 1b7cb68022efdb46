package remote

import (
	"maps"
	"slices"
	"sort"
	"strconv"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
)

// Rounds is how often a question of a run is sent at most: once, and again at its end where that may help.
const Rounds = 3

// mostRounds is how often Again lets questions go. If an edge left a service alone, the first question behind that rest
// goes alone; if it gets no answer, the others are not sent in that round.
const mostRounds = 4

// longestRest is for how long a service that asks to be left alone is waited for before it is asked again.
const longestRest = 2 * time.Minute

// Ledger is what became of the questions of one run: answered, and confirmed to be of one identity before and after,
// or failed, and why. A question that failed is not sent again before Again. Answers are handed to Edge.Keep once
// Confirm found that the backend is still the one that was asked.
type Ledger struct {
	e     *Edge
	depth int // of Begin without End
	round int

	failed    map[string]*Error // questions without an answer, by key
	tried     map[string]int    // in which round a failed one was tried last
	sent      map[string]int    // how often it was sent
	resting   map[string]bool   // backends to whose services the edge sent nothing in this round
	probes    map[string]*probe // by backend, of this round: those that rested
	fell      map[string]*Error // answers in the order of their question
	pending   map[string][]pending
	since     time.Time // of the first answer that is not confirmed
	confirmed map[string]bool
	rests     time.Duration // that services asked for since the last Again
	until     time.Time     // when Again lets the questions go, zero if it was not asked
	parked    time.Time     // when it was closed
}

// pending is an answer that is not confirmed.
type pending struct {
	key, identity string
	body          []byte
	at            time.Time // when it came
}

// parkedFor is for how long a ledger that was closed is opened again: a run on the page is made in slices.
const parkedFor = 10 * time.Second

// Begin opens the ledger of a run, or the one that is open already. Every Begin has its End.
func (e *Edge) Begin() *Ledger {
	e.mu.Lock()
	defer e.mu.Unlock()
	if l := e.parked; e.ledger == nil && l != nil && time.Since(l.parked) < parkedFor {
		e.ledger = l
	}
	e.parked = nil
	if e.ledger == nil {
		e.ledger = &Ledger{e: e, failed: map[string]*Error{}, tried: map[string]int{},
			sent: map[string]int{}, resting: map[string]bool{}, probes: map[string]*probe{}, fell: map[string]*Error{},
			pending: map[string][]pending{}, confirmed: map[string]bool{}}
	}
	e.ledger.depth++
	return e.ledger
}

// End closes the ledger: what was not confirmed is not kept, unless the run goes on at once.
func (l *Ledger) End() {
	l.e.mu.Lock()
	defer l.e.mu.Unlock()
	if l.depth--; l.depth == 0 && l.e.ledger == l {
		l.e.ledger, l.parked = nil, time.Now()
		if len(l.pending)+len(l.failed)+len(l.fell) > 0 {
			l.e.parked = l
		}
	}
}

// refused is the error of a question that was sent in this round and got no answer; nil where it may be sent. The lock
// is held.
func (l *Ledger) refused(key string) error {
	if err := l.failed[key]; err != nil && (l.tried[key] == l.round || !err.Passing || l.sent[key] >= Rounds) {
		return err
	}
	return nil
}

// probe is the first question to a backend behind a rest.
type probe struct {
	over chan struct{}
	err  *Error // it got no answer
}

// probe returns the error of the first question to a backend in this round, for which the others wait; mine is the
// probe of a caller that is to send the first one. The lock is held, and let go meanwhile.
func (l *Ledger) probe(backend string) (mine *probe, err *Error) {
	p, rested := l.probes[backend]
	if !rested {
		return nil, nil
	}
	if p == nil {
		p = &probe{over: make(chan struct{})}
		l.probes[backend] = p
		return p, nil
	}
	l.e.mu.Unlock()
	<-p.over
	l.e.mu.Lock()
	return nil, p.err
}

// count takes a question that got no answer. The lock is held.
func (l *Ledger) count(key string, err *Error) {
	if err.unsent {
		l.resting[err.Backend] = true
		return
	}
	l.sent[key]++
}

// Again lets the questions that have no answer be sent once more, after a rest, and returns how many there are; 0 where
// none may help, or each was sent Rounds times. It returns ErrStopped where Edge.Patient ended the rest.
func (l *Ledger) Again() (questions int, err error) {
	e := l.e
	e.mu.Lock()
	var first *Error
	for _, all := range []map[string]*Error{l.failed, l.fell} {
		for _, key := range slices.Sorted(maps.Keys(all)) {
			if err := all[key]; err.Passing && l.sent[key] < Rounds {
				if questions++; first == nil {
					first = err
				}
			}
		}
	}
	rest := max(l.rests, 500*time.Millisecond<<l.round)
	held := first != nil && e.side(first.Backend).held != nil
	if questions == 0 || l.round+1 >= mostRounds || rest > longestRest || held || e.send == nil {
		e.mu.Unlock()
		return 0, nil
	}
	told := e.Waits
	if l.until.IsZero() {
		l.until = time.Now().Add(rest)
	} else {
		told = nil
	}
	until := l.until
	e.mu.Unlock()
	if told != nil {
		told(Wait{Questions: questions, For: rest, Why: "the backend " + first.Backend + " gave no answer: " + first.Why})
	}
	if err := e.sleep(until); err != nil {
		return 0, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	l.round, l.rests, l.until = l.round+1, 0, time.Time{}
	for key := range l.fell {
		if l.sent[key] < Rounds {
			delete(e.answers, key)
		}
	}
	clear(l.fell)
	clear(l.probes)
	for backend := range l.resting {
		l.probes[backend] = nil
	}
	clear(l.resting)
	return questions, nil
}

// Wait is why and for how long questions wait.
type Wait struct {
	Why       string // a clause
	For       time.Duration
	Questions int // that are sent again behind it; 0 where an edge asks everybody to wait
}

// sleep waits until a time, or for Patient to end it.
func (e *Edge) sleep(until time.Time) error {
	for {
		left := time.Until(until)
		if left <= 0 {
			return nil
		}
		if e.Patient != nil && !e.Patient() {
			return ErrStopped
		}
		time.Sleep(min(left, 50*time.Millisecond))
	}
}

// confirmEvery is for how long answers wait to be confirmed while a run goes on.
const confirmEvery = 2 * time.Second

// Due reports whether answers have waited long enough to be confirmed.
func (l *Ledger) Due() bool {
	l.e.mu.Lock()
	defer l.e.mu.Unlock()
	return len(l.pending) > 0 && time.Since(l.since) >= confirmEvery
}

// Confirm asks the edge what its backends are now. The answers of those that are what they were are kept; those of the
// others are dropped, and what changed is returned: no figure may be of both. It is asked once, or, with patience, until
// every service said what it is after its last answer, for some seconds. See Settled and Edge.Unconfirmed.
func (l *Ledger) Confirm(patience bool) (changed []*Changed, err error) {
	e := l.e
	longest := 3 * time.Second
	if l.round > 0 { // an edge leaves a service that failed alone for ten
		longest = 12 * time.Second
	}
	for began := time.Now(); ; {
		e.mu.Lock()
		waiting := len(l.pending)
		e.mu.Unlock()
		if waiting == 0 || e.send == nil {
			return changed, nil
		}
		e.Refresh()
		o, failed := e.Offer()
		if failed == ErrStopped {
			return changed, failed
		}
		over := !patience || time.Since(began) >= longest
		e.mu.Lock()
		for _, backend := range slices.Sorted(maps.Keys(l.pending)) {
			if failed == nil {
				var c *Changed
				if c, err = l.confirm(backend, o); err != nil {
					e.mu.Unlock()
					return changed, err
				}
				if c != nil {
					changed = append(changed, c)
				}
			}
			e.side(backend).doubted = patience && over && len(l.pending[backend]) > 0
		}
		l.since = time.Now()
		waiting = len(l.pending)
		e.mu.Unlock()
		if waiting == 0 || over {
			return changed, nil
		}
		if err := e.sleep(time.Now().Add(250 * time.Millisecond)); err != nil {
			return changed, err
		}
	}
}

// confirm holds the answers of one backend against what it declares. The lock is held.
func (l *Ledger) confirm(backend string, o *Offer) (*Changed, error) {
	e, all := l.e, l.pending[backend]
	b := o.find(backend)
	age, inspected := o.age(backend)
	if inspected && age < 0 { // it does not say
		return nil, nil
	}
	if b == nil || b.Identity != all[0].identity {
		delete(l.pending, backend)
		return l.drop(backend, all, b), nil
	}
	n := len(all)
	if said := time.Now().Add(-age); inspected {
		n = sort.Search(len(all), func(i int) bool { return all[i].at.After(said) }) // they came before it said so
	}
	if l.pending[backend] = all[n:]; n == len(all) {
		delete(l.pending, backend)
		e.side(backend).doubted = false
	}
	if n == 0 {
		return nil, nil
	}
	l.confirmed[backend] = true
	if e.Keep == nil {
		return nil, nil
	}
	if err := e.declared(backend, all[0].identity); err != nil {
		return nil, err
	}
	for _, p := range all[:n] {
		if err := e.Keep(line(p.key, p.body)); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// Settled reports whether every answer of a backend that came before a time is confirmed, or dropped.
func (l *Ledger) Settled(backend string, before time.Time) bool {
	l.e.mu.Lock()
	defer l.e.mu.Unlock()
	all := l.pending[backend]
	return len(all) == 0 || all[0].at.After(before)
}

// drop takes back the answers of a backend that changed: it is asked nothing more, and what was confirmed stands. The
// lock is held.
func (l *Ledger) drop(backend string, all []pending, now *Backend) *Changed {
	s := l.e.side(backend)
	c := &Changed{Backend: backend, Was: all[0].identity}
	if now != nil {
		c.Is = now.Identity
		if d := s.latest(); d != nil && d.identity == c.Was {
			c.Facts = differences(d.facts, now.Facts)
		}
	}
	for _, p := range all {
		delete(l.e.answers, p.key)
	}
	if !l.confirmed[backend] && s.written != c.Was { // nothing of it is kept
		s.stored = slices.DeleteFunc(s.stored, func(d declaration) bool { return d.identity == c.Was })
	}
	s.held = c
	return c
}

// Unconfirmed says why the answers of a backend may be of another one: what it is could not be asked lately. It is ""
// where that could be, and of answers that are given without any edge.
func (e *Edge) Unconfirmed(backend string) string {
	if e.send == nil {
		return ""
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.side(backend)
	switch {
	case e.offer == nil && (s.latest() != nil || s.used):
		return "the edge cannot be asked what " + backend + " is now"
	case e.offer == nil:
		return ""
	}
	age, inspected := e.offer.age(backend)
	switch {
	case inspected && age < 0:
		return "the service of " + backend + " never said what it is"
	case inspected && age > staleAfter:
		return "the service of " + backend + " said what it is " + seconds(age) + " ago, and not since"
	case s.doubted:
		return "the service of " + backend + " did not say after its last answer what it is"
	}
	return ""
}

// staleAfter is how old a declaration may be: an edge asks a service that is used every 15 seconds.
const staleAfter = 20 * time.Second

func seconds(d time.Duration) string { return strconv.Itoa(int(d.Seconds())) + " s" }

// FoundNothing says that a backend found no document for any of so many queries, and the likely reasons.
func (e *Edge) FoundNothing(backend string, queries int) string {
	text := "the backend " + backend + " found no document for any of " + say.Count(queries, "query", "queries")
	fields := e.factOf(backend, "text_fields")
	if fields == "" {
		fields = "the configuration names none"
	}
	index := e.factOf(backend, "index")
	switch documents := e.factOf(backend, "documents"); documents {
	case "0":
		return text + ": its index " + say.Visible(index) + " has no documents"
	case "":
		return text + ". Check that its index " + say.Visible(index) + " is not empty, and that text_fields (" +
			say.Visible(fields) + ") are fields of it"
	default:
		return text + ", though its index " + say.Visible(index) + " has " + say.Visible(documents) +
			" documents. Check that text_fields (" + say.Visible(fields) + ") are fields of that index"
	}
}

// factOf is a member of what a backend declares, or declared when its answers were kept; "" if there is none.
func (e *Edge) factOf(backend, name string) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var facts []Fact
	if d := e.side(backend).latest(); d != nil {
		facts = d.facts
	}
	if e.offer != nil {
		if b := e.offer.find(backend); b != nil {
			facts = b.Facts
		}
	}
	if i := slices.IndexFunc(facts, func(f Fact) bool { return f.Name == name }); i >= 0 {
		return facts[i].Value
	}
	return ""
}
