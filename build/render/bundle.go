package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/collection"
	corebundle "github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/encoder"
	"github.com/rankbox/rankbox/core/retrieve/encoder/neural"
)

// card is collection.json, which stands beside corpus.jsonl.
type card struct {
	Name    string `json:"name"`    // "Harbour Wire"
	Licence string `json:"licence"` // SPDX identifier
	Source  string `json:"source"`  // where it comes from, a sentence

	Analyzer string `json:"analyzer"` // of the index, "" for lucene-english
}

// The texts of a large collection are in fewer and larger files: hosts and caches want no tens of thousands of them.
// Ten results need about ten of them, which is 0.3 MB of 171,332 documents like TREC-COVID's.
const (
	manyDocuments = 32 * mostShards
	mostShards    = 2048
)

// bundle packs the collection in the folder args[0], under the id args[1], into the folder args[2] and returns what its
// reader found odd. The folder is a BEIR folder, with vectors/<model>/ and runs/<name>.run as scripts/embed writes
// them, and perhaps vectors/<model>/onnx/; one without collection.json has the name of its folder. The other arguments
// are folders of encoders: without any model's vectors the first one encodes the documents and queries.
func bundle(args []string) (any, error) {
	if len(args) < 3 {
		return nil, errors.New("usage: render bundle FOLDER ID OUT [ENCODER …]")
	}
	src, out := args[0], args[2]
	dir := os.DirFS(src)
	about := card{Name: filepath.Base(src)}
	if err := readJSON(dir, "collection.json", &about); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	c, err := collection.ReadBEIR(dir, "", collection.Limits{})
	if err != nil {
		return nil, err
	}
	odd := []string{}
	for _, w := range c.Warnings {
		odd = append(odd, fmt.Sprint(w))
	}
	s := corebundle.Source{ID: args[1], Name: about.Name, Licence: about.Licence, Origin: about.Source, Collection: c,
		Analyzer: about.Analyzer}
	if n := len(c.Docs); n > manyDocuments {
		s.Shard = (n + mostShards - 1) / mostShards
	}
	models, err := corebundle.ReadVectors(dir, "vectors", nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", src, err)
	}
	s.Vectors, s.Tokens, s.Weights = models.Vectors, models.Tokens, models.Weights
	if s.Runs, err = corebundle.ReadRuns(dir, "runs"); err != nil {
		return nil, fmt.Errorf("%s: %w", src, err)
	}
	if s.Networks, err = corebundle.ReadNetworks(dir, "vectors"); err != nil {
		return nil, fmt.Errorf("%s: %w", src, err)
	}
	for _, n := range s.Networks { // what the page would refuse is refused here
		if _, err := neural.Read(n.Files); err != nil {
			return nil, fmt.Errorf("%s: vectors/%s/onnx: %w", src, n.Model, err)
		}
	}
	for _, dir := range args[3:] {
		e, err := corebundle.ReadEncoder(os.DirFS(dir))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		s.Encoders = append(s.Encoders, e)
	}
	if len(s.Vectors) == 0 && len(s.Encoders) > 0 {
		x, err := encoder.New(&s.Encoders[0].File)
		if err != nil {
			return nil, err
		}
		if err := s.Encode(x, func(int) error { return nil }); err != nil {
			return nil, err
		}
	}
	_, err = corebundle.Build(s, func(name string, data []byte) error {
		file := filepath.Join(out, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		return os.WriteFile(file, data, 0o666)
	})
	return odd, err
}

// packEncoder writes the encoder in the folder args[0], as the page fetches it, into the file args[1], and returns its
// teacher.
func packEncoder(args []string) (any, error) {
	if len(args) != 2 {
		return nil, errors.New("usage: render encoder FOLDER FILE")
	}
	e, err := corebundle.ReadEncoder(os.DirFS(args[0]))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", args[0], err)
	}
	return e.File.Teacher, os.WriteFile(args[1], wire.Marshal(&e.File), 0o666)
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
