package experiment

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/evaluation"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/measure/significance"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/text"
)

// Passing returns the documents that pass f, nil where all do.
func (s *Session) Passing(f Filter) rank.Filter {
	if len(f.Categories) == 0 && len(f.Entities) == 0 && f.From == "" && f.To == "" {
		return nil
	}
	out := make(rank.Filter, (len(s.b.Cards)+63)/64)
	for d, c := range s.b.Cards {
		if len(f.Categories) > 0 && !slices.Contains(f.Categories, c.Category) {
			continue
		}
		if f.From != "" && c.Date < f.From || f.To != "" && (c.Date == "" || c.Date > f.To) {
			continue
		}
		if len(f.Entities) > 0 {
			found := false
			for _, e := range c.Entities {
				found = found || slices.Contains(f.Entities, e.Name)
			}
			if !found {
				continue
			}
		}
		out[d>>6] |= 1 << (d & 63)
	}
	return out
}

// FilterFor returns f without the document that is the query itself, if the collection says that queries are documents.
// Every ranking of a query of the collection goes through it, so that all of them have the same documents.
func (s *Session) FilterFor(query string, f rank.Filter) rank.Filter {
	if !s.b.Manifest.RemoveQuery {
		return f
	}
	d, ok := s.b.Ordinal(query)
	if !ok || !f.Has(uint32(d)) {
		return f
	}
	out := make(rank.Filter, (len(s.b.Cards)+63)/64)
	if f != nil {
		copy(out, f)
	} else {
		for i := range s.b.Cards {
			out[i>>6] |= 1 << (i & 63)
		}
	}
	out[d>>6] &^= 1 << (d & 63)
	return out
}

// agreementDepth is how many documents of two lists are compared: those below weigh less than 0.0001 in their RBO.
const agreementDepth = 100

// Search answers the query of spec with every system. Lists are as deep as the measures look, and at least
// agreementDepth; as many as spec asks for are described, with near-duplicates folded under the first of them.
func (s *Session) Search(spec Spec) (*Results, error) {
	asked, err := s.ask(spec)
	if err != nil {
		return nil, err
	}
	nodes, ms, q, qi := asked.nodes, asked.measures, asked.query, asked.place
	filter := s.Passing(spec.Filter)
	an, err := text.Get(s.b.Manifest.Analyzer)
	if err != nil {
		return nil, err
	}
	out := &Results{Judged: qi >= 0, Terms: an.Terms(q.Text)}
	for _, m := range ms {
		out.Measures = append(out.Measures, m.String())
	}
	if qi >= 0 {
		out.Relevant = s.Queries.relevant(qi)
	}
	s.Rankers.want(nodes)
	deep := max(agreementDepth, spec.Depth)
	if qi >= 0 {
		deep = max(deep, evaluation.Depth(ms))
	}
	rankings := make([][]rank.Hit, len(nodes))
	ranks := make([]map[uint32]int, len(nodes))
	var topic measure.Topic
	left := spec.Spend
	for i, n := range nodes {
		price := s.backends.allow(left)
		l, hits, err := s.list(n, q, deep, filter)
		spent, unasked := price()
		if err != nil {
			return nil, err
		}
		l.Unasked = unasked
		left -= spent
		out.Spent += spent
		ranks[i] = map[uint32]int{}
		rankings[i] = hits
		for j, h := range hits {
			ranks[i][h.Doc] = j + 1
		}
		if qi >= 0 {
			if s.Queries.Topic(&topic, qi, hits); l.Problem != "" {
				topic.Missing = true
			}
			for _, m := range ms {
				l.Scores = append(l.Scores, m.Score(&topic))
			}
		}
		out.Lists = append(out.Lists, l)
	}
	mark := newMarker(an, q.Text, func(term string) float64 { return idf(s.Texts.b.Index, term) })
	depth := spec.Depth
	if depth == 0 {
		depth = 10
	}
	var shown []int
	for _, hits := range rankings {
		for _, h := range hits[:min(depth+2, len(hits))] {
			shown = append(shown, int(h.Doc))
		}
	}
	describe := func() {
		for i := range out.Lists {
			l := &out.Lists[i]
			if i > 0 && l.Problem == "" && out.Lists[0].Problem == "" {
				l.Overlap, l.RBO = agreement(rankings[0], rankings[i], depth)
			}
			l.Hits, l.Again = nil, l.Problem != "" && l.Again
			s.describe(l, rankings[i], ranks, qi, depth, mark)
		}
	}
	// what is not there is said of each document that lacks it
	_ = s.Texts.need(shown, func() { s.Texts.goAhead(out, describe) })
	describe()
	return out, nil
}

// label is what tables call a pipeline.
func (s *Session) label(n *pipeline.Node) string {
	of := s.Ref()
	return of.Label(n.Label())
}

// list ranks for one system. What is wrong with that system alone is in the list, which then has no hits.
func (s *Session) list(n *pipeline.Node, q rank.Query, depth int, filter rank.Filter) (List, []rank.Hit, error) {
	l := List{Notation: n.String(), Label: s.label(n), Overlap: math.NaN(), RBO: math.NaN()}
	var hits []rank.Hit
	r, err := s.Rankers.Of(n)
	if err == nil {
		start := s.parts.Now()
		hits, err = r.Rank(q, depth, s.FilterFor(q.ID, filter), nil)
		l.Micros = s.parts.Now() - start
		if err == nil {
			l.Did, l.Note = stepsOf(r, hits, s.b.Cards), whyFell(r)
		}
	}
	if lacks, ok := errors.AsType[notFetched](err); ok {
		l.Problem, err = problem(err)
		if l.Again = err != nil; l.Again {
			l.Problem = "A file that this system needs is missing. " + say.Sentence(lacks.error)
		}
	} else if err != nil {
		if l.Problem, err = problem(err); err != nil {
			return l, nil, err
		}
	}
	if l.Problem == "" && l.Note == "" {
		if q.ID == "" {
			l.Note = s.Models.encodedBy(n)
		}
		l.Note = strings.TrimSpace(l.Note + " " + s.Models.approximated(n))
	}
	if l.Problem == "" {
		note, err := lossNote(s, n, q, filter)
		if err != nil {
			return l, nil, err
		}
		l.Note = strings.TrimSpace(l.Note + " " + note)
	}
	return l, hits, nil
}

// agreement returns the share of the first depth documents of b that are among the first depth of a, and the
// rank-biased overlap of the two lists.
func agreement(a, b []rank.Hit, depth int) (overlap, rbo float64) {
	docs := func(hits []rank.Hit) (out []uint32) {
		for _, h := range hits[:min(len(hits), agreementDepth)] {
			out = append(out, h.Doc)
		}
		return out
	}
	x, y := docs(a), docs(b)
	n, both := min(depth, len(y)), 0
	for _, d := range y[:n] {
		if slices.Contains(x[:min(depth, len(x))], d) {
			both++
		}
	}
	if n > 0 {
		overlap = float64(both) / float64(n)
	}
	o, err := significance.RBO(x, y, significance.Persistence)
	if err != nil { // one is empty
		return overlap, math.NaN()
	}
	return overlap, o.Ext
}

// describe fills the hits of a list: depth documents, each with the near-duplicates that follow it within the next few.
func (s *Session) describe(l *List, hits []rank.Hit, ranks []map[uint32]int, qi, depth int, mark *marker) {
	var shown []uint32
	for _, h := range hits {
		twin := slices.IndexFunc(shown, func(other uint32) bool { return s.Texts.twins(h.Doc, other) })
		if twin < 0 && len(l.Hits) == depth {
			break
		}
		c := s.b.Cards[h.Doc]
		f := Found{Ordinal: int(h.Doc), ID: c.ID, Part: s.b.Part(c.ID), Date: c.Date, Category: c.Category,
			Score: h.Score, Grade: s.Queries.grade(qi, h.Doc)}
		for _, r := range ranks {
			f.Ranks = append(f.Ranks, r[h.Doc])
		}
		if twin >= 0 {
			f.Title = []Segment{{Text: c.Title}}
			l.Hits[twin].Twins = append(l.Hits[twin].Twins, f)
			continue
		}
		var whole bool
		f.Title, f.Snippet, whole = s.Texts.mark(mark, h.Doc)
		l.Again = l.Again || !whole
		for _, e := range c.Entities {
			f.Entities = append(f.Entities, e.Name)
		}
		l.Hits = append(l.Hits, f)
		shown = append(shown, h.Doc)
	}
}
