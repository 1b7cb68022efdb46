package judge

import (
	"strconv"
	"time"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/judge"
	"github.com/rankbox/rankbox/wasm/app/ui/search"
)

func init() {
	search.Bench.Log = func(a *state.App) vugu.Builder {
		j, _ := a.Screens.Other("judge").(*screen.Judge)
		return &Log{Judge: j}
	}
}

// Log is the switch of the click log, and its list.
type Log struct {
	Judge *screen.Judge
}

// Turn turns the log on or off.
func (c *Log) Turn(event vugu.DOMEvent) { c.Judge.Log.Turn(event.PropBool("target", "checked")) }

// Summary says how much is in it.
func (c *Log) Summary() string {
	return say.Count(len(c.Judge.Log.Entries()), "opened document", "opened documents")
}

// Shown are the last entries.
func (c *Log) Shown() []screen.Click {
	list := c.Judge.Log.Entries()
	return list[:min(len(list), listed)]
}

// Rest says how many the list leaves out, "" for none.
func (c *Log) Rest() string {
	if n := len(c.Judge.Log.Entries()) - listed; n > 0 {
		return "and " + say.Thousands(n) + " earlier ones, which the file has"
	}
	return ""
}

// When is the time of an entry, UTC.
func (c *Log) When(e screen.Click) string {
	return time.UnixMilli(e.Time).UTC().Format("2006-01-02 15:04:05") + " UTC"
}

// Position is where the document stood.
func (c *Log) Position(e screen.Click) string { return strconv.Itoa(e.Position) }

// Seconds is how long it was open, "" if that is not known.
func (c *Log) Seconds(e screen.Click) string {
	if e.Dwell == 0 {
		return ""
	}
	return say.Page.Number(float64(e.Dwell)/1000, 1)
}

// Visible is a text as it is shown.
func (c *Log) Visible(s string) string { return say.Brief(s, 60) }
