package reference

import (
	"strings"

	"github.com/rankbox/rankbox/core/chart"
	"github.com/rankbox/rankbox/core/measure"
)

func figures() Page {
	p := Page{
		Path: "/figures", Doc: "docs/figures.md", Title: "Figures",
		Description: "Every figure that Rankbox draws of a comparison: what it shows, how it is read, what it needs, and the files it is saved as.",
		Intro: []Text{{{Plain,
			"A figure is drawn from the report of a comparison and comes with a table of the same and one sentence with what it shows. The page, the terminal and files draw it by the same code: "},
			{Code, "rankbox compare QRELS RUN… -figure NAME -o FORMAT"}, {Plain, "."}}},
	}
	c := Chapter{ID: "chapter-figures", Title: "Figures"}
	for _, f := range chart.All() {
		e := Entry{ID: f.Name, Name: f.Name, Title: f.Title, ByTitle: true, Brief: f.Doc}
		e.Facts = fact("Needs", f.Needs)
		if f.Measures != nil {
			first := measure.Defaults()[0]
			e.Facts = append(e.Facts, fact("Measures that the terminal adds to "+first,
				strings.Join(f.Measures(first), ", "))...)
		}
		c.Entries = append(c.Entries, e)
	}
	formats := Chapter{ID: "chapter-formats", Title: "Formats",
		Intro: plain("The page saves PNG too, twice the size in pixels.")}
	for _, f := range chart.Formats() {
		formats.Entries = append(formats.Entries, Entry{ID: "format-" + f.Name, Name: f.Name, Brief: upper(f.Doc) +
			"."})
	}
	p.Chapters = []Chapter{c, formats}
	return p
}
