package ui

import (
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Shortcuts is the list of keys.
type Shortcuts struct {
	App *state.App
}
