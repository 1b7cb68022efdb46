package state

import (
	"strconv"
)

// View is how the page shows what the address says: in which frame, how large, and what the pointer is on.
type View struct {
	window   Window
	settings *Settings

	// how often anything but progress and memory has changed: what shows none of these is the same until then
	Changes   int
	Presenter bool
	Embedded  bool // the page is part of another one, in a frame
	Offline   bool
	Help      bool
	Hover     string // id of the document under the pointer or focus
	Shown     int    // the system whose list a phone shows
	Tall      bool   // the explanation has the whole height of a narrow screen
}

// Draw has the page drawn after a change. Copies of it and of other short methods at all their callers would make the
// first program larger.
//
//go:noinline
func (v *View) Draw() {
	v.Changes++
	v.window.Render()
}

// FocusOn moves the keyboard focus to the element with an id.
//
//go:noinline
func (v *View) FocusOn(id string) { v.window.Focus(id) }

// Point is told which document the pointer or the focus is on, "" for none.
func (v *View) Point(id string) {
	if v.Hover != id {
		v.Hover = id
		v.Draw()
	}
}

// Turn turns to the list of a system where a phone shows one at a time.
func (v *View) Turn(i int) {
	v.Shown = i
	v.Draw()
	v.FocusOn("system-" + strconv.Itoa(i))
}

// Swiped is told which list a phone has been swept to.
func (v *View) Swiped(i int) {
	if i != v.Shown && i >= 0 && i < len(v.settings.Systems()) {
		v.Shown = i
		v.Draw()
	}
}

// Pull gives the explanation the whole height of a narrow screen, or a part of it again.
func (v *View) Pull() { v.Tall = !v.Tall; v.Draw() }

// ToggleHelp shows or hides the list of shortcuts.
func (v *View) ToggleHelp() {
	v.Help = !v.Help
	v.Draw()
	if v.Help {
		v.FocusOn("help")
	}
}
