package bundle

import (
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/index"
	"github.com/rankbox/rankbox/core/rank/dense"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/text"
	"github.com/rankbox/rankbox/core/wire"
)

// Card is what lists and filters show of a document; its text is in a shard.
type Card struct {
	ID       string
	Title    string
	Date     string
	Category string
	Entities []collection.Entity
}

// Judgment is one line of the qrels.
type Judgment struct {
	Query int // index into Queries
	Doc   string
	Grade int
}

// Bundle is an open collection: everything that lexical search and evaluation need. Texts and vectors are fetched when
// they are asked for.
type Bundle struct {
	Manifest  *Manifest
	Cards     []Card // by ordinal
	Queries   []collection.Query
	Judgments []Judgment
	Index     *index.Index
}

// Vectors are what one model made of the collection: every document and every query has one.
type Vectors struct {
	Model    Model
	Docs     *dense.Vectors // by ordinal
	Queries  *dense.Vectors
	QueryIDs []string // of the rows of Queries
}

// Source is what Build makes a bundle of.
type Source struct {
	ID, Name, Licence, Origin string
	Collection                *collection.Collection
	Documents                 Documents // instead of Collection.Docs, for more than fit in memory; nil for those
	Analyzer                  string    // of the index, "" for lucene-english
	Shard                     int       // documents in a shard of texts, 0 for 32
	Vectors                   []SourceVectors
	Tokens                    []SourceTokens
	Weights                   []SourceWeights
	Runs                      []SourceRun
	Networks                  []SourceNetwork
	Elsewhere                 *Elsewhere // where the documents are; nil if they are in Collection
	Encoders                  []*Encoder // for those of the models that taught one, documents are kept in its space too
	Beside                    []Beside

	// Step is told how many documents are indexed, after each and between the files; an error of it ends the building.
	// It may be nil.
	Step func(indexed int) error

	// Begun is given the builder of the index before its first document, and the documents in their order there. Step
	// may ask the builder for an Excerpt. Begun may be nil.
	Begun func(b *index.Builder, order []uint32)

	// Written is told of each document, by its number, whose text has been written and is not asked for again. It may
	// be nil.
	Written func(doc int)
}

// SourceVectors are the vectors of one model with the ids of their rows.
type SourceVectors struct {
	Model            Model
	Docs, Queries    *dense.Vectors
	DocIDs, QueryIDs []string
	Static           string // the encoder that made both sides, "" where a model did: typed queries are encoded by it

	room []byte // ends with Docs.Rows, and has room before them for the rest of their file; nil for none
}

// Build writes the files of a bundle through emit and returns its manifest, which it emits last as "manifest.json". The
// same source gives the same bytes.
func Build(src Source, emit func(name string, data []byte) error) (*Manifest, error) {
	c := src.Collection
	if src.Analyzer == "" {
		src.Analyzer = "lucene-english"
	}
	if src.Shard == 0 {
		src.Shard = 32
	}
	an, err := text.Get(src.Analyzer)
	if err != nil {
		return nil, say.Faultf("bundle", "build %s: %w", src.ID, err)
	}
	docs := src.Documents
	if docs == nil {
		docs = inMemory(c.Docs)
	}
	order, err := inOrder(src.ID, docs)
	if err != nil {
		return nil, err
	}
	m := &Manifest{Format: Format, ID: src.ID, Name: src.Name, Licence: src.Licence, Source: src.Origin,
		Documents: len(order), Queries: len(c.Queries), Analyzer: an.Name(), AnalyzerVer: an.Version(),
		Shard: src.Shard, RemoveQuery: c.RemoveQuery,
		Elsewhere: src.Elsewhere}
	indexed := 0
	step := func() error {
		if src.Step == nil {
			return nil
		}
		return src.Step(indexed)
	}
	put := func(role, stem string, data []byte) error {
		if err := step(); err != nil {
			return err
		}
		return m.put(role, stem, data, emit)
	}

	b := index.NewBuilder(an)
	if src.Begun != nil {
		src.Begun(b, order)
	}
	cards := wire.Marshal((*length)(&m.Documents)) // then each card: the bytes of a cardFile
	var news newsFile
	for i, at := range order {
		d, err := docs.Doc(int(at))
		if err != nil {
			return nil, err
		}
		cards = append(cards, wire.Marshal(&Card{d.ID, d.Title, d.Date, d.Category, d.Entities})...)
		if d.News != nil {
			if news == nil {
				news = make(newsFile, len(order))
			}
			news[i] = *d.News
		}
		b.Add(d.Title, d.Text)
		indexed++
		if err := step(); err != nil {
			return nil, err
		}
	}
	if err := put("cards", "cards", cards); err != nil {
		return nil, err
	}
	cards = nil
	if err := put("index", "index", b.Build().Bytes()); err != nil {
		return nil, err
	}
	queries := slices.Clone(c.Queries)
	if err := put("queries", "queries", wire.Marshal((*queryFile)(&queries))); err != nil {
		return nil, err
	}
	var judgments []Judgment
	for i, q := range queries {
		c.Qrels.Each(q.ID, func(doc string, grade int) {
			judgments = append(judgments, Judgment{Query: i, Doc: doc, Grade: grade})
		})
	}
	m.Judgments = len(judgments)
	if err := put("qrels", "qrels", wire.Marshal((*qrelFile)(&judgments))); err != nil {
		return nil, err
	}
	if n := needs(queries); n != nil {
		if err := put("needs", "needs", wire.Marshal(&n)); err != nil {
			return nil, err
		}
	}
	if news != nil {
		if err := put("news", "news", wire.Marshal(&news)); err != nil {
			return nil, err
		}
	}
	for _, x := range src.Beside {
		m.Files = append(m.Files, File{Role: x.Name, Name: x.Name, Bytes: len(x.Data), Sum: sum(x.Data)})
		if err := emit(x.Name, x.Data); err != nil {
			return nil, err
		}
	}
	for i := 0; i*src.Shard < len(order); i++ {
		var texts []string
		for _, d := range order[i*src.Shard : min((i+1)*src.Shard, len(order))] {
			d, err := docs.Doc(int(d))
			if err != nil {
				return nil, err
			}
			texts = append(texts, d.Text)
		}
		if err := put("texts/"+strconv.Itoa(i), "texts-"+strconv.Itoa(i),
			wire.Marshal((*textFile)(&texts))); err != nil {
			return nil, err
		}
		if src.Written != nil {
			for _, d := range order[i*src.Shard : min((i+1)*src.Shard, len(order))] {
				src.Written(int(d))
			}
		}
	}
	var ordinal map[string]int
	if len(src.Vectors)+len(src.Tokens)+len(src.Weights)+len(src.Runs) > 0 {
		ordinal = ordinals(docs, order)
	}
	for i := range src.Vectors {
		v := &src.Vectors[i]
		if err := v.order(src.ID, ordinal, queries); err != nil {
			return nil, err
		}
		if v.Model, err = putModel(src, v, put, m.same); err != nil {
			return nil, err
		}
		m.Models = append(m.Models, v.Model)
	}
	for _, v := range src.Tokens {
		if err := v.Order(src.ID, ordinal); err != nil {
			return nil, err
		}
		m.Late = append(m.Late, v.Model)
		if err := putTokens(&v, put); err != nil {
			return nil, err
		}
	}
	for _, v := range src.Weights {
		if err := v.Order(src.ID, ordinal); err != nil {
			return nil, err
		}
		m.Sparse = append(m.Sparse, v.Model)
		if err := putWeights(&v, put); err != nil {
			return nil, err
		}
	}
	for _, r := range src.Runs {
		f, err := r.fileOf(src.ID, ordinal)
		if err != nil {
			return nil, err
		}
		if err := put(runRole+r.Name, "run-"+r.Name, wire.Marshal(f)); err != nil {
			return nil, err
		}
	}
	for _, n := range src.Networks {
		if err := putNetwork(src, n, put); err != nil {
			return nil, err
		}
	}
	m.Hash = m.contentHash()
	if err := m.validate(); err != nil {
		return nil, err
	}
	return m, emit("manifest.json", m.JSON())
}

// putModel writes a model's vectors, and those that typed queries are compared with where an encoder knows the model.
func putModel(src Source, v *SourceVectors, put func(role, stem string, data []byte) error,
	same func(role, as string)) (Model, error) {
	v.Model.Dim = v.Docs.Dim
	if err := putVectors(v, put); err != nil {
		return v.Model, err
	}
	model := v.Model
	encoded := func(encoder string, docs *dense.Vectors) error {
		model.Encoder = encoder
		return put("vectors/"+model.Name+"/encoded", "vectors-"+model.Name+"-encoded",
			wire.Marshal(&vectorFile{Vectors: docs}))
	}
	if v.Static != "" { // typed queries are compared with the very numbers of the judged ones
		model.Encoder = v.Static
		same("vectors/"+model.Name+"/encoded", "vectors/"+model.Name+"/docs")
	}
	for _, e := range src.Encoders {
		if e.File.Teacher != v.Model.Label {
			continue
		}
		docs, err := e.project(v.Docs)
		if err != nil {
			return model, say.Faultf("bundle", "build %s: model %s: %w", src.ID, model.Name, err)
		}
		if err := encoded(e.File.Name, docs); err != nil {
			return model, err
		}
	}
	return model, nil
}

// order puts the rows of the documents into ordinal order and checks that every document and query has one.
func (v *SourceVectors) order(id string, ordinal map[string]int, queries []collection.Query) error {
	if err := v.Order(id, ordinal); err != nil {
		return err
	}
	there := make(map[string]bool, len(v.QueryIDs))
	for _, id := range v.QueryIDs {
		there[id] = true
	}
	for _, q := range queries {
		if !there[q.ID] {
			return say.Faultf("bundle", "build %s: model %s: query %s has no vector: embed the collection again", id,
				v.Model.Name, q.ID)
		}
	}
	return nil
}

// Order puts the documents into the order of ordinal and checks that every one is there; the collection is called id. A
// query need not be.
func (v *SourceVectors) Order(id string, ordinal map[string]int) error {
	if err := v.Docs.Check(); err != nil {
		return say.Faultf("bundle", "build %s: model %s: documents: %w", id, v.Model.Name, err)
	}
	if err := v.Queries.Check(); err != nil {
		return say.Faultf("bundle", "build %s: model %s: queries: %w", id, v.Model.Name, err)
	}
	if len(v.DocIDs) != v.Docs.Len() || len(v.QueryIDs) != v.Queries.Len() {
		return say.Faultf("bundle", "build %s: model %s: %d and %d ids for %d and %d vectors", id, v.Model.Name,
			len(v.DocIDs), len(v.QueryIDs), v.Docs.Len(), v.Queries.Len())
	}
	row, err := rowsOf(id, v.Model.Name, "vector", ordinal, v.DocIDs)
	if err != nil {
		return err
	}
	if len(row) == len(v.DocIDs) && slices.IsSorted(row) { // they are in that order
		return nil
	}
	out := &dense.Vectors{Dim: v.Docs.Dim, Rows: make([]int8, 0, len(row)*v.Docs.Dim)}
	for _, r := range row {
		out.Rows = append(out.Rows, v.Docs.Row(r)...)
		out.Scales = append(out.Scales, v.Docs.Scales[r])
		if v.Docs.Floats != nil {
			out.Floats = append(out.Floats, v.Docs.Floats[r*v.Docs.Dim:(r+1)*v.Docs.Dim]...)
		}
	}
	ids := make([]string, len(row))
	for i, r := range row {
		ids[i] = v.DocIDs[r]
	}
	v.Docs, v.DocIDs = out, ids
	return nil
}
