package matrix

import (
	"errors"
	"slices"
	"sync"

	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// shelf keeps the rankings of parts that several runs of a plan have in common: of one hand, which has its queries to
// itself. It is the collection that the hand's rankers are built over.
type shelf struct {
	of    stage.Collection
	lock  *sync.Mutex    // of the collection, which several hands ask
	left  map[string]int // part → runs that still have it
	lists map[request]kept

	made, reused int // rankings of shared parts
}

// request is a ranking that a part was asked for.
type request struct {
	part, query string
	k           int // documents; 0 for a part whose deeper ranking begins with its shallower one
}

// kept is a ranking and how deep it was asked for.
type kept struct {
	hits  []rank.Hit
	depth int
	did   any // what the stages did, see stage.Reminder
}

// Keep implements stage.Keeper. What a backend ranked is not kept here: its answers are where they came in, and each
// run says which it had.
func (s *shelf) Keep(n *pipeline.Node, r stage.Ranker) stage.Ranker {
	if len(stage.Backends(n)) > 0 {
		return r
	}
	return &keeper{Ranker: r, s: s, part: n.String(), nested: nested(n)}
}

// done says that a run is over: what only it had is dropped.
func (s *shelf) done(n *pipeline.Node) {
	for _, part := range parts(n) {
		if s.left[part]--; s.left[part] > 0 {
			continue
		}
		delete(s.left, part)
		for k := range s.lists {
			if k.part == part {
				delete(s.lists, k)
			}
		}
	}
}

// keeper is a ranker whose rankings are kept where another run will ask for them.
type keeper struct {
	stage.Ranker
	s    *shelf
	part string

	nested bool // its deeper rankings begin with its shallower ones

	last  request // that Rank answered last
	taken bool    // from the shelf
	saved bool    // onto the shelf
}

// nested reports whether that holds of a pipeline: it does of a single retriever that compares every document in full.
// Fusions, feedback and approximate scans may look at other documents for a deeper ranking.
func nested(n *pipeline.Node) bool {
	return n.Input == nil && len(n.Args) == 0 && stage.Precise(n) == n
}

// Set implements stage.Ranker.
func (k *keeper) Set(n *pipeline.Node) error {
	k.part, k.nested = n.String(), nested(n)
	return k.Ranker.Set(n)
}

// Rank implements rank.Ranker.
func (k *keeper) Rank(q rank.Query, depth int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	key := request{k.part, q.ID, depth}
	if k.nested {
		key.k = 0
	}
	k.last, k.taken, k.saved = key, false, false
	if have, ok := k.s.lists[key]; ok && f == nil && have.depth >= depth {
		k.taken = true
		k.s.reused++
		return append(dst[:0], have.hits[:min(len(have.hits), depth)]...), nil
	}
	hits, err := k.Ranker.Rank(q, depth, f, dst)
	if err == nil && f == nil && k.s.left[k.part] > 1 {
		k.s.made++
		k.s.lists[key] = kept{slices.Clone(hits), depth, nil}
		k.saved = true
	}
	return hits, err
}

// Recall implements stage.Reminder.
func (k *keeper) Recall() any {
	if !k.taken {
		return nil
	}
	return k.s.lists[k.last].did
}

// Remember implements stage.Reminder.
func (k *keeper) Remember(did any) {
	if have := k.s.lists[k.last]; k.saved {
		have.did = did
		k.s.lists[k.last] = have
	}
}

// Name implements stage.Collection.
func (s *shelf) Name() string { return s.of.Name() }

// Index implements stage.Collection.
func (s *shelf) Index(analyzer string) (*index.Index, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.of.Index(analyzer)
}

// Models implements stage.Collection.
func (s *shelf) Models() stage.ModelOutputs { return locked{s.of.Models(), s.lock} }

// locked are the outputs of models that several hands ask for.
type locked struct {
	stage.ModelOutputs
	lock *sync.Mutex
}

// Vectors implements stage.ModelOutputs.
func (l locked) Vectors(model string) (*stage.Vectors, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.ModelOutputs.Vectors(model)
}

// Tokens implements stage.ModelOutputs.
func (l locked) Tokens(model string) (*stage.Tokens, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.ModelOutputs.Tokens(model)
}

// Sparse implements stage.ModelOutputs.
func (l locked) Sparse(model string) (*stage.Weights, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.ModelOutputs.Sparse(model)
}

// Encoded implements stage.ModelOutputs.
func (l locked) Encoded(model string) (*encoder.Static, *dense.Vectors, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.ModelOutputs.Encoded(model)
}

// Card implements stage.Collection.
func (s *shelf) Card(d uint32) rank.Card { return s.of.Card(d) }

// Text implements stage.Collection.
func (s *shelf) Text(d uint32) (string, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.of.Text(d)
}

// Edge implements stage.Edged.
func (s *shelf) Edge() *remote.Edge {
	x, ok := s.of.(stage.Edged)
	if !ok {
		return nil
	}
	return x.Edge()
}

// Outside implements stage.Distant.
func (s *shelf) Outside() *remote.Outside {
	if x, ok := s.of.(stage.Distant); ok {
		return x.Outside()
	}
	return nil
}

// Run implements stage.Collection.
func (s *shelf) Run(name string) (map[string][]rank.Hit, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.of.Run(name)
}

// Judged implements stage.Taught.
func (s *shelf) Judged() []fuse.Judged {
	if t, ok := s.of.(stage.Taught); ok {
		return t.Judged()
	}
	return nil
}

// reason is the sentence of a query that a ranker cannot answer.
func reason(err error) (string, bool) {
	var u *rank.Unanswerable
	if errors.As(err, &u) {
		return u.Reason, true
	}
	return "", false
}
