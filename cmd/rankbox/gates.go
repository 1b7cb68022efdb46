package main

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/export"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/share/packed"
)

// gateError says that everything could be measured and a condition is not met: exit code 1.
type gateError struct{ error }

// gating is what a report has to meet, and what it is held against.
type gating struct {
	gates                    []export.Gate
	sure                     bool
	save, against, threshold string
	limit                    export.Threshold
	old                      *report.Report // of against
}

func (g *gating) flags(f *flag.FlagSet) {
	f.Func("gate", "a condition; exit code 1 where a run does not meet it; may be given several times: "+export.Grammar, func(s string) error {
		x, err := export.ParseGate(s)
		g.gates = append(g.gates, x)
		return err
	})
	f.BoolVar(&g.sure, "sure", false, "gates fail only where the test says that it is no chance")
	f.StringVar(&g.save, "save", "", "write the report to a file, to compare a later one against")
	f.StringVar(&g.against, "against", "", "a report of -save or of -q -o json, or a file of -pack: exit code 1 where a measure regressed")
	f.StringVar(&g.threshold, "threshold", "5%", "with -against: the change that counts, as 5%, 0.02 or both with a comma")
}

// check refuses what was said wrongly.
func (g *gating) check() (err error) {
	if g.threshold != "" {
		g.limit, err = parseThreshold(g.threshold)
	}
	return err
}

// measures are those that the gates are about.
func (g *gating) measures() (out []string) {
	for _, x := range g.gates {
		out = append(out, x.Measure)
	}
	return out
}

// open reads the snapshot. runs is how many are compared, by which measures.
func (g *gating) open(runs int, measures []string) (err error) {
	for _, x := range g.gates {
		if x.Change && runs == 1 && g.against == "" {
			return usagef("gate %q: a change needs a second run or a snapshot (-against)", x.Text)
		}
	}
	if g.against != "" {
		if err := g.limit.Sense(measures); err != nil {
			return usageError{err}
		}
		g.old, err = readSnapshot(g.against)
	}
	return err
}

// hold writes the snapshot of a report, and says on standard error which conditions it meets.
func (g *gating) hold(c *context, r *report.Report) error {
	if g.save != "" {
		if err := os.WriteFile(g.save, packed.PackReport(r), 0o666); err != nil {
			return err
		}
	}
	failed := 0
	if g.old != nil {
		change, err := export.Regress(g.old, r, g.limit, nil)
		if err != nil {
			return err
		}
		fmt.Fprint(c.err, change.String())
		for _, x := range change.Changes {
			if x.Verdict == export.Regressed {
				failed++
			}
		}
	}
	checks, err := export.CheckGates(r, g.gates, g.old, nil)
	if err != nil {
		return err
	}
	for i := range checks {
		x := &checks[i]
		fmt.Fprint(c.err, x.Text(g.sure))
		if x.Fails(g.sure) {
			failed++
		}
	}
	switch {
	case failed == 1:
		return gateError{fmt.Errorf("1 condition is not met")}
	case failed > 1:
		return gateError{fmt.Errorf("%d conditions are not met", failed)}
	}
	return nil
}

// parseThreshold reads "5%", "0.02" or both.
func parseThreshold(s string) (export.Threshold, error) {
	var t export.Threshold
	for _, part := range strings.Split(s, ",") {
		part = strings.TrimSpace(part)
		text, percent := strings.CutSuffix(part, "%")
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(v > 0) || v > 1e9 {
			return t, fmt.Errorf("threshold %q: want a number above 0, or a percentage", part)
		}
		if percent {
			t.Relative = v / 100
		} else {
			t.Absolute = v
		}
	}
	return t, nil
}
