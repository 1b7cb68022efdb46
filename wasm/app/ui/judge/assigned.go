package judge

import (
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	screen "github.com/rankbox/rankbox/wasm/app/state/judge"
)

// Assigned is what a student reads of the share of a class that is judged.
type Assigned struct {
	Judge *screen.Judge
}

// Whose says whose share it is.
func (c *Assigned) Whose() string {
	a := c.Judge.Task.Assigned()
	return "Share of " + say.Visible(a.Student) + " in " + say.Visible(a.Class) + "."
}

// Guidelines are what the teacher says.
func (c *Assigned) Guidelines() string { return say.Visible(c.Judge.Task.Assigned().Guidelines) }

// HandInClass makes the button stand out once everything is judged.
func (c *Assigned) HandInClass() string {
	if done, all := c.Judge.Task.Progress(); done == all {
		return "primary"
	}
	return ""
}

// Progress says how much of it is judged.
func (c *Assigned) Progress() string {
	done, all := c.Judge.Task.Progress()
	if all == 0 {
		return ""
	}
	return judged(done, all)
}

func judged(done, all int) string {
	return strconv.Itoa(done) + " of " + say.Count(all, "document", "documents") + " judged."
}
