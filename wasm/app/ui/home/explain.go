//go:build !js

package home

import (
	"strconv"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Explain explains in a few sentences why the two lists of the example differ, which is judged. The page's program
// carries only the sentences.
func Explain(a *state.App) string {
	c := &Quick{App: a}
	pair := c.Pair()
	if len(pair) < 2 || c.list(pair[0]).Problem != "" || c.list(pair[1]).Problem != "" {
		return ""
	}
	winner, loser := pair[1], pair[0]
	s := ""
	if first := c.Top(loser); len(first) > 0 {
		s = c.Label(loser) + " begins with " + title(&first[0])
		if w := matched(&first[0]); w != "" {
			s += ", where it finds “" + w + "”"
		}
		if first[0].Grade == 0 {
			s += ", which doesn’t answer the query"
		}
		s += ". "
	}
	if c.change(winner) < 0 {
		winner, loser = loser, winner
	}
	if h := c.best(winner, loser); h != nil {
		s += c.Label(winner) + " has " + title(h) + " at " + strconv.Itoa(h.Ranks[winner]) + ", " + c.Label(loser) + " "
		if there := h.Ranks[loser]; there == 0 {
			s += "not in its first " + strconv.Itoa(c.App.Settings.Depth()) + ". "
		} else {
			s += "at " + strconv.Itoa(there) + ". "
		}
	}
	return s
}

// best is the most relevant of the first documents of a list that another ranks lower or not at all, nil where there is
// none.
func (c *Quick) best(winner, loser int) *experiment.Found {
	var best *experiment.Found
	top := c.Top(winner)
	for j := range top {
		h := &top[j]
		there := h.Ranks[loser]
		if h.Grade >= 1 && (there == 0 || there > h.Ranks[winner]) && (best == nil || h.Grade > best.Grade) {
			best = h
		}
	}
	return best
}

// matched is the first word that a document shares with the query, in its title or else in its text.
func matched(h *experiment.Found) string {
	for _, s := range append(h.Title[:len(h.Title):len(h.Title)], h.Snippet...) {
		if s.Mark {
			return s.Text
		}
	}
	return ""
}

// title is that of a document, as a sentence quotes it.
func title(h *experiment.Found) string {
	s := "“"
	for _, g := range h.Title {
		s += g.Text
	}
	return s + "”"
}
