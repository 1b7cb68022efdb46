package compare

import (
	"strings"

	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/wire"
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
			c.App.WriteAddress(false)
		}
		return
	}
	c.Runs.Setting.Measures, c.Runs.Setting.Policy, c.Runs.Setting.Baseline = d.Measures, d.Policy, d.Baseline
	c.Runs.settled = cloneSetting(c.Runs.Setting)
	c.Draft, c.DraftErr = strings.Join(r.Measures, " "), ""
	c.View.View = c.View.after(before)
	if c.View.wanted != "" {
		c.View.Tab, c.View.wanted = c.View.wanted, ""
	}
	if c.Runs.here() {
		c.App.WriteAddress(false)
	}
	c.lookRows()
	c.lookQuery()
	c.lookPairs()
	c.lookTests()
	c.lookAnalyses()
	c.lookAgreement()
	n := 0
	for _, u := range r.Coverage {
		n += u.Documents
	}
	if n <= opinionsFor {
		c.AskOpinions()
	}
	if c.copying {
		c.CopyLink()
	}
	c.resume()
}

// answered takes an answer, nil where there is none.
func (c *Compare) answered(x wire.Wirer) {
	switch x := x.(type) {
	case *message.Compared:
		c.compared(x)
		c.App.Worked()
	case *message.Explanations:
		c.explained(x)
	case *message.Detail:
		if x.Query == c.View.Open {
			c.Detail = x
		}
		c.titled(x.Titles)
	case *message.Opined:
		c.Opinions, c.Said = x.Tools, x.Measure
	case *report.Tests:
		c.Further = x
	case *message.PairTests:
		c.PairTests = x
	case *message.Analysed:
		c.Analysed = x
	case *message.Agreed:
		c.agreed(x)
	case *message.Saved:
		c.made(x)
	}
}

// explained keeps why the queries changed.
func (c *Compare) explained(x *message.Explanations) {
	c.Why = map[string]*compare.Explanation{}
	for i := range x.List {
		c.Why[x.List[i].Query] = &x.List[i]
	}
	c.titled(x.Titles)
}

// titled keeps the titles of documents.
func (c *Compare) titled(list []message.Titled) {
	for _, t := range list {
		if c.titles == nil {
			c.titles = map[string]string{}
		}
		c.titles[t.ID] = t.Title
	}
}

// Title is the title of a document, "" if it is not known.
func (c *Compare) Title(id string) string { return c.titles[id] }

// failed takes a problem with the comparison as a whole.
func (c *Compare) failed(p *message.Problem) {
	if c.Runs.standing != nil {
		c.Runs.awake, c.copying = false, false
		return
	}
	if c.Runs.Setting.Link != "" && (c.Runs.Done == nil || c.Runs.Done.Report == nil) {
		// nothing can be made of the link: the empty screen opens
		p.Where, p.Do = "the part of the address after #", "Ask for the link again, or drop your own runs below."
		c.Runs.Setting = message.Setting{Files: c.Runs.Setting.Files}
		c.Runs.Done = nil
		c.App.WriteAddress(false)
	} else if c.Runs.Setting.Here() {
		c.Runs.Setting = message.Setting{}
		c.Runs.Done = nil
	} else if c.Runs.Report() != nil && !sameSetting(c.Runs.Setting, c.Runs.settled) {
		c.back(p)
	}
}
