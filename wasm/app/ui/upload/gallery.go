package upload

import (
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/gallery"
	"github.com/rankbox/rankbox/core/say"
)

// many is how many collections a list has before it is filtered.
const many = 6

// Filters says whether the gallery is long enough to be filtered.
func (c *Upload) Filters() bool {
	return c.Upload.Gallery.Site != nil && len(c.Upload.Gallery.Site.Collections) > many
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

// each is how many judgments a query has, on average.
func each(g *gallery.Collection) string {
	if g.Queries == 0 {
		return ""
	}
	return strconv.FormatFloat(float64(g.Judgments)/float64(g.Queries), 'f', 1, 64)
}

// languages are the English names of those that recipes have.
var languages = map[string]string{
	"": "English", "ar": "Arabic", "bn": "Bengali", "de": "German", "en": "English", "es": "Spanish", "fa": "Persian", "fi": "Finnish", "fr": "French",
	"hi": "Hindi", "id": "Indonesian", "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "ru": "Russian", "sw": "Swahili", "te": "Telugu", "th": "Thai",
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
		{"Domain", g.Domain, ""}, {"Judgments", g.Judged, ""}, {"Known faults", strings.Join(g.Faults, " "), ""}, {"Analyzer", g.Analyzer, ""},
		{"Source", g.Source, link(g.Source)}, {"Licence stated at", g.LicenceSource, link(g.LicenceSource)}, {"Cite", g.Citation, ""},
	} {
		if f.Text != "" && f.Text != g.Sentence {
			out = append(out, f)
		}
	}
	return out
}
