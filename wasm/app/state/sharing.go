package state

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// Sharing is the menu Share: links, and frames for other pages.
type Sharing struct {
	clipboard Clipboard
	settings  *Settings
	location  *Location
	screens   *Screens
	engine    *Engine
	notices   *Notices
	view      *View

	LinkLength int // characters of the link of Home or Search, once somebody opened the menu Share; 0 before
}

// Link returns the address that opens what is on the screen.
func (s *Sharing) Link() (string, error) {
	if !HasWorker { // every screen of such a program copies its own
		return "", nil
	}
	at := clone(s.settings.Address)
	at.Collection = s.settings.Collection()
	if at.Hash == "" && s.engine.Opened != nil {
		at.Hash = s.engine.Opened.Ref.Hash[:16]
	}
	if len(at.Systems) == 0 {
		at.Systems = slices.Clone(s.settings.Systems()) // the link keeps its systems when the defaults change
	}
	f, err := share.Encode(at)
	if err != nil {
		return "", err
	}
	return s.clipboard.Origin() + s.location.Path(at.Screen) + "#" + f, nil
}

// CopyLink puts the link onto the clipboard.
func (s *Sharing) CopyLink() {
	if s.screens.copyLink() {
		return
	}
	link, err := s.Link()
	if err != nil {
		s.notices.Problem = &message.Problem{
			What: "The link could not be made: " + say.Sentence(err), Where: "Copy link",
			Do: "Shorten the query or take a system out.",
		}
		s.view.Draw()
		return
	}
	s.CopyText(link)
}

// CopyText puts a link onto the clipboard.
func (s *Sharing) CopyText(link string) { s.CopyWith(link, "It opens on exactly this.") }

// CopyWith puts a link onto the clipboard and says what it opens on and what is in it.
//
//go:noinline
func (s *Sharing) CopyWith(link, says string) {
	s.clipboard.Copy(link, func(copied bool) {
		if copied {
			s.notices.Say("Link copied: " + strconv.Itoa(len(link)) + " characters. " + says)
			if screens.Named(string(s.settings.Screen)).Part && strings.Contains(link, "#") {
				s.notices.Shared = link
				s.view.Draw()
			}
		} else {
			s.notices.Problem = &message.Problem{What: "The browser did not allow copying.", Where: "Copy link",
				Do: "Copy the address of this page instead; it is the same link: " + link}
			s.view.Draw()
		}
	})
}

// CopyEmbed puts the markup for what the last link opens onto the clipboard.
func (s *Sharing) CopyEmbed() {
	if s.notices.Shared != "" {
		s.CopyFrame(s.EmbedCode(s.notices.Shared, "Rankbox", "640"))
	}
}

// CopyFrame puts markup onto the clipboard.
//
//go:noinline
func (s *Sharing) CopyFrame(code string) {
	s.clipboard.Copy(code, func(copied bool) {
		if copied {
			s.notices.Say("Embed code copied. Paste it into the HTML of a slide or a course page.")
			return
		}
		s.notices.Problem = &message.Problem{What: "The browser did not allow copying.", Where: "Copy embed code",
			Do: "Put this into your page instead: " + code}
		s.view.Draw()
	})
}

// EmbedCode is the markup that shows in a frame of a height in pixels what a link of this site opens. A link holds
// nothing that would have to be escaped but "&"; the title is ours.
func (s *Sharing) EmbedCode(link, title string, height string) string {
	_, fragment, _ := strings.Cut(link, "#")
	return `<iframe src="` + s.clipboard.Origin() + embedPath + "#" + strings.ReplaceAll(fragment, "&", "&amp;") +
		`" title="` + title +
		`" width="100%" height="` + height + `" loading="lazy" style="border: 0"></iframe>`
}

// Offers are what the open screen hands on beside its link.
func (s *Sharing) Offers() []Offer {
	var list []Offer
	if x := s.screens.sharer(); x != nil {
		list = x.Offers()
	}
	if s.searching() {
		list = append(list, Offer{ID: "embed", Text: "Embed code", Note: "a frame for a slide or course page"})
	}
	return list
}

// Weigh is told that the menu of the offers was asked for.
func (s *Sharing) Weigh() {
	s.LinkLength = 0
	if link, err := s.Link(); err == nil && s.searching() {
		s.LinkLength = len(link)
	}
	s.view.Draw()
	s.screens.weigh()
}

// HandOn hands on what one of the offers says.
func (s *Sharing) HandOn(id string) {
	if link, err := s.Link(); id == "embed" && err == nil && s.searching() {
		s.CopyFrame(s.EmbedCode(link, "Rankbox", "640"))
		return
	}
	if x := s.screens.sharer(); x != nil {
		x.HandOn(id)
	}
}

// searching says whether the open screen is one whose link is its address.
func (s *Sharing) searching() bool {
	return s.settings.Screen == share.Home || s.settings.Screen == share.Search
}
