package experiment

import (
	"errors"
	"math"
	"strings"

	"github.com/rankbox/rankbox/core/bundle"
	"github.com/rankbox/rankbox/core/encoder"
	"github.com/rankbox/rankbox/core/index"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/rank/dense"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/significance"
	"github.com/rankbox/rankbox/core/stage"
)

// Session answers questions about one open collection. It keeps what it built (indexes by analyzer, rankers by pipeline, texts
// by shard) for the next question. It is not safe for use by several goroutines at once.
type Session struct {
	// Clock returns a time in microseconds, for List.Micros; nil for no times.
	Clock func() float64

	b       *bundle.Bundle
	fetch   bundle.Fetch
	shards  map[int][]string
	shingle map[uint32][]uint64
	twin    map[[2]uint32]bool   // whether two documents are near-duplicates
	words   map[uint32][2][]word // a document: of its title and of its text
	indexes map[string]*index.Index
	vectors map[string]*bundle.Vectors
	added   []*bundle.Vectors         // models that came after the collection was opened
	brought                           // what else came then
	encoder *encoder.Static           // of typed queries, nil where none was given
	encoded map[string]*dense.Vectors // a model: the documents in the encoder's space
	rankers []built                   // the one that was built or set last at the end
	wanted  []string                  // the pipelines of the present question
	held    []string                  // those of an evaluation in whose midst other questions are answered: their rankers stay as they are
	runs    map[string]*run
	stored  map[string]map[string][]rank.Hit // runs that were given, by name and query
	grades  []map[uint32]int32               // a query: ordinal → grade
	pool    [][]int32                        // a query: the grades of all judged documents, in the order of the qrels
	top     int32                            // the highest grade, at least 1
	query   map[string]int
}

// run is what one pipeline answers to every judged query.
type run struct {
	hits  [][]rank.Hit // a query of the collection; nil if it has no judgments or could not be answered
	depth int
	why   string
}

// NewSession returns a session over b. fetch gets texts and vectors when they are needed; it may be called by several goroutines
// at once.
func NewSession(b *bundle.Bundle, fetch bundle.Fetch) *Session {
	s := &Session{b: b, fetch: fetch, shards: map[int][]string{}, shingle: map[uint32][]uint64{}, twin: map[[2]uint32]bool{}, words: map[uint32][2][]word{}, runs: map[string]*run{}, vectors: map[string]*bundle.Vectors{},
		encoded: map[string]*dense.Vectors{}, top: 1,
		indexes: map[string]*index.Index{b.Manifest.Analyzer: b.Index}, query: map[string]int{}}
	s.grades = make([]map[uint32]int32, len(b.Queries))
	s.pool = make([][]int32, len(b.Queries))
	for i, q := range b.Queries {
		s.query[q.ID] = i
		s.grades[i] = map[uint32]int32{}
	}
	for _, j := range b.Judgments {
		s.pool[j.Query] = append(s.pool[j.Query], int32(j.Grade))
		s.top = max(s.top, int32(j.Grade))
		if d, ok := b.Ordinal(j.Doc); ok {
			s.grades[j.Query][uint32(d)] = int32(j.Grade)
		}
	}
	return s
}

// Bundle returns the collection.
func (s *Session) Bundle() *bundle.Bundle { return s.b }

// Needs fetches what stands behind the queries, by their places; nil where the collection says nothing of it.
func (s *Session) Needs() ([]bundle.Need, error) { return s.b.Needs(s.fetch) }

// Ref describes the collection.
func (s *Session) Ref() report.Ref {
	m := s.b.Manifest
	return report.Ref{ID: m.ID, Name: m.Name, Hash: m.Hash, Licence: m.Licence, Documents: m.Documents,
		Queries: m.Queries, Judgments: m.Judgments, Analyzer: m.Analyzer,
		Elsewhere: s.elsewhere()}
}

// Queries describes the judged queries.
func (s *Session) Queries() []report.Query {
	out := make([]report.Query, len(s.b.Queries))
	for i, q := range s.b.Queries {
		out[i] = report.Query{ID: q.ID, Text: q.Text, Type: q.Type, Difficulty: q.Difficulty}
		for _, g := range s.pool[i] {
			if g >= 1 {
				out[i].Relevant++
			}
		}
	}
	return out
}

// topic fills what measures see of a ranking for query i (which must be one of the collection's).
func (s *Session) topic(t *measure.Topic, i int, hits []rank.Hit) {
	t.Reset()
	t.Query, t.TopGrade = s.b.Queries[i].ID, s.top
	t.Ranked = make([]int32, len(hits))
	for j, h := range hits {
		g, ok := s.grades[i][h.Doc]
		if !ok {
			g = measure.Unjudged
		}
		t.Ranked[j] = g
	}
	t.Judged = s.pool[i]
}

// parse returns the pipelines and measures of a spec.
func parse(spec Spec) ([]*pipeline.Node, []measure.Measure, error) {
	var nodes []*pipeline.Node
	for i, text := range spec.Systems {
		n, err := stage.Parse(text)
		if err != nil {
			return nil, nil, say.Faultf("experiment", "system %s: %w", say.Letter(i), err)
		}
		nodes = append(nodes, n)
	}
	names := spec.Measures
	if len(names) == 0 {
		names = measure.Defaults()
	}
	var ms []measure.Measure
	for _, text := range names {
		m, err := measure.Parse(text)
		if err != nil {
			return nil, nil, say.Faultf("experiment", "measure %s: %w", text, err)
		}
		ms = append(ms, m)
	}
	return nodes, ms, nil
}

// queryOf returns the query of a spec and its number, −1 where it is typed.
func (s *Session) queryOf(spec Spec) (rank.Query, int, error) {
	if spec.QueryID == "" {
		return rank.Query{Text: spec.Query}, -1, nil
	}
	i, ok := s.query[spec.QueryID]
	if !ok {
		return rank.Query{}, 0, say.Faultf("experiment", "%s has no query %q", s.b.Manifest.Name, spec.QueryID)
	}
	return rank.Query{ID: spec.QueryID, Text: s.b.Queries[i].Text}, i, nil
}

// notFetched is why a file that a system needs is not there; another attempt may bring it.
type notFetched struct{ error }

func (e notFetched) Unwrap() error { return e.error }

// NotFetched reports whether an error is of a file that could not be fetched: another attempt may bring it.
func NotFetched(err error) bool {
	_, is := errors.AsType[notFetched](err)
	return is
}

// problem returns the sentence for a list that cannot be made, or the error where it is not about the query.
func problem(err error) (string, error) {
	var u *rank.Unanswerable
	if errors.As(err, &u) {
		return strings.ToUpper(u.Reason[:1]) + u.Reason[1:] + ".", nil
	}
	return "", err
}

// JudgedIDs returns the ids of the queries that have judgments.
func (s *Session) JudgedIDs() map[string]bool {
	out := map[string]bool{}
	for i, q := range s.b.Queries {
		if len(s.pool[i]) > 0 {
			out[q.ID] = true
		}
	}
	return out
}

// rankBiasedOverlap returns the extrapolated rank-biased overlap of two rankings; NaN where one is empty.
func rankBiasedOverlap(a, b []uint32) float64 {
	o, err := significance.RBO(a, b, significance.Persistence)
	if err != nil {
		return math.NaN()
	}
	return o.Ext
}
