package compare

import (
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Offers are what a comparison is handed on as, beside its link; none before there is one.
func (c *Compare) Offers() []state.Offer {
	if c.Runs.Report() == nil {
		return nil
	}
	list := []state.Offer{{ID: "link", Text: "Copy link", Note: c.Links.note()},
		{ID: "file", Text: "Save as a file", Note: c.Exports.size(0) + ".rankbox, opens on any Rankbox page"},
		{ID: "page", Text: "Single-page report", Note: c.Exports.size(1) + "one HTML file, works offline"},
	}
	if c.Links.Length() > 0 {
		list = append(list, state.Offer{ID: "embed", Text: "Embed code", Note: "a frame for a slide or course page"})
	}
	return append(list, state.Offer{ID: "cite", Text: "Copy citation", Note: "with the hash of the report"})
}

// Weigh asks how large the files would be, once for a report. The board that Evaluate opens on has no runs yet that
// could be packed.
func (c *Compare) Weigh() {
	if r := c.Runs.Report(); r != nil && r != c.Exports.sized && c.Runs.standing == nil && !c.Exports.Exporting() {
		c.Exports.Make(message.Sizes)
	}
}

// HandOn hands it on.
func (c *Compare) HandOn(id string) {
	switch id {
	case "file":
		c.Exports.Make(message.Comparison)
	case "page":
		c.Exports.Make(message.Page)
	case "embed":
		if c.Runs.Report() != nil {
			link, _ := c.Links.link()
			c.App.Sharing.CopyFrame(c.App.Sharing.EmbedCode("#"+link, "Rankbox: a comparison", "900"))
		}
	case "cite":
		c.Links.cite()
	}
}
