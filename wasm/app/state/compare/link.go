package compare

import (
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/share/packed"
)

// link is the link of what is compared and looked at, "" where it does not fit; whole says that what is looked at fits too.
func (c *Compare) link() (fragment string, whole bool) {
	if c.Runs.Done == nil || c.Runs.Done.Report == nil || c.Runs.Done.Link == "" {
		return "", true
	}
	if v := c.View.seen(); v != c.View.initial() {
		return packed.WithView(c.Runs.Done.Link, v)
	}
	return c.Runs.Done.Link, true
}

// LinkLength is how many characters the link has that is copied, 0 where there is none.
func (c *Compare) LinkLength() int {
	s, _ := c.link()
	return len(s)
}

// Fragment is the part of the address that holds what is compared, with its "#". Files stay out of it, and so out of the history of the
// browser, until somebody asks for their link: "" for those, and for what does not fit.
func (c *Compare) Fragment() (fragment string, own bool) {
	if c.Runs.standing != nil {
		return "", true
	}
	s := c.Runs.Setting.Link
	if c.Runs.Done != nil && c.Runs.Done.Report != nil && sameSetting(c.Runs.Setting, c.Runs.settled) && (len(c.Runs.Setting.Files) == 0 || c.Runs.Done.Link == c.asked) {
		s, _ = c.link()
	}
	if s == "" {
		return "", true
	}
	return "#" + s, true
}

// ReadLink compares what a fragment holds, unless it is what is compared already: then it is only looked at as the link says.
func (c *Compare) ReadLink(fragment string) {
	if c.Runs.standing != nil && fragment == "" {
		return
	}
	link, view, err := packed.SplitLink(fragment)
	if err != nil {
		link = fragment // the worker says what is wrong with it
	}
	if c.Runs.Done != nil && c.Runs.Done.Report != nil && c.Runs.Done.Link == link && sameSetting(c.Runs.Setting, c.Runs.settled) {
		to := c.View.valid(view)
		c.View.look(leafing, func(x *packed.View) { *x = to })
		return
	}
	if c.Runs.Setting.Link == link && link != "" && c.Runs.Comparing() {
		return
	}
	c.Runs.Setting = message.Setting{Link: link}
	for i, p := range view.Places() {
		c.Runs.Setting.Letters = append(c.Runs.Setting.Letters, message.Lettered{Origin: message.Origin{Run: i}, Place: p})
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

// Holds says what is in the link, for whoever is going to get it.
func (c *Compare) Holds() string {
	r := c.Runs.Report()
	if r == nil || c.Runs.Done.Link == "" {
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
	if c.Runs.Done.Grades {
		text = "It contains the grades by rank of " + say.Few(names, 4)
	}
	if c.Runs.Done.Without != "" {
		text += ", but not " + c.Runs.Done.Without
	}
	return text + ". Anyone with the link can read them."
}

// Unlinked says why there is no link.
func (c *Compare) Unlinked() string {
	why := "links hold " + say.Thousands(packed.MaxLink) + " characters"
	if c.Runs.Done != nil && c.Runs.Done.Unlinked != "" {
		why = c.Runs.Done.Unlinked
	}
	if r := c.Runs.Report(); r != nil {
		if _, given := r.Given(); given {
			return "This report does not fit into a link: " + why + "."
		}
	}
	return "These runs do not fit into a link: " + why + "."
}

// tooLarge is what is said of runs that do not fit into a link.
func (c *Compare) tooLarge(where, instead string) {
	c.App.Problem = &message.Problem{What: c.Unlinked(), Where: where, Do: instead}
	c.App.Draw()
}

// CopyLink puts the link of the comparison onto the clipboard, and into the address bar.
func (c *Compare) CopyLink() bool {
	if c.Runs.Report() == nil {
		c.App.CopyText(c.App.Browser().Origin() + c.App.Path(share.Compare))
		return true
	}
	link, _ := c.link()
	if c.Runs.standing != nil && c.Runs.Done.Link == "" && !c.copying { // the worker makes it
		c.copying = true
		c.Runs.wake()
		return true
	}
	c.copying = false
	if link == "" {
		c.tooLarge("Copy link",
			"Save them as one file (drop it on any Rankbox page), or as a single-page report, both under Share.")
		return true
	}
	c.asked = c.Runs.Done.Link
	c.App.WriteAddress(false)
	opens := "It opens on exactly this."
	if c.Runs.Done.Grades {
		opens = "It opens on these figures."
	}
	c.App.CopyWith(c.App.Browser().Origin()+c.App.Path(share.Compare)+"#"+link,
		opens+" "+c.Holds()+" It is also in the address bar.")
	return true
}
