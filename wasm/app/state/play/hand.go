package play

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Cut is what a gesture says is held where it is the line of the cutoff and no document.
const Cut = -1

// Hand is the table, and the steps by which a person changes it.
type Hand struct {
	app   *state.App
	Table *play.Table

	Said      string    // the last move, for those who do not see it
	Fault     string    // what is wrong with what was typed, or with a measure
	Best      []string  // a list: the single move that gains most, once it was asked for
	Before    []float64 // the values before the last step
	Diversity bool      // whether sub-topics are shown

	held int // how many gestures there were, so that each is one step of undo
	seed uint64
}

// fill sees to it that there is a measure to look at.
func (h *Hand) fill() {
	if len(h.Table.Measures) > 0 {
		return
	}
	for _, s := range measure.Defaults() {
		if m, err := measure.Parse(s); err == nil {
			h.Table.Measures = append(h.Table.Measures, m)
		}
	}
}

// Do changes the table as one step that can be undone; steps of the same kind in a row, but "", are one.
func (h *Hand) Do(kind string, f func()) {
	old := h.app.History.Present()
	if before := h.values(); kind == "" || len(h.Before) != len(before) || !strings.HasPrefix(kind, "hold") {
		h.Before = before
	}
	f()
	h.Best, h.Fault = nil, ""
	h.app.History.Keep(old, kind)
	h.app.Location.Write(false)
	h.app.View.Draw()
}

// values are those of every measure for every list, before a change.
func (h *Hand) values() []float64 {
	var out []float64
	for _, m := range h.Table.Measures {
		for l := range h.Table.ListCount() {
			out = append(out, h.Table.Value(m, l))
		}
	}
	return out
}

// Hold begins a gesture: all its moves are one step, and the values say what it changes as a whole.
func (h *Hand) Hold() {
	h.held++
	h.Before = h.values()
}

// Drag takes a document, or Cut, to another place of a list while it is held.
func (h *Hand) Drag(list, from, to int) { h.move("hold "+strconv.Itoa(h.held), list, from, to) }

// Step moves a document by one place, as a key does.
func (h *Hand) Step(list, from, by int) { h.move("", list, from, from+by) }

func (h *Hand) move(kind string, list, from, to int) {
	if from == Cut {
		h.cut(kind, to)
		return
	}
	l := h.Table.Lists[list]
	if from < 0 || from >= len(l) || to < 0 || to >= len(l) || from == to {
		return
	}
	d := l[from]
	h.Do(kind, func() { h.Table.Shift(list, from, to) })
	h.say(h.Name(d) + " to rank " + strconv.Itoa(to+1) + " of " + strconv.Itoa(len(l)))
}

// cut sets the cutoff of the measure that is unfolded.
func (h *Hand) cut(kind string, k int) {
	if m, ok := h.Table.Measure(); ok && k >= 1 && k != m.Cutoff() {
		h.set(kind, h.Table.Chosen, "cutoff", strconv.Itoa(k))
		if m, ok := h.Table.Measure(); ok {
			h.say(m.String())
		}
	}
}

// say announces a move and what it makes of the measure.
func (h *Hand) say(what string) {
	if m, ok := h.Table.Measure(); ok {
		what += "; " + m.String() + " " + say.Page.Number(h.Table.Value(m, 0), 4)
		if h.Table.Second {
			what += " and " + say.Page.Number(h.Table.Value(m, 1), 4)
		}
	}
	h.Said = what + "."
	h.app.View.Draw()
}

// Name is what a document is called.
func (h *Hand) Name(doc int) string {
	if s := h.Table.Docs[doc].Label; s != "" {
		return s
	}
	return "document " + strconv.Itoa(doc+1)
}

// Grade gives a document a grade, measure.Unjudged for none.
func (h *Hand) Grade(doc int, g int32) {
	if g != measure.Unjudged && (g < 0 || g > play.MaxGrade) {
		return
	}
	h.Do("", func() { h.Table.Docs[doc].Grade = g })
	h.say(h.Name(doc) + " is " + GradeWords(g))
}

// Regrade gives a document the next grade: 0 to MaxGrade, then none.
func (h *Hand) Regrade(doc int) {
	switch g := h.Table.Docs[doc].Grade; {
	case g == measure.Unjudged:
		h.Grade(doc, 0)
	case g >= play.MaxGrade:
		h.Grade(doc, measure.Unjudged)
	default:
		h.Grade(doc, g+1)
	}
}

// GradeWords says a grade.
func GradeWords(g int32) string {
	if g == measure.Unjudged {
		return "not judged"
	}
	return "grade " + strconv.Itoa(int(g))
}

// About turns a sub-topic of a document on or off.
func (h *Hand) About(doc, topic int) {
	h.Do("", func() { h.Table.Docs[doc].Topics ^= 1 << topic })
	h.say(h.Name(doc) + " about sub-topic " + string(rune('a'+topic)))
}

// Order puts the lists into another order: "shuffle", "ideal", "worst", "reverse".
func (h *Hand) Order(how string) {
	h.Do("", func() {
		for l := range h.Table.ListCount() {
			switch how {
			case "shuffle":
				h.seed++
				h.Table.Shuffle(l, h.seed)
			case "ideal":
				h.Table.Ideal(l)
			case "worst":
				h.Table.Worst(l)
			case "reverse":
				h.Table.Reverse(l)
			}
			if h.Table.Second {
				break // the first list alone: the other one is what it is held against
			}
		}
	})
	h.say("The order is now: " + how)
}

// Take takes a document out of a list, Put puts one at its end, Add makes a new one, Drop forgets one.
func (h *Hand) Take(list, at int) {
	d := h.Table.Lists[list][at]
	h.Do("", func() { h.Table.Take(list, at) })
	h.say(h.Name(d) + " is not retrieved any more")
}

// Put puts a document at the end of a list.
func (h *Hand) Put(list, doc int) {
	h.Do("", func() { h.Table.Put(list, doc) })
	h.say(h.Name(doc) + " is retrieved last")
}

// Add puts a new document at the end of the first list.
func (h *Hand) Add() {
	if len(h.Table.Docs) >= play.MaxDocs {
		h.Fault = fmt.Sprintf("There are %d documents, and not more.", play.MaxDocs)
		h.app.View.Draw()
		return
	}
	h.Do("", func() {
		h.Table.Add(0, play.Doc{Label: "new document " + strconv.Itoa(len(h.Table.Docs)+1)})
	})
	h.say("A new document at rank " + strconv.Itoa(len(h.Table.Lists[0])))
}

// Drop forgets a document.
func (h *Hand) Drop(doc int) {
	name := h.Name(doc)
	h.Do("", func() { h.Table.Drop(doc) })
	h.say(name + " is gone")
}

// Split makes the second list, or takes it away.
func (h *Hand) Split(on bool) { h.Do("", func() { h.Table.Split(on) }) }

// Topics shows or hides sub-topics.
func (h *Hand) Topics(on bool) { h.Diversity = on; h.app.View.Draw() }
