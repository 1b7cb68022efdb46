package analysis

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/report"
)

// The parts that figures are drawn from, of runs that are made here: how long they take, the leading pipeline stage by
// stage, and what the stages of one are worth.
const (
	Took  = "Time"
	Grown = "Growth"
	Apart = "Worth"
)

// Times is what the runs of an experiment needed on one machine at one moment. It is part of no hash.
type Times struct {
	Format   string     `json:"format"` // "rankbox-times"
	Version  int        `json:"version"`
	Device   string     `json:"device"`
	Protocol string     `json:"protocol"` // how they were measured, in a sentence
	Runs     []TimedRun `json:"runs"`
}

// TimedRun is one run: milliseconds of each query that it answered, and bytes of the files that it reads to rank.
type TimedRun struct {
	Name         string       `json:"name"`
	Milliseconds []float64    `json:"milliseconds"`
	Bytes        float64      `json:"bytes"`
	Stages       []TimedStage `json:"stages,omitempty"`
}

// TimedStage is one stage of it, without the stages before it.
type TimedStage struct {
	Stage        string    `json:"stage"`
	Milliseconds []float64 `json:"milliseconds"`
}

const (
	timesFormat  = "rankbox-times"
	timesVersion = 1
	mostMillis   = 1e12 // thirty years: figures are drawn of no longer time, since their axes have to end
)

// NewTimes returns times of no run yet.
func NewTimes(device, protocol string) *Times {
	return &Times{Format: timesFormat, Version: timesVersion, Device: device, Protocol: protocol}
}

// Check refuses what is no times of this version, and values that no clock tells.
func (t *Times) Check() error {
	if t.Format != timesFormat || t.Version != timesVersion {
		return errors.New("this is not rankbox-times of version 1")
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
			return fmt.Errorf("times of run %q: %w", r.Name, err)
		}
	}
	return nil
}

// Section is the times as a table: of every run and its stages the median, the 95th and the 99th percentile over the
// queries. Names are those of a report's systems by their pipelines; r may be nil.
func (t *Times) Section(r *report.Report) Section {
	out := Section{Name: "times", Part: Took, Title: "Time by stage", Sentence: "Milliseconds per query on " +
		t.Device + ": " + t.Protocol + "."}
	table := Table{Columns: []string{"Run", "Stage", "Queries", "p50", "p95", "p99"}}
	row := func(run, stage string, ms []float64) {
		if len(ms) > 0 {
			v := slices.Sorted(slices.Values(ms))
			table.Rows = append(table.Rows, []Cell{Words(run), Words(stage), Whole(len(ms)),
				Number(report.Quantile(v, .5), 3), Number(report.Quantile(v, .95), 3),
				Number(report.Quantile(v, .99), 3)})
		}
	}
	for _, run := range t.Runs {
		name := run.Name
		if r != nil {
			for i := range r.Systems {
				if r.Systems[i].Pipeline() == run.Name {
					name = label(r, i)
				}
			}
		}
		row(name, "all", run.Milliseconds)
		for _, s := range run.Stages {
			row("", s.Stage, s.Milliseconds)
		}
	}
	out.Tables = []Table{table}
	out.Notes = []string{"Times belong to this machine and moment. No hash includes them."}
	return out
}

// Wire walks the times.
func (t *Times) Wire(c *wire.Codec) {
	c.Fields(&t.Format, &t.Version, &t.Device, &t.Protocol)
	wire.List(c, &t.Runs, func(r *TimedRun) {
		c.Fields(&r.Name, &r.Milliseconds, &r.Bytes)
		wire.List(c, &r.Stages, func(s *TimedStage) { c.Fields(&s.Stage, &s.Milliseconds) })
	})
}
