package collection

import (
	"bytes"
	"errors"
	"io"
	"strconv"
)

// reading is one file on its way to a Content.
type reading struct {
	name string
	opt  Options
	c    *Content
	w    warner
}

func (d *reading) fail(line int, err error) error { return parseError(d.name, line, err) }

// Read reads anything that is known, gzipped or not, and tells by its content what it is, unless opt.Kind says it. It
// reads from r as a stream; only a zip that is not an io.ReaderAt and io.Seeker is held in memory first. Errors are of
// type *ParseError; what was odd but could be read is in Content.Warnings.
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
// It is one switch over the formats that there are.
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
			return "preference judgments (prefs): for measures of grades, documents that any user gave a level above " +
				"0 count as relevant"
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
	case CorpusTSV:
		defer func() { d.c.Lines = in.line }()
		return d.documentsTSV(in)
	case CorpusTREC:
		defer func() { d.c.Lines = in.line }()
		return d.documentsTREC(in)
	case CorpusJSONL:
		list, err := corpusLines(in, map[string]struct{}{}, func(doc Doc) error {
			return d.opt.keepDoc(&d.c.Docs, doc)
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
	case ChunkMap:
		return d.chunks(in, whole)
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
	case d.opt.Prefer == QrelsTREC && kind == Unknown && Judging(head, true):
		return QrelsTSV
	case d.opt.Prefer == RunTREC && kind == QrelsJSON:
		return RunJSON
	case d.opt.Prefer == QrelsTREC && kind == RunJSON:
		return QrelsJSON
	case d.opt.Prefer == CorpusJSONL && kind == QueriesJSONL:
		return CorpusJSONL
	case d.opt.Prefer == CorpusJSONL && kind == QueriesTSV:
		return CorpusTSV
	case d.opt.Prefer == QrelsTREC && kind == RunRanks:
		return QrelsTSV
	}
	return kind
}

// preferring reports whether lines that may be a run without tags or preferences about documents of numeric ids are
// better taken for these: they have five columns, the last a number, and none of the signs of a run, Q0 or a fourth
// column that begins at 0 or 1.
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
func (d *reading) grade(line int, g []byte) (float64, error) {
	grade, err := readGrade(&d.w, d.name, line, g)
	if err != nil {
		return 0, d.fail(line, err)
	}
	return grade, nil
}

// readGrade reads a grade and warns about what is odd about it.
func readGrade(w *warner, file string, line int, g []byte) (float64, error) {
	grade, _, err := parseGrade(g)
	if err != nil {
		return 0, err
	}
	if grade > 0 && grade < 1 {
		w.worst(LowGrade, file, line, g, grade, func() string {
			return "grade " + clip(g) + " is below 1, the usual relevance level: P, R, AP and other binary measures " +
				"count it as not relevant (rel=0.5 sets another level)"
		})
	}
	if grade < 0 {
		w.add(NegativeGrade, file, line, 1, g, func() string {
			return "grade " + clip(g) + " is negative: not relevant"
		})
	}
	return grade, nil
}

// addQuery keeps a query unless its id is known.
func (d *reading) addQuery(known map[string]struct{}, line int, q Query) error {
	if _, ok := known[q.ID]; ok {
		d.w.add(DuplicateID, d.name, line, 1, view(q.ID), func() string {
			return "query " + strconv.Quote(q.ID) + " is repeated; the first counts"
		})
		return nil
	}
	if len(known) == d.opt.Limits.Queries {
		return d.fail(line, &LimitError{"Queries", "queries", int64(d.opt.Limits.Queries), int64(len(known)) + 1})
	}
	if err := controlled(q.ID); err != nil {
		return d.fail(line, err)
	}
	known[q.ID] = struct{}{}
	if blankText(q.Text) {
		d.w.add(EmptyQuery, d.name, line, 1, view(q.ID), func() string {
			return "query " + strconv.Quote(q.ID) + " has no text"
		})
	}
	d.c.Queries = append(d.c.Queries, q)
	return nil
}

// addDoc keeps a document unless its id is known.
func (d *reading) addDoc(known map[string]struct{}, line int, doc Doc) error {
	if _, ok := known[doc.ID]; ok {
		d.w.add(DuplicateID, d.name, line, 1, view(doc.ID), func() string {
			return "document " + strconv.Quote(doc.ID) + " is repeated; the first counts"
		})
		return nil
	}
	if len(known) == d.opt.Limits.Documents {
		return d.fail(line, &LimitError{"Documents", "documents", int64(d.opt.Limits.Documents), int64(len(known)) + 1})
	}
	if err := controlled(doc.ID); err != nil {
		return d.fail(line, err)
	}
	known[doc.ID] = struct{}{}
	if blankText(doc.Title) && blankText(doc.Text) {
		d.w.add(EmptyDocument, d.name, line, 1, view(doc.ID), func() string {
			return "document " + strconv.Quote(doc.ID) + " has neither title nor text"
		})
	}
	if err := d.opt.keepDoc(&d.c.Docs, doc); err != nil {
		return d.fail(line, err)
	}
	return nil
}
