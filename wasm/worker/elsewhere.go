//go:build !first

package worker

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/intake/scores"
	"github.com/rankbox/rankbox/core/intake/trace"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/present/chart"
)

// measuredElsewhere makes the report where the files, or the link, hold scores, or traces of agents with judgments. It
// reports whether they do.
func (cs *comparisons) measuredElsewhere(r message.Request, s *message.Setting, got *intake.Gathered,
	out *message.Compared) (bool, error) {
	a := scores.Asked{Missing: s.Missing,
		Cancel: cs.page.stopped(r, &message.Progress{What: "Testing the differences"})}
	if s.Chosen {
		var err error
		if _, a.Protocol, err = compare.ReadPolicy(s.Policy); err != nil {
			return true, err
		}
		a.Measures, a.Place = s.Measures, s.Baseline
	}
	k := &comparison{tested: map[int]*report.Tests{}}
	conclude, shown, err := cs.source(s, got, k, &a, out)
	if conclude == nil || err != nil {
		return out.Need != "" || err != nil, err
	}
	// Measures of runs that were compared before are none of a table.
	a.Measures = slices.DeleteFunc(slices.Clone(a.Measures), func(m string) bool {
		return !slices.Contains(out.Available, m)
	})
	if k, err = cs.concluded(r, s, got, k, conclude, out); err != nil {
		return true, err
	}
	out.Report, out.Link, out.Unlinked, out.Traced, out.Courses = k.report, k.link, k.unlinked, k.traced, k.courses
	out.Origins = k.origins
	if shown != nil && s.Link != "" && !s.Chosen {
		out.Sent = message.SentSame
		if shown.Hash != k.report.Hash {
			out.Sent = message.SentOther
		}
	}
	out.Measures, out.Baseline = k.report.Measures, k.report.Baseline
	out.Policy = compare.WritePolicy(compare.Input{}.Policy, chosen(s, k.report))
	return true, cs.against(r, s, k, out)
}

// source says what a report of scores is made of, and how: nil if nothing of the kind is there. a is completed, and k
// has the sections of agents.
func (cs *comparisons) source(s *message.Setting, got *intake.Gathered, k *comparison, a *scores.Asked,
	out *message.Compared) (conclude func() (*report.Report, error), shown *report.Report, err error) {
	shown, of := cs.imported.shown(s, got)
	switch {
	case got.Scores != nil:
		out.Available = got.Scores.Measures
		return func() (*report.Report, error) { return got.Scores.Report(*a) }, nil, nil
	case len(got.Traces) > 0 && got.Input.Qrels == nil:
		out.Need = "qrels of traces"
		return nil, nil, nil
	case len(got.Traces) > 0:
		list, err := outcomes(got, a.Cancel)
		if err != nil {
			return nil, nil, err
		}
		for _, o := range list {
			k.traced, k.courses = append(k.traced, o.Section(say.Page)), append(k.courses, o.Course())
		}
		t, err := trace.Scores(list)
		if err != nil {
			return nil, nil, err
		}
		out.Available = t.Measures
		return func() (*report.Report, error) { return trace.Report(list, *a) }, nil, nil
	case shown != nil:
		if !s.Chosen {
			a.Protocol, a.Place = unforced(shown), shown.Baseline
		}
		out.Available, out.Origins = shown.Measures, nil
		for i := range shown.Systems {
			out.Origins = append(out.Origins, message.Origin{File: of, Run: i})
		}
		return func() (*report.Report, error) { return scores.Again(shown, *a) }, shown, nil
	}
	return nil, nil, nil
}

// concluded makes a report, or finds it among those that are kept. What of the setting does not touch scores is left
// out of its key.
func (cs *comparisons) concluded(r message.Request, s *message.Setting, got *intake.Gathered, k *comparison,
	conclude func() (*report.Report, error), out *message.Compared) (*comparison, error) {
	plain := message.Setting{Files: s.Files, Link: s.Link, Chosen: s.Chosen, Measures: s.Measures, Policy: s.Policy,
		Baseline: s.Baseline, Names: s.Names, Letters: s.Letters, Systems: s.Systems, Missing: s.Missing}
	k.key = string(wire.Marshal(&plain))
	if i := slices.IndexFunc(cs.kept, func(o *comparison) bool { return o.key == k.key && o.c == nil }); i >= 0 {
		k = cs.kept[i]
	} else {
		var err error
		if k.report, err = conclude(); errors.Is(err, report.ErrCancelled) {
			return nil, errStopped
		} else if err != nil {
			return nil, err
		}
		k.origins = out.Origins
		if len(k.origins) != len(k.report.Systems) { // systems with gaps are left out
			k.origins = kept(out.Origins, got, k.report)
		}
		rename(k.report, s, k.origins)
		if err := cs.linkOf(r, k); err != nil {
			return nil, err
		}
	}
	cs.keep(k)
	return k, nil
}

// chosen are the tests of a setting: those of the report, less the one that it has for its many pairs.
func chosen(s *message.Setting, r *report.Report) report.Protocol {
	if s.Chosen {
		if _, asked, err := compare.ReadPolicy(s.Policy); err == nil {
			return asked
		}
	}
	return unforced(r)
}

// unforced are the tests of a report, less the one that it has for its many pairs.
func unforced(r *report.Report) report.Protocol {
	p := r.Protocol()
	if n := len(r.Systems); n*(n-1)/2 > report.MostResampled && p.Test == "t" {
		p.Test = ""
	}
	return p
}

// outcomes measures traces.
func outcomes(got *intake.Gathered, stop func() bool) (list []*trace.Outcome, err error) {
	for _, set := range got.Traces {
		o, err := trace.Measure(set, got.Input.Qrels, trace.Options{Cancel: stop})
		if errors.Is(err, compare.ErrCancelled) {
			return nil, errStopped
		} else if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, nil
}

// rename gives the systems of a report the names and letters of a setting. Names are told apart as those of runs are.
func rename(r *report.Report, s *message.Setting, origins []message.Origin) {
	taken := map[string]bool{}
	for i, o := range origins {
		name := r.Systems[i].Label
		for _, n := range s.Names {
			if n.Origin == o && n.Name != "" {
				name = n.Name
			}
		}
		for again := 2; taken[name]; again++ {
			name = strings.TrimSuffix(name, " ("+strconv.Itoa(again-1)+")") + " (" + strconv.Itoa(again) + ")"
		}
		taken[name], r.Systems[i].Label = true, name
	}
	if len(s.Letters) > 0 {
		r.Letters = lettered(s, origins)
	}
}

// kept are the origins of the systems that a report has of a table.
func kept(origins []message.Origin, got *intake.Gathered, r *report.Report) (out []message.Origin) {
	for i := range r.Systems {
		at := -1
		if got.Scores != nil {
			at = slices.Index(got.Scores.Systems, r.Systems[i].Label)
		}
		if at < 0 || at >= len(origins) {
			out = append(out, message.Origin{Run: i})
			continue
		}
		out = append(out, origins[at])
	}
	return out
}

// givenScores are what a comparison of scores has beside its report.
type givenScores struct {
	origins []message.Origin   // of its systems
	traced  []analysis.Section // of agents
	courses []chart.Course
}
