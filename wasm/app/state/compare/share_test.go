package compare

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

func TestWhatAComparisonIsHandedOnAs(t *testing.T) {
	empty, _ := start(t, "/compare", "")
	if got := empty.App.Offers(); len(got) != 0 {
		t.Errorf("before there is a report: %+v", got)
	}
	d := compared(t, 0)
	c, r := start(t, "/compare", "#"+d.Link)
	answer(t, c, r, d)
	var _ state.Sharer = c
	ids := ""
	for _, o := range c.App.Offers() {
		ids += o.ID + " "
	}
	if ids != "file page embed cite " {
		t.Errorf("offers %q", ids)
	}
	for id, want := range map[string]string{"file": message.Comparison, "page": message.Page} {
		c.HandOn(id)
		if got := r.Last(t, message.Export).Question.(*message.AskExport).What.Name; got != want {
			t.Errorf("%s exports %q, not %q", id, got, want)
		}
	}
	c.HandOn("embed")
	if !strings.HasPrefix(r.Copied, `<iframe src="https://example.org/embed#`+strings.ReplaceAll(d.Link, "&", "&amp;")) {
		t.Errorf("copied %q", r.Copied)
	}
	c.HandOn("cite")
	if !strings.Contains(r.Copied, "report "+c.Report().Hash) {
		t.Errorf("copied %q", r.Copied)
	}
	r.Refuse = true
	c.HandOn("cite")
	if c.App.Problem == nil || !strings.Contains(c.App.Problem.Do, c.Report().Hash) {
		t.Errorf("a refusal says %+v", c.App.Problem)
	}
	d.Link = ""
	c, r = start(t, "/compare", "")
	c.AddFiles([]message.File{{ID: 1, Name: "a"}})
	answer(t, c, r, d)
	for _, o := range c.App.Offers() {
		if o.ID == "embed" {
			t.Error("what fits into no link is offered as a frame")
		}
	}
}
