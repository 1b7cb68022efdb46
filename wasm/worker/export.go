//go:build !first

package worker

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/analysis"
	"github.com/rankbox/rankbox/core/chart/facts"
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/export"
	"github.com/rankbox/rankbox/core/handout"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share/packed"
)

func init() { does(message.Export, onBench, (*Engine).export) }

// export writes a file.
// It is one switch over what can be saved.
func (e *Engine) export(r message.Request, ask *message.AskExport) (*message.Saved, error) {
	k, err := e.last()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	what := ask.What
	out := &message.Saved{Type: "text/plain; charset=utf-8"}
	if what == "" { // what was asked before is wanted no longer
		return nil, nil
	}
	format, queries := strings.CutSuffix(what, "-queries")
	if fix, ok := strings.CutPrefix(what, "fix "); ok {
		id, err := strconv.Atoi(fix)
		g := e.bench.files[id]
		if err != nil || g == nil || len(g.Contents) != 1 {
			return nil, errors.New("that file is not open")
		}
		c := g.Contents[0]
		switch {
		case c.Run != nil:
			err = c.Run.WriteTREC(&b)
			out.Name = intake.Name(g.Name) + "-repaired.run"
		case c.Qrels != nil:
			err = c.Qrels.WriteTREC(&b)
			out.Name = intake.Name(g.Name) + "-repaired.qrels"
		default:
			err = errors.New("only runs and qrels are written out again")
		}
		out.Bytes = b.Bytes()
		return out, err
	}
	switch what {
	case "comparison":
		entries := documents(k.in)
		if entries > savable {
			return nil, fmt.Errorf("runs of %d documents are too many for one file (%d fit): keep the run files, or save a snapshot of the report", entries, savable)
		}
		view, _ := packed.ReadView(ask.View) // what the page made; nothing depends on it
		p := message.Progress{What: "Packing the runs"}
		stopped := e.stopped(r, &p)
		data, err := packed.PackTelling(packed.File{Input: k.in, View: view}, packed.Saving{}, func(done, total int) bool {
			p.Done, p.Total = done, total
			return !stopped()
		})
		if errors.Is(err, compare.ErrCancelled) {
			return nil, errStopped
		}
		if len(data) > intake.MaxPacked {
			return nil, fmt.Errorf("the file would have %s, more than the %s that are opened again: keep the run files, or save a snapshot of the report", say.Bytes(int64(len(data))), say.Bytes(intake.MaxPacked))
		}
		out.Name, out.Type, out.Bytes = "comparison.rankbox", "application/octet-stream", data
		return out, err
	case "page":
		about := facts.Of(k.report, &k.in)
		about.Patterns = facts.Patterns(k.looked.analyses[analysis.Matters], len(k.report.Systems)) // where somebody looked
		if err := handout.Write(&b, k.report, &k.in, about); err != nil {
			return nil, err
		}
		out.Name, out.Type, out.Bytes = "comparison.html", "text/html; charset=utf-8", b.Bytes()
		return out, nil
	case "snapshot":
		out.Name, out.Type, out.Bytes = "snapshot.rankbox-report", "application/octet-stream", packed.PackReport(k.report)
		return out, nil
	case "unjudged":
		p := message.Progress{What: "Looking for unjudged documents", Unit: "rankings"}
		stopped := e.stopped(r, &p)
		open, err := k.c.Unjudged(report.Window, func(done, total int) bool {
			p.Done, p.Total = done, total
			return !stopped()
		})
		if err != nil {
			return nil, errStopped
		}
		p = message.Progress{What: "Writing them", Total: len(open), Unit: "documents"}
		row := append([]string{"query", "document"}, k.c.Names()...)
		b.WriteString(export.CSV([][]string{row}))
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
			b.WriteString(export.CSV([][]string{row}))
		}
		out.Name, out.Type, out.Bytes = "unjudged.csv", "text/csv; charset=utf-8", b.Bytes()
		return out, nil
	}
	for _, f := range export.Formats() {
		if f.Name == format {
			detail := export.Detail{Queries: queries}
			for _, m := range k.report.Measures[1:] { // a table of all measures has the tests of all, others that of the one that is looked at
				if len(k.report.Systems) < 2 || m != ask.Measure && what != "csv" {
					continue
				}
				t, err := e.testOn(r, k, m)
				if err != nil {
					return nil, err
				}
				detail.Tests = append(detail.Tests, t)
			}
			if err := export.Write(&b, k.report, format, detail); err != nil {
				return nil, err
			}
			out.Name, out.Type, out.Bytes = "comparison"+f.Ending, f.Type, b.Bytes()
			if queries {
				out.Name = "comparison-by-query" + f.Ending
			}
			return out, nil
		}
	}
	return nil, fmt.Errorf("there is no export %q", what)
}
