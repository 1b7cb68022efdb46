package ui

import (
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// CompareFirst shows the means of the runs that are read while the rest of a comparison is being made.
type CompareFirst struct {
	App *state.App
}

// First is what is known; it is shown only where there is something.
func (c *CompareFirst) First() *message.First { return c.App.Compare.Progress.First }

// First reports whether there are figures already of the comparison that is being made.
func (c *Compare) First() bool {
	p := c.App.Compare.Progress
	return c.App.Comparing() && p != nil && p.First != nil
}
