package reference

import (
	"strings"

	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/present/chart"
)

func figures() Page {
	p := Page{
		Path: "/figures", Doc: "docs/figures.md", Title: "Figures",
		Description: "Every figure that Rankbox draws of a comparison: its content, how to read it, what it needs, " +
			"and its file formats.",
		Intro: []Text{{{Plain,
			"Each figure is drawn from a comparison's report, with a table of the same data and a one-sentence " +
				"finding. The page, the terminal and files share the code: "},
			{Code, "rankbox compare QRELS RUN… -figure NAME -o FORMAT"}, {Plain, "."}}},
	}
	c := Chapter{ID: "chapter-figures", Title: "Figures"}
	for _, f := range chart.All() {
		e := Entry{ID: f.Name, Name: f.Name, Title: f.Title, ByTitle: true, Brief: f.Doc}
		e.Facts = fact("Needs", f.Needs)
		if f.Measures != nil {
			first := measure.Defaults()[0]
			e.Facts = append(e.Facts, fact("Measures that the command line adds to "+first,
				strings.Join(f.Measures(first), ", "))...)
		}
		c.Entries = append(c.Entries, e)
	}
	formats := Chapter{ID: "chapter-formats", Title: "Formats",
		Intro: plain("The page also saves PNG, at twice the size in pixels.")}
	for _, f := range chart.Formats() {
		formats.Entries = append(formats.Entries, Entry{ID: "format-" + f.Name, Name: f.Name, Brief: upper(f.Doc) +
			"."})
	}
	p.Chapters = []Chapter{c, formats}
	return p
}
