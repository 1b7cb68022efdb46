package message

import (
	"maps"
	"slices"
)

// Kinds returns all kinds in the order of their numbers.
func Kinds() []Kind { return slices.Sorted(maps.Keys(kinds)) }

// Again registers a kind a second time, as a file with a duplicate number would.
func Again(k Kind) { register[AskWhy, Opened](k, false) }
