package collection

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// Format is what a file holds, and how.
type Format string

// The formats that are read.
const (
	Unknown         Format = ""
	RunTREC         Format = "run"            // query Q0 document rank score tag
	QrelsTREC       Format = "qrels"          // query iteration document grade; with subtopics in the second column: diversity qrels
	QrelsTSV        Format = "qrels-tsv"      // BEIR: query, document, grade
	RunJSON         Format = "run-json"       // {query: {document: score}}
	QrelsJSON       Format = "qrels-json"     // {query: {document: grade}}
	RunCSV          Format = "run-csv"        // with a header
	QrelsCSV        Format = "qrels-csv"      // with a header
	QueriesCSV      Format = "queries-csv"    // with a header
	CorpusCSV       Format = "corpus-csv"     // with a header
	QueriesTSV      Format = "queries-tsv"    // id, tab, text
	Topics          Format = "topics"         // TREC topics
	CorpusJSONL     Format = "corpus-jsonl"   // BEIR
	QueriesJSONL    Format = "queries-jsonl"  // BEIR
	BenchmarkJSON   Format = "benchmark-json" // DESIGN, section 6
	DatasetJSON     Format = "dataset-json"   // DESIGN, section 6
	JudgedQueryJSON Format = "judged-json"    // DESIGN, section 6
	NPY             Format = "npy"            // NumPy
	Gzip            Format = "gzip"           // any of the others, compressed
	Zip             Format = "zip"            // BEIR's layout, or any of the others
)

// Content is what a file turned out to hold. Several fields may be set (a CSV with scores and grades is a run and qrels; a zip with BEIR's layout a
// Collection); those that are not are nil or empty.
type Content struct {
	Name       string
	Format     Format
	Compressed bool  // it was a gzip of Format
	Bytes      int64 // read, after decompression
	Lines      int

	Run        *Run
	Qrels      *Qrels
	Diversity  *Diversity
	Docs       []Doc
	Queries    []Query
	Benchmark  *Benchmark
	Collection *Collection
	Vectors    *Array
	Files      []*Content // of a zip that is not in BEIR's layout

	Warnings []Warning
}

// sniff is how much of a file Detect should be given, if there is that much.
const sniff = 64 << 10

// Detect tells from the first bytes of a file (64 KiB serve best, a few lines suffice) what it holds: Unknown where they look like nothing
// that is read. It goes by the content alone. Where a text may be two things the more common one is taken: integers per query and
// document in JSON are QrelsJSON; lines {"_id","text"} with short texts and no title are QueriesJSONL.
func Detect(head []byte) Format {
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return Zip
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return Gzip
	case bytes.HasPrefix(head, npyMagic):
		return NPY
	}
	if bytes.IndexByte(head[:min(len(head), 4096)], 0) >= 0 {
		return Unknown // no text, or UTF-16
	}
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	for i, c := range head {
		switch {
		case c == '{' || c == '[':
			return sniffJSON(head[i:])
		case c == '<':
			if f := sniffTopics(head[i:]); f != Unknown {
				return f
			}
			return sniffText(head)
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			return sniffText(head)
		}
	}
	return Unknown
}

func sniffTopics(head []byte) Format {
	l := lower(head[:min(len(head), 4096)])
	if strings.Contains(l, "<top>") || strings.Contains(l, "<topic ") || strings.Contains(l, "<topics") {
		return Topics
	}
	return Unknown
}

// sniffText tells the formats of lines apart by the first lines that look like one of them.
func sniffText(head []byte) Format {
	lines := bytes.Split(head, []byte("\n"))
	if len(lines) > 1 {
		lines = lines[:len(lines)-1] // the last one may be cut off
	}
	seen := 0
	for _, l := range lines {
		l = bytes.TrimSuffix(l, []byte("\r"))
		if blank(l) || l[0] == '#' && seen == 0 {
			continue
		}
		seen++
		if seen == 1 {
			if sep := separator(l); sep != 0 {
				t := &table{sep: sep}
				var cells [][]byte
				if bytes.IndexByte(l, '"') >= 0 {
					t.in = &lineOnce
					cells, _ = t.quoted(l)
				} else {
					cells = bytes.Split(l, []byte{sep})
				}
				if sep == '\t' && len(cells) == 3 && qrelsHeader(cells) {
					return QrelsTSV
				}
				if h, err := parseHeader(cells); err == nil {
					if k := h.kind(); k != Unknown {
						if k == RunCSV && len(cells) == 3 && lower(trimID(cells[1])) == "corpus-id" {
							return QrelsCSV
						}
						return k
					}
				}
			}
		}
		f, _ := split(l, nil, 8)
		number := func(i int) bool { _, err := parseScore(trimID(f[i])); return err == nil }
		whole := func(i int) bool { _, w, err := parseGrade(trimID(f[i])); return err == nil && w }
		switch {
		case bytes.Count(l, []byte("\t")) == 1 && !(len(f) >= 5 && number(4)):
			return QueriesTSV
		case len(f) >= 6 && number(4):
			return RunTREC
		case len(f) == 5 && (number(4) && whole(3) || number(3) && whole(2)):
			return RunTREC
		case len(f) == 4 && number(3):
			return QrelsTREC
		case len(f) == 3 && number(2):
			return QrelsTSV
		case len(f) == 3 && seen == 1 && qrelsHeader(f):
			return QrelsTSV
		case len(f) == 4 && seen == 1 && qrelsHeader(f):
			return QrelsTREC
		}
		if seen == 10 {
			break
		}
	}
	return Unknown
}

// lineOnce is a source of lines that has none.
var lineOnce = lines{src: &source{opt: Options{Limits: Limits{}.withDefaults()}}, ended: true}

// sniffJSON tells the formats of JSON apart by what the text begins with.
func sniffJSON(head []byte) Format {
	r := jsontext.New(nil, jsontext.Limits{LoneSurrogates: true})
	r.Reset(head)
	if head[0] == '[' {
		return JudgedQueryJSON
	}
	found := Unknown
	sawID, title, length := false, false, 0
	for r.BeginObject(); found == Unknown && r.More(); {
		key := string(r.Key())
		kind := r.Peek()
		switch {
		case key == "_id":
			sawID = true
			r.Skip()
		case key == "title" && kind == '"':
			title = true
			r.Skip()
		case key == "text" && kind == '"':
			length = len(r.Bytes())
		case sawID:
			r.Skip()
		case key == "schema_version" && kind == '"', key == "queries" && kind == '[':
			found = BenchmarkJSON
		case kind == '{':
			found = sniffMember(r, key)
		default:
			r.Skip()
		}
	}
	if sawID {
		switch {
		case r.Err() != nil && !title && length == 0, title, length > 400:
			return CorpusJSONL
		}
		return QueriesJSONL
	}
	return found
}

// sniffMember looks into the object at a key of the outermost object.
func sniffMember(r *jsontext.Reader, key string) Format {
	found := Unknown
	for r.BeginObject(); r.More(); {
		r.Key()
		switch r.Peek() {
		case '0':
			if found == Unknown {
				found = QrelsJSON
			}
			if n := r.Number(); bytes.ContainsAny(n, ".eE") {
				found = RunJSON
			}
		case '{':
			if key == "queries" || key == "documents" || key == "qrels" {
				return DatasetJSON
			}
			r.Skip()
		default:
			r.Skip()
		}
	}
	if key == "metadata" {
		return Unknown // the metadata of one shape or the other: look on
	}
	return found
}

// reading is one file on its way to a Content.
type reading struct {
	name string
	opt  Options
	c    *Content
	w    warner
}

func (d *reading) fail(line int, err error) error { return parseError(d.name, line, err) }

// Read reads anything that is known, gzipped or not, and tells by its content what it is, unless opt.Kind says it. It reads from r as a stream; only
// a zip that is not an io.ReaderAt and io.Seeker is held in memory first. Errors are of type *ParseError; what was odd but could be read is in
// Content.Warnings.
func Read(name string, r io.Reader, opt Options) (*Content, error) {
	opt.Limits = opt.Limits.withDefaults()
	d := &reading{name: name, opt: opt, c: &Content{Name: name}}
	head := make([]byte, 4)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, d.fail(0, err)
	}
	head = head[:n]
	if Detect(head) == Zip {
		return d.zip(head, r)
	}
	src, err := newSource(name, io.MultiReader(bytes.NewReader(head), r), opt)
	if err != nil {
		return nil, err
	}
	d.c.Compressed = src.in != nil
	if err := d.content(src); err != nil {
		return nil, err
	}
	d.c.Bytes = src.read
	d.c.Warnings = d.w.list
	return d.c, nil
}

// content reads what is in src.
func (d *reading) content(src *source) error {
	in := newLines(src)
	for len(in.buf) < sniff && !in.ended {
		if err := in.fill(); err != nil {
			return err
		}
	}
	head := in.buf
	if len(head) == 0 {
		return d.fail(0, errors.New("empty file"))
	}
	kind := d.opt.Kind
	if kind == Unknown {
		kind = Detect(head)
	}
	d.c.Format = kind
	// What follows begins again at the first byte.
	whole := func() io.Reader { return io.MultiReader(bytes.NewReader(head), src) }
	switch kind {
	case RunTREC:
		p := &runText{in: in, b: d.builder()}
		if err := p.read(); err != nil {
			return err
		}
		d.c.Lines = in.line
		if p.b.run.n == 0 {
			return d.fail(0, errors.New("no entries"))
		}
		d.finishRun(p.b)
		d.c.Run.Metadata = parseMetadata(p.head)
		return nil
	case QrelsTREC, QrelsTSV:
		q, div, list, err := qrelsBoth(in)
		d.w.merge(list)
		if err != nil {
			return err
		}
		d.c.Qrels, d.c.Diversity, d.c.Lines = q, div, in.line
		if q.Len() == 0 {
			return d.fail(0, errors.New("no judgments"))
		}
		return nil
	case RunCSV, QrelsCSV, QueriesCSV, CorpusCSV:
		defer func() { d.c.Lines = in.line }()
		return d.csvContent(in)
	case QueriesTSV:
		defer func() { d.c.Lines = in.line }()
		return d.queriesTSV(in)
	case Topics:
		defer func() { d.c.Lines = in.line }()
		return d.topics(in)
	case CorpusJSONL:
		list, err := corpusLines(in, map[string]struct{}{}, func(doc Doc) error {
			d.c.Docs = append(d.c.Docs, doc)
			return nil
		})
		d.w.merge(list)
		d.c.Lines = in.line
		return err
	case QueriesJSONL:
		list, err := queryLines(in, func(q Query) error {
			d.c.Queries = append(d.c.Queries, q)
			return nil
		})
		d.w.merge(list)
		d.c.Lines = in.line
		return err
	case RunJSON, QrelsJSON:
		return d.scores(whole())
	case BenchmarkJSON:
		return d.benchmark(whole())
	case DatasetJSON:
		return d.dataset(whole())
	case JudgedQueryJSON:
		return d.judgedQueries(whole())
	case NPY:
		a, err := readNPY(whole(), d.opt.Limits)
		if err != nil {
			return d.fail(0, err)
		}
		d.c.Vectors = a
		return nil
	case Gzip:
		return d.fail(0, errors.New("a gzip within an archive is not opened"))
	case Zip:
		return d.fail(0, errors.New("a zip within an archive is not opened"))
	}
	return d.unknown(head, in.ended)
}

// unknown explains as well as it can why a file that begins with head, or is head, is not read.
func (d *reading) unknown(head []byte, whole bool) error {
	line := 1
	for len(head) > 0 && (head[0] == '\n' || head[0] == '\r' || head[0] == ' ' || head[0] == '\t') {
		if head[0] == '\n' {
			line++
		}
		head = head[1:]
	}
	switch {
	case len(head) == 0:
		return d.fail(0, errors.New("empty file"))
	case head[0] == 0xff && len(head) > 1 && head[1] == 0xfe, head[0] == 0xfe && len(head) > 1 && head[1] == 0xff:
		return d.fail(1, errUTF16)
	case head[0] == '{':
		// JSON that is damaged within the head says where; else its keys are of nothing known.
		r := jsontext.New(nil, jsontext.Limits{LoneSurrogates: true})
		r.Reset(head)
		r.Skip()
		if se, ok := errors.AsType[*jsontext.SyntaxError](r.Err()); ok && (whole || !se.Ended) {
			return d.fail(line, r.Err())
		}
		return d.fail(line, errors.New("JSON of an unknown shape: runs and qrels are {query: {document: number}}"))
	case bytes.IndexByte(head, 0) >= 0:
		return d.fail(0, errors.New("not a text: no known format"))
	}
	l, _, _ := bytes.Cut(head, []byte("\n"))
	l = bytes.TrimSuffix(l, []byte("\r"))
	f, _ := split(l, nil, 100)
	why := ""
	if sep := separator(l); (sep == ',' || sep == ';') && len(f) < 3 {
		if _, err := parseHeader(bytes.Split(l, []byte{sep})); err != nil {
			return d.fail(line, err)
		}
		return d.fail(line, errUnknownHeader)
	}
	switch {
	case len(f) >= 5:
		if _, err := parseScore(trimID(f[4])); err != nil {
			why = "; as a run, its " + err.Error()
		}
	case len(f) >= 3:
		if _, _, err := parseGrade(trimID(f[len(f)-1])); err != nil {
			why = "; as qrels, its " + err.Error()
		}
	}
	return d.fail(line, errors.New("no known format: "+count(len(f), "column")+" where a run has 6 (query, Q0, document, rank, score, tag) and qrels have 4 (query, 0, document, grade) or 3 (query, document, grade)"+why))
}

var errUnknownHeader = errors.New("the header names no columns that are known: a run needs query_id, doc_id and score, qrels query_id, doc_id and relevance")

// zip reads a zip: a collection in BEIR's layout, or file by file.
func (d *reading) zip(head []byte, r io.Reader) (*Content, error) {
	var at io.ReaderAt
	var size int64
	if s, ok := r.(io.Seeker); ok {
		if a, ok := r.(io.ReaderAt); ok {
			if n, err := s.Seek(0, io.SeekEnd); err == nil {
				at, size = a, n
			}
		}
	}
	if at == nil {
		b, err := io.ReadAll(io.LimitReader(io.MultiReader(bytes.NewReader(head), r), d.opt.Limits.Bytes+1))
		if err != nil {
			return nil, d.fail(0, err)
		}
		at, size = bytes.NewReader(b), int64(len(b))
	}
	if size > d.opt.Limits.Bytes {
		return nil, d.fail(0, &LimitError{"Bytes", "bytes", d.opt.Limits.Bytes, size})
	}
	a, err := OpenZip(d.name, at, size, d.opt.Limits)
	if err != nil {
		return nil, err
	}
	d.c.Format, d.c.Bytes = Zip, size
	if _, err := beirFolder(a); err == nil {
		c, err := ReadArchive(a, d.opt.Split, d.opt)
		if err != nil {
			return nil, within(d.name, err)
		}
		if c.Name == "" {
			c.Name = strings.TrimSuffix(d.name[strings.LastIndexByte(d.name, '/')+1:], ".zip")
		}
		d.c.Collection, d.c.Warnings = c, c.Warnings
		return d.c, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, within(d.name, err)
	}
	left := d.opt
	for _, name := range a.Files() {
		base := name[strings.LastIndexByte(name, '/')+1:]
		if strings.HasPrefix(name, "__MACOSX/") || strings.HasPrefix(base, ".") {
			continue
		}
		f, err := a.open(name)
		if err != nil {
			return nil, within(d.name, parseError(name, 0, err))
		}
		// A zip within the zip is not opened; its files together are bounded like one.
		c, err := readFile(name, f, left)
		if err != nil {
			return nil, within(d.name, err)
		}
		if left.Limits.Bytes -= c.Bytes; left.Limits.Bytes <= 0 {
			return nil, d.fail(0, &LimitError{"Bytes", "bytes", d.opt.Limits.Bytes, d.opt.Limits.Bytes - left.Limits.Bytes})
		}
		d.c.Files = append(d.c.Files, c)
	}
	if len(d.c.Files) == 0 {
		return nil, d.fail(0, errors.New("zip: it holds no files"))
	}
	return d.c, nil
}

// readFile reads a file of a zip, which may be a gzip but not a zip.
func readFile(name string, r io.Reader, opt Options) (*Content, error) {
	d := &reading{name: name, opt: opt, c: &Content{Name: name}}
	src, err := newSource(name, r, opt)
	if err != nil {
		return nil, err
	}
	d.c.Compressed = src.in != nil
	if err := d.content(src); err != nil {
		return nil, err
	}
	d.c.Bytes, d.c.Warnings = src.read, d.w.list
	return d.c, nil
}

// within puts the name of an archive before that of the file in it.
func within(archive string, err error) error {
	if pe, ok := errors.AsType[*ParseError](err); ok && pe.File != archive {
		file := archive
		if pe.File != "." {
			file += "/" + pe.File
		}
		return &ParseError{File: file, Line: pe.Line, Err: pe.Err}
	}
	return err
}

// builder returns the builder of the run that is read.
func (d *reading) builder() *RunBuilder {
	b := NewRunBuilder("")
	b.file, b.lim, b.lined = d.name, d.opt.Limits, true
	return b
}

func (d *reading) finishRun(b *RunBuilder) {
	r, list := b.Run()
	d.c.Run = r
	d.w.merge(list)
}

func (d *reading) finishQrels(q *Qrels, div *Diversity) {
	d.c.Qrels = q
	if div != nil && div.subtopics() {
		d.c.Qrels, d.c.Diversity = div.Qrels(), div
		d.w.drop(DuplicateJudgment, ConflictingGrade)
	}
}

// grade reads a grade and warns about what is odd about it.
func (d *reading) grade(line int, g []byte) (int32, error) {
	grade, err := readGrade(&d.w, d.name, line, g)
	if err != nil {
		return 0, d.fail(line, err)
	}
	return grade, nil
}

// readGrade reads a grade and warns about what is odd about it.
func readGrade(w *warner, file string, line int, g []byte) (int32, error) {
	grade, whole, err := parseGrade(g)
	if err != nil {
		return 0, err
	}
	if !whole {
		w.add(NonIntegerGrade, file, line, 1, g, func() string {
			return "grade " + clip(g) + " is not an integer; " + strconv.Itoa(int(grade)) + " is taken"
		})
	}
	if grade < 0 {
		w.add(NegativeGrade, file, line, 1, g, func() string { return "grade " + clip(g) + " is negative: not relevant" })
	}
	return grade, nil
}

// addQuery keeps a query unless its id is known.
func (d *reading) addQuery(known map[string]struct{}, line int, q Query) error {
	if _, ok := known[q.ID]; ok {
		d.w.add(DuplicateID, d.name, line, 1, view(q.ID), func() string {
			return "query " + strconv.Quote(q.ID) + " is there again; the first one is kept"
		})
		return nil
	}
	if len(known) == d.opt.Limits.Queries {
		return d.fail(line, &LimitError{"Queries", "queries", int64(d.opt.Limits.Queries), int64(len(known)) + 1})
	}
	known[q.ID] = struct{}{}
	if blankText(q.Text) {
		d.w.add(EmptyQuery, d.name, line, 1, view(q.ID), func() string { return "query " + strconv.Quote(q.ID) + " has no text" })
	}
	d.c.Queries = append(d.c.Queries, q)
	return nil
}

// addDoc keeps a document unless its id is known.
func (d *reading) addDoc(known map[string]struct{}, line int, doc Doc) error {
	if _, ok := known[doc.ID]; ok {
		d.w.add(DuplicateID, d.name, line, 1, view(doc.ID), func() string {
			return "document " + strconv.Quote(doc.ID) + " is there again; the first one is kept"
		})
		return nil
	}
	if len(known) == d.opt.Limits.Documents {
		return d.fail(line, &LimitError{"Documents", "documents", int64(d.opt.Limits.Documents), int64(len(known)) + 1})
	}
	known[doc.ID] = struct{}{}
	if blankText(doc.Title) && blankText(doc.Text) {
		d.w.add(EmptyDocument, d.name, line, 1, view(doc.ID), func() string {
			return "document " + strconv.Quote(doc.ID) + " has neither title nor text"
		})
	}
	d.c.Docs = append(d.c.Docs, doc)
	return nil
}
