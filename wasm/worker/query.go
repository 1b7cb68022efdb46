//go:build !first

package worker

import "github.com/rankbox/rankbox/core/message"

func init() { register(message.Query, ofRuns, toComparisons, (*comparisons).query) }

// unfoldedShown is how many terms of a measure are sent to the page.
const unfoldedShown = 50

// query shows one query: rankings side by side, the arithmetic of one or two of them, and what makes their difference.
func (cs *comparisons) query(_ message.Request, ask *message.AskQuery) (*message.Detail, error) {
	k, err := cs.rankings()
	if err != nil {
		return nil, err
	}
	out := &message.Detail{Query: ask.Query, Measure: ask.Measure}
	if out.Sides, err = k.c.Sides(out.Query, ask.Depth); err != nil {
		return nil, err
	}
	systems := []int{ask.A, ask.B}
	if ask.A == ask.B {
		systems = systems[:1]
	}
	for _, s := range systems {
		u, err := k.c.Unfold(ask.Measure, s, out.Query)
		if err != nil {
			return nil, err
		}
		if len(u.Rows) > unfoldedShown {
			u.Rows = u.Rows[:unfoldedShown]
		}
		out.Unfolded = append(out.Unfolded, *u)
	}
	if len(systems) == 2 {
		if out.Why, err = k.c.Explain(ask.Measure, ask.A, ask.B, out.Query); err != nil {
			return nil, err
		}
	}
	if out.Said, err = k.c.Said(ask.Measure, systems, out.Query); err != nil {
		return nil, err
	}
	title := cs.titler(k)
	for i := range out.Sides {
		for _, d := range out.Sides[i].Docs {
			title.add(d.ID)
		}
	}
	if out.Why != nil {
		for _, d := range out.Why.Changes {
			title.add(d.ID)
		}
	}
	out.Titles = title.list
	return out, nil
}
