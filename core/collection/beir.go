package collection

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// Kinds of warnings about documents, queries and judgments.
const (
	EmptyDocument = "empty-document" // neither title nor text: never retrieved by a lexical system
	DuplicateID   = "duplicate-id"   // a document or query id that was there before; the first one is kept
	NumericID     = "numeric-id"     // an id written as a JSON number; its digits are taken
	BadMetadata   = "bad-metadata"   // metadata of another type than expected; left out
	LoneSurrogate = "lone-surrogate" // half of a surrogate pair in a JSON string; replaced by U+FFFD
	EmptyQuery    = "empty-query"    // a query without text, or a query of a run without documents
	// judged, but not in the collection; kept: it counts as relevant and is never found
	UnknownDocument   = "unknown-document"
	UnknownQuery      = "unknown-query"        // judged, but without text
	UnjudgedQuery     = "unjudged-query"       // a query without judgments in this split; left out
	DuplicateJudgment = "duplicate-judgment"   // the same pair with the same grade again
	ConflictingGrade  = "conflicting-judgment" // the same pair with another grade; the last one counts
	// judgments of preference, of which only "above 0" says what is relevant
	OnlyPreferences = "preferences"
	// a grade below 0: not relevant; trec_eval takes it for pooled but unjudged
	NegativeGrade = "negative-grade"
	LowGrade      = "grade-below-1" // a grade above 0 that does not reach the usual relevance level
	// an id with white space or an invisible character around it, which is taken off
	StraySpace         = "stray-space"
	NoQrels            = "no-qrels" // a collection without judgments
	NonStandardDialect = "dialect"  // a file that is read although its format was bent
)

// Collection is a test collection in memory.
type Collection struct {
	Name    string
	License string
	Source  string
	// RemoveQuery says that queries are documents, each of which is left out of its own ranking, as BEIR does.
	RemoveQuery bool

	Docs     []Doc
	Queries  []Query
	Qrels    *Qrels
	Warnings []Warning
}

// ReadBEIR reads a folder in the layout of BEIR: corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv, each of them gzipped
// or not. They lie at the root of fsys or in its only folder that has a corpus (as in BEIR's zips; OpenZip makes an
// fs.FS of a zip). A collection.json beside them may say {"name","licence","source","remove_query"}. An empty split
// stands for the first there is of test, dev, train and others by name. Only queries that are judged in the split are
// kept, in the order of their file; without any qrels all of them are.
func ReadBEIR(fsys fs.FS, split string, limits Limits) (*Collection, error) {
	return ReadBEIRWith(fsys, split, Options{Limits: limits})
}

// ReadBEIRWith is ReadBEIR with all options: progress, and through it a way to cancel.
func ReadBEIRWith(fsys fs.FS, split string, opt Options) (*Collection, error) {
	return readBEIR(fsFolder{fsys}, split, opt)
}

// ReadArchive is ReadBEIRWith of a zip, without the cost of an fs.FS.
func ReadArchive(a *Archive, split string, opt Options) (*Collection, error) {
	return readBEIR(a, split, opt)
}

// folder is what a collection is read from: an fs.FS, or an Archive, which the page does not read as one: an
// fs.FileInfo has a time, and with it comes all of package time.
type folder interface {
	open(name string) (io.ReadCloser, error)
	list(dir string) (files, dirs []string, err error)
}

// fsFolder makes a folder of an fs.FS.
type fsFolder struct{ fsys fs.FS }

func (f fsFolder) open(name string) (io.ReadCloser, error) { return f.fsys.Open(name) }

func (f fsFolder) list(dir string) (files, dirs []string, err error) {
	list, err := fs.ReadDir(f.fsys, dir)
	for _, e := range list {
		if e.IsDir() {
			dirs = append(dirs, e.Name())
		} else {
			files = append(files, e.Name())
		}
	}
	return files, dirs, err
}

// readBEIR reads a folder as BEIR lays it out: what the collection says of itself, documents, queries, and the
// judgments of a split. It is the folder, file after file: each is checked against those before.
func readBEIR(fsys folder, split string, opt Options) (*Collection, error) {
	dir, err := ".", error(nil)
	if !opt.Elsewhere {
		dir, err = beirFolder(fsys)
	}
	if err != nil {
		return nil, err
	}
	c := &Collection{Qrels: NewQrels()}
	if dir != "." {
		c.Name = dir
	}
	if err := c.card(fsys, join(dir, "collection.json"), opt); err != nil {
		return nil, err
	}
	var w warner
	known := map[string]struct{}{}
	if !opt.Elsewhere {
		err = openEither(fsys, dir, "corpus.jsonl", func(name string, r io.Reader) error {
			list, err := readCorpus(r, name, opt, known, func(d Doc) error { return opt.keepDoc(&c.Docs, d) })
			w.merge(list)
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	var queries []Query
	err = openEither(fsys, dir, "queries.jsonl", func(name string, r io.Reader) error {
		list, err := ReadQueries(r, name, opt, func(q Query) error {
			queries = append(queries, q)
			return nil
		})
		w.merge(list)
		return err
	})
	if err != nil {
		return nil, err
	}
	if split, err = beirSplit(fsys, dir, split); err != nil {
		return nil, err
	}
	if split == "" {
		c.Queries = queries
		w.add(NoQrels, join(dir, "qrels"), 0, 1, nil, func() string { return "no qrels: nothing can be measured" })
		c.Warnings = w.list
		return c, nil
	}
	err = openEither(fsys, dir, "qrels/"+split+".tsv", func(name string, r io.Reader) error {
		lines := map[string]int{}
		list, err := readQrelsLines(r, name, opt, func(line int, query, _, doc []byte, grade float64) error {
			if _, ok := known[string(doc)]; !ok && !opt.Elsewhere {
				w.add(UnknownDocument, name, line, 1, doc, func() string {
					return "judged document " + strconv.Quote(string(doc)) + " is not in the collection"
				})
			}
			if !c.Qrels.Has(text(query)) {
				lines[string(query)] = line
			}
			return c.Qrels.note(&w, name, line, query, doc, grade)
		})
		w.merge(list)
		if err != nil {
			return err
		}
		left, first := c.keepJudged(queries)
		if left > 0 {
			w.add(UnjudgedQuery, join(dir, "queries.jsonl"), 0, left, view(first), func() string {
				return "query " + strconv.Quote(first) + " has no judgment in the split " + split + " and is left out"
			})
		}
		texts := make(map[string]struct{}, len(c.Queries))
		for _, q := range c.Queries {
			texts[q.ID] = struct{}{}
		}
		for _, q := range c.Qrels.Queries() {
			if _, ok := texts[q]; !ok {
				w.add(UnknownQuery, name, lines[q], 1, view(q), func() string {
					return "judged query " + strconv.Quote(q) + " has no text"
				})
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.Warnings = w.list
	return c, nil
}

// keepJudged takes the queries that have judgments, and returns how many have none and the first of these.
func (c *Collection) keepJudged(queries []Query) (left int, first string) {
	for _, q := range queries {
		if c.Qrels.Has(q.ID) {
			c.Queries = append(c.Queries, q)
		} else {
			if left == 0 {
				first = q.ID
			}
			left++
		}
	}
	return left, first
}

// card reads what collection.json says about the collection, if there is one.
func (c *Collection) card(fsys folder, name string, opt Options) error {
	f, err := fsys.open(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return parseError(name, 0, err)
	}
	defer f.Close()
	d := &reading{name: name, opt: opt, c: &Content{}}
	d.opt.Limits = opt.Limits.withDefaults()
	j, err := d.json(d.bounded(f))
	if err != nil {
		return err
	}
	m := scalars(j, nil, nil)
	if err := d.ended(j); err != nil {
		return err
	}
	c.about(m)
	return nil
}

// about takes name, licence and source from metadata.
func (c *Collection) about(m Metadata) {
	if name := m.Get("name"); name != "" {
		c.Name = name
	}
	c.License, c.Source, c.RemoveQuery = m.Get("licence"), m.Get("source"), m.Get("remove_query") == "true"
	if c.License == "" {
		c.License = m.Get("license")
	}
}

func join(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}

// beirFolder finds the folder that holds the corpus.
func beirFolder(fsys folder) (string, error) {
	corpus := func(files []string) bool {
		return slices.Contains(files, "corpus.jsonl") || slices.Contains(files, "corpus.jsonl.gz")
	}
	files, dirs, err := fsys.list(".")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", parseError(".", 0, err)
	}
	if corpus(files) {
		return ".", nil
	}
	found := ""
	for _, dir := range dirs {
		if files, _, err := fsys.list(dir); err == nil && corpus(files) {
			if found != "" {
				return "", &ParseError{File: ".", Err: errors.New("two collections: " + found + " and " + dir)}
			}
			found = dir
		}
	}
	if found == "" {
		return "", &ParseError{File: "corpus.jsonl", Err: fs.ErrNotExist}
	}
	return found, nil
}

// beirSplit returns the split to read: the one asked for, or the first of test, dev, train and the others; "" where
// there is no folder qrels.
func beirSplit(fsys folder, dir, split string) (string, error) {
	files, _, err := fsys.list(join(dir, "qrels"))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			if split == "" {
				return "", nil
			}
			return "", &ParseError{File: join(dir, "qrels/"+split+".tsv"),
				Err: errors.New("no such split; there are no qrels")}
		}
		return "", parseError(join(dir, "qrels"), 0, err)
	}
	var splits []string
	for _, name := range files {
		if s, ok := strings.CutSuffix(strings.TrimSuffix(name, ".gz"), ".tsv"); ok {
			splits = append(splits, s)
		}
	}
	if split != "" {
		if slices.Contains(splits, split) {
			return split, nil
		}
		msg := "no such split"
		if len(splits) > 0 {
			msg += "; there are " + strings.Join(splits, ", ")
		}
		return "", &ParseError{File: join(dir, "qrels/"+split+".tsv"), Err: errors.New(msg)}
	}
	for _, want := range [...]string{"test", "dev", "train"} {
		if slices.Contains(splits, want) {
			return want, nil
		}
	}
	if len(splits) == 0 {
		return "", nil
	}
	return splits[0], nil
}

// openEither opens dir/name or dir/name.gz and hands it to f.
func openEither(fsys folder, dir, name string, f func(name string, r io.Reader) error) error {
	name = join(dir, name)
	file, err := fsys.open(name)
	if errors.Is(err, fs.ErrNotExist) {
		if gz, gzErr := fsys.open(name + ".gz"); gzErr == nil {
			file, err, name = gz, nil, name+".gz"
		}
	}
	if err != nil {
		return parseError(name, 0, err)
	}
	defer file.Close()
	return f(name, file)
}

// ReadCorpus reads documents, a JSON object a line ({"_id","title","text","metadata"}), and hands them on one at a
// time, in order. Of the metadata it knows date (YYYY-MM-DD, a time behind it is cut off), category, uri or url (or
// else path or file_name), page, entities:[{"name","type","confidence"}], and time, byline, story, updates (an id or a
// list of them) and duplicate_of; anything else is passed over. A document whose id was there before is reported and
// left out. An error of f stops the reading and is returned in a *ParseError like every other.
func ReadCorpus(r io.Reader, name string, opt Options, f func(Doc) error) ([]Warning, error) {
	return readCorpus(r, name, opt, map[string]struct{}{}, f)
}

// StreamCorpus is ReadCorpus for a corpus of any size: it remembers no ids, so a document whose id was there before
// is handed on
// again.
func StreamCorpus(r io.Reader, name string, opt Options, f func(Doc) error) ([]Warning, error) {
	return readCorpus(r, name, opt, nil, f)
}

func readCorpus(r io.Reader, name string, opt Options, known map[string]struct{}, f func(Doc) error) ([]Warning,
	error) {
	opt.Limits = opt.Limits.withDefaults()
	src, err := newSource(name, r, opt)
	if err != nil {
		return nil, err
	}
	return corpusLines(newLines(src), known, f)
}

func corpusLines(in *lines, known map[string]struct{}, f func(Doc) error) ([]Warning, error) {
	o, opt := &objects{}, in.src.opt
	return o.each(in, func() error {
		var d Doc
		seen, sawTitle, sawText := false, false, false
		for o.json.BeginObject(); o.json.More(); {
			switch string(o.json.Key()) {
			case "_id", "id", "docid":
				o.again(seen, "_id")
				d.ID, seen = o.id("_id"), true
			case "title":
				o.again(sawTitle, "title")
				d.Title, sawTitle = o.text(), true
			case "text", "contents":
				o.again(sawText, "text")
				d.Text, sawText = o.text(), true
			case "metadata":
				o.docMetadata(&d)
			default:
				o.json.Skip()
			}
		}
		if err := o.identified("_id", d.ID, seen); err != nil {
			return err
		}
		if !sawText {
			o.warn(NonStandardDialect, d.ID, `document `+strconv.Quote(d.ID)+` has no "text"`)
		}
		if _, ok := known[d.ID]; ok {
			o.warn(DuplicateID, d.ID, "document "+strconv.Quote(d.ID)+" is repeated; the first counts")
			return nil
		}
		if len(known) == opt.Limits.Documents {
			return &LimitError{"Documents", "documents", int64(opt.Limits.Documents), int64(len(known)) + 1}
		}
		if known != nil {
			known[d.ID] = struct{}{}
		}
		if blankText(d.Title) && blankText(d.Text) {
			o.warn(EmptyDocument, d.ID, "document "+strconv.Quote(d.ID)+" has neither title nor text")
		}
		return f(d)
	})
}

// ReadQueries reads queries, a JSON object a line ({"_id","text","metadata"}), and hands them on one at a time, in
// order. Of the metadata it knows type (or query_type), difficulty, domain, description and narrative. A query whose id
// was there before is reported and left out.
func ReadQueries(r io.Reader, name string, opt Options, f func(Query) error) ([]Warning, error) {
	opt.Limits = opt.Limits.withDefaults()
	src, err := newSource(name, r, opt)
	if err != nil {
		return nil, err
	}
	return queryLines(newLines(src), f)
}

func queryLines(in *lines, f func(Query) error) ([]Warning, error) {
	o, opt := &objects{}, in.src.opt
	known := map[string]struct{}{}
	return o.each(in, func() error {
		var q Query
		seen, sawText := false, false
		for o.json.BeginObject(); o.json.More(); {
			switch string(o.json.Key()) {
			case "_id":
				o.again(seen, "_id")
				q.ID, seen = o.id("_id"), true
			case "text":
				o.again(sawText, "text")
				q.Text, sawText = o.text(), true
			case "metadata":
				if o.json.Peek() != '{' {
					o.other("metadata", q.ID)
					break
				}
				for o.json.BeginObject(); o.json.More(); {
					switch key := string(o.json.Key()); key {
					case "type", "query_type":
						q.Type = o.label(key, q.ID)
					case "difficulty":
						q.Difficulty = o.label(key, q.ID)
					case "domain":
						q.Domain = o.label(key, q.ID)
					case "description":
						q.Description = o.label(key, q.ID)
					case "narrative":
						q.Narrative = o.label(key, q.ID)
					default:
						o.json.Skip()
					}
				}
			default:
				o.json.Skip()
			}
		}
		if err := o.identified("_id", q.ID, seen); err != nil {
			return err
		}
		if _, ok := known[q.ID]; ok {
			o.warn(DuplicateID, q.ID, "query "+strconv.Quote(q.ID)+" is repeated; the first counts")
			return nil
		}
		if len(known) == opt.Limits.Queries {
			return &LimitError{"Queries", "queries", int64(opt.Limits.Queries), int64(len(known)) + 1}
		}
		known[q.ID] = struct{}{}
		if blankText(q.Text) {
			o.warn(EmptyQuery, q.ID, "query "+strconv.Quote(q.ID)+" has no text")
		}
		return f(q)
	})
}
