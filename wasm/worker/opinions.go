//go:build !first

package worker

import (
	"errors"

	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/message"
)

func init() { register(message.Opinions, ofRuns, toComparisons, (*comparisons).opinions) }

// opinions says what other tools make of a measure.
func (cs *comparisons) opinions(r message.Request, ask *message.AskOpinions) (*message.Opined, error) {
	k, err := cs.rankings()
	if err != nil {
		return nil, err
	}
	out := &message.Opined{Measure: ask.Measure}
	out.Tools, err = k.c.Opinions(ask.Measure, cs.page.stopped(r, &message.Progress{What: "Computing the figure as other tools do"}))
	if errors.Is(err, compare.ErrCancelled) {
		err = errStopped
	}
	return out, err
}
