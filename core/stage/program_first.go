//go:build first

package stage

// first says that this is the program which answers the page's first search. What stands behind "if first" is not in it.
const first = true
