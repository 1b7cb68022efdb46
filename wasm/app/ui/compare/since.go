package compare

import (
	"math"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Since holds the report against a snapshot.
type Since struct {
	part
}

// D is the answer of the worker.
func (c *Since) D() *message.Compared { return c.Compare.Runs.Done }

// Changes are those that are shown: the first 50.
func (c *Since) Changes() []gates.MeasureChange {
	x := c.D().Regression
	return x[:min(len(x), 50)]
}

// Percent is the change in percent of the old value.
func (c *Since) Percent(m gates.MeasureChange) string {
	if math.IsInf(m.Relative, 0) || math.IsNaN(m.Relative) {
		return say.Page.Signed(m.Diff, 4)
	}
	return say.Page.Change(m.Old, m.New)
}

// Interval is that of the difference.
func (c *Since) Interval(m gates.MeasureChange) string {
	return say.Page.Span(m.Low, m.High, 4)
}

// P is that of the test, "≤" before it if no draw was as far out.
func (c *Since) P(m gates.MeasureChange) string {
	if m.AtMost > 0 && m.P >= 0.001 {
		return "≤\u00a0" + say.Page.P(m.P)
	}
	return say.Page.P(m.P)
}

// Counts are the queries that changed.
func (c *Since) Counts(m gates.MeasureChange) string {
	return say.Thousands(m.Better) + ", " + say.Thousands(m.WorseCount)
}

// Verdict says what became of it.
func (c *Since) Verdict(m gates.MeasureChange) string {
	switch m.Verdict {
	case gates.BelowThreshold:
		return "real, below your threshold"
	case gates.Unchanged:
		switch {
		case m.Reached && m.Lost():
			return "unchanged: the loss could be chance"
		case m.Reached:
			return "unchanged: the gain could be chance"
		}
	case gates.Changed:
		return "changed, no verdict on quality"
	}
	return string(m.Verdict)
}

// Class colours it.
func (c *Since) Class(m gates.MeasureChange) string {
	switch m.Verdict {
	case gates.Regressed:
		return "words down"
	case gates.Improved:
		return "words up"
	}
	return "words"
}

// Moved names the queries that lost most, where it became worse.
func (c *Since) Moved(m gates.MeasureChange) string {
	if !m.Lost() {
		return ""
	}
	var parts []string
	for i, q := range m.Moved {
		if i == 3 {
			break
		}
		parts = append(parts, ui.Brief(q.Query)+" "+say.Page.Signed(q.New-q.Old, 3))
	}
	if len(parts) == 0 {
		return ""
	}
	return "most in " + strings.Join(parts, ", ")
}

// Threshold is the change that counts, in percent.
func (c *Since) Threshold() string {
	t := c.Compare.Runs.Setting.Relative
	if t == 0 {
		t = gates.DefaultThreshold.Relative
	}
	return strconv.FormatFloat(math.Round(t*1e4)/100, 'f', -1, 64)
}

// SetThreshold sets it.
func (c *Since) SetThreshold(event vugu.DOMEvent) {
	if v, err := strconv.ParseFloat(event.PropString("target", "value"), 64); err == nil {
		c.Compare.Runs.SetThreshold(v)
	}
}

// Absolute is the difference that counts whatever the old value, "" where none does.
func (c *Since) Absolute() string {
	if t := c.Compare.Runs.Setting.Absolute; t > 0 {
		return strconv.FormatFloat(t, 'g', -1, 64)
	}
	return ""
}

// SetAbsolute sets it; nothing typed takes it away.
func (c *Since) SetAbsolute(event vugu.DOMEvent) {
	text := strings.TrimSpace(event.PropString("target", "value"))
	if text == "" {
		text = "0"
	}
	if v, err := strconv.ParseFloat(text, 64); err == nil {
		c.Compare.Runs.SetAbsolute(v)
	}
}

// Caption states the finding.
func (c *Since) Caption() string {
	bad, worse, better, good, small, changed := 0, 0, 0, 0, 0, 0
	for _, m := range c.D().Regression {
		switch m.Verdict {
		case gates.Regressed:
			bad++
		case gates.BelowThreshold:
			small++
		case gates.Unchanged:
			if m.Lost() {
				worse++
			} else if m.Reached {
				better++
			}
		case gates.Improved:
			good++
		case gates.Changed:
			changed++
		}
	}
	s := "Against " + ui.Brief(c.D().Snapshot) + ": "
	switch {
	case bad+worse+better+good+small+changed == 0:
		if t := c.Absolute(); t != "" {
			return s + "nothing changed by " + c.Threshold() + " % or by " + t + " or more."
		}
		return s + "nothing changed by " + c.Threshold() + " % or more."
	case bad == 0:
		s += "nothing regressed"
	default:
		s += say.Count(bad, "measure", "measures") + " regressed"
	}
	if worse > 0 {
		s += ", " + say.Thousands(worse) + " became worse but it could be chance"
	}
	if better > 0 {
		s += ", " + say.Thousands(better) + " became better but it could be chance"
	}
	if good > 0 {
		s += ", " + say.Thousands(good) + " improved"
	}
	if small > 0 {
		s += ", " + say.Thousands(small) + " changed for real but by less than the threshold"
	}
	if changed > 0 {
		s += ", " + say.Thousands(changed) + " changed that " + say.Verb(changed, "says", "say") + " nothing of quality"
	}
	return s + ". Test: " + c.D().Regression[0].Test + ", p after Holm over " + say.Count(len(c.D().Regression),
		"change", "changes") + "."
}
