package collection

import (
	"errors"
	"io"
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
)

// ReadPreferences reads preferences as trec_eval has them: query, group, subgroup, document, level (its format prefs),
// or query, group, document, level (its qrels_prefs, where every group is one subgroup). The first line decides, unless
// opt.Kind is PrefsTREC or QrelsTREC. Levels are numbers with or without a fraction. A group that contradicts itself is
// an error.
func ReadPreferences(r io.Reader, name string, opt Options) (*Preferences, []Warning, error) {
	opt.Limits = opt.Limits.withDefaults()
	src, err := newSource(name, r, opt)
	if err != nil {
		return nil, nil, err
	}
	columns := 0
	switch opt.Kind {
	case PrefsTREC:
		columns = 5
	case QrelsTREC:
		columns = 4
	}
	return preferenceLines(newLines(src), columns)
}

// judges reports whether a line that begins with '#' is a judgment all the same, as its query's id does.
func judges(b []byte, columns int) bool {
	f, _ := split(b, nil, 6)
	if remark(b) || len(f) != columns && (columns != 0 || len(f) != 4 && len(f) != 5) {
		return false
	}
	_, err := parseScore(trimID(f[len(f)-1]))
	return err == nil
}

func preferenceLines(in *lines, columns int) (*Preferences, []Warning, error) {
	name, opt := in.src.name, in.src.opt
	p := NewPreferences()
	var w warner
	var fields [][]byte
	first := true
	fail := func(line int, err error) (*Preferences, []Warning, error) {
		return nil, w.list, parseError(name, line, err)
	}
	for {
		b, err := in.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, w.list, err
		}
		if blank(b) || first && b[0] == '#' && !judges(b, columns) {
			continue
		}
		if broken(b) {
			return fail(in.line, errCR)
		}
		if remark(b) {
			w.add(NonStandardDialect, name, in.line, 1, nil, func() string {
				return "a comment between the judgments, ignored"
			})
			continue
		}
		fields, _ = split(b, fields[:0], 7)
		if columns == 0 && (len(fields) == 4 || len(fields) == 5) {
			columns = len(fields)
		}
		if len(fields) != columns {
			return fail(in.line, errors.New(say.Count(len(fields), "column", "columns")+" where "+wantedColumns(columns,
				first)))
		}
		first = false
		for i := range columns - 1 {
			fields[i] = tidy(&w, name, in.line, fields[i])
			if len(fields[i]) == 0 {
				return fail(in.line, errors.New("empty id"))
			}
		}
		query, group, sub, doc := fields[0], fields[1], []byte("0"), fields[columns-2]
		if columns == 5 {
			sub = fields[2]
		}
		checkID(&w, name, in.line, query)
		checkID(&w, name, in.line, doc)
		level, err := preferenceLevel(&w, name, in.line, trimID(fields[columns-1]))
		if err != nil {
			return fail(in.line, err)
		}
		if p.n == min(opt.Limits.Entries, maxPreferences) {
			return fail(in.line, &LimitError{"Entries", "judgments", int64(p.n), int64(p.n) + 1})
		}
		if opt.Limits.Queries == len(p.topics) {
			if _, known := p.index[string(query)]; !known {
				return fail(in.line, &LimitError{"Queries", "queries", int64(len(p.topics)), int64(len(p.topics)) + 1})
			}
		}
		p.line = in.line
		again, err := p.add(query, group, sub, doc, level)
		if err != nil {
			return fail(in.line, err)
		}
		if again {
			what := append(append(append([]byte(nil), query...), ' '), doc...)
			w.add(DuplicateJudgment, name, in.line, 1, what, func() string {
				return "document " + strconv.Quote(string(doc)) + " is judged again for query " +
					strconv.Quote(string(query)) + ", alike, in the same subgroup; it counts once"
			})
		}
	}
	if line, err := p.check(); err != nil {
		return fail(line, err)
	}
	return p, w.list, nil
}

// wantedColumns says what a line of preferences is made of.
func wantedColumns(columns int, first bool) string {
	switch {
	case !first:
		return "the lines before have " + strconv.Itoa(columns)
	case columns == 5:
		return "preferences (prefs) have 5: query, group, subgroup, document, level"
	case columns == 4:
		return "preferences without subgroups (qrels_prefs) have 4: query, group, document, level"
	}
	return "preferences have 5 (query, group, subgroup, document, level) or, with one subgroup a group, 4 (query, " +
		"group, document, level)"
}

// preferenceLevel reads a level, and warns of a negative one.
func preferenceLevel(w *warner, name string, line int, raw []byte) (float64, error) {
	level, err := parseScore(raw)
	if err != nil {
		return 0, errors.New("level " + strconv.Quote(clip(raw)) + " is not a number")
	}
	if level < 0 {
		w.add(NegativeGrade, name, line, 1, raw, func() string {
			return "level " + clip(raw) + " is negative: below what is not relevant (0)"
		})
	}
	return level, nil
}
