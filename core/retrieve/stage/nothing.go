//go:build !first

package stage

import (
	"errors"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// State is what a stage did for a query, or will do over a collection.
type State uint8

// The states of stages.
const (
	Did     State = iota // its work
	Nothing              // none: the collection, or the query, has nothing to do it with
	Failed               // none: a backend gave no answer
	Below                // its work, and documents did not reach its threshold
)

var states = [...]string{"did it", "nothing to do it with", "failed", "below the threshold"}

// String returns the state in words.
func (s State) String() string { return states[s] }

// State is what the stage did for the last query.
func (s *Step) State() State {
	switch asked := s.Node.Stage.Param("backend") != nil && s.Node.Word("backend") != ""; {
	case (s.Aside || s.Part) && asked:
		return Failed
	case s.Aside || s.Idle:
		return Nothing
	case s.Account.Below > 0:
		return Below
	}
	return Did
}

// HasNothing says which stage of a pipeline has nothing to do its work with in a collection, and what is missing; "" if
// none has. It is known before anything is ranked. Retrievers say it themselves when they are built or asked.
func HasNothing(c Collection, n *pipeline.Node) (why string) {
	if n.Unread() {
		return ""
	}
	n.Walk(func(m *pipeline.Node) {
		if why == "" {
			if lack := missingFor(c, m); lack != "" {
				why = m.Stage.Name + " has nothing to do its work with: " + lack
			}
		}
	})
	return why
}

// missingFor is HasNothing of one stage.
func missingFor(c Collection, m *pipeline.Node) string {
	if outside(c) != nil { // lacks says it
		return ""
	}
	switch m.Stage {
	case &Recency.Stage:
		return without(c, "no document has a date", func(x rank.Card) bool { return x.Date != "" })
	case &Balance.Stage:
		return without(c, "no document has a category", func(x rank.Card) bool { return x.Category != "" })
	case &Entity.Stage:
		return without(c, "no document has entities", func(x rank.Card) bool { return len(x.Entities) > 0 })
	case &Dedupe.Stage:
		if m.Word("by") == "entities" {
			return without(c, "no document has entities", func(x rank.Card) bool { return len(x.Entities) > 0 })
		}
	case &MMR.Stage, &VPRF.Stage:
		return withoutModel(c, m)
	case &Rerank.Stage:
		return withoutScores(c, m)
	}
	return ""
}

// without returns why if no document is as wanted.
func without(c Collection, why string, has func(rank.Card) bool) string {
	x, err := c.Index("")
	if err != nil {
		return ""
	}
	for d := range x.Docs() {
		if has(c.Card(uint32(d))) {
			return ""
		}
	}
	return c.Name() + ": " + why
}

func withoutModel(c Collection, m *pipeline.Node) string {
	_, err := modelNamed(c, m)
	return unanswerable(err)
}

// withoutScores says what a reranker lacks that asks no backend.
func withoutScores(c Collection, m *pipeline.Node) string {
	switch {
	case m.Word("backend") != "":
		return ""
	case m.Word("by") == "late":
		_, err := c.Models().Tokens(m.Word("model"))
		return unanswerable(err)
	case m.Word("by") == "dense":
		return withoutModel(c, m)
	}
	if lists, err := c.Run(m.Word("file")); err == nil && lists == nil {
		return "there is no stored run called " + m.Word("file")
	}
	return ""
}

// unanswerable is the reason of a collection that lacks something, "" for any other error: a file that could not be
// fetched may be there the next time.
func unanswerable(err error) string {
	if u, ok := errors.AsType[*rank.Unanswerable](err); ok {
		return u.Reason
	}
	return ""
}
