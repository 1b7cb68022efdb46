package ui

import (
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Shortcuts is the list of keys.
type Shortcuts struct {
	App *state.App
}

// shortcuts are one or two keys, and what they do.
var shortcuts = [][]string{
	{"/", "", "go to the search box, in Evaluate: find a query"},
	{"n", "b", "next query, the one before"},
	{"Ctrl", "Z", "undo a change of settings (with Shift: redo)"},
	{"P", "", "presenter view: larger type, no frame"},
	{"Esc", "", "close what is open"},
	{"?", "", "this list"},
}
