package shared

import (
	"os"
	"runtime"
)

// Long reports whether tests should take the time for all of what they otherwise sample: the environment has RANKBOX_LONG=1.
func Long() bool { return os.Getenv("RANKBOX_LONG") == "1" }

// Sample returns how many of the cases of a test run: all of them with RANKBOX_LONG=1, otherwise few, and in wasm an
// eighth of those, but at least one. A case takes some ten times as long there, and the native run has the others.
func Sample(few, all int) int {
	switch {
	case Long():
		return all
	case runtime.GOARCH == "wasm":
		return max(1, few/8)
	}
	return few
}
