//go:build !first

package bundle

// first reports whether this program answers the page's first search. This one opens everything.
const first = false
