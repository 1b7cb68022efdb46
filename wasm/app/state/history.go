package state

import (
	"github.com/rankbox/rankbox/core/link/share"
)

// History is the undo list: what was on the page before each change.
type History struct {
	settings *Settings
	screens  *Screens

	Undoing bool // a step of undo or redo is being put back; false if it is an entry of the browser's history

	undo, redo []Step
	lastKind   string // of the last change, so that a drag or a word typed is one step
}

// Step is what undo goes back to.
type Step struct {
	address share.Address
	kept    []any // a screen
}

// Present is the step that leads back to what is on the screen.
func (h *History) Present() Step {
	return Step{clone(h.settings.Address), h.screens.save()}
}

// restore puts back what was on the screen at a step; the caller settles the address.
func (h *History) restore(s Step) {
	h.settings.Address = clone(s.address)
	h.screens.restore(s.kept)
}

// Keep puts a step onto the undo list. Changes of the same kind in a row, but "", are one step: again says that this is
// one more of the last.
func (h *History) Keep(s Step, kind string) (again bool) {
	again = kind != "" && kind == h.lastKind
	if !again {
		h.undo = append(h.undo, s)
		if len(h.undo) > 100 {
			h.undo = h.undo[1:]
		}
		h.redo = nil
	}
	h.lastKind = kind
	return again
}

// Unkeep drops the last step of the undo list where it leads to what is on the screen of x anyway.
func (h *History) Unkeep(x Screen, same func(saved any) bool) {
	n := len(h.undo)
	for i, s := range h.screens.kept() {
		if s == x && n > 0 && same(h.undo[n-1].kept[i]) {
			h.undo = h.undo[:n-1]
			return
		}
	}
}

// CanUndo reports whether there is a step to undo.
func (h *History) CanUndo() bool { return len(h.undo) > 0 }

// back puts the step before the last change on the page, and on the one that was taken back last. They return whether
// there is one.
func (h *History) back() bool { return h.travel(&h.undo, &h.redo) }
func (h *History) on() bool   { return h.travel(&h.redo, &h.undo) }

func (h *History) travel(from, to *[]Step) bool {
	n := len(*from)
	if n == 0 {
		return false
	}
	*to = append(*to, h.Present())
	back := (*from)[n-1]
	*from = (*from)[:n-1]
	h.Undoing = true
	h.restore(back)
	h.Undoing = false
	h.lastKind = ""
	return true
}
