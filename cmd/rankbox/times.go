package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/rankbox/rankbox/core/chart"
	"github.com/rankbox/rankbox/core/chart/facts"
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/report"
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
	Name         string    `json:"name"`
	Milliseconds []float64 `json:"milliseconds"`
	Bytes        float64   `json:"bytes"`
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
			out.Runs = append(out.Runs, timedRun{x.Plan.Runs[i].Name(), ms, t.Bytes[i]})
		}
	}
	return out, nil
}

// readTimes reads the file of a folder, nil where there is none.
func readTimes(dir string) (*times, error) {
	name := filepath.Join(dir, timesFile)
	data, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	t := &times{}
	if err := json.Unmarshal(data, t); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if t.Format != "rankbox-times" || t.Version != 1 {
		return nil, fmt.Errorf("%s: this is no rankbox-times of version 1", name)
	}
	return t, nil
}

// known is what figures are drawn from beside a report: of its names, of the lists, and what was measured, which may be nil.
func known(r *report.Report, in *compare.Input, t *times) chart.Facts {
	out := facts.Of(r, in)
	if t == nil {
		return out
	}
	n := len(r.Systems)
	out.Times, out.Protocol = make([][]float64, n), t.Protocol
	bytes, all := chart.Cost{Name: "files that are read to rank", Bytes: true}, chart.Cost{Name: "time of all queries"}
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
