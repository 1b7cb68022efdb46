//go:build !first

package stage

import (
	"sort"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

// Search ranks as a search service behind the edge does.
var Search = &Stage{
	Stage: pipeline.Stage{
		Name: "search",
		Role: pipeline.Retriever,
		Doc: "Ranks with a search service behind the edge, over its own index of the collection: Elasticsearch, " +
			"OpenSearch, Weaviate, Qdrant, Vespa. The service receives only the query. Its results are " +
			"matched by id, and documents outside this collection are dropped.",
		Formula: "the score of the service",
		Source:  "the edge's interface (docs/edge.md)",
		Params: []pipeline.Param{
			{Name: "backend", Kind: pipeline.Word, Required: true, Fixed: true,
				Doc: "The backend behind the edge to ask."},
			{Name: "mode", Kind: pipeline.Word, Default: "bm25", Words: []string{"bm25", "knn", "hybrid"}, Fixed: true,
				Doc: "Search by words, by the query's vector, or both."},
			{Name: "depth", Kind: pipeline.Integer, Default: "100", Min: 1, Max: 1000,
				Doc: "How many documents to request; filters apply to these."},
		},
		Label: func(n *pipeline.Node) string {
			label := "Search by " + n.Word("backend")
			if n.IsSet("mode") {
				label += ", " + n.Word("mode")
			}
			return label
		},
	},
	build: func(c Collection, n *pipeline.Node) (Ranker, error) {
		r := &remoteSearch{remoteStage: remoteStage{c: c, backend: n.Word("backend")}, mode: n.Word("mode"),
			depth: n.Integer("depth")}
		if err := r.there(); err != nil {
			return nil, err
		}
		x, err := c.Index("")
		if err != nil {
			return nil, err
		}
		r.docs = x.Docs()
		r.stage = n.Stage.Name
		return &ranker{Ranker: r, set: func(n *pipeline.Node) error { r.depth = n.Integer("depth"); return nil }}, nil
	},
}

// remoteSearch ranks as a search service does.
type remoteSearch struct {
	remoteStage
	stage  string // its name, for explanations
	mode   string
	depth  int
	docs   int        // how many the collection has
	strays int        // documents of the last answer that the collection does not have
	hits   []rank.Hit // of the last query
	found  int        // documents of the last answer
}

// number finds a document by its id. A collection's documents are in descending order of their ids; a map of them in
// every stage of every worker would be most of the memory of an experiment over documents elsewhere.
func (r *remoteSearch) number(id string) (d uint32, ok bool) {
	at := sort.Search(r.docs, func(d int) bool { return r.c.Card(uint32(d)).ID <= id })
	return uint32(at), at < r.docs && r.c.Card(uint32(at)).ID == id
}

// Rank implements rank.Ranker.
func (r *remoteSearch) Rank(q rank.Query, k int, f rank.Filter, dst []rank.Hit) ([]rank.Hit, error) {
	if x := outside(r.c); x != nil && x.Foreign[r.backend] != "" {
		return dst[:0], &rank.Unanswerable{Wrong: true, Reason: x.Foreign[r.backend]}
	}
	if err := r.ask(q); err != nil {
		return dst[:0], err
	}
	dst = dst[:0]
	for _, h := range r.hits {
		if f.Has(h.Doc) && len(dst) < k {
			dst = append(dst, h)
		}
	}
	return dst, nil
}

func (r *remoteSearch) ask(q rank.Query) error {
	e, err := r.edge()
	if err != nil {
		return err
	}
	found, said, err := e.Search(r.backend, q.Text, r.mode, r.depth)
	if err != nil {
		return r.failed(err)
	}
	r.said, r.strays, r.hits, r.found = said, 0, r.hits[:0], len(found)
	for _, x := range found {
		if d, ok := r.number(x.ID); ok {
			r.hits = append(r.hits, rank.Hit{Doc: d, Score: x.Score})
		} else {
			r.strays++
		}
	}
	rank.Sort(r.hits)
	if r.strays > 0 && outside(r.c) != nil {
		return r.failed(&remote.Error{Backend: r.backend,
			Why: "its answer names documents that were not found when the ids were gathered. Run again"})
	}
	if len(found) > 0 && len(r.hits) == 0 {
		return &rank.Unanswerable{Wrong: true, Reason: r.foreign(found)}
	}
	return nil
}

// Account implements rank.Accountable.
func (r *remoteSearch) Account() rank.Account {
	note := "Ranked by the backend " + r.name() + r.behind()
	if r.strays > 0 {
		note += "; " + SayStrays(r.strays, r.strays+len(r.hits), 0)
	}
	return rank.Account{Note: note}
}

// foreign says that nothing that was found is of this collection, with an id of each.
func (r *remoteSearch) foreign(found []remote.Found) string {
	text := "none of the " + say.Count(len(found), "document", "documents") + " that the backend " + r.name() +
		" found is in this collection, the first is " +
		say.Visible(found[0].ID)
	if x, err := r.c.Index(""); err == nil && x.Docs() > 0 {
		text += ", and the collection has ids like " + say.Visible(r.c.Card(0).ID)
	}
	return text + ". Check that its index holds this collection under the same ids"
}

// Explain implements rank.Ranker: the service's score and rank; it does not say why.
func (r *remoteSearch) Explain(q rank.Query, _ rank.Filter, d uint32) (rank.Part, error) {
	if err := r.ask(q); err != nil {
		return rank.Part{}, err
	}
	for i, h := range r.hits {
		if h.Doc == d {
			return rank.Part{Name: r.stage, Score: h.Score, Values: []rank.Value{{Name: "rank", Value: float64(i +
				1)}}, Note: "The score is that of the backend " + r.name() +
				", asked through the edge, which explains no further."}, nil
		}
	}
	return rank.Part{Name: r.stage, Note: "The backend " + r.name() + " did not find this document."}, nil
}
