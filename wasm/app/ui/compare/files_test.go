package compare

import (
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
)

// A file may be called as anything: what is counted is said by the unit.
func TestProgressCountsInItsUnit(t *testing.T) {
	c := &Progress{Compare: screen.New(state.New(nil, nil, "/"))}
	for _, x := range []struct {
		p    message.Progress
		want string
	}{
		{message.Progress{What: "Opening a.run", Done: 1000, Total: 2000}, "Opening a.run: 1 kB of 2 kB"},
		{message.Progress{What: "Reading them again", Done: 1, Total: 2, Unit: "rankings"},
			"Reading them again: 1 of 2 rankings"},
		{message.Progress{What: "Testing the differences"}, "Testing the differences …"},
	} {
		c.Compare.Runs.Progress = &x.p
		if got := c.Said(); got != x.want {
			t.Errorf("%q, want %q", got, x.want)
		}
	}
}
