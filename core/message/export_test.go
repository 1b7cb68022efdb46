package message

import (
	"maps"
	"slices"
)

// Kinds returns all kinds in the order of their numbers.
func Kinds() []Kind { return slices.Sorted(maps.Keys(kinds)) }
