package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/export/sheet"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/teach/marking"
)

// mark holds the workspaces of a class against the one that was handed out: a line of CSV for each. A file that is
// damaged, changed where it must not be, or copied is named, and the others are marked.
func mark(c *context, args []string) error {
	f := flag.NewFlagSet("mark", flag.ContinueOnError)
	hidden := f.String("qrels", "", "the teacher's judgments, which the students do not have")
	notation := f.String("m", measure.Defaults()[0], "the measure of the students' systems")
	var bounds limits
	bounds.flags(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	if len(words) < 2 || *hidden == "" {
		return usagef("want the workspace that was handed out, -qrels, and the workspaces that were handed in")
	}
	if _, err := measure.Parse(*notation); err != nil {
		return usageError{err}
	}
	c.limits = bounds.Limits
	m, err := newMarker(c, words[0], *hidden, *notation)
	if err != nil {
		return err
	}
	works := make([]*marking.Work, len(words)-1)
	faults := make([]string, len(words)-1)
	for i, name := range words[1:] {
		w, err := readWorkspace(name, c.limits)
		switch {
		case err != nil:
			faults[i] = "damaged: " + say.Told(err)
		default:
			if works[i], err = marking.Check(m.handed, w); err != nil {
				faults[i] = "changed: " + say.Told(err)
			}
		}
	}
	copies := copied(words[1:], works)
	rows := [][]string{{"student", "status", "queries judged", "queries", "grades", "compared", "same grade", "kappa",
		"system", *notation, "note"}}
	for i, name := range words[1:] {
		row := []string{student(name), "marked"}
		if faults[i] != "" {
			row[1], _, _ = strings.Cut(faults[i], ":")
			fmt.Fprintf(c.err, "rankbox mark: %s: %s\n", say.Visible(name), faults[i])
			row = append(row, "", "", "", "", "", "", "", "", faults[i])
		} else {
			row = append(row, m.marks(works[i], copies[i])...)
		}
		rows = append(rows, row)
	}
	_, err = io.WriteString(c.out, sheet.CSV(rows))
	return err
}

// student is the name of a file without its endings.
func student(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(intake.Name(name), ".zip"), ".workspace")
}

// copied says of each work which others have edits of the same stamps.
func copied(names []string, works []*marking.Work) []string {
	out := make([]string, len(works))
	for i, a := range works {
		for j, b := range works {
			if i == j || a == nil || b == nil {
				continue
			}
			if n := marking.Shared(a, b); n > 0 {
				out[i] = joined(out[i], say.Count(n, "edit is", "edits are")+" also in "+student(names[j]))
			}
		}
	}
	return out
}

// joined joins two notes of which either may be empty.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ". " + b
}

// marker is the documents of an assignment with the teacher's judgments.
type marker struct {
	handed  *workspace.Workspace
	hidden  *collection.Qrels
	session *experiment.Session
	measure string
}

func newMarker(c *context, name, hidden, notation string) (*marker, error) {
	w, err := readWorkspace(name, c.limits)
	if err != nil {
		return nil, err
	}
	got, err := readAs(c, hidden, collection.Unknown)
	if err != nil {
		return nil, err
	}
	if got.Qrels == nil {
		return nil, fmt.Errorf("%s holds no judgments: it looks like %s", hidden, got.Format)
	}
	o := opening{}
	o.limits.Limits = c.limits
	s, err := o.workspace(name)
	if err != nil {
		return nil, err
	}
	var judgments []bundle.Judgment
	queries := s.Bundle().Queries
	for i, q := range queries {
		got.Qrels.Each(q.ID, func(doc string, grade float64) {
			judgments = append(judgments, bundle.Judgment{Query: i, Doc: doc, Grade: grade})
		})
	}
	if len(judgments) == 0 {
		return nil, fmt.Errorf("%s judges none of the queries of %s: check that the ids are the same", hidden, name)
	}
	return &marker{w, got.Qrels, s.Adopt(queries, judgments, w.Documents.Hash), notation}, nil
}

// marks are the cells of a student behind the status.
func (m *marker) marks(w *marking.Work, note string) []string {
	number := func(v float64) string {
		if math.IsNaN(v) {
			return ""
		}
		return strconv.FormatFloat(v, 'f', 4, 64)
	}
	compared, share, kappa := w.Agreement(m.hidden)
	out := []string{strconv.Itoa(len(w.Grades.Queries())), strconv.Itoa(len(m.session.Bundle().Queries)),
		strconv.Itoa(w.Grades.Len()), strconv.Itoa(compared), number(share), number(kappa)}
	if len(w.Systems) == 0 {
		return append(out, "", "", joined(note, "no system"))
	}
	if n := len(w.Systems); n > 1 {
		note = joined(note, strconv.Itoa(n)+" systems: the first by name is marked")
	}
	system := w.Systems[0].Text
	r, err := m.session.Evaluate(experiment.Spec{Systems: []string{system}, Measures: []string{m.measure}}, nil)
	if err != nil {
		return append(out, system, "", joined(note, "system: "+say.Told(err)))
	}
	return append(out, system, number(r.Columns[0].Means[0]), note)
}
