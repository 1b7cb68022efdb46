package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment/matrix"
	"github.com/rankbox/rankbox/core/present/chart"
	"github.com/rankbox/rankbox/core/present/chart/facts"
)

// timesFile holds what the runs of an experiment needed on this machine. It is apart from the outcome, whose bytes are
// the same wherever it is made.
const timesFile = "times.json"

// timed measures the runs of an experiment.
func timed(x *matrix.Experiment, device string) (*analysis.Times, error) {
	start := time.Now()
	return x.Times(device, func() float64 { return float64(time.Since(start).Nanoseconds()) / 1000 }, nil)
}

// readTimes reads the file of a folder, nil where there is none.
func readTimes(dir string) (*analysis.Times, error) {
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
func parseTimes(data []byte) (*analysis.Times, error) {
	t := &analysis.Times{}
	if err := json.Unmarshal(data, t); err != nil {
		return nil, err
	}
	return t, t.Check()
}

// known is what figures are drawn from beside a report: of its names, of the lists, of what was found out about it, and
// what was measured; the last two may be nil.
func known(r *report.Report, in *compare.Input, found []analysis.Section, t *analysis.Times) chart.Facts {
	out := facts.Of(r, in)
	out.Patterns = facts.Patterns(found, len(r.Systems))
	facts.Timed(&out, r, t)
	return out
}
