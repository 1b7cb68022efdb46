package collection

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// Kinds of warnings about documents, queries and judgments.
const (
	EmptyDocument      = "empty-document"       // neither title nor text: never retrieved by a lexical system
	DuplicateID        = "duplicate-id"         // a document or query id that was there before; the first one is kept
	NumericID          = "numeric-id"           // an id written as a JSON number; its digits are taken
	BadMetadata        = "bad-metadata"         // metadata of another type than expected; left out
	LoneSurrogate      = "lone-surrogate"       // half of a surrogate pair in a JSON string; replaced by U+FFFD
	EmptyQuery         = "empty-query"          // a query without text, or a query of a run without documents
	UnknownDocument    = "unknown-document"     // judged, but not in the collection; kept: it counts as relevant and is never found
	UnknownQuery       = "unknown-query"        // judged, but without text
	UnjudgedQuery      = "unjudged-query"       // a query without judgments in this split; left out
	DuplicateJudgment  = "duplicate-judgment"   // the same pair with the same grade again
	ConflictingGrade   = "conflicting-judgment" // the same pair with another grade; the last one counts
	OnlyPreferences    = "preferences"          // judgments of preference, of which only "above 0" says what is relevant
	NegativeGrade      = "negative-grade"       // a grade below 0: not relevant; trec_eval takes it for pooled but unjudged
	NonIntegerGrade    = "non-integer-grade"    // a grade with a fraction, which is cut off as trec_eval cuts it
	StraySpace         = "stray-space"          // an id with white space or an invisible character around it, which is taken off
	NoQrels            = "no-qrels"             // a collection without judgments
	NonStandardDialect = "dialect"              // a file that is read although its format was bent
)

// Collection is a test collection in memory.
type Collection struct {
	Name     string
	License  string
	Source   string
	Docs     []Doc
	Queries  []Query
	Qrels    *Qrels
	Warnings []Warning
}

// ReadBEIR reads a folder in the layout of BEIR: corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv, each of them gzipped or not. They lie at the root
// of fsys or in its only folder that has a corpus (as in BEIR's zips; OpenZip makes an fs.FS of a zip). A collection.json beside them may say {"name","licence","source"}. An empty split stands for the first there
// is of test, dev, train and others by name. Only queries that are judged in the split are kept, in the order of their file; without any qrels all of them are.
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

// folder is what a collection is read from: an fs.FS, or an Archive, which the page does not read as one: an fs.FileInfo has a time, and with
// it comes all of package time.
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

func readBEIR(fsys folder, split string, opt Options) (*Collection, error) {
	dir, err := beirFolder(fsys)
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
	err = openEither(fsys, dir, "corpus.jsonl", func(name string, r io.Reader) error {
		list, err := readCorpus(r, name, opt, known, func(d Doc) error {
			c.Docs = append(c.Docs, d)
			return nil
		})
		w.merge(list)
		return err
	})
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
		list, err := readQrelsLines(r, name, opt, func(line int, query, _, doc []byte, grade int32) error {
			if _, ok := known[string(doc)]; !ok {
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
		texts := make(map[string]struct{}, len(queries))
		left, first := 0, ""
		for _, q := range queries {
			texts[q.ID] = struct{}{}
			if c.Qrels.Has(q.ID) {
				c.Queries = append(c.Queries, q)
			} else {
				if left == 0 {
					first = q.ID
				}
				left++
			}
		}
		if left > 0 {
			w.add(UnjudgedQuery, join(dir, "queries.jsonl"), 0, left, view(first), func() string {
				return "query " + strconv.Quote(first) + " has no judgment in the split " + split + " and is left out"
			})
		}
		for _, q := range c.Qrels.Queries() {
			if _, ok := texts[q]; !ok {
				w.add(UnknownQuery, name, lines[q], 1, view(q), func() string { return "judged query " + strconv.Quote(q) + " has no text" })
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
	c.License, c.Source = m.Get("licence"), m.Get("source")
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

// beirSplit returns the split to read: the one asked for, or the first of test, dev, train and the others; "" where there is no folder qrels.
func beirSplit(fsys folder, dir, split string) (string, error) {
	files, _, err := fsys.list(join(dir, "qrels"))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			if split == "" {
				return "", nil
			}
			return "", &ParseError{File: join(dir, "qrels/"+split+".tsv"), Err: errors.New("no such split; there are no qrels")}
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

// ReadCorpus reads documents, a JSON object a line ({"_id","title","text","metadata"}), and hands them on one at a time, in order. Of the metadata
// it knows date (YYYY-MM-DD, a time behind it is cut off), category, uri or url (or else path or file_name), page, entities:[{"name","type","confidence"}], and time, byline,
// story, updates (an id or a list of them) and duplicate_of; anything else is passed over. A document whose id was there before is reported and left out. An error of f stops the reading and is returned in a
// *ParseError like every other.
func ReadCorpus(r io.Reader, name string, opt Options, f func(Doc) error) ([]Warning, error) {
	return readCorpus(r, name, opt, map[string]struct{}{}, f)
}

func readCorpus(r io.Reader, name string, opt Options, known map[string]struct{}, f func(Doc) error) ([]Warning, error) {
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
		o.json.End()
		if err := o.json.Err(); err != nil {
			return err
		}
		switch {
		case !seen:
			return errors.New(`missing "_id"`)
		case d.ID == "":
			return errors.New(`empty "_id"`)
		case !sawText:
			o.warn(NonStandardDialect, d.ID, `document `+strconv.Quote(d.ID)+` has no "text"`)
		}
		if _, ok := known[d.ID]; ok {
			o.warn(DuplicateID, d.ID, "document "+strconv.Quote(d.ID)+" is there again; the first one is kept")
			return nil
		}
		if len(known) == opt.Limits.Documents {
			return &LimitError{"Documents", "documents", int64(opt.Limits.Documents), int64(len(known)) + 1}
		}
		known[d.ID] = struct{}{}
		if blankText(d.Title) && blankText(d.Text) {
			o.warn(EmptyDocument, d.ID, "document "+strconv.Quote(d.ID)+" has neither title nor text")
		}
		return f(d)
	})
}

// ReadQueries reads queries, a JSON object a line ({"_id","text","metadata"}), and hands them on one at a time, in order. Of the metadata it knows
// type (or query_type), difficulty, domain, description and narrative. A query whose id was there before is reported and left out.
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
		o.json.End()
		if err := o.json.Err(); err != nil {
			return err
		}
		switch {
		case !seen:
			return errors.New(`missing "_id"`)
		case q.ID == "":
			return errors.New(`empty "_id"`)
		}
		if _, ok := known[q.ID]; ok {
			o.warn(DuplicateID, q.ID, "query "+strconv.Quote(q.ID)+" is there again; the first one is kept")
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

// objects reads JSON objects, one a line.
type objects struct {
	json *jsontext.Reader
	file string
	line int
	w    warner
}

// each calls f with every line that is not blank in o.json.
func (o *objects) each(in *lines, f func() error) ([]Warning, error) {
	name, opt := in.src.name, in.src.opt
	o.file = name
	o.json = jsontext.New(nil, jsontext.Limits{Depth: opt.Limits.Depth, Token: opt.Limits.Line, LoneSurrogates: true})
	for {
		b, err := in.next()
		if err == io.EOF {
			return o.w.list, nil
		}
		if err != nil {
			return o.w.list, err
		}
		if blank(b) {
			continue
		}
		o.line = in.line
		o.json.Reset(b)
		if err := f(); err != nil {
			return o.w.list, parseError(name, in.line, err)
		}
		if n := o.json.Replaced(); n > 0 {
			o.w.add(LoneSurrogate, name, in.line, n, nil, func() string { return "half of a surrogate pair is replaced by U+FFFD" })
		}
	}
}

func (o *objects) warn(kind, what, message string) {
	o.w.add(kind, o.file, o.line, 1, view(what), func() string { return message })
}

// id takes an id: a string, or a number, whose digits are taken as they are written.
func (o *objects) id(key string) string {
	var id []byte
	if o.json.Peek() == '0' {
		id = o.json.Number()
		if id != nil {
			o.warn(NumericID, string(id), key+" "+string(id)+" is a number, not a string")
		}
		return string(id)
	}
	id = o.json.Bytes()
	if t := trimID(id); len(t) < len(id) {
		o.warn(StraySpace, string(id), "id "+strconv.Quote(string(id))+" has white space around it, which is taken off")
		id = t
	}
	return string(id)
}

// text takes a string; null is taken for none.
func (o *objects) text() string {
	if o.json.Peek() == 'n' {
		o.json.Null()
		return ""
	}
	return o.json.String()
}

// other passes over metadata that is not of the expected type: null silently, anything else with a warning.
func (o *objects) other(key, id string) {
	if o.json.Peek() != 'n' {
		o.warn(BadMetadata, id, key+" of "+strconv.Quote(id)+" is not of the expected type and left out")
	}
	o.json.Skip()
}

// label takes a string of the metadata.
func (o *objects) label(key, id string) string {
	if o.json.Peek() != '"' {
		o.other(key, id)
		return ""
	}
	return o.json.String()
}

// page takes a page number of the metadata.
func (o *objects) page(key, id string) int {
	if o.json.Peek() != '0' {
		o.other(key, id)
		return 0
	}
	n, err := strconv.Atoi(string(o.json.Number()))
	if err != nil || n < 0 {
		o.warn(BadMetadata, id, key+" of "+strconv.Quote(id)+" is not a page number and left out")
		return 0
	}
	return n
}

func (o *objects) docMetadata(d *Doc) {
	j := o.json
	if j.Peek() != '{' {
		o.other("metadata", d.ID)
		return
	}
	for j.BeginObject(); j.More(); {
		switch key := string(j.Key()); key {
		case "date":
			s := o.label(key, d.ID)
			if d.Date = day(s); d.Date == "" && s != "" {
				o.warn(BadMetadata, d.ID, "date "+strconv.Quote(s)+" of "+strconv.Quote(d.ID)+" is not YYYY-MM-DD and left out")
			}
		case "category":
			d.Category = o.label(key, d.ID)
		case "uri", "url":
			if s := o.label(key, d.ID); s != "" {
				d.URI = s
			}
		case "path", "file_name": // of a document that has no URI
			if s := o.label(key, d.ID); d.URI == "" || key == "path" && fileName(s) == d.URI {
				d.URI = s
			}
		case "page", "page_number":
			d.Page = o.page(key, d.ID)
		case "time":
			d.news().Time = o.label(key, d.ID)
		case "byline":
			d.news().Byline = o.label(key, d.ID)
		case "story":
			d.news().Story = o.label(key, d.ID)
		case "duplicate_of":
			d.news().DuplicateOf = o.label(key, d.ID)
		case "updates":
			if j.Peek() != '[' {
				if id := o.label(key, d.ID); id != "" {
					d.news().Updates = append(d.news().Updates, id)
				}
				break
			}
			for j.BeginArray(); j.More(); {
				if id := o.label(key, d.ID); id != "" {
					d.news().Updates = append(d.news().Updates, id)
				}
			}
		case "entities":
			if j.Peek() != '[' {
				o.other(key, d.ID)
				break
			}
			for j.BeginArray(); j.More(); {
				if j.Peek() != '{' {
					o.other("an entity", d.ID)
					continue
				}
				var e Entity
				e.Confidence = 1
				for j.BeginObject(); j.More(); {
					switch key := string(j.Key()); key {
					case "name":
						e.Name = o.label("entity name", d.ID)
					case "type":
						e.Kind = o.label("entity type", d.ID)
					case "confidence":
						if j.Peek() != '0' {
							o.other("entity confidence", d.ID)
						} else if e.Confidence = j.Float(); e.Confidence < 0 || e.Confidence > 1 {
							o.warn(BadMetadata, d.ID, "an entity of "+strconv.Quote(d.ID)+" has a confidence outside 0 to 1, which is drawn to it")
							e.Confidence = min(max(e.Confidence, 0), 1)
						}
					default:
						j.Skip()
					}
				}
				if e.Name != "" {
					d.Entities = append(d.Entities, e)
				}
			}
		default:
			j.Skip()
		}
	}
}

// news returns what is noted of the document, to be added to.
func (d *Doc) news() *News {
	if d.News == nil {
		d.News = &News{}
	}
	return d.News
}

// day returns the YYYY-MM-DD at the start of s, or "".
func day(s string) string {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' || len(s) > 10 && s[10] != 'T' && s[10] != ' ' {
		return ""
	}
	n := func(s string) int {
		v := 0
		for i := 0; i < len(s); i++ {
			if s[i] < '0' || s[i] > '9' {
				return -1
			}
			v = v*10 + int(s[i]-'0')
		}
		return v
	}
	y, m, d := n(s[:4]), n(s[5:7]), n(s[8:10])
	if y < 0 || m < 1 || m > 12 || d < 1 {
		return ""
	}
	last := 31
	switch m {
	case 4, 6, 9, 11:
		last = 30
	case 2:
		last = 28
		if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
			last = 29
		}
	}
	if d > last {
		return ""
	}
	return s[:10]
}

func blankText(s string) bool { return len(trimID(unsafe.Slice(unsafe.StringData(s), len(s)))) == 0 }

// trimID takes white space and invisible characters (no-break spaces, zero-width characters, byte order marks) off both ends.
func trimID(b []byte) []byte {
	for len(b) > 0 {
		c := b[0]
		if c > ' ' && c < 0x7f {
			break
		}
		n := invisible(b)
		if n == 0 {
			break
		}
		b = b[n:]
	}
	for len(b) > 0 {
		c := b[len(b)-1]
		if c > ' ' && c < 0x7f {
			break
		}
		n := 1
		for n < 3 && n < len(b) && b[len(b)-n]&0xc0 == 0x80 {
			n++
		}
		if k := invisible(b[len(b)-n:]); k != n {
			break
		}
		b = b[:len(b)-n]
	}
	return b
}

// invisible returns the length of the white space or invisible character that b starts with, 0 for anything else.
func invisible(b []byte) int {
	switch c := b[0]; {
	case c == ' ' || '\t' <= c && c <= '\r' || c == 0:
		return 1
	case c == 0xc2 && len(b) > 1 && (b[1] == 0xa0 || b[1] == 0x85 || b[1] == 0xad):
		return 2 // U+00A0, U+0085, U+00AD
	case c == 0xe2 && len(b) > 2 && b[1] == 0x80 && (b[2] >= 0x80 && b[2] <= 0x8f || b[2] == 0xa8 || b[2] == 0xa9 || b[2] == 0xaf):
		return 3 // U+2000 … U+200F, line and paragraph separators, U+202F
	case c == 0xe2 && len(b) > 2 && b[1] == 0x81 && (b[2] == 0x9f || b[2] == 0xa0):
		return 3 // U+205F, U+2060
	case c == 0xe3 && len(b) > 2 && b[1] == 0x80 && b[2] == 0x80:
		return 3 // U+3000
	case c == 0xef && len(b) > 2 && b[1] == 0xbb && b[2] == 0xbf:
		return 3 // U+FEFF
	}
	return 0
}
