package compare

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/link/share"
)

func TestAPartOfAComparisonIsCopiedAsAFrame(t *testing.T) {
	d := compared(t, 0)
	c, r := start(t, "/compare", "#"+d.Link)
	answer(t, c, r, d)
	c.View.StepQuery(1)
	open := c.View.Open
	for _, x := range []struct{ only, height string }{
		{"differences", "520"},
		{Query, "640"},
	} {
		c.Links.CopyEmbed(x.only)
		_, rest, _ := strings.Cut(r.Copied, `src="https://example.org/embed#`)
		fragment, after, ok := strings.Cut(rest, `"`)
		if !ok || !strings.Contains(after, `height="`+x.height+`"`) || !strings.Contains(after, `title="Rankbox: `) {
			t.Fatalf("%s: copied %q", x.only, r.Copied)
		}
		fragment = strings.ReplaceAll(fragment, "&amp;", "&")
		frame, s := start(t, "/embed", "#"+fragment)
		answer(t, frame, s, compared(t, 0))
		if frame.App.Settings.Screen != share.Compare || frame.View.Only != x.only || frame.View.Open != open ||
			frame.Runs.Report().Hash != c.Runs.Report().Hash {
			t.Errorf("%s: %q, %+v", x.only, frame.App.Settings.Screen, frame.View.View)
		}
		if frame.View.OnlyQuery() != (x.only == Query) || (frame.View.OnlyFigure() != nil) != (x.only != Query) {
			t.Errorf("%s: query %v, figure %v", x.only, frame.View.OnlyQuery(), frame.View.OnlyFigure())
		}
		if got := frame.App.Location.WholePage(); !strings.HasPrefix(got, "/evaluate#"+d.Link) {
			t.Errorf("%s: leads to %q", x.only, got)
		}
		page, p := start(t, "/compare", "#"+fragment)
		answer(t, page, p, compared(t, 0))
		if page.View.Only != "" {
			t.Errorf("%s: the whole page shows a part", x.only)
		}
	}
	unknown, ok := packed.WithView(d.Link, packed.View{B: 1, Only: "figure-of-next-year"})
	frame, s := start(t, "/embed", "#"+unknown)
	answer(t, frame, s, compared(t, 0))
	if !ok || frame.View.Only != "" {
		t.Errorf("a part that is not known: %+v", frame.View.View)
	}
	long := *d
	long.Link = ""
	c.Runs.SetPolicy("gain", "exponential")
	answer(t, c, r, &long)
	r.Copied = ""
	c.Links.CopyEmbed(Query)
	if r.Copied != "" || c.App.Notices.Problem == nil || c.App.Notices.Problem.Where != "Copy embed code" ||
		!strings.Contains(c.App.Notices.Problem.Do, "Save a single-page report") {
		t.Errorf("%q, %+v", r.Copied, c.App.Notices.Problem)
	}
}
