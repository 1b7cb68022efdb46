package stage

import (
	"runtime"
	"strconv"
	"strings"
)

// usual is the model of a stage that names none.
const usual = "minilm"

// Lacking says that a collection lacks the vectors of a model; have are the models that it has vectors of.
func Lacking(collection, model string, have []string) string {
	s := collection + " has no vectors"
	if len(have) > 0 {
		s += " of the model " + strconv.Quote(model) + among(have)
	}
	return s
}

// among lists what there is instead, "" for nothing.
func among(have []string) string {
	if len(have) == 0 {
		return ""
	}
	return " (it has: " + strings.Join(have, ", ") + ")"
}

// missing says it, and how to get them. Not in a tab of the usual model: its vectors are being made there, or are
// offered beside.
func missing(collection, model string, have []string) string {
	s := Lacking(collection, model, have)
	if MakeThem != "" && (runtime.GOOS != "js" || model != usual) {
		s += MakeThem
	}
	return s
}
