//go:build !first

package experiment

import (
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/encoder/neural"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// further are the models' outputs that the page's first program does without.
type further struct {
	late   []*bundle.SourceTokens
	sparse []*bundle.SourceWeights
	whole  map[string]*network // a model: its own network, which encodes typed queries
}

// bring is Session.Bring.
func (x *Models) bring(m *bundle.Models) error {
	ordinal := make(map[string]int, len(x.b.Cards))
	for i, c := range x.b.Cards {
		ordinal[c.ID] = i
	}
	id := x.b.Manifest.ID
	for _, v := range m.Vectors {
		for _, there := range x.List() {
			if there.Name == v.Model.Name {
				return say.Faultf("experiment", "%s has vectors of the model %s already", x.b.Manifest.Name,
					v.Model.Label)
			}
		}
		if err := v.Order(id, ordinal); err != nil {
			return err
		}
		whole := &bundle.Vectors{Model: v.Model, Docs: v.Docs, Queries: v.Queries, QueryIDs: v.QueryIDs}
		x.added = append(x.added, whole)
		x.vectors[v.Model.Name] = whole
	}
	for _, v := range m.Tokens {
		if err := v.Order(id, ordinal); err != nil {
			return err
		}
		x.late = append(x.late, &v)
	}
	for _, v := range m.Weights {
		if err := v.Order(id, ordinal); err != nil {
			return err
		}
		x.sparse = append(x.sparse, &v)
	}
	return nil
}

// All are those that have vectors of the documents: of the collection, and brought.
func (x *Models) All() []bundle.Model {
	out := slices.Clone(x.b.Manifest.Models)
	for _, v := range x.added {
		out = append(out, v.Model)
	}
	return out
}

// Tokens implements stage.ModelOutputs.
func (x *Models) Tokens(model string) (*stage.Tokens, error) {
	var have []string
	for _, v := range x.late {
		if v.Model.Name == model || v.Model.Label == model {
			return &stage.Tokens{Label: v.Model.Label, Docs: v.Docs, Queries: v.Queries, QueryIDs: v.QueryIDs}, nil
		}
		have = append(have, v.Model.Name)
	}
	v, ok, err := x.b.Tokens(model, x.fetch)
	if err != nil {
		return nil, notFetched{err}
	}
	if !ok {
		for _, m := range x.b.Manifest.Late {
			have = append(have, m.Name)
		}
		return nil, stage.NoTokens(x.b.Manifest.Name, model, have)
	}
	x.late = append(x.late, v)
	return x.Tokens(model)
}

// Sparse implements stage.ModelOutputs.
func (x *Models) Sparse(model string) (*stage.Weights, error) {
	var have []string
	for _, v := range x.sparse {
		if v.Model.Name == model || v.Model.Label == model {
			return &stage.Weights{Label: v.Model.Label, Docs: v.Docs, Queries: v.Queries, QueryIDs: v.QueryIDs}, nil
		}
		have = append(have, v.Model.Name)
	}
	v, ok, err := x.b.Weights(model, x.fetch)
	if err != nil {
		return nil, notFetched{err}
	}
	if !ok {
		for _, m := range x.b.Manifest.Sparse {
			have = append(have, m.Name)
		}
		return nil, stage.NoWeights(x.b.Manifest.Name, model, have)
	}
	x.sparse = append(x.sparse, v)
	return x.Sparse(model)
}

// network encodes typed queries by a model itself.
type network struct {
	label  string
	encode func(text string) ([]float32, error)
}

// HasNetwork says whether typed queries of a model are encoded by the model itself.
func (x *Models) HasNetwork(model string) bool { return x.whole[model] != nil }

// encodedBy says who encoded a typed query for a pipeline, "" where that needs no vectors.
func (x *Models) encodedBy(n *pipeline.Node) string {
	out := ""
	if len(stage.Models(n)) > 0 {
		out = x.encodedWhole(n)
	}
	if stage.Averages(n) {
		if out != "" {
			out += " "
		}
		out += "Late interaction: the query’s tokens have the averages of their vectors in the documents."
	}
	return out
}

func (x *Models) encodedWhole(n *pipeline.Node) string {
	var by, static []string
	for _, name := range stage.Models(n) {
		label := ""
		for _, m := range x.List() {
			if w := x.whole[m.Name]; w != nil && (name == m.Name || name == m.Label) {
				label = w.label
			}
		}
		if label == "" {
			static = append(static, name)
		} else if !slices.Contains(by, label) {
			by = append(by, label)
		}
	}
	switch {
	case len(by) == 0:
		return x.encodedStatic()
	case len(static) == 0 || x.encoder == nil:
		return "Typed query: encoded by " + say.And(by) + " in this tab."
	}
	return "Typed query: encoded by " + say.And(by) + " in this tab. For " + say.And(static) +
		" it uses a smaller encoder, " + x.encoder.Name() + ", and ranks less well than " + x.encoder.Teacher() + " would."
}

// Find returns one of them by either of its names.
func (x *Models) Find(name string) (m bundle.Model, ok bool) {
	for _, m := range x.All() {
		if m.Name == name || m.Label == name {
			return m, true
		}
	}
	return m, false
}

// Likeness is how near what a network makes of queries comes to the vectors that are stored of them.
type Likeness struct {
	Tried  int     // queries, spread evenly over the collection's
	Lowest float64 // cosine
	Query  string  // that it is of
}

// Liken encodes up to n of the collection's queries anew, of those that a model's vectors are stored of.
func (s *Session) Liken(model string, n int, encode func(text string) ([]float32, error)) (l Likeness, err error) {
	v, err := s.Models.Vectors(model)
	if err != nil {
		return l, err
	}
	text := map[string]string{}
	for _, q := range s.b.Queries {
		text[q.ID] = q.Text
	}
	var rows []int
	for i, id := range v.QueryIDs {
		if text[id] != "" && v.Queries.Scales[i] != 0 {
			rows = append(rows, i)
		}
	}
	n = min(n, len(rows))
	dim := v.Queries.Dim
	stored := make([]float32, dim)
	for k := range n {
		i := rows[k*len(rows)/n]
		for c, x := range v.Queries.Row(i) {
			stored[c] = float32(x)
		}
		if f := v.Queries.Floats; f != nil {
			copy(stored, f[i*dim:(i+1)*dim])
		}
		q := text[v.QueryIDs[i]]
		got, err := encode(q)
		if err != nil {
			return l, err
		}
		if len(got) != dim {
			return l, say.Faultf("experiment", "%d numbers for a query whose stored vector has %d", len(got), dim)
		}
		if cos := neural.Cosine(got, stored); k == 0 || cos < l.Lowest {
			l.Lowest, l.Query = cos, q
		}
		l.Tried++
	}
	return l, nil
}
