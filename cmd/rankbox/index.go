package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/project/documents/chunk"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/text"
)

// index writes the bundle of a collection: its index, texts, queries, judgments and vectors, as search and the site
// open it.
func index(c *context, args []string) error {
	f := flag.NewFlagSet("index", flag.ContinueOnError)
	var from opening
	from.flags(f)
	folder := f.String("o", "", "the folder to write the bundle to")
	analyzer := f.String("analyzer", "",
		"the analyzer that splits texts into terms; default: the known collection's, else lucene-english; rankbox "+
			"analyze -list names them")
	id := f.String("id", "", "the collection's id in links: letters, digits and '-' (default collection)")
	name := f.String("name", "", "the collection's name; default: the file's")
	licence := f.String("licence", "", "the licence of the texts")
	numbers := f.String("vectors", "int8",
		"how to store float32 vectors: int8, f32 (both) or bit (the signs of the documents)")
	mapping := f.String("map", "",
		"a `file` that says which columns of a table or JSON are the id, title, text and so on; docs/documents.md")
	printMap := f.Bool("print-map", false,
		"print the columns as they are recognised, as a file for -map, and index nothing")
	var cut chunking
	cut.flags(f)
	quiet := f.Bool("quiet", false, "no warnings on standard error")
	words, err := parse(c, f, args)
	if err != nil {
		return err
	}
	if err := cut.check(); err != nil {
		return err
	}
	if *printMap {
		if len(words) != 1 || *mapping != "" || from.corpus != "" {
			return usagef("-print-map takes one file or folder")
		}
		c.limits = from.limits.Limits
		return printMapping(c, words[0])
	}
	if !from.said(words) || *folder == "" || from.corpus == "" && from.queries != "" {
		return usagef("want one collection (or -corpus and -queries) and a folder for the bundle (-o)")
	}
	if *analyzer != "" {
		if _, err := text.Get(*analyzer); err != nil { // before anything is read
			return usageError{err}
		}
	}
	if _, err := os.Stat(filepath.Join(*folder, "manifest.json")); err == nil {
		return usagef("%s holds a bundle already", *folder)
	}
	if *mapping != "" {
		if from.mapping, err = readMapping(c, *mapping); err != nil {
			return err
		}
	}
	if cut.parsed == nil {
		defer from.stream(*folder)()
	}
	src, warnings, err := from.source(c, words)
	if err != nil {
		return err
	}
	if !*quiet {
		warn(c, "index", warnings)
	}
	chunks, err := cut.apply(c, &src, from.headings, *quiet)
	if err != nil {
		return err
	}
	for i := range src.Vectors {
		if err := src.Vectors[i].Keep(*numbers); err != nil {
			return err
		}
	}
	src.Analyzer, src.ID = cmp.Or(*analyzer, src.Analyzer), cmp.Or(*id, src.ID)
	src.Name, src.Licence = cmp.Or(*name, src.Name), cmp.Or(*licence, src.Licence)
	return writeBundle(c, *folder, src, &cut, chunks)
}

// writeBundle writes the files of a bundle and says what it holds.
func writeBundle(c *context, folder string, src bundle.Source, cut *chunking, chunks []chunk.Chunk) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	if err := cut.beside(&src, chunks); err != nil {
		return err
	}
	files, bytes := 0, 0
	m, err := bundle.Build(src, func(name string, data []byte) error {
		files, bytes = files+1, bytes+len(data)
		return os.WriteFile(filepath.Join(folder, name), data, 0o666)
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "%s: %s, %s, %s, %s, hash %s\n", say.Visible(folder),
		cut.said(m.Documents, chunks),
		say.Count(len(src.Collection.Queries), "query", "queries"), say.Count(files, "file", "files"),
		say.Count(bytes, "byte", "bytes"), m.Hash)
	return err
}
