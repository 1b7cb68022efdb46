// Package gallery is the list of a site's collections: what each holds, under which licence, how it was judged and
// which figures others
// published on it. The build writes it twice, as collections.json for whoever reads it elsewhere and as
// collections.bin, in the form of
// package wire, for the page.
package gallery

import "github.com/rankbox/rankbox/core/base/wire"

// Gallery is the list, in the site's order; the first is the one that opens by itself.
type Gallery struct {
	Collections []Collection `json:"collections"`
}

// Collection is a collection of the site.
type Collection struct {
	ID            string   `json:"id"`
	Name          string   `json:"name"`
	Base          string   `json:"base"` // the folder of its manifest.json, with a slash at its end
	Sentence      string   `json:"sentence"`
	Domain        string   `json:"domain,omitempty"`
	Language      string   `json:"language,omitempty"` // BCP 47
	Analyzer      string   `json:"analyzer"`
	Documents     int      `json:"documents"`
	Queries       int      `json:"queries"`
	Judgments     int      `json:"judgments"`
	Models        []string `json:"models"`   // whose vectors are in the bundle
	Bytes         int      `json:"bytes"`    // decoded
	Transfer      int      `json:"transfer"` // on the way
	Licence       string   `json:"licence"`
	LicenceSource string   `json:"licence_source,omitempty"`
	Source        string   `json:"source,omitempty"` // address, or a sentence
	Citation      string   `json:"citation,omitempty"`
	Judged        string   `json:"judged,omitempty"` // how
	Faults        []string `json:"faults"`
	RemoveQuery   bool     `json:"remove_query,omitempty"`
	Figures       []Figure `json:"figures"` // published
}

// Figure is a published figure.
type Figure struct {
	System  string `json:"system"`
	Measure string `json:"measure"`
	Value   string `json:"value"` // as it was published: a number or a range
	About   string `json:"about"`
	URL     string `json:"url"`
	Note    string `json:"note,omitempty"`
}

// Wire walks the list.
func (g *Gallery) Wire(c *wire.Codec) { wire.Structs(c, &g.Collections) }

// Wire walks a collection.
func (x *Collection) Wire(c *wire.Codec) {
	c.Fields(&x.ID, &x.Name, &x.Base, &x.Sentence, &x.Domain, &x.Language, &x.Analyzer,
		&x.Documents, &x.Queries, &x.Judgments, &x.Models, &x.Bytes,
		&x.Transfer, &x.Licence, &x.LicenceSource, &x.Source, &x.Citation, &x.Judged, &x.Faults, &x.RemoveQuery)
	wire.Structs(c, &x.Figures)
}

// Wire walks a figure.
func (f *Figure) Wire(c *wire.Codec) {
	c.Fields(&f.System, &f.Measure, &f.Value, &f.About, &f.URL, &f.Note)
}
