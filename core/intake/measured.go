//go:build !library

package intake

import (
	"errors"
	"fmt"
	"io"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/scores"
	"github.com/rankbox/rankbox/core/trace"
	"github.com/rankbox/rankbox/core/within"
)

// measured is what a file holds that was measured elsewhere.
type measured struct {
	Scores *scores.Table
	Traces bool // it is of agents, and not read here
}

// gatheredScores are those of all files.
type gatheredScores struct {
	Scores *scores.Table // nil for none
}

// tables are those on the way to be joined, with the names of their files.
type tables struct {
	list  []*scores.Table
	names []string
}

// options are what a role says of a table of scores.
func (r Role) options() scores.Options {
	switch r {
	case ScoreRows:
		return scores.Options{Systems: "rows"}
	case ScoreColumns:
		return scores.Options{Systems: "columns"}
	}
	return scores.Options{}
}

// errMeasured is the problem of scores among runs and judgments.
var errMeasured = errors.New("it is a table of scores, which are measured already: compare it alone, without " +
	"judgments and runs")

// measure reads a table of scores, and gives back the reader of anything else.
func (f *File) measure(r io.Reader, role Role, opt collection.Options) (rest io.Reader, done bool, err error) {
	head := make([]byte, scores.Head)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, false, &collection.ParseError{File: f.Name, Err: err}
	}
	head, r = head[:n], behind(head[:n], r)
	said := role == ScoreRows || role == ScoreColumns
	f.Traces = !said && trace.Detect(head)
	answers := !said && !f.Traces && scores.DetectCitations(head)
	records := !said && !f.Traces && !answers && scores.IsRanking(head)
	if !said && !f.Traces && !answers && !records && scores.Detect(head) == "" {
		return r, false, nil
	}
	if f.Traces {
		return nil, true, nil // they are measured against judgments by another command
	}
	most := int64(scores.MaxBytes)
	if opt.Limits.Bytes > 0 {
		most = min(most, opt.Limits.Bytes)
	}
	b, err := within.All(r, 0, most)
	if err != nil {
		return nil, false, &collection.ParseError{File: f.Name, Err: err}
	}
	if records {
		prefer := role.prefer()
		opt.Prefer = prefer.Prefer
		c, err := f.records(b, opt)
		if err != nil {
			return nil, false, err
		}
		f.Contents, f.Bytes = []*collection.Content{c}, int64(len(b))
		return nil, true, nil
	}
	if answers {
		run, err := scores.Citations(f.Name, b)
		if err != nil {
			return nil, false, err
		}
		f.Contents = []*collection.Content{{Name: f.Name, Format: "citations", Bytes: int64(len(b)), Run: run}}
		f.Bytes = int64(len(b))
		return nil, true, nil
	}
	if f.Scores, err = scores.Read(f.Name, Name(f.Name), b, role.options()); err != nil {
		return nil, false, err
	}
	f.Bytes = int64(len(b))
	return nil, true, nil
}

// scored takes a table of scores in.
func (g *gathering) scored(f *File) {
	if f.Traces {
		g.is("traces")
		g.problem(fmt.Errorf("it is traces of an agent, step by step: rankbox trace QRELS %s measures them", f.Name))
	}
	if f.Scores == nil {
		return
	}
	t := f.Scores
	g.is("scores")
	g.told.Lines, g.told.Queries, g.told.Entries, g.told.Warnings = t.Lines, len(t.Items), t.Cells(), t.Warnings
	g.tables.list, g.tables.names = append(g.tables.list, t), append(g.tables.names, f.Name)
}

// finishScores joins the tables.
func (g *gathering) finishScores() {
	if len(g.tables.list) == 0 {
		return
	}
	if !g.rule.Scores {
		for i, f := range g.files {
			if f.Scores != nil {
				g.out.Files[i].Problem = fmt.Errorf("it is a table of scores (%s by %s): rankbox compare %s compares "+
					"them",
					say.Count(len(f.Scores.Systems), "system", "systems"), say.Count(len(f.Scores.Items),
						f.Scores.Noun, report.Plural(f.Scores.Noun)), f.Name)
			}
		}
		return
	}
	if in := &g.out.Input; in.Qrels != nil || len(in.Runs) > 0 {
		for i, f := range g.files {
			if f.Scores != nil {
				g.out.Files[i].Problem = errMeasured
			}
		}
		return
	}
	t, err := scores.Join(g.tables.names, g.tables.list)
	if err != nil {
		for i, f := range g.files {
			if p, ok := errors.AsType[*collection.ParseError](err); ok && f.Name == p.File {
				g.out.Files[i].Problem = p.Err
			}
		}
		return
	}
	g.out.Scores = t
}
