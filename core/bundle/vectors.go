package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/rank/dense"
)

// modelNames are the words by which systems name models, by the name of the folder that holds their vectors.
var modelNames = map[string]string{
	"all-MiniLM-L6-v2":  "minilm",
	"bge-small-en-v1.5": "bge",
	"e5-small-v2":       "e5",
}

// ReadVectors reads the folders vectors/<model>/ beside a BEIR collection, of the models that are wanted by either of their names, or of
// all where want is nil. None is there where the folder vectors is absent. A folder holds
//
//	docs.i8.npy, queries.i8.npy          int8 [rows, dim], with docs.scales.npy and queries.scales.npy, float32 [rows]
//	docs.npy, queries.npy                or float32 [rows, dim] instead, which are rounded to int8 with a scale a row
//	doc_ids.txt, query_ids.txt           the ids of the rows, one a line; here or in the folder vectors
//	meta.json                            licence, pooling, query_prefix, dim, normalised, weights.version; may be absent
//
// A model is named by its folder; those that systems have a short name for have that.
func ReadVectors(fsys fs.FS, want []string) ([]SourceVectors, error) {
	entries, err := fs.ReadDir(fsys, "vectors")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []SourceVectors
	for _, e := range entries {
		m := modelOf(e.Name())
		if !e.IsDir() || want != nil && !slices.Contains(want, m.Name) && !slices.Contains(want, m.Label) {
			continue
		}
		folder := path.Join("vectors", e.Name())
		v := SourceVectors{Model: m}
		if err := readMeta(fsys, folder+"/meta.json", &v.Model); err != nil {
			return nil, err
		}
		if v.Docs, v.DocIDs, err = readRows(fsys, folder, "docs", "doc_ids", v.Model.Dim); err != nil {
			return nil, err
		}
		if v.Queries, v.QueryIDs, err = readRows(fsys, folder, "queries", "query_ids", v.Model.Dim); err != nil {
			return nil, err
		}
		v.Model.Dim = v.Docs.Dim
		out = append(out, v)
	}
	return out, nil
}

// modelOf returns the names of the model whose vectors are in a folder.
func modelOf(folder string) Model {
	m := Model{Label: folder, Name: modelNames[folder]}
	if m.Name == "" {
		m.Name = folder
	}
	return m
}

// ModelNames returns the names of the models that have a folder in vectors/, short ones first where they have two. It reads none.
func ModelNames(fsys fs.FS) []string {
	var out []string
	entries, _ := fs.ReadDir(fsys, "vectors") // no folder, no models
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
	data, err := fs.ReadFile(fsys, name)
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
		return fmt.Errorf("bundle: %s: %w", name, err)
	}
	return nil
}

// readRows reads the vectors of stem, int8 or float32, and the ids of their rows. dim is what meta.json says, 0 for nothing.
func readRows(fsys fs.FS, folder, stem, ids string, dim int) (*dense.Vectors, []string, error) {
	array := func(name string) (*collection.Array, error) {
		data, err := fs.ReadFile(fsys, folder+"/"+name)
		if err != nil {
			return nil, err
		}
		return collection.ReadNPY(bytes.NewReader(data), folder+"/"+name, collection.Options{})
	}
	var v *dense.Vectors
	rows, err := array(stem + ".i8.npy")
	if errors.Is(err, fs.ErrNotExist) {
		name := stem + ".npy"
		if rows, err = array(name); err != nil {
			return nil, nil, err
		}
		if rows.Float32 == nil || len(rows.Shape) != 2 {
			return nil, nil, fmt.Errorf("bundle: %s/%s: %s of shape %v: vectors are <f4 of two dimensions", folder, name, rows.Type(), rows.Shape)
		}
		v = dense.Quantise(rows.Float32, rows.Dim())
	} else {
		if err != nil {
			return nil, nil, err
		}
		scales, err := array(stem + ".scales.npy")
		if err != nil {
			return nil, nil, err
		}
		if rows.Int8 == nil || scales.Float32 == nil {
			return nil, nil, fmt.Errorf("bundle: %s/%s: %s with scales %s: vectors are |i1 and their scales <f4", folder, stem, rows.Type(), scales.Type())
		}
		v = &dense.Vectors{Dim: rows.Dim(), Rows: rows.Int8, Scales: scales.Float32}
	}
	if dim > 0 && v.Dim != dim {
		return nil, nil, fmt.Errorf("bundle: %s/%s: %d dimensions, meta.json says %d", folder, stem, v.Dim, dim)
	}
	if err := v.Check(); err != nil {
		return nil, nil, fmt.Errorf("bundle: %s/%s: %w", folder, stem, err)
	}
	text, err := fs.ReadFile(fsys, folder+"/"+ids+".txt")
	if errors.Is(err, fs.ErrNotExist) {
		text, err = fs.ReadFile(fsys, "vectors/"+ids+".txt")
	}
	if err != nil {
		return nil, nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
	}
	return v, lines, nil
}
