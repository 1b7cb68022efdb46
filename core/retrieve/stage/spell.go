//go:build !first

package stage

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/spell"
	"github.com/rankbox/rankbox/core/text"
)

// Spell searches with words that the collection holds.
var Spell = &Stage{
	local: "the words of the documents",
	Stage: pipeline.Stage{
		Name: "spell",
		Role: pipeline.Transformer,
		Doc: "Suggests the nearest word of the collection for each word of the query that no document contains. If the " +
			"stages before it find nothing for the original query, they search again with these words. The vector of " +
			"a judged query does not change.",
		Formula: "at most edits letters changed, added, left out or swapped with a neighbour; fewest edits first, then " +
			"slips of the hand (a neighbouring key of a QWERTY keyboard, a letter doubled or not, a swap), then the " +
			"word in most documents; the first letter holds, words of three letters and fewer stay",
		Source: "Lucene's DirectSpellChecker; Damerau 1964, A Technique for Computer Detection and Correction of " +
			"Spelling Errors",
		Params: []pipeline.Param{
			{Name: "edits", Kind: pipeline.Integer, Default: "2", Min: 1, Max: 2, Doc: "How many letters may differ."},
		},
		Label: func(n *pipeline.Node) string { return feedbackLabel(n, "spelling") },
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		x, a, err := Analyzed(c)
		if err != nil {
			return nil, err
		}
		return over(c, n, func(input Ranker) (rank.Ranker, func(*pipeline.Node) error, error) {
			s := &spelling{Ranker: input, c: c, x: x, analyzer: a}
			return s, func(n *pipeline.Node) error { s.edits = n.Integer("edits"); return nil }, nil
		})
	},
}

// spelling ranks for a query as it is written, and for one whose unknown words were replaced where that finds nothing.
type spelling struct {
	rank.Ranker
	c        Collection
	x        *index.Index
	analyzer *text.Analyzer
	edits    int
	said     string // the query with those words, "" if no word has another
	unknown  bool   // a word of the query is in no document
	offered  bool   // it did not, as the query finds something as it is written
}

// respelt returns the query with known words in the place of unknown ones.
func (s *spelling) respelt(q rank.Query) rank.Query {
	s.said, s.unknown = "", false
	out, last := "", 0
	s.analyzer.Each(q.Text, func(term string, start, end int) {
		if _, known := s.x.ID(term); known {
			return
		}
		s.unknown = true
		for _, g := range spell.Likeliest(s.x, term, 10) {
			// a word that would be cut shorter once more is not found by its own spelling
			word := s.written(g.Term)
			if again := s.analyzer.Terms(word); g.Edits > s.edits || len(again) != 1 || again[0] != g.Term {
				continue
			}
			out, last = out+q.Text[last:start]+word, end
			return
		}
	})
	if last == 0 {
		return q
	}
	q.Text = out + q.Text[last:]
	s.said = q.Text
	return q
}

// readFor is in how many documents the written form of a term is looked up.
const readFor = 5

// written returns the whole word of a stem: the most frequent spelling in the first documents that contain it.
func (s *spelling) written(term string) string {
	id, ok := s.x.ID(term)
	if !ok {
		return term
	}
	var docs []uint32
	list := s.x.List(id)
	for _, p := range list.Postings[:min(readFor, list.Len())] {
		docs = append(docs, p.Doc())
	}
	return surface(s.c, s.analyzer, []string{term}, docs)[0]
}

// Rank implements rank.Ranker.
func (s *spelling) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	hits, err := s.Ranker.Rank(q, k, f, dst)
	again := s.respelt(q)
	if s.offered = len(hits) > 0; err != nil || s.offered || s.said == "" {
		return hits, err
	}
	return s.Ranker.Rank(again, k, f, hits)
}

// Account implements rank.Accountable.
func (s *spelling) Account() rank.Account {
	switch {
	case !s.unknown:
		return rank.Account{Idle: true, Note: "Every word of the query is in the collection"}
	case s.said == "":
		return rank.Account{Idle: true, Note: "No word of the collection is near a word that it lacks"}
	case s.offered:
		return rank.Account{Note: "Did you mean “" + say.Visible(s.said) + "”? Nothing was changed"}
	}
	return rank.Account{Note: "Nothing was found as written. Searched instead: “" + say.Visible(s.said) + "”"}
}

// Explain implements rank.Ranker.
func (s *spelling) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	hits, err := s.Ranker.Rank(q, 1, f, nil)
	if err != nil {
		return rank.Part{}, err
	}
	again := s.respelt(q)
	if s.offered = len(hits) > 0; !s.offered {
		q = again
	}
	p, err := s.Ranker.Explain(q, f, d)
	out := rank.Part{Score: p.Score, Parts: []rank.Part{rank.Before(p)}}
	if s.said != "" {
		out.Note = s.Account().Note + "."
	}
	return out, err
}
