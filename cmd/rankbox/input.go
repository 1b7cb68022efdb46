package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/compare"
	"github.com/rankbox/rankbox/core/intake"
)

// besides are the files that a comparison is read with, "" for none, and what stands between the ids of a document and a chunk.
type besides struct {
	queries, corpus, chunkMap, separator string
}

// readInput reads what is compared: qrels and runs; or one file or folder that holds it all.
func readInput(c *context, words []string, with besides, warn func([]collection.Warning)) (*compare.Input, error) {
	type source struct {
		name string
		role intake.Role
	}
	var sources []source
	stdin := 0
	for i, w := range words {
		role := intake.Runs
		if i == 0 {
			role = intake.Judgments
		}
		sources = append(sources, source{w, role})
		if w == "-" {
			stdin++
		}
	}
	if stdin > 1 {
		return nil, usagef("only one file can come from standard input")
	}
	if len(words) == 1 {
		sources = sources[:0]
		names, err := filesOf(words[0])
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			sources = append(sources, source{name, intake.Any})
		}
	}
	for _, x := range []source{{with.queries, intake.Queries}, {with.corpus, intake.Corpus}, {with.chunkMap, intake.Chunks}} {
		if x.name != "" {
			sources = append(sources, x)
		}
	}
	var files []*intake.File
	for _, x := range sources {
		f, err := take(c, x.name, x.role)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	got := intake.Gather(files, intake.Rule{Chunks: collection.ChunkRule{Separator: with.separator}})
	for i, told := range got.Files {
		warn(told.Warnings)
		switch {
		case errors.Is(told.Problem, intake.ErrNoCorpus):
			return nil, fmt.Errorf("%s names documents by reference: give the file of the documents (-corpus)", files[i].Name)
		case told.Problem != nil:
			return nil, fmt.Errorf("%s: %w", files[i].Name, told.Problem)
		}
	}
	if in := &got.Input; in.Qrels != nil && len(in.Runs) > 0 {
		return in, nil
	}
	return nil, usagef("%s is neither a packed comparison nor a zip or folder of judgments and runs; want qrels and at least one run", words[0])
}

// take reads a file.
func take(c *context, name string, role intake.Role) (*intake.File, error) {
	f, shown, err := c.open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return intake.Read(shown, role, f, collection.Options{Limits: c.limits})
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
