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

// ReadDiversity reads diversity qrels: query, subtopic, document, grade.
func ReadDiversity(r io.Reader, name string, opt Options) (*Diversity, []Warning, error) {
	d := NewDiversity()
	var w warner
	list, err := readQrelsLines(r, name, opt, func(line int, query, subtopic, doc []byte, grade float64) error {
		if subtopic == nil {
			return errors.New("three columns: diversity qrels have four (query, subtopic, document, grade)")
		}
		old, had := d.add(query, subtopic, doc, grade)
		if had {
			kind, how := DuplicateJudgment, "alike"
			if old != grade {
				kind, how = ConflictingGrade, "otherwise; the last judgment counts"
			}
			what := append(append(append([]byte(nil), query...), ' '), doc...)
			w.add(kind, name, line, 1, what, func() string {
				return "document " + strconv.Quote(string(doc)) + " is judged again for subtopic " +
					strconv.Quote(string(subtopic)) + " of query " + strconv.Quote(string(query)) + ", " + how
			})
		}
		return nil
	})
	w.list = append(list, w.list...)
	if err != nil {
		return nil, w.list, err
	}
	return d, w.list, nil
}

// qrelsBoth reads judgments as text: BEIR's TSV (query, document, grade; with or without a header) or TREC's qrels
// (query, iteration, document, grade), separated by tabs or by any white space. The first line decides; every other one
// must have as many columns. Lines that start with '#' before the first judgment, and blank lines, are passed over. In
// diversity qrels (the second column names subtopics) a document has the highest of its grades, and the Diversity has
// all
// of them.
func qrelsBoth(in *lines) (*Qrels, *Diversity, []Warning, error) {
	q := NewQrels()
	var d *Diversity // once the second column has had two values
	var first []byte
	name := in.src.name
	var w warner
	list, err := qrelsLines(in, func(line int, query, iteration, doc []byte, grade float64) error {
		switch {
		case d != nil:
			d.add(query, iteration, doc, grade)
		case iteration == nil:
		case first == nil:
			first = append([]byte{}, iteration...)
		case string(first) != string(iteration):
			d = NewDiversity()
			q.each(func(query, doc string, grade float64) { d.add(view(query), first, view(doc), grade) })
			d.add(query, iteration, doc, grade)
		}
		return q.note(&w, name, line, query, doc, grade)
	})
	w.merge(list)
	if err != nil {
		return nil, nil, w.list, err
	}
	if d == nil || !d.subtopics() {
		return q, nil, w.list, nil
	}
	// What looked like repeated judgments are judgments for several subtopics.
	w.drop(DuplicateJudgment, ConflictingGrade)
	return d.Qrels(), d, w.list, nil
}

// note adds a judgment that was read and warns where the pair was judged before.
func (q *Qrels) note(w *warner, file string, line int, query, doc []byte, grade float64) error {
	old, had := q.add(query, doc, grade)
	if !had {
		return nil
	}
	what := append(append(append([]byte(nil), query...), ' '), doc...)
	if old == grade {
		w.add(DuplicateJudgment, file, line, 1, what, func() string {
			return "document " + strconv.Quote(string(doc)) + " is judged again for query " +
				strconv.Quote(string(query)) + ", alike"
		})
	} else {
		w.add(ConflictingGrade, file, line, 1, what, func() string {
			return "document " + strconv.Quote(string(doc)) + " is judged " + say.Plain.Grade(grade) + " for query " +
				strconv.Quote(string(query)) + " where it was " + say.Plain.Grade(old) +
				" before; the last judgment counts"
		})
	}
	return nil
}

// readQrelsLines reads qrels as text and calls f for every judgment; iteration is nil where there is no such column.
func readQrelsLines(r io.Reader, name string, opt Options,
	f func(line int, query, iteration, doc []byte, grade float64) error) ([]Warning, error) {
	opt.Limits = opt.Limits.withDefaults()
	src, err := newSource(name, r, opt)
	if err != nil {
		return nil, err
	}
	return qrelsLines(newLines(src), f)
}

func qrelsLines(in *lines, f func(line int, query, iteration, doc []byte, grade float64) error) ([]Warning, error) {
	name, opt := in.src.name, in.src.opt
	var w warner
	var fields [][]byte
	columns, n := 0, 0
	var at header // of a file with columns beside those of judgments
	for {
		b, err := in.next()
		if err == io.EOF {
			return w.list, nil
		}
		if err != nil {
			return w.list, err
		}
		if blank(b) || columns == 0 && b[0] == '#' && !labelled(b) {
			continue
		}
		fail := func(err error) ([]Warning, error) { return w.list, parseError(name, in.line, err) }
		if broken(b) {
			return fail(errCR)
		}
		if remark(b) {
			w.add(NonStandardDialect, name, in.line, 1, nil, func() string {
				return "a comment between the judgments, ignored"
			})
			continue
		}
		var tabs bool
		if columns == 0 && bytes.Count(b, tab) > 2 {
			if h, err := parseHeader(bytes.Split(b, tab)); err == nil && h.has(colQuery) && h.has(colDoc) &&
				(h.has(colGrade) || h.has(colScore)) && h.width > 4 {
				at, columns = h, h.width
				continue
			}
		}
		if at.width > 0 {
			all := bytes.Split(b, tab)
			if len(all) < at.width {
				return fail(errors.New(say.Count(len(all), "column", "columns") + " where the header has " +
					strconv.Itoa(at.width)))
			}
			grade := at.at[colGrade]
			if grade < 0 {
				grade = at.at[colScore]
			}
			fields = append(fields[:0], all[at.at[colQuery]], all[at.at[colDoc]], all[grade])
			columns, tabs = 3, true
		} else {
			fields, tabs = split(b, fields[:0], 5)
		}
		if columns == 0 {
			if qrelsHeader(fields) {
				columns = len(fields)
				continue
			}
			if len(fields) != 3 && len(fields) != 4 {
				return fail(errors.New(say.Count(len(fields), "column", "columns") +
					": qrels have 3 (query, document, grade) or 4 (query, iteration, document, grade)"))
			}
			columns = len(fields)
		}
		if len(fields) != columns {
			return fail(errors.New(say.Count(len(fields), "column", "columns") + " where the lines before have " +
				strconv.Itoa(columns)))
		}
		query, doc, g := fields[0], fields[columns-2], fields[columns-1]
		if tabs || oddEnds(query) || oddEnds(doc) {
			query, doc, g = tidy(&w, name, in.line, query), tidy(&w, name, in.line, doc), trimID(g)
		}
		if len(query) == 0 || len(doc) == 0 {
			return fail(errors.New("empty id"))
		}
		checkID(&w, name, in.line, query)
		checkID(&w, name, in.line, doc)
		grade, err := readGrade(&w, name, in.line, g)
		if err != nil {
			return fail(err)
		}
		if n++; n > opt.Limits.Entries {
			return fail(&LimitError{"Entries", "judgments", int64(opt.Limits.Entries), int64(n)})
		}
		var iteration []byte
		if columns == 4 {
			iteration = fields[1]
		}
		if err := f(in.line, query, iteration, doc, grade); err != nil {
			return fail(err)
		}
	}
}

// oddEnds reports whether an id begins or ends with what may be an invisible character beyond ASCII.
func oddEnds(id []byte) bool { return (id[0]|id[len(id)-1])&0x80 != 0 }

// tidy takes white space off an id and warns.
func tidy(w *warner, file string, line int, id []byte) []byte {
	t := trimID(id)
	if len(t) < len(id) {
		w.add(StraySpace, file, line, 1, id, func() string {
			return "id " + strconv.Quote(string(id)) + " has white space around it, which is removed"
		})
	}
	return t
}

// checkID warns about an id that holds a space or is not UTF-8.
func checkID(w *warner, file string, line int, id []byte) {
	spaced(w, file, line, id)
	if !utf8.Valid(id) {
		garbled(w, file, line, 1, id)
	}
}

// space reports whether c is white space to C's isspace, by which trec_eval separates columns.
func space(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// trec reports whether fields between white space are an entry of TREC's qrels: query, iteration, document, grade,
// where the second column says what it is.
func trec(f [][]byte) bool {
	if len(f) != 4 {
		return false
	}
	_, whole, err := parseGrade(f[1])
	return err == nil && whole || lower(f[1]) == "q0"
}

// split appends the fields of a line to dst, at most limit: those between runs of white space, in any mix, where they
// are an entry of TREC's qrels; else those between tabs where that makes three or more and none is empty; else those
// between runs of white space. It reports whether it was tabs.
func split(b []byte, dst [][]byte, limit int) (fields [][]byte, tabs bool) {
	if bytes.Count(b, tab) >= 2 {
		from := 0
		for i, c := range b {
			if c == '\t' {
				dst = append(dst, b[from:i])
				from = i + 1
			}
		}
		dst = append(dst, b[from:])
		for len(dst) > 0 && blank(dst[len(dst)-1]) {
			dst = dst[:len(dst)-1] // tabs at the end
		}
		ok := len(dst) >= 3
		if ok && len(dst) != 4 {
			n := len(dst)
			if dst = spread(b, dst, n+5); trec(dst[n:]) {
				return dst[n:min(len(dst), n+limit)], false
			}
			dst = dst[:n]
		}
		for _, f := range dst {
			ok = ok && len(f) > 0
		}
		if ok {
			return dst[:min(len(dst), limit)], true
		}
		dst = dst[:0]
	}
	return spread(b, dst, limit), false
}

var tab = []byte{'\t'}

// spread appends the fields between runs of white space, at most limit.
func spread(b []byte, dst [][]byte, limit int) [][]byte {
	for i := 0; i < len(b) && len(dst) < limit; {
		for i < len(b) && space(b[i]) {
			i++
		}
		from := i
		for i < len(b) && !space(b[i]) {
			i++
		}
		if i > from {
			dst = append(dst, b[from:i])
		}
	}
	return dst
}

// qrelsHeader reports whether the fields of a first line are names of columns: its last one says so.
func qrelsHeader(f [][]byte) bool {
	if len(f) < 3 || len(f) > 4 {
		return false
	}
	switch lower(trimID(f[len(f)-1])) {
	case "score", "relevance", "grade", "rel", "relevance_grade", "label", "qrel", "judgment", "judgement",
		"relevance_score":
		return true
	}
	return false
}

// lower returns b with its ASCII letters in lower case.
func lower(b []byte) string {
	l := make([]byte, len(b))
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		l[i] = c
	}
	return text(l)
}

// parseGrade reads a grade; whole says whether it was written as an integer.
func parseGrade(b []byte) (grade float64, whole bool, err error) {
	i := 0
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		i = 1
	}
	v, digits := int64(0), 0
	for ; i < len(b) && b[i]-'0' <= 9 && digits < 12; i++ {
		v = v*10 + int64(b[i]-'0')
		digits++
	}
	whole = i == len(b) && digits > 0
	if grade = float64(v); !whole {
		if grade, err = parseScore(b); err != nil {
			return 0, false, errors.New("grade " + strconv.Quote(clip(b)) + " is not a number")
		}
	} else if b[0] == '-' {
		grade = -grade
	}
	if math.Abs(grade) > math.MaxInt32 {
		return 0, false, errors.New("grade " + clip(b) + " is out of range")
	}
	return grade + 0, whole, nil // -0 becomes 0
}

// clip returns the start of b, for messages.
func clip(b []byte) string {
	if len(b) > 40 {
		return string(b[:40]) + "…"
	}
	return string(b)
}
