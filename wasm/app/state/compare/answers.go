package compare

import (
	"strings"

	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/wire"
)

// Takes says which replies are the screen's.
func (c *Compare) Takes(kind message.Kind) bool { return kind.OfRuns() }

// Hear takes how far the worker is. The first figures stay until there are others.
func (c *Compare) Hear(p *message.Progress) {
	if before := c.Progress; p.First == nil && before != nil {
		p.First = before.First
	}
	c.Progress = p
}

// Receive takes a reply.
func (c *Compare) Receive(r message.Reply) {
	c.Progress = nil
	switch {
	case r.Problem == nil:
		c.answered(r.Answer)
	case r.Kind == message.Runs:
		c.failed(r.Problem)
	}
}

// compared takes the answer to Runs.
func (c *Compare) compared(d *message.Compared) {
	before := c.Done
	c.Done, c.Progress, c.deaths = d, nil, 0
	c.forget()
	r := d.Report
	if r == nil {
		c.Open = ""
		c.settled = cloneSetting(c.Setting)
		if c.here() {
			c.App.Location.Write(false)
		}
		return
	}
	c.Setting.Measures, c.Setting.Policy, c.Setting.Baseline = d.Measures, d.Policy, d.Baseline
	c.settled = cloneSetting(c.Setting)
	c.Draft, c.DraftErr = strings.Join(r.Measures, " "), ""
	c.View = c.after(before)
	if c.wanted != "" {
		c.Tab, c.wanted = c.wanted, ""
	}
	if c.here() {
		c.App.Location.Write(false)
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
	if ask := c.owed; ask != nil {
		c.owed, c.retried = nil, ask.What
		c.App.Engine.Request(message.Export, ask)
	}
}

// answered takes an answer, nil where there is none.
func (c *Compare) answered(x wire.Wirer) {
	switch x := x.(type) {
	case *message.Compared:
		c.compared(x)
		c.App.Engine.Worked()
	case *message.Explanations:
		c.Why = map[string]*compare.Explanation{}
		for i := range x.List {
			c.Why[x.List[i].Query] = &x.List[i]
		}
		c.titled(x.Titles)
	case *message.Detail:
		if x.Query == c.Open {
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
		if x.Name == message.Sizes {
			c.sizes, c.sized = x.Sizes, c.Report()
			return
		}
		c.retried = message.Wanted{}
		c.App.Browser.Save(x.Name, x.Type, x.Bytes)
		c.App.Notices.Say(x.Name + " was saved (" + say.Bytes(int64(len(x.Bytes))) + ").")
	}
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
	if c.standing != nil {
		c.awake, c.copying = false, false
		return
	}
	if c.Setting.Link != "" && (c.Done == nil || c.Done.Report == nil) {
		// nothing can be made of the link: the empty screen opens
		p.Where, p.Do = "the part of the address after #", "Ask for the link again, or drop your own runs below."
		c.Setting = message.Setting{Files: c.Setting.Files}
		c.Done = nil
		c.App.Location.Write(false)
	} else if c.Setting.Here() {
		c.Setting = message.Setting{}
		c.Done = nil
	} else if c.Report() != nil && !sameSetting(c.Setting, c.settled) {
		c.back(p)
	}
}
