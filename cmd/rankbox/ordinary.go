package main

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/project/documents"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
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

// isOrdinary says whether source reads a file or folder by way of ordinary: any but a bundle of a test collection. One
// that is not there is said to be: opening it says what is wrong.
func isOrdinary(c *context, name string) bool {
	fsys, err := folderOf(c, name)
	return err != nil || fsys == nil || !laidOut(fsys)
}

// folderOf is a folder, or the archive that a file is; nil for a file that is one by itself.
func folderOf(c *context, name string) (fs.FS, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return os.DirFS(name), nil
	}
	f, _, err := c.open(name)
	if err != nil {
		return nil, err
	}
	in, err := archiveOf(name, f, c.limits)
	if in == nil {
		f.Close()
		return nil, err
	}
	return in, err // whose file is open until the command ends
}

// archiveOf is the archive that a file is, nil for any other file and for documents that are zips.
func archiveOf(name string, f io.Reader, limits collection.Limits) (fs.FS, error) {
	at, size, ok := anywhere(f)
	if !ok {
		return nil, nil
	}
	head := make([]byte, 4)
	n, _ := at.ReadAt(head, 0)
	if !bytes.HasPrefix(head[:n], []byte("PK\x03\x04")) || documents.Looks(name, head) != "" {
		return nil, nil
	}
	return collection.OpenZip(name, at, size, limits)
}

// ordinary makes a collection of a file, or of all files of a folder or archive that hold documents: as collection.Read
// does if it knows the format, and otherwise as package documents does, by the mapping that is given or lies in the
// folder. A file of a folder that cannot be read is named, and does not stop the others.
func (o *opening) ordinary(c *context, name string, folder fs.FS) (src bundle.Source, warnings []collection.Warning,
	err error) {
	if err := haveModels(o.models, o.beside); err != nil {
		return src, nil, err
	}
	found := &found{c: c}
	if err := found.find(name, folder); err != nil {
		return src, nil, err
	}
	read := &reader{c: c, all: &collection.Collection{Qrels: collection.NewQrels()}, mapping: o.mapping, lines: o.lines,
		several: folder != nil, headings: map[int][]int{}, warnings: found.skipped}
	for _, f := range found.files {
		if head, _, err := f.peek(c); err == nil && read.mapping == nil && documents.IsMapping(head) {
			if read.mapping, err = readMapping(c, f.path); err != nil {
				return src, nil, err
			}
		}
	}
	var first error
	for _, f := range found.files {
		err := read.add(f)
		switch {
		case err == nil:
			continue
		case !read.several || read.mapping != nil && o.mapping != nil:
			return src, read.warnings, err
		case first == nil:
			first = err
		}
		read.skip(f.path, err)
	}
	if o.mapping != nil && !read.mapped {
		return src, nil, say.Faultf("rankbox", "%s holds no table and no JSON whose columns the mapping could name",
			name)
	}
	if folder != nil && len(read.all.Docs) == 0 {
		if first != nil {
			return src, read.warnings, first
		}
		return src, nil, say.Faultf("rankbox",
			"%s holds no documents: want Markdown, HTML, text, Word, OpenDocument, EPUB, e-mail, notebooks, tables (CSV, "+
				"TSV, Excel), JSON, or a BEIR folder with a corpus.jsonl", name)
	}
	if passed := documents.Passed(found.passed); passed != "" {
		read.warnings = append(read.warnings, collection.Warning{Kind: skippedFile, File: name, Count: len(found.passed),
			Message: passed})
	}
	if n := documents.Unique(read.all.Docs); n > 0 {
		read.warnings = append(read.warnings, collection.Warning{Kind: collection.DuplicateID, File: name, Count: n,
			Message: "documents repeat an id: a number was added to it"})
	}
	o.headings = read.headings
	src = bundle.Source{ID: "collection", Name: filepath.Base(name), Collection: read.all}
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		src.Name = strings.TrimSuffix(src.Name, filepath.Ext(name))
	}
	if len(read.languages) == 1 {
		src.Analyzer = documents.Analyzer(read.languages[0])
	}
	return src, read.warnings, nil
}

// skippedFile is the kind of warning about a file of a folder that was not read.
const skippedFile = "skipped-file"

// documentFile is a file of documents: where it is, and what its documents are called after.
type documentFile struct {
	path, name string
	open       func() (io.ReadCloser, error)
}

// found are the files of a folder.
type found struct {
	c       *context
	files   []documentFile // those that may hold documents, by name
	passed  []string       // those that do not, by their names
	skipped []collection.Warning
}

// find finds a file, or those of a folder or archive and of the archives in it.
func (d *found) find(name string, folder fs.FS) error {
	if folder == nil {
		d.files = []documentFile{{name, name, func() (io.ReadCloser, error) {
			f, _, err := d.c.open(name)
			return f, err
		}}}
		return nil
	}
	err := d.walk(name, "", folder, 0)
	slices.SortFunc(d.files, func(a, b documentFile) int { return strings.Compare(a.name, b.name) })
	return err
}

// nested is how many archives lie within one another at most.
const nested = 3

func (d *found) walk(where, prefix string, folder fs.FS, deep int) error {
	return fs.WalkDir(folder, ".", func(file string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			if err != nil && file != "." {
				d.skip(filepath.Join(where, filepath.FromSlash(file)), err)
				return nil
			}
			return err
		}
		name, at := prefix+file, filepath.Join(where, filepath.FromSlash(file))
		open := func() (io.ReadCloser, error) {
			f, err := folder.Open(file)
			if err != nil {
				return nil, err
			}
			return unpack(f, d.c.limits)
		}
		switch {
		case documents.Hidden(name):
		case isArchive(file) && deep < nested:
			if err := d.archive(at, name, open, deep); err != nil {
				d.skip(at, err)
			}
			return nil
		case documents.Readable(name):
			d.files = append(d.files, documentFile{at, name, open})
			return nil
		}
		d.passed = append(d.passed, name)
		return nil
	})
}

func (d *found) skip(path string, err error) { d.skipped = append(d.skipped, notRead(path, err)) }

// notRead says that a file of a folder was not read, and why.
func notRead(path string, err error) collection.Warning {
	w := collection.Warning{Kind: skippedFile, File: path, Count: 1, Message: "not read: " + say.Told(err)}
	if at, ok := errors.AsType[*collection.ParseError](err); ok {
		w.Line, w.Message = at.Line, "not read: "+say.Told(at.Err)
	}
	return w
}

// isArchive says by its name that a file is an archive of files.
func isArchive(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2"}, func(e string) bool {
		return strings.HasSuffix(name, e)
	})
}

// archive finds the files of an archive that lies in a folder.
func (d *found) archive(path, name string, open func() (io.ReadCloser, error), deep int) error {
	f, err := open()
	if err != nil {
		return err
	}
	defer f.Close()
	b, err := within.All(f, 0, most(d.c.limits))
	if err != nil {
		return err
	}
	in, err := archiveOf(name, bytes.NewReader(b), d.c.limits)
	if err != nil || in == nil {
		return cmp.Or(err, errors.New("it is no archive"))
	}
	return d.walk(path, name+"/", in, deep+1)
}

// most is how many bytes a file may have.
func most(l collection.Limits) int64 {
	if l.Bytes <= 0 {
		return 1 << 30
	}
	return l.Bytes
}

// plain opens a file without its compression.
func (f *documentFile) plain(c *context) (r io.Reader, end func(), err error) {
	in, err := f.open()
	if err != nil {
		return nil, nil, err
	}
	r, err = collection.Unpack(f.path, in, collection.Options{Limits: c.limits})
	if err != nil {
		in.Close()
	}
	return r, func() { in.Close() }, err
}

// peek returns the beginning of a file, and how many bytes it has; one more than it read if there are more.
func (f *documentFile) peek(c *context) (head []byte, size int64, err error) {
	r, end, err := f.plain(c)
	if err != nil {
		return nil, 0, err
	}
	defer end()
	head = make([]byte, documents.HeadBytes)
	n, err := io.ReadFull(r, head)
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
	folder, err := folderOf(c, name)
	if err != nil {
		return err
	}
	found := &found{c: c}
	if err := found.find(name, folder); err != nil {
		return err
	}
	for _, f := range found.files {
		head, size, err := f.peek(c)
		if err != nil {
			return err
		}
		t, err := documents.Peek(f.path, head, size)
		if err != nil && folder == nil {
			return err
		}
		if t == nil || folder != nil && documents.RoleOf(f.name) != documents.Documents {
			continue
		}
		if _, err := t.Try(nil); err != nil {
			if folder == nil {
				return err
			}
			continue
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
	lines     bool // each line of a text is a document
	mapped    bool // a file was read by the mapping
	languages []string
	headings  map[int][]int // by place among the documents
	warnings  []collection.Warning
}

// skip names a file that cannot be read.
func (r *reader) skip(path string, err error) { r.warnings = append(r.warnings, notRead(path, err)) }

// add reads a file.
func (r *reader) add(file documentFile) error {
	role := documents.RoleOf(file.name)
	head, size, err := file.peek(r.c)
	if err != nil {
		return err
	}
	if documents.IsMapping(head) {
		return nil
	}
	if role == documents.Documents && !documents.Readable(file.name) &&
		collection.Detect(head) == collection.RunTREC {
		return &collection.ParseError{File: file.path, Err: errors.New("it is a run, and holds no documents: rankbox " +
			"compare QRELS RUN measures it")}
	}
	prefer, known, err := documents.Known(file.name, head, size)
	if err != nil {
		return err
	}
	if r.mapping != nil {
		t, err := documents.Peek(file.name, head, size)
		if err != nil {
			return err
		}
		if t != nil && (role != documents.Queries || r.mapping.OnlyQueries()) || !r.several {
			r.mapped = true
			return r.plain(file, role, r.mapping)
		}
	}
	if !known {
		return r.plain(file, role, nil)
	}
	opt := collection.Options{Limits: r.c.limits, Prefer: prefer}
	in, err := file.open()
	if err != nil {
		return err
	}
	defer in.Close()
	got, err := collection.Read(file.path, in, opt)
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
	if role == documents.Judgments && err != nil || errors.As(err, &limit) || errors.As(err, &at) && !at.Unrecognised &&
		!strings.EqualFold(path.Ext(file.name), ".json") {
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
		qrels.Each(q, func(doc string, grade float64) { r.all.Qrels.Add(q, doc, grade) })
	}
}

// plain reads a file as package documents does, by a mapping if there is one.
func (r *reader) plain(file documentFile, role documents.Role, m *documents.Mapping) error {
	f, end, err := file.plain(r.c)
	if err != nil {
		return err
	}
	defer end()
	most := most(r.c.limits)
	b, err := within.All(f, 0, most)
	if err != nil {
		return say.Faultf("rankbox", "%s: %w", file.path, err)
	}
	var got *documents.Read
	if m != nil {
		got, err = documents.Mapped(file.name, b, m, documents.Limits{Bytes: most})
	} else {
		got, err = documents.File(file.name, b, role, r.lines, documents.Limits{Bytes: most})
	}
	if err != nil {
		return err
	}
	if got.Headings != nil && len(got.Docs) == 1 {
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
