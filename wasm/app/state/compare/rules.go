package compare

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/message"
)

// choose makes the measures, policy and baseline those of the visitor.
func choose(f func(*message.Setting)) func(*message.Setting) {
	return func(s *message.Setting) {
		f(s)
		s.Chosen = true
	}
}

// SetPolicy sets one switch of the policy.
func (rs *Runs) SetPolicy(name, option string) {
	p, t, err := compare.ReadPolicy(rs.Setting.Policy)
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
		rs.app.Notices.Problem = &message.Problem{What: "This cannot be set: " + say.Sentence(err),
			Where: "conventions", Do: "Choose a whole number from 0 to 1,000,000."}
		rs.app.View.Draw()
		return
	}
	rs.change(choose(func(s *message.Setting) { s.Policy = compare.WritePolicy(p, t) }))
}

// PolicyOption is the option that a switch is at: "" stands for a number at its default.
func (rs *Runs) PolicyOption(s measure.Switch) string {
	for _, pair := range strings.Fields(rs.Setting.Policy) {
		if name, option, _ := strings.Cut(pair, "="); name == s.Name {
			return option
		}
	}
	if s.Options == nil {
		return ""
	}
	return s.Options[0]
}

// SetBaseline chooses the run that the others are compared with.
func (rs *Runs) SetBaseline(i int) {
	rs.change(choose(func(s *message.Setting) { s.Baseline = i }))
}

// SetMissing chooses what a missing score means.
func (rs *Runs) SetMissing(rule string) {
	rs.change(func(s *message.Setting) { s.Missing = rule })
}

// SetSystems says whether the systems of a table are its rows or its columns; "" leaves it to the table.
func (rs *Runs) SetSystems(what string) {
	rs.change(func(s *message.Setting) { s.Systems = what })
}

// Collapse says how ids of chunks become ids of documents: cut at a separator, the last one or the first; "" takes ids
// as they are.
func (rs *Runs) Collapse(separator string, first bool) {
	rs.change(func(s *message.Setting) { s.Separator, s.First = separator, first })
}

// SetThreshold sets which change since the snapshot counts, in percent.
func (rs *Runs) SetThreshold(percent float64) {
	if !(percent > 0 && percent <= 100) {
		return
	}
	rs.change(func(s *message.Setting) { s.Relative = percent / 100 })
}

// SetAbsolute sets another change since the snapshot that counts, as a difference; 0 for none.
func (rs *Runs) SetAbsolute(difference float64) {
	if !(difference >= 0 && difference <= 1e9) {
		return
	}
	rs.change(func(s *message.Setting) { s.Absolute = difference })
}
