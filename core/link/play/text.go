package play

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
)

// ErrEmpty is the error of a text without a document.
var ErrEmpty = say.Faultf("play", "nothing to rank: write grades such as 3 2 0 1 - 0, or paste lines of a run")

// Read reads a typed or pasted ranking. Grades: "3 2 0 1 - 0", with "-" or "?" for an unjudged document and the
// letters of subtopics after a grade: "3ab". Or lines of a TREC run of one query (query Q0 document rank score
// tag), ordered as trec_eval does; lines of TREC qrels (query 0 document grade) among them grade the documents, and
// those that the run lacks follow as not retrieved. The error names the line.
func Read(text string) (docs []Doc, retrieved int, err error) {
	if strings.TrimSpace(text) == "" {
		return nil, 0, ErrEmpty
	}
	for _, line := range strings.Split(text, "\n") {
		f := strings.Fields(line)
		if len(f) == 6 && strings.EqualFold(f[1], "Q0") || len(f) == 4 && isNumber(f[3]) && !isGrade(f[2]) {
			return readRun(text)
		}
	}
	for _, f := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n,;", r) }) {
		d, err := readGrade(f)
		if err != nil {
			return nil, 0, err
		}
		d.Label = "document " + strconv.Itoa(len(docs)+1)
		if docs = append(docs, d); len(docs) > MaxDocs {
			return nil, 0, say.Faultf("play", "more than %d documents", MaxDocs)
		}
	}
	if len(docs) == 0 {
		return nil, 0, ErrEmpty
	}
	return docs, len(docs), nil
}

func isNumber(s string) bool { _, err := strconv.Atoi(s); return err == nil }

func isGrade(s string) bool { _, err := readGrade(s); return err == nil }

// readGrade reads "3", "2ab", "-".
func readGrade(s string) (Doc, error) {
	d := Doc{Grade: measure.Unjudged}
	rest := s[1:]
	switch c := s[0]; {
	case c >= '0' && c <= '0'+MaxGrade:
		d.Grade = int32(c - '0')
	case c == '-' || c == '?':
	case strings.HasPrefix(s, "−"):
		rest = s[len("−"):]
	default:
		return d, say.Faultf("play", "%q is no grade: 0 to %d, or - for a document without a judgment", quote(s),
			MaxGrade)
	}
	for i := range len(rest) {
		c := rest[i]
		if c < 'a' || c >= 'a'+MaxTopics {
			return d, say.Faultf("play", "%q is no grade: 0 to %d or -, and letters a to %c for sub-topics", quote(s),
				MaxGrade, 'a'+MaxTopics-1)
		}
		d.Topics |= 1 << (c - 'a')
	}
	return d, nil
}

// quote shortens a quotation for an error.
func quote(s string) string {
	if len(s) > 40 {
		s = s[:40]
	}
	return strings.ToValidUTF8(s, "")
}

func readRun(text string) (docs []Doc, retrieved int, err error) {
	type row struct {
		id    string
		score float64
	}
	var run []row
	grades, order := map[string]int32{}, []string{}
	query := ""
	for i, line := range strings.Split(text, "\n") {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		bad := func(why string) error { return say.Faultf("play", "line %d: %s", i+1, why) }
		if query == "" {
			query = f[0]
		}
		if f[0] != query {
			return nil, 0, bad("a second query, " + strconv.Quote(quote(f[0])) + "; paste the lines of one")
		}
		switch len(f) {
		case 6:
			score, err := strconv.ParseFloat(f[4], 64)
			if err != nil || math.IsNaN(score) {
				return nil, 0, bad(strconv.Quote(quote(f[4])) + " is no score")
			}
			if slices.ContainsFunc(run, func(r row) bool { return r.id == f[2] }) {
				return nil, 0, bad("document " + strconv.Quote(quote(f[2])) + " is ranked twice")
			}
			if run = append(run, row{f[2], score}); len(run) > MaxDocs {
				return nil, 0, bad(fmt.Sprintf("more than %d documents", MaxDocs))
			}
		case 4:
			g, err := strconv.Atoi(f[3])
			if err != nil || g > MaxGrade {
				return nil, 0, bad(fmt.Sprintf("%q is no grade from 0 to %d", quote(f[3]), MaxGrade))
			}
			if _, ok := grades[f[2]]; !ok {
				order = append(order, f[2])
			}
			grades[f[2]] = int32(max(0, g))
		default:
			return nil, 0, bad("neither a line of a run (query Q0 document rank score tag) nor of qrels (query 0 " +
				"document grade)")
		}
	}
	before := func(a, b row) int {
		if c := cmp.Compare(b.score, a.score); c != 0 {
			return c
		}
		return strings.Compare(b.id, a.id)
	}
	sort.SliceStable(run, func(i, j int) bool { return before(run[i], run[j]) < 0 })
	for _, r := range run {
		g, ok := grades[r.id]
		if !ok {
			g = measure.Unjudged
		}
		docs = append(docs, Doc{Label: shorten(r.id, maxLabel), Grade: g})
	}
	retrieved = len(docs)
	for _, id := range order {
		if len(docs) < MaxDocs && !slices.ContainsFunc(run, func(r row) bool { return r.id == id }) {
			docs = append(docs, Doc{Label: shorten(id, maxLabel), Grade: grades[id]})
		}
	}
	if len(docs) == 0 {
		return nil, 0, ErrEmpty
	}
	return docs, retrieved, nil
}

// shorten cuts a text to at most n bytes, between runes.
func shorten(s string, n int) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// Text returns a list as grades in the format of Read.
func (t *Table) Text(list int) string {
	var b strings.Builder
	for i, d := range t.Lists[list] {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.Docs[d].text())
	}
	return b.String()
}

func (d Doc) text() string {
	s := "-"
	if d.Grade != measure.Unjudged {
		s = strconv.Itoa(int(d.Grade))
	}
	for j := range MaxTopics {
		if d.Topics>>j&1 != 0 {
			s += string(rune('a' + j))
		}
	}
	return s
}

// Fill replaces all documents of the table by those of Read; the first retrieved ones form the list.
func (t *Table) Fill(docs []Doc, retrieved int) {
	t.Docs, t.Lists, t.Second = docs, [2][]int{}, false
	for i := range retrieved {
		t.Lists[0] = append(t.Lists[0], i)
	}
}
