package collection

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/internal/jsontext"
)

// A date is one of the calendar: what time.Parse, of Go 1.26, takes.
func TestDay(t *testing.T) {
	for _, y := range []int{0, 1, 4, 100, 400, 1900, 1999, 2000, 2004, 2023, 2100, 9999} {
		for m := range 14 {
			for d := range 33 {
				s := fmt.Sprintf("%04d-%02d-%02d", y, m, d)
				want := s
				if _, err := time.Parse(time.DateOnly, s); err != nil {
					want = ""
				}
				if got := day(s); got != want {
					t.Errorf("%s: %q, want %q", s, got, want)
				}
			}
		}
	}
	for in, want := range map[string]string{
		"2024-02-29T10:00": "2024-02-29", "2024-02-29 10:00": "2024-02-29", "2024-02-29x": "", "2024-02-290": "",
		"2024-02-2": "", "": "", "2024/02-29": "", "2024-02/29": "",
		"202x-02-29": "", "2024-0:-29": "", "2024-02-2/": "", "2024-02--1": "", "-024-02-29": "",
	} {
		if got := day(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// What is invisible, written out: C's white space and the zero byte, and of Unicode NEL, no-break and soft hyphen,
// U+2000 to U+200F, the separators of lines and paragraphs, U+202F, U+205F, U+2060, U+3000 and the byte order mark.
func TestInvisible(t *testing.T) {
	hidden := map[rune]bool{0: true, ' ': true, 0x85: true, 0xa0: true, 0xad: true, 0x2028: true, 0x2029: true,
		0x202f: true, 0x205f: true, 0x2060: true, 0x3000: true, 0xfeff: true}
	for r := '\t'; r <= '\r'; r++ {
		hidden[r] = true
	}
	for r := rune(0x2000); r <= 0x200f; r++ {
		hidden[r] = true
	}
	for r := rune(0); r < 0x11000; r++ {
		if r == 0x3100 {
			r = 0xfe00 // nothing is hidden in between
		}
		b := utf8.AppendRune(nil, r)
		want := 0
		if hidden[r] {
			want = len(b)
		}
		if got := invisible(b); got != want {
			t.Errorf("%U: %d, want %d", r, got, want)
		}
		if got := invisible(append(b, "xyz"...)); got != want {
			t.Errorf("%U and more: %d, want %d", r, got, want)
		}
		for n := 1; n < len(b); n++ {
			if got := invisible(b[:n]); got != 0 {
				t.Errorf("%U cut off at %d: %d", r, n, got)
			}
		}
		for _, id := range []string{"a", "é", "😀", "a b", "~", "\x7f", "\x80\x80\x80\x80"} {
			want, s := id, string(b)
			if !hidden[r] {
				want = s + id + s
			}
			if got := string(trimID([]byte(s + id + s))); got != want {
				t.Errorf("%U around %q: %q", r, id, got)
			}
		}
	}
	for in, want := range map[string]string{" \u2003a\ufeff ": "a", "": "", " ": "", "\u00a0\u200b": "", "\xc2": "\xc2",
		"a\xe2\x80": "a\xe2\x80", "\x80": "\x80"} {
		if got := string(trimID([]byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Every place at which an id may have an invisible character, one line each, in files between spaces, where nothing
// else looks at them.
func TestInvisibleCharactersAtTheEndsOfIDs(t *testing.T) {
	for _, mark := range []string{"\u2000", "\u00a0", "\u3000", "\u200d"} { // which end with bytes 80, a0, 80 and 8d
		run := "q1 Q0 d1 1 9 t\n" + mark + "q1 Q0 d2 2 8 t\nq1" + mark + " Q0 d3 3 7 t\nq1 Q0 " + mark +
			"d4 4 6 t\nq1 Q0 d5" + mark + " 5 5 t\nq1 Q0 dé" + mark + "x 6 4 t\n"
		r, w := mustRun(t, run)
		if got := located(w, StraySpace); docs(r, "q1", DocIDDescending) != "d1 d2 d3 d4 d5 dé"+mark+"x" ||
			got != fmt.Sprintf("×4 2:%q 3:%q 4:%q 5:%q", mark+"q1", "q1"+mark, mark+"d4", "d5"+mark) {
			t.Errorf("%U: %s, %s", []rune(mark), docs(r, "q1", DocIDDescending), got)
		}
		qrels := "q1 0 d1 1\n" + mark + "q1 0 d2 1\nq1" + mark + " 0 d3 1\nq1 0 " + mark + "d4 1\nq1 0 d5" + mark +
			" 1\n"
		c := mustRead(t, qrels, Options{})
		if got := located(c.Warnings, StraySpace); c.Qrels.Len() != 5 || len(c.Qrels.Queries()) != 1 ||
			got != fmt.Sprintf("×4 2:%q 3:%q 4:%q 5:%q", mark+"q1", "q1"+mark, mark+"d4", "d5"+mark) {
			t.Errorf("%U: %v, %s", []rune(mark), c.Qrels.Queries(), got)
		}
	}
}

// Numbers are ids as one would print them; no two ids share a hash, and many share neither the low bits, by which
// tables look, nor all the high ones.
func TestNumbersAndHashes(t *testing.T) {
	for in, want := range map[string]string{
		"0": "0", "7": "7", "10": "10", "99": "99", "1234567890": "1234567890", "4294967295": "4294967295",
		"4294967296": "", "9999999999": "", "12345678901": "", "00": "", "01": "", "": "", "1a": "",
		"1/": "", "1:": "", "/": "", ":": "", "-1": "", "+1": "",
	} {
		got := ""
		if v, ok := number(in); ok {
			got = strconv.FormatUint(uint64(v), 10)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	const n = 20000
	for _, form := range []string{"%d", "%08d", "d%d", "document-%d", "%d/a", "a/b/c/d/e/f/%d/x", "%020d", "%d0000"} {
		seen, low, high := map[uint64]bool{}, map[uint64]int{}, map[uint64]int{}
		for i := range n {
			h := hashID(fmt.Appendf(nil, form, i))
			if seen[h] || h == 0 {
				t.Fatalf("%s: %d has the hash of another", form, i)
			}
			seen[h] = true
			low[h&1023]++
			high[h>>58]++
		}
		// Of 20,000 in 1,024 places about 20 are in each; a Poisson variable of mean 20 is above 60 once in 10^12.
		for _, k := range low {
			if k > 60 {
				t.Errorf("%s: %d of %d in one of 1024 places", form, k, n)
			}
		}
		if len(high) != 64 {
			t.Errorf("%s: %d of 64 bits of the filter", form, len(high))
		}
	}
	if hashID([]byte("17")) != hashNumber(17) || hashID([]byte("017")) != hashBytes([]byte("017")) {
		t.Error("an id that is a number has the hash of the number, and no other")
	}
}

// Small strings share their memory, large ones have their own.
func TestArena(t *testing.T) {
	var a arena
	var all []string
	for i := range 3000 {
		b := fmt.Appendf(nil, "string %d", i)
		all = append(all, a.str(b))
		clear(b)
	}
	for i, s := range all {
		if s != fmt.Sprintf("string %d", i) {
			t.Fatalf("%d is %q", i, s)
		}
	}
	used := len(a.buf)
	if s := a.str(bytes.Repeat([]byte("x"), 1<<10+1)); len(s) != 1<<10+1 || len(a.buf) != used {
		t.Errorf("%d bytes, %d used", len(s), len(a.buf)-used)
	}
	a = arena{}
	if s := a.str(bytes.Repeat([]byte("x"), 1<<10)); len(s) != 1<<10 || len(a.buf) != 1<<10 || cap(a.buf) != 1<<10 {
		t.Errorf("%d bytes, %d used of %d", len(s), len(a.buf), cap(a.buf))
	}
	for want := 2 << 10; want <= 64<<10; want *= 2 { // rooms double, up to 64 KiB
		if a.str(bytes.Repeat([]byte("x"), 1<<10)); cap(a.buf) != want {
			t.Fatalf("room for %d, want %d", cap(a.buf), want)
		}
		for len(a.buf) < cap(a.buf) {
			a.str(bytes.Repeat([]byte("x"), 1<<10))
		}
	}
	if a.str([]byte("x")); cap(a.buf) != 64<<10 {
		t.Errorf("room for %d", cap(a.buf))
	}
	var b arena
	if b.str([]byte("x")); cap(b.buf) != 512 {
		t.Errorf("room for %d at first", cap(b.buf))
	}
}

func TestLower(t *testing.T) {
	if got := lower([]byte("@AZ[`az{0\xc1É")); got != "@az[`az{0\xc1É" {
		t.Errorf("%q", got)
	}
}

func TestNamesOfColumns(t *testing.T) {
	for header, want := range map[string]string{
		"docid,docno,qid":              "query 2, doc 1",
		"qid,docid,docno":              "query 0, doc 2",
		"docno,docid,qid":              "query 2, doc 0",
		"query,qid,docno":              "query 1, doc 2, text 0",
		"qid,query,docno":              "query 0, doc 2, text 1",
		"Query,QID,docno":              "query 1, doc 2, text 0",
		"QUERY-ID,Doc No.,RANK,_score": "query 0, doc 1, score 3, rank 2",
		"A,z,Gain":                     "grade 2",
		"qid,docno,pid":                `columns "docno" and "pid" mean the same`,
		"qid,docid,pid":                `columns "docid" and "pid" mean the same`,
		"qid,topic":                    `columns "qid" and "topic" mean the same`,
		"rank,position":                `columns "rank" and "position" mean the same`,
	} {
		h, err := parseHeader(bytes.Split([]byte(header), []byte(",")))
		var got []string
		for i, name := range []string{"", "query", "doc", "score", "rank", "tag", "grade", "subtopic", "text",
			"title"} {
			if name != "" && h.at[i] >= 0 {
				got = append(got, fmt.Sprint(name, " ", h.at[i]))
			}
		}
		s := strings.Join(got, ", ")
		if err != nil {
			s = err.Error()
		}
		if s != want {
			t.Errorf("%s: %s, want %s", header, s, want)
		}
	}
	for header, want := range map[string]Format{
		"qid,docno,rel": QrelsCSV, "rel,qid,docno": QrelsCSV, "qid,docno,rel,score": RunCSV,
		"qid,docno,rel,rank": RunCSV, "qid,docno,score": RunCSV, "score,qid,docno": RunCSV, "rank,docno,qid": RunCSV,
		"qid,docno": Unknown, "qid,rel": Unknown, "docno,rel": Unknown, "qid,score": Unknown, "docno,score": Unknown,
		"qid,text": QueriesCSV, "text,qid": QueriesCSV, "qid,docno,text": Unknown, "qid,title": Unknown,
		"docno,text": CorpusCSV, "title,docno": CorpusCSV, "docno,tag": Unknown, "text,title": Unknown, "": Unknown,
	} {
		h, err := parseHeader(bytes.Split([]byte(header), []byte(",")))
		if got := h.kind(); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", header, got, err, want)
		}
	}
}

func TestChunkRules(t *testing.T) {
	for _, c := range []struct {
		rule ChunkRule
		in   string
		want string
		ok   bool
	}{
		{ChunkRule{Separator: "#"}, "d#1", "d", true}, {ChunkRule{Separator: "#"}, "#1", "#1", false},
		{ChunkRule{Separator: "#"}, "d", "d", false}, {ChunkRule{Separator: "#"}, "d#", "d", true},
		{ChunkRule{Separator: "#"}, "d#1#2", "d#1", true}, {ChunkRule{Separator: "#", First: true}, "d#1#2", "d", true},
		{ChunkRule{Separator: "#", First: true}, "#1#2", "#1#2", false},
		{ChunkRule{}, "d#1", "d#1", false}, {ChunkRule{Map: map[string]string{"d#1": "e"}, Separator: "#"}, "d#1", "e",
			true},
	} {
		if got, ok := c.rule.Document(c.in); got != c.want || ok != c.ok {
			t.Errorf("%+v of %q: %q, %v", c.rule, c.in, got, ok)
		}
	}
	// Several queries of several chunks, each in its order.
	r, _ := mustRun(t, "p Q0 a#1 1 1 t\np Q0 b#1 2 3 t\np Q0 b#2 3 9 t\np Q0 c#1 4 2 t\nq Q0 7#1 1 5 t\nq Q0 "+
		"8#1 2 4 t\n")
	c, w := r.Collapse(ChunkRule{Separator: "#"}, "run")
	if docs(c, "p", InputOrder) != "b c a" || docs(c, "q", DocIDDescending) != "7 8" || c.Len() != 5 || len(w) != 0 ||
		fmt.Sprint(c.Scores(0)) != "[9 2 1]" {
		t.Error(docs(c, "p", InputOrder), docs(c, "q", DocIDDescending), c.Len(), w)
	}
	suggest := func(judged []string, ids ...string) string {
		b, q := NewRunBuilder(""), NewQrels()
		for i, id := range ids {
			b.Add("q", id, float64(-i))
		}
		for _, id := range judged {
			q.Add("q", id, 1)
		}
		r, _ := b.Run()
		return SuggestSeparator(r, q)
	}
	for _, c := range []struct {
		judged, ids string
		want        string
	}{
		{"d", "d#1", "#"}, {"d", "d1", ""}, {"d d#1", "d#1_2", "#"}, {"d#1", "d#1_2", "_"}, {"d d#1", "d#1", ""},
		{"d", "1 2 3", ""}, {"1 2", "1 2", ""}, {"1 2", "1.5 2.5 3", "."}, {"1 3", "1.5 2.5 3", ""},
		{"d", "#d d%%2", "%%"}, {"a b", "a-1 b-1 a_1", "-"},
	} {
		if got := suggest(strings.Fields(c.judged), strings.Fields(c.ids)...); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.ids, c.judged, got, c.want)
		}
	}
	// A thousand queries that are judged are looked at, and a hundred documents of each.
	for _, c := range []struct {
		queries, docs int
		want          string
	}{{999, 99, "#"}, {1000, 1, ""}, {1, 100, ""}} {
		b, q := NewRunBuilder(""), NewQrels()
		for i := range c.queries {
			for k := range c.docs {
				b.Add(strconv.Itoa(i), "e"+strconv.Itoa(k), float64(-k))
			}
			q.Add(strconv.Itoa(i), "d", 1)
		}
		last := strconv.Itoa(c.queries)
		if c.docs > 1 {
			last = "0"
		}
		b.Add(last, "d#1", -1000)
		q.Add(last, "d", 1)
		b.Add("unjudged", "d#1", 1)
		r, _ := b.Run()
		if got := SuggestSeparator(r, q); got != c.want {
			t.Errorf("%d queries, %d documents: %q, want %q", c.queries, c.docs, got, c.want)
		}
	}
	for _, c := range []struct {
		text, want string
		limit      int
	}{
		{"c1,d1\nc2,d1\n", "<nil>", 2},
		{"c1,d1\nc2,d1\nc3,d1\n", "collection: read map: line 3: 3 chunks are more than the limit of 2 (Entries)", 2},
		{"{\"c1\": \"d1\",\n\"c2\": \"d1\"}",
			"collection: read map: line 2: 2 chunks are more than the limit of 1 (Entries)", 1},
		{"\n\n c1 , d1 \n\n", "<nil>", 1},
		{"c1\n", "collection: read map: line 1: a line needs two ids: the chunk's and the document's", 1},
		{"chunk,doc\n", "collection: read map: empty file", 1}, {"c0,d0\nchunk,doc\n", "<nil>", 2},
		{",d\n", "collection: read map: line 1: empty id", 1},
	} {
		m, err := ReadChunkMap(strings.NewReader(c.text), "map", Options{Limits: Limits{Entries: c.limit}})
		if fmt.Sprint(err) != c.want || err == nil && len(m) == 0 {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

func TestCheckNamesTheFirstThereIs(t *testing.T) {
	b := NewRunBuilder("")
	b.Touch("q1")
	b.Add("q2", "d2", 1)
	r, _ := b.Run()
	q := NewQrels()
	q.Touch("q1")
	q.Add("q2", "D2", 1)
	w := Check(r, q, "run")
	if len(w) != 1 || w[0].Message != `no document of the run is judged: its ids look like "d2", those of the `+
		`qrels like "D2"` {
		t.Errorf("%v", w)
	}
	q.Add("q2", "d2", 1)
	if w := Check(r, q, "run"); len(w) != 0 {
		t.Errorf("%v", w)
	}
	if w := Check(r, NewQrels(), "run"); kinds(w) != "extra-query×2@0" {
		t.Errorf("%v", w)
	}
	none, _ := NewRunBuilder("").Run()
	if w := Check(none, q, "run"); kinds(w) != "missing-query×1@0" {
		t.Errorf("%v", w)
	}
}

// Which split is read, and what is said where it is not there.
func TestSplitsOfBEIR(t *testing.T) {
	const corpus, queries = `{"_id":"d","text":"x"}`,
		"{\"_id\":\"q1\",\"text\":\"x\"}\n{\"_id\":\"q2\",\"text\":\"x\"}\n{\"_id\":\"q3\",\"text\":\"x\"}\n"
	for _, c := range []struct {
		files, split string
		want         string // the split that is read, or the error
	}{
		{"", "", "none"}, {"", "test", "collection: read qrels/test.tsv: no such split; there are no qrels"},
		{"readme.md", "", "none"}, {"readme.md", "test", "collection: read qrels/test.tsv: no such split"},
		{"test.tsv", "", "test"}, {"dev.tsv test.tsv train.tsv", "", "test"}, {"dev.tsv train.tsv.gz", "", "dev"},
		{"a.tsv train.tsv", "", "train"}, {"b.tsv c.tsv", "", "b"}, {"b.tsv c.tsv", "c", "c"},
		{"b.tsv c.tsv.gz", "test", "collection: read qrels/test.tsv: no such split; there are b, c"},
	} {
		m := fstest.MapFS{"corpus.jsonl": {Data: []byte(corpus)}, "queries.jsonl": {Data: []byte(queries)}}
		for _, name := range strings.Fields(c.files) {
			data := []byte("q1\td\t1\n")
			if strings.HasSuffix(name, ".gz") {
				data = gz(data)
			}
			m["qrels/"+name] = &fstest.MapFile{Data: data}
		}
		x, err := ReadBEIR(m, c.split, Limits{})
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		case len(x.Queries) == 3:
			got = "none"
			if kinds(x.Warnings) != "no-qrels×1@0" ||
				x.Warnings[0].String() != "qrels: no qrels: nothing can be measured" {
				t.Errorf("%v", x.Warnings)
			}
		default:
			got = c.want
			if kinds(x.Warnings) != "unjudged-query×2@0" ||
				x.Warnings[0].String() != `queries.jsonl: query "q2" has no judgment in the split `+c.want+
					` and is left out (2 times)` {
				t.Errorf("%s, %s: %v", c.files, c.split, x.Warnings)
			}
		}
		if got != c.want {
			t.Errorf("%s, %s: %s, want %s", c.files, c.split, got, c.want)
		}
	}
	two := fstest.MapFS{"a/corpus.jsonl": {Data: []byte(corpus)}, "b/corpus.jsonl.gz": {Data: gz([]byte(corpus))}}
	if _, err := ReadBEIR(two, "", Limits{}); err == nil ||
		err.Error() != "collection: read .: two collections: a and b" {
		t.Error(err)
	}
}

func TestNamesOfFiles(t *testing.T) {
	for in, want := range map[string]string{
		"a": "a", "/a/b.txt": "b.txt", `C:\a\b.txt`: "b.txt", "file:///a/b.txt": "b.txt",
		"https://example.org/a/b.txt?x=/c#d": "b.txt", "https://example.org/b.txt#d?e": "b.txt", "?x": "", "#x": "",
		"a/?x": "", "": "", "a/": "",
	} {
		if got := fileName(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	docs := []Doc{{ID: "b", URI: "x/n"}, {ID: "a", URI: "y/n"}, {ID: "c", URI: "z"}}
	r := NewResolver(docs)
	for _, c := range []struct {
		ref  DocRef
		want string
	}{
		{DocRef{FileName: "z"}, "c by file_name []"}, {DocRef{FileName: "n"}, " by file_name [a b]"},
		{DocRef{FileName: "m"}, " by  []"}, {DocRef{DocumentID: "x", URI: "y/n"}, "a by uri []"},
		{DocRef{URI: "w", FileName: "n"}, " by file_name [a b]"},
		{DocRef{FileName: "n", Path: "x/n"}, "b by path []"},
	} {
		doc, by, several := r.Find(c.ref)
		if got := fmt.Sprint(doc, " by ", by, " ", several); got != c.want {
			t.Errorf("%+v: %s, want %s", c.ref, got, c.want)
		}
	}
}

// Errors and warnings: where they are said to be, and how often.
func TestWhereErrorsAre(t *testing.T) {
	syntax := &jsontext.SyntaxError{Line: 3, Column: 2}
	for _, c := range []struct {
		line int
		err  error
		want int
	}{{0, errNUL, 0}, {5, errNUL, 5}, {5, syntax, 7}, {1, syntax, 3}, {0, syntax, 0}} {
		var pe *ParseError
		if err := parseError("f", c.line, c.err); !errors.As(err, &pe) || pe.Line != c.want || pe.File != "f" ||
			!errors.Is(err, c.err) {
			t.Errorf("%d, %v: %v", c.line, c.err, err)
		}
		if again := parseError("g", 9, pe); again != error(pe) {
			t.Errorf("placed again: %v", again)
		}
	}
	if got := (&ParseError{File: "f", Err: errNUL}).Error(); got != "collection: read f: "+errNUL.Error() {
		t.Error(got)
	}
	var w warner
	for i := range 7 {
		w.add("a", "f", i+1, 1, []byte{byte('a' + i)}, func() string { return "message " + strconv.Itoa(i) })
		w.add("b", "f", i+1, 2, nil, func() string { return "b" })
		w.add("a", "g", 0, 1, nil, func() string { return "g" })
	}
	if got := fmt.Sprint(w.list); got != "[f:1: message 0 (7 times) f:1: b (14 times) g: g (7 times)]" {
		t.Error(got)
	}
	if got := fmt.Sprint(w.list[0].Places); got != "[{1 a} {2 b} {3 c} {4 d} {5 e}]" {
		t.Error(got)
	}
	if got := (Warning{File: "f", Line: 1, Message: "m", Count: 1}).String(); got != "f:1: m" {
		t.Error(got)
	}
	w.drop("a", "c")
	if kinds(w.list) != "b×14@1" {
		t.Error(w.list)
	}
	if got := clip(bytes.Repeat([]byte("x"), 40)); got != strings.Repeat("x", 40) {
		t.Error(got)
	}
	if got := clip(bytes.Repeat([]byte("x"), 41)); got != strings.Repeat("x", 40)+"…" {
		t.Error(got)
	}
}

// Figures that an evaluation printed are known by their first three lines.
func TestFigures(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "\n \n": false, "map all 0.5": true, "foo all 0.5": false, "map all 0.5\nfoo all 0.5": true,
		"runid all x": true, "foo all 0.5\nmap all 0.5": false, "map all x": false, "map": false, "0.5": false,
		"map \tq1\t0.5": true, "map q1 0.5": false, "q1 map 0.5": true, "all map 0.5": true, "q1 foo 0.5": false,
		"map 0.5": true, "foo 0.5": false, "map all 0.5 1": false, "map all 0.5\nx": false,
		"map all 0.5\nmap all 0.5\nx": false, "map all 0.5\nmap all 0.5\nmap all 0.5\nx": true,
	} {
		var lines [][]byte
		for l := range strings.SplitSeq(text, "\n") {
			lines = append(lines, []byte(l))
		}
		if got := figures(lines); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestGradesAreRead(t *testing.T) {
	for _, c := range []struct {
		in    string
		grade float64
		whole bool
		err   string
	}{
		{"000000000007", 7, true, ""}, {"0000000000007", 7, false, ""}, {"-", 0, false, `grade "-" is not a number`},
		{"+", 0, false, `grade "+" is not a number`}, {"-0", 0, true, ""}, {"+7", 7, true, ""},
		{"", 0, false, `grade "" is not a number`},
		{"7/", 0, false, `grade "7/" is not a number`}, {"7:", 0, false, `grade "7:" is not a number`},
		{"2147483647", 1<<31 - 1, true, ""}, {"2147483648", 0, false, "grade 2147483648 is out of range"},
		{"2147483647.9", 0, false, "grade 2147483647.9 is out of range"},
		{"2147483648.0", 0, false, "grade 2147483648.0 is out of range"}, {"-2147483646.9", -2147483646.9, false, ""},
		{"-2147483648.5", 0, false, "grade -2147483648.5 is out of range"}, {"-1.9", -1.9, false, ""},
		{"1e-3", 0.001, false, ""},
		{"999999999999", 0, false, "grade 999999999999 is out of range"},
	} {
		g, whole, err := parseGrade([]byte(c.in))
		msg := ""
		if err != nil {
			msg = err.Error()
		}
		if msg != c.err || err == nil && (g != float64(c.grade) || whole != c.whole) {
			t.Errorf("%q: %v, %v, %v", c.in, g, whole, err)
		}
	}
}
