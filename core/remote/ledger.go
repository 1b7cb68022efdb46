package remote

import (
	"maps"
	"slices"
	"strconv"
	"time"
)

// Rounds is how often a question of a run is sent at most: once, and again at its end where that may help.
const Rounds = 3

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
	sent      map[string]int    // in which round a failed one was sent last
	fell      map[string]*Error // answers in the order of their question
	pending   map[string][]pending
	since     time.Time // of the first answer that is not confirmed
	confirmed map[string]bool
	rests     time.Duration // that services asked for since the last Again
}

// pending is an answer that is not confirmed.
type pending struct {
	key, identity string
	body          []byte
	at            time.Time // when it came
}

// Begin opens the ledger of a run, or the one that is open already. Every Begin has its End.
func (e *Edge) Begin() *Ledger {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ledger == nil {
		e.ledger = &Ledger{e: e, failed: map[string]*Error{}, sent: map[string]int{}, fell: map[string]*Error{},
			pending: map[string][]pending{}, confirmed: map[string]bool{}}
	}
	e.ledger.depth++
	return e.ledger
}

// End closes the ledger: what was not confirmed is not kept.
func (l *Ledger) End() {
	l.e.mu.Lock()
	defer l.e.mu.Unlock()
	if l.depth--; l.depth == 0 && l.e.ledger == l {
		l.e.ledger = nil
	}
}

// refused is the error of a question that was sent in this round and got no answer; nil where it may be sent. The lock
// is held.
func (l *Ledger) refused(key string) error {
	if err := l.failed[key]; err != nil && (l.sent[key] == l.round || !err.Passing) {
		return err
	}
	return nil
}

// Open are the questions that have no answer of their service, by backend.
func (l *Ledger) Open() (out map[string]int) {
	l.e.mu.Lock()
	defer l.e.mu.Unlock()
	out = map[string]int{}
	for _, all := range []map[string]*Error{l.failed, l.fell} {
		for _, err := range all {
			out[err.Backend]++
		}
	}
	return out
}

// Again lets the questions that have no answer be sent once more, after a rest, and returns how many there are; 0 where
// none may help, or each was sent Rounds times. It returns ErrStopped where Edge.Patient ended the rest.
func (l *Ledger) Again() (questions int, err error) {
	e := l.e
	e.mu.Lock()
	var first *Error
	for _, all := range []map[string]*Error{l.failed, l.fell} {
		for _, key := range slices.Sorted(maps.Keys(all)) {
			if err := all[key]; err.Passing {
				if questions++; first == nil {
					first = err
				}
			}
		}
	}
	rest := max(l.rests, 500*time.Millisecond<<(2*l.round))
	held := first != nil && e.side(first.Backend).held != nil
	if questions == 0 || l.round+1 >= Rounds || rest > longestRest || held || e.send == nil {
		e.mu.Unlock()
		return 0, nil
	}
	until := time.Now().Add(rest)
	told := e.Waits
	e.mu.Unlock()
	if told != nil {
		told(Wait{Questions: questions, For: rest, Why: "the backend " + first.Backend + " gave no answer: " + first.Why})
	}
	if err := e.sleep(until); err != nil {
		return 0, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	l.round, l.rests = l.round+1, 0
	for key := range l.fell {
		delete(e.answers, key)
	}
	clear(l.fell)
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
// others are dropped, and what changed is returned: no figure may be of both. A backend whose service does not say what
// it is stays unconfirmed (see Edge.Unconfirmed), and so do its answers.
func (l *Ledger) Confirm() (changed []*Changed, err error) {
	e := l.e
	const patience = 3 * time.Second
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
		e.mu.Lock()
		now := time.Now()
		for _, backend := range slices.Sorted(maps.Keys(l.pending)) {
			if failed != nil {
				break
			}
			all := l.pending[backend]
			b := o.find(backend)
			age, inspected := o.age(backend)
			switch {
			case b == nil || b.Identity != all[0].identity && !(inspected && age < 0):
				changed = append(changed, l.drop(backend, b))
			case inspected && (age < 0 || now.Add(-age).Before(all[len(all)-1].at)):
				continue // it said so before the last answer
			default:
				if err := l.flush(backend); err != nil {
					e.mu.Unlock()
					return changed, err
				}
			}
			delete(l.pending, backend)
		}
		waiting = len(l.pending)
		for backend := range l.pending {
			e.side(backend).doubted = time.Since(began) >= patience
		}
		e.mu.Unlock()
		if waiting == 0 || time.Since(began) >= patience {
			return changed, nil
		}
		if err := e.sleep(time.Now().Add(250 * time.Millisecond)); err != nil {
			return changed, err
		}
	}
}

// flush keeps the answers of a backend. The lock is held.
func (l *Ledger) flush(backend string) error {
	l.confirmed[backend] = true
	s := l.e.side(backend)
	s.doubted = false
	if l.e.Keep == nil {
		return nil
	}
	if err := l.e.declared(backend, l.pending[backend][0].identity); err != nil {
		return err
	}
	for _, p := range l.pending[backend] {
		if err := l.e.Keep(line(p.key, p.body)); err != nil {
			return err
		}
	}
	return nil
}

// drop takes back the answers of a backend that changed: it is asked nothing more, and what was confirmed stands. The
// lock is held.
func (l *Ledger) drop(backend string, now *Backend) *Changed {
	s := l.e.side(backend)
	all := l.pending[backend]
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
