package compare

import (
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	screen "github.com/rankbox/rankbox/wasm/app/state/compare"
)

// Progress shows how far reading and measuring is.
type Progress struct {
	Compare *screen.Compare
}

// Said says what is being done.
func (c *Progress) Said() string {
	p := c.Compare.Runs.Progress
	if p == nil {
		return "Waiting for the search engine …"
	}
	s := say.Visible(p.What)
	switch {
	case p.Total == 0:
		return s + " …"
	case p.Unit == "":
		return s + ": " + say.Bytes(int64(p.Done)) + " of " + say.Bytes(int64(p.Total))
	}
	return s + ": " + say.Thousands(p.Done) + " of " + say.Thousands(p.Total) + " " + p.Unit
}

// Part is how much is done, in thousandths.
func (c *Progress) Part() string {
	p := c.Compare.Runs.Progress
	if p == nil || p.Total <= 0 {
		return ""
	}
	return strconv.Itoa(1000 * p.Done / p.Total)
}
