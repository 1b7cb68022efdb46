package upload

import (
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/gallery"
	"github.com/rankbox/rankbox/core/base/say"
	screen "github.com/rankbox/rankbox/wasm/app/state/upload"
)

// sizes are the bounds by which the gallery can be filtered, in bytes on the way.
var sizes = []int{1_000_000, 5_000_000, 20_000_000, 100_000_000}

// Filters says whether collections differ in what the gallery is filtered by.
func (c *Upload) Filters() bool {
	return c.Upload.Gallery.Site != nil && (len(c.Languages()) > 1 || len(bounds(c.Upload.Gallery.Site)) > 0)
}

// Languages are those of the gallery, each once, in its order.
func (c *Upload) Languages() (out []string) {
	seen := map[string]bool{"": true}
	for i := range c.Upload.Gallery.Site.Collections {
		if l := c.Upload.Gallery.Site.Collections[i].Language; !seen[l] {
			seen[l] = true
			out = append(out, l)
		}
	}
	return out
}

// bounds are the sizes that some collections are within and others are not.
func bounds(g *gallery.Gallery) (out []int) {
	all := g.Collections
	for _, most := range sizes {
		within := 0
		for i := range all {
			if all[i].Transfer <= most {
				within++
			}
		}
		if within > 0 && within < len(all) {
			out = append(out, most)
		}
	}
	return out
}

// Speak filters by language.
func (c *Upload) Speak(event vugu.DOMEvent) {
	c.Upload.Gallery.Language = event.PropString("target", "value")
	c.Upload.App.View.Draw()
}

// Bound filters by bytes on the way.
func (c *Upload) Bound(event vugu.DOMEvent) {
	c.Upload.Gallery.Largest, _ = strconv.Atoi(event.PropString("target", "value"))
	c.Upload.App.View.Draw()
}

// Unfolded says whether the card of a collection is open.
func (c *Upload) Unfolded(id string) string { return strconv.FormatBool(c.Upload.Gallery.Card == id) }

// InUse says whether a collection is the one that is open.
func (c *Upload) InUse(id string) bool {
	return c.Upload.App.Engine.Opened != nil && c.Upload.App.Engine.Opened.Ref.ID == id
}

func count(n int) string { return say.Page.Int(n) }

func size(n int) string { return say.Bytes(int64(n)) }

// keeping says how much of the collection has come that is being kept, in bytes on the way.
func keeping(o *screen.Offline, g *gallery.Collection) string {
	if o.Total == 0 {
		return "Keeping …"
	}
	done := int64(g.Transfer) * int64(o.Done) / int64(o.Total)
	return size(int(done)) + " of " + size(g.Transfer)
}

// each is how many judgments a query has, on average.
func each(g *gallery.Collection) string {
	if g.Queries == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(g.Judgments)/float64(g.Queries), 'f', 1, 64)
}

// languages are the English names of those that recipes have.
var languages = map[string]string{
	"": "not stated", "ar": "Arabic", "bn": "Bengali", "de": "German", "en": "English", "es": "Spanish",
	"fa": "Persian", "fi": "Finnish", "fr": "French",
	"hi": "Hindi", "id": "Indonesian", "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "ru": "Russian",
	"sw": "Swahili", "te": "Telugu", "th": "Thai",
	"yo": "Yoruba", "zh": "Chinese",
}

// language is its English name, or its code where that is not known.
func language(code string) string {
	if name, ok := languages[code]; ok {
		return name
	}
	return code
}

// licence says under which licence a collection is.
func licence(g *gallery.Collection) string {
	if g.Licence == "" {
		return "none stated"
	}
	return g.Licence
}

// vectors says which models' vectors come with a collection.
func vectors(g *gallery.Collection) string {
	if len(g.Models) == 0 {
		return "none"
	}
	return strings.Join(g.Models, ", ")
}

// best says which published figure is the best, by the measure of the first one: "Best published nDCG@10: 0.6789,
// bm25". Of a range its lower end counts.
func best(g *gallery.Collection) string {
	var top *gallery.Figure
	value := 0.0
	for i := range g.Figures {
		f := &g.Figures[i]
		low, _, _ := strings.Cut(f.Value, "–")
		v, err := strconv.ParseFloat(low, 64)
		if err == nil && f.Measure == g.Figures[0].Measure && v > value {
			top, value = f, v
		}
	}
	if top == nil {
		return ""
	}
	return "Best published " + top.Measure + ": " + top.Value + ", " + top.System
}

// fact is a line of a collection's card.
type fact struct{ Name, Text, URL string }

// facts are the lines of a collection's card, without those of which nothing is known.
func facts(g *gallery.Collection) (out []fact) {
	link := func(s string) string {
		if strings.HasPrefix(s, "https://") {
			return s
		}
		return ""
	}
	for _, f := range []fact{
		{"Domain", g.Domain, ""}, {"Judgments", g.Judged, ""}, {"Known faults", strings.Join(g.Faults, " "), ""},
		{"Analyzer", g.Analyzer, ""},
		{"Source", g.Source, link(g.Source)}, {"Licence stated at", g.LicenceSource, link(g.LicenceSource)},
		{"Cite", g.Citation, ""},
	} {
		if f.Text != "" && f.Text != g.Sentence {
			out = append(out, f)
		}
	}
	return out
}
