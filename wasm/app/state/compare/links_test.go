package compare

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
)

func TestALinkIsOpenedAndADamagedOneLeavesTheEmptyScreen(t *testing.T) {
	c, r := start(t, "/compare", "#runs=abc&x=00000000")
	if got := r.Setting(t); got.Link != "runs=abc&x=00000000" || c.App.Settings.Screen != share.Compare {
		t.Fatalf("%+v", got)
	}
	c.App.Receive(message.Reply{ID: r.Last(t, message.Runs).ID, Kind: message.Runs,
		Problem: &message.Problem{What: "This link could not be opened: it is damaged."}})
	if c.App.Notices.Problem == nil || !c.Runs.Empty() || r.Addresses[len(r.Addresses)-1] != "/evaluate" {
		t.Errorf("%+v, %v", c.App.Notices.Problem, r.Addresses)
	}
	d := compared(t, 0)
	c.App.Moved("/compare", "#"+d.Link, 1)
	answer(t, c, r, d)
	n := len(r.Sent)
	c.App.Go(share.Search)
	c.App.Moved("/compare", "#"+d.Link, 1)
	if r.Sent[len(r.Sent)-1].Kind == message.Runs && len(r.Sent) > n {
		t.Error("going back compares again")
	}
	c.App.Sharing.CopyLink()
	if r.Copied != "https://example.org/evaluate#"+d.Link {
		t.Errorf("copied %s", r.Copied)
	}
	d.Link = ""
	c.Runs.SetPolicy("gain", "exponential")
	answer(t, c, r, d)
	c.App.Sharing.CopyLink()
	if c.App.Notices.Problem == nil || !strings.Contains(c.App.Notices.Problem.What, "do not fit into a link") {
		t.Errorf("%+v", c.App.Notices.Problem)
	}
}

func TestLinksHoldWhatIsLookedAt(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	d := compared(t, 0)
	answer(t, c, r, d)
	if at := r.Addresses[len(r.Addresses)-1]; at != "/evaluate" {
		t.Errorf("nobody asked for a link, and the address is %s", at)
	}
	c.View.SetColumn(1)
	c.View.SetPair(2, 1)
	c.View.SortBy(SortQuery)
	c.View.SetFilter(FilterChanged)
	c.View.OpenQuery("q4")
	want := c.View.View
	if at := r.Addresses[len(r.Addresses)-1]; at != "/evaluate" {
		t.Errorf("what is looked at brings the runs into the address: %s", at)
	}
	c.App.Sharing.CopyLink()
	link := strings.TrimPrefix(r.Copied, "https://example.org/evaluate")
	if r.Addresses[len(r.Addresses)-1] != "/evaluate"+link ||
		!strings.HasPrefix(link, "#"+d.Link+"&measure=2&pair=3-2&") {
		t.Fatalf("copied %s", r.Copied)
	}
	for _, name := range c.Runs.Done.Report.Systems {
		if !strings.Contains(c.App.Notices.Text, name.Label) {
			t.Errorf("who copies is not told that %s is in the link: %s", name.Label, c.App.Notices.Text)
		}
	}
	// the address holds these runs now, and follows what is looked at; other ones it does not take in
	c.View.SortBy(SortA)
	if at := r.Addresses[len(r.Addresses)-1]; !strings.HasPrefix(at, "/evaluate#"+d.Link) || at == "/evaluate"+link {
		t.Errorf("address %s", at)
	}
	c.App.Undo()
	c.AddFiles([]message.File{{ID: 9, Name: "secret.run"}})
	more := compared(t, 0)
	more.Link += "x"
	answer(t, c, r, more)
	if at := r.Addresses[len(r.Addresses)-1]; at != "/evaluate" {
		t.Errorf("a file that was added stands in the address: %s", at)
	}
	b, s := start(t, "/compare", link)
	if got := s.Setting(t); got.Link != d.Link {
		t.Errorf("the worker was sent %s", got.Link)
	}
	answer(t, b, s, compared(t, 0))
	if b.View.View != want {
		t.Errorf("%+v, want %+v", b.View.View, want)
	}
	if ask := s.Last(t, message.Tests).Question.(*message.AskTests); ask.Measure != "RR" {
		t.Errorf("%+v", ask)
	}
	// the address is edited by hand: the same runs are looked at, not compared again
	n := 0
	for _, m := range s.Sent {
		if m.Kind == message.Runs {
			n++
		}
	}
	b.App.Moved("/compare", "#"+d.Link, 9)
	for _, m := range s.Sent {
		if m.Kind == message.Runs {
			n--
		}
	}
	if n != 0 || b.View.Column != 0 || b.View.B != 1 {
		t.Errorf("%d, %+v", n, b.View.View)
	}
	// what a link asks for and the report does not have
	far, _ := packed.WithView(d.Link,
		packed.View{Column: 7, A: 1, B: 9, Sort: SortA, Page: 4, Open: "q99", Depth: 5000})
	x, y := start(t, "/compare", "#"+far)
	answer(t, x, y, compared(t, 0))
	if v := x.View.View; v.Column != 0 || v.A != 0 || v.B != 1 || v.Sort != SortA || v.Page != 0 ||
		v.Open == "q99" || v.Depth != 50 {
		t.Errorf("%+v", v)
	}
}

// A link holds the letters behind its checksum, and they are those of the link's own runs.
func TestLettersOfALink(t *testing.T) {
	c, r := start(t, "/compare", "")
	c.AddFiles(some)
	d := compared(t, 0)
	d.Link = packed.LinkPrefix + "x"
	d.Report.Letters = []int{0, 2, 3}
	answer(t, c, r, d)
	link, whole := c.Links.link()
	if !whole || !strings.Contains(link, "letters=1.3.4") {
		t.Errorf("%s, %v", link, whole)
	}
}
