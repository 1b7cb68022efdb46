//go:build !first

package stage

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// Deed is what one stage did for one query, without the documents that it named.
type Deed struct {
	Stage string
	State State
	Moved int    // documents, -1 if it had no ranking before it
	Below int    // documents that did not reach its threshold
	Why   string // it had nothing to do its work with, or failed
	Note  string // what it said, such as an offer of another spelling; not in a journal
}

// Deeds returns what the stages of a pipeline did for the last query that r ranked, in the order in which they are
// written.
func Deeds(r Ranker) []Deed {
	var out []Deed
	for _, s := range Steps(r) {
		d := Deed{Stage: s.Node.Stage.Name, State: s.State(), Moved: s.Moved, Below: s.Account.Below, Note: s.Note}
		if d.State == Nothing || d.State == Failed {
			d.Why = s.Note
		}
		out = append(out, d)
	}
	return out
}

// Tally is what one stage did for several queries.
type Tally struct {
	Stage   string
	Queries [len(states)]int // by State
	Moved   int              // documents, over all queries; -1 if it never had a ranking before it
	Below   int              // documents that did not reach its threshold
	Why     string           // the first reason why it did nothing
}

// Add counts what the stages of a pipeline did for one more query.
func Add(all []Tally, deeds []Deed) []Tally {
	if all == nil {
		for _, d := range deeds {
			all = append(all, Tally{Stage: d.Stage, Moved: -1})
		}
	}
	for i, d := range deeds[:min(len(deeds), len(all))] {
		t := &all[i]
		t.Queries[d.State]++
		if d.Moved >= 0 {
			t.Moved = max(0, t.Moved) + d.Moved
		}
		t.Below += d.Below
		t.Why = cmp.Or(t.Why, d.Why)
	}
	return all
}

// Asked is of how many queries it is.
func (t *Tally) Asked() (n int) {
	for _, q := range t.Queries {
		n += q
	}
	return n
}

// Plain reports whether the stage did its work for every query.
func (t *Tally) Plain() bool { return t.Queries[Did] == t.Asked() }

// Idle reports whether the stage had nothing to do its work with for any query.
func (t *Tally) Idle() bool { return t.Queries[Nothing] > 0 && t.Queries[Nothing] == t.Asked() }

// Said is the tally as a sentence without its full stop; "" for a stage that did its work for every query and had no
// ranking before it.
func (t *Tally) Said() string {
	var parts []string
	of := t.Asked()
	moved := say.Count(t.Moved, "document", "documents") + " moved"
	if t.Moved >= 0 && t.Queries[Did] > 0 {
		parts = append(parts, Did.String()+", "+moved)
	}
	if t.Below > 0 {
		text := Below.String() + ", " + say.Count(t.Below, "document", "documents") + " of " +
			say.Count(t.Queries[Below], "query", "queries")
		if len(parts) == 0 && t.Moved >= 0 {
			text += ", " + moved
		}
		parts = append(parts, text)
	}
	for _, s := range []State{Nothing, Failed} {
		if n := t.Queries[s]; n > 0 {
			text := s.String() + " for " + say.Thousands(n) + " of " + say.Count(of, "query", "queries")
			if t.Why != "" {
				text += " (" + say.Lower(strings.TrimSuffix(t.Why, ".")) + ")"
			}
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return t.Stage + ": " + strings.Join(parts, "; ")
}

// IdleOf says which stage had nothing to do its work with for any query, so that the system is another than it says; ""
// if none.
func IdleOf(all []Tally) string {
	for i := range all {
		if t := &all[i]; t.Idle() {
			text := t.Stage + " had nothing to do its work with for any of " + say.Count(t.Asked(), "query", "queries")
			if t.Why != "" {
				text += ": " + say.Lower(strings.TrimSuffix(t.Why, "."))
			}
			return text
		}
	}
	return ""
}

// The bytes of deeds in a journal: a stage each, its state, documents moved, documents below and why.
const (
	between = "\x1e"
	within  = "\x1d"
)

// WriteDeeds writes deeds as text.
func WriteDeeds(all []Deed) string {
	var out []string
	for _, d := range all {
		out = append(out, strings.Join([]string{d.Stage, strconv.Itoa(int(d.State)), strconv.Itoa(d.Moved),
			strconv.Itoa(d.Below), d.Why}, within))
	}
	return strings.Join(out, between)
}

// ReadDeeds reads what WriteDeeds wrote; nil if it is something else.
func ReadDeeds(text string) (all []Deed) {
	if text == "" {
		return nil
	}
	for _, one := range strings.Split(text, between) {
		f := strings.SplitN(one, within, 5)
		if len(f) != 5 {
			return nil
		}
		var n [3]int
		for i := range n {
			v, err := strconv.Atoi(f[i+1])
			if err != nil || v < -1 {
				return nil
			}
			n[i] = v
		}
		if n[0] < 0 || n[0] >= len(states) || n[2] < 0 {
			return nil
		}
		all = append(all, Deed{Stage: f[0], State: State(n[0]), Moved: n[1], Below: n[2], Why: f[4]})
	}
	return all
}
