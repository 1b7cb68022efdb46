package state

import "github.com/rankbox/rankbox/core/share"

// Step is what undo goes back to.
type Step struct {
	address share.Address
	kept    []any // a screen
}

// Present is the step that leads back to what is on the screen.
func (a *App) Present() Step {
	return Step{clone(a.Address), a.Screens.save()}
}

// restore puts back what was on the screen at a step; the caller settles the address.
func (a *App) restore(s Step) {
	a.Address = clone(s.address)
	a.Screens.restore(s.kept)
}

// Keep puts a step onto the undo list. Changes of the same kind in a row, but "", are one step: again says that this is one more of
// the last.
func (a *App) Keep(s Step, kind string) (again bool) {
	again = kind != "" && kind == a.lastKind
	if !again {
		a.undo = append(a.undo, s)
		if len(a.undo) > 100 {
			a.undo = a.undo[1:]
		}
		a.redo = nil
	}
	a.lastKind = kind
	return again
}

// Unkeep drops the last step of the undo list where it leads to what is on the screen of x anyway.
func (a *App) Unkeep(x Screen, same func(saved any) bool) {
	n := len(a.undo)
	for i, s := range a.Screens.list {
		if s == x && n > 0 && same(a.undo[n-1].kept[i]) {
			a.undo = a.undo[:n-1]
			return
		}
	}
}
