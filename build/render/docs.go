package main

import (
	"github.com/rankbox/rankbox/build/internal/reference"
)

// docs returns the text of every file that is written from the registries, by path.
func docs([]string) (any, error) {
	out := screenParts()
	for _, p := range append(reference.Pages(), reference.Collections(), reference.Privacy()) {
		out[p.Doc] = p.Markdown()
	}
	learned, err := classifier()
	for path, text := range learned {
		out[path] = text
	}
	return out, err
}

// manual is the reference as part of the site.
type manual struct {
	Pages []manualPage
	Terms string // JSON
}

// manualPage is a page of it, under the names of app.Rendered.
type manualPage struct{ Path, File, Title, Description, Body string }

// referencePages returns the pages of the reference and the definitions that terms on other pages show.
func referencePages([]string) (any, error) {
	all := reference.Pages()
	terms, err := reference.Terms(all)
	m := manual{Terms: string(terms)}
	shelf := append(all, reference.Privacy())
	for _, p := range shelf {
		m.Pages = append(m.Pages, manualPage{Path: p.Path, File: p.Path[1:] + ".html",
			Title: "Rankbox: " + p.Heading(), Description: p.Description, Body: p.HTML(shelf)})
	}
	return m, err
}
