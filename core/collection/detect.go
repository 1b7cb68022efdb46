package collection

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/internal/jsontext"
	"github.com/rankbox/rankbox/core/measure"
)

// Format is what a file holds, and how.
type Format string

// The formats that are read.
const (
	Unknown         Format = ""
	RunTREC         Format = "run"            // query Q0 document rank score tag
	QrelsTREC       Format = "qrels"          // query iteration document grade; with subtopics in the second column: diversity qrels
	PrefsTREC       Format = "prefs"          // trec_eval: query group subgroup document level
	QrelsTSV        Format = "qrels-tsv"      // BEIR: query, document, grade
	RunRanks        Format = "run-ranks"      // MS MARCO: query, document, rank
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
	Bytes      int64 // read, after decompression; of a zip, all its files
	Lines      int

	Run       *Run
	Qrels     *Qrels
	Diversity *Diversity
	// Preferences come with Qrels of what they say of relevance.
	Preferences *Preferences
	Docs        []Doc
	Queries     []Query
	Benchmark   *Benchmark
	Collection  *Collection
	Vectors     *Array
	Files       []*Content // of a zip that is not in BEIR's layout

	Warnings []Warning
}

// AsRun makes a run of what was taken for qrels because all its numbers are whole, as QrelsJSON is: the grades are the scores. It does nothing with other formats.
func (c *Content) AsRun() {
	if c.Format != QrelsJSON || c.Qrels == nil {
		return
	}
	b := NewRunBuilder("")
	b.file, b.lim = c.Name, Limits{Queries: -1, Entries: -1}.withDefaults()
	for i := range c.Qrels.topics {
		t := &c.Qrels.topics[i]
		b.Touch(t.query)
		for k := range t.docs {
			b.add(view(t.query), view(t.docs[k].doc), float64(t.docs[k].grade), -1, 0)
		}
	}
	r, list := b.Run()
	w := warner{list: c.Warnings}
	w.drop(NegativeGrade, NonIntegerGrade, EmptyQuery)
	w.add(NonStandardDialect, c.Name, 0, 1, nil, func() string {
		return "whole numbers for queries and documents: taken for scores, as the judgments are in another file"
	})
	w.merge(list)
	c.Format, c.Run, c.Qrels, c.Warnings = RunJSON, r, nil, w.list
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
	if figures(lines) {
		return Unknown
	}
	seen := 0
	for _, l := range lines {
		l = bytes.TrimSuffix(l, []byte("\r"))
		if blank(l) || l[0] == '#' && (seen == 0 && !labelled(l) || remark(l)) {
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
		case len(f) == 5 && number(4) && !number(3) && !labelled(l) && lower(f[1]) != "q0":
			return PrefsTREC
		case len(f) == 4 && number(3):
			return QrelsTREC
		case len(f) == 3 && number(2):
			if seen == 1 && ranks(lines) {
				return RunRanks
			}
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

// remark reports whether a line is a comment wherever it stands: a '#' with white space, or nothing, behind it.
func remark(l []byte) bool {
	return l[0] == '#' && (len(l) == 1 || l[1] == ' ' || l[1] == '\t' || l[1] == '\r')
}

// labelled reports whether a line is an entry though it starts with '#', as its query's id does: its second column is Q0 or 0.
func labelled(l []byte) bool {
	if remark(l) {
		return false
	}
	f := bytes.Fields(l)
	return len(f) >= 4 && (lower(f[1]) == "q0" || string(f[1]) == "0")
}

// ranksFrom is how many documents one query must have at least for its third column, 1, 2, 3 … (or 0, 1, 2 …), to be taken for ranks. Grades do not
// go that far.
const ranksFrom = 6

// ranks reports whether the third column counts every query's documents, as MS MARCO's runs and PyTerrier's "minimal" format have it.
func ranks(lines [][]byte) bool {
	query, last, n := "", int32(0), 0
	for _, l := range lines {
		if blank(l) || l[0] == '#' {
			continue
		}
		f, _ := split(bytes.TrimSuffix(l, []byte("\r")), nil, 4)
		if len(f) != 3 {
			return false
		}
		v, whole, err := parseGrade(trimID(f[2]))
		switch {
		case err != nil || !whole:
			return false
		case n == 0 || string(f[0]) != query:
			if v != 0 && v != 1 {
				return false
			}
			query, n = string(f[0]), 0
		case v != last+1:
			return false
		}
		last = v
		if n++; n == ranksFrom {
			return true
		}
	}
	return false
}

// figures reports whether the lines are what an evaluation prints: measure, query or "all", value (trec_eval); query or "all", measure, value, or measure and value
// (ir_measures).
func figures(lines [][]byte) bool {
	n := 0
	for _, l := range lines {
		if blank(l) {
			continue
		}
		f := bytes.Fields(l)
		number := len(f) > 1
		if number {
			_, err := parseScore(f[len(f)-1])
			number = err == nil || string(f[0]) == "runid"
		}
		switch {
		case number && len(f) == 3 && (string(f[1]) == "all" && (n > 0 || string(f[0]) == "runid" || measure.Known(string(f[0]))) || measure.Known(string(f[0])) && bytes.Contains(l, []byte(" \t"))):
		case number && len(f) == 3 && measure.Known(string(f[1])):
		case number && len(f) == 2 && measure.Known(string(f[0])):
		default:
			return false
		}
		if n++; n == 3 {
			break
		}
	}
	return n > 0
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
	in.oldMac()
	head := in.buf
	if len(head) == 0 {
		return d.fail(0, errors.New("empty file"))
	}
	kind := d.opt.Kind
	if kind == Unknown {
		kind = d.prefer(Detect(head), head)
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
	case PrefsTREC:
		p, list, err := preferenceLines(in, 5)
		d.w.merge(list)
		if err != nil {
			return err
		}
		d.c.Preferences, d.c.Lines = p, in.line
		if p.Len() == 0 {
			return d.fail(0, errors.New("no judgments"))
		}
		d.c.Qrels = p.Qrels()
		d.w.add(OnlyPreferences, d.name, 0, 1, nil, func() string {
			return "judgments of preference (prefs): for measures that want grades, documents that some user gave a level above 0 count as relevant"
		})
		return nil
	case RunRanks:
		defer func() { d.c.Lines = in.line }()
		return d.ranks(in)
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

// prefer decides what a file is that may be a run or qrels, where the reader was told.
func (d *reading) prefer(kind Format, head []byte) Format {
	switch {
	case d.opt.Prefer == QrelsTREC && kind == RunTREC && preferring(head):
		return PrefsTREC
	case d.opt.Prefer == RunTREC && kind == QrelsJSON:
		return RunJSON
	case d.opt.Prefer == CorpusJSONL && kind == QueriesJSONL:
		return CorpusJSONL
	case d.opt.Prefer == QrelsTREC && kind == RunRanks:
		return QrelsTSV
	}
	return kind
}

// preferring reports whether lines that may be a run without tags or preferences about documents of numeric ids are better taken for these: they have five columns,
// the last a number, and none of the signs of a run, Q0 or a fourth column that begins at 0 or 1.
func preferring(head []byte) bool {
	n := 0
	for l := range bytes.Lines(head) {
		if blank(l) || l[0] == '#' {
			continue
		}
		f, _ := split(bytes.TrimRight(l, "\r\n"), nil, 7)
		if len(f) != 5 || lower(f[1]) == "q0" {
			return n > 0 && !bytes.HasSuffix(l, []byte("\n")) // the last line may be cut off
		}
		if _, err := parseScore(trimID(f[4])); err != nil {
			return false
		}
		if d := string(f[3]); n == 0 && (d == "0" || d == "1") {
			return false
		}
		n++
	}
	return n > 0
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
	case head[0] == 0xff && len(head) > 1 && head[1] == 0xfe, head[0] == 0xfe && len(head) > 1 && head[1] == 0xff, wide(head):
		return d.fail(1, errUTF16)
	case foreign(head) != "":
		return d.fail(0, errors.New(foreign(head)))
	case bytes.IndexByte(head, 0) >= 0:
		text := head[:bytes.IndexByte(head, 0)]
		if len(text) < 4 || len(head) > 200 && bytes.Count(head, []byte{0})*50 > len(head) || !utf8.Valid(text) {
			return d.fail(0, errors.New("not a text: no known format"))
		}
		return d.fail(bytes.Count(text, []byte("\n"))+line, errNUL)
	case head[0] == '{':
		// JSON that is damaged within the head says where; else its keys are of nothing known.
		r := jsontext.New(nil, jsontext.Limits{LoneSurrogates: true})
		r.Reset(head)
		r.Skip()
		if se, ok := errors.AsType[*jsontext.SyntaxError](r.Err()); ok && (whole || !se.Ended) {
			return d.fail(line, r.Err())
		}
		return d.fail(line, errors.New("JSON of an unknown shape: runs and qrels are {query: {document: number}}"))
	}
	if figures(bytes.Split(head, []byte("\n"))) {
		return d.fail(line, errors.New("these are the figures that an evaluation printed (measure, query, value): open the run and the qrels that they were computed from"))
	}
	if !whole && bytes.IndexByte(head, '\n') < 0 {
		return d.fail(line, errors.New("no known format: a first line of more than "+strconv.Itoa(len(head)>>10)+" KiB"))
	}
	for len(head) > 0 && head[0] == '#' { // what is odd is in the lines behind the comments
		_, rest, _ := bytes.Cut(head, []byte("\n"))
		if blank(rest) {
			return d.fail(line, errors.New("nothing but comments"))
		}
		head = rest
		line++
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
			if _, _, rankless := parseGrade(f[3]); rankless == nil && (len(f) == 6 || lower(f[1]) == "q0") {
				return d.fail(line, err) // a run by all but its score
			}
			why = "; as a run, its " + err.Error()
		}
	case len(f) >= 3:
		if _, _, err := parseGrade(trimID(f[len(f)-1])); err != nil {
			why = "; as qrels, its " + err.Error()
		}
	}
	return d.fail(line, errors.New("no known format: "+count(len(f), "column")+" where a run has 6 (query, Q0, document, rank, score, tag) and qrels have 4 (query, 0, document, grade) or 3 (query, document, grade)"+why))
}

// wide reports whether head looks like text of two or four bytes a character without a byte order mark: most of its even or odd bytes are 0, few of the others.
func wide(head []byte) bool {
	head = head[:min(len(head), 4096)]
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i&1]++
		} else if c < '\t' {
			return false
		}
	}
	return len(head) >= 8 && max(zeros[0], zeros[1])*10 >= len(head)*4 && (min(zeros[0], zeros[1])*20 <= len(head) || head[0] != 0 && head[1] == 0 && head[2] == 0 && head[3] == 0)
}

// foreign says what a file is that other tools write and that is not read here, by the bytes it begins with, and what to do; "" where it is none of those.
func foreign(head []byte) string {
	for _, k := range [...]struct{ magic, what string }{
		{"PAR1", "a Parquet file: save it as TREC, JSON or CSV (ranx: kind=\"trec\")"},
		{"\x04\x22\x4d\x18", "compressed with LZ4: decompress it, or save it as TREC or JSON (ranx: kind=\"trec\")"},
		{"\x28\xb5\x2f\xfd", "compressed with Zstandard: decompress it, or use gzip"},
		{"BZh", "compressed with bzip2: decompress it, or use gzip"},
		{"\xfd7zXZ\x00", "compressed with xz: decompress it, or use gzip"},
		{"7z\xbc\xaf\x27\x1c", "a 7z archive: unpack it, or use zip"},
		{"Rar!\x1a\x07", "a RAR archive: unpack it, or use zip"},
		{"%PDF-", "a PDF"},
		{"ARROW1", "an Arrow file: save it as CSV"},
		{"\x89HDF", "an HDF5 file: save it as CSV"},
		{"SQLite format 3", "an SQLite database: export the table as CSV"},
		{"\xd0\xcf\x11\xe0", "an old Office file: save the sheet as CSV"},
		{"version https://git-lfs", "a pointer of Git LFS and not the file itself: run git lfs pull"},
	} {
		if bytes.HasPrefix(head, []byte(k.magic)) {
			return k.what
		}
	}
	switch {
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return "a tar archive: unpack it, or use zip"
	case len(head) > 2 && head[0] == 0x80 && head[1] >= 2 && head[1] <= 5:
		return "a Python pickle: save it as JSON, TREC or CSV"
	}
	if l := lower(head[:min(len(head), 256)]); strings.HasPrefix(l, "<!doctype html") || strings.HasPrefix(l, "<html") {
		return "a web page: perhaps the download went to a page about the file instead of the file"
	}
	return ""
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
	d.c.Format = Zip
	if _, err := beirFolder(a); err == nil {
		c, err := ReadArchive(a, d.opt.Split, d.opt)
		if err != nil {
			return nil, within(d.name, err)
		}
		if c.Name == "" {
			c.Name = strings.TrimSuffix(d.name[strings.LastIndexByte(d.name, '/')+1:], ".zip")
		}
		d.c.Collection, d.c.Warnings = c, c.Warnings
		for i := range a.files {
			d.c.Bytes += a.files[i].size
		}
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
		d.c.Bytes += c.Bytes
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
