package compare

import (
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
)

// Fragment is the part of the address that holds what is compared, with its "#". Files stay out of it, and so out of
// the history of the browser, until their link is asked for: "" for those, and for a link that is too long.
func (c *Compare) Fragment() (fragment string, own bool) {
	if c.Runs.standing != nil {
		return "", true
	}
	s := c.Runs.Setting.Link
	if c.Runs.Report() != nil && sameSetting(c.Runs.Setting, c.Runs.settled) &&
		(len(c.Runs.Setting.Files) == 0 || c.Runs.Done.Link == c.Links.asked) {
		s, _ = c.Links.link()
	}
	if s == "" {
		return "", true
	}
	return "#" + s, true
}

// ReadLink compares what a fragment holds, unless it is what is compared already: then it is only looked at as the link
// says.
func (c *Compare) ReadLink(fragment string) {
	if c.Runs.standing != nil && fragment == "" {
		return
	}
	link, view, err := packed.SplitLink(fragment)
	if err != nil {
		link = fragment // the worker says what is wrong with it
	}
	if c.Runs.Report() != nil && c.Runs.Done.Link == link && sameSetting(c.Runs.Setting, c.Runs.settled) {
		to := c.View.valid(view)
		c.View.look(leafing, func(x *packed.View) { *x = to })
		return
	}
	if c.Runs.Setting.Link == link && link != "" && c.Runs.Comparing() {
		return
	}
	c.Runs.Setting = message.Setting{Link: link}
	for i, p := range view.Places() {
		x := message.Lettered{Origin: message.Origin{Run: i}, Place: p}
		c.Runs.Setting.Letters = append(c.Runs.Setting.Letters, x)
	}
	c.Runs.Done, c.Runs.settled, c.Runs.standing = nil, message.Setting{}, nil
	c.clear()
	c.View.arriving = nil
	if view != (packed.View{}) {
		c.View.arriving = &view
	}
	c.Runs.linked = true
}

// Begin compares what a link holds that was just opened.
func (c *Compare) Begin() {
	if c.Runs.linked {
		c.Runs.linked = false
		c.Runs.run()
	}
}

// CopyLink puts the link of the comparison onto the clipboard, and into the address bar.
func (c *Compare) CopyLink() bool {
	if c.Runs.Report() == nil {
		c.App.Sharing.CopyText(c.App.Browser.Origin() + c.App.Location.Path(share.Compare))
		return true
	}
	link, _ := c.Links.link()
	if c.Runs.standing != nil && c.Runs.Done.Link == "" && !c.Links.copying { // the worker makes it
		c.Links.copying = true
		c.Runs.wake()
		return true
	}
	c.Links.copying = false
	if link == "" {
		c.Links.tooLarge("Copy link",
			"Save them as one file (drop it on any Rankbox page), or as a single-page report, both under Share.")
		return true
	}
	c.Links.asked = c.Runs.Done.Link
	c.App.Location.Write(false)
	opens := "It opens on exactly this."
	if c.Runs.Done.Grades {
		opens = "It opens on these figures."
	}
	c.App.Sharing.CopyWith(c.App.Browser.Origin()+c.App.Location.Path(share.Compare)+"#"+link,
		opens+" "+c.Links.Holds()+" It is also in the address bar.")
	return true
}
