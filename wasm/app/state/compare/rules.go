package compare

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
)

// choose makes the measures, policy and baseline those of the visitor.
func (c *Compare) choose(f func(*message.Setting)) func(*message.Setting) {
	return func(s *message.Setting) {
		f(s)
		s.Chosen = true
	}
}

// SetPolicy sets one switch of the policy.
func (c *Compare) SetPolicy(name, option string) {
	p, t, err := compare.ReadPolicy(c.Setting.Policy)
	if err != nil {
		return
	}
	if option == "" {
		option = "0"
	}
	known, err := t.Set(name, option)
	if !known {
		err = p.Set(name, option)
	}
	if err != nil {
		c.App.Notices.Problem = &message.Problem{What: "This cannot be set: " + say.Sentence(err), Where: "conventions", Do: "Choose a whole number from 0 to 1,000,000."}
		c.App.View.Draw()
		return
	}
	c.changeRuns(c.choose(func(s *message.Setting) { s.Policy = compare.WritePolicy(p, t) }))
}

// PolicyOption is the option that a switch is at: "" stands for a number at its default.
func (c *Compare) PolicyOption(s measure.Switch) string {
	for _, pair := range strings.Fields(c.Setting.Policy) {
		if name, option, _ := strings.Cut(pair, "="); name == s.Name {
			return option
		}
	}
	if s.Options == nil {
		return ""
	}
	return s.Options[0]
}

// SetRunBaseline chooses the run that the others are compared with.
func (c *Compare) SetRunBaseline(i int) {
	c.changeRuns(c.choose(func(s *message.Setting) { s.Baseline = i }))
}

// WriteMeasures takes what is typed as measures and says at once what is wrong with it.
func (c *Compare) WriteMeasures(text string) {
	c.Draft, c.DraftErr = text, ""
	list, err := c.typed()
	switch {
	case err != nil:
		c.DraftErr = say.Told(err)
	case len(list) == 0:
		c.DraftErr = "name at least one measure"
	case len(list) > share.MaxMeasures:
		c.DraftErr = "up to " + strconv.Itoa(share.MaxMeasures) + " measures at once"
	}
	c.App.View.Draw()
}

// UseMeasures measures by what was typed.
func (c *Compare) UseMeasures() {
	if c.WriteMeasures(c.Draft); c.DraftErr != "" {
		return
	}
	list, _ := c.typed()
	c.changeRuns(c.choose(func(s *message.Setting) { s.Measures = list }))
}

// typed are the measures that are typed: of a table of scores those that it has, by their names there.
func (c *Compare) typed() (out []string, err error) {
	if c.Done != nil && c.Done.Available != nil {
		have := c.Done.Available
		for _, name := range strings.FieldsFunc(c.Draft, func(r rune) bool { return r == ' ' || r == ',' }) {
			if m, err := measure.Parse(name); err == nil && !slices.Contains(have, name) {
				name = m.String()
			}
			if !slices.Contains(have, name) {
				return nil, errors.New("there is no measure " + say.Visible(name) + ": the table has " + say.Few(have, 8))
			}
			if !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
		return out, nil
	}
	list, err := measure.ParseList(c.Draft)
	for _, m := range list {
		out = append(out, m.String())
	}
	return out, err
}

// SetMissing chooses what a missing score means.
func (c *Compare) SetMissing(rule string) {
	c.changeRuns(func(s *message.Setting) { s.Missing = rule })
}

// SetSystems says whether the systems of a table are its rows or its columns; "" leaves it to the table.
func (c *Compare) SetSystems(what string) {
	c.changeRuns(func(s *message.Setting) { s.Systems = what })
}

// Collapse says how ids of chunks become ids of documents: cut at a separator, the last one or the first; "" takes ids as they are.
func (c *Compare) Collapse(separator string, first bool) {
	c.changeRuns(func(s *message.Setting) { s.Separator, s.First = separator, first })
}

// SetThreshold sets which change since the snapshot counts, in percent.
func (c *Compare) SetThreshold(percent float64) {
	if !(percent > 0 && percent <= 100) {
		return
	}
	c.changeRuns(func(s *message.Setting) { s.Relative = percent / 100 })
}

// SetAbsolute sets another change since the snapshot that counts, as a difference; 0 for none.
func (c *Compare) SetAbsolute(difference float64) {
	if !(difference >= 0 && difference <= 1e9) {
		return
	}
	c.changeRuns(func(s *message.Setting) { s.Absolute = difference })
}
