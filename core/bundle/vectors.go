package bundle

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
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

// ReadVectors reads the folders vectors/<model>/ beside a BEIR collection: meta.json, docs.i8.npy and queries.i8.npy with a
// scale a row in docs.scales.npy and queries.scales.npy, and the ids of the rows in doc_ids.txt and query_ids.txt. None is there
// where the folder vectors is absent.
func ReadVectors(fsys fs.FS) ([]SourceVectors, error) {
	entries, err := fs.ReadDir(fsys, "vectors")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []SourceVectors
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		folder := path.Join("vectors", e.Name())
		v := SourceVectors{Model: Model{Label: e.Name(), Name: modelNames[e.Name()]}}
		if v.Model.Name == "" {
			return nil, fmt.Errorf("bundle: %s: systems have no name for this model", folder)
		}
		if err := readMeta(fsys, folder+"/meta.json", &v.Model); err != nil {
			return nil, err
		}
		if v.Docs, v.DocIDs, err = readRows(fsys, folder, "docs", "doc_ids", v.Model.Dim); err != nil {
			return nil, err
		}
		if v.Queries, v.QueryIDs, err = readRows(fsys, folder, "queries", "query_ids", v.Model.Dim); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func readMeta(fsys fs.FS, name string, m *Model) error {
	data, err := fs.ReadFile(fsys, name)
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

func readRows(fsys fs.FS, folder, stem, ids string, dim int) (*dense.Vectors, []string, error) {
	array := func(name string) (*collection.Array, error) {
		data, err := fs.ReadFile(fsys, folder+"/"+name)
		if err != nil {
			return nil, err
		}
		return collection.ReadNPY(bytes.NewReader(data), folder+"/"+name, collection.Options{})
	}
	rows, err := array(stem + ".i8.npy")
	if err != nil {
		return nil, nil, err
	}
	scales, err := array(stem + ".scales.npy")
	if err != nil {
		return nil, nil, err
	}
	text, err := fs.ReadFile(fsys, folder+"/"+ids+".txt")
	if err != nil {
		return nil, nil, err
	}
	v := &dense.Vectors{Dim: dim, Rows: rows.Int8, Scales: scales.Float32}
	if err := v.Check(); err != nil {
		return nil, nil, fmt.Errorf("bundle: %s/%s: %w", folder, stem, err)
	}
	return v, strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), nil
}
