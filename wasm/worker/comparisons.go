//go:build !first

package worker

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/intake/golden"
	"github.com/rankbox/rankbox/core/message"
)

// ofRuns is the handler of a question about runs; the blame for a problem is theirs.
var ofRuns = handler{blame: func(p *message.Problem, _ wire.Wirer) {
	p.Where = "the comparison of your runs"
	p.Do = "Your files are not touched. Take a file out, or drop the files again."
}}

// comparisons are the last ones that were made of imported runs, and of runs made here.
type comparisons struct {
	titles map[string]string // of documents, as far as the files have them
	kept   []*comparison     // the newest first

	open        *openCollection
	experiments *experiments
	imported    *imported
	local       *localRuns
	page        *page
}

func toComparisons(e *Engine) *comparisons { return &e.comparisons }

// comparison is a comparison with what it was made of.
type comparison struct {
	key      string // of the figures
	tests    string // how they are tested
	labels   string // names of the runs and the baseline, which no figure depends on
	in       compare.Input
	c        *compare.Comparison // nil if the report is of given scores: there are no rankings then
	report   *report.Report
	link     string
	save     packed.Saving
	unlinked string                // why there is no link, "" where there is one
	tested   map[int]*report.Tests // a column
	details  details
	golden   *golden.Set // whose judgments are compared on, nil for none
	givenScores
}

// keepComparisons is how many comparisons are kept, so that undo and a switch that is tried out cost nothing.
const keepComparisons = 4

// savable is how many documents of all runs together are saved as one file: it takes about as many bytes, seven a
// document, as are opened again (intake.MaxPacked).
const savable = 8_000_000

// documents counts those of all runs.
func documents(in compare.Input) int {
	n := 0
	for _, run := range in.Runs {
		n += run.Run.Len()
	}
	return n
}

// rankings is the comparison that was made last, whose rankings are at hand.
func (cs *comparisons) rankings() (*comparison, error) {
	k, err := cs.last()
	if err == nil && k.c == nil {
		return nil, errNoRankings
	}
	return k, err
}

var errNoRankings = errors.New("the files hold scores, and the rankings behind them are not known here")

// last is the comparison that was made last.
func (cs *comparisons) last() (*comparison, error) {
	if len(cs.kept) == 0 {
		return nil, errors.New("nothing is being compared")
	}
	return cs.kept[0], nil
}

// measured returns the comparison of an input, from those that are kept where it is there.
func (cs *comparisons) measured(r message.Request, s *message.Setting, in compare.Input) (*comparison, error) {
	if len(in.Measures) == 0 {
		in.Measures = in.Defaults()
	}
	// what the figures depend on, and nothing else
	plain := message.Setting{Files: s.Files, Link: s.Link, Example: s.Example, Matrix: s.Matrix,
		Chunkings: s.Chunkings, Spans: s.Spans,
		Measures: in.Measures, Policy: in.Policy.String(), Separator: s.Separator, First: s.First,
		Search: s.Search, Edits: s.Edits}
	k := &comparison{key: string(wire.Marshal(&plain)), tests: in.Protocol.String(), in: in,
		tested: map[int]*report.Tests{}}
	k.labels = strconv.Itoa(in.Baseline)
	if in.Protocol.Family != "" { // which pairs p is corrected over is a matter of the baseline
		k.tests += " " + k.labels
	}
	for i, run := range in.Runs {
		k.labels += "\x00" + in.Letter(i) + " " + run.Name
	}
	measuredAs := func(o *comparison) bool { return o.key == k.key }
	testedAs := func(o *comparison) bool { return measuredAs(o) && o.tests == k.tests }
	same := func(o *comparison) bool { return testedAs(o) && o.labels == k.labels }
	if i := slices.IndexFunc(cs.kept, same); i >= 0 {
		k = cs.kept[i]
		cs.keep(k)
		return k, nil
	}
	var err error
	if k.c, err = compare.Open(in); err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(cs.kept, testedAs); i >= 0 {
		was := cs.kept[i]
		k.report, k.tested = k.c.Relabel(was.report), was.tested
		k.details.statistics = was.details.statistics
	} else if i := slices.IndexFunc(cs.kept, measuredAs); i >= 0 {
		p := message.Progress{What: "Testing the differences"}
		if k.report, err = k.c.Retest(cs.kept[i].report, cs.page.stopped(r, &p)); errors.Is(err, compare.ErrCancelled) {
			return nil, errStopped
		} else if err != nil {
			return nil, err
		}
	} else if err := cs.measure(r, k); err != nil {
		return nil, err
	}
	if err := cs.linkOf(r, k); err != nil {
		return nil, err
	}
	cs.keep(k)
	return k, nil
}

// keep puts a comparison before the others, and forgets the oldest.
func (cs *comparisons) keep(k *comparison) {
	cs.kept = slices.DeleteFunc(cs.kept, func(o *comparison) bool { return o == k })
	cs.kept = slices.Insert(cs.kept, 0, k)
	cs.kept = cs.kept[:min(len(cs.kept), keepComparisons)]
}

// linkOf makes the link of a comparison, or says why there is none.
func (cs *comparisons) linkOf(r message.Request, k *comparison) (err error) {
	if k.c == nil {
		if k.link, err = packed.ReportLink(k.report); err != nil {
			k.unlinked = strings.TrimPrefix(say.Told(err), packed.ErrTooLarge.Error()+": ")
		}
		return nil
	}
	if documents(k.in) > savable {
		k.unlinked = "the runs have " + say.Thousands(documents(k.in)) + " documents"
		return nil
	}
	k.link, k.save, err = packed.Link(k.in, k.report, cs.page.stopped(r, &message.Progress{What: "Making the link"}))
	if errors.Is(err, compare.ErrCancelled) {
		return errStopped
	}
	if err != nil {
		k.unlinked = strings.TrimPrefix(say.Told(err), packed.ErrTooLarge.Error()+": ")
	}
	return nil
}

// measure makes the report.
func (cs *comparisons) measure(r message.Request, k *comparison) (err error) {
	p := message.Progress{What: "Measuring", Unit: "rankings"}
	k.report, err = k.c.Report(cs.page.stopped(r, &p), func(done, total int) {
		p.Done, p.Total = done, total
		if done == total {
			p = message.Progress{What: "Testing the differences"}
		}
	})
	if errors.Is(err, compare.ErrCancelled) {
		return errStopped
	}
	return err
}
