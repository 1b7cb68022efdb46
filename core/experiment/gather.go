//go:build !first

package experiment

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
	"github.com/rankbox/rankbox/core/text"
)

// Gathering asks search backends for the ids of documents that are elsewhere. Rankers number documents, so all ids
// are known before anything is ranked.
type Gathering struct {
	Edge *remote.Edge
	// Found are the ids that backends named so far.
	Found map[string]bool

	mu   sync.Mutex
	of   map[string]*returned // by backend
	done map[question]bool    // questions whose answers are in Found
}

type question struct {
	stage.Asking
	identity, text string
}

// returned is what one backend returned.
type returned struct {
	asked   int // answers
	answers int // of them, those that name a document
	ids     map[string]bool
	first   string // the first id in order of those that stand at the top
}

// NewGathering begins with no id.
func NewGathering(e *remote.Edge) *Gathering {
	return &Gathering{Edge: e, Found: map[string]bool{}, of: map[string]*returned{}, done: map[question]bool{}}
}

// Ask asks for each search the texts of queries, at most remote.InFlight at once, and those that got no answer again at
// the end. It returns how many questions have an answer now, of how many; the stage that asks a failed one again hears
// why. stop is polled between questions and may be nil. The error is that of a backend that changed meanwhile.
func (g *Gathering) Ask(searches []stage.Asking, texts []string, stop func() bool) (answered, of int, err error) {
	var all []question
	for _, a := range searches {
		identity := g.Edge.Identity(a.Backend)
		for _, text := range texts {
			all = append(all, question{a, identity, text})
		}
	}
	if len(all) > 1 { // one alone is nobody's figure
		l := g.Edge.Begin()
		defer l.End()
		for again := true; again; {
			g.ask(all, stop)
			n, err := l.Again()
			again = n > 0 && err == nil
		}
		changed, err := l.Confirm(true)
		if len(changed) > 0 && err == nil {
			err = changed[0]
		}
		if err != nil {
			return g.count(all), len(all), err
		}
	} else {
		g.ask(all, stop)
	}
	return g.count(all), len(all), nil
}

// ask asks the questions that have no answer.
func (g *Gathering) ask(all []question, stop func() bool) {
	asking := make(chan question)
	var wait sync.WaitGroup
	for range remote.InFlight {
		wait.Go(func() {
			for q := range asking {
				if found, _, err := g.Edge.Search(q.Backend, q.text, q.Mode, q.Depth); err == nil {
					g.take(q, found)
				}
			}
		})
	}
	for _, q := range all {
		if !g.has(q) {
			if stop != nil && stop() {
				break
			}
			asking <- q
		}
	}
	close(asking)
	wait.Wait()
}

// count is how many of the questions have an answer.
func (g *Gathering) count(all []question) (answered int) {
	for _, q := range all {
		if g.has(q) {
			answered++
		}
	}
	return answered
}

func (g *Gathering) has(q question) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.done[q]
}

func (g *Gathering) take(q question, found []remote.Found) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.done[q] = true
	s := g.of[q.Backend]
	if s == nil {
		s = &returned{ids: map[string]bool{}}
		g.of[q.Backend] = s
	}
	s.asked++
	for i, f := range found {
		if i == 0 {
			s.answers++
			if s.first == "" || f.ID < s.first {
				s.first = f.ID
			}
		}
		s.ids[f.ID], g.Found[f.ID] = true, true
	}
}

// Missing are the judged documents that no backend found, in order, of how many judged ones.
func (g *Gathering) Missing(of *collection.Qrels) (missing []string, judged int) {
	seen := map[string]bool{}
	for _, q := range of.Queries() {
		of.Each(q, func(doc string, _ float64) {
			if !seen[doc] && !g.Found[doc] {
				missing = append(missing, doc)
			}
			seen[doc] = true
		})
	}
	slices.Sort(missing)
	return missing, len(seen)
}

// SayMissing says how many judged documents no backend found, and names the first three; "" if all were found, or
// nobody was asked.
func (g *Gathering) SayMissing(of *collection.Qrels) string {
	missing, judged := g.Missing(of)
	if len(missing) == 0 || len(g.of) == 0 {
		return ""
	}
	shown := slices.Clone(missing[:min(3, len(missing))])
	for i := range shown {
		shown[i] = say.Visible(shown[i])
	}
	return say.Thousands(len(missing)) + " of " + say.Thousands(judged) +
		" judged documents were found by no backend, such as " + strings.Join(shown, ", ")
}

// Foreign says of each backend that found no judged document why that may be: it found nothing, or its answers are of
// another collection or have other ids. It is meant for after every judged query was asked.
func (g *Gathering) Foreign(of *collection.Qrels) map[string]string {
	out := map[string]string{}
	judged := map[string]bool{}
	for _, q := range of.Queries() {
		of.Each(q, func(doc string, _ float64) { judged[doc] = true })
	}
	if len(judged) == 0 {
		return out
	}
	missing, _ := g.Missing(of)
	for backend, s := range g.of {
		known := false
		for id := range s.ids {
			known = known || judged[id]
		}
		if s.answers == 0 {
			out[backend] = g.Edge.FoundNothing(backend, s.asked)
		}
		if known || s.answers == 0 {
			continue
		}
		example := ""
		if len(missing) > 0 {
			example = ", judged are ids like " + say.Visible(missing[0])
		}
		out[backend] = "none of the " + say.Count(len(s.ids), "document", "documents") + " that the backend " +
			backend + " found is among the " + say.Thousands(len(judged)) + " judged ones. It found ids like " +
			say.Visible(s.first) + example + ". Check that its index holds this collection under the same ids"
	}
	return out
}

// placeholder is the id of the one document of a collection of which no id is known.
const placeholder = "none"

// Unread gives a collection without documents those that its judgments name, and those that were found, by their ids
// alone, so that it can be indexed.
func Unread(c *collection.Collection, found map[string]bool) {
	ids := maps.Clone(found)
	if ids == nil {
		ids = map[string]bool{}
	}
	for _, q := range c.Qrels.Queries() {
		c.Qrels.Each(q, func(doc string, _ float64) { ids[doc] = true })
	}
	if len(ids) == 0 {
		ids[placeholder] = true
	}
	c.Docs = make([]collection.Doc, 0, len(ids))
	for id := range ids {
		c.Docs = append(c.Docs, collection.Doc{ID: id})
	}
	slices.SortFunc(c.Docs, func(a, b collection.Doc) int { return strings.Compare(a.ID, b.ID) })
}

// Grown returns a session over the same collection in which further documents are known by their ids, and s itself if
// it knows all of them. Documents have other numbers in it; the collection's hash stays. s must not be used any more.
func (s *Session) Grown(ids map[string]bool) *Session {
	cards := slices.Clone(s.b.Cards)
	for id := range ids {
		if _, known := s.b.Ordinal(id); !known {
			cards = append(cards, bundle.Card{ID: id})
		}
	}
	if len(cards) == len(s.b.Cards) {
		return s
	}
	cards = slices.DeleteFunc(cards, func(c bundle.Card) bool { return c.ID == placeholder && !ids[placeholder] })
	slices.SortFunc(cards, func(a, b bundle.Card) int { return strings.Compare(b.ID, a.ID) })
	m, b := *s.b.Manifest, *s.b
	m.Documents = len(cards)
	b.Manifest, b.Cards, b.Index = &m, cards, empty(m.Analyzer, len(cards))
	n := NewSession(&b, s.Fetch)
	n.Clock, n.Models.encoder, n.backends, n.Texts.distant = s.Clock, s.Models.encoder, s.backends, s.Texts.distant
	for name, run := range s.Runs.given {
		n.Runs.given[name] = renumbered(run, s.b, &b)
	}
	return n
}

// empty is the index of n documents of which only the ids are known.
func empty(analyzer string, n int) *index.Index {
	an, err := text.Get(analyzer)
	if err != nil { // the collection was indexed by it
		panic(err)
	}
	x := index.NewBuilder(an)
	for range n {
		x.Add("", "")
	}
	return x.Build()
}

// renumbered is a run with the numbers that its documents have in another bundle.
func renumbered(run map[string][]rank.Hit, from, to *bundle.Bundle) map[string][]rank.Hit {
	out := map[string][]rank.Hit{}
	for q, hits := range run {
		list := []rank.Hit{}
		for _, h := range hits {
			if d, ok := to.Ordinal(from.Cards[h.Doc].ID); ok {
				list = append(list, rank.Hit{Doc: uint32(d), Score: h.Score})
			}
		}
		rank.Sort(list)
		out[q] = list
	}
	return out
}
