package bundle

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/rank/sparse"
)

// SourceWeights are the term weights of one model with the ids of their texts.
type SourceWeights struct {
	Model            Model
	Docs, Queries    *sparse.Weights
	DocIDs, QueryIDs []string
}

// Order sorts the documents by ordinal. id names the collection in errors. A document may have no weights: no query
// finds it.
func (v *SourceWeights) Order(id string, ordinal map[string]int) error {
	if v.Docs.Len() != len(v.DocIDs) || v.Queries.Len() != len(v.QueryIDs) {
		return say.Faultf("bundle", "build %s: model %s: %d and %d ids for the weights of %d documents and %d queries",
			id, v.Model.Name, len(v.DocIDs), len(v.QueryIDs),
			v.Docs.Len(), v.Queries.Len())
	}
	row := make([]int, len(ordinal))
	for i := range row {
		row[i] = -1
	}
	found := 0
	for i, d := range v.DocIDs {
		if o, ok := ordinal[d]; ok {
			row[o] = i
			found++
		}
	}
	if found == 0 && len(row) > 0 {
		return say.Faultf("bundle",
			"build %s: model %s: none of its %d documents is in the collection: are the weights from another "+
				"collection?", id, v.Model.Name, len(v.DocIDs))
	}
	out := &sparse.Weights{Terms: v.Docs.Terms, Offsets: []uint32{0}}
	for _, r := range row {
		if r >= 0 {
			from, to := v.Docs.Offsets[r], v.Docs.Offsets[r+1]
			out.Term = append(out.Term, v.Docs.Term[from:to]...)
			out.Weight = append(out.Weight, v.Docs.Weight[from:to]...)
		}
		out.Offsets = append(out.Offsets, uint32(len(out.Term)))
	}
	v.Docs = out
	return out.Check()
}

// weightFile is a file of term weights.
type weightFile struct {
	w   *sparse.Weights
	ids []string
}

// Wire codes the weights.
func (f *weightFile) Wire(c *wire.Codec) {
	if f.w == nil {
		f.w = &sparse.Weights{}
	}
	w := f.w
	c.Fields(&f.ids, &w.Terms)
	wire.List(c, &w.Offsets, c.Uint32)
	wire.List(c, &w.Term, c.Uint32)
	wire.List(c, &w.Weight, func(x *float32) {
		v := float64(*x)
		c.Float(&v)
		*x = float32(v)
	})
	if c.Reading() && w.Check() != nil {
		c.Fail()
	}
}

// putWeights writes the weights of a model.
func putWeights(v *SourceWeights, put func(role, stem string, data []byte) error) error {
	name := v.Model.Name
	if err := put(weightRole+name+"/docs", "sparse-"+name+"-docs", wire.Marshal(&weightFile{w: v.Docs})); err != nil {
		return err
	}
	return put(weightRole+name+"/queries", "sparse-"+name+"-queries",
		wire.Marshal(&weightFile{w: v.Queries, ids: v.QueryIDs}))
}

// Weights fetches the term weights of a model; ok is false if the bundle has none with that name.
func (b *Bundle) Weights(model string, fetch Fetch) (v *SourceWeights, ok bool, err error) {
	for _, m := range b.Manifest.Sparse {
		if m.Name != model && m.Label != model {
			continue
		}
		var docs, queries weightFile
		if err := b.Manifest.read(weightRole+m.Name+"/docs", fetch, &docs); err != nil {
			return nil, true, err
		}
		if err := b.Manifest.read(weightRole+m.Name+"/queries", fetch, &queries); err != nil {
			return nil, true, err
		}
		if docs.w.Len() != len(b.Cards) || len(queries.ids) != queries.w.Len() {
			return nil, true, say.Faultf("bundle", "%s: model %s has weights for %d of %d documents", b.Manifest.ID,
				model, docs.w.Len(), len(b.Cards))
		}
		return &SourceWeights{Model: m, Docs: docs.w, Queries: queries.w, QueryIDs: queries.ids}, true, nil
	}
	return nil, false, nil
}

// readWeights reads the folder of a model of term weights: docs.jsonl and queries.jsonl in Anserini's format.
func (f *folder) readWeights() (*SourceWeights, error) {
	v := &SourceWeights{Model: f.model}
	for _, s := range []struct {
		name string
		to   **sparse.Weights
		ids  *[]string
	}{{"docs.jsonl", &v.Docs, &v.DocIDs}, {"queries.jsonl", &v.Queries, &v.QueryIDs}} {
		file, err := f.fsys.Open(f.path + "/" + s.name)
		if err != nil {
			return nil, err
		}
		var texts []map[string]float32
		_, err = collection.ReadWeights(file, f.path+"/"+s.name, collection.Options{},
			func(id string, w map[string]float32) error {
				*s.ids = append(*s.ids, id)
				texts = append(texts, w)
				return nil
			})
		file.Close()
		if err != nil {
			return nil, err
		}
		*s.to = sparse.Of(texts)
	}
	return v, nil
}
