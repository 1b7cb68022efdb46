package experiment

import (
	"errors"
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/evaluation"
	"github.com/rankbox/rankbox/core/float"
	"github.com/rankbox/rankbox/core/index"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/text"
)

// Filter returns the documents that pass f, nil where all do.
func (s *Session) Filter(f Filter) rank.Filter {
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

// FilterFor returns f without the document that is the query itself, if the collection says that queries are documents. Every ranking of a
// query of the collection goes through it, so that all of them have the same documents.
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

// Search answers the query of spec with every system. Lists are as deep as the measures look, and at least agreementDepth; as
// many as spec asks for are described, with near-duplicates folded under the first of them.
func (s *Session) Search(spec Spec) (*Results, error) {
	nodes, ms, err := parse(spec)
	if err != nil {
		return nil, err
	}
	q, qi, err := s.queryOf(spec)
	if err != nil {
		return nil, err
	}
	filter := s.Filter(spec.Filter)
	an, err := text.Get(s.b.Manifest.Analyzer)
	if err != nil {
		return nil, err
	}
	out := &Results{Judged: qi >= 0, Terms: an.Terms(q.Text)}
	for _, m := range ms {
		out.Measures = append(out.Measures, m.String())
	}
	if qi >= 0 {
		for _, g := range s.pool[qi] {
			if g >= 1 {
				out.Relevant++
			}
		}
	}
	s.want(nodes)
	deep := max(agreementDepth, spec.Depth)
	if qi >= 0 {
		deep = max(deep, evaluation.Depth(ms))
	}
	rankings := make([][]rank.Hit, len(nodes))
	ranks := make([]map[uint32]int, len(nodes))
	var topic measure.Topic
	left := spec.Spend
	for i, n := range nodes {
		price := s.allow(left)
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
			if s.topic(&topic, qi, hits); l.Problem != "" {
				topic.Missing = true
			}
			for _, m := range ms {
				l.Scores = append(l.Scores, m.Score(&topic))
			}
		}
		out.Lists = append(out.Lists, l)
	}
	mark := newMarker(an, q.Text, s.idf)
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
	_ = s.need(shown) // what is not there is said of each document that lacks it
	for i := range out.Lists {
		l := &out.Lists[i]
		if i > 0 && l.Problem == "" && out.Lists[0].Problem == "" {
			l.Overlap, l.RBO = agreement(rankings[0], rankings[i], depth)
		}
		s.describe(l, rankings[i], ranks, qi, depth, mark)
	}
	return out, nil
}

// list ranks for one system. What is wrong with that system alone is in the list, which then has no hits.
func (s *Session) list(n *pipeline.Node, q rank.Query, depth int, filter rank.Filter) (List, []rank.Hit, error) {
	l := List{Notation: n.String(), Label: n.Label(), Overlap: math.NaN(), RBO: math.NaN()}
	var hits []rank.Hit
	r, err := s.Ranker(n)
	if err == nil {
		start := s.now()
		hits, err = r.Rank(q, depth, s.FilterFor(q.ID, filter), nil)
		l.Micros = s.now() - start
		if err == nil {
			l.Did, l.Note = s.steps(r, hits), whyFell(r)
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
	if l.Problem == "" && q.ID == "" && l.Note == "" {
		l.Note = s.encodedBy(n)
	}
	if l.Problem == "" {
		if err := s.noteLoss(&l, n, q, filter); err != nil {
			return l, nil, err
		}
	}
	return l, hits, nil
}

// encodedStatic says that the static encoder encoded a typed query, "" where there is none: a backend did.
func (s *Session) encodedStatic() string {
	if s.encoder == nil {
		return ""
	}
	return "Typed query: encoded by " + s.encoder.Name() + ", an approximation of " + s.encoder.Teacher() + "."
}

// idf is what a matched term is worth in an excerpt: ln(1 + (N − df + 0.5)/(df + 0.5)).
func (s *Session) idf(term string) float64 {
	df := 0.0
	if id, ok := s.b.Index.ID(term); ok {
		df = float64(s.b.Index.DF(index.Contents, id))
	}
	return float.Log(1 + (float64(s.b.Index.Docs())-df+0.5)/(df+0.5))
}

func (s *Session) now() float64 {
	if s.Clock == nil {
		return 0
	}
	return s.Clock()
}

// agreement returns the share of the first depth documents of b that are among the first depth of a, and the rank-biased
// overlap of the two lists.
func agreement(a, b []rank.Hit, depth int) (overlap, rbo float64) {
	a, b = a[:min(len(a), agreementDepth)], b[:min(len(b), agreementDepth)]
	x, y := make([]uint32, len(a)), make([]uint32, len(b))
	for i, h := range a {
		x[i] = h.Doc
	}
	for i, h := range b {
		y[i] = h.Doc
	}
	n, both := min(depth, len(y)), 0
	for _, d := range y[:n] {
		if slices.Contains(x[:min(depth, len(x))], d) {
			both++
		}
	}
	if n > 0 {
		overlap = float64(both) / float64(n)
	}
	return overlap, rankBiasedOverlap(x, y)
}

// notLoaded stands where a text would. The ranking needs none; the next search fetches it again, and the page searches again by itself when the network is back.
const notLoaded = "The text of this document could not be loaded. Rank and score do not depend on it. Search again when you are online."

// describe fills the hits of a list: depth documents, each with the near-duplicates that follow it within the next few.
func (s *Session) describe(l *List, hits []rank.Hit, ranks []map[uint32]int, qi, depth int, mark *marker) {
	var shown []uint32
	for _, h := range hits {
		twin := slices.IndexFunc(shown, func(other uint32) bool { return s.twins(h.Doc, other) })
		if twin < 0 && len(l.Hits) == depth {
			break
		}
		c := s.b.Cards[h.Doc]
		f := Found{Ordinal: int(h.Doc), ID: c.ID, Part: s.b.Part(c.ID), Date: c.Date, Category: c.Category,
			Score: h.Score, Grade: NoGrade}
		for _, r := range ranks {
			f.Ranks = append(f.Ranks, r[h.Doc])
		}
		if qi >= 0 {
			if g, ok := s.grades[qi][h.Doc]; ok {
				f.Grade = int(g)
			}
		}
		if twin >= 0 {
			f.Title = []Segment{{Text: c.Title}}
			l.Hits[twin].Twins = append(l.Hits[twin].Twins, f)
			continue
		}
		var whole bool
		f.Title, f.Snippet, whole = s.mark(mark, h.Doc)
		l.Again = l.Again || !whole
		for _, e := range c.Entities {
			f.Entities = append(f.Entities, e.Name)
		}
		l.Hits = append(l.Hits, f)
		shown = append(shown, h.Doc)
	}
}

// mark returns the title of a document and an excerpt of its text, with the words of the query marked; whole is false where its text is missing. The words of a document stay for the next
// query: finding and stemming them is most of what a keystroke would cost.
func (s *Session) mark(m *marker, doc uint32) (title, excerpt []Segment, whole bool) {
	heading := s.b.Cards[doc].Title
	t, there := s.fetched(int(doc))
	if !there {
		why := s.textMissing(int(doc))
		return m.whole(heading), []Segment{{Text: why}}, why != notLoaded
	}
	w, kept := s.words[doc]
	if !kept {
		if len(s.words) >= maxWords {
			clear(s.words)
		}
		w = [2][]word{m.words(heading), m.words(t)}
		s.words[doc] = w
	}
	return m.split(heading, w[0], 0, len(heading)), m.excerpt(t, w[1]), true
}

// maxWords is of how many documents a session keeps the words: about ten kilobytes each.
const maxWords = 1000
