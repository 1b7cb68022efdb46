package worker

import "github.com/rankbox/rankbox/core/message"

// line is the requests that wait: of each kind the newest, in the order in which they came. It cannot grow beyond the
// kinds there are, so whoever puts one in never waits.
type line struct {
	waiting []message.Request
	newest  map[message.Kind]uint64 // IDs of all that came
}

func (l *line) put(r message.Request) {
	if l.newest == nil {
		l.newest = map[message.Kind]uint64{}
	}
	l.newest[r.Kind] = r.ID
	kept := l.waiting[:0]
	for _, w := range l.waiting {
		if w.Kind != r.Kind {
			kept = append(kept, w)
		}
	}
	l.waiting = append(kept, r)
}

// take takes the first out; ok is false where none waits.
func (l *line) take() (r message.Request, ok bool) {
	return l.takeOf(func(message.Kind) bool { return true })
}

// takeOf takes out the first of some kinds.
func (l *line) takeOf(of func(message.Kind) bool) (r message.Request, ok bool) {
	for i, w := range l.waiting {
		if of(w.Kind) {
			n := i + copy(l.waiting[i:], l.waiting[i+1:])
			l.waiting[n] = message.Request{}
			l.waiting = l.waiting[:n]
			return w, true
		}
	}
	return r, false
}

// quick reports whether requests of a kind are answered during long work.
func quick(k message.Kind) bool { return handlers[k].quick }
