package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	corebundle "github.com/rankbox/rankbox/core/bundle"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/rank/dense"
)

// card is collection.json, which stands beside corpus.jsonl.
type card struct {
	Name    string `json:"name"`    // "Harbour Wire"
	Licence string `json:"licence"` // SPDX identifier
	Source  string `json:"source"`  // where it comes from, a sentence
}

// modelNames are the words by which systems name the models that scripts/embed knows, by the name of their folder.
var modelNames = map[string]string{
	"all-MiniLM-L6-v2":  "minilm",
	"bge-small-en-v1.5": "bge",
	"e5-small-v2":       "e5",
}

// bundle packs the collection in the folder args[0] into the folder args[1] and returns its manifest. The folder is a BEIR folder
// with collection.json, and vectors/<model>/ as scripts/embed writes them. A warning of the reader is an error here: what we
// publish is clean.
func bundle(args []string) (any, error) {
	if len(args) != 2 {
		return nil, errors.New("usage: render bundle FOLDER OUT")
	}
	src, out := args[0], args[1]
	dir := os.DirFS(src)
	var about card
	if err := readJSON(dir, "collection.json", &about); err != nil {
		return nil, err
	}
	c, err := collection.ReadBEIR(dir, "", collection.Limits{})
	if err != nil {
		return nil, err
	}
	for _, w := range c.Warnings {
		return nil, fmt.Errorf("%s: %s", src, w)
	}
	s := corebundle.Source{ID: filepath.Base(src), Name: about.Name, Licence: about.Licence, Origin: about.Source, Collection: c}
	folders, err := fs.Glob(dir, "vectors/*/meta.json")
	if err != nil {
		return nil, err
	}
	for _, meta := range folders {
		v, err := readVectors(dir, path.Dir(meta))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", src, err)
		}
		s.Vectors = append(s.Vectors, *v)
	}
	return corebundle.Build(s, func(name string, data []byte) error {
		file := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		return os.WriteFile(file, data, 0o666)
	})
}

// readVectors reads what one model made of the collection.
func readVectors(dir fs.FS, folder string) (*corebundle.SourceVectors, error) {
	var meta struct {
		Model       string `json:"model"`
		Licence     string `json:"licence"`
		Dim         int    `json:"dim"`
		Pooling     string `json:"pooling"`
		QueryPrefix string `json:"query_prefix"`
		Normalised  bool   `json:"normalised"`
		Weights     struct {
			Version string `json:"version"`
		} `json:"weights"`
	}
	if err := readJSON(dir, folder+"/meta.json", &meta); err != nil {
		return nil, err
	}
	name, ok := modelNames[path.Base(folder)]
	if !ok {
		return nil, fmt.Errorf("%s: systems have no name for this model: add one to modelNames", folder)
	}
	v := &corebundle.SourceVectors{Model: corebundle.Model{Name: name, Label: path.Base(folder), Revision: meta.Weights.Version, Licence: meta.Licence,
		Pooling: meta.Pooling, Prefix: meta.QueryPrefix, Dim: meta.Dim, Normalised: meta.Normalised}}
	var err error
	if v.Docs, v.DocIDs, err = readRows(dir, folder, "docs", "doc_ids", meta.Dim); err != nil {
		return nil, err
	}
	v.Queries, v.QueryIDs, err = readRows(dir, folder, "queries", "query_ids", meta.Dim)
	return v, err
}

func readRows(dir fs.FS, folder, stem, ids string, dim int) (*dense.Vectors, []string, error) {
	open := func(name string) ([]byte, error) { return fs.ReadFile(dir, folder+"/"+name) }
	text, err := open(ids + ".txt")
	if err != nil {
		return nil, nil, err
	}
	names := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	v := &dense.Vectors{Dim: dim}
	data, err := open(stem + ".i8.npy")
	if err != nil {
		return nil, nil, err
	}
	if v.Rows, err = readInt8(data, len(names), dim); err != nil {
		return nil, nil, fmt.Errorf("%s/%s.i8.npy: %w", folder, stem, err)
	}
	if data, err = open(stem + ".scales.npy"); err != nil {
		return nil, nil, err
	}
	if v.Scales, err = readFloat32(data, len(names)); err != nil {
		return nil, nil, fmt.Errorf("%s/%s.scales.npy: %w", folder, stem, err)
	}
	return v, names, v.Check()
}

func readJSON(dir fs.FS, name string, v any) error {
	data, err := fs.ReadFile(dir, name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
