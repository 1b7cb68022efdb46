//go:build !first

package stage

// first says that this is the program which answers the page's first search. It is not: it has every ranker.
const first = false
