package state

// A part of somebody else's page: a frame that shows what a link opens, and what is copied to make one.

import (
	"strings"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// Embed is the screen of a frame whose address holds nothing that it could show.
const Embed share.Screen = "embed"

// embedPath is the one path that other sites may frame.
var embedPath = screens.Named(string(Embed)).Path

// framed is an address, but that of the empty frame where a frame does not show its screen.
func (a *App) framed(s share.Address) share.Address {
	if a.Embedded && !screens.Named(string(s.Screen)).Part {
		return share.Address{Screen: Embed}
	}
	return s
}

// WholePage is the address of the page of which a frame shows a part.
func (a *App) WholePage() string {
	if a.Screen == Embed {
		return Path(share.Home)
	}
	return Path(a.Screen) + a.fragment()
}

// EmbedCode is the markup that shows in a frame of a height in pixels what a link of this site opens. A link holds nothing that would have to be
// escaped but "&"; the title is ours.
func (a *App) EmbedCode(link, title string, height string) string {
	_, fragment, _ := strings.Cut(link, "#")
	return `<iframe src="` + a.fx.Origin() + embedPath + "#" + strings.ReplaceAll(fragment, "&", "&amp;") + `" title="` + title +
		`" width="100%" height="` + height + `" loading="lazy" style="border: 0"></iframe>`
}

// CopyEmbed puts the markup for what the last link opens onto the clipboard.
func (a *App) CopyEmbed() {
	if a.Shared != "" {
		a.CopyFrame(a.EmbedCode(a.Shared, "Rankbox", "640"))
	}
}

// CopyFrame puts markup onto the clipboard.
func (a *App) CopyFrame(code string) {
	a.fx.Copy(code, func(copied bool) {
		if copied {
			a.Note("Embed code copied. Paste it into the HTML of a slide or a course page.")
			return
		}
		a.Problem = &message.Problem{What: "The browser did not allow copying.", Where: "Copy embed code", Do: "Put this into your page instead: " + code}
		a.Draw()
	})
}
