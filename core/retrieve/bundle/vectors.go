package bundle

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/retrieve/rank/dense"
)

// Models holds the vectors of several models.
type Models struct {
	Vectors []SourceVectors
	Tokens  []SourceTokens
	Weights []SourceWeights
}

// ReadVectors reads the folders root/<model>/ ("vectors" beside a BEIR collection) of the models in want, by either
// of their names, or of all if want is nil. It returns none if root is absent. A folder holds
//
//	docs.i8.npy, queries.i8.npy          int8 [rows, dim], with docs.scales.npy and queries.scales.npy, float32 [rows]
//	docs.npy, queries.npy                or instead float32 [rows, dim], kept and also rounded to int8
//	doc_ids.txt, query_ids.txt           the ids of the rows, one a line; here or in root
//	meta.json                            optional: model, licence, pooling, query_prefix, dim, normalised, weights.version
//	queries.meta.json                    optional: the same for the queries, which must be of the same model
//
// or token vectors (readTokens) or term weights (readWeights). The folder names the model, or its short name if
// systems have one for it.
func ReadVectors(fsys fs.FS, root string, want []string) (*Models, error) {
	out := &Models{}
	entries, err := fs.ReadDir(fsys, root)
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		m := modelOf(e.Name())
		if !e.IsDir() || want != nil && !slices.Contains(want, m.Name) && !slices.Contains(want, m.Label) {
			continue
		}
		f := &folder{fsys: fsys, root: root, path: path.Join(root, e.Name()), model: m}
		if err := readMeta(fsys, f.path+"/meta.json", &f.model); err != nil {
			return nil, err
		}
		switch {
		case f.has("doc_tokens.i8.npy"):
			v, err := f.readTokens()
			if err != nil {
				return nil, err
			}
			out.Tokens = append(out.Tokens, *v)
		case f.has("docs.jsonl"):
			v, err := f.readWeights()
			if err != nil {
				return nil, err
			}
			out.Weights = append(out.Weights, *v)
		case want == nil && !f.has("docs.npy") && !f.has("docs.i8.npy"): // not the folder of a model
		default:
			v, err := f.readVectors()
			if err != nil {
				return nil, err
			}
			out.Vectors = append(out.Vectors, *v)
		}
	}
	return out, nil
}

// readVectors reads the folder of a model of vectors.
func (f *folder) readVectors() (*SourceVectors, error) {
	v := &SourceVectors{Model: f.model}
	queries := f.model
	queries.source = ""
	err := readMeta(f.fsys, f.path+"/queries.meta.json", &queries)
	if err != nil {
		return nil, err
	}
	if queries.source == "" {
		queries.source = f.model.source
	}
	if err := sameModel(f.path, f.model, queries); err != nil {
		return nil, err
	}
	if v.Docs, v.DocIDs, err = f.readRows("docs", "doc_ids"); err != nil {
		return nil, err
	}
	if v.Queries, v.QueryIDs, err = f.readRows("queries", "query_ids"); err != nil {
		return nil, err
	}
	if v.Queries.Dim != v.Docs.Dim {
		return nil, say.Faultf("bundle", "%s: documents have %d dimensions, queries %d: the models differ", f.path,
			v.Docs.Dim, v.Queries.Dim)
	}
	v.Model.Dim = v.Docs.Dim
	return v, nil
}

// sameModel refuses queries and documents of different models.
func sameModel(where string, docs, queries Model) error {
	for _, x := range []struct{ what, docs, queries string }{
		{"model", docs.source, queries.source}, {"revision", docs.Revision, queries.Revision},
		{"pooling", docs.Pooling, queries.Pooling},
		{"dimensions", fmt.Sprint(docs.Dim), fmt.Sprint(queries.Dim)},
		{"normalisation", fmt.Sprint(docs.Normalised), fmt.Sprint(queries.Normalised)},
	} {
		if x.docs != x.queries {
			return say.Faultf("bundle",
				"%s: the queries are of another %s (%q) than the documents (%q): their vectors cannot be compared",
				where, x.what, x.queries, x.docs)
		}
	}
	return nil
}

// modelOf returns the names of the model with a folder.
func modelOf(folder string) Model {
	m := Model{Label: folder, Name: dense.Names[folder]}
	if m.Name == "" {
		m.Name = folder
	}
	return m
}

// ModelNames returns the names of the models with a folder in root, short names first, without reading them.
func ModelNames(fsys fs.FS, root string) []string {
	var out []string
	entries, _ := fs.ReadDir(fsys, root) // no folder, no models
	for _, e := range entries {
		if m := modelOf(e.Name()); e.IsDir() {
			if out = append(out, m.Name); m.Label != m.Name {
				out = append(out, m.Label)
			}
		}
	}
	return out
}

func readMeta(fsys fs.FS, name string, m *Model) error {
	data, err := readFile(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	r := jsontext.New(nil, jsontext.Limits{})
	r.Reset(data)
	for r.BeginObject(); r.More(); {
		switch string(r.Key()) {
		case "model":
			m.source = r.String()
		case "licence":
			m.Licence = r.String()
		case "pooling":
			m.Pooling = r.String()
		case "query_prefix":
			m.Prefix = r.String()
		case "dim":
			m.Dim = int(r.Int())
		case "normalised":
			m.Normalised = r.Bool()
		case "weights":
			for r.BeginObject(); r.More(); {
				switch string(r.Key()) {
				case "version":
					m.Revision = r.String()
				default:
					r.Skip()
				}
			}
		default:
			r.Skip()
		}
	}
	r.End()
	if err := r.Err(); err != nil {
		return say.Faultf("bundle", "%s: %w", name, err)
	}
	return nil
}

// readRows reads the vectors of stem, int8 or float32, and the ids of their rows.
func (f *folder) readRows(stem, ids string) (*dense.Vectors, []string, error) {
	var v *dense.Vectors
	name := f.path + "/" + stem
	rows, err := f.array(stem + ".i8.npy")
	if errors.Is(err, fs.ErrNotExist) {
		if rows, err = f.array(stem + ".npy"); err != nil {
			return nil, nil, err
		}
		if rows.Float32 == nil || len(rows.Shape) != 2 {
			return nil, nil, say.Faultf("bundle", "%s.npy: %s of shape %v: vectors are <f4 of two dimensions", name,
				rows.Type(), rows.Shape)
		}
		v = dense.Round(rows.Float32, rows.Dim())
	} else {
		if err != nil {
			return nil, nil, err
		}
		scales, err := f.array(stem + ".scales.npy")
		if err != nil {
			return nil, nil, err
		}
		if rows.Int8 == nil || scales.Float32 == nil {
			return nil, nil, say.Faultf("bundle", "%s: %s with scales %s: vectors are |i1 and their scales <f4", name,
				rows.Type(), scales.Type())
		}
		v = &dense.Vectors{Dim: rows.Dim(), Rows: rows.Int8, Scales: scales.Float32}
	}
	if dim := f.model.Dim; dim > 0 && v.Dim != dim {
		return nil, nil, say.Faultf("bundle", "%s: %d dimensions, meta.json says %d", name, v.Dim, dim)
	}
	if err := v.Check(); err != nil {
		return nil, nil, say.Faultf("bundle", "%s: %w", name, err)
	}
	list, err := f.ids(ids)
	if err == nil && len(list) != v.Len() {
		err = say.Faultf("bundle", "%s: %d rows, but %d ids in %s.txt", name, v.Len(), len(list), ids)
	}
	return v, list, err
}
