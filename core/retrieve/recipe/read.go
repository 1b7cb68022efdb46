package recipe

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/within"
	"github.com/rankbox/rankbox/core/collection"
)

// Read reads the collection from its files: a folder for the layout parts and for several files, otherwise the
// content of the single archive. An empty split means the first of the recipe.
func (r *Recipe) Read(fsys fs.FS, split string, opt collection.Options) (*collection.Collection, error) {
	s := r.Split(split)
	if s == nil {
		return nil, fmt.Errorf("%s has no split %q; it has %s", r.Name, split, r.splitNames())
	}
	var c *collection.Collection
	var err error
	switch r.Layout {
	case BEIR:
		c, err = collection.ReadBEIRWith(fsys, s.Name, opt)
	case Cranfield:
		c, err = readCranfield(fsys, opt)
	case Vaswani:
		c, err = readVaswani(fsys, opt)
	default:
		c, err = r.readParts(fsys, s.Name, opt)
	}
	if err != nil {
		return nil, err
	}
	c.Name, c.License, c.Source, c.RemoveQuery = r.Title, r.LicenceOr(), r.Files[0].URL, r.RemoveQuery
	return c, nil
}

// readText reads one file completely, within the limits.
func readText(fsys fs.FS, name string, opt collection.Options) (string, error) {
	most := opt.Limits.Bytes
	if most == 0 {
		most = 1 << 30
	} else if most < 0 {
		most = math.MaxInt64 - 1
	}
	f, err := fsys.Open(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = errors.New("the archive has no such file: it differs from the recipe's")
		}
		return "", &collection.ParseError{File: name, Err: err}
	}
	defer f.Close()
	data, err := within.All(f, 0, most)
	if err != nil {
		return "", &collection.ParseError{File: name, Err: err}
	}
	return string(data), nil
}

// reader reads one file of an old collection line by line.
type reader struct {
	name  string
	lines []string
	at    int
}

func newReader(fsys fs.FS, name string, opt collection.Options) (*reader, error) {
	text, err := readText(fsys, name, opt)
	if err != nil {
		return nil, err
	}
	text = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n\x1a")
	return &reader{name: name, lines: strings.Split(strings.ToValidUTF8(text, "\uFFFD"), "\n")}, nil
}

func (r *reader) fail(format string, args ...any) error {
	return &collection.ParseError{File: r.name, Line: r.at, Err: fmt.Errorf(format, args...)}
}

// next returns the next line without trailing spaces.
func (r *reader) next() (string, bool) {
	if r.at == len(r.lines) {
		return "", false
	}
	r.at++
	return strings.TrimRight(r.lines[r.at-1], " \t"), true
}

// added is a collection under construction.
type added struct {
	*collection.Collection
	known map[string]bool
	most  collection.Limits
}

func newCollection(opt collection.Options) *added {
	l := opt.Limits
	for v, standard := range map[*int]int{&l.Documents: 10_000_000, &l.Queries: 1_000_000, &l.Entries: 50_000_000} {
		if *v == 0 {
			*v = standard
		} else if *v < 0 {
			*v = math.MaxInt32
		}
	}
	return &added{&collection.Collection{Qrels: collection.NewQrels()}, map[string]bool{}, l}
}

func (c *added) doc(r *reader, d collection.Doc) error {
	if c.known[d.ID] {
		return r.fail("document %q is repeated", d.ID)
	}
	if len(c.Docs) == c.most.Documents {
		return r.fail("%w", &collection.LimitError{Limit: "Documents", Unit: "documents", Max: int64(c.most.Documents),
			Got: int64(len(c.Docs)) + 1})
	}
	if d.Title == "" && d.Text == "" {
		c.warn(collection.EmptyDocument, r, "document "+strconv.Quote(d.ID)+" has neither title nor text")
	}
	c.known[d.ID] = true
	c.Docs = append(c.Docs, d)
	return nil
}

func (c *added) query(r *reader, q collection.Query) error {
	if len(c.Queries) == c.most.Queries {
		return r.fail("%w", &collection.LimitError{Limit: "Queries", Unit: "queries", Max: int64(c.most.Queries),
			Got: int64(len(c.Queries)) + 1})
	}
	if q.Text == "" {
		return r.fail("query %q has no text", q.ID)
	}
	c.Queries = append(c.Queries, q)
	return nil
}

func (c *added) judge(r *reader, query, doc string, grade float64) error {
	if c.Qrels.Len() == c.most.Entries {
		return r.fail("%w", &collection.LimitError{Limit: "Entries", Unit: "judgments", Max: int64(c.most.Entries),
			Got: int64(c.Qrels.Len()) + 1})
	}
	if !c.known[doc] {
		c.warn(collection.UnknownDocument, r, "judged document "+strconv.Quote(doc)+" is not in the collection")
	}
	if old, ok := c.Qrels.Grade(query, doc); ok {
		kind, what := collection.DuplicateJudgment, "again"
		if old != grade {
			kind, what = collection.ConflictingGrade, "with another grade; the last one counts"
		}
		c.warn(kind, r, "document "+strconv.Quote(doc)+" of query "+strconv.Quote(query)+" is judged "+what)
	}
	c.Qrels.Add(query, doc, grade)
	return nil
}

// warn counts an oddity.
func (c *added) warn(kind string, r *reader, message string) {
	for i := range c.Warnings {
		if w := &c.Warnings[i]; w.Kind == kind && w.File == r.name {
			w.Count++
			return
		}
	}
	c.Warnings = append(c.Warnings, collection.Warning{Kind: kind, File: r.name, Line: r.at, Count: 1,
		Message: message})
}

// judgedOnly removes queries without judgments, as in BEIR's layout.
func (c *added) judgedOnly(r *reader) {
	r.at = 0 // warnings concern the whole file
	kept := c.Queries[:0]
	for _, q := range c.Queries {
		if c.Qrels.Has(q.ID) {
			kept = append(kept, q)
			continue
		}
		c.warn(collection.UnjudgedQuery, r, "query "+strconv.Quote(q.ID)+" has no judgment and is left out")
	}
	c.Queries = kept
}

// joinLines joins the lines of a field.
func joinLines(lines []string) string {
	return strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
}

// readParts reads the files that the recipe names.
func (r *Recipe) readParts(fsys fs.FS, split string, opt collection.Options) (*collection.Collection, error) {
	read := func(pattern string, kind collection.Format) (*collection.Content, error) {
		name := strings.ReplaceAll(pattern, "{split}", split)
		f, err := fsys.Open(name)
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				err = errors.New("the file is missing: the collection differs from the recipe's")
			}
			return nil, &collection.ParseError{File: name, Err: err}
		}
		defer f.Close()
		o := opt
		o.Kind = kind
		return collection.Read(name, f, o)
	}
	c := &collection.Collection{Qrels: collection.NewQrels()}
	kind := collection.CorpusTSV
	if strings.HasSuffix(strings.TrimSuffix(r.Parts.Documents, ".gz"), ".jsonl") {
		kind = collection.CorpusJSONL
	}
	n := 0
	if keep := opt.Doc; keep != nil {
		opt.Doc = func(d collection.Doc) error { n++; return keep(d) }
	}
	docs, err := read(r.Parts.Documents, kind)
	if err != nil {
		return nil, err
	}
	if c.Docs = docs.Docs; len(c.Docs)+n == 0 {
		return nil, &collection.ParseError{File: docs.Name, Err: fmt.Errorf("it holds no documents: it looks like %s",
			docs.Format)}
	}
	c.Warnings = docs.Warnings
	judged, err := read(r.Parts.Judgments, collection.QrelsTREC)
	if err != nil {
		return nil, err
	}
	if c.Qrels = judged.Qrels; c.Qrels == nil || c.Qrels.Len() == 0 {
		return nil, &collection.ParseError{File: judged.Name, Err: fmt.Errorf("it holds no judgments: it looks like %s",
			judged.Format)}
	}
	c.Warnings = append(c.Warnings, judged.Warnings...)
	queries, err := read(r.Parts.Queries, collection.QueriesTSV)
	if err != nil {
		return nil, err
	}
	for _, q := range queries.Queries {
		if c.Qrels.Has(q.ID) {
			c.Queries = append(c.Queries, q)
		}
	}
	if len(c.Queries) == 0 {
		return nil, &collection.ParseError{File: queries.Name,
			Err: fmt.Errorf("it holds no judged queries: it looks like %s", queries.Format)}
	}
	c.Warnings = append(c.Warnings, queries.Warnings...)
	return c, nil
}
