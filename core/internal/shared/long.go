package shared

import (
	"os"
	"runtime"
)

// Long reports whether tests should take the time for all of what they otherwise sample: the environment has
// RANKBOX_LONG=1.
func Long() bool { return os.Getenv("RANKBOX_LONG") == "1" }

// Sample returns how many of the cases of a test run: few, or all of them with RANKBOX_LONG=1. In wasm, where a case
// takes some ten times as long and the bits alone are in question, it is an eighth of few, at least one, and few with
// RANKBOX_LONG=1: the native run has the others.
func Sample(few, all int) int {
	switch wasm := runtime.GOARCH == "wasm"; {
	case Long() && !wasm:
		return all
	case wasm && !Long():
		return max(1, few/8)
	}
	return few
}
