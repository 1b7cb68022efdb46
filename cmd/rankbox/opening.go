package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/cmd/rankbox/spool"
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/project/documents"
	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// opening is where a collection is, and what of it is wanted.
type opening struct {
	corpus, queries, qrels string // where they are files apart
	split                  string
	vectors                string             // a folder of models beside it, "" for none
	models                 []string           // whose vectors are wanted; nil for all
	stored                 stored             // runs that stages rank by
	beside                 []string           // the names of the models in vectors
	mapping                *documents.Mapping // how columns are used; nil to recognise them
	limits                 limits
	edge                   string                 // URL of the edge whose backends stages name, "" for none
	answers                string                 // file that keeps what it answers, "" for none
	renew                  bool                   // backends that changed since are asked anew
	stale                  bool                   // answers count whose backend cannot be confirmed
	silent                 bool                   // no word of waits on standard error
	ledger                 *remote.Ledger         // of the command's questions, nil without an edge
	headings               map[int][]int          // of documents that were read: where headings begin in their texts
	distant                *collection.Collection // queries and judgments if the documents are elsewhere
	lines                  bool                   // each line of a text is a document
	spool                  *spool.Spool           // takes the documents of a test collection; nil: they are kept
}

func (o *opening) flags(f *flag.FlagSet) {
	f.StringVar(&o.split, "split", "",
		"which qrels of a BEIR folder; default: the first of test, dev, train and others")
	f.StringVar(&o.corpus, "corpus", "",
		"a file of documents instead of a collection: JSONL (_id or id, title, text or contents), TREC's <DOC>, CSV, "+
			"or lines of id, tab, text")
	f.StringVar(&o.queries, "queries", "", "a file of queries: JSONL, TREC topics, CSV, or lines of id, tab, text;"+
		" without -corpus the documents are behind search(backend=…)")
	f.StringVar(&o.qrels, "qrels", "", "with -queries: a file of judgments, in any format that eval reads")
	f.Var(&o.stored, "run", "a stored run for run(file) and rerank(by=run,file=…), repeatable: NAME=FILE, or FILE to "+
		"use its own name")
	f.StringVar(&o.edge, "edge", "",
		"`URL` of an edge (rankbox serve -config, or one at Cloudflare), for search, rerank and dense with backend=…")
	f.StringVar(&o.answers, "answers", "", "`file` of saved answers of an edge: reuse them, and add new ones")
	f.BoolVar(&o.renew, "renew", false,
		"if a backend changed since its answers were saved, ask it again")
	f.BoolVar(&o.stale, "stale", false,
		"hold answers against gates although the edge could not confirm which backend gave them")
	f.BoolVar(&o.lines, "lines", false, "each line of a text file is a document, not the whole file")
	o.limits.flags(f)
}

// modelFlags are those of the commands that rank by models beside the collection.
func (o *opening) modelFlags(f *flag.FlagSet) {
	f.StringVar(&o.vectors, "vectors", "",
		"a folder of models, each a folder of its vectors (docs.npy, queries.npy), token vectors (doc_tokens.i8.npy "+
			"…) or term weights (docs.jsonl, queries.jsonl)")
}

// said reports whether words and flags name one collection.
func (o *opening) said(words []string) bool {
	if o.corpus != "" || o.queries != "" {
		return len(words) == 0
	}
	return len(words) == 1 && o.queries == "" && o.qrels == ""
}

// session opens a collection, with the models beside it and the runs that stages rank by.
func (o *opening) session(c *context, words []string) (*experiment.Session, []collection.Warning, error) {
	s, warnings, err := o.open(c, words)
	if err != nil {
		return nil, nil, err
	}
	if err := o.behind(s); err != nil {
		return nil, nil, err
	}
	if o.distant != nil { // their documents are part of the collection: ready
		return s, warnings, nil
	}
	return s, warnings, o.stored.give(c, s)
}

// open opens a collection, with the models beside it.
func (o *opening) open(c *context, words []string) (*experiment.Session, []collection.Warning, error) {
	if o.vectors == "" {
		return o.alone(c, words)
	}
	dir := os.DirFS(o.vectors)
	beside := bundle.ModelNames(dir, ".")
	if len(beside) == 0 {
		return nil, nil, fmt.Errorf("%s holds no model folder: want %s", o.vectors,
			filepath.Join(o.vectors, "MODEL", "docs.npy"))
	}
	wanted := o.models
	o.beside = beside
	s, warnings, err := o.alone(c, words)
	if err != nil {
		return nil, nil, err
	}
	m, err := bundle.ReadVectors(dir, ".", wanted)
	if err == nil {
		for _, v := range m.Vectors {
			if zero := v.Docs.Zero(); len(zero) > 0 {
				fmt.Fprintf(c.err, "rankbox: warning: %s: %s zero vectors, which no query can find: the first is row "+
					"%d (from 0), document %s\n", v.Model.Label,
					say.Count(len(zero), "document has", "documents have"), zero[0], v.DocIDs[zero[0]])
			}
		}
		err = s.Bring(m)
	}
	if err != nil {
		return nil, nil, say.Faultf("rankbox", "%s: %w", o.vectors, err)
	}
	return s, warnings, nil
}

// basis is what rankings are made of: the hash of the collection, or of it and every file of the folder of models. What
// was ranked by other vectors is not taken up again by -resume.
func (o *opening) basis(collection string) (string, error) {
	if o.vectors == "" {
		return collection, nil
	}
	h := sha256.New()
	io.WriteString(h, collection)
	err := filepath.WalkDir(o.vectors, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
			return errors.Join(err, fmt.Errorf("%s is no file", name))
		}
		one := sha256.New()
		_, err = io.Copy(one, f)
		fmt.Fprintf(h, "\n%s %x", filepath.ToSlash(strings.TrimPrefix(name, o.vectors)), one.Sum(nil))
		return err
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// alone opens a collection: a bundle, a workspace, or what source reads, whose index is made.
func (o *opening) alone(c *context, words []string) (*experiment.Session, []collection.Warning, error) {
	if len(words) == 1 {
		data, err := readFile(filepath.Join(words[0], "manifest.json"), mostFolder)
		if err == nil {
			s, err := o.bundle(words[0], data)
			s, err = o.unread(s, err)
			return s, nil, err
		} else if errors.Is(err, within.ErrLong) {
			return nil, nil, err
		}
	}
	if len(words) == 1 && isWorkspace(words[0]) {
		s, err := o.workspace(words[0])
		s, err = o.unread(s, err)
		return s, nil, err
	}
	if s, warnings, err := o.elsewhere(c, words); s != nil || err != nil {
		return s, warnings, err
	}
	src, warnings, err := o.source(c, words)
	if err != nil {
		return nil, nil, err
	}
	s, err := indexed(src)
	return s, warnings, err
}

// indexed opens a collection that is in memory, whose index is made.
func indexed(src bundle.Source) (*experiment.Session, error) {
	files := map[string][]byte{}
	m, err := bundle.Build(src, func(name string, data []byte) error {
		files[name] = data
		return nil
	})
	if err != nil {
		return nil, err
	}
	return session(m, func(f bundle.File) ([]byte, error) { return files[f.Name], nil })
}

// bundle opens a bundle in a folder.
func (o *opening) bundle(folder string, manifest []byte) (*experiment.Session, error) {
	m, err := bundle.ReadManifest(manifest)
	if err != nil {
		return nil, err
	}
	if err := o.modelsOf(folder, m); err != nil {
		return nil, err
	}
	return session(m, func(f bundle.File) ([]byte, error) {
		return readFile(filepath.Join(folder, f.Name), int64(f.Bytes))
	})
}

// modelsOf is an error if a bundle lacks the vectors of a wanted model.
func (o *opening) modelsOf(name string, m *bundle.Manifest) error {
	have := slices.Clone(o.beside)
	for _, model := range slices.Concat(m.Models, m.Late, m.Sparse) {
		have = append(have, model.Name)
		if model.Label != model.Name {
			have = append(have, model.Label)
		}
	}
	if err := haveModels(o.models, have); err != nil {
		return say.Faultf("rankbox", "%s: %w", name, err)
	}
	return nil
}

func session(m *bundle.Manifest, fetch bundle.Fetch) (*experiment.Session, error) {
	b, err := bundle.Open(m, fetch)
	if err != nil {
		return nil, err
	}
	return experiment.NewSession(b, fetch), nil
}

// source reads a collection: a folder in BEIR's layout, a zip or a tar of one, or files apart.
func (o *opening) source(c *context, words []string) (src bundle.Source, warnings []collection.Warning, err error) {
	c.limits = o.limits.Limits
	if o.mapping != nil && (o.corpus != "" || !isOrdinary(c, words[0])) {
		return src, nil, usagef("-map is for a table, for JSON, or for a folder with some: %s is none",
			cmp.Or(o.corpus, strings.Join(words, " ")))
	}
	if o.corpus != "" {
		src.Collection, warnings, err = o.together(c)
		src.ID, src.Name = "collection", filepath.Base(o.corpus)
		if err == nil {
			err = o.spooled(&src)
		}
		return src, warnings, err
	}
	name := words[0]
	if _, err := os.Stat(name); err != nil {
		return o.known(c, name, err)
	}
	fsys, err := folderOf(c, name)
	if err != nil {
		return src, nil, err
	}
	if fsys == nil || !laidOut(fsys) {
		return o.ordinary(c, name, fsys)
	}
	if err := haveModels(o.models, append(slices.Clone(o.beside), bundle.ModelNames(fsys, "vectors")...)); err != nil {
		return src, nil, say.Faultf("rankbox", "%s: %w", name, err)
	}
	opt := o.options(c)
	if src.Collection, err = collection.ReadBEIRWith(fsys, o.split, opt); err != nil {
		return src, nil, err
	}
	if err := o.spooled(&src); err != nil {
		return src, nil, err
	}
	src.ID, src.Name = "collection", filepath.Base(name)
	models, err := bundle.ReadVectors(fsys, "vectors", o.models)
	if err == nil {
		src.Vectors, src.Tokens, src.Weights = models.Vectors, models.Tokens, models.Weights
		src.Runs, err = bundle.ReadRuns(fsys, "runs")
	}
	return src, append(shadowed(name), src.Collection.Warnings...), err
}

// stream keeps the documents of a test collection in a file of folder, not in memory, until end is called.
func (o *opening) stream(folder string) (end func()) {
	o.spool = spool.New(folder)
	return o.spool.Close
}

// options are how a test collection is read.
func (o *opening) options(c *context) collection.Options {
	opt := collection.Options{Limits: c.limits}
	if o.spool != nil {
		opt.Doc = o.spool.Add
	}
	return opt
}

// spooled hands the documents of the spool to src, if there is one.
func (o *opening) spooled(src *bundle.Source) error {
	if o.spool == nil {
		return nil
	}
	for _, d := range src.Collection.Docs { // of a format that is read whole
		if err := o.spool.Add(d); err != nil {
			return err
		}
	}
	src.Collection.Docs, src.Documents = nil, o.spool
	return o.spool.Flush()
}

// together makes a collection of files apart, without documents if there is no file of them. As in BEIR's layout,
// only queries that are judged are kept where there are judgments.
func (o *opening) together(c *context) (*collection.Collection, []collection.Warning, error) {
	if err := haveModels(o.models, o.beside); err != nil {
		return nil, nil, err
	}
	all := &collection.Collection{Qrels: collection.NewQrels()}
	var warnings []collection.Warning
	if o.corpus != "" {
		opt := o.options(c)
		opt.Prefer = collection.CorpusJSONL
		got, err := readWith(c, o.corpus, opt)
		if err != nil {
			return nil, nil, err
		}
		all.Docs, warnings = got.Docs, got.Warnings
		if got.Collection != nil {
			all.Docs = got.Collection.Docs
		}
		if len(all.Docs) == 0 && (o.spool == nil || o.spool.Len() == 0) {
			return nil, nil, fmt.Errorf("%s holds no documents: it looks like %s", o.corpus, got.Format)
		}
	}
	if o.qrels != "" {
		judged, more, err := judgments(c, o.qrels)
		if err != nil {
			return nil, nil, err
		}
		all.Qrels, warnings = judged.Qrels, append(warnings, more...)
	}
	if o.queries == "" {
		return nil, nil, errors.New("-corpus needs -queries, a file of queries")
	}
	got, err := readContent(c, o.queries)
	if err != nil {
		return nil, nil, err
	}
	warnings = append(warnings, got.Warnings...)
	queries := got.Queries
	if got.Collection != nil {
		queries = got.Collection.Queries
	}
	for _, q := range queries {
		if o.qrels == "" || all.Qrels.Has(q.ID) {
			all.Queries = append(all.Queries, q)
		}
	}
	if len(all.Queries) == 0 {
		return nil, nil, fmt.Errorf("%s holds no queries%s: it looks like %s", o.queries,
			map[bool]string{true: " that are judged"}[len(queries) > 0], got.Format)
	}
	return all, warnings, nil
}
