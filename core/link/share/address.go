package share

import "github.com/rankbox/rankbox/core/experiment"

// Screen names a page of the site.
type Screen string

// The screens that a link can open.
const (
	Home    Screen = "home"
	Search  Screen = "search"
	Compare Screen = "compare"
)

// Address is the content of a link: an experiment and the current focus. It holds no document and no judgment. Its
// zero value is the home page of the default collection with the default systems.
type Address struct {
	Screen           Screen // "" is Home
	experiment.Focus        // the explained document, "" for none
	experiment.Spec
	// of Systems, in their order, if not A, B, C …: a system keeps its letter when another is removed
	Letters string
}
