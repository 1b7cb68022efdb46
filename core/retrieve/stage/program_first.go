//go:build first && !lessons

package stage

// first says that this is the program which answers the page's first search. What stands behind "if !first" is not in
// it.
const first = true

// stages are those that the first search may need. A pipeline with another one is kept as it is written until a richer
// program reads it.
func stages() []*Stage { return early() }

// manual is what the reference says of a stage: it is not in this program.
func manual(string) string { return "" }

const MakeThem = "" // a richer program says it
