//go:build !first

package worker

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/evaluate/report/gates"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/intake/golden"
	"github.com/rankbox/rankbox/core/message"
)

// deepGolden is how many documents of the open collection a query of a golden set is asked for.
const deepGolden = 100

// edited is a file as it is compared: a golden set with the edits of the setting.
func edited(f *intake.File, s *message.Setting) (*intake.File, error) {
	if f.Golden == nil || len(s.Edits) == 0 {
		return f, nil
	}
	set, err := f.Golden.Edited(s.Edits)
	if err != nil {
		return nil, err
	}
	out := *f
	out.Golden = set
	return &out, nil
}

// answer lets the systems of the setting answer the queries of a golden set over the open collection, where the files
// hold no run.
func (lr *localRuns) answer(r message.Request, s *message.Setting, got *intake.Gathered,
	out *message.Compared) ([]string, error) {
	set := got.Golden
	if set == nil || len(got.Input.Runs) > 0 || lr.open.session == nil || len(s.Search) == 0 {
		return nil, nil
	}
	p := message.Progress{What: "Searching " + lr.open.session.Ref().Name, Total: len(set.Queries), Unit: "queries"}
	stopped := lr.page.stopped(r, &p)
	known := map[string]string{} // the judged queries of the collection by their texts: models have encoded those
	for _, q := range lr.open.session.Bundle().Queries {
		known[q.Text] = q.ID
	}
	builders := make([]*collection.RunBuilder, len(s.Search))
	for i := range builders {
		builders[i] = collection.NewRunBuilder(s.Search[i])
	}
	unanswered, reasons := make([]int, len(s.Search)), make([]string, len(s.Search)) // of each system; its first
	for at, q := range set.Queries {
		if p.Done = at; stopped() {
			return nil, errStopped
		}
		spec := experiment.Spec{Systems: s.Search, Query: q.Text}
		if id, ok := known[q.Text]; ok {
			spec.QueryID, spec.Query = id, ""
		}
		lists, why, err := lr.open.session.Rank(spec, max(deepGolden, set.Top))
		if err != nil {
			return nil, err
		}
		for i, docs := range lists {
			if why[i] != "" {
				if unanswered[i]++; reasons[i] == "" {
					reasons[i] = why[i]
				}
			}
			if err := builders[i].Touch(q.ID); err != nil {
				return nil, err
			}
			for _, d := range docs {
				if err := builders[i].Add(q.ID, d.Doc, d.Score); err != nil {
					return nil, err
				}
			}
		}
	}
	notes := []string{"The systems of Search answered the queries over " + lr.open.session.Ref().Name + "."}
	for i, b := range builders {
		what := " was left out. "
		if unanswered[i] < len(set.Queries) { // one that answers nothing would count 0 for what it was never asked
			run, _ := b.Run()
			got.Input.Runs = append(got.Input.Runs, compare.Named{Name: s.Search[i], Run: run, Pipeline: s.Search[i]})
			out.Origins = append(out.Origins, message.Origin{Run: i})
			what = " has no results for " + say.Count(unanswered[i], "query", "queries") + ", which count 0. "
		}
		if unanswered[i] > 0 {
			notes = append(notes, s.Search[i]+what+reasons[i])
		}
	}
	return notes, nil
}

// expectations holds a golden set against the runs of a comparison.
func (lr *localRuns) expectations(set *golden.Set, in *compare.Input, k *comparison, file string,
	notes []string) *message.Golden {
	out := &message.Golden{File: file, Shape: set.Shape, Require: string(set.Require), Within: set.Within, Notes: notes}
	for i := range set.Queries {
		q := &set.Queries[i]
		x := message.GoldenQuery{ID: q.ID, Text: q.Text, Forbidden: q.Forbidden, Concepts: q.Concepts}
		for _, g := range q.Expected {
			x.Docs, x.Grades = append(x.Docs, g.Doc), append(x.Grades, g.Grade)
		}
		out.Queries = append(out.Queries, x)
	}
	audited := lr.audited(set)
	for i, run := range in.Runs {
		found := set.FoundIn(run.Run, lr.textOf(set))
		if w := set.Sweep(found); i == 0 && w != nil {
			out.Sweep = w.Lines()
		}
		if run.Pipeline != "" && lr.open.session != nil {
			b := lr.open.session.Bundle()
			found.Known = func(doc string) bool { _, ok := b.Ordinal(doc); return ok }
			for _, c := range b.Cards {
				found.Docs = append(found.Docs, c.ID)
			}
		}
		list, err := set.Expectations(found)
		if err != nil {
			out.Runs, out.Problem = nil, say.Sentence(err)
			break
		}
		out.Runs = append(out.Runs, list)
	}
	if k != nil {
		audited.Report = k.report
		for _, t := range slices.Sorted(maps.Keys(set.Tags())) {
			out.Tags = append(out.Tags, tagged(set, k.report, t))
		}
		power, err := gates.PowerOf(k.report, set.Gates, set.Sure, nil, nil)
		if err != nil {
			out.Problem = say.Sentence(err)
		}
		out.Power = gates.Sentences(power, gates.DefaultThreshold)
	}
	if list := set.Audit(audited); len(list) > 0 {
		out.Audit = golden.AuditLines(list)
	}
	return out
}

// tagged says how the first run does on the queries with a tag.
func tagged(set *golden.Set, r *report.Report, tag string) string {
	by := set.Tags()
	line := tag + ": " + say.Count(len(by[tag]), "query", "queries")
	for m := range r.Columns {
		one, err := gates.Checking{Tags: by}.Alone(r, 0, m, tag)
		if err != nil { // none of them is measured
			break
		}
		c := &one.Columns[0]
		line += ", " + c.Measure + " " + say.Page.Number(c.Means[0], 4) + " (95 % interval " +
			say.Page.Span(c.Low[0], c.High[0], 3) + ")"
		if why := c.NoInterval(); why != "" {
			line += " " + why
		}
	}
	return line
}

// audited is what the page knows beside a golden set: the open collection, if its documents are those that are expected.
func (lr *localRuns) audited(set *golden.Set) (x golden.Audited) {
	texts := lr.textOf(set)
	split := func(doc string) (title, text string, ok bool) {
		all, ok := texts(doc)
		title, text, _ = strings.Cut(all, "\n")
		return title, text, ok
	}
	known := false
	for i := range set.Queries {
		for _, g := range set.Queries[i].Expected {
			_, ok := texts(g.Doc)
			known = known || ok
		}
	}
	if known {
		x.Text = split
		if lr.open.session != nil && set.Texts == nil {
			b := lr.open.session.Bundle()
			x.Docs = len(b.Cards)
			x.Known = func(doc string) bool { _, ok := b.Ordinal(doc); return ok }
		}
	}
	return x
}

// textOf gives the texts of documents: those of the golden set, or of the open collection.
func (lr *localRuns) textOf(set *golden.Set) func(doc string) (string, bool) {
	return func(doc string) (string, bool) {
		if t, ok := set.Texts[doc]; ok {
			return t, true
		}
		if lr.open.session == nil {
			return "", false
		}
		b := lr.open.session.Bundle()
		d, ok := b.Ordinal(doc)
		if !ok {
			return "", false
		}
		t, err := lr.open.session.Texts.Text(uint32(d))
		return b.Cards[d].Title + "\n" + t, err == nil
	}
}

// saveGolden writes the golden set as it was edited.
func (ex *exports) saveGolden(_ message.Request, _ *message.AskExport, k *comparison) (*message.Saved, error) {
	if k.golden == nil {
		return nil, errors.New("no golden set is open")
	}
	var b bytes.Buffer
	if err := golden.Write(&b, k.golden); err != nil {
		return nil, err
	}
	name := intake.Name(k.golden.File)
	for _, end := range []string{".yaml", ".yml"} {
		name = strings.TrimSuffix(name, end)
	}
	return &message.Saved{Name: name + ".yaml", Type: "application/yaml; charset=utf-8", Bytes: b.Bytes()}, nil
}
