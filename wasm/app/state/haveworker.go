//go:build !lessons

package state

// HasWorker says that this program plays the worker too, so that the page has one from its beginning. The page of a
// program that does not has none: it opens no collection, and whoever needs one goes on with another program.
const HasWorker = true
