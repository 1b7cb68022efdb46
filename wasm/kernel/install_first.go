//go:build first

package kernel

// installMore does nothing: the first program lacks these functions.
func installMore() {}
