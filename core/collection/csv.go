package collection

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
)

// table reads the records of a CSV (RFC 4180) whose fields are separated by commas, semicolons or tabs. Quoted fields
// may hold separators, doubled quotes and line ends.
type table struct {
	in     *lines
	sep    byte
	fields [][]byte
	text   []byte // the fields of the current record, unquoted
	line   int    // where the current record begins
}

// next returns the fields of the next record that is not blank, valid until the next call, or io.EOF.
func (t *table) next() ([][]byte, error) {
	for {
		l, err := t.in.next()
		if err != nil {
			return nil, err
		}
		t.line = t.in.line
		if blank(l) {
			continue
		}
		f, from, sep, quote := t.fields[:0], 0, t.sep, false
		for i, c := range l {
			if c == sep {
				f = append(f, l[from:i])
				from = i + 1
			} else if c == '"' {
				quote = true
				break
			}
		}
		if !quote {
			t.fields = append(f, l[from:])
			return t.fields, nil
		}
		return t.quoted(l)
	}
}

// quoted reads a record that has quotes.
func (t *table) quoted(l []byte) ([][]byte, error) {
	fail := func(msg string) ([][]byte, error) {
		return nil, parseError(t.in.src.name, t.in.line, errors.New(msg))
	}
	t.text = t.text[:0]
	var ends []int
	for {
		if len(l) == 0 || l[0] != '"' {
			i := bytes.IndexByte(l, t.sep)
			cell := l
			if i >= 0 {
				cell = l[:i]
			}
			if holds(cell, '"') {
				return fail("a quote within a field that does not begin with one")
			}
			t.text = append(t.text, cell...)
			ends = append(ends, len(t.text))
			if i < 0 {
				break
			}
			l = l[i+1:]
			continue
		}
		l = l[1:]
		for {
			i := bytes.IndexByte(l, '"')
			if i < 0 {
				t.text = append(append(t.text, l...), '\n')
				if len(t.text) > t.in.src.opt.Limits.Line {
					return nil, parseError(t.in.src.name, t.line,
						&LimitError{"Line", "bytes in a record", int64(t.in.src.opt.Limits.Line), int64(len(t.text))})
				}
				next, err := t.in.next()
				if err == io.EOF {
					return nil, parseError(t.in.src.name, t.line, errors.New("a quoted field is not closed"))
				}
				if err != nil {
					return nil, err
				}
				l = next
				continue
			}
			t.text = append(t.text, l[:i]...)
			l = l[i+1:]
			if len(l) > 0 && l[0] == '"' {
				t.text = append(t.text, '"')
				l = l[1:]
				continue
			}
			break
		}
		ends = append(ends, len(t.text))
		if len(l) == 0 {
			break
		}
		if l[0] != t.sep {
			return fail("text behind the closing quote of a field")
		}
		l = l[1:]
	}
	t.fields = t.fields[:0]
	from := 0
	for _, e := range ends {
		t.fields = append(t.fields, t.text[from:e])
		from = e
	}
	return t.fields, nil
}

// column is what a column of a CSV holds.
type column int

const (
	colOther column = iota
	colQuery
	colDoc
	colScore
	colRank
	colTag
	colGrade
	colSubtopic
	colText
	colTitle
	columns
)

// columnOf knows the names that columns have in the wild; case, spaces, '-' and '_' do not matter.
func columnOf(name []byte) column {
	var b []byte
	for _, c := range view(lower(trimID(name))) {
		if c != '_' && c != '-' && c != ' ' && c != '.' {
			b = append(b, c)
		}
	}
	switch string(b) {
	case "query", "queryid", "qid", "topic", "topicid", "querykey", "querynumber", "qno":
		return colQuery
	case "doc", "docid", "docno", "document", "documentid", "did", "pid", "corpusid", "passageid", "passage":
		return colDoc
	case "score", "similarity", "sim", "retrievalscore":
		return colScore
	case "rank", "position":
		return colRank
	case "tag", "run", "runid", "runtag", "runname", "system", "model":
		return colTag
	case "grade", "relevance", "rel", "relevancegrade", "relevancescore", "relevancelabel", "judgment", "judgement",
		"label", "qrel", "gain", "rating":
		return colGrade
	case "subtopic", "iteration", "iter", "intent", "q0":
		return colSubtopic
	case "text", "querytext", "contents", "content", "body":
		return colText
	case "title":
		return colTitle
	}
	return colOther
}

// header is which field of a record holds what; -1: none does.
type header struct {
	at    [columns]int
	width int
}

// parseHeader reads the names of the columns. The name "query" is a text where there is also an id.
func parseHeader(fields [][]byte) (header, error) {
	h := header{width: len(fields)}
	for i := range h.at {
		h.at[i] = -1
	}
	for i, f := range fields {
		c := columnOf(f)
		if c == colDoc && h.has(c) {
			// PyTerrier's tables have docno, the id, beside docid, the number of the document in the index.
			if docno := "docno"; lower(trimID(f)) == docno && lower(trimID(fields[h.at[c]])) == "docid" {
				h.at[c] = i
				continue
			} else if lower(trimID(f)) == "docid" && lower(trimID(fields[h.at[c]])) == docno {
				continue
			}
		}
		if c == colQuery && lower(trimID(f)) == "query" && h.has(colQuery) {
			c = colText
		}
		if c == colOther {
			continue
		}
		if k := h.at[c]; h.has(c) {
			if c == colQuery && lower(trimID(fields[k])) == "query" {
				h.at[colText], h.at[c] = k, i
				continue
			}
			return h, errors.New("columns " + strconv.Quote(string(fields[k])) + " and " + strconv.Quote(string(f)) +
				" mean the same")
		}
		h.at[c] = i
	}
	// An id of nothing else beside a text is that of a document.
	if !h.has(colDoc) && !h.has(colQuery) && h.has(colText) {
		for i, f := range fields {
			if n := lower(trimID(f)); n == "id" || n == "_id" {
				h.at[colDoc] = i
				break
			}
		}
	}
	return h, nil
}

// has reports whether a field of a record holds that.
func (h header) has(c column) bool { return h.at[c] >= 0 }

// kind says what records with such a header are; Unknown where they are nothing known.
func (h header) kind() Format {
	switch {
	case h.has(colQuery) && h.has(colDoc) && h.has(colGrade) && !h.has(colScore) && !h.has(colRank):
		return QrelsCSV
	case h.has(colQuery) && h.has(colDoc) && (h.has(colScore) || h.has(colRank)):
		return RunCSV // or BEIR's qrels, if the names are exactly those: see sniffText
	case h.has(colQuery) && h.has(colText) && !h.has(colDoc):
		return QueriesCSV
	case h.has(colDoc) && (h.has(colText) || h.has(colTitle)) && !h.has(colQuery):
		return CorpusCSV
	}
	return Unknown
}

// beir says that a header is that of BEIR's judgments, maybe with columns beside: query-id, corpus-id and score, and
// nothing that only a run has.
func (h header) beir(names [][]byte) bool {
	is := func(c column, name string) bool { return h.has(c) && lower(trimID(names[h.at[c]])) == name }
	return is(colQuery, "query-id") && is(colDoc, "corpus-id") && is(colScore, "score") && !h.has(colRank) &&
		!h.has(colTag) && !h.has(colGrade)
}

// separator returns the separator of a header line: the one of comma, tab and semicolon that it has most of, 0 if it
// has none.
func separator(l []byte) byte {
	best, n := byte(0), 0
	for _, c := range []byte{',', '\t', ';'} {
		if k := bytes.Count(l, []byte{c}); k > n {
			best, n = c, k
		}
	}
	return best
}

var errNotUTF8 = errors.New("text that is not UTF-8: save the file as UTF-8")

// ungraded warns about a row of judgments without a grade.
func (d *reading) ungraded(line int, query []byte) {
	d.w.add(NonStandardDialect, d.name, line, 1, query, func() string { return "a row without a grade is no judgment" })
}

// ranks reads lines of query, document and rank. The score is minus the rank.
func (d *reading) ranks(in *lines) error {
	b := d.builder()
	var fields [][]byte
	for {
		l, err := in.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if blank(l) || l[0] == '#' && (b.run.n == 0 || remark(l)) {
			continue
		}
		if broken(l) {
			return d.fail(in.line, errCR)
		}
		fields, _ = split(l, fields[:0], 4)
		if len(fields) != 3 {
			return d.fail(in.line, errors.New(say.Count(len(fields), "column", "columns")+
				" where query, document and rank are expected"))
		}
		query, doc := tidy(&d.w, d.name, in.line, fields[0]), tidy(&d.w, d.name, in.line, fields[1])
		if len(query) == 0 || len(doc) == 0 {
			return d.fail(in.line, errors.New("empty id"))
		}
		spaced(&d.w, d.name, in.line, query)
		spaced(&d.w, d.name, in.line, doc)
		rank, _, err := parseGrade(trimID(fields[2]))
		rank = math.Trunc(rank)
		if err != nil || rank < 0 {
			return d.fail(in.line, errors.New("rank "+strconv.Quote(clip(fields[2]))+" is not a number from 0 or 1"))
		}
		rankOnly(&d.w, d.name, in.line)
		if err := b.add(query, doc, -rank, int64(rank), in.line); err != nil {
			return d.fail(in.line, err)
		}
	}
	if b.run.n == 0 {
		return d.fail(0, errors.New("no entries"))
	}
	d.finishRun(b)
	return nil
}

// rankOnly warns about an entry that has a rank and no score.
func rankOnly(w *warner, file string, line int) {
	w.add(NonStandardDialect, file, line, 1, nil, func() string {
		return "there are ranks but no scores; the score is minus the rank"
	})
}

// csvContent reads a CSV with a header: a run (with or without grades), qrels, queries or documents.
// It is long because the columns of the header decide together what the rows are; below that each kind has its loop.
func (d *reading) csvContent(in *lines) error {
	first, err := in.next()
	for err == nil && blank(first) {
		first, err = in.next()
	}
	if err != nil {
		if err == io.EOF {
			err = d.fail(0, errors.New("empty file"))
		}
		return err
	}
	t := &table{in: in, sep: separator(first), line: in.line}
	fields, err := t.quoted(first) // it may have quotes
	if err != nil {
		return err
	}
	h, err := parseHeader(fields)
	if err != nil {
		return d.fail(in.line, err)
	}
	kind := h.kind()
	scored := false // grades stand in a column of scores
	if kind == RunCSV && (d.c.Format == QrelsCSV && d.opt.Prefer != RunTREC || d.opt.Kind == Unknown &&
		d.opt.Prefer == QrelsTREC && !h.has(colRank)) && !h.has(colGrade) && h.has(colScore) {
		kind = QrelsCSV
		scored = d.opt.Kind == Unknown && d.opt.Prefer == QrelsTREC
		h.at[colGrade] = h.at[colScore]
	}
	if kind == Unknown {
		return d.fail(in.line, errUnknownHeader)
	}
	d.c.Format = kind
	var b *RunBuilder
	var q *Qrels
	var div *Diversity
	if kind == RunCSV {
		b = d.builder()
	}
	if h.has(colGrade) {
		q, div = NewQrels(), NewDiversity()
	}
	known := map[string]struct{}{}
	tagged, n := false, 0
	for {
		f, err := t.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if kind == QrelsCSV && len(f) == 1 && h.width > 1 {
			d.ungraded(t.line, f[0]) // as Quepid writes a query without ratings
			continue
		}
		if len(f) != h.width {
			return d.fail(t.line, errors.New(say.Count(len(f), "field", "fields")+" where the header has "+
				strconv.Itoa(h.width)))
		}
		get := func(c column) []byte {
			if !h.has(c) {
				return nil
			}
			return f[h.at[c]]
		}
		if n++; n > d.opt.Limits.Entries {
			return d.fail(t.line, &LimitError{"Entries", "records", int64(d.opt.Limits.Entries), int64(n)})
		}
		query, doc := get(colQuery), get(colDoc)
		if h.has(colQuery) {
			if query = unguarded(tidy(&d.w, d.name, t.line, query)); len(query) == 0 {
				return d.fail(t.line, errors.New("empty query id"))
			}
		}
		if h.has(colDoc) {
			if doc = unguarded(tidy(&d.w, d.name, t.line, doc)); len(doc) == 0 {
				return d.fail(t.line, errors.New("empty document id"))
			}
		}
		for _, c := range [...]column{colText, colTitle} {
			if !utf8.Valid(get(c)) {
				return d.fail(t.line, errNotUTF8)
			}
		}
		switch kind {
		case QueriesCSV:
			if err := d.addQuery(known, t.line, Query{ID: string(query), Text: string(get(colText))}); err != nil {
				return err
			}
			continue
		case CorpusCSV:
			if err := d.addDoc(known, t.line,
				Doc{ID: string(doc), Title: string(get(colTitle)), Text: string(get(colText))}); err != nil {
				return err
			}
			continue
		case RunCSV:
			rank := int64(noRank)
			if v, _, err := parseGrade(trimID(get(colRank))); err == nil && v >= 0 {
				rank = int64(v)
			}
			var score float64
			if h.has(colScore) {
				if score, err = parseScore(trimID(get(colScore))); err != nil {
					return d.fail(t.line, err)
				}
			} else {
				if rank < 0 {
					return d.fail(t.line, errors.New("rank "+strconv.Quote(clip(get(colRank)))+" is not a number"))
				}
				score = -float64(rank)
				rankOnly(&d.w, d.name, t.line)
			}
			if tag := unguarded(get(colTag)); !tagged {
				tagged = true
				b.run.Tag = string(tag)
			} else if string(tag) != b.run.Tag {
				first := b.run.Tag
				d.w.add(MixedTags, d.name, t.line, 1, tag, func() string {
					return "run tag " + strconv.Quote(string(tag)) + " where the first is " + strconv.Quote(first)
				})
			}
			if err := b.add(query, doc, score, rank, t.line); err != nil {
				return d.fail(t.line, err)
			}
		}
		if q != nil {
			g := trimID(get(colGrade))
			if len(g) == 0 {
				if kind == QrelsCSV {
					d.ungraded(t.line, query)
				}
				continue // a document without a judgment
			}
			if scored && !d.mayBeGrade(g) {
				return d.fail(t.line, noGrade(query, doc, g))
			}
			grade, err := d.grade(t.line, g)
			if err != nil {
				return err
			}
			if b == nil { // a run's are looked at when it is finished
				if !utf8.Valid(query) {
					garbled(&d.w, d.name, t.line, 1, query)
				}
				if !utf8.Valid(doc) {
					garbled(&d.w, d.name, t.line, 1, doc)
				}
			}
			if h.has(colSubtopic) {
				div.add(query, trimID(get(colSubtopic)), doc, grade)
			}
			if err := q.note(&d.w, d.name, t.line, query, doc, grade); err != nil {
				return err
			}
		}
	}
	if n == 0 {
		return d.fail(0, errors.New("a header and nothing behind it"))
	}
	if b != nil {
		d.finishRun(b)
	}
	if q != nil {
		d.finishQrels(q, div)
	}
	return nil
}
