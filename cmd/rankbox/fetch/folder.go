package fetch

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/retrieve/recipe"
)

// card is collection.json, as core/collection and the build read it.
type card struct {
	Name        string `json:"name"`
	Licence     string `json:"licence"`
	Source      string `json:"source"`
	Analyzer    string `json:"analyzer"`
	RemoveQuery bool   `json:"remove_query,omitempty"`
}

// WriteFolder writes a collection of the cache as a folder in BEIR's layout, with all its splits. The folder must be
// empty or not exist; it is whole or not there.
func (c *Cache) WriteFolder(r *recipe.Recipe, dir string, opt collection.Options) error {
	return whole(dir, func(next string) error { return c.writeFolder(r, next, opt) })
}

// WriteCollection writes a collection as a folder in BEIR's layout, its judgments as the split test. The folder must be
// empty or not exist; it is whole or not there.
func WriteCollection(c *collection.Collection, analyzer, dir string) error {
	return whole(dir, func(next string) error {
		about := card{c.Name, c.License, c.Source, analyzer, c.RemoveQuery}
		err := errors.Join(writeCorpus(next, c.Docs), writeQueries(next, c.Queries), writeCard(next, about))
		if c.Qrels.Len() > 0 {
			err = errors.Join(err, writeQrels(next, "test", c.Qrels))
		}
		return err
	})
}

// whole has a new folder filled and puts it where it belongs.
func whole(dir string, fill func(next string) error) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty: name a new folder", dir)
	} else if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	next := filepath.Clean(dir) + ".next"
	if err := os.RemoveAll(next); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(next, "qrels"), 0o777); err != nil {
		return err
	}
	err := fill(next)
	if err == nil {
		os.Remove(dir) // if it is there, it is empty
		err = os.Rename(next, dir)
	}
	if err != nil {
		os.RemoveAll(next)
	}
	return err
}

func (c *Cache) writeFolder(r *recipe.Recipe, dir string, opt collection.Options) error {
	var queries []collection.Query
	asked := map[string]bool{}
	for i, s := range r.Splits {
		one, err := c.Read(r, s.Name, opt)
		if err != nil {
			return err
		}
		for _, q := range one.Queries {
			if !asked[q.ID] {
				asked[q.ID] = true
				queries = append(queries, q)
			}
		}
		if i == 0 {
			if err := writeCorpus(dir, one.Docs); err != nil {
				return err
			}
		}
		if err := writeQrels(dir, s.Name, one.Qrels); err != nil {
			return err
		}
	}
	if err := writeQueries(dir, queries); err != nil {
		return err
	}
	return writeCard(dir, card{r.Title, r.LicenceOr(), r.Files[0].URL, r.Analyzer, r.RemoveQuery})
}

func writeCorpus(dir string, docs []collection.Doc) error {
	return write(filepath.Join(dir, "corpus.jsonl"), func(f *os.File) error { return collection.WriteCorpus(f, docs) })
}

func writeQueries(dir string, queries []collection.Query) error {
	return write(filepath.Join(dir, "queries.jsonl"), func(f *os.File) error {
		return collection.WriteQueries(f, queries)
	})
}

func writeQrels(dir, split string, qrels *collection.Qrels) error {
	return write(filepath.Join(dir, "qrels", split+".tsv"), func(f *os.File) error { return qrels.WriteTSV(f) })
}

func writeCard(dir string, of card) error {
	about, err := json.MarshalIndent(of, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "collection.json"), append(about, '\n'), 0o666)
}

func write(name string, to func(f *os.File) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(to(f), f.Close())
}
