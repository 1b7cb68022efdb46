//go:build !first

package worker

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/intake"
	"github.com/rankbox/rankbox/core/message"
	docs "github.com/rankbox/rankbox/core/project/documents"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// collected is a collection as its files hold it.
type collected struct {
	src      *bundle.Source
	warnings []string
	arrays   map[string]*collection.Array
	headings map[int][]int // of documents, by their place: where headings begin in their texts
}

// collect reads the files and makes one collection of them.
func (u *uploads) collect(r message.Request, ask *message.AskUpload) (*collected, error) {
	all := &collection.Collection{Qrels: collection.NewQrels()}
	arrays := map[string]*collection.Array{}
	var warnings []string
	name := ""
	limit := int64(ask.Limit)
	if limit <= 0 {
		limit = fileBytes
	}
	p := message.Progress{}
	files, passed := readable(u.device.spread(ask.Files))
	files = ofFolder(files)
	if passed != "" {
		warnings = append(warnings, passed+".")
	}
	_, beir := beirRoot(files) // whose files belong together
	var first error            // of a file that cannot be read
	var names []string
	for _, f := range files {
		p.Total += f.Size
		names = append(names, f.Name)
	}
	root := docs.Root(names)
	mappings := map[int]*message.FileMapping{}
	for i := range ask.Mappings {
		mappings[ask.Mappings[i].File] = &ask.Mappings[i]
	}
	languages := map[string]bool{}
	headings := map[int][]int{}
	for _, f := range files {
		if u.device.isMapping(f) {
			continue
		}
		before := p.Done
		got, said, err := u.collectFile(r, &p, f, collecting{root, limit, mappings[f.ID], languages,
			ask.Pages,
			func(at []int) { headings[len(all.Docs)] = at }})
		if err != nil {
			if len(files) == 1 || beir || path.Ext(f.Name) == ".npy" || mappings[f.ID] != nil ||
				errors.Is(err, errStopped) {
				return nil, err
			}
			first = cmp.Or(first, err)
			warnings = append(warnings, notRead(f, err))
			p.Done = before + f.Size
			continue
		}
		warnings = append(warnings, said...)
		p.Done = before + f.Size
		for _, c := range got.Contents {
			for _, w := range c.Warnings {
				warnings = append(warnings, w.String())
			}
			if c.Vectors != nil {
				arrays[strings.TrimSuffix(path.Base(c.Name), ".npy")] = c.Vectors
				continue
			}
			if c.Collection != nil {
				for _, w := range c.Collection.Warnings {
					warnings = append(warnings, w.String())
				}
			}
			if join(all, c) && name == "" {
				if name = strings.TrimSuffix(path.Base(f.Name), path.Ext(f.Name)); name == "corpus" &&
					path.Dir(f.Name) != "." {
					name = path.Base(path.Dir(f.Name))
				}
			}
		}
	}
	if ask.Backend != "" && len(all.Docs) == 0 && len(all.Queries) > 0 {
		src, why, err := distantSource(ask.Backend, all, strings.TrimSuffix(root, "/"))
		return &collected{src: src, warnings: append(warnings, why...)}, err
	}
	if len(all.Docs) == 0 && first != nil {
		return nil, first
	}
	if len(all.Docs) == 0 {
		return nil, errors.New("there are no documents in " + say.Few(namesOf(ask.Files), 5) +
			": it reads text, Markdown, HTML, Word, OpenDocument, EPUB, e-mail, notebooks, tables (CSV, TSV, Excel), " +
			"JSON, TREC documents, and folders or zips of these or of a BEIR collection")
	}
	if n := docs.Unique(all.Docs); n > 0 {
		warnings = append(warnings, say.Count(n, "document has",
			"documents have")+" the id of another and got a number behind it.")
	}
	if name == "" || len(files) > 1 && markup(files[0].Name) {
		name = nameOf(root, len(all.Docs))
	}
	src := &bundle.Source{ID: "upload", Analyzer: analyzerOf(languages), Name: say.Brief(say.Visible(name), mostName),
		Origin: origin, Collection: all}
	return &collected{src, warnings, arrays, headings}, nil
}

// origin is where collections of this device are from.
const origin = "uploaded from this device; it stays here"

// join adds the content of a file to a collection. It reports whether there are documents in it.
func join(all *collection.Collection, c *collection.Content) bool {
	list, queries, qrels := c.Docs, c.Queries, c.Qrels
	if c.Collection != nil {
		list, queries, qrels = c.Collection.Docs, c.Collection.Queries, c.Collection.Qrels
	}
	all.Queries = append(all.Queries, queries...)
	if all.Docs == nil {
		all.Docs = list
	} else {
		all.Docs = append(all.Docs, list...)
	}
	if qrels != nil {
		for _, q := range qrels.Queries() {
			qrels.Each(q, func(doc string, grade float64) { all.Qrels.Add(q, doc, grade) })
		}
	}
	return len(list) > 0
}

// analyzerOf is the analyzer of documents that all have one language, "" for the default.
func analyzerOf(languages map[string]bool) string {
	for l := range languages {
		if len(languages) == 1 {
			return docs.Analyzer(l)
		}
	}
	return ""
}

// collecting is what a file is read with.
type collecting struct {
	root      string // ids begin below it
	limit     int64
	mapped    *message.FileMapping // how its columns are used, nil for as they are recognised
	languages map[string]bool      // of documents so far
	pages     message.Pages
	headings  func(at []int) // takes those of a file that is one document
}

// collectFile reads a file, and says how far it is.
func (u *uploads) collectFile(r message.Request, p *message.Progress, f message.File, with collecting) (*intake.File,
	[]string, error) {
	p.What = "Reading " + f.Name
	u.page.tell(r, *p)
	before, stopped := p.Done, u.page.stopped(r, p)
	read := func(role intake.Role) (*intake.File, error) {
		source, err := u.device.source(f.ID)
		if err != nil {
			return nil, err
		}
		return intake.Read(f.Name, role, watch(source, func(n int) error {
			p.Done = before + min(n, f.Size)
			if stopped() {
				return errStopped
			}
			return nil
		}), collection.Options{Limits: collection.Limits{Bytes: with.limit}})
	}
	if names := u.device.zippedQueries(f); names != nil {
		got, err := read(intake.Any)
		if err == nil {
			only(got, names)
		}
		return got, nil, err
	}
	plain := func() (*docs.Read, error) {
		got, err := u.device.ordinary(f, with.mapped, with.limit, stopped)
		if err == nil && len(got.Docs) > 0 {
			with.languages[got.Language] = true
		}
		if err == nil {
			taken(f.Name, got, with.pages)
		}
		if err == nil && len(got.Docs) == 1 && got.Headings != nil {
			with.headings(got.Headings)
		}
		return got, err
	}
	head, err := u.device.head(f)
	if err != nil {
		return nil, nil, err
	}
	return readDocuments(f, head, with.mapped != nil, read, plain, with.root)
}

// ofFolder returns the files that a collection is made of: of a folder in BEIR's layout the documents, the queries,
// their arrays, and the judgments of one
// split (test, dev, train, or the first there is); of other files all but hidden ones.
func ofFolder(files []message.File) []message.File {
	files = slices.DeleteFunc(slices.Clone(files), func(f message.File) bool { return docs.Hidden(f.Name) })
	root, beir := beirRoot(files)
	if !beir {
		root = withoutCorpus(files)
	}
	if root == "" {
		return files
	}
	split := ""
	for _, f := range files {
		if path.Dir(f.Name) != root+"/qrels" {
			continue
		}
		if name := path.Base(f.Name); split == "" || order(name) < order(split) || order(name) == order(split) &&
			name < split {
			split = name
		}
	}
	return slices.DeleteFunc(files, func(f message.File) bool {
		dir, name := path.Dir(f.Name), path.Base(f.Name)
		kind, _, _ := strings.Cut(name, ".")
		return !(dir == root && slices.Contains([]string{"corpus", "queries", "docs"}, kind) || dir == root+"/qrels" &&
			name == split)
	})
}

// beirRoot is the folder of a collection in BEIR's layout among files.
func beirRoot(files []message.File) (root string, ok bool) {
	at := slices.IndexFunc(files, func(f message.File) bool {
		return strings.Contains(f.Name, "/") && strings.HasPrefix(path.Base(f.Name), "corpus.jsonl")
	})
	if at < 0 {
		return "", false
	}
	return path.Dir(files[at].Name), true
}

// withoutCorpus is the folder of queries and judgments in BEIR's layout, "" if files are of anything else too.
func withoutCorpus(files []message.File) (root string) {
	for _, f := range files {
		if strings.HasPrefix(path.Base(f.Name), "queries.jsonl") && strings.Contains(f.Name, "/") {
			root = path.Dir(f.Name)
		}
	}
	if root == "" || slices.ContainsFunc(files, func(f message.File) bool {
		return path.Dir(f.Name) != root+"/qrels" && !strings.HasPrefix(f.Name, root+"/queries.jsonl")
	}) {
		return ""
	}
	return root
}

// order is that of the splits: those that systems are compared on first.
func order(name string) int {
	kind, _, _ := strings.Cut(name, ".")
	if i := slices.Index([]string{"test", "dev", "train"}, kind); i >= 0 {
		return i
	}
	return 3
}

// nameOf is what a collection of a folder's files is called.
func nameOf(root string, n int) string {
	if root != "" {
		return strings.TrimSuffix(root, "/")
	}
	return say.Count(n, "document", "documents")
}

func namesOf(files []message.File) (names []string) {
	for _, f := range files {
		names = append(names, f.Name)
	}
	return names
}
