//go:build !first

package stage

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// Edged is a Collection that can ask backends behind an edge.
type Edged interface {
	// Edge returns the edge, nil where none was ever given.
	Edge() *remote.Edge
}

// backendParam is how a stage names a backend.
func backendParam(doc string) pipeline.Param {
	return pipeline.Param{Name: "backend", Kind: pipeline.Word, Fixed: true, Doc: doc}
}

// Backends returns the backends that a pipeline names, in the order in which they are written, each once.
func Backends(n *pipeline.Node) []string {
	var out []string
	if n.Unread() {
		return nil
	}
	n.Walk(func(m *pipeline.Node) {
		if m.Stage.Param("backend") == nil {
			return
		}
		if b := m.Word("backend"); b != "" && !slices.Contains(out, b) {
			out = append(out, b)
		}
	})
	return out
}

// EmbedsDocuments is the backend that makes the vectors of documents for a stage, "" where none does.
func EmbedsDocuments(m *pipeline.Node) string {
	if m.Stage != &Dense.Stage || m.Word("model") != ofBackend {
		return ""
	}
	return m.Word("backend")
}

// FellBack returns the backends that did not answer for the last query that r ranked, or not for all of its
// documents, so that the order before them stands.
func FellBack(r Ranker) []string {
	var out []string
	for _, s := range Steps(r) {
		if (s.Aside || s.Part) && s.Node.Stage == &Rerank.Stage && s.Node.Word("backend") != "" {
			out = append(out, s.Node.Word("backend"))
		}
	}
	return out
}

// WhyFell says why the first of those backends did not answer, "" where all did.
func WhyFell(r Ranker) string {
	for _, s := range Steps(r) {
		if (s.Aside || s.Part) && s.Node.Stage == &Rerank.Stage && s.Node.Word("backend") != "" {
			return s.Note
		}
	}
	return ""
}

// Asked says which backends had a part in the last ranking of r, a sentence each, one behind the other; "" where none
// had.
func Asked(r Ranker) string {
	var out []string
	for _, s := range Steps(r) {
		if s.Ran && !s.Aside && !s.Part && s.Note != "" && s.Node.Stage.Param("backend") != nil &&
			s.Node.Word("backend") != "" {
			note, _, _ := strings.Cut(s.Note, "; ") // unknown documents are counted over all queries
			note, _, _ = strings.Cut(note, unconfirmed)
			out = append(out, note)
		}
	}
	return strings.Join(out, "; ")
}

// Strays is how many documents the backends found for the last query that r ranked which the collection does
// not have, of how many that they found.
func Strays(r Ranker) (n, of int) {
	m, ok := r.(*meter)
	if !ok {
		return 0, 0
	}
	m.walk(func(m *meter) {
		if w, ok := m.Ranker.(*ranker); ok && m.ran {
			if s, ok := w.Ranker.(*remoteSearch); ok {
				n, of = n+s.strays, of+s.strays+len(s.hits)
			}
		}
	})
	return n, of
}

// FoundNothing are the search backends that found no document for the last query that r ranked, each once.
func FoundNothing(r Ranker) (backends []string) {
	m, ok := r.(*meter)
	if !ok {
		return nil
	}
	m.walk(func(m *meter) {
		if w, ok := m.Ranker.(*ranker); ok && m.ran {
			if s, ok := w.Ranker.(*remoteSearch); ok && s.found == 0 && !slices.Contains(backends, s.backend) {
				backends = append(backends, s.backend)
			}
		}
	})
	return backends
}

// SayStrays says how many documents that is, of how many, in how many queries; of and queries are 0 if they are not
// counted.
func SayStrays(documents, of, queries int) string {
	text := say.Count(documents, "document that it found is", "documents that it found are")
	if of > 0 {
		text = say.Thousands(documents) + " of " + say.Count(of, "document", "documents") + " that it found " +
			say.Verb(documents, "is", "are")
	}
	text += " not in this collection"
	if queries > 0 {
		text = "in " + say.Count(queries, "query", "queries") + " " + text
	}
	return text
}

// remoteStage is what stages that ask a backend have in common.
type remoteStage struct {
	c       Collection
	backend string
	said    remote.Said // of the last answer
}

// edge returns the edge, and the error of a collection that has none.
func (s *remoteStage) edge() (*remote.Edge, error) {
	if x, ok := bare(s.c).(Edged); ok && x.Edge() != nil {
		return x.Edge(), nil
	}
	return nil, &rank.Unanswerable{Reason: "no edge is connected to ask the backend " + s.backend +
		": rankbox serve -config gives the page one, -edge URL the command line"}
}

// there says whether there is an edge, before anything is ranked.
func (s *remoteStage) there() error {
	_, err := s.edge()
	return err
}

// failed is the error of a query for which a backend did not answer.
func (s *remoteStage) failed(err error) error {
	if errors.Is(err, remote.ErrStopped) {
		return ErrStopped
	}
	switch e := err.(type) {
	case *remote.Changed:
		return fmt.Errorf("%w: %w", &rank.Unanswerable{Wrong: true, Reason: e.Said() +
			". Run again to ask it again"}, e)
	case *remote.Error:
		if e.Unknown {
			return fmt.Errorf("%w: %w", &rank.Unanswerable{Wrong: true, Reason: "the backend " + s.backend +
				" cannot be asked: " + e.Why}, e)
		}
		if e.Unasked {
			return fmt.Errorf("%w: %w", &rank.Unanswerable{Wrong: true, Reason: "the backend " + s.backend + ": " +
				e.Why}, e)
		}
		return fmt.Errorf("%w: %w", &rank.Unanswerable{Reason: "the backend " + s.backend + " did not answer: " +
			e.Why}, e)
	}
	return err
}

// name is the backend with its model, for people.
func (s *remoteStage) name() string {
	of := strings.TrimSpace(s.said.Model + " " + s.said.Revision)
	if of == "" {
		return s.backend
	}
	return s.backend + " (" + of + ")"
}

// behind says where the last answer came from: the beginning of the identity that the backend declares.
func (s *remoteStage) behind() string {
	text := ", behind the edge, which declares no identity"
	if s.said.Identity != "" {
		text = ", behind the edge, identity " + s.said.Identity[:12]
	}
	switch s.said.By {
	case "settings":
		text += " by mapping and settings, whatever was written to the index"
	case "point-in-time":
		text += " of one point in time"
	}
	if s.said.Unconfirmed != "" {
		text += unconfirmed + s.said.Unconfirmed
	}
	return text
}

// unconfirmed stands in a note before the reason why a backend may be another one.
const unconfirmed = ", not confirmed: "

// remoteScorer scores documents by a backend that reads query and document together.
type remoteScorer struct {
	remoteStage
	words  int                // of a text, behind its title; 0 for all
	of     rank.Query         // the last one
	scores map[uint32]float64 // of it, over all of its batches
}

func (s *remoteScorer) cut(tokens int) { s.words = tokens }

// Rank implements rank.Ranker: f says which documents are scored. They are asked for by number, so that another order
// is the same question.
func (s *remoteScorer) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	e, err := s.edge()
	if err != nil {
		return dst[:0], err
	}
	var numbers []uint32
	for w, bits := range f {
		for d := uint32(w) * 64; bits != 0; d, bits = d+1, bits>>1 {
			if bits&1 != 0 {
				numbers = append(numbers, d)
			}
		}
	}
	docs, err := s.texts(numbers)
	if err != nil {
		return dst[:0], err
	}
	scores, said, err := e.Rerank(s.backend, q.Text, docs)
	if err != nil {
		return dst[:0], s.failed(err)
	}
	s.said = said
	if said.FellBack != "" {
		return dst[:0], &rank.Unanswerable{Reason: "the backend " + s.backend +
			" did not answer: " + said.FellBack + ". So the order did not change"}
	}
	if s.scores == nil || s.of != q {
		s.scores, s.of = map[uint32]float64{}, q
	}
	dst = dst[:0]
	for i, d := range numbers {
		s.scores[d] = scores[i]
		dst = append(dst, rank.Hit{Doc: d, Score: scores[i]})
	}
	rank.Sort(dst)
	return dst[:min(k, len(dst))], nil
}

// texts are the documents as a reranker reads them. Those that are elsewhere are asked for all at once.
func (s *remoteScorer) texts(numbers []uint32) ([]remote.Doc, error) {
	docs := make([]remote.Doc, len(numbers))
	for i, d := range numbers {
		docs[i].ID = s.c.Card(d).ID
	}
	join := func(title, text string) string { return strings.TrimSpace(title + " " + firstWords(text, s.words)) }
	if there, err := fetchOutside(s, docs, join); there || err != nil {
		return docs, err
	}
	for i, d := range numbers {
		text, err := s.c.Text(d)
		if err != nil {
			return nil, err
		}
		docs[i].Text = join(s.c.Card(d).Title, text)
	}
	return docs, nil
}

// firstWords returns the first words of a text as they stand there, all of them where n is 0.
func firstWords(text string, n int) string {
	if n <= 0 {
		return text
	}
	inside := false
	for i, c := range text {
		space := unicode.IsSpace(c)
		if space && inside {
			if n--; n == 0 {
				return text[:i]
			}
		}
		inside = !space
	}
	return text
}

// Account implements rank.Accountable.
func (s *remoteScorer) Account() rank.Account {
	return rank.Account{Note: "Scored by the backend " + s.name() + s.behind()}
}

// Explain implements rank.Ranker: of the last query that was ranked.
func (s *remoteScorer) Explain(_ rank.Query, _ rank.Filter, d uint32) (rank.Part, error) {
	return rank.Part{Score: s.scores[d], Note: "The score is that of the backend " + s.name() +
		", asked through the edge: it reads query and document together, and gives no further explanation."}, nil
}

// buildRemoteDense builds dense retrieval whose queries are encoded by a backend.
func buildRemoteDense(c Collection, m Model, n *pipeline.Node) (Ranker, error) {
	r := &remoteDense{remoteStage: remoteStage{c: c, backend: n.Word("backend")}, model: m}
	if err := r.there(); err != nil {
		return nil, err
	}
	r.how.tune(n)
	return &ranker{Ranker: r, name: n.Stage.Name, set: func(n *pipeline.Node) error { r.how.tune(n); return nil }}, nil
}

// remoteDense ranks the collection's vectors by those that a backend makes of queries.
type remoteDense struct {
	remoteStage
	how   lazyDense // its settings
	model Model
}

// ranker returns what ranks for one query: stored vectors of documents, and the one that was made of it.
func (r *remoteDense) ranker(q rank.Query) (*dense.Tuned, rank.Query, error) {
	e, err := r.edge()
	if err != nil {
		return nil, q, err
	}
	docs, err := r.documents(e)
	if err != nil {
		return nil, q, err
	}
	vector, said, err := e.Embed(r.backend, q.Text)
	if err != nil {
		return nil, q, r.failed(err)
	}
	if r.said = said; len(vector) != docs.Dim {
		return nil, q, &rank.Unanswerable{
			Reason: fmt.Sprintf("the backend %s makes vectors with %d dimensions, those of %s have %d: the "+
				"models differ", r.name(), len(vector), r.model.Label, docs.Dim)}
	}
	return alone(r.model, docs, vector, r.how.settings, q)
}

// mostEmbedded is of how many documents a backend makes vectors.
const mostEmbedded = 20_000

// documents returns the vectors of the documents: those of the collection, or those that the backend makes of
// titles and texts.
func (r *remoteDense) documents(e *remote.Edge) (*dense.Vectors, error) {
	if r.model.Name != ofBackend {
		v, err := r.c.Models().Vectors(r.model.Name)
		if err != nil {
			return nil, err
		}
		return v.Docs, nil
	}
	v, err := e.Once("vectors "+r.backend+" "+e.Identity(r.backend), func() (any, error) {
		x, err := r.c.Index("")
		if err != nil {
			return nil, err
		}
		if n := x.Docs(); n > mostEmbedded {
			return nil, &rank.Unanswerable{Reason: fmt.Sprintf(
				"%s has %d documents, the limit for vectors from a backend is %d", r.c.Name(), n, mostEmbedded) +
				MakeThem}
		}
		texts := make([]string, x.Docs())
		for d := range texts {
			text, err := r.c.Text(uint32(d))
			if err != nil {
				return nil, err
			}
			texts[d] = strings.TrimSpace(r.c.Card(uint32(d)).Title + " " + text)
		}
		all, dim, _, err := e.EmbedDocuments(r.backend, texts)
		if err != nil {
			return nil, r.failed(err)
		}
		docs := dense.Round(all, dim)
		// which prepares them, before they are shared
		_, err = dense.NewTuned(r.model.Label, docs, dense.Round(all[:dim], dim), []string{""}, r.how.settings)
		return docs, err
	})
	if err != nil {
		return nil, err
	}
	return v.(*dense.Vectors), nil
}

// Rank implements rank.Ranker.
func (r *remoteDense) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	return encoded(r.ranker).Rank(q, k, f, dst)
}

// Explain implements rank.Ranker.
func (r *remoteDense) Explain(q rank.Query, f rank.Filter, d uint32) (rank.Part, error) {
	p, err := encoded(r.ranker).Explain(q, f, d)
	if err != nil {
		return p, err
	}
	p.Note = strings.TrimSpace(p.Note + " The vector of the query is that of the backend " + r.name() +
		", asked through the edge.")
	return p, err
}

// Account implements rank.Accountable.
func (r *remoteDense) Account() rank.Account {
	return rank.Account{Note: "The query was encoded by the backend " + r.name() + r.behind()}
}
