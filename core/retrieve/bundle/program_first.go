//go:build first

package bundle

// first reports that this program answers the page's first search. It opens only the int8 vectors of models that
// its stages name.
const first = true
