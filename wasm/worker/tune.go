//go:build !first

package worker

import (
	"errors"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/experiment/tune"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

func init() {
	register(message.Tune, handler{blame: at("tuning the weights")}, toExperiments, (*experiments).tune)
}

// tuning is the job that is at work.
type tuning struct {
	system, measure string
	of              *experiment.Session
	job             *tune.Job
	last            *message.Tuned
}

// tune answers Tune: it tries values for a moment.
func (x *experiments) tune(_ message.Request, ask *message.AskTune) (*message.Tuned, error) {
	if x.open.session == nil {
		return nil, errors.New("the collection is not open yet")
	}
	t := x.tuning
	if t == nil || t.system != ask.System || t.measure != ask.Measure || t.of != x.open.session || t.last != nil &&
		t.last.Problem != "" {
		n, err := stage.Parse(ask.System)
		if err != nil {
			return nil, err
		}
		x.backends.askIDs([]string{ask.System}, x.open.judgedTexts(), 0, nil)
		k, _ := tune.Find(n)
		t = &tuning{system: ask.System, measure: ask.Measure, of: x.open.session,
			last: &message.Tuned{Of: len(k.Values), Param: k.Name, Values: k.Values, Start: k.Start,
				Measure: ask.Measure}}
		if t.job, err = tune.Start(x.open.session, n, ask.Measure); err != nil {
			return &message.Tuned{Problem: say.Sentence(err)}, nil
		}
		x.tuning = t
	}
	if t.last.Finding != nil {
		return t.last, nil
	}
	end, more := x.page.now()+slice, true
	for more {
		var err error
		if more, err = t.job.Step(); err != nil {
			x.tuning = nil
			if u, ok := errors.AsType[*rank.Unanswerable](err); ok {
				return &message.Tuned{Problem: say.Sentence(u)}, nil
			}
			return nil, err
		}
		t.last.Done, _ = t.job.Progress()
		if x.page.now() >= end {
			break
		}
	}
	t.last.Means = t.job.Means()
	if !more {
		r, err := t.job.Result()
		if err != nil {
			return nil, err
		}
		t.conclude(r)
	}
	return t.last, nil
}

// conclude fills what is known in the end.
func (t *tuning) conclude(r *tune.Result) {
	t.last.Finding = r.Finding(say.Page)
	for _, c := range r.Choices() {
		x := message.TunedChoice{Of: c.Of(), Queries: c.Queries, Best: r.Knob.Values[c.Best], Present: c.Start,
			Tuned: c.Tuned, HeldOut: c.HeldOut, System: r.Best(c.Best).String()}
		if text, err := r.OpenSearch(c); err != nil {
			x.NoOpenSearch = say.Sentence(err)
		} else {
			x.OpenSearch = string(text)
		}
		if text, err := r.Weaviate(c); err != nil {
			x.NoWeaviate = say.Sentence(err)
		} else {
			x.Weaviate = string(text)
		}
		t.last.Choices = append(t.last.Choices, x)
	}
}
