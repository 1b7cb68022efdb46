package compare

import (
	"strings"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Offers are what a comparison is handed on as, beside its link; none before there is one.
func (c *Compare) Offers() []state.Offer {
	if c.Report() == nil {
		return nil
	}
	list := []state.Offer{{ID: "link", Text: "Copy link", Note: c.linkNote()},
		{ID: "file", Text: "Save as a file", Note: c.size(0) + ".rankbox, opens on any Rankbox page"},
		{ID: "page", Text: "Single-page report", Note: c.size(1) + "one HTML file, works offline"},
	}
	if c.LinkLength() > 0 {
		list = append(list, state.Offer{ID: "embed", Text: "Embed code", Note: "a frame for a slide or course page"})
	}
	return append(list, state.Offer{ID: "cite", Text: "Copy citation", Note: "with the hash of the report"})
}

// Weigh asks how large the files would be, once for a report. The board that Evaluate opens on has no runs yet that
// could be packed.
func (c *Compare) Weigh() {
	if r := c.Report(); r != nil && r != c.sized && c.standing == nil && !c.Exporting() {
		c.ExportRuns(message.Sizes)
	}
}

// size is how large a file of the report is, "" if that is not known.
func (c *Compare) size(file int) string {
	if c.sized == nil || c.sized != c.Report() || file >= len(c.sizes) {
		return ""
	}
	return say.Bytes(int64(c.sizes[file])) + ", "
}

// linkNote says what the link holds and how long it is, or why there is none.
func (c *Compare) linkNote() string {
	switch n := c.LinkLength(); {
	case n == 0 && c.standing != nil:
		return "opens this board"
	case n == 0:
		_, why, _ := strings.Cut(c.Unlinked(), ": ")
		return "no: " + why + " Save a file."
	case c.Done.Grades:
		return say.Thousands(n) + " characters: grades by rank, no documents"
	default:
		if _, given := c.Report().Given(); given {
			return say.Thousands(n) + " characters: every score"
		}
		return say.Thousands(n) + " characters: rankings and judgments"
	}
}

// HandOn hands it on.
func (c *Compare) HandOn(id string) {
	switch id {
	case "file":
		c.ExportRuns(message.Comparison)
	case "page":
		c.ExportRuns(message.Page)
	case "embed":
		if c.Report() != nil {
			link, _ := c.link()
			c.App.Sharing.CopyFrame(c.App.Sharing.EmbedCode("#"+link, "Rankbox: a comparison", "900"))
		}
	case "cite":
		c.cite()
	}
}

// cite puts a sentence onto the clipboard that says what measured these figures, and which they are.
func (c *Compare) cite() {
	r := c.Report()
	if r == nil {
		return
	}
	site := strings.TrimSuffix(c.App.Browser.Origin(), "/")
	text := "Figures by Rankbox " + c.App.Version + " (" + site + "), report " + r.Hash + "."
	c.App.Browser.Copy(text, func(copied bool) {
		if copied {
			c.App.Notices.Say("Citation copied: " + text)
			return
		}
		c.App.Notices.Problem = &message.Problem{What: "The browser did not allow copying.", Where: "Copy citation", Do: "Copy this instead: " + text}
		c.App.View.Draw()
	})
}
