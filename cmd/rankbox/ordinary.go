package main

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/documents"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/within"
)

// laidOut says whether a folder, or a folder in it, is one of a test collection in BEIR's layout.
func laidOut(fsys fs.FS) bool {
	for _, pattern := range []string{"corpus.jsonl*", "*/corpus.jsonl*", "qrels/*.tsv*", "vectors/*/docs.npy"} {
		if found, err := fs.Glob(fsys, pattern); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}

// ordinaryFile says by its name that a file is one of documents, and no archive of a collection.
func ordinaryFile(name string) bool { return documents.Readable(path.Base(filepath.ToSlash(name))) }

// ordinary makes a collection of a file, or of all files of a folder that hold documents: as collection.Read does if it knows the format, and
// otherwise as package documents does.
func (o *opening) ordinary(c *context, name string, folder fs.FS) (*collection.Collection, []collection.Warning, error) {
	if err := haveModels(o.models, o.beside); err != nil {
		return nil, nil, err
	}
	all := &collection.Collection{Qrels: collection.NewQrels()}
	var warnings []collection.Warning
	if folder == nil {
		more, err := readOrdinary(c, all, name, name, false)
		return all, more, err
	}
	var names []string
	err := fs.WalkDir(folder, ".", func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && documents.Readable(file) {
			names = append(names, file)
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	slices.Sort(names)
	for _, file := range names {
		more, err := readOrdinary(c, all, filepath.Join(name, filepath.FromSlash(file)), file, len(names) > 1)
		warnings = append(warnings, more...)
		if err != nil {
			return nil, nil, err
		}
	}
	if len(all.Docs) == 0 {
		return nil, nil, say.Faultf("rankbox", "%s holds no documents: want Markdown, HTML, text, tables (CSV, TSV), JSON, or a BEIR folder with a corpus.jsonl", name)
	}
	if n := documents.Unique(all.Docs); n > 0 {
		warnings = append(warnings, collection.Warning{Kind: collection.DuplicateID, File: name, Count: n, Message: "documents repeat an id: a number was added to it"})
	}
	return all, warnings, nil
}

// readOrdinary adds what a file holds to a collection. Its documents are called after name.
func readOrdinary(c *context, all *collection.Collection, file, name string, several bool) ([]collection.Warning, error) {
	role := documents.RoleOf(name)
	if documents.Looks(name, []byte("x")) != "Markdown" && documents.Looks(name, []byte("x")) != "HTML" {
		var got *collection.Content
		var err error
		if role == documents.Queries {
			got, err = readContent(c, file)
		} else {
			got, err = readAs(c, file, collection.CorpusJSONL)
		}
		if err == nil && (len(got.Docs) > 0 || len(got.Queries) > 0 || got.Qrels != nil || got.Collection != nil) {
			docs, queries, qrels := got.Docs, got.Queries, got.Qrels
			if got.Collection != nil {
				docs, queries, qrels = got.Collection.Docs, got.Collection.Queries, got.Collection.Qrels
			}
			all.Docs, all.Queries = append(all.Docs, docs...), append(all.Queries, queries...)
			if qrels != nil {
				for _, q := range qrels.Queries() {
					qrels.Each(q, func(doc string, grade int) { all.Qrels.Add(q, doc, grade) })
				}
			}
			return got.Warnings, nil
		}
		var at *collection.ParseError
		var limit *collection.LimitError
		if errors.As(err, &limit) || errors.As(err, &at) && !at.Unrecognised && !strings.EqualFold(path.Ext(name), ".json") {
			return nil, err
		}
	}
	f, _, err := c.open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	most := c.limits.Bytes
	if most <= 0 {
		most = 1 << 30
	}
	b, err := within.All(f, 0, most)
	if err != nil {
		return nil, say.Faultf("rankbox", "%s: %w", file, err)
	}
	r, err := documents.File(name, b, role, several, documents.Limits{Bytes: most})
	if err != nil {
		return nil, err
	}
	all.Docs, all.Queries = append(all.Docs, r.Docs...), append(all.Queries, r.Queries...)
	var warnings []collection.Warning
	if r.Mapping.Text != "" || r.Mapping.Title != "" {
		warnings = append(warnings, collection.Warning{Kind: collection.NonStandardDialect, File: file, Count: 1, Message: "read as " + r.Kind + ": " + r.Mapping.Said()})
	}
	for _, w := range r.Warnings {
		warnings = append(warnings, collection.Warning{Kind: collection.NonStandardDialect, File: file, Count: 1, Message: w})
	}
	return warnings, nil
}
