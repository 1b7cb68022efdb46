package compare

import (
	"github.com/rankbox/rankbox/core/chart"
	"github.com/rankbox/rankbox/core/share/packed"
)

// Query is the name of a query's rankings as a part of the comparison that a frame shows; figures have their own.
const Query = packed.OnlyQuery

// OnlyQuery says whether the rankings of the open query are all that is shown.
func (c *Compare) OnlyQuery() bool { return c.View.Only == Query }

// OnlyFigure is the figure that is all that is shown, nil where it is none.
func (c *Compare) OnlyFigure() *chart.Figure { return figureNamed(c.View.Only) }

func figureNamed(name string) *chart.Figure {
	f, err := chart.Lookup(name)
	if err != nil {
		return nil
	}
	return f
}

// CopyEmbed puts the markup of a frame onto the clipboard that shows a part of the comparison: a figure by its name, or Query.
func (c *Compare) CopyEmbed(only string) {
	if c.Report() == nil {
		return
	}
	v := c.initial()
	v.Column, v.A, v.B, v.Open, v.Depth, v.Only = c.View.Column, c.View.A, c.View.B, c.View.Open, c.View.Depth, only
	v = v.WithLetters(c.Report().Letters)
	link, whole := "", false
	if c.Done.Link != "" {
		link, whole = packed.WithView(c.Done.Link, v)
	}
	if !whole {
		c.tooLarge("Copy embed code", "Save a single-page report instead (Export): it needs no frame and no server.")
		return
	}
	title, height := "Rankbox: one query", "640"
	if f := figureNamed(only); f != nil {
		title, height = "Rankbox: "+f.Title, "520"
	}
	c.App.Sharing.CopyFrame(c.App.Sharing.EmbedCode("#"+link, title, height))
}
