package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/bundle"
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

// isOrdinary says whether source reads a file or folder by way of ordinary. One that is not there is said to be:
// opening it says what is wrong.
func isOrdinary(name string) bool {
	info, err := os.Stat(name)
	if err == nil && info.IsDir() {
		return !laidOut(os.DirFS(name))
	}
	return err != nil || ordinaryFile(name)
}

// ordinary makes a collection of a file, or of all files of a folder that hold documents: as collection.Read does if it
// knows the format, and otherwise as package documents does, by the mapping that is given or lies in the folder.
func (o *opening) ordinary(c *context, name string, folder fs.FS) (src bundle.Source, warnings []collection.Warning,
	err error) {
	if err := haveModels(o.models, o.beside); err != nil {
		return src, nil, err
	}
	files, err := ordinaryFiles(name, folder)
	if err != nil {
		return src, nil, err
	}
	read := &reader{c: c, all: &collection.Collection{Qrels: collection.NewQrels()}, mapping: o.mapping,
		several: len(files) > 1, headings: map[int][]int{}}
	for _, f := range files {
		if head, _, err := peekAt(c, f.path); err == nil && read.mapping == nil && documents.IsMapping(head) {
			if read.mapping, err = readMapping(c, f.path); err != nil {
				return src, nil, err
			}
		}
	}
	for _, f := range files {
		if err := read.add(f); err != nil {
			return src, read.warnings, err
		}
	}
	if o.mapping != nil && !read.mapped {
		return src, nil, say.Faultf("rankbox", "%s holds no table and no JSON whose columns the mapping could name",
			name)
	}
	if folder != nil && len(read.all.Docs) == 0 {
		return src, nil, say.Faultf("rankbox",
			"%s holds no documents: want Markdown, HTML, text, tables (CSV, TSV), JSON, or a BEIR folder with a "+
				"corpus.jsonl", name)
	}
	if n := documents.Unique(read.all.Docs); n > 0 {
		read.warnings = append(read.warnings, collection.Warning{Kind: collection.DuplicateID, File: name, Count: n,
			Message: "documents repeat an id: a number was added to it"})
	}
	o.headings = read.headings
	src = bundle.Source{ID: "collection", Name: filepath.Base(name), Collection: read.all}
	if folder == nil {
		src.Name = strings.TrimSuffix(src.Name, filepath.Ext(name))
	}
	if len(read.languages) == 1 {
		src.Analyzer = documents.Analyzer(read.languages[0])
	}
	return src, read.warnings, nil
}

// documentFile is a file of documents: where it is, and what its documents are called after.
type documentFile struct{ path, name string }

// ordinaryFiles returns a file, or those of a folder that hold documents, by name.
func ordinaryFiles(name string, folder fs.FS) ([]documentFile, error) {
	if folder == nil {
		return []documentFile{{name, name}}, nil
	}
	var files []documentFile
	err := fs.WalkDir(folder, ".", func(file string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && documents.Readable(file) {
			files = append(files, documentFile{filepath.Join(name, filepath.FromSlash(file)), file})
		}
		return err
	})
	slices.SortFunc(files, func(a, b documentFile) int { return strings.Compare(a.name, b.name) })
	return files, err
}

// peekAt returns the beginning of a file, and how many bytes it has; one more than it read if there are more.
func peekAt(c *context, file string) (head []byte, size int64, err error) {
	f, _, err := c.open(file)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	head = make([]byte, documents.HeadBytes)
	n, err := io.ReadFull(f, head)
	switch err {
	case io.EOF, io.ErrUnexpectedEOF:
		return head[:n], int64(n), nil
	}
	return head, int64(n) + 1, err
}

// readMapping reads the file of a mapping.
func readMapping(c *context, file string) (*documents.Mapping, error) {
	f, name, err := c.open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := within.All(f, 0, documents.MaxMapping)
	if err != nil {
		return nil, say.Faultf("rankbox", "%s: %w", name, err)
	}
	return documents.ReadMapping(name, b)
}

// printMapping prints the mapping that is recognised in a file, or in the first table of a folder.
func printMapping(c *context, name string) error {
	var folder fs.FS
	if info, err := os.Stat(name); err != nil {
		return err
	} else if info.IsDir() {
		folder = os.DirFS(name)
	}
	files, err := ordinaryFiles(name, folder)
	if err != nil {
		return err
	}
	for _, f := range files {
		head, size, err := peekAt(c, f.path)
		if err != nil {
			return err
		}
		t, err := documents.Peek(f.path, head, size)
		if err != nil {
			return err
		}
		if t == nil || folder != nil && documents.RoleOf(f.name) == documents.Queries {
			continue
		}
		if _, err := t.Try(nil); err != nil {
			return err
		}
		_, err = c.out.Write(t.Mapping.JSON())
		return err
	}
	return say.Faultf("rankbox", "%s holds no table and no JSON whose columns a mapping could name", name)
}

// reader makes one collection of files.
type reader struct {
	c         *context
	all       *collection.Collection
	mapping   *documents.Mapping // nil to recognise the columns of each file
	several   bool
	mapped    bool // a file was read by the mapping
	languages []string
	headings  map[int][]int // by place among the documents
	warnings  []collection.Warning
}

// add reads a file.
func (r *reader) add(file documentFile) error {
	role := documents.RoleOf(file.name)
	head, size, err := peekAt(r.c, file.path)
	if err != nil {
		return err
	}
	if documents.IsMapping(head) {
		return nil
	}
	if looks := documents.Looks(file.name, []byte("x")); looks == "Markdown" || looks == "HTML" {
		if r.mapping != nil && !r.several {
			r.mapped = true
			return r.plain(file, role, r.mapping) // says that it has no columns
		}
		return r.plain(file, role, nil)
	}
	t, err := documents.Peek(file.path, head, size)
	if err != nil {
		return err
	}
	if r.mapping != nil && (t != nil && (role != documents.Queries || r.mapping.OnlyQueries()) || !r.several) {
		r.mapped = true
		return r.plain(file, role, r.mapping)
	}
	if t != nil && !t.Native && role != documents.Queries {
		return r.plain(file, role, nil)
	}
	var got *collection.Content
	if role == documents.Queries {
		got, err = readContent(r.c, file.path)
	} else {
		got, err = readAs(r.c, file.path, collection.CorpusJSONL)
	}
	if err == nil && (len(got.Docs) > 0 || len(got.Queries) > 0 || got.Qrels != nil || got.Collection != nil) {
		docs, queries, qrels := got.Docs, got.Queries, got.Qrels
		if got.Collection != nil {
			docs, queries, qrels = got.Collection.Docs, got.Collection.Queries, got.Collection.Qrels
		}
		r.take(docs, queries, qrels)
		r.warnings = append(r.warnings, got.Warnings...)
		return nil
	}
	var at *collection.ParseError
	var limit *collection.LimitError
	if errors.As(err, &limit) || errors.As(err, &at) && !at.Unrecognised && !strings.EqualFold(path.Ext(file.name),
		".json") {
		return err
	}
	return r.plain(file, role, nil)
}

func (r *reader) take(docs []collection.Doc, queries []collection.Query, qrels *collection.Qrels) {
	r.all.Docs, r.all.Queries = append(r.all.Docs, docs...), append(r.all.Queries, queries...)
	if qrels == nil {
		return
	}
	for _, q := range qrels.Queries() {
		qrels.Each(q, func(doc string, grade int) { r.all.Qrels.Add(q, doc, grade) })
	}
}

// plain reads a file as package documents does, by a mapping if there is one.
func (r *reader) plain(file documentFile, role documents.Role, m *documents.Mapping) error {
	f, _, err := r.c.open(file.path)
	if err != nil {
		return err
	}
	defer f.Close()
	most := r.c.limits.Bytes
	if most <= 0 {
		most = 1 << 30
	}
	b, err := within.All(f, 0, most)
	if err != nil {
		return say.Faultf("rankbox", "%s: %w", file.path, err)
	}
	var got *documents.Read
	if m != nil {
		got, err = documents.Mapped(file.name, b, m, documents.Limits{Bytes: most})
	} else {
		got, err = documents.File(file.name, b, role, r.several, documents.Limits{Bytes: most})
	}
	if err != nil {
		return err
	}
	if got.Headings != nil {
		r.headings[len(r.all.Docs)] = got.Headings
	}
	r.take(got.Docs, got.Queries, got.Qrels)
	if len(got.Docs) > 0 && !slices.Contains(r.languages, got.Language) {
		r.languages = append(r.languages, got.Language)
	}
	warn := func(message string) {
		r.warnings = append(r.warnings, collection.Warning{Kind: collection.NonStandardDialect, File: file.path,
			Count: 1, Message: message})
	}
	if len(got.Mapping.Text) > 0 || got.Mapping.Title != "" {
		warn("read as " + got.Kind + ": " + got.Mapping.Said())
	}
	for _, w := range got.Warnings {
		warn(w)
	}
	return nil
}
