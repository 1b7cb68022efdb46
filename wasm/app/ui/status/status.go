// Package status is the screen that says what the edge offers and how it does, as it looks.
package status

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/status"
)

// Make is the screen for a page.
func Make(a *state.App) (state.Screen, vugu.Builder) {
	s := screen.New(a)
	return s, &Status{S: s}
}

// Status is the screen.
type Status struct{ S *screen.Status }

// Said is a sentence on what there is.
func (c *Status) Said() string {
	o := c.S.Offered
	switch {
	case o == nil && c.S.App.Engine.Phase != state.Ready:
		return "Loading …"
	case o == nil:
		return "Asking the edge …"
	case o.Private && o.Keyed:
		return "This edge is private, and does not take the saved key. It may have expired, or was revoked."
	case o.Private:
		return "This edge is private. Enter a key of it."
	case strings.Contains(o.Why, "status 404"):
		return "This site has no edge. No other page needs one."
	case o.Why != "":
		return "This site has no edge: " + lower(o.Why) + " No other page needs one."
	case len(o.Backends) == 0:
		return "The edge has no backends."
	}
	s := "The edge offers " + say.Count(len(o.Backends), "backend", "backends")
	if o.Snapshots {
		s += " and stores answers for shared links"
	}
	return s + "."
}

func lower(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// Missing says whether there is no edge, so that the page says how one is had.
func (c *Status) Missing() bool {
	return c.S.Offered != nil && c.S.Offered.Why != "" && !c.S.Offered.Private
}

// AsksKey says whether a key can be entered, or forgotten.
func (c *Status) AsksKey() bool {
	return c.S.Offered != nil && (c.S.Offered.Private || c.S.Offered.Keyed)
}

// KeyLabel says what the button does.
func (c *Status) KeyLabel() string {
	if c.S.Key == "" && c.S.Offered.Keyed {
		return "Forget the key"
	}
	return "Save the key on this device"
}

// Key takes the key as it is typed.
func (c *Status) Key(event vugu.DOMEvent) {
	c.S.WriteKey(event.PropString("target", "value"))
	c.S.App.View.Draw()
}

// SaveKey saves it.
func (c *Status) SaveKey(event vugu.DOMEvent) {
	event.PreventDefault()
	c.S.SaveKey()
}

// Backend is a row.
type Backend struct{ ID, Kind, Does, Model, State, Events, Class string }

// Backends are those that are offered.
func (c *Status) Backends() []Backend {
	o := c.S.Offered
	if o == nil {
		return nil
	}
	var out []Backend
	for _, b := range o.Backends {
		does := b.Does
		if len(b.Modes) > 0 {
			does = append(does[:len(does):len(does)], "("+strings.Join(b.Modes, ", ")+")")
		}
		row := Backend{ID: b.ID, Kind: b.Kind, Does: strings.Join(does, " "),
			Model: say.Visible(strings.TrimSpace(b.Model + " " + b.Revision + " " + b.Index)), State: "?"}
		if s := c.service(b.ID); s != nil {
			switch row.State = "answers"; s.State {
			case "open":
				row.State, row.Class = "paused after failures", "warn"
			case "half-open":
				row.State, row.Class = "retrying", "warn"
			}
			var events []string
			for _, e := range s.Events {
				events = append(events, say.Visible(e.Name)+" "+say.Thousands(e.N))
			}
			row.Events = strings.Join(events, ", ")
		}
		out = append(out, row)
	}
	return out
}

func (c *Status) service(id string) *remote.Service {
	o := c.S.Offered
	if o == nil || o.Watch == nil {
		return nil
	}
	for i := range o.Watch.Backends {
		if s := &o.Watch.Backends[i]; s.ID == id {
			return s
		}
	}
	return nil
}

// Route is a row of what was asked of the edge.
type Route struct {
	Name, Calls, Failed, P50, P95, Hits, Items string
	Class                                      string // of p95
	Bars                                       []Bar
	Said                                       string // of the bars
}

// Bar is one bucket of the latency.
type Bar struct{ X, Y, H string }

// slowest is what 95 % of answers may take before an alert is due (scripts/deploy/alerts.yml).
const slowest = 2

// Routes are the addresses that were asked, as the metrics have them.
func (c *Status) Routes() []Route {
	o := c.S.Offered
	if o == nil || o.Watch == nil {
		return nil
	}
	var out []Route
	for i := range o.Watch.Routes {
		r := &o.Watch.Routes[i]
		if r.Calls == 0 || r.Name == "none" {
			continue
		}
		row := Route{Name: say.Visible(r.Name), Calls: say.Thousands(r.Calls), Failed: say.Thousands(r.Failed),
			P50: within(r.Within(.5)), P95: within(r.Within(.95)), Hits: share(r.Hits, r.Hits+r.Misses)}
		if r.Within(.95) > slowest {
			row.Class = "warn"
		}
		if r.Answered > 0 {
			row.Items = say.Page.Number(float64(r.Items)/float64(r.Answered), 1)
		}
		row.Bars, row.Said = bars(r.Buckets)
		out = append(out, row)
	}
	return out
}

// bars draws the buckets, 14 units high, 10 wide each.
func bars(n []int) (out []Bar, said string) {
	most := 0
	for _, x := range n {
		most = max(most, x)
	}
	for i, x := range n {
		h := 0.0
		if most > 0 {
			h = math.Round(140*float64(x)/float64(most)) / 10
		}
		out = append(out, Bar{strconv.Itoa(10*i + 1), strconv.FormatFloat(14-h, 'f', -1, 64),
			strconv.FormatFloat(h, 'f', -1, 64)})
		if i > 0 {
			said += ", "
		}
		if i < len(remote.Buckets) {
			said += "up to " + within(remote.Buckets[i]) + ": "
		} else {
			said += "longer: "
		}
		said += say.Thousands(x)
	}
	return out, said
}

func within(s float64) string {
	if math.IsInf(s, 1) {
		return "over " + within(remote.Buckets[len(remote.Buckets)-1])
	}
	if s < 1 {
		return strconv.Itoa(int(math.Round(1000*s))) + " ms"
	}
	return strconv.Itoa(int(s)) + " s"
}

func share(of, all int) string {
	if all == 0 {
		return ""
	}
	return say.Page.Percent(float64(of)/float64(all), 1)
}

// Reranked is a row of what was reranked.
type Reranked struct{ ID, Answers, Fell, FellClass, Scores, Low, Mean, High, MeanClass string }

// Rerankers are the backends that reranked, with the alerts' bounds: more than 5 % in the order of the input, a mean
// score below 0.5.
func (c *Status) Rerankers() []Reranked {
	o := c.S.Offered
	if o == nil || o.Watch == nil {
		return nil
	}
	var out []Reranked
	for _, s := range o.Watch.Backends {
		if s.Reranked == 0 {
			continue
		}
		row := Reranked{ID: s.ID, Answers: say.Thousands(s.Reranked), Fell: share(s.Fell, s.Reranked),
			Scores: say.Thousands(s.Scores)}
		if float64(s.Fell) > float64(.05*float64(s.Reranked)) {
			row.FellClass = "warn"
		}
		if s.Scores > 0 {
			mean := s.Sum / float64(s.Scores)
			row.Low, row.Mean, row.High = say.Page.Number(s.Lowest, 3), say.Page.Number(mean, 3),
				say.Page.Number(s.Greatest, 3)
			if mean < .5 {
				row.MeanClass = "warn"
			}
		}
		out = append(out, row)
	}
	return out
}

// Window is a row of the figures of the last minutes.
type Window struct{ Name, Span, Value, N, Limit, State, Class string }

// windowNames are what the figures are called, and how they are written.
var windowNames = []struct {
	figure, name, of string
	write            func(float64) string
}{
	{"p95_seconds", "p95", "calls", seconds},
	{"fallback_share", "fell back", "answers", func(x float64) string { return say.Page.Percent(x, 1) }},
	{"score_mean", "mean rerank score", "scores", func(x float64) string { return say.Page.Number(x, 3) }},
	{"score_spread", "spread of scores within an answer", "answers",
		func(x float64) string { return say.Page.Number(x, 3) }},
}

// Windows are the figures of the alert rules over the last minutes, beside their limits.
func (c *Status) Windows() (out []Window) {
	o := c.S.Offered
	if o == nil || o.Watch == nil {
		return nil
	}
	for _, as := range windowNames {
		i := slices.IndexFunc(o.Watch.Windows, func(w remote.Window) bool { return w.Figure == as.figure })
		if i < 0 {
			continue
		}
		w := &o.Watch.Windows[i]
		row := Window{Name: as.name, Span: say.Count(w.Minutes, "minute", "minutes"),
			N: say.Thousands(w.N) + " " + as.of, Limit: "at most " + as.write(w.Limit), State: "within the limit"}
		if w.Below {
			row.Limit = "at least " + as.write(w.Limit)
		}
		if w.N > 0 {
			row.Value = as.write(w.Value)
		}
		switch {
		case w.N == 0:
			row.State = "nothing counted"
		case w.Exceeded():
			row.State, row.Class = "limit exceeded", "warn"
		}
		out = append(out, row)
	}
	return out
}

// Counted says whose counts these are.
func (c *Status) Counted() string {
	return "Counted by one instance of the edge, " + say.Visible(c.S.Offered.Watch.Instance) +
		". If the edge runs in several processes or at Cloudflare, each counts for itself."
}

// seconds writes a time. The last bucket has no upper end.
func seconds(s float64) string {
	switch {
	case s >= remote.Buckets[len(remote.Buckets)-1]:
		return within(math.Inf(1))
	case s < 1:
		return within(s)
	}
	return say.Page.Number(s, 1) + " s"
}

// Unwatched says why figures are missing.
func (c *Status) Unwatched() string {
	o := c.S.Offered
	switch {
	case o == nil || o.Why != "":
		return ""
	case o.Unwatched != "":
		return say.Visible(o.Unwatched)
	case o.Watch == nil || len(o.Watch.Routes) == 0:
		return "Enter the metrics token (the edge’s secret METRICS_TOKEN) to see requests and times. It stays on " +
			"this page."
	}
	return ""
}

// HasEdge says whether there is one.
func (c *Status) HasEdge() bool { return c.S.Offered != nil && c.S.Offered.Why == "" }

// Token takes what is typed.
func (c *Status) Token(event vugu.DOMEvent) { c.S.Write(event.PropString("target", "value")) }

// Ask asks again.
func (c *Status) Ask(event vugu.DOMEvent) {
	event.PreventDefault()
	c.S.Ask()
	c.S.App.View.Draw()
}
