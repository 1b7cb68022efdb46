//go:build !first

package worker

import (
	"errors"
	"slices"

	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/message"
)

func init() { register(message.Tests, ofRuns, toComparisons, (*comparisons).tests) }

// tests makes the paired tests on a measure.
func (cs *comparisons) tests(r message.Request, ask *message.AskTests) (*report.Tests, error) {
	k, err := cs.last()
	if err != nil {
		return nil, err
	}
	return cs.testOn(r, k, ask.Measure)
}

// testOn returns the paired tests on a measure.
func (cs *comparisons) testOn(r message.Request, k *comparison, measure string) (*report.Tests, error) {
	column := slices.Index(k.report.Measures, measure)
	if t := k.tested[column]; t != nil {
		return t, nil
	}
	p := message.Progress{What: "Testing the differences"}
	t, err := k.report.TestOn(column, cs.page.stopped(r, &p))
	if errors.Is(err, compare.ErrCancelled) {
		return nil, errStopped
	}
	if err == nil {
		t.SayMany(k.report)
		k.tested[column] = t
	}
	return t, err
}
