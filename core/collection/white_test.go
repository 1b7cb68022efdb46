package collection

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// Columns are separated by any white space in any mix, as trec_eval 9.0.4 and 10 do it (sscanf and isspace): what they
// read of each line is what stands behind it.
func TestColumnsAreSeparatedByAnyWhiteSpace(t *testing.T) {
	for _, line := range []string{"1 0 d1 2", "1 0 d1 2\t", "1\t0 d1 2", "1 0\td1 2", "1 0 d1\t2", "1\t0\td1 2",
		"1\t0 d1\t2", "1 0\td1\t2", " 1 0 d1 2", "\t1 0 d1 2", "1 \t 0 d1 2 \t ", "1 0 d1 2\r",
		"1\v0\fd1 2", "1\t\t0\td1\t2"} {
		for _, text := range []string{line, line + "\n", "1 0 d0 0\n" + line + "\n", line + "\n1 0 d0 0\n"} {
			c, err := Read("qrels", strings.NewReader(text), Options{})
			if err != nil || c.Qrels == nil {
				t.Errorf("%q: %v, %+v", text, err, c)
				continue
			}
			if g, ok := c.Qrels.Grade("1", "d1"); !ok || g != 2 || len(c.Warnings) > 0 {
				t.Errorf("%q: grade %v, %v", text, g, c.Warnings)
			}
		}
	}
	for _, line := range []string{"1 Q0 d1 1 2.5 t", "1\tQ0 d1 1 2.5 t", "1 Q0\td1\t1\t2.5\tt", "1 Q0 d1 1 2.5\tt",
		"1\tQ0\td1\t1\t2.5 t", "1 Q0 d1 1\t2.5 t\t", "\t1 Q0 d1 1 2.5 t", "1\vQ0\fd1 1 2.5 t"} {
		for _, text := range []string{line, line + "\n", "1 Q0 d0 1 3 t\n" + line + "\n", line + "\n1 Q0 d0 1 3 t\n"} {
			c, err := Read("run", strings.NewReader(text), Options{})
			if err != nil || c.Run == nil {
				t.Errorf("%q: %v, %+v", text, err, c)
				continue
			}
			list := c.Run.Ranked(c.Run.Query("1"), DocIDDescending, nil)
			if last := list[len(list)-1]; last.Doc != "d1" || last.Score != 2.5 || c.Run.Tag != "t" {
				t.Errorf("%q: %+v", text, list)
			}
		}
	}
	// between tabs alone ids keep their spaces, as BEIR has them
	c := mustRead(t, "query-id\tcorpus-id\tscore\nq 1\td 1\t1\n", Options{})
	if g, ok := c.Qrels.Grade("q 1", "d 1"); !ok || g != 1 {
		t.Error("ids with spaces between tabs")
	}
}

// ids that look like something else where a file begins with them.
var oddIDs = []string{"{", "[", "{a}", "[1]", "[{", "<", "<top>", "#", "#a", "a#", "PK", "'", "=1", "-", "Q0", "0",
	"query_id", "\u00e9", "{\"a\":", "\"", "\\", "a,b", "a;b", "RBXc"}

// What is written is read back as it was, or is refused.
func TestIDsSurviveOrAreRefused(t *testing.T) {
	refused := map[string]bool{"": true, " ": true, "a b": true, "a\nq1 Q0 evil 1 9 t": true, "a\tb": true, "a\v": true,
		"\u00a0a": true, "\ufeffq": true}
	// at the beginning
	marked := map[string]bool{"#": true, "\xff\xfeq": true, "\xfe\xff": true, "\x1f\x8b": true, "PK\x03\x04": true,
		"\x93NUMPY": true}
	for _, id := range append(append(slices.Collect(maps.Keys(marked)), oddIDs...), "", " ", "a b",
		"a\nq1 Q0 evil 1 9 t", "a\tb", "a\v", "\u00a0a", "\ufeffq") {
		for _, asQuery := range []bool{true, false} {
			query, doc := id, "d"
			if !asQuery {
				query, doc = "q", id
			}
			roundTrip(t, query, doc, refused[id] || asQuery && marked[id])
		}
	}
}

func roundTrip(t *testing.T, query, doc string, refused bool) {
	t.Helper()
	b := NewRunBuilder("t")
	if b.Add(query, doc, 2.5) != nil || b.Add(query, doc+"x", 1) != nil {
		return // no run can hold it
	}
	r, _ := b.Run()
	q := NewQrels()
	q.Add(query, doc, 2)
	for name, write := range map[string]func(*bytes.Buffer) error{"run": func(w *bytes.Buffer) error {
		return r.WriteTREC(w)
	}, "qrels": func(w *bytes.Buffer) error { return q.WriteTREC(w) },
		"tsv": func(w *bytes.Buffer) error { return q.WriteTSV(w) }} {
		var out bytes.Buffer
		err := write(&out)
		if (err != nil) != refused {
			t.Errorf("%s of %q, %q: %v", name, query, doc, err)
		}
		if err != nil {
			if out.Len() > 0 {
				t.Errorf("%s of %q, %q: wrote %q all the same", name, query, doc, out.String())
			}
			continue
		}
		c, err := Read("again", bytes.NewReader(out.Bytes()), Options{})
		if err != nil {
			t.Errorf("%s of %q, %q: %v of %q", name, query, doc, err, out.String())
			continue
		}
		if name == "run" && (c.Run == nil || c.Run.NumQueries() != 1 ||
			fmt.Sprint(c.Run.Ranked(0, DocIDDescending, nil)) != fmt.Sprint(r.Ranked(0, DocIDDescending, nil)) ||
			c.Run.Query(query) != 0) {
			t.Errorf("run of %q, %q: %q is read as %s", query, doc, out.String(), c.Format)
		}
		if name != "run" {
			if c.Qrels == nil || c.Qrels.Len() != 1 {
				t.Errorf("%s of %q, %q: %q is read as %s", name, query, doc, out.String(), c.Format)
			} else if g, ok := c.Qrels.Grade(query, doc); !ok || g != 2 {
				t.Errorf("%s of %q, %q: %q has %q", name, query, doc, out.String(), c.Qrels.Queries())
			}
		}
	}
}

// No id adds a line, or is read back as another.
func FuzzIDs(f *testing.F) {
	for _, id := range oddIDs {
		f.Add(id, "d")
		f.Add("q", id)
	}
	f.Fuzz(func(t *testing.T, query, doc string) {
		var out bytes.Buffer
		w := NewRunWriter(&out, "a b")
		err := w.Write(query, doc, 1, 0.5)
		if flush := w.Flush(); err == nil {
			err = flush
		}
		if err != nil {
			if out.Len() > 0 {
				t.Errorf("refused and written: %q", out.String())
			}
			return
		}
		r, _, err := ReadRun(&out, "again", Options{})
		if limit, ok := errors.AsType[*LimitError](err); ok {
			t.Skip(limit)
		}
		if err != nil || r.Len() != 1 || r.Query(query) != 0 || r.Ranked(0, DocIDDescending, nil)[0].Doc != doc ||
			r.Tag != "a_b" {
			t.Errorf("%q, %q: %v, %+v", query, doc, err, r)
		}
	})
}
