package compare

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Takes says which replies are the screen's.
func (c *Compare) Takes(kind message.Kind) bool { return kind.OfRuns() }

// Hear takes how far the worker is. The first figures stay until there are others.
func (c *Compare) Hear(p *message.Progress) {
	if before := c.Runs.Progress; p.First == nil && before != nil {
		p.First = before.First
	}
	c.Runs.Progress = p
}

// Receive takes a reply.
func (c *Compare) Receive(r message.Reply) {
	c.Runs.Progress = nil
	switch {
	case r.Problem == nil:
		c.answered(r.Answer)
	case r.Kind == message.Runs:
		c.failed(r.Problem)
	}
}

// compared takes the answer to Runs.
func (c *Compare) compared(d *message.Compared) {
	before := c.Runs.Done
	c.Runs.Done, c.Runs.Progress, c.deaths = d, nil, 0
	c.forget()
	r := d.Report
	if r == nil {
		c.View.Open = ""
		c.Runs.settled = cloneSetting(c.Runs.Setting)
		if c.Runs.here() {
			c.App.Location.Write(false)
		}
		return
	}
	c.Runs.Setting.Measures, c.Runs.Setting.Policy, c.Runs.Setting.Baseline = d.Measures, d.Policy, d.Baseline
	c.Runs.settled = cloneSetting(c.Runs.Setting)
	c.Measures.Typed, c.Measures.Fault = strings.Join(r.Measures, " "), ""
	c.View.View = c.View.after(before)
	if c.View.wanted != "" {
		c.View.Tab, c.View.wanted = c.View.wanted, ""
	}
	if c.Runs.here() {
		c.App.Location.Write(false)
	}
	c.reopen(r.Hash)
	c.Reasons.askRows()
	c.Reasons.askQuery()
	c.Statistics.askPairs()
	c.Statistics.askTests()
	c.Analyses.ask()
	c.Statistics.askAgreement()
	n := 0
	for _, u := range r.Coverage {
		n += u.Documents
	}
	if n <= opinionsFor {
		c.Reasons.AskOpinions()
	}
	if c.Links.copying {
		c.CopyLink()
	}
	c.Exports.resume()
}

// measuredKey is what the device remembers the last board under that was made of a collection of this device: the
// board's link names its figures alone, so after a reload the other screens would be about the site's collection.
const measuredKey = "measured"

// reopen remembers which collection of this device a board is about, or opens that one again behind it.
func (c *Compare) reopen(hash string) {
	if id := c.App.Settings.Collection(); c.Runs.Setting.Here() {
		if c.App.Browser.Recall(state.OwnKey(id)) != "" {
			c.App.Browser.Remember(measuredKey, hash+" "+id)
		}
		return
	}
	was, id, _ := strings.Cut(c.App.Browser.Recall(measuredKey), " ")
	if was == hash && c.Runs.here() && c.App.Settings.Collection() == c.App.Settings.Default {
		c.App.OpenBehind(id)
	}
}

// answered takes an answer, nil where there is none.
func (c *Compare) answered(x wire.Wirer) {
	switch x := x.(type) {
	case *message.Compared:
		c.compared(x)
		c.App.Engine.Worked()
	case *message.Explanations:
		c.Reasons.explained(x)
	case *message.Detail:
		if x.Query == c.View.Open {
			c.Reasons.Detail = x
		}
		c.Reasons.titled(x.Titles)
	case *message.Opined:
		c.Reasons.Opinions, c.Reasons.Said = x.Tools, x.Measure
	case *report.Tests:
		c.Statistics.Further = x
	case *message.PairTests:
		c.Statistics.PairTests = x
	case *message.Analysed:
		c.Analyses.Done = x
	case *message.Agreed:
		c.Statistics.agreed(x)
	case *message.Saved:
		c.Exports.made(x)
	}
}

// failed takes a problem with the comparison as a whole.
func (c *Compare) failed(p *message.Problem) {
	if c.Runs.standing != nil {
		c.Runs.awake, c.Links.copying = false, false
		return
	}
	if c.Runs.Setting.Link != "" && (c.Runs.Done == nil || c.Runs.Done.Report == nil) {
		// nothing can be made of the link: the empty screen opens
		p.Where, p.Do = "the part of the address after #", "Ask for the link again, or drop your own runs below."
		c.Runs.Setting = message.Setting{Files: c.Runs.Setting.Files}
		c.Runs.Done = nil
		c.App.Location.Write(false)
	} else if c.Runs.Setting.Here() {
		c.Runs.Setting = message.Setting{}
		c.Runs.Done = nil
	} else if c.Runs.Report() != nil && !sameSetting(c.Runs.Setting, c.Runs.settled) {
		c.back(p)
	}
}

// viewChanged asks for what the view shows now and did not before; turned says that the page of the table holds other
// queries.
func (c *Compare) viewChanged(was packed.View, turned bool) {
	now := &c.View.View
	pair := was.A != now.A || was.B != now.B || was.Column != now.Column
	if pair || turned {
		c.Reasons.askRows()
	}
	if pair || was.Open != now.Open || was.Depth != now.Depth {
		c.Reasons.askQuery()
	}
	if pair || was.Tests != now.Tests || was.Margin != now.Margin {
		c.Statistics.askTests()
	}
	if was.Claim != now.Claim || was.Column != now.Column && c.Analyses.lacks() {
		c.Analyses.ask()
	}
	if was.Column != now.Column || (was.Agree == "") != (now.Agree == "") {
		c.Statistics.askAgreement()
	}
	if was.Column != now.Column {
		c.Statistics.askPairs()
		c.Reasons.askOpinionsAgain()
	}
}
