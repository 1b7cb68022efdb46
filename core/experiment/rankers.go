package experiment

import (
	"slices"

	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Rankers builds rankers over a collection and keeps the ones used last.
type Rankers struct {
	over   stage.Collection
	built  []built  // the one that was built or set last at the end
	wanted []string // the pipelines of the present question
	// those of an evaluation in whose midst other questions are answered: their rankers stay as they are
	held []string
}

// keep is how many rankers and runs are kept.
const keep = 64

// built is a ranker and the pipeline that it is set to.
type built struct {
	notation, shape string
	ranker          stage.Ranker
}

// want says which pipelines the present question is about: their rankers are not set to anything else meanwhile.
func (x *Rankers) want(nodes []*pipeline.Node) {
	x.wanted = x.wanted[:0]
	for _, n := range nodes {
		x.wanted = append(x.wanted, n.String())
	}
}

// Of returns the ranker of a pipeline; it is good until the next call of a method. A ranker of the same shape that is
// there and not wanted is set to the values of n, so that a slider's step builds nothing. Errors name the stage that
// cannot be built on this collection.
func (x *Rankers) Of(n *pipeline.Node) (rank.Ranker, error) {
	notation, shape := n.String(), n.Shape()
	spare := -1
	for i, r := range x.built {
		if r.notation == notation {
			return r.ranker, nil
		}
		if r.shape == shape && spare < 0 && !slices.Contains(x.wanted, r.notation) &&
			!slices.Contains(x.held, r.notation) {
			spare = i
		}
	}
	if spare >= 0 {
		r := x.built[spare]
		x.built = slices.Delete(x.built, spare, spare+1)
		if err := r.ranker.Set(n); err != nil {
			return nil, err
		}
		x.built = append(x.built, built{notation, shape, r.ranker})
		return r.ranker, nil
	}
	r, err := stage.Build(x.over, n)
	if err != nil {
		return nil, err
	}
	if len(x.built) >= keep {
		x.built = slices.Delete(x.built, 0, 1)
	}
	x.built = append(x.built, built{notation, shape, r})
	return r, nil
}
