package stage

import (
	"strconv"
	"strings"
)

// Lacking says that a collection lacks the vectors of a model; have are the models that it has vectors of.
func Lacking(collection, model string, have []string) string {
	s := collection + " has no vectors"
	if len(have) > 0 {
		s += " of the model " + strconv.Quote(model) + " (it has: " + strings.Join(have, ", ") + ")"
	}
	return s
}
