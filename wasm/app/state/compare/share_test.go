package compare

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

func TestWhatAComparisonIsHandedOnAs(t *testing.T) {
	empty, _ := start(t, "/compare", "")
	if got := empty.App.Sharing.Offers(); len(got) != 0 {
		t.Errorf("before there is a report: %+v", got)
	}
	d := compared(t, 0)
	c, r := start(t, "/compare", "#"+d.Link)
	answer(t, c, r, d)
	var _ state.Sharer = c
	ids := ""
	for _, o := range c.App.Sharing.Offers() {
		ids += o.ID + " "
	}
	if ids != "link file page embed cite " {
		t.Errorf("offers %q", ids)
	}
	c.Weigh()
	asked := r.Last(t, message.Export)
	if got := asked.Question.(*message.AskExport).What.Name; got != message.Sizes {
		t.Errorf("Share asks for %q", got)
	}
	c.App.Receive(message.Reply{ID: asked.ID, Kind: message.Export,
		Answer: &message.Saved{Name: message.Sizes, Sizes: []int{38_000, 2_000_000}}})
	if o := c.App.Sharing.Offers(); o[1].Note != "38 kB, .rankbox, opens on any Rankbox page" ||
		o[2].Note != "2 MB, one HTML file, works offline" {
		t.Errorf("offers %+v", o)
	}
	c.Weigh()
	if again := r.Last(t, message.Export); again.ID != asked.ID {
		t.Error("sizes are asked for twice")
	}
	for id, want := range map[string]string{"file": message.Comparison, "page": message.Page} {
		c.HandOn(id)
		if got := r.Last(t, message.Export).Question.(*message.AskExport).What.Name; got != want {
			t.Errorf("%s exports %q, not %q", id, got, want)
		}
	}
	c.HandOn("embed")
	if !strings.HasPrefix(r.Copied, `<iframe src="https://example.org/embed#`+strings.ReplaceAll(d.Link, "&",
		"&amp;")) {
		t.Errorf("copied %q", r.Copied)
	}
	c.HandOn("cite")
	if !strings.Contains(r.Copied, "report "+c.Runs.Report().Hash) {
		t.Errorf("copied %q", r.Copied)
	}
	r.Refuse = true
	c.HandOn("cite")
	if c.App.Notices.Problem == nil || !strings.Contains(c.App.Notices.Problem.Do, c.Runs.Report().Hash) {
		t.Errorf("a refusal says %+v", c.App.Notices.Problem)
	}
	d.Link = ""
	c, r = start(t, "/compare", "")
	c.AddFiles([]message.File{{ID: 1, Name: "a"}})
	answer(t, c, r, d)
	for _, o := range c.App.Sharing.Offers() {
		if o.ID == "embed" {
			t.Error("what fits into no link is offered as a frame")
		}
	}
}

// A link by grades opens the board and asks for nothing that needs documents. Where no link fits, the offers say why.
func TestAComparisonByGrades(t *testing.T) {
	d := compared(t, 0)
	d.Grades, d.Sent = true, message.SentSame
	d.Report.Warnings = append(d.Report.Warnings, report.Warning{Kind: report.GradesOnly, System: -1, Column: -1})
	c, r := start(t, "/compare", "#"+d.Link)
	answer(t, c, r, d)
	c.Statistics.ShowAgreement(AgreeRBO)
	c.View.OpenQuery("q2")
	for _, sent := range r.Sent {
		switch sent.Kind {
		case message.Query, message.Reasons, message.Opinions, message.Agreement:
			t.Errorf("kind %d is asked", sent.Kind)
		}
	}
	if holds := c.Links.Holds(); !strings.Contains(holds, "grades by rank") {
		t.Error(holds)
	}
	d.Link, d.Unlinked = "", "the link would have 9,000 characters, more than 8,192"
	if o := c.App.Sharing.Offers(); o[0].ID != "link" || o[0].Note != "no: "+d.Unlinked+". Save a file." {
		t.Errorf("%+v", o)
	}
	c.CopyLink()
	if p := c.App.Notices.Problem; p == nil || p.What != "These runs do not fit into a link: "+d.Unlinked+"." {
		t.Errorf("%+v", p)
	}
}
