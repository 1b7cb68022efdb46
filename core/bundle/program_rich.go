//go:build !first

package bundle

// first says that this is the program which answers the page's first search. It is not: it opens everything.
const first = false
