package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/intake/scores"
)

// besides are the files that a comparison is read with, "" for none, and what stands between the ids of a document and
// a chunk.
type besides struct {
	queries, corpus, chunkMap, separator string
	ids                                  spelling
}

// readInput reads what is compared: qrels and runs; one file or folder that holds it all; or tables of scores, of
// which role may say how they are read.
func readInput(c *context, words []string, role intake.Role, with besides,
	warn func([]collection.Warning)) (*compare.Input, *scores.Table, error) {
	type source struct {
		name string
		role intake.Role
	}
	var sources []source
	stdin := 0
	folders := 0
	for i, w := range words {
		of := intake.Runs
		if i == 0 {
			of = intake.Judgments
		}
		if role != intake.Any {
			of = role
		}
		if info, err := os.Stat(w); err == nil && info.IsDir() {
			folders++
		}
		sources = append(sources, source{w, of})
		if w == "-" {
			stdin++
		}
	}
	if stdin > 1 {
		return nil, nil, usagef("only one file can come from standard input")
	}
	if len(words) == 1 || folders > 0 {
		sources = sources[:0]
		names, err := spread(words)
		if err != nil {
			return nil, nil, err
		}
		for _, name := range names {
			sources = append(sources, source{name, role})
		}
	}
	for _, x := range []source{{with.queries, intake.Queries}, {with.corpus, intake.Corpus},
		{with.chunkMap, intake.Chunks}} {
		if x.name != "" {
			sources = append(sources, x)
		}
	}
	var files []*intake.File
	for _, x := range sources {
		f, err := take(c, x.name, x.role)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, f)
	}
	got := intake.Gather(files, intake.Rule{Chunks: collection.ChunkRule{Separator: with.separator}, Scores: true,
		IDs: with.ids.rules})
	for _, told := range got.Files {
		warn(told.Warnings)
	}
	if t, err := tableOf(files, got); t != nil || err != nil {
		return nil, t, err
	}
	for i, told := range got.Files {
		switch {
		case errors.Is(told.Problem, intake.ErrNoCorpus):
			return nil, nil, fmt.Errorf("%s names documents by reference: give the file of the documents (-corpus)",
				files[i].Name)
		case told.Problem != nil:
			return nil, nil, fmt.Errorf("%s: %w", files[i].Name, told.Problem)
		}
	}
	if in := &got.Input; in.Qrels != nil && len(in.Runs) > 0 {
		for i := range files {
			if files[i].Name == got.Near {
				if err := with.ids.refuse(got.Files[i].Warnings); err != nil {
					return nil, nil, err
				}
			}
		}
		return in, nil, nil
	}
	return nil, nil, usagef("%s is neither a packed comparison nor a zip or folder of judgments and runs; want qrels "+
		"and at least one run, or tables of scores", words[0])
}

// take reads a file.
func take(c *context, name string, role intake.Role) (*intake.File, error) {
	f, shown, err := c.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return intake.Read(shown, role, f, collection.Options{Limits: c.limits, Columns: c.columns})
}

// filesOf returns the files of a folder in the order of their names, or a file alone.
func filesOf(name string) ([]string, error) {
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		return []string{name}, nil // opening it says what is wrong
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		if !e.IsDir() {
			files = append(files, filepath.Join(name, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s is empty", name)
	}
	return files, nil
}
