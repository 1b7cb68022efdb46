package matrix

import "github.com/rankbox/rankbox/core/base/say"

// Several experiments of one plan over one collection can share the queries out, each in a program of its own: each
// skips the queries of the others (Options.Skip), and one of them takes what the others appended to their Stores. A
// list is the same whoever made it, and which came first is no matter: the outcome and its hash are those of an
// experiment that did everything itself.

// Have says what is done: bit i%8 of byte i/8 is that of i = run × queries + query.
func (x *Experiment) Have() []byte {
	out := make([]byte, (len(x.lists)*len(x.queries)+7)/8)
	for run, lists := range x.lists {
		for q, l := range lists {
			if l.state != NotRun {
				i := run*len(x.queries) + q
				out[i/8] |= 1 << (i % 8)
			}
		}
	}
	return out
}

// Has reads what Have wrote: whether a query of a run was done.
func (x *Experiment) Has(have []byte, run, query int) bool {
	i := run*len(x.queries) + query
	return i/8 < len(have) && have[i/8]>>(i%8)&1 == 1
}

// Take adds pieces of the journal of another experiment, those behind its head, and keeps them. What is done here
// already stays, and so does what the other failed at: that is tried here. The error says that the pieces are damaged,
// or why they could not be kept. It must not be called while Run is at work.
func (x *Experiment) Take(pieces []byte) error {
	all, whole := readPieces(pieces)
	place, known := map[int]int{}, map[string]int{}
	for q, of := range x.queries {
		place[of] = q
	}
	for run := range x.Plan.Runs {
		known[x.key(run)] = run
	}
	touched := map[int]bool{}
	for _, e := range all {
		run, ok := known[e.run]
		q, judged := place[e.query]
		if !ok || !judged || e.list.state == Failed || x.lists[run][q].state != NotRun ||
			!e.list.fits(len(x.s.Bundle().Cards)) {
			continue
		}
		x.lists[run][q] = e.list
		x.done++
		x.waiting = append(x.waiting, e)
		touched[run] = true
	}
	x.stop = nil
	x.keep(&Options{}, true)
	for run := range touched {
		x.count(run)
	}
	if x.stop != nil {
		return x.stop
	}
	if whole < len(pieces) {
		return say.Faultf("matrix", "data from another worker is damaged after byte %d", whole)
	}
	return nil
}
