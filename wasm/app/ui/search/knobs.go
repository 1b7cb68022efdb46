package search

import (
	"math"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Knobs are the sliders: a row a parameter, on it a handle for each system that has it, and what all judged queries
// make of the one that was moved last.
type Knobs struct {
	App *state.App
}

// text writes a value as an input takes it.
func text(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Key tells rows apart.
func (c *Knobs) Key(k state.Knob) string { return k.Stage.Name + " " + k.Param.Name }

// Label says what a row moves.
func (c *Knobs) Label(k state.Knob) string {
	return k.Param.Name + " of " + k.Stage.Name + ". " + k.Param.Doc
}

// ID is that of a handle: k1-a.
func (c *Knobs) ID(k state.Knob, h state.Handle) string {
	return k.Param.Name + "-" + strings.ToLower(c.App.Settings.Letter(h.System))
}

// HandleLabel names a handle.
func (c *Knobs) HandleLabel(k state.Knob, h state.Handle) string {
	return k.Param.Name + " of system " + c.App.Settings.Letter(h.System)
}

// Slide moves a handle.
func (c *Knobs) Slide(event vugu.DOMEvent, k state.Knob, h state.Handle) {
	if v, err := strconv.ParseFloat(event.PropString("target", "value"), 64); err == nil {
		c.App.Sliders.Slide(k, h.System, v)
	}
}

// Pressed says whether the lock is on.
func (c *Knobs) Pressed(k state.Knob) string { return strconv.FormatBool(c.App.Sliders.Together(k)) }

// LockText says what the handles do.
func (c *Knobs) LockText(k state.Knob) string {
	if c.App.Sliders.Together(k) {
		return "linked"
	}
	return "separate"
}

// LockTitle says what a click changes.
func (c *Knobs) LockTitle(k state.Knob) string {
	if c.App.Sliders.Together(k) {
		return "The handles move together and keep their distances. Click to move each by itself."
	}
	return "Each handle moves by itself. Click to move them together."
}

// None says that the system that a phone shows has no slider.
func (c *Knobs) None() string {
	for _, k := range c.App.Sliders.Knobs() {
		for _, h := range k.Handles {
			if h.System == c.App.View.Shown {
				return ""
			}
		}
	}
	return "System " + c.App.Settings.Letter(c.App.View.Shown) + " has no setting that a slider moves."
}

// Due says whether there is a curve to show, or one to come: its place is kept, so that the lists below it stay where
// they are.
func (c *Knobs) Due() bool {
	return c.Drawn() || c.App.Sliders.Curve == nil && len(c.App.Sliders.Knobs()) > 0
}

// Drawn says whether there is a curve to show. It stays while another is worked out.
func (c *Knobs) Drawn() bool { return c.App.Sliders.Curve != nil && len(c.App.Sliders.Curve.Lines) > 0 }

// Line is one system's curve as it is drawn.
type Line struct {
	System int
	Path   string
	On     bool // the system stands on it
	X, Y   string
}

// Lines are the curves in a box of 300 × 72, the values from the lowest to the highest of all.
func (c *Knobs) Lines() []Line {
	v := c.App.Sliders.Curve
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range v.Lines {
		for _, m := range l.Means {
			low, high = min(low, m), max(high, m)
		}
	}
	if high-low < 0.01 { // next to no difference is not drawn as a mountain
		low, high = (low+high)/2-0.005, (low+high)/2+0.005
	}
	n := float64(len(v.At) - 1)
	x := func(i int) string { return strconv.FormatFloat(4+292*float64(i)/n, 'f', 1, 64) }
	y := func(m float64) string { return strconv.FormatFloat(60-52*(m-low)/(high-low), 'f', 1, 64) }
	at, fits := map[int]float64{}, c.App.Sliders.CurveFits()
	for _, k := range c.App.Sliders.Knobs() {
		if k.Stage.Name == v.Stage && k.Param.Name == v.Param {
			for _, h := range k.Handles {
				at[h.System] = h.Value
			}
		}
	}
	var out []Line
	for _, l := range v.Lines {
		d := Line{System: l.System}
		var b strings.Builder
		for i, m := range l.Means {
			b.WriteString(map[bool]string{true: "M", false: "L"}[i == 0] + x(i) + " " + y(m))
			if here, ok := at[l.System]; ok && math.Abs(here-v.At[i]) < 1e-9 && fits {
				d.On, d.X, d.Y = true, x(i), y(m)
			}
		}
		d.Path = b.String()
		out = append(out, d)
	}
	return out
}

// Sentence says how far each system is from the best place along the parameter.
func (c *Knobs) Sentence() string {
	v := c.App.Sliders.Curve
	s := v.Measure + " of all " + say.Count(v.Queries, "judged query", "judged queries") + " along " + v.Param +
		" of " + v.Stage
	if c.App.Settings.Filtered() {
		s += ", without the filters"
	}
	if !c.App.Sliders.CurveFits() {
		return s + ": measuring …"
	}
	var parts []string
	for i := range v.Lines {
		parts = append(parts, c.App.Settings.Letter(v.Lines[i].System)+" is "+c.standing(v, &v.Lines[i]))
	}
	return s + ": " + strings.Join(parts, "; ") + "."
}

func (c *Knobs) standing(v *experiment.Curve, l *experiment.Line) string {
	best := l.Best()
	top := v.Param + " " + text(v.At[best])
	here, ok := c.App.Sliders.Mean(l.System)
	switch {
	case !ok:
		return "best at " + top
	case here >= l.Means[best]:
		return "at its best"
	}
	return "within " + say.Page.Number(math.Ceil((l.Means[best]-here)*1000)/1000, 3) + " of its best, at " + top
}
