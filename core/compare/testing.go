package compare

import (
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/significance"
)

// ReadPolicy reads decisions as name=option, separated by white space: those of a measure.Policy and of an experiment.Testing. The error
// names what is not known.
func ReadPolicy(text string) (p measure.Policy, t experiment.Testing, err error) {
	for _, pair := range strings.Fields(text) {
		name, option, _ := strings.Cut(pair, "=")
		known, err := t.Set(name, option)
		if !known {
			err = p.Set(name, option)
		}
		if err != nil {
			return p, t, err
		}
	}
	return p, t, nil
}

// WritePolicy writes what ReadPolicy reads; "" where all decisions are at their defaults.
func WritePolicy(p measure.Policy, t experiment.Testing) string {
	return strings.TrimSpace(p.String() + " " + t.String())
}

// tested returns the decisions of t that are not at their defaults.
func tested(t experiment.Testing) []Setting {
	var out []Setting
	for _, pair := range strings.Fields(t.String()) {
		name, option, _ := strings.Cut(pair, "=")
		for _, s := range experiment.TestSwitches() {
			if s.Name == name {
				out = append(out, Setting{Name: name, Option: option, Doc: s.Doc})
			}
		}
	}
	return out
}

// Testing is how the pairs of the report were tested.
func (r *Report) Testing() experiment.Testing {
	var t experiment.Testing
	for _, s := range r.Policies {
		if !s.Default {
			t.Set(s.Name, s.Option) // what it does not know is of the measures, or of a later version
		}
	}
	return t
}

// Correction is the name of the correction of the pairs' p: "Holm", "none".
func (r *Report) Correction() string {
	t := r.Testing()
	if t.Correction == experiment.NoCorrection {
		return t.Correction
	}
	return correctionOf(t).Title
}

func correctionOf(t experiment.Testing) significance.Correction {
	name := t.Correction
	if name == "" || name == experiment.NoCorrection {
		name = "holm"
	}
	c, _ := significance.LookupCorrection(name) // Set lets no other in
	return c
}

// correctionKey is its name in files.
func (r *Report) correctionKey() string {
	if t := r.Testing(); t.Correction == experiment.NoCorrection {
		return t.Correction
	} else {
		return correctionOf(t).Name
	}
}

// corrected says how the p of so many pairs were corrected: " after Holm over 3 pairs".
func (r *Report) corrected(pairs int) string {
	if r.Testing().Correction == experiment.NoCorrection {
		return " without correction for " + say.Count(pairs, "pair", "pairs")
	}
	return " after " + r.Correction() + " over " + say.Count(pairs, "pair", "pairs")
}

// Retest returns r tested as the input of c says, under its names and baseline: the same as c.Report gives, without measuring again. r is a
// report of the same runs, judgments, measures and policy, and is not changed. The error is ErrCancelled.
func (c *Comparison) Retest(r *Report, cancel func() bool) (*Report, error) {
	out := *r
	out.Policies = nil
	for i, s := range measure.Switches() {
		out.Policies = append(out.Policies, setting(c.in.Policy, i, s))
	}
	out.Policies = append(out.Policies, tested(c.in.Testing)...)
	if err := out.Report.Retest(c.in.Testing, cancel); err != nil {
		return nil, err
	}
	return c.Relabel(&out), nil
}

// StatisticsAs is how Statistics tests what the report's own tests test: the same test, correction and resamples.
func (r *Report) StatisticsAs(cancel func() bool) StatisticsOptions {
	t := r.Testing()
	o := StatisticsOptions{Test: t.Test, Correction: t.Correction, Zeros: t.Zeros, Continuity: t.Continuity, Cancel: cancel, Samples: experiment.Resamples(len(r.Systems), len(r.Queries))}
	if o.Correction == experiment.NoCorrection {
		o.Correction = ""
	}
	return o
}

// Orders says how far the order of the runs by a column goes together with that by each other one. Fewer than two runs give none.
func (r *Report) Orders(column int) ([]Order, error) {
	if len(r.Systems) < 2 {
		return nil, nil
	}
	var out []Order
	for m, c := range r.Columns {
		if m == column {
			continue
		}
		x, y := r.upward(column), r.upward(m)
		k, err := significance.KendallTau(x, y)
		if err != nil {
			return nil, err
		}
		ap, err := significance.TauAP(x, y)
		if err != nil {
			return nil, err
		}
		rbo, err := significance.RBO(r.Columns[column].Ranking(), r.Columns[m].Ranking(), 0.9)
		if err != nil {
			return nil, err
		}
		out = append(out, Order{c.Measure, k.B, ap, rbo.Ext})
	}
	return out, nil
}
