//go:build first

package state

// Behind is "": this program has no other work than searches.
func (e *Engine) Behind() string { return "" }
