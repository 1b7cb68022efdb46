package bundle

import (
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"github.com/rankbox/rankbox/core/text"
)

// Card holds what lists and filters show of a document. A shard holds its text.
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
	Grade float64
}

// Bundle is an open collection with everything for lexical search and evaluation. Texts and vectors are fetched on
// demand.
type Bundle struct {
	Manifest  *Manifest
	Cards     []Card // by ordinal
	Queries   []collection.Query
	Judgments []Judgment
	Index     *index.Index
}

// Vectors are one model's vectors of the collection, for every document and query.
type Vectors struct {
	Model    Model
	Docs     *dense.Vectors // by ordinal
	Queries  *dense.Vectors
	QueryIDs []string // of the rows of Queries
}

// Source is the input of Build.
type Source struct {
	ID, Name, Licence, Origin string
	Collection                *collection.Collection
	Documents                 Documents // replaces Collection.Docs if they do not fit in memory; else nil
	Analyzer                  string    // of the index, "" for lucene-english
	Shard                     int       // documents per shard of texts, 0 for 32
	Vectors                   []SourceVectors
	Tokens                    []SourceTokens
	Weights                   []SourceWeights
	Runs                      []SourceRun
	Networks                  []SourceNetwork
	Elsewhere                 *Elsewhere // the backend with the documents; nil if they are in Collection
	Encoders                  []*Encoder // Build also projects documents into the spaces of these
	Beside                    []Beside

	// Step, if not nil, is called after each document and between the files with the number of indexed documents.
	// Its error stops Build.
	Step func(indexed int) error

	// Begun, if not nil, receives the builder of the index before the first document, and the documents in index
	// order. Step may ask the builder for an Excerpt.
	Begun func(b *index.Builder, order []uint32)

	// Written, if not nil, receives the number of each document whose text has been written and is no longer
	// needed.
	Written func(doc int)
}

// SourceVectors are the vectors of one model with the ids of their rows.
type SourceVectors struct {
	Model            Model
	Docs, Queries    *dense.Vectors
	DocIDs, QueryIDs []string
	Static           string // the encoder of both sides, also for typed queries; "" if a model made them

	room []byte // ends with Docs.Rows, with space before them for the head of their file; or nil
}

// Build writes the files of a bundle through emit and returns its manifest, emitted last as "manifest.json". Equal
// sources give equal bytes.
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
		c.Qrels.Each(q.ID, func(doc string, grade float64) {
			judgments = append(judgments, Judgment{Query: i, Doc: doc, Grade: grade})
		})
	}
	m.Judgments = len(judgments)
	if err := put("qrels", "qrels", wire.Marshal((*qrelFile)(&judgments))); err != nil {
		return nil, err
	}
	if n := needsOf(queries); n != nil {
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
		m.Files = append(m.Files, File{Role: x.Name, Name: x.Name, Bytes: len(x.Data), Sum: sumHex(x.Data)})
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
		if v.Model, err = putModel(src, v, put, m.alias); err != nil {
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

// putModel writes a model's vectors, and for models with an encoder the projected ones for typed queries.
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
	if v.Static != "" { // typed queries use the same vectors as judged ones
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

// order sorts the document rows by ordinal and checks that every document and query has one.
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

// Order sorts the documents by ordinal and checks that none is missing; queries may be. id names the collection in
// errors.
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
	if len(row) == len(v.DocIDs) && slices.IsSorted(row) { // already in this order
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
