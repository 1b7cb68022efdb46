package share

import "github.com/rankbox/rankbox/core/experiment"

// Screen names a page of the site.
type Screen string

// The screens that a link may open.
const (
	Home    Screen = "home"
	Search  Screen = "search"
	Compare Screen = "compare"
)

// Address is everything that a link carries: an experiment, and what of it is looked at. It holds no document and no
// judgment. Its zero value is the home page of the default collection with the default systems.
type Address struct {
	Screen           Screen // "" is Home
	experiment.Focus        // the document whose score is being explained, "" for none
	experiment.Spec
	// of Systems, in their order, where they are not A, B, C …: a system keeps its own when another leaves
	Letters string
}
