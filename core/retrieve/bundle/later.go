//go:build !first

package bundle

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// OpenTexts reads the documents' cards and the queries, but not the index and judgments.
func OpenTexts(m *Manifest, fetch Fetch) (*Bundle, error) {
	b := &Bundle{Manifest: m}
	if err := m.read("cards", fetch, (*cardFile)(&b.Cards)); err != nil {
		return nil, err
	}
	if err := m.read("queries", fetch, (*queryFile)(&b.Queries)); err != nil {
		return nil, err
	}
	if len(b.Cards) != m.Documents || len(b.Queries) != m.Queries {
		return nil, say.Faultf("bundle", "%s: the manifest says %d documents and %d queries, there are %d and %d", m.ID,
			m.Documents, m.Queries, len(b.Cards), len(b.Queries))
	}
	return b, nil
}

// TakesVectors reports whether the bundle has its documents and no model yet.
func (m *Manifest) TakesVectors() bool { return m.takesModels() && len(m.Models) == 0 }

// takesModels reports whether AddVectors can extend the bundle: its documents are here, and no files follow the
// vectors.
func (m *Manifest) takesModels() bool {
	for _, f := range m.Files {
		if strings.HasPrefix(f.Role, runRole) || strings.HasPrefix(f.Role, networkRole) {
			return false
		}
	}
	return m.Elsewhere == nil && len(m.Late)+len(m.Sparse) == 0
}

// TakesModel reports whether AddVectors can add a model with this name.
func (m *Manifest) TakesModel(name string) bool {
	return m.takesModels() && !slices.ContainsFunc(m.Models, func(x Model) bool { return x.Name == name })
}

// AddVectors adds the vectors of a model to a bundle. It emits their files and returns the manifest that Build
// would give with these vectors last: equal files, equal hash.
func (b *Bundle) AddVectors(v SourceVectors, emit func(name string, data []byte) error) (*Manifest, error) {
	if !b.Manifest.TakesModel(v.Model.Name) {
		return nil, say.Faultf("bundle", "%s has vectors of %s or runs already", b.Manifest.ID, v.Model.Name)
	}
	m := *b.Manifest
	m.Files = slices.Clone(m.Files)
	docs := make(inMemory, len(b.Cards))
	for i, c := range b.Cards {
		docs[i].ID = c.ID
	}
	order, err := inOrder(m.ID, docs)
	if err != nil {
		return nil, err
	}
	if err := v.order(m.ID, ordinals(docs, order), b.Queries); err != nil {
		return nil, err
	}
	put := func(role, stem string, data []byte) error { return m.put(role, stem, data, emit) }
	model, err := putModel(Source{ID: m.ID}, &v, put, m.alias)
	if err != nil {
		return nil, err
	}
	m.Models = append(slices.Clone(m.Models), model)
	m.Hash = m.contentHash()
	return &m, m.validate()
}

// HashWithout returns the content hash of a bundle without the vectors of some models.
func (m *Manifest) HashWithout(models ...string) string {
	rest := &Manifest{}
	for _, f := range m.Files {
		name, _, _ := strings.Cut(strings.TrimPrefix(f.Role, "vectors/"), "/")
		if !strings.HasPrefix(f.Role, "vectors/") || !slices.Contains(models, name) {
			rest.Files = append(rest.Files, f)
		}
	}
	return rest.contentHash()
}
