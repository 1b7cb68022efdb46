//go:build !library

package intake

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/intake/golden"
	"github.com/rankbox/rankbox/core/intake/scores"
	"github.com/rankbox/rankbox/core/intake/trace"
)

// measured is what a file holds that was measured elsewhere, or by an agent.
type measured struct {
	Scores *scores.Table // of all its tables, nil for none
	Traces []*trace.Set  // of agents
	Golden *golden.Set   // queries with what they expect
}

// gatheredScores are those of all files.
type gatheredScores struct {
	Scores  *scores.Table // nil for none
	Sources []Origin      // of each system of Scores: the first file that has it, and its place there
	Traces  []*trace.Set  // an agent each
	From    []Origin      // of each of Traces
	Golden  *golden.Set   // whose judgments are those of Input; nil for none
}

// tables are those on the way to be joined, with their files.
type tables struct {
	list  []*scores.Table
	names []string
	files []int
}

// options are what a role says of a table of scores.
func (r Role) options() scores.Options {
	switch r {
	case ScoreRows:
		return scores.Options{Systems: "rows"}
	case ScoreColumns:
		return scores.Options{Systems: "columns"}
	case ScoreMeasures:
		return scores.Options{Systems: "measures"}
	}
	return scores.Options{}
}

// errMeasured is the problem of scores among runs and judgments.
var errMeasured = errors.New("it is a table of scores, which are measured already: compare it alone, without " +
	"judgments and runs")

// kind is what a file is beside what package collection reads.
type kind int

const (
	ordinary kind = iota // that is for package collection
	table
	traces
	citations
	rows    // of a run or of judgments, as objects of JSON
	another // one of Shapes
)

// kindOf tells by the first bytes of a file. A role that was said goes before what they look like: judgments whose
// documents are called as measures are judgments.
func kindOf(name string, head []byte, role Role) kind {
	switch said := role == ScoreRows || role == ScoreColumns || role == ScoreMeasures; {
	case said:
		return table
	case collection.Judging(head, role == Judgments):
		return ordinary
	case shaped(name, head, role) != nil:
		return another
	case trace.Detect(head):
		return traces
	case scores.DetectCitations(head):
		return citations
	case scores.IsRanking(head):
		return rows
	case scores.Detect(head) != "":
		return table
	}
	return ordinary
}

// measure reads a table of scores, traces, answers that cite, or a zip with such files, and gives back the reader of
// anything else.
func (f *File) measure(r io.Reader, role Role, opt collection.Options) (rest io.Reader, done bool, err error) {
	head := make([]byte, scores.Head)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, false, &collection.ParseError{File: f.Name, Err: err}
	}
	head, r = head[:n], behind(head[:n], r)
	if bytes.HasPrefix(head, zipHead) && isSheet(f.Name) {
		return nil, true, f.sheet(r, role, opt)
	}
	if bytes.HasPrefix(head, zipHead) {
		return f.archive(r, role, opt)
	}
	plain, packed := head, bytes.HasPrefix(head, []byte{0x1f, 0x8b})
	if packed {
		plain = begins(f.Name, bytes.NewReader(head))
	}
	k := kindOf(f.Name, plain, role)
	if path.Base(f.Name) == scores.MetaFile {
		k = table
	}
	if k == ordinary && !packed && goldenLike(f.Name, plain, role) {
		return f.golden(r, opt)
	}
	if k == ordinary {
		return r, false, nil
	}
	if packed {
		if r, err = collection.Unpack(f.Name, r, opt); err != nil {
			return nil, false, err
		}
	}
	b, err := within.All(r, 0, min(scores.MaxBytes, most(opt.Limits.Bytes)))
	if err != nil {
		return nil, false, &collection.ParseError{File: f.Name, Err: err}
	}
	f.Bytes = int64(len(b))
	switch k {
	case another:
		opt.Prefer = role.prefer().Prefer
		if err := f.shape(shaped(f.Name, plain, role), role, b, opt); err != nil {
			return nil, false, err
		}
	case rows:
		prefer := role.prefer()
		opt.Prefer = prefer.Prefer
		c, err := f.records(b, opt)
		if err != nil {
			return nil, false, err
		}
		f.Contents = []*collection.Content{c}
	case citations:
		run, err := scores.Citations(f.Name, b)
		if err != nil {
			return nil, false, err
		}
		f.Contents = []*collection.Content{{Name: f.Name, Format: "citations", Bytes: int64(len(b)), Run: run}}
	case traces:
		set, err := trace.Read(f.Name, Name(f.Name), b)
		if err != nil {
			return nil, false, err
		}
		f.Traces = []*trace.Set{set}
	default:
		how := role.options()
		how.Columns = opt.Columns
		if f.Scores, err = scores.Read(f.Name, Name(f.Name), b, how); err != nil {
			return nil, false, err
		}
	}
	return nil, true, nil
}

// begins are the first bytes of a file, unpacked if it is a gzip.
func begins(name string, r io.Reader) []byte {
	plain, err := collection.Unpack(name, r, collection.Options{})
	if err != nil {
		return nil // whoever reads it says what is wrong
	}
	head := make([]byte, scores.Head)
	n, _ := io.ReadFull(plain, head)
	return head[:n]
}

// scored takes what was measured elsewhere, or by agents, in.
func (g *gathering) scored(f *File) {
	if f.Golden != nil {
		g.golden(f)
	}
	if f.Traces != nil {
		g.is("traces")
		g.traced(f)
	}
	if f.Scores == nil {
		return
	}
	t := f.Scores
	g.is("scores")
	g.told.Lines, g.told.Queries, g.told.Entries, g.told.Warnings = t.Lines, len(t.Items), t.Cells(), t.Warnings
	g.tables.list, g.tables.names = append(g.tables.list, t), append(g.tables.names, f.Name)
	g.tables.files = append(g.tables.files, g.at)
}

// traced takes traces in.
func (g *gathering) traced(f *File) {
	if !g.rule.Traces {
		g.problem(fmt.Errorf("it is traces of an agent, step by step: rankbox trace QRELS %s measures them", f.Name))
		return
	}
	for i, set := range f.Traces {
		g.told.Queries = max(g.told.Queries, len(set.Traces))
		for _, t := range set.Traces {
			g.told.Lines = max(g.told.Lines, t.Line)
			g.told.Entries += len(t.Steps)
		}
		for _, had := range g.out.Traces {
			if had.Name == set.Name {
				g.problem(fmt.Errorf("its traces are of %q, as those of %s: give each a run_id, or another name",
					say.Brief(set.Name, 60), had.File))
				return
			}
		}
		g.out.Traces, g.out.From = append(g.out.Traces, set), append(g.out.From, Origin{g.at, i})
	}
}

// finishTraces refuses traces beside runs: what is measured step by step has no place on a board of rankings.
func (g *gathering) finishTraces() {
	if len(g.out.Traces) == 0 || len(g.out.Input.Runs) == 0 {
		return
	}
	for i, f := range g.files {
		if f.Traces != nil {
			g.out.Files[i].Problem = errors.New("it is traces of an agent, which are measured with their judgments " +
				"alone: remove the runs")
		}
	}
	g.out.Traces, g.out.From = nil, nil
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
	if in := &g.out.Input; in.Qrels != nil || len(in.Runs) > 0 || len(g.out.Traces) > 0 {
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
	for _, name := range t.Systems {
		for i, part := range g.tables.list {
			if at := part.Place(name); at >= 0 {
				g.out.Sources = append(g.out.Sources, Origin{g.tables.files[i], at})
				break
			}
		}
	}
}
