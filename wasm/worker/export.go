//go:build !first

package worker

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/export"
	"github.com/rankbox/rankbox/core/evaluate/export/sheet"
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/present/chart/facts"
	"github.com/rankbox/rankbox/core/present/handout"
)

func init() { register(message.Export, ofRuns, toExports, (*exports).export) }

// exports are the files that are made of the comparison that was made last.
type exports struct {
	comparisons *comparisons
	imported    *imported
	page        *page
}

func toExports(e *Engine) *exports { return &e.exports }

// saves are the files that are no form of a report.
var saves = map[string]func(ex *exports, r message.Request, ask *message.AskExport, k *comparison) (
	*message.Saved, error){
	message.Comparison: (*exports).saveComparison,
	message.Page:       (*exports).savePage,
	message.Snapshot:   (*exports).saveSnapshot,
	message.Unjudged:   (*exports).saveUnjudged,
	message.Repaired:   (*exports).saveRepaired,
	message.Sizes:      (*exports).sizes,
	message.GoldenSet:  (*exports).saveGolden,
}

// export writes a file.
func (ex *exports) export(r message.Request, ask *message.AskExport) (*message.Saved, error) {
	k, err := ex.comparisons.last()
	if err != nil {
		return nil, err
	}
	if ask.What == (message.Wanted{}) { // what was asked before is wanted no longer
		return nil, nil
	}
	if save := saves[ask.What.Name]; save != nil {
		return save(ex, r, ask, k)
	}
	return ex.saveReport(r, ask, k)
}

// saveReport writes the report in a form of package export.
func (ex *exports) saveReport(r message.Request, ask *message.AskExport, k *comparison) (*message.Saved, error) {
	f, queries := export.Form(ask.What.Name)
	if f == nil {
		return nil, fmt.Errorf("there is no export %q", ask.What.Name)
	}
	detail := export.Detail{Queries: queries}
	// a table of all measures has the tests of all, others that of the one that is looked at
	for _, m := range k.report.Measures[1:] {
		if len(k.report.Systems) < 2 || m != ask.Measure && ask.What.Name != "csv" {
			continue
		}
		t, err := ex.comparisons.testOn(r, k, m)
		if err != nil {
			return nil, err
		}
		detail.Tests = append(detail.Tests, t)
	}
	var b bytes.Buffer
	if err := export.Write(&b, k.report, f.Name, detail); err != nil {
		return nil, err
	}
	name := "comparison"
	if queries {
		name += "-by-query"
	}
	return &message.Saved{Name: name + f.Ending, Type: f.Type, Bytes: b.Bytes()}, nil
}

// saveRepaired writes a run or qrels again as they were read.
func (ex *exports) saveRepaired(_ message.Request, ask *message.AskExport, _ *comparison) (*message.Saved, error) {
	g := ex.imported.files[ask.What.File]
	if g == nil || len(g.Contents) != 1 {
		return nil, errors.New("that file is not open")
	}
	var b bytes.Buffer
	var err error
	name := intake.Name(g.Name) + "-repaired"
	switch c := g.Contents[0]; {
	case c.Run != nil:
		name, err = name+".run", c.Run.WriteTREC(&b)
	case c.Qrels != nil:
		name, err = name+".qrels", c.Qrels.WriteTREC(&b)
	default:
		err = errors.New("only runs and qrels are written out again")
	}
	if err != nil {
		return nil, err
	}
	return &message.Saved{Name: name, Type: "text/plain; charset=utf-8", Bytes: b.Bytes()}, nil
}

// saveComparison writes runs and qrels as one file.
func (ex *exports) saveComparison(r message.Request, ask *message.AskExport, k *comparison) (*message.Saved, error) {
	if k.c == nil { // a report of scores is all that there is
		return &message.Saved{Name: "comparison.rankbox", Type: "application/octet-stream",
			Bytes: packed.PackReport(k.report)}, nil
	}
	if entries := documents(k.in); entries > savable {
		return nil, fmt.Errorf("runs of %d documents are too many for one file (%d fit): keep the run files, or save "+
			"a snapshot of the report", entries, savable)
	}
	view, _ := packed.ReadView(ask.View) // what the page made; nothing depends on it
	p := message.Progress{What: "Packing the runs"}
	stopped := ex.page.stopped(r, &p)
	all := packed.File{Input: k.in, View: view, Hash: k.report.Hash}
	data, err := packed.PackTelling(all, packed.Saving{}, func(done, total int) bool {
		p.Done, p.Total = done, total
		return !stopped()
	})
	switch {
	case errors.Is(err, compare.ErrCancelled):
		return nil, errStopped
	case err != nil:
		return nil, err
	case len(data) > intake.MaxPacked:
		return nil, fmt.Errorf("the file would have %s, more than the %s that are opened again: keep the run files, "+
			"or save a snapshot of the report", say.Bytes(int64(len(data))), say.Bytes(intake.MaxPacked))
	}
	return &message.Saved{Name: "comparison.rankbox", Type: "application/octet-stream", Bytes: data}, nil
}

// savePage writes the report as a page to hand over.
func (ex *exports) savePage(_ message.Request, _ *message.AskExport, k *comparison) (*message.Saved, error) {
	in := &k.in
	if k.c == nil {
		in = nil
	}
	about := facts.Of(k.report, in)
	about.Courses = k.courses
	// where it was looked at
	about.Patterns = facts.Patterns(k.details.analyses[analysis.Matters], len(k.report.Systems))
	facts.Timed(&about, k.report, k.details.times) // the same
	var b bytes.Buffer
	if err := handout.Write(&b, k.report, in, about); err != nil {
		return nil, err
	}
	return &message.Saved{Name: "comparison.html", Type: "text/html; charset=utf-8", Bytes: b.Bytes()}, nil
}

// sizedDocuments is how many ranked documents a comparison may have for its files to be made for their sizes alone: a
// second or so.
const sizedDocuments = 300_000

// sizes makes the files of a comparison to tell how large they are.
func (ex *exports) sizes(r message.Request, ask *message.AskExport, k *comparison) (*message.Saved, error) {
	out := &message.Saved{Name: message.Sizes}
	if documents(k.in) > sizedDocuments {
		return out, nil
	}
	file, err := ex.saveComparison(r, ask, k)
	if err != nil {
		return out, nil // Save says why there is none
	}
	page, err := ex.savePage(r, ask, k)
	if err != nil {
		return nil, err
	}
	out.Sizes = []int{len(file.Bytes), len(page.Bytes)}
	return out, nil
}

// saveSnapshot writes the report to be compared with.
func (ex *exports) saveSnapshot(_ message.Request, _ *message.AskExport, k *comparison) (*message.Saved, error) {
	return &message.Saved{Name: "snapshot.rankbox-report", Type: "application/octet-stream",
		Bytes: packed.PackReport(k.report)}, nil
}

// saveUnjudged writes the documents near the top that nobody judged.
func (ex *exports) saveUnjudged(r message.Request, _ *message.AskExport, k *comparison) (*message.Saved, error) {
	if k.c == nil {
		return nil, errNoRankings
	}
	p := message.Progress{What: "Looking for unjudged documents", Unit: "rankings"}
	stopped := ex.page.stopped(r, &p)
	open, err := k.c.Unjudged(report.Window, func(done, total int) bool {
		p.Done, p.Total = done, total
		return !stopped()
	})
	if errors.Is(err, compare.ErrGrades) {
		return nil, err
	}
	if err != nil {
		return nil, errStopped
	}
	p = message.Progress{What: "Writing them", Total: len(open), Unit: "documents"}
	var b bytes.Buffer
	row := append([]string{"query", "document"}, k.c.Names()...)
	b.WriteString(sheet.CSV([][]string{row}))
	for i, d := range open {
		if p.Done = i; stopped() {
			return nil, errStopped
		}
		row = append(row[:0], d.Query, d.ID)
		for _, rank := range d.Ranks {
			if rank > 0 {
				row = append(row, strconv.Itoa(rank))
			} else {
				row = append(row, "")
			}
		}
		b.WriteString(sheet.CSV([][]string{row}))
	}
	return &message.Saved{Name: "unjudged.csv", Type: "text/csv; charset=utf-8", Bytes: b.Bytes()}, nil
}
