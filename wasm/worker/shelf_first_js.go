//go:build js && first

package worker

// newShelf returns none: the program that makes collections of files is another one. This one opens those that are
// kept.
func newShelf() Shelf { return nil }
