//go:build !first

package worker

import "github.com/rankbox/rankbox/core/message"

func init() { register(message.Reasons, ofRuns, toComparisons, (*comparisons).reasons) }

// reasonsShown is how many documents of an explanation a row of the table shows.
const reasonsShown = 3

// reasons says what makes the difference of two runs on each query.
func (cs *comparisons) reasons(r message.Request, ask *message.AskReasons) (*message.Explanations, error) {
	k, err := cs.rankings()
	if err != nil {
		return nil, err
	}
	stopped := cs.page.stopped(r, &message.Progress{What: "Working"})
	out, title := &message.Explanations{}, cs.titler(k)
	for _, q := range ask.Queries {
		if stopped() {
			return nil, errStopped
		}
		x, err := k.c.Explain(ask.Measure, ask.A, ask.B, q)
		if err != nil {
			return nil, err
		}
		if len(x.Changes) > reasonsShown {
			x.Others += len(x.Changes) - reasonsShown
			x.Changes = x.Changes[:reasonsShown]
		}
		for _, d := range x.Changes {
			title.add(d.ID)
		}
		out.List = append(out.List, *x)
	}
	out.Titles = title.list
	return out, nil
}
