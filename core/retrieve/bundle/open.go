package bundle

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// Fetch returns the bytes of a file of the bundle. It is called for one file at a time.
type Fetch func(f File) ([]byte, error)

// get fetches the file of a role and checks it.
func (m *Manifest) get(role string, fetch Fetch) ([]byte, error) {
	f, ok := m.File(role)
	if !ok {
		return nil, say.Faultf("bundle", "%s: the manifest lists no file for %s", m.ID, role)
	}
	data, err := fetch(f)
	if err != nil {
		return nil, say.Faultf("bundle", "%s: %s: %w", m.ID, f.Name, err)
	}
	return data, m.Check(role, data)
}

// read fetches, checks and decodes the file of a role.
func (m *Manifest) read(role string, fetch Fetch, v wire.Wirer) error {
	data, err := m.get(role, fetch)
	if err != nil {
		return err
	}
	if err := wire.Unmarshal(data, v); err != nil {
		return say.Faultf("bundle", "%s: %s: %w", m.ID, role, err)
	}
	return nil
}

// Opening lists the roles of the files that Open reads, in order.
var Opening = []string{"cards", "index", "queries", "qrels"}

// Open reads everything except texts and vectors, and checks each file.
func Open(m *Manifest, fetch Fetch) (*Bundle, error) {
	b := &Bundle{Manifest: m}
	if err := m.read("cards", fetch, (*cardFile)(&b.Cards)); err != nil {
		return nil, err
	}
	data, err := m.get("index", fetch)
	if err != nil {
		return nil, err
	}
	if b.Index, err = index.Read(data); err != nil {
		return nil, say.Faultf("bundle", "%s: %w", m.ID, err)
	}
	if err := m.read("queries", fetch, (*queryFile)(&b.Queries)); err != nil {
		return nil, err
	}
	if err := m.read("qrels", fetch, (*qrelFile)(&b.Judgments)); err != nil {
		return nil, err
	}
	return b, b.check()
}

// Vectors fetches the vectors of a model; ok is false if the bundle lacks it.
func (b *Bundle) Vectors(model string, fetch Fetch) (v *Vectors, ok bool, err error) {
	for _, m := range b.Manifest.Models {
		if m.Name != model {
			continue
		}
		var docs, queries vectorFile
		if err := readDocs(b.Manifest, m, fetch, &docs); err != nil {
			return nil, true, err
		}
		if err := b.Manifest.read("vectors/"+model+"/queries", fetch, &queries); err != nil {
			return nil, true, err
		}
		if docs.Vectors.Len() != len(b.Cards) || len(queries.IDs) != queries.Vectors.Len() {
			return nil, true, say.Faultf("bundle", "%s: model %s has vectors for %d of %d documents", b.Manifest.ID,
				model, docs.Vectors.Len(), len(b.Cards))
		}
		if err := readFloats(b.Manifest, m, fetch, docs.Vectors, queries.Vectors); err != nil {
			return nil, true, err
		}
		return &Vectors{Model: m, Docs: docs.Vectors, Queries: queries.Vectors, QueryIDs: queries.IDs}, true, nil
	}
	return nil, false, nil
}

// Encoded fetches a model's document vectors in the space of the encoder that its manifest names. The model must
// name one.
func (b *Bundle) Encoded(model string, fetch Fetch) (*dense.Vectors, error) {
	var docs vectorFile
	if err := b.Manifest.read("vectors/"+model+"/encoded", fetch, &docs); err != nil {
		return nil, err
	}
	if docs.Vectors.Len() != len(b.Cards) {
		return nil, say.Faultf("bundle", "%s: model %s has encoded vectors for %d of %d documents", b.Manifest.ID,
			model, docs.Vectors.Len(), len(b.Cards))
	}
	return docs.Vectors, nil
}

// check refuses files that are intact but do not belong together.
func (b *Bundle) check() error {
	m := b.Manifest
	switch {
	case len(b.Cards) != m.Documents || b.Index.Docs() != m.Documents:
		return say.Faultf("bundle", "%s: the manifest says %d documents, the cards hold %d and the index %d", m.ID,
			m.Documents, len(b.Cards), b.Index.Docs())
	case len(b.Queries) != m.Queries:
		return say.Faultf("bundle", "%s: the manifest says %d queries, there are %d", m.ID, m.Queries, len(b.Queries))
	case len(b.Judgments) != m.Judgments:
		return say.Faultf("bundle", "%s: the manifest says %d judgments, there are %d", m.ID, m.Judgments,
			len(b.Judgments))
	}
	for i := 1; i < len(b.Cards); i++ {
		if b.Cards[i-1].ID <= b.Cards[i].ID {
			return say.Faultf("bundle", "%s: the documents are not in descending order of their ids", m.ID)
		}
	}
	for _, j := range b.Judgments {
		if j.Query < 0 || j.Query >= len(b.Queries) {
			return say.Faultf("bundle", "%s: a judgment for query %d of %d", m.ID, j.Query, len(b.Queries))
		}
	}
	return nil
}

// Beside fetches a file that the bundle carries, or nil if it has none with that name.
func (b *Bundle) Beside(name string, fetch Fetch) ([]byte, error) {
	if _, ok := b.Manifest.File(name); !ok {
		return nil, nil
	}
	return b.Manifest.get(name, fetch)
}

// Texts returns the texts of the shard with document d, and the ordinal of its first document.
func (b *Bundle) Texts(d int, fetch Fetch) (texts []string, first int, err error) {
	shard := d / b.Manifest.Shard
	role := "texts/" + strconv.Itoa(shard)
	if err := b.Manifest.read(role, fetch, (*textFile)(&texts)); err != nil {
		return nil, 0, err
	}
	first = shard * b.Manifest.Shard
	if want := min(b.Manifest.Shard, b.Manifest.Documents-first); len(texts) != want {
		return nil, 0, say.Faultf("bundle", "%s: %s holds %d texts, want %d", b.Manifest.ID, role, len(texts), want)
	}
	return texts, first, nil
}

// ChunksName is the file of spans of a bundle whose documents are chunks.
const ChunksName = "chunks.jsonl"

// Part describes the chunk with an id, as in "chunk 3 of 7 of notes.md", or returns "" for a document. Chunks of a
// document are numbered from 1 after "#".
func (b *Bundle) Part(id string) string {
	i := strings.LastIndexByte(id, '#') + 1
	if _, ok := b.Manifest.File(ChunksName); i == 0 || !ok {
		return ""
	}
	n := 0
	for ok := true; ok; n++ {
		_, ok = b.Ordinal(id[:i] + strconv.Itoa(n+1))
	}
	return "chunk " + id[i:] + " of " + strconv.Itoa(n-1) + " of " + id[:i-1]
}

// Ordinal returns the ordinal of a document id, and whether it exists.
func (b *Bundle) Ordinal(id string) (int, bool) {
	return slices.BinarySearchFunc(b.Cards, id, func(c Card, id string) int {
		if c.ID > id {
			return -1
		} else if c.ID < id {
			return 1
		}
		return 0
	})
}
