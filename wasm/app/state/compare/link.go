package compare

import (
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/share/packed"
)

// link is the link of what is compared and looked at, "" where it does not fit; whole says that what is looked at fits too.
func (c *Compare) link() (fragment string, whole bool) {
	if c.Done == nil || c.Done.Report == nil || c.Done.Link == "" {
		return "", true
	}
	if v := c.seen(); v != c.initial() {
		return packed.WithView(c.Done.Link, v)
	}
	return c.Done.Link, true
}

// seen is what is looked at, as it is handed on: with the letters of the runs.
func (c *Compare) seen() packed.View {
	if r := c.Report(); r != nil {
		return c.View.WithLetters(r.Letters)
	}
	return c.View
}

// LinkLength is how many characters the link has that is copied, 0 where there is none.
func (c *Compare) LinkLength() int {
	s, _ := c.link()
	return len(s)
}

// Fragment is the part of the address that holds what is compared, with its "#". Files stay out of it, and so out of the history of the
// browser, until somebody asks for their link: "" for those, and for what does not fit.
func (c *Compare) Fragment() (fragment string, own bool) {
	if c.standing != nil {
		return "", true
	}
	s := c.Setting.Link
	if c.Done != nil && c.Done.Report != nil && sameSetting(c.Setting, c.settled) && (len(c.Setting.Files) == 0 || c.Done.Link == c.asked) {
		s, _ = c.link()
	}
	if s == "" {
		return "", true
	}
	return "#" + s, true
}

// ReadLink compares what a fragment holds, unless it is what is compared already: then it is only looked at as the link says.
func (c *Compare) ReadLink(fragment string) {
	if c.standing != nil && fragment == "" {
		return
	}
	link, view, err := packed.SplitLink(fragment)
	if err != nil {
		link = fragment // the worker says what is wrong with it
	}
	if c.Done != nil && c.Done.Report != nil && c.Done.Link == link && sameSetting(c.Setting, c.settled) {
		c.look(leafing, func(c *Compare) { c.View = c.valid(view) })
		return
	}
	if c.Setting.Link == link && link != "" && c.Comparing() {
		return
	}
	c.Setting = message.Setting{Link: link}
	for i, p := range view.Places() {
		c.Setting.Letters = append(c.Setting.Letters, message.Lettered{Origin: message.Origin{Run: i}, Place: p})
	}
	c.Done, c.View, c.viewed, c.settled, c.standing = nil, packed.View{}, "", message.Setting{}, nil
	c.arriving = nil
	if view != (packed.View{}) {
		c.arriving = &view
	}
	c.forget()
	c.linked = true
}

// Begin compares what a link holds that was just opened.
func (c *Compare) Begin() {
	if c.linked {
		c.linked = false
		c.runs()
	}
}

// Holds says what is in the link, for whoever is going to get it.
func (c *Compare) Holds() string {
	r := c.Report()
	if r == nil || c.Done.Link == "" {
		return ""
	}
	var names []string
	for i := range r.Systems {
		names = append(names, say.Visible(r.Systems[i].Label))
	}
	if _, given := r.Given(); given {
		return "It contains the scores of " + say.Few(names, 4) + ". Anyone with the link can read them."
	}
	text := "It contains the rankings of " + say.Few(names, 4) + " and the judgments"
	if c.Done.Grades {
		text = "It contains the grades by rank of " + say.Few(names, 4)
	}
	if c.Done.Without != "" {
		text += ", but not " + c.Done.Without
	}
	return text + ". Anyone with the link can read them."
}

// Unlinked says why there is no link.
func (c *Compare) Unlinked() string {
	why := "links hold " + say.Thousands(packed.MaxLink) + " characters"
	if c.Done != nil && c.Done.Unlinked != "" {
		why = c.Done.Unlinked
	}
	if r := c.Report(); r != nil {
		if _, given := r.Given(); given {
			return "This report does not fit into a link: " + why + "."
		}
	}
	return "These runs do not fit into a link: " + why + "."
}

// tooLarge is what is said of runs that do not fit into a link.
func (c *Compare) tooLarge(where, instead string) {
	c.App.Notices.Problem = &message.Problem{What: c.Unlinked(), Where: where, Do: instead}
	c.App.View.Draw()
}

// CopyLink puts the link of the comparison onto the clipboard, and into the address bar.
func (c *Compare) CopyLink() bool {
	if c.Report() == nil {
		c.App.Sharing.CopyText(c.App.Browser.Origin() + c.App.Location.Path(share.Compare))
		return true
	}
	link, _ := c.link()
	if c.standing != nil && c.Done.Link == "" && !c.copying { // the worker makes it
		c.copying = true
		c.wake()
		return true
	}
	c.copying = false
	if link == "" {
		c.tooLarge("Copy link",
			"Save them as one file (drop it on any Rankbox page), or as a single-page report, both under Share.")
		return true
	}
	c.asked = c.Done.Link
	c.App.Location.Write(false)
	opens := "It opens on exactly this."
	if c.Done.Grades {
		opens = "It opens on these figures."
	}
	c.App.Sharing.CopyWith(c.App.Browser.Origin()+c.App.Location.Path(share.Compare)+"#"+link,
		opens+" "+c.Holds()+" It is also in the address bar.")
	return true
}
