package reference

import (
	"strings"

	"github.com/rankbox/rankbox/core/measure/significance"
)

func tests() Page {
	p := Page{
		Path: "/tests", Doc: "docs/tests.md", Title: "Tests",
		Description: "Every paired test, correction, interval, effect size and measure of agreement of Rankbox: " +
			"meaning, assumptions, formula and source.",
		Intro: []Text{plain("Tests, effect sizes and measures of agreement between rankings and judges. Differences " +
			"are d = b - a, one a query; n is the number of queries, d̄ the mean.")},
	}
	c := Chapter{ID: "chapter-paired", Title: "Paired tests", Intro: plain("Two runs on the same queries.")}
	for _, t := range significance.All() {
		e := Entry{ID: t.Name, Name: t.Name, Title: t.Title, ByTitle: true, Brief: "Hypothesis: " +
			strings.ToLower(t.Hypothesis[:1]) + t.Hypothesis[1:] + " A small p is evidence against it.",
			Formula: t.Formula}
		e.Facts = append(fact("Assumes", t.Assumes), fact("Use", t.Use)...)
		e.Facts = append(e.Facts, fact("Source", t.Reference)...)
		c.Entries = append(c.Entries, e)
	}
	p.Chapters = append(p.Chapters, c)

	corrections := Chapter{ID: "corrections", Title: significance.ChapterCorrections,
		Intro: plain("For m tests together: of 20 pairs without a difference, one is significant at 5 % on average. " +
			"The sorted p-values are p₍₁₎ ≤ … ≤ p₍ₘ₎; the corrected p is compared with α.")}
	for _, x := range significance.Corrections() {
		e := Entry{ID: x.Name, Name: x.Name, Title: x.Title, ByTitle: true, Brief: "Keeps " + x.Controls +
			" below α, however many pairs there are.", Formula: x.Formula}
		e.Facts = append(fact("Assumes", upper(x.Assumes)), fact("Source", x.Reference)...)
		corrections.Entries = append(corrections.Entries, e)
	}

	for _, t := range significance.Terms() {
		i := len(p.Chapters) - 1
		if p.Chapters[i].Title != t.Chapter {
			c := Chapter{ID: "chapter-" + slug(t.Chapter), Title: t.Chapter}
			if t.Chapter == corrections.Title {
				c = corrections
			}
			p.Chapters = append(p.Chapters, c)
			i++
		}
		e := Entry{ID: t.Name, Title: t.Title, Brief: t.Brief, Formula: t.Formula}
		for _, f := range [][]Fact{fact("Range", t.Range), fact("Assumes", t.Assumes), fact("Use", t.Use),
			fact("Source", t.Reference)} {
			e.Facts = append(e.Facts, f...)
		}
		p.Chapters[i].Entries = append(p.Chapters[i].Entries, e)
	}
	return p
}
