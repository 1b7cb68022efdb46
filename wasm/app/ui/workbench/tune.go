package workbench

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/experiment/tune"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	bench "github.com/rankbox/rankbox/wasm/app/state/workbench"
)

// Tune finds what the fusion of the system in the editor should weigh.
type Tune struct {
	App *state.App
	W   *bench.Workbench
}

// Tune is that part of the form, nil where the program has none.
func (c *Form) Tune() vugu.Builder { return &Tune{c.App, bench.On(c.App)} }

// Tunes says whether the system has a fusion with a weight, and the collection judged queries to tune it by.
func (c *Form) Tunes() bool {
	n := c.node()
	if n == nil || bench.On(c.App) == nil || c.App.Engine.Opened == nil || len(c.App.Engine.Opened.Queries) == 0 {
		return false
	}
	_, ok := tune.Find(n)
	return ok
}

// Go tunes what is written.
func (c *Tune) Go() { c.W.Start(c.App.Editor.Draft) }

// Label names the knob.
func (c *Tune) Label() string {
	if f := (&Form{App: c.App}).node(); f != nil {
		if k, ok := tune.Find(f); ok {
			return "Tune " + k.Name + " on the judged queries"
		}
	}
	return "Tune"
}

// T is the newest answer about the system that is written, nil where there is none.
func (c *Tune) T() *message.Tuned {
	if c.W.Tuned != nil && (c.W.Of == c.App.Editor.Draft || c.chosen()) {
		return c.W.Tuned
	}
	return nil
}

// chosen says whether what is written is one of what tuning proposed.
func (c *Tune) chosen() bool {
	for _, x := range c.W.Tuned.Choices {
		if x.System == c.App.Editor.Draft {
			return true
		}
	}
	return false
}

// Problem says why there is nothing to tune.
func (c *Tune) Problem() string {
	if t := c.T(); t != nil {
		return t.Problem
	}
	return ""
}

// Done and All are how far it is.
func (c *Tune) Done() string {
	if t := c.W.Tuned; t != nil {
		return strconv.Itoa(t.Done)
	}
	return "0"
}

// All is how many values are tried.
func (c *Tune) All() string {
	if t := c.W.Tuned; t != nil && t.Of > 0 {
		return strconv.Itoa(t.Of)
	}
	return "1"
}

// Doing says how far it is.
func (c *Tune) Doing() string {
	if t := c.W.Tuned; t != nil && t.Of > 0 {
		return strconv.Itoa(t.Done) + " of " + say.Count(t.Of, "value", "values")
	}
	return "Starting"
}

// Over says whether the choices are there.
func (c *Tune) Over() bool { return c.T() != nil && len(c.T().Choices) > 0 }

// Number writes a mean.
func (c *Tune) Number(v float64) string { return say.Page.Number(v, 3) }

// Rest writes what the choice had by itself, and what there was.
func (c *Tune) Rest(x message.TunedChoice) string {
	return "tuned " + c.Number(x.Tuned) + ", present " + c.Number(x.Present)
}

// Use writes a choice into the editor.
func (c *Tune) Use(x message.TunedChoice) { c.App.Editor.Write(x.System) }

// Save lets the visitor save a setting.
func (c *Tune) Save(name, text string) {
	c.App.Browser.Save(name, "application/json", []byte(text))
}

// File is the name of a setting's file.
func (c *Tune) File(program string, x message.TunedChoice) string {
	return program + "-" + x.Of + ".json"
}

// Bars are the means of the values, as a drawing of 100 by 20: the least at its foot.
func (c *Tune) Bars() []Bar {
	t := c.T()
	low, high := t.Means[0], t.Means[0]
	for _, m := range t.Means {
		low, high = min(low, m), max(high, m)
	}
	var out []Bar
	for i, m := range t.Means {
		h := 20.0
		if high > low {
			h = 2 + 18*(m-low)/(high-low)
		}
		b := Bar{X: strconv.Itoa(i * 6), Y: say.Page.Number(20-h, 1), Height: say.Page.Number(h, 1)}
		switch t.Values[i] {
		case t.Choices[0].Best:
			b.Class = "best"
		case t.Values[t.Start]:
			b.Class = "present"
		}
		out = append(out, b)
	}
	return out
}

// Bar is the mean of a value.
type Bar struct{ X, Y, Height, Class string }

// Box is the drawing's.
func (c *Tune) Box() string { return "0 0 " + strconv.Itoa(6*len(c.T().Means)-1) + " 20" }

// Drawn says what the drawing shows.
func (c *Tune) Drawn() string {
	t := c.T()
	last := len(t.Values) - 1
	return t.Measure + " by " + t.Param + " from " + t.Values[0] + " (" + c.Number(t.Means[0]) + ") to " +
		t.Values[last] + " (" + c.Number(t.Means[last]) + "), best at " + t.Choices[0].Best
}
