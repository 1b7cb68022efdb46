package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rankbox/rankbox/core/bundle"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/rank"
	"github.com/rankbox/rankbox/core/stage"
)

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// search writes a TREC run of one pipeline over the queries of a collection that have judgments, or over all where none has.
func search(c *context, args []string) error {
	f := flag.NewFlagSet("search", flag.ContinueOnError)
	notation := f.String("s", "", "the pipeline, as bm25(k1=0.9,b=0.4)")
	k := f.Int("k", 100, "documents a query")
	tag := f.String("t", "", "the run's tag; the pipeline without spaces where none is given")
	split := f.String("split", "test", "which qrels of a BEIR folder")
	quiet := f.Bool("quiet", false, "no warnings on standard error")
	var bounds limits
	bounds.flags(f)
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	if len(words) != 1 || *notation == "" {
		return usagef("want one collection and a pipeline (-s)")
	}
	if *k < 1 {
		return usagef("-k %d: want at least 1", *k)
	}
	n, err := stage.Parse(*notation)
	if err != nil {
		return usageError{err}
	}
	s, warnings, err := openCollection(words[0], *split, bounds.Limits)
	if err != nil {
		return err
	}
	if !*quiet {
		for _, w := range warnings {
			fmt.Fprintf(c.err, "rankbox search: warning: %s\n", w)
		}
	}
	r, err := s.Ranker(n)
	if err != nil {
		return err
	}
	if *tag == "" {
		*tag = strings.ReplaceAll(n.String(), " ", "")
	}
	out := collection.NewRunWriter(c.out, *tag)
	var hits []rank.Hit
	topics := s.Queries()
	judged := s.Judged()
	for i, t := range topics {
		if len(judged) > 0 && !judged[t.ID] {
			continue
		}
		if hits, err = r.Rank(rank.Query{ID: t.ID, Text: topics[i].Text}, *k, nil, hits); err != nil {
			return fmt.Errorf("query %s: %w", t.ID, err)
		}
		for j, h := range hits {
			if err := out.Write(t.ID, s.Bundle().Cards[h.Doc].ID, j+1, h.Score); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// openCollection opens a bundle, a BEIR folder or a zip of one.
func openCollection(name, split string, limits collection.Limits) (*experiment.Session, []collection.Warning, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	if info.IsDir() {
		if data, err := os.ReadFile(filepath.Join(name, "manifest.json")); err == nil {
			m, err := bundle.ReadManifest(data)
			if err != nil {
				return nil, nil, err
			}
			s, err := session(m, func(f bundle.File) ([]byte, error) { return os.ReadFile(filepath.Join(name, f.Name)) })
			return s, nil, err
		}
	}
	var (
		c    *collection.Collection
		fsys fs.FS
	)
	if info.IsDir() {
		fsys = os.DirFS(name)
	} else {
		var f *os.File
		if f, err = os.Open(name); err != nil {
			return nil, nil, err
		}
		defer f.Close()
		if fsys, err = collection.OpenZip(name, f, info.Size(), limits); err != nil {
			return nil, nil, err
		}
	}
	if c, err = collection.ReadBEIR(fsys, split, limits); err != nil {
		return nil, nil, err
	}
	vectors, err := bundle.ReadVectors(fsys)
	if err != nil {
		return nil, nil, err
	}
	files := map[string][]byte{}
	m, err := bundle.Build(bundle.Source{ID: "collection", Name: filepath.Base(name), Collection: c, Vectors: vectors}, func(name string, data []byte) error {
		files[name] = data
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	s, err := session(m, func(f bundle.File) ([]byte, error) { return files[f.Name], nil })
	return s, c.Warnings, err
}

func session(m *bundle.Manifest, fetch bundle.Fetch) (*experiment.Session, error) {
	b, err := bundle.Open(m, fetch)
	if err != nil {
		return nil, err
	}
	return experiment.NewSession(b, fetch), nil
}
