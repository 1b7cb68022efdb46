//go:build !first

package worker

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
	"github.com/rankbox/rankbox/core/message"
)

func init() { register(message.Runs, ofRuns, toComparisons, (*comparisons).compare) }

// compare answers Runs: it reads what is new, measures, tests, and says what came out.
func (cs *comparisons) compare(r message.Request, s *message.Setting) (*message.Compared, error) {
	start := cs.page.now()
	cs.imported.begin(s)
	cs.page.tell(r, message.Progress{What: "Comparing"})
	if err := cs.imported.read(r, s); err != nil {
		return nil, err
	}
	out := &message.Compared{Measures: s.Measures, Policy: s.Policy, Baseline: s.Baseline}
	got, err := cs.gather(r, s, out)
	if err != nil {
		return nil, err
	}
	notes, err := cs.local.answer(r, s, got, out)
	if err != nil {
		return nil, err
	}
	in := got.Input
	if done, err := cs.measuredElsewhere(r, s, got, out); done || err != nil {
		out.Saved = (cs.page.now() - start) / 1000
		return out, err
	}
	if in.Qrels == nil || in.Qrels.Len() == 0 {
		out.Need = "qrels"
		if len(in.Runs) == 0 {
			out.Need = "runs and qrels"
		}
	} else if len(in.Runs) == 0 {
		out.Need = "runs"
	}
	if out.Need != "" {
		return out, nil
	}
	if err := settle(&in, s, out.Origins); err != nil {
		return nil, err
	}
	if len(s.Search) == 0 && got.Golden == nil && in.Graded == nil { // files, and nothing that is searched here
		if err := collection.Belong(in.Qrels, runsOf(in)...); err != nil {
			return nil, err
		}
	}
	k, err := cs.measured(r, s, in)
	if err != nil {
		return nil, err
	}
	if k.golden = got.Golden; k.golden != nil {
		out.Golden = cs.local.expectations(k.golden, &in, k, k.golden.File, notes)
	}
	out.Report, out.Link, out.Without, out.Grades, out.Unlinked = k.report, k.link, without(k.save), k.save.Documents,
		k.unlinked
	out.Sent = cs.imported.sent(s, k.report)
	out.Measures, out.Policy, out.Baseline = k.report.Measures, compare.WritePolicy(in.Policy, in.Protocol), in.Baseline
	for _, run := range in.Runs {
		if sep := collection.SuggestSeparator(run.Run, in.Qrels); sep != "" && s.Separator == "" && in.Graded == nil {
			out.Separator = sep
			break
		}
	}
	if err := cs.against(r, s, k, out); err != nil {
		return nil, err
	}
	out.Saved = (cs.page.now() - start) / 1000
	return out, nil
}

// runsOf are the runs of an input.
func runsOf(in compare.Input) (out []*collection.Run) {
	for _, run := range in.Runs {
		out = append(out, run.Run)
	}
	return out
}

// settle puts what the setting says of measures, tests, baseline, names and letters into an input.
func settle(in *compare.Input, s *message.Setting, origins []message.Origin) error {
	if s.Chosen {
		in.Measures = s.Measures
		var err error
		if in.Policy, in.Protocol, err = compare.ReadPolicy(s.Policy); err != nil {
			return err
		}
		in.Baseline = s.Baseline
	}
	if in.Baseline < 0 || in.Baseline >= len(in.Runs) {
		in.Baseline = 0
	}
	for i, o := range origins {
		for _, n := range s.Names {
			if n.Origin == o && n.Name != "" {
				in.Runs[i].Name = n.Name
			}
		}
	}
	if len(s.Letters) > 0 {
		in.Letters = lettered(s, origins)
	}
	return nil
}

// lettered are the letters of the setting, by where the runs are from.
func lettered(s *message.Setting, origins []message.Origin) report.Letters {
	out := make(report.Letters, len(origins))
	for i, o := range origins {
		out[i] = -1
		if at := slices.IndexFunc(s.Letters, func(l message.Lettered) bool { return l.Origin == o }); at >= 0 {
			out[i] = s.Letters[at].Place
		}
	}
	return out.For(len(origins))
}

// against compares with the snapshots among the files.
func (cs *comparisons) against(r message.Request, s *message.Setting, k *comparison, out *message.Compared) error {
	for _, f := range s.Files {
		g := cs.imported.files[f.ID]
		if g == nil || g.Snapshot == nil {
			continue
		}
		t := gates.DefaultThreshold
		if s.Relative > 0 {
			t.Relative = s.Relative
		}
		if s.Absolute > 0 {
			t.Absolute = s.Absolute
		}
		out.Snapshot = f.Name
		p := message.Progress{What: "Comparing with the snapshot"}
		change, err := gates.Regress(g.Snapshot, k.report, t, cs.page.stopped(r, &p))
		switch {
		case errors.Is(err, compare.ErrCancelled):
			return errStopped
		case err != nil:
			out.Against = append(out.Against, say.Sentence(err))
		default:
			out.Regression = change.Changes
			out.Against = change.Warnings
		}
	}
	return nil
}

// without says what a link leaves out.
func without(s packed.Saving) string {
	var parts []string
	if s.Documents {
		parts = append(parts, "the documents")
		if s.Texts {
			parts = append(parts, "the texts of queries")
		}
		if s.Depth > 0 {
			parts = append(parts, "grades below rank "+strconv.Itoa(s.Depth))
		}
		return strings.Join(parts, " and ")
	}
	if s.Depth > 0 {
		parts = append(parts, "documents below rank "+strconv.Itoa(s.Depth))
	}
	if s.Names {
		parts = append(parts, "the ids of judged documents that no run has")
	}
	if s.Scores {
		parts = append(parts, "the scores, of which it keeps the order")
	}
	return strings.Join(parts, " and ")
}
