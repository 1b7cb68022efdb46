//go:build first

package bundle

// first says that this is the program which answers the page's first search. It opens the vectors of the models that
// its stages name, int8 ones.
const first = true
