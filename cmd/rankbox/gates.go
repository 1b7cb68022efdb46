package main

import (
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/export"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
)

// gateError says that everything could be measured and a condition is not met: exit code 1.
type gateError struct{ error }

// gating is what a report has to meet, and what it is held against.
type gating struct {
	gates           []gates.Gate
	sure            bool
	save, threshold string
	against         []string            // files of snapshots
	update          bool                // the first of against is written, whatever it was
	tags            map[string][]string // the queries that have each
	junit, comment  string              // files
	site            string              // its address, for the link of a comment
	input           *compare.Input      // of the report; nil if there are no runs
	limit           gates.Threshold
	millis          []gates.Timed    // of runs that were timed
	old             []gates.Snapshot // of against
}

func (g *gating) flags(f *flag.FlagSet) {
	f.Func("gate", "a condition, repeatable; exit code 1 if a run fails it: "+gates.Grammar, func(s string) error {
		x, err := gates.ParseGate(s)
		g.gates = append(g.gates, x)
		return err
	})
	f.BoolVar(&g.sure, "sure", false, "gates fail only if the difference is significant")
	f.StringVar(&g.save, "save", "", "save the report to a file, as a baseline for later runs")
	f.Func("against", "a baseline written by -save, -q -o json or -pack, repeatable; exit code 1 if a measure regressed",
		func(s string) error {
			g.against = append(g.against, s)
			return nil
		})
	f.BoolVar(&g.update, "update", false,
		"with -against: report changes without failing, and save the new baseline to the first; it need not exist")
	f.StringVar(&g.junit, "junit", "", "write the checks as JUnit XML, for build servers")
	f.StringVar(&g.comment, "comment", "",
		"write the verdict as Markdown to a file, replacing the verdict of an earlier call")
	f.StringVar(&g.site, "site", "", "with -comment: link to the comparison on the site with this `address`, "+
		"a build of Rankbox")
	f.StringVar(&g.threshold, "threshold", "5%",
		"with -against: the smallest change that counts, as 5%, 0.02 or both with a comma")
}

// check refuses wrong flags.
func (g *gating) check() (err error) {
	if g.update && len(g.against) == 0 {
		return fmt.Errorf("-update needs the baseline's file (-against)")
	}
	if u, err := url.Parse(g.site); g.site != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" ||
		u.Host == "" ||
		strings.ContainsAny(g.site, "<>#? \n")) {
		return usagef("-site %q: want the address of a site, such as https://rankbox.example", g.site)
	}
	if g.threshold != "" {
		g.limit, err = parseThreshold(g.threshold)
	}
	return err
}

// measures are those that the gates are about.
func (g *gating) measures() (out []string) {
	for _, x := range g.gates {
		if x.Quantile == 0 {
			out = append(out, x.Measure)
		}
	}
	return out
}

// any reports whether anything is held against the report.
func (g *gating) any() bool { return len(g.gates) > 0 || len(g.against) > 0 || g.save != "" }

// timed reports whether a gate is about time.
func (g *gating) timed() bool {
	return slices.ContainsFunc(g.gates, func(x gates.Gate) bool { return x.Quantile > 0 })
}

// open reads the snapshot. runs is how many are compared, by which measures.
func (g *gating) open(runs int, measures []string) (err error) {
	for _, x := range g.gates {
		if x.Change && runs == 1 && len(g.against) == 0 {
			return usagef("gate %q: a change needs a second run or a snapshot (-against)", x.Text)
		}
	}
	if len(g.against) > 0 {
		if err := g.limit.Sense(measures); err != nil {
			return usageError{err}
		}
	}
	for i, file := range g.against {
		if i == 0 && g.update && !exists(file) {
			continue
		}
		old, err := readSnapshot(file)
		if err != nil {
			return err
		}
		name := ""
		if len(g.against) > 1 {
			name = filepath.Base(file)
		}
		g.old = append(g.old, gates.Snapshot{Name: name, Report: old})
	}
	return nil
}

// checks holds a report against the snapshots and the gates.
func (g *gating) checks(r *report.Report) (v gates.Conditions, err error) {
	v.Sure = g.sure
	if len(g.old) > 0 {
		if v.Change, err = gates.RegressAll(g.old, r, g.limit, nil); err != nil {
			return v, err
		}
	}
	v.Checks, err = gates.CheckGates(r, g.gates, gates.Checking{Snapshots: g.old, Tags: g.tags})
	return v, err
}

// hold writes the snapshot of a report, and says on standard error which conditions it meets.
func (g *gating) hold(c *context, r *report.Report) error {
	if err := saveReport(g.save, r); err != nil {
		return err
	}
	v, err := g.checks(r)
	if err != nil {
		return err
	}
	if v.Change != nil || len(v.Checks) > 0 {
		power, err := gates.PowerOf(r, g.gates, g.sure, v.Change, nil)
		if err != nil {
			return err
		}
		v.Notes = gates.Sentences(power, g.limit)
	}
	if v.Change != nil {
		fmt.Fprint(c.err, v.Change.String())
	}
	v.Checks = append(v.Checks, gates.CheckTimes(g.gates, g.millis)...)
	for i := range v.Checks {
		fmt.Fprint(c.err, v.Checks[i].Text(g.sure))
	}
	for _, n := range v.Notes {
		fmt.Fprintln(c.err, n)
	}
	if err := g.write(r, v, "comparison", g.link(c, r)); err != nil {
		return err
	}
	if g.update {
		return saveReport(g.against[0], r)
	}
	return unmet(v)
}

// saveReport writes a report to a file, "" for none, that a later one is held against.
func saveReport(name string, r *report.Report) error {
	if name == "" {
		return nil
	}
	return os.WriteFile(name, packed.PackReport(r), 0o666)
}

// unmet is the error of conditions that are not met, nil if all are.
func unmet(v gates.Conditions) error {
	switch failed := v.Failed(); {
	case failed == 1:
		return gateError{fmt.Errorf("1 condition failed")}
	case failed > 1:
		return gateError{fmt.Errorf("%d conditions failed", failed)}
	}
	return nil
}

// link is the address that opens a report on the site, "" if none was asked for. If it does not fit, standard error
// says so: a verdict is worth more than its link.
func (g *gating) link(c *context, r *report.Report) string {
	if g.site == "" || r == nil {
		return ""
	}
	if g.input == nil {
		fmt.Fprintln(c.err, "rankbox: no link in the comment: it needs the runs and the judgments")
		return ""
	}
	fragment, _, err := packed.Link(*g.input, r, c.stop)
	if err != nil {
		fmt.Fprintf(c.err, "rankbox: no link in the comment: %v\n", err)
		return ""
	}
	return strings.TrimRight(g.site, "/") + "/compare#" + fragment
}

// write writes the files for builds. The comment is known again by its key.
func (g *gating) write(r *report.Report, v gates.Conditions, key, link string) error {
	var text strings.Builder
	if g.junit != "" {
		if err := export.WriteJUnit(&text, r, v); err != nil {
			return err
		}
		if err := os.WriteFile(g.junit, []byte(text.String()), 0o666); err != nil {
			return err
		}
	}
	if g.comment == "" {
		return nil
	}
	text.Reset()
	if err := export.WriteComment(&text, r, v, key, link); err != nil {
		return err
	}
	old, err := readFile(g.comment, mostText)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	return os.WriteFile(g.comment, []byte(export.UpdateComment(string(old), text.String())), 0o666)
}

// parseThreshold reads "5%", "0.02" or both.
func parseThreshold(s string) (gates.Threshold, error) {
	var t gates.Threshold
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
