package compare

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// ReadPolicy reads decisions as name=option, separated by white space: those of a measure.Policy and of an
// report.Protocol. The error names what is not known.
func ReadPolicy(text string) (p measure.Policy, t report.Protocol, err error) {
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
func WritePolicy(p measure.Policy, t report.Protocol) string {
	return strings.TrimSpace(p.String() + " " + t.String())
}

// Relabel returns r under the names and the baseline of c: the same as c.Report gives, without measuring again. r is a
// report of the same runs, judgments, measures and policy, and is not changed.
func (c *Comparison) Relabel(r *report.Report) *report.Report {
	out := *r
	out.Baseline, out.Letters = c.in.Baseline, c.in.Letters
	out.Systems = slices.Clone(r.Systems)
	for i := range out.Systems {
		out.Systems[i].Label = c.names[i]
	}
	if t := out.Protocol(); t.Family != "" && out.Baseline != r.Baseline {
		out.Retest(t, nil) // it fails only if it is cancelled
	}
	out.Seal()
	return &out
}

// Retest returns r tested as the input of c says, under its names and baseline: the same as c.Report gives, without
// measuring again. r is a report of the same runs, judgments, measures and policy, and is not changed. The error is
// ErrCancelled.
func (c *Comparison) Retest(r *report.Report, cancel func() bool) (*report.Report, error) {
	out := *r
	out.Decisions = evaluation.Decisions(c.in.Policy, c.in.Protocol)
	if err := out.Retest(c.in.Protocol, cancel); err != nil {
		return nil, err
	}
	return c.Relabel(&out), nil
}
