package experiment

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/bundle"
	"github.com/rankbox/rankbox/core/float"
	"github.com/rankbox/rankbox/core/index"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/rank/bm25"
	"github.com/rankbox/rankbox/core/rank/dense"
	"github.com/rankbox/rankbox/core/rank/fuse"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/text"
)

// Depth is how many documents of every ranking are measured.
const Depth = 100

// DefaultMeasures are the columns of a comparison that names none.
var DefaultMeasures = []string{"nDCG@10", "AP", "RR", "R@20", "Judged@10"}

// Session answers questions about one open collection. It keeps what it built (indexes by analyzer, rankers by pipeline, texts
// by shard) for the next question. It is not safe for use by several goroutines at once.
type Session struct {
	// Clock returns a time in microseconds, for List.Micros; nil for no times.
	Clock func() float64

	b       *bundle.Bundle
	fetch   bundle.Fetch
	shards  map[int][]string
	shingle map[int]map[uint64]struct{}
	indexes map[string]*index.Index
	vectors map[string]*bundle.Vectors
	rankers map[string]rank.Ranker
	runs    map[string]*run
	grades  []map[uint32]int32 // a query: ordinal → grade
	pool    [][]int32          // a query: the grades of all judged documents, in the order of the qrels
	query   map[string]int
}

// run is what one pipeline answers to every judged query.
type run struct {
	hits    [][]rank.Hit
	missing int
	why     string
}

// NewSession returns a session over b. fetch gets texts and vectors when they are needed; it may be called by several goroutines
// at once.
func NewSession(b *bundle.Bundle, fetch bundle.Fetch) *Session {
	s := &Session{b: b, fetch: fetch, shards: map[int][]string{}, shingle: map[int]map[uint64]struct{}{}, rankers: map[string]rank.Ranker{}, runs: map[string]*run{}, vectors: map[string]*bundle.Vectors{},
		indexes: map[string]*index.Index{b.Manifest.Analyzer: b.Index}, query: map[string]int{}}
	s.grades = make([]map[uint32]int32, len(b.Queries))
	s.pool = make([][]int32, len(b.Queries))
	for i, q := range b.Queries {
		s.query[q.ID] = i
		s.grades[i] = map[uint32]int32{}
	}
	for _, j := range b.Judgments {
		s.pool[j.Query] = append(s.pool[j.Query], int32(j.Grade))
		if d, ok := b.Ordinal(j.Doc); ok {
			s.grades[j.Query][uint32(d)] = int32(j.Grade)
		}
	}
	return s
}

// Bundle returns the collection.
func (s *Session) Bundle() *bundle.Bundle { return s.b }

// Ref describes the collection.
func (s *Session) Ref() Ref {
	m := s.b.Manifest
	return Ref{ID: m.ID, Name: m.Name, Hash: m.Hash, Licence: m.Licence, Documents: m.Documents, Queries: m.Queries, Judgments: m.Judgments, Analyzer: m.Analyzer}
}

// Topics describes the judged queries.
func (s *Session) Topics() []Topic {
	out := make([]Topic, len(s.b.Queries))
	for i, q := range s.b.Queries {
		out[i] = Topic{ID: q.ID, Text: q.Text, Type: q.Type, Difficulty: q.Difficulty}
		for _, g := range s.pool[i] {
			if g >= 1 {
				out[i].Relevant++
			}
		}
	}
	return out
}

// text returns the text of document d, fetching its shard where it is not there yet.
func (s *Session) text(d int) (string, error) {
	n := d / s.b.Manifest.Shard
	t, ok := s.shards[n]
	if !ok {
		var err error
		if t, _, err = s.b.Texts(d, s.fetch); err != nil {
			return "", err
		}
		s.shards[n] = t
	}
	return t[d%s.b.Manifest.Shard], nil
}

// need fetches the shards of the texts of documents that are not there yet, all at once.
func (s *Session) need(docs []int) error {
	missing := map[int]int{} // shard → one of its documents
	for _, d := range docs {
		n := d / s.b.Manifest.Shard
		if _, ok := s.shards[n]; !ok {
			missing[n] = d
		}
	}
	type answer struct {
		shard int
		texts []string
		err   error
	}
	answers := make(chan answer, len(missing))
	for n, d := range missing {
		go func() {
			t, _, err := s.b.Texts(d, s.fetch)
			answers <- answer{n, t, err}
		}()
	}
	var first error
	for range missing {
		a := <-answers
		if a.err != nil {
			first = a.err
			continue
		}
		s.shards[a.shard] = a.texts
	}
	return first
}

// index returns the index by an analyzer ("" for the collection's own), building it from the texts at the first time.
func (s *Session) index(analyzer string) (*index.Index, error) {
	if analyzer == "" {
		analyzer = s.b.Manifest.Analyzer
	}
	if x, ok := s.indexes[analyzer]; ok {
		return x, nil
	}
	an, err := text.Get(analyzer)
	if err != nil {
		return nil, err
	}
	all := make([]int, len(s.b.Cards))
	for d := range all {
		all[d] = d
	}
	if err := s.need(all); err != nil {
		return nil, err
	}
	b := index.NewBuilder(an)
	for d, c := range s.b.Cards {
		t, err := s.text(d)
		if err != nil {
			return nil, err
		}
		b.Add(c.Title, t)
	}
	x := b.Build()
	s.indexes[analyzer] = x
	return x, nil
}

// keep is how many rankers and runs are kept: sliders make many.
const keep = 64

// Ranker returns the ranker of a pipeline. Errors name the stage that cannot be built on this collection.
func (s *Session) Ranker(n *pipeline.Node) (rank.Ranker, error) {
	key := n.String()
	if r, ok := s.rankers[key]; ok {
		return r, nil
	}
	r, err := s.build(n)
	if err != nil {
		return nil, err
	}
	if len(s.rankers) >= keep {
		clear(s.rankers)
	}
	s.rankers[key] = r
	return r, nil
}

func (s *Session) build(n *pipeline.Node) (rank.Ranker, error) {
	make, ok := rooms[n.Stage.Name]
	if !ok {
		return nil, fmt.Errorf("experiment: stage %s: this version cannot run it", n.Stage.Name)
	}
	return make(s, n)
}

// rooms builds each stage of the pipelines: one line a stage.
var rooms map[string]func(s *Session, n *pipeline.Node) (rank.Ranker, error)

func init() {
	rooms = map[string]func(s *Session, n *pipeline.Node) (rank.Ranker, error){
		"bm25":  buildBM25,
		"dense": buildDense,
		"rrf":   buildRRF,
		"cut":   buildCut,
	}
}

func buildBM25(s *Session, n *pipeline.Node) (rank.Ranker, error) {
	x, err := s.index(n.Word("analyzer"))
	if err != nil {
		return nil, err
	}
	p := bm25.Params{Variant: n.Word("variant"), K1: n.Number("k1"), B: n.Number("b"), Title: n.Number("title"), Delta: n.Number("delta"), Epsilon: n.Number("epsilon"), Exact: n.Bool("exact")}
	return bm25.New(x, p)
}

func buildDense(s *Session, n *pipeline.Node) (rank.Ranker, error) {
	var have []string
	for _, m := range s.b.Manifest.Models {
		if m.Name == n.Word("model") {
			return &lazyDense{s: s, model: m}, nil
		}
		have = append(have, m.Name)
	}
	return nil, &rank.Unanswerable{Stage: "dense", Reason: fmt.Sprintf("%s has no vectors of the model %q (it has: %v)", s.b.Manifest.Name, n.Word("model"), have)}
}

// lazyDense fetches its vectors when the first query comes that has one.
type lazyDense struct {
	s     *Session
	model bundle.Model
	r     *dense.Ranker
}

func (l *lazyDense) ranker(q rank.Query) (*dense.Ranker, error) {
	if q.ID == "" {
		return nil, dense.NoVector(l.model.Label)
	}
	if l.r != nil {
		return l.r, nil
	}
	v := l.s.vectors[l.model.Name]
	if v == nil {
		var err error
		if v, _, err = l.s.b.Vectors(l.model.Name, l.s.fetch); err != nil {
			return nil, err
		}
		l.s.vectors[l.model.Name] = v
	}
	var err error
	l.r, err = dense.New(l.model.Label, v.Docs, v.Queries, v.QueryIDs)
	return l.r, err
}

// Rank implements rank.Ranker.
func (l *lazyDense) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	r, err := l.ranker(q)
	if err != nil {
		return dst[:0], err
	}
	return r.Rank(q, k, f, dst)
}

// Explain implements rank.Ranker.
func (l *lazyDense) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	r, err := l.ranker(q)
	if err != nil {
		return rank.Part{}, err
	}
	return r.Explain(q, f, d)
}

func buildRRF(s *Session, n *pipeline.Node) (rank.Ranker, error) {
	r := &fuse.RRF{K: n.Number("k"), Depth: n.Integer("depth")}
	for _, a := range n.Args {
		l, err := s.build(a) // its own instance: rankers reuse their memory
		if err != nil {
			return nil, err
		}
		r.Lists = append(r.Lists, l)
		r.Names = append(r.Names, a.String())
	}
	return r, nil
}

func buildCut(s *Session, n *pipeline.Node) (rank.Ranker, error) {
	r, err := s.build(n.Input)
	if err != nil {
		return nil, err
	}
	return fuse.Cut{Ranker: r, N: n.Integer("n")}, nil
}

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

// topic fills what measures see of a ranking for query i (which must be one of the collection's).
func (s *Session) topic(t *measure.Topic, i int, hits []rank.Hit) {
	t.Reset()
	t.Query = s.b.Queries[i].ID
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
		n, err := pipeline.Parse(text)
		if err != nil {
			return nil, nil, fmt.Errorf("experiment: system %s: %w", say.Letter(i), err)
		}
		nodes = append(nodes, n)
	}
	names := spec.Measures
	if len(names) == 0 {
		names = DefaultMeasures
	}
	var ms []measure.Measure
	for _, text := range names {
		m, err := measure.Parse(text)
		if err != nil {
			return nil, nil, fmt.Errorf("experiment: measure %s: %w", text, err)
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
		return rank.Query{}, 0, fmt.Errorf("experiment: %s has no query %q", s.b.Manifest.Name, spec.QueryID)
	}
	return rank.Query{ID: spec.QueryID, Text: s.b.Queries[i].Text}, i, nil
}

// problem returns the sentence for a list that cannot be made, or the error where it is not about the query.
func problem(err error) (string, error) {
	var u *rank.Unanswerable
	if errors.As(err, &u) {
		return strings.ToUpper(u.Reason[:1]) + u.Reason[1:] + ".", nil
	}
	return "", err
}

// Search answers the query of spec with every system: Depth documents a list of which those that spec asks for are described,
// near-duplicates folded under the first of them.
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
	rankings := make([][]rank.Hit, len(nodes))
	ranks := make([]map[uint32]int, len(nodes))
	var topic measure.Topic
	for i, n := range nodes {
		l := List{Notation: n.String(), Label: n.Label(), Overlap: math.NaN(), RBO: math.NaN()}
		ranks[i] = map[uint32]int{}
		var hits []rank.Hit
		r, err := s.Ranker(n)
		if err == nil {
			start := s.now()
			hits, err = r.Rank(q, Depth, filter, nil)
			l.Micros = s.now() - start
		}
		if err != nil {
			if l.Problem, err = problem(err); err != nil {
				return nil, err
			}
		}
		rankings[i] = hits
		for j, h := range hits {
			ranks[i][h.Doc] = j + 1
		}
		if qi >= 0 && l.Problem == "" {
			s.topic(&topic, qi, hits)
			for _, m := range ms {
				l.Scores = append(l.Scores, m.Score(&topic))
			}
		}
		if qi >= 0 && l.Problem != "" {
			l.Scores = make([]float64, len(ms))
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
	if err := s.need(shown); err != nil {
		return nil, err
	}
	for i := range out.Lists {
		l := &out.Lists[i]
		if i > 0 && l.Problem == "" && out.Lists[0].Problem == "" {
			l.Overlap, l.RBO = agreement(rankings[0], rankings[i], depth)
		}
		if err := s.describe(l, rankings[i], ranks, qi, depth, mark); err != nil {
			return nil, err
		}
	}
	return out, nil
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

// describe fills the hits of a list: depth documents, each with the near-duplicates that follow it within the next few.
func (s *Session) describe(l *List, hits []rank.Hit, ranks []map[uint32]int, qi, depth int, mark *marker) error {
	var shown []map[uint64]struct{}
	for _, h := range hits {
		t, err := s.text(int(h.Doc))
		if err != nil {
			return err
		}
		sh := s.shinglesOf(int(h.Doc), t)
		twin := -1
		for i, other := range shown {
			if alike(sh, other) >= twinLevel {
				twin = i
				break
			}
		}
		if twin < 0 && len(l.Hits) == depth {
			break
		}
		c := s.b.Cards[h.Doc]
		f := Found{Ordinal: int(h.Doc), ID: c.ID, Date: c.Date, Category: c.Category, Score: h.Score, Grade: NoGrade}
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
		f.Title = mark.split(c.Title)
		f.Snippet = mark.excerpt(t)
		for _, e := range c.Entities {
			f.Entities = append(f.Entities, e.Name)
		}
		l.Hits = append(l.Hits, f)
		shown = append(shown, sh)
	}
	return nil
}

func (s *Session) shinglesOf(d int, t string) map[uint64]struct{} {
	sh, ok := s.shingle[d]
	if !ok {
		sh = shingles(t)
		s.shingle[d] = sh
	}
	return sh
}

// Explain says why a document has its score in one system's list.
func (s *Session) Explain(spec Spec, at Focus) (*Why, error) {
	nodes, _, err := parse(spec)
	if err != nil {
		return nil, err
	}
	if at.System < 0 || at.System >= len(nodes) {
		return nil, fmt.Errorf("experiment: explain: there is no system %d", at.System)
	}
	q, qi, err := s.queryOf(spec)
	if err != nil {
		return nil, err
	}
	d, ok := s.b.Ordinal(at.Document)
	if !ok {
		return nil, fmt.Errorf("experiment: %s has no document %q", s.b.Manifest.Name, at.Document)
	}
	an, err := text.Get(s.b.Manifest.Analyzer)
	if err != nil {
		return nil, err
	}
	t, err := s.text(d)
	if err != nil {
		return nil, err
	}
	c := s.b.Cards[d]
	mark := newMarker(an, q.Text, func(string) float64 { return 1 })
	w := &Why{System: at.System, Grade: NoGrade, Document: Document{ID: c.ID, Title: c.Title, Text: t, Date: c.Date, Category: c.Category, Heading: mark.split(c.Title), Body: mark.split(t)}}
	for _, e := range c.Entities {
		w.Document.Entities = append(w.Document.Entities, e.Name)
	}
	if qi >= 0 {
		if g, ok := s.grades[qi][uint32(d)]; ok {
			w.Grade = int(g)
		}
	}
	filter := s.Filter(spec.Filter)
	r, err := s.Ranker(nodes[at.System])
	if err == nil {
		var hits []rank.Hit
		if hits, err = r.Rank(q, Depth, filter, nil); err == nil {
			for i, h := range hits {
				if int(h.Doc) == d {
					w.Rank = i + 1
				}
			}
			w.Part, err = r.Explain(q, filter, uint32(d))
		}
	}
	if err != nil {
		if w.Problem, err = problem(err); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// Judged returns the ids of the queries that have judgments.
func (s *Session) Judged() map[string]bool {
	out := map[string]bool{}
	for i, q := range s.b.Queries {
		if len(s.pool[i]) > 0 {
			out[q.ID] = true
		}
	}
	return out
}
