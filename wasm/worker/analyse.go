//go:build !first

package worker

import (
	"errors"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

func init() {
	j := ofRuns
	j.before = message.Runs
	register(message.Analyse, j, toAnalyses, (*analyses).analyse)
}

// analyses look further into the comparison that was made last.
type analyses struct {
	comparisons *comparisons
	experiments *experiments
	open        *openCollection
	page        *page
}

func toAnalyses(e *Engine) *analyses { return &e.analyses }

// analyse says what matters in the comparison, part by part. The answer is nil where it was overtaken: the page asks
// again where it still looks.
func (as *analyses) analyse(r message.Request, ask *message.AskAnalyse) (*message.Analysed, error) {
	k, err := as.comparisons.last()
	if err != nil || len(ask.Parts) == 0 && strings.TrimSpace(ask.Claim) == "" && len(ask.Measures) == 0 {
		return nil, err
	}
	p := message.Progress{What: "Computing the analyses"}
	stop := as.page.stopped(r, &p)
	out := &message.Analysed{Parts: ask.Parts}
	for _, part := range ask.Parts {
		sections, ok := k.details.analyses[part]
		if !ok {
			if sections, err = as.part(k, part, stop); errors.Is(err, compare.ErrCancelled) {
				return nil, nil
			} else if err != nil {
				return nil, err
			}
			if k.details.analyses == nil {
				k.details.analyses = map[string][]analysis.Section{}
			}
			k.details.analyses[part] = sections
		}
		out.Sections = append(out.Sections, sections...)
	}
	out.Times, out.Grown, out.Apart = k.details.times, k.details.grown, k.details.apart
	if len(ask.Measures) > 0 {
		if out.More, err = k.by(ask.Measures, stop); errors.Is(err, compare.ErrCancelled) {
			return nil, nil
		} else if err != nil && !errors.Is(err, compare.ErrGrades) { // a link may look less deep: no figure then
			return nil, err
		}
	}
	if k.c == nil && strings.TrimSpace(ask.Claim) != "" {
		out.Problem = say.Sentence(errNoRankings)
	} else if strings.TrimSpace(ask.Claim) != "" {
		claim, err := analysis.ReadClaim(ask.Claim)
		if err != nil {
			out.Problem = say.Sentence(err)
			return out, nil
		}
		checked, err := analysis.Check(claim, k.in, say.Page, stop)
		if errors.Is(err, compare.ErrCancelled) {
			return nil, nil
		} else if errors.Is(err, compare.ErrGrades) {
			out.Problem = say.Sentence(err)
			return out, nil
		} else if err != nil {
			return nil, err
		}
		out.Checked = checked
		s, err := analysis.Detect(claim, k.in, say.Page, stop)
		if errors.Is(err, compare.ErrCancelled) {
			return nil, nil
		} else if err != nil {
			return nil, err
		}
		out.Sections = append(out.Sections, s)
	}
	return out, nil
}

// part makes the sections of a part. Of runs that were made from the open collection, that says more of the queries.
func (as *analyses) part(k *comparison, part string, stop func() bool) ([]analysis.Section, error) {
	s := &analysis.Subject{Report: k.report, Opened: k.c, Style: say.Page, Cancel: stop}
	made := as.experiments.made(k.report)
	if made {
		s.Facets = matrix.Facets(as.open.session, k.report)
	}
	var out []analysis.Section
	if names := analysis.InPart(part); len(names) > 0 {
		var err error
		if out, err = analysis.Analyse(s, names...); err != nil {
			return nil, err
		}
	}
	switch part {
	case analysis.Took:
		return as.took(k, made, stop)
	case analysis.Grown, analysis.Apart:
		if made && as.page.clock != nil {
			return nil, as.takeApart(k, part, stop)
		}
	}
	if made && part == analysis.Matters {
		predicted, err := matrix.Prediction(as.open.session, k.report, say.Page)
		if err != nil {
			return nil, err
		}
		wrong, err := matrix.Errors(as.open.session, k.c, k.report, say.Page, stop)
		if err != nil {
			return nil, err
		}
		out = append(out, predicted, wrong)
	}
	return out, nil
}

// by is the report of the comparison by further measures.
func (k *comparison) by(measures []string, stop func() bool) (*report.Report, error) {
	key := strings.Join(measures, " ")
	if r := k.details.more[key]; r != nil {
		return r, nil
	}
	if k.c == nil { // the table has what it has
		return nil, nil
	}
	in := k.in
	in.Measures = measures
	r, err := compare.Compare(in, stop, nil)
	if err != nil {
		return nil, err
	}
	if k.details.more == nil {
		k.details.more = map[string]*report.Report{}
	}
	k.details.more[key] = r
	return r, nil
}

// longest is how many microseconds of ranking a figure may cost by the estimate, which does not know what runs share.
const longest = 40e6

// takeApart compares the beginnings of the leading pipeline, or every set of stages of the first pipeline of the board
// for which that is quick.
func (as *analyses) takeApart(k *comparison, part string, stop func() bool) error {
	o := matrix.Options{Clock: as.page.now, Cancel: stop}
	for _, i := range k.report.Ranking() {
		n, err := stage.Parse(k.report.Systems[i].Pipeline())
		if err != nil || n.Input == nil || len(stage.Backends(n)) > 0 {
			continue
		}
		spec := matrix.Spec{Systems: matrix.Beginnings(n), Measures: k.report.Measures}
		spec.Baseline = spec.Systems[0]
		if part == analysis.Apart {
			spec.Ablate = n.String()
		}
		r, err := matrix.Try(as.open.session, spec, o, longest)
		switch {
		case errors.Is(err, matrix.ErrCancelled):
			return compare.ErrCancelled
		case err != nil || r == nil:
			continue
		case part == analysis.Apart:
			k.details.apart = r
		default:
			k.details.grown = r
		}
		return nil
	}
	return nil
}

// took measures the times of runs that were made from the open collection.
func (as *analyses) took(k *comparison, made bool, stop func() bool) ([]analysis.Section, error) {
	section := analysis.Section{Name: "times", Part: analysis.Took, Title: "Time by stage"}
	switch {
	case !made:
		section.Sentence = "Imported runs have no times: only systems that run here can be timed."
	case as.page.clock == nil:
		section.Sentence = "There is no clock here."
	case as.experiments.last.remote:
		section.Sentence = "A system asks a backend, so nothing was timed: that would ask it again. Use `rankbox " +
			"run -time`."
	default:
		times, err := as.experiments.last.x.Times("this browser", as.page.now, stop)
		if errors.Is(err, matrix.ErrCancelled) {
			return nil, compare.ErrCancelled
		} else if err != nil {
			return nil, err
		}
		k.details.times = times
		section = times.Section(k.report)
	}
	return []analysis.Section{section}, nil
}
