package experiment

import (
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Models are what models made of the documents and queries of a collection. It implements stage.ModelOutputs.
type Models struct {
	b       *bundle.Bundle
	fetch   bundle.Fetch
	vectors map[string]*bundle.Vectors
	added   []*bundle.Vectors         // models that came after the collection was opened
	encoder *encoder.Static           // of typed queries, nil where none was given
	encoded map[string]*dense.Vectors // a model: the documents in the encoder's space
	further
}

func newModels(b *bundle.Bundle, fetch bundle.Fetch) *Models {
	return &Models{b: b, fetch: fetch, vectors: map[string]*bundle.Vectors{}, encoded: map[string]*dense.Vectors{}}
}

// List implements stage.ModelOutputs.
func (x *Models) List() []stage.Model {
	var out []stage.Model
	for _, m := range x.b.Manifest.Models {
		out = append(out, stage.Model{Name: m.Name, Label: m.Label, Floats: m.Numbers != ""})
	}
	for _, v := range x.added {
		out = append(out, stage.Model{Name: v.Model.Name, Label: v.Model.Label, Floats: v.Docs.Floats != nil})
	}
	return out
}

// Vectors implements stage.ModelOutputs.
func (x *Models) Vectors(model string) (*stage.Vectors, error) {
	v := x.vectors[model]
	if v == nil {
		var err error
		if v, _, err = x.b.Vectors(model, x.fetch); err != nil {
			return nil, notFetched{err}
		}
		x.vectors[model] = v
	}
	return &stage.Vectors{Docs: v.Docs, Queries: v.Queries, QueryIDs: v.QueryIDs}, nil
}

// Encoded implements stage.ModelOutputs.
func (x *Models) Encoded(model string) (*encoder.Static, *dense.Vectors, error) {
	e := x.encoder
	for _, m := range x.b.Manifest.Models {
		if m.Name != model || e == nil || m.Encoder != e.Name() {
			continue
		}
		docs := x.encoded[model]
		if docs == nil {
			var err error
			if docs, err = x.b.Encoded(model, x.fetch); err != nil {
				return nil, nil, notFetched{err}
			}
			x.encoded[model] = docs
		}
		if docs.Dim != e.Dim() {
			return nil, nil, say.Faultf("experiment", "the encoder %s has %d dimensions, the documents %d", e.Name(),
				e.Dim(), docs.Dim)
		}
		return e, docs, nil
	}
	return nil, nil, nil
}

// encodedStatic says that the static encoder encoded a typed query, "" where there is none: a backend did.
func (x *Models) encodedStatic() string {
	if x.encoder == nil {
		return ""
	}
	return "Typed queries use a smaller encoder, " + x.encoder.Name() + ", and rank less well than " +
		x.encoder.Teacher() + " would."
}

// approximated says that a pipeline ranks by vectors of the static encoder, "" if it does not.
func (x *Models) approximated(n *pipeline.Node) string {
	for _, name := range stage.Models(n) {
		for i := range x.b.Manifest.Models {
			if m := &x.b.Manifest.Models[i]; m.Static() && (name == m.Name || name == m.Label) {
				return "The vectors are by " + m.Label + ": the model’s own score higher."
			}
		}
	}
	return ""
}
