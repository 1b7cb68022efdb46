package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rankbox/rankbox/core/analysis"
	"github.com/rankbox/rankbox/core/chart"
	"github.com/rankbox/rankbox/core/chart/facts"
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
)

// timesFile holds what the runs of an experiment needed on this machine.
const timesFile = "times.json"

// times is that file. It is apart from the outcome, whose bytes are the same wherever it is made.
type times struct {
	Format   string     `json:"format"` // "rankbox-times"
	Version  int        `json:"version"`
	Device   string     `json:"device"`
	Protocol string     `json:"protocol"`
	Runs     []timedRun `json:"runs"`
}

type timedRun struct {
	Name         string       `json:"name"`
	Milliseconds []float64    `json:"milliseconds"`
	Bytes        float64      `json:"bytes"`
	Stages       []timedStage `json:"stages,omitempty"`
}

type timedStage struct {
	Stage        string    `json:"stage"`
	Milliseconds []float64 `json:"milliseconds"`
}

// section is the file as a table: of every run and its stages the 50th, 95th and 99th hundredth of the queries.
func (t *times) section() analysis.Section {
	out := analysis.Section{Name: "times", Title: "Time by stage", Sentence: "Milliseconds per query on " + t.Device + ": " + t.Protocol + "."}
	table := analysis.Table{Columns: []string{"Run", "Stage", "Queries", "p50", "p95", "p99"}}
	row := func(run, stage string, ms []float64) {
		if len(ms) > 0 {
			v := slices.Sorted(slices.Values(ms))
			table.Rows = append(table.Rows, []analysis.Cell{analysis.Words(run), analysis.Words(stage), analysis.Whole(len(ms)),
				analysis.Number(report.Quantile(v, .5), 3), analysis.Number(report.Quantile(v, .95), 3), analysis.Number(report.Quantile(v, .99), 3)})
		}
	}
	for _, r := range t.Runs {
		row(r.Name, "all", r.Milliseconds)
		for _, s := range r.Stages {
			row("", s.Stage, s.Milliseconds)
		}
	}
	out.Tables = []analysis.Table{table}
	out.Notes = []string{"Times belong to this machine and moment, not to a browser tab. No hash includes them."}
	return out
}

// timed measures the runs of an experiment.
func timed(x *matrix.Experiment, device string) (*times, error) {
	start := time.Now()
	t, err := x.Time(func() float64 { return float64(time.Since(start).Nanoseconds()) / 1000 }, nil)
	if err != nil {
		return nil, err
	}
	out := &times{Format: "rankbox-times", Version: 1, Device: device, Protocol: matrix.Protocol}
	for i, ms := range t.Millis {
		if ms != nil {
			var stages []timedStage
			for _, l := range t.Stages[i] {
				stages = append(stages, timedStage{l.Stage, l.Millis})
			}
			out.Runs = append(out.Runs, timedRun{x.Plan.Runs[i].Name(), ms, t.Bytes[i], stages})
		}
	}
	return out, nil
}

// readTimes reads the file of a folder, nil where there is none.
func readTimes(dir string) (*times, error) {
	name := filepath.Join(dir, timesFile)
	data, err := readFile(name, mostFolder)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	t, err := parseTimes(data)
	if err != nil {
		return nil, say.Faultf("rankbox", "%s: %w", name, err)
	}
	return t, nil
}

// parseTimes reads what timed made.
func parseTimes(data []byte) (*times, error) {
	t := &times{}
	if err := json.Unmarshal(data, t); err != nil {
		return nil, err
	}
	if t.Format != "rankbox-times" || t.Version != 1 {
		return nil, errors.New("this is not rankbox-times of version 1")
	}
	upTo := func(list []float64, most float64) error {
		for _, v := range list {
			if !(v >= 0 && v <= most) {
				return fmt.Errorf("%g is not from 0 to %g", v, most)
			}
		}
		return nil
	}
	for _, r := range t.Runs {
		err := errors.Join(upTo(r.Milliseconds, mostMillis), upTo([]float64{r.Bytes}, 1<<53))
		for _, s := range r.Stages {
			err = errors.Join(err, upTo(s.Milliseconds, mostMillis))
		}
		if err != nil {
			return nil, fmt.Errorf("times of run %q: %w", r.Name, err)
		}
	}
	return t, nil
}

// mostMillis is thirty years: figures are drawn of no longer time, since their axes have to end.
const mostMillis = 1e12

// known is what figures are drawn from beside a report: of its names, of the lists, of what was found out about it, and what was measured;
// the last two may be nil.
func known(r *report.Report, in *compare.Input, found []analysis.Section, t *times) chart.Facts {
	out := facts.Of(r, in)
	out.Patterns = facts.Patterns(found, len(r.Systems))
	if t == nil {
		return out
	}
	n := len(r.Systems)
	out.Times, out.Protocol = make([][]float64, n), t.Protocol
	bytes, all := chart.Cost{Name: "files read for ranking", Bytes: true}, chart.Cost{Name: "time of all queries"}
	for i, s := range r.Systems {
		bytes.Values, all.Values = append(bytes.Values, math.NaN()), append(all.Values, math.NaN())
		for _, run := range t.Runs {
			if run.Name != s.Label {
				continue
			}
			out.Times[i], bytes.Values[i], all.Values[i] = run.Milliseconds, run.Bytes, 0
			for _, ms := range run.Milliseconds {
				all.Values[i] += ms
			}
		}
	}
	out.Costs = []chart.Cost{bytes, all}
	return out
}
