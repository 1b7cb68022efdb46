package experiment

import (
	"errors"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Session answers questions about one open collection. It keeps what it built (indexes by analyzer, rankers by
// pipeline, texts by shard) for the next question. It is not safe for use by several goroutines at once.
type Session struct {
	Clock   func() float64 // returns a time in microseconds, for List.Micros; nil for no times
	Fetch   bundle.Fetch   // gets a file of the collection
	Texts   *Texts
	Models  *Models
	Queries *Queries
	Runs    *Runs
	Rankers *Rankers

	b        *bundle.Bundle
	backends backends
	parts    parts           // the session as stages see it
	answered map[string]*run // what pipelines answer to the judged queries
}

// NewSession returns a session over b. fetch gets texts and vectors when they are needed; it may be called by several
// goroutines at once.
func NewSession(b *bundle.Bundle, fetch bundle.Fetch) *Session {
	return newSession(b, fetch, newTexts(b, fetch), newModels(b, fetch))
}

func newSession(b *bundle.Bundle, fetch bundle.Fetch, texts *Texts, models *Models) *Session {
	s := &Session{Fetch: fetch, Texts: texts, Models: models, Queries: newQueries(b), b: b, answered: map[string]*run{}}
	s.Runs = &Runs{b, fetch, s.Queries, map[string]map[string][]rank.Hit{}, map[string]map[string][]rank.Hit{}}
	s.parts = parts{texts, s.Runs, s}
	s.Rankers = &Rankers{over: s.parts}
	return s
}

// Adopt returns a session over the same documents with other queries and judgments. A judgment's Query is an index into
// queries, hash the content hash of the collection with them. Indexes, texts and vectors that were fetched are shared,
// so s may only be used for another Adopt.
func (s *Session) Adopt(queries []collection.Query, judgments []bundle.Judgment, hash string) *Session {
	m, b := *s.b.Manifest, *s.b
	m.Queries, m.Judgments, m.Hash = len(queries), len(judgments), hash
	b.Manifest, b.Queries, b.Judgments = &m, queries, judgments
	n := newSession(&b, s.Fetch, s.Texts, s.Models)
	n.Clock, n.backends, n.Runs.given, n.Runs.fetched = s.Clock, s.backends, s.Runs.given, s.Runs.fetched
	return n
}

// Bundle returns the collection.
func (s *Session) Bundle() *bundle.Bundle { return s.b }

// Ref describes the collection.
func (s *Session) Ref() report.Ref {
	m := s.b.Manifest
	_, chunked := m.File(bundle.ChunksName)
	static := slices.ContainsFunc(m.Models, func(x bundle.Model) bool {
		return x.Static() && x.Name == bundle.StaticName
	})
	return report.Ref{ID: m.ID, Name: m.Name, Hash: m.Hash, Licence: m.Licence, Documents: m.Documents,
		Queries: m.Queries, Judgments: m.Judgments, Analyzer: m.Analyzer,
		Elsewhere: s.Texts.elsewhere(), Chunked: chunked, Static: static}
}

// SetRun gives the session a stored run under a name, for stages that rank by it. It returns how many of its lines it
// left out because the collection has no such query or document.
func (s *Session) SetRun(name string, r *collection.Run) (unknown int) {
	s.changed()
	return s.Runs.set(name, r)
}

// DropRun takes a stored run away.
func (s *Session) DropRun(name string) {
	s.changed()
	delete(s.Runs.given, name)
}

// SetEncoder gives the session an encoder of typed queries: dense stages answer them from now on, where the collection
// has their documents in its space. nil takes it away.
func (s *Session) SetEncoder(e *encoder.Static) {
	if s.Models.encoder != e {
		s.Models.encoder, s.Rankers.built = e, nil
		for notation, done := range s.answered {
			if done.why != "" { // it may answer those queries now
				delete(s.answered, notation)
			}
		}
	}
}

// changed forgets what was built and answered: something that systems rank by is another.
func (s *Session) changed() {
	s.Rankers.built = nil
	clear(s.answered)
}

// parts is a session as stages see it.
type parts struct {
	*Texts
	*Runs
	s *Session
}

// Name implements stage.Collection.
func (p parts) Name() string { return p.s.b.Manifest.Name }

// Models implements stage.Collection.
func (p parts) Models() stage.ModelOutputs { return p.s.Models }

// Now is the time in microseconds, for what the stages take.
func (p parts) Now() float64 {
	if p.s.Clock == nil {
		return 0
	}
	return p.s.Clock()
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

// request is a spec as it is answered.
type request struct {
	nodes    []*pipeline.Node
	measures []measure.Measure
	query    rank.Query
	place    int // of the query in the collection, −1 if it is typed
}

func (s *Session) ask(spec Spec) (q request, err error) {
	if q.nodes, q.measures, err = parse(spec); err == nil {
		q.query, q.place, err = s.Queries.of(spec)
	}
	return q, err
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
