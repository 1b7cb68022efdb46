package state

import (
	"math"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Settings are what the address says: screen, collection, query, filter, systems and measures, and what follows from
// them.
type Settings struct {
	share.Address
	Default string // id of the collection where the address names none
	Example string // id of the judged query that is shown where nobody has asked for one

	engine  *Engine
	view    *View
	nodes   []*pipeline.Node // see Nodes
	nodesOf []string
}

// DefaultCollection is what the page opens where a link names nothing else, on a site that has it.
const DefaultCollection = share.DefaultCollection

// Defaults are the systems of a page that was opened without a link.
var Defaults = stage.Defaults

// DefaultsOf are those of them that an open collection is opened with: the lexical ones where it has no vectors, or
// those of the static encoder, which are fetched when a dense system is asked for.
func DefaultsOf(o *message.Opened) []string {
	return stage.DefaultsFor(o == nil || len(o.Models) > 0 && !o.Lexical)
}

// DefaultDepth is how many documents each list shows.
const DefaultDepth = 10

// Systems returns the pipelines that are compared.
func (s *Settings) Systems() []string {
	if len(s.Spec.Systems) == 0 {
		return DefaultsOf(s.engine.Opened)
	}
	return s.Spec.Systems
}

// Collection returns the id of the collection.
//
//go:noinline
func (s *Settings) Collection() string {
	return s.collectionOf(s.Spec)
}

func (s *Settings) collectionOf(spec experiment.Spec) string {
	if spec.Collection == "" {
		return s.Default
	}
	return spec.Collection
}

// Depth returns how many documents each list shows.
func (s *Settings) Depth() int {
	if s.Spec.Depth == 0 {
		return DefaultDepth
	}
	return s.Spec.Depth
}

// Full is the Spec with its defaults written out, as the worker gets it.
func (s *Settings) Full() experiment.Spec {
	spec := s.Spec
	spec.Systems = s.Systems()
	spec.Collection = s.Collection()
	spec.Depth = s.Depth()
	return spec
}

// HasQuery reports whether there is something to search for.
//
//go:noinline
func (s *Settings) HasQuery() bool {
	return s.Spec.QueryID != "" || strings.TrimSpace(s.Spec.Query) != ""
}

// QueryText returns what stands in the search box.
func (s *Settings) QueryText() string {
	if q := s.Query(); q != nil {
		return q.Text
	}
	return s.Spec.Query
}

// Query returns the judged query that is open, or nil.
func (s *Settings) Query() *report.Query {
	if s.engine.Opened == nil || s.Spec.QueryID == "" {
		return nil
	}
	for i := range s.engine.Opened.Queries {
		if s.engine.Opened.Queries[i].ID == s.Spec.QueryID {
			return &s.engine.Opened.Queries[i]
		}
	}
	return nil
}

// Filtered reports whether a filter is on.
func (s *Settings) Filtered() bool {
	f := s.Spec.Filter
	return len(f.Categories)+len(f.Entities) > 0 || f.From != "" || f.To != ""
}

// Nodes returns the parsed pipelines of the systems; nil stands for one that cannot be parsed (which no Spec holds).
// They are parsed anew only when the systems are others: a drawing asks for them some thirty times. It is not to be
// changed.
func (s *Settings) Nodes() []*pipeline.Node {
	if !HasWorker {
		return nil
	}
	systems := s.Systems()
	if slices.Equal(systems, s.nodesOf) {
		return s.nodes
	}
	s.nodesOf, s.nodes = slices.Clone(systems), nil
	for _, notation := range systems {
		n, err := stage.Parse(notation)
		if err != nil {
			n = nil
		}
		s.nodes = append(s.nodes, n)
	}
	return s.nodes
}

// plain returns nil for the default systems, so that a link does not carry them.
func (s *Settings) plain(systems []string) []string {
	if slices.Equal(systems, DefaultsOf(s.engine.Opened)) {
		return nil
	}
	return systems
}

// letters are those of n systems: what each had, and for more the first that no other has.
func (s *Settings) letters(n int) string {
	all := s.Letters
	for c := byte('A'); len(all) < n; c++ {
		if strings.IndexByte(all, c) < 0 {
			all += string(c)
		}
	}
	return all[:n]
}

// name puts systems with their letters into an address.
func (s *Settings) name(p *share.Address, systems []string, letters string) {
	p.Systems, p.Letters = s.plain(systems), letters
	if p.Systems == nil {
		p.Letters = ""
	}
}

// Place is where the letter of a system stands in the alphabet, from 0: what it is drawn with. It stays when another
// system leaves.
func (s *Settings) Place(i int) int { return int(s.letters(i + 1)[i] - 'A') }

// Letter is what a system is called.
func (s *Settings) Letter(i int) string { return say.Letter(s.Place(i)) }

// exemplify returns an address of Home or Search with the example's query, where it has none of its own.
func (s *Settings) exemplify(at share.Address) share.Address {
	if s.view.Embedded || at.QueryID != "" || at.Query != "" || at.Screen != "" && at.Screen != share.Search {
		return at
	}
	switch id, o := s.collectionOf(at.Spec), s.engine.Opened; {
	case id == s.Default:
		at.QueryID = s.Example
	case o != nil && o.Ref.ID == id && len(o.Queries) > 0:
		at.QueryID = ExampleOf(o)
	}
	return at
}

// ExampleOf is the shortest query of at least three words that has relevant documents, or else the first one: of a
// collection that names no example.
func ExampleOf(o *message.Opened) string {
	id, shortest := o.Queries[0].ID, math.MaxInt
	for i := range o.Queries {
		q := &o.Queries[i]
		if n := len(q.Text); n < shortest && q.Relevant > 0 && strings.Count(q.Text, " ") > 1 {
			id, shortest = q.ID, n
		}
	}
	return id
}

// NeedsVectors says whether a system ranks by vectors of the query, alone or among others.
//
//go:noinline
func (s *Settings) NeedsVectors(i int) bool {
	n := s.Nodes()[i]
	return n != nil && len(stage.Models(n)) > 0
}

// Pair is the two systems that Home compares: the baseline, and the first other one that ranks by vectors, or else the
// last.
func (s *Settings) Pair() (base, other int) {
	nodes := s.Nodes()
	base = min(s.Spec.Baseline, len(nodes)-1)
	if other = len(nodes) - 1; other == base {
		other = 0
	}
	for i := range nodes {
		if i != base && s.NeedsVectors(i) {
			return base, i
		}
	}
	return base, other
}

// NearestQuery returns the judged query that has a vector and shares most words with the one that was typed, or nil
// where none shares any. Equal ones: the first.
func (s *Settings) NearestQuery() *report.Query {
	if s.engine.Opened == nil {
		return nil
	}
	words := map[string]bool{}
	for _, w := range strings.Fields(strings.ToLower(s.Spec.Query)) {
		if len(w) > 3 {
			words[w] = true
		}
	}
	var best *report.Query
	most := 0
	for i := range s.engine.Opened.Queries {
		if i >= len(s.engine.Opened.Encoded) || !s.engine.Opened.Encoded[i] {
			continue
		}
		n := 0
		for _, w := range strings.Fields(strings.ToLower(s.engine.Opened.Queries[i].Text)) {
			if words[w] {
				n++
			}
		}
		if n > most {
			best, most = &s.engine.Opened.Queries[i], n
		}
	}
	return best
}
