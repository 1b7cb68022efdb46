package compare

import (
	"github.com/rankbox/rankbox/core/message"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
)

// First shows the means of the runs that are read while the rest of a comparison is being made.
type First struct {
	Compare *screen.Compare
}

// First is what is known; it is shown only where there is something.
func (c *First) First() *message.First { return c.Compare.Runs.Progress.First }

// First reports whether there are figures already of the comparison that is being made.
func (c *Compare) First() bool {
	p := c.Compare.Runs.Progress
	return c.Compare.Runs.Comparing() && p != nil && p.First != nil
}
