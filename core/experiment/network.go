//go:build !first

package experiment

import (
	"slices"

	"github.com/rankbox/rankbox/core/bundle"
	"github.com/rankbox/rankbox/core/encoder/neural"
	"github.com/rankbox/rankbox/core/pipeline"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/stage"
)

// network encodes typed queries by a model itself.
type network struct {
	label  string
	encode func(text string) ([]float32, error)
}

// SetNetwork has typed queries of one of the collection's models encoded by the model itself, whose vectors must be comparable with those that are stored; nil
// takes that back.
func (s *Session) SetNetwork(model, label string, encode func(text string) ([]float32, error)) {
	if encode == nil {
		delete(s.whole, model)
	} else {
		if s.whole == nil {
			s.whole = map[string]*network{}
		}
		s.whole[model] = &network{label, encode}
	}
	s.rankers = nil
}

// HasNetwork says whether typed queries of a model are encoded by the model itself.
func (s *Session) HasNetwork(model string) bool { return s.whole[model] != nil }

// Network implements stage.Whole.
func (p parts) Network(model string) func(text string) ([]float32, error) {
	if w := p.s.whole[model]; w != nil {
		return w.encode
	}
	return nil
}

// encodedBy says who encoded a typed query for a pipeline, "" where that needs no vectors.
func (s *Session) encodedBy(n *pipeline.Node) string {
	out := ""
	if len(stage.Models(n)) > 0 {
		out = s.encodedWhole(n)
	}
	if stage.Averages(n) {
		if out != "" {
			out += " "
		}
		out += "Late interaction: the query’s tokens have the averages of their vectors in the documents."
	}
	return out
}

func (s *Session) encodedWhole(n *pipeline.Node) string {
	var by, static []string
	for _, name := range stage.Models(n) {
		label := ""
		for _, m := range (parts{s}).Models() {
			if w := s.whole[m.Name]; w != nil && (name == m.Name || name == m.Label) {
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
		return s.encodedStatic()
	case len(static) == 0 || s.encoder == nil:
		return "Typed query: encoded by " + say.And(by) + " in this tab."
	}
	return "Typed query: encoded by " + say.And(by) + " in this tab, and for " + say.And(static) + " by " + s.encoder.Name() + ", an approximation of " + s.encoder.Teacher() + "."
}

// Model returns one of them by either of its names.
func (s *Session) Model(name string) (m bundle.Model, ok bool) {
	for _, m := range s.Models() {
		if m.Name == name || m.Label == name {
			return m, true
		}
	}
	return m, false
}

// Fetch gets a file of the collection.
func (s *Session) Fetch(f bundle.File) ([]byte, error) { return s.fetch(f) }

// Likeness is how near what a network makes of queries comes to the vectors that are stored of them.
type Likeness struct {
	Tried  int     // queries, spread evenly over the collection's
	Lowest float64 // cosine
	Query  string  // that it is of
}

// Liken encodes up to n of the collection's queries anew, of those that a model's vectors are stored of.
func (s *Session) Liken(model string, n int, encode func(text string) ([]float32, error)) (l Likeness, err error) {
	v, err := parts{s}.Vectors(model)
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
