package collection

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// Text of two or four bytes a character, without a mark at its beginning.
func TestWide(t *testing.T) {
	for _, c := range []struct {
		head string
		want bool
	}{
		{"q\x001\x00 \x00Q\x00", true}, {"\x00q\x001\x00 \x00Q", true}, {"q\x001\x00 \x00Q", false},
		{"q\x00\x00\x001\x00\x00\x00", true}, {"q\x00\x00x1\x00\x00\x00", false}, {"q1 Q0 d1", false},
		{"q\x001\x00 \x00Q\x08", false}, {"q\x001\x00 \x00Q\t", false}, {"q\x001\x00 \x00Q\x000\x00\t\x00", true},
		{"q\x001\x00 \x00Q\x000x\t\x00", true}, {"q\x001\x00 \x00Qx0x\t\x00", false}, {"q\x001\x00 \x00Q\x00xx", true},
		{"q\x001\x00 \x00Q\x00xxx", false}, {"q\x001\x00 xQx0x\t\x00", false},
		{"\x00\x00\x00q\x00\x00\x001", false}, {strings.Repeat("a\x00", 9) + "\x00\x00", true},
		{strings.Repeat("a\x00", 8) + "\x00\x00", false}, {strings.Repeat("a\x00", 2048) + strings.Repeat("a", 9000),
			true},
	} {
		if got := wide([]byte(c.head)); got != c.want {
			t.Errorf("%.40q: %v", c.head, got)
		}
	}
}

// What a file is that is not read, and where.
func TestWhatIsNotRead(t *testing.T) {
	tar := func(n int) string { return (strings.Repeat("a", 257) + "ustar" + strings.Repeat("a", 9))[:n] }
	for in, want := range map[string]string{
		"\x80\x01x": "", "\x80\x02x": "a Python pickle: save it as JSON, TREC or CSV",
		"\x80\x05x": "a Python pickle: save it as JSON, TREC or CSV", "\x80\x06x": "", "\x80\x02": "",
		tar(262): "", tar(263): "a tar archive: unpack it, or use zip",
		"<!DOCTYPE HTML>": "a web page: maybe a page about the file was downloaded instead of the file",
		"<HTML":           "a web page: maybe a page about the file was downloaded instead of the file",
		"<htm":            "", "": "", "%PDF-": "a PDF: save its text first (pdftotext FILE)", "%PDF": "",
	} {
		if got := foreign([]byte(in)); got != want {
			t.Errorf("%.20q: %q, want %q", in, got, want)
		}
	}
	const zero = "a zero byte: the file is damaged or not text"
	const none = "no known format: 2 columns where a run has 6 (query, Q0, document, rank, score, tag) and qrels " +
		"have 4 (query, 0, document, grade) or 3 (query, document, grade)"
	for in, want := range map[string]string{
		"\n \t\r\n\nq1 d1\n": "line 4: " + none, "\n\n": "empty file", " ": "empty file",
		"\xff\xfeq": "line 1: text is UTF-16: save it as UTF-8",
		"\xfe\xffq": "line 1: text is UTF-16: save it as UTF-8", "\xff\xffq d\n": "line 1: " + none, "\xfe": "",
		"\n\nabcd\nef\x00g\n": "line 4: " + zero, "abc\x00": "not a text: no known format",
		"abcd\x00": "line 1: " + zero, "ab\xff\xfed\x00": "not a text: no known format",
		strings.Repeat("a b\n", 50) + "\x00":                                       "line 51: " + zero,
		strings.Repeat("a b\n", 62) + "ab" + strings.Repeat("\x00", 5):             "line 63: " + zero,
		strings.Repeat("a b\n", 62) + "a" + strings.Repeat("\x00", 6) + "bcdefghi": "not a text: no known format",
		"# a\n#b\n\nq1 d1\n": "line 3: " +
			"no known format: 0 columns where a run has 6 (query, Q0, document, rank, score, tag) and qrels have 4 " +
			"(query, 0, document, grade) or 3 (query, document, grade)", "# a": "line 1: nothing but comments",
		"a,b,c\n": "line 1: " + errUnknownHeader.Error(), "a;b\n": "line 1: " + errUnknownHeader.Error(),
		"qid,topic,x\n":          `line 1: columns "qid" and "topic" mean the same`,
		"{\"a\": [1],\n\"b\" 2}": "line 2: column 5: expected ':'",
		"q1 0 d1 1 x y\n":        `line 1: score "x" is not a number`,
		"q1 0 d1 z x y\n": "line 1: no known format: 6 columns where a run has 6 (query, Q0, document, rank, " +
			"score, tag) and qrels have 4 (query, 0, document, grade) or 3 (query, document, grade); as a run, its " +
			"score \"x\" is not a number",
	} {
		_, err := Read("x", strings.NewReader(in), Options{})
		if want != "" && (err == nil || !strings.HasPrefix(err.Error(), "collection: read x: "+want)) {
			t.Errorf("%.40q: %v, want %s", in, err, want)
		}
	}
	// The same of a reader that was told what it reads.
	for in, want := range map[string]string{
		"\xff\xfeq": "line 1: text is UTF-16: save it as UTF-8",
		"\xfe\xffq": "line 1: text is UTF-16: save it as UTF-8", "\xff\xff Q0 d 1 1 t\n": "",
		"\xfe\xfe Q0 d 1 1 t\n": "", "\ufeff\nq Q0 d 1 1 t\n": "", "\ufeffq Q0 d 1 1 t\n": "",
		"q Q0 d 1 1 t\nq\x00": "line 2: " + zero,
		"q d 1 t\n": "line 1: 4 columns: a run has 6 (query, Q0, document, rank, score, tag), or 5 " +
			"without Q0 or tag", "q a d 1 t\n": "", "q d a b t\n": `line 1: score "t" is not a number`,
		"query Q0 doc rank score\nq Q0 d 1 2.5\n": "",
		"query Q0 doc rank points tag\n":          `line 1: score "points" is not a number`,
		"q Q0 d 1 1 t\nq Q0 d 2 1\n":              "line 2: 5 columns where 6 are expected",
		"q Q0 d 1 1 t\nq Q0 d 2 1": "line 2: 5 columns where 6 are expected: this is the last line, " +
			"the file may be cut off",
		"q d 1 1 t\nq d 1 1 t u\n": "line 2: 6 columns where the lines before have 5",
		"\rq Q0 d 1 1 t\rq Q0 e 1 1 t\r": "line 1: a carriage return within the line: save the file with one kind of " +
			"line ending",
	} {
		_, _, err := ReadRun(strings.NewReader(in), "x", Options{})
		if got := fmt.Sprint(err); want == "" && err != nil || want != "" && got != "collection: read x: "+want {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
	// A file of old line ends that begins with an empty line, and some whose first end is another.
	for in, want := range map[string]int{"\rq 0 d 1\rq 0 e 1\r": 2, "q 0 d 1\rq 0 e 1\r": 2, "q 0 d 1\rq 0 e 1": 2,
		"q 0 d 1\r": 1, "q 0 d 1\r\nq 0 e 1\r\n": 2, "q 0 d 1\nq 0 e 1\r": 2} {
		if c, err := Read("x", strings.NewReader(in), Options{}); err != nil || c.Qrels == nil ||
			c.Qrels.Len() != want {
			t.Errorf("%q: %v", in, err)
		}
	}
	// What the format is told by ends between the two characters of an ending: it is one ending, and the line after it
	// is the second.
	halves := io.MultiReader(strings.NewReader(strings.Repeat(" ", sniff-1)+"\r"), strings.NewReader("\nq 0 e x\r\n"))
	if _, err := Read("f", halves, Options{Kind: QrelsTREC}); err == nil || !strings.Contains(err.Error(), "line 2: ") {
		t.Errorf("%v, want an error in line 2", err)
	}
}

// A score is not a number for one of several reasons.
func TestWhyAScoreIsNone(t *testing.T) {
	for in, want := range map[string]string{
		"1,5": `score "1,5" is not a number (decimals are separated by a point)`, ",5": `score ",5" is not a number`,
		"5,": `score "5," is not a number (decimals are separated by a point)`, "x": `score "x" is not a number`,
		"1_0":    `score "1_0" is not a number`,
		"nan":    "score nan cannot be ranked: replace it with a number, or remove the line",
		"inf":    "score inf is infinite and cannot be ranked: replace it with a number, or remove the line",
		"-inf":   "score -inf is infinite and cannot be ranked: replace it with a number, or remove the line",
		"1e999":  "score 1e999 is beyond the range of double precision",
		"-1e999": "score -1e999 is beyond the range of double precision", "0x": `score "0x" is not a number`,
		"x0": `score "x0" is not a number`,
	} {
		if _, err := parseScore([]byte(in)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
	// C's strtod, of glibc 2.36, reads hexadecimal numbers without an exponent.
	for in, want := range map[string]float64{"0x1": 1, "-0xA": -10, "+0X1.8": 1.5, "0x": math.NaN(), "0x1p1": 2,
		"0x1P-1": 0.5, "00x1": math.NaN()} {
		got, err := parseScore([]byte(in))
		if err == nil != (want == want) || want == want && got != want {
			t.Errorf("%q: %v, %v", in, got, err)
		}
	}
}

// Where in a text markup ends: what a reader of it would see.
func TestUnmarked(t *testing.T) {
	for in, want := range map[string]string{
		"a <": "a <", "<": "<", "a<b>c": "a c", "a<z>c": "a c", "a<A>c": "a c", "a<Z>c": "a c", "a</b>c": "a c",
		"a<!x>c": "a c", "a<?x>c": "a c", "a<`>c": "a<`>c", "a<{>c": "a<{>c", "a<@>c": "a<@>c", "a<[>c": "a<[>c",
		"a<3>c": "a<3>c",
		"a<b":   "a<b", "a<!-- > -->c": "a c", "a<!-->c": "a c", "a<!-- >c": "a<!-- >c", "<>": "<>",
		"a &lt;b&gt;": "a <b>", " a \n b ": "a b", "": "",
	} {
		if got := unmarked(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{
		"<t></t>x": `[""] "x"`, "a<t>b</t>c<T>d</T>e": `["b" "d"] "ace"`, "a<t>b": `[] "a<t>b"`,
		"a</t>b": `[] "a</t>b"`, "": `[] ""`, "<t>b</t>": `["b"] ""`, "<t x>b</t>": `[] "<t x>b</t>"`,
	} {
		inner, rest := elements(in, "t")
		if got := fmt.Sprintf("%q %q", inner, rest); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]int{"<doc>": 0, "x<doc>": 1, "<<doc>": 1, "<doc": -1, "<DOC>": 0, "<doc><doc>": 0,
		"<docs>": -1, "<do><doc>": 4, "": -1, "doc>": -1} {
		if got := tagAt([]byte(in), "doc"); got != want {
			t.Errorf("%q: %d, want %d", in, got, want)
		}
	}
	c := mustRead(t,
		"<DOC><DOCNO>a</DOCNO><TITLE></TITLE><TITLE>two</TITLE><HL>three</HL>x\n</DOC><DOC><DOCNO>b</DOCNO>y</DOC>\n",
		Options{})
	if got := fmt.Sprintf("%+v", c.Docs); len(c.Docs) != 2 || c.Docs[0].Title != "two" || c.Docs[0].Text != "x" ||
		c.Docs[1].Text != "y" || c.Docs[1].Title != "" {
		t.Error(got)
	}
	if got := unescapeMarkup("&#0;&#1;"); got != "\x00\x01" {
		t.Errorf("%q", got)
	}
	for _, c := range []struct{ raw, name, want string }{
		{`<topic number="7">`, "number", "7"}, {`<topic number='7' type="a b">`, "type", "a b"},
		{`<topic number=7 x>`, "number", "7"}, {`<topic number=>`, "number", ""}, {`<topic>`, "number", ""},
		{`<TOPIC xnumber="8" Number="7A">`, "number", "7A"},
	} {
		_, attributes, _ := strings.Cut(lower([]byte(c.raw[1:len(c.raw)-1])), " ")
		if got := attribute(c.raw, attributes, c.name); got != c.want {
			t.Errorf("%s: %q", c.raw, got)
		}
	}
	for in, want := range map[string]string{"Number: 7": "7", "NUMBER:7": "7", "number:": "", "Numbe": "Numbe",
		"7": "7", "Number 7": "Number 7"} {
		if got := cutLabel(in, "Number:"); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

// Large output is handed on in pieces of 60 KiB and a little.
func TestOutputComesInPieces(t *testing.T) {
	var sizes []int
	w := writerFunc(func(b []byte) (int, error) { sizes = append(sizes, len(b)); return len(b), nil })
	b := NewRunBuilder("t")
	for i := range 20000 {
		b.Add("q", strconv.Itoa(i), float64(-i))
	}
	r, _ := b.Run()
	q := NewQrels()
	for i := range 20000 {
		q.Add("q", strconv.Itoa(i), 1)
	}
	for name, write := range map[string]func() error{
		"TREC": func() error {
			return r.WriteTREC(w)
		}, "JSON": func() error {
			return r.WriteJSON(w)
		}, "CSV": func() error {
			return r.WriteCSV(w)
		}, "qrels": func() error { return q.WriteTREC(w) }, "qrels as TSV": func() error { return q.WriteTSV(w) },
		"qrels as JSON": func() error { return q.WriteJSON(w) }, "qrels as CSV": func() error { return q.WriteCSV(w) },
	} {
		sizes = nil
		if err := write(); err != nil || len(sizes) < 3 {
			t.Fatalf("%s: %v, %v", name, sizes, err)
		}
		for i, n := range sizes {
			if n >= 61<<10 || n < 60<<10 && i < len(sizes)-1 {
				t.Errorf("%s: %v", name, sizes)
			}
		}
	}
	o := newOutput(w)
	sizes = nil
	o.buf = make([]byte, 60<<10-1)
	if o.full(); len(sizes) != 0 {
		t.Error(sizes)
	}
	o.byte('x')
	if o.full(); fmt.Sprint(sizes) != "[61440]" || len(o.buf) != 0 {
		t.Error(sizes)
	}
}

type writerFunc func(b []byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// What is written of documents and queries, letter by letter: what is not known is not written.
func TestWhatIsWrittenOfDocuments(t *testing.T) {
	var out bytes.Buffer
	docs := []Doc{{ID: "a", Text: "x"}, {ID: "b", Title: "t", Text: "x", Date: "2024-02-29", Page: 3,
		News: &News{Story: "s", Updates: []string{"1", "2"}}, Entities: []Entity{{"n", "k", 0.5}, {"m", "", 1}}},
		{ID: "c", News: &News{}}}
	if err := WriteCorpus(&out, docs); err != nil {
		t.Fatal(err)
	}
	want := `{"_id": "a", "title": "", "text": "x", "metadata": {}}
{"_id": "b", "title": "t", "text": "x", "metadata": {"date": "2024-02-29", "page": 3, "story": "s", "updates": ["1", "2"], "entities": [{"name": "n", "type": "k", "confidence": 0.5}, {"name": "m", "type": "", "confidence": 1}]}}
{"_id": "c", "title": "", "text": "", "metadata": {}}
`
	if out.String() != want {
		t.Errorf("%s\nwant %s", out.String(), want)
	}
	out.Reset()
	c := &Collection{Name: "n", Queries: []Query{{ID: "q1", Text: "t"}, {ID: "q2"}},
		Docs: []Doc{{ID: "a", Text: "x"}, {ID: "b", Page: 2}}, Qrels: NewQrels()}
	c.Qrels.Add("q1", "a", 1)
	c.Qrels.Add("q1", "b", 2)
	c.Qrels.Add("q2", "a", 0)
	if err := WriteDataset(&out, c); err != nil {
		t.Fatal(err)
	}
	want = `{"metadata": {"name": "n", "license": "", "source": ""},
"queries": {
"q1": {"query_id": "q1", "text": "t", "query_type": "", "difficulty": "", "domain": ""},
"q2": {"query_id": "q2", "text": "", "query_type": "", "difficulty": "", "domain": ""}
},
"documents": {
"a": {"doc_id": "a", "text": "x", "source": "", "section": ""},
"b": {"doc_id": "b", "text": "", "source": "", "page_number": 2, "section": ""}
},
"qrels": {
"q1": {"a": 1, "b": 2},
"q2": {"a": 0}
}}
`
	if out.String() != want {
		t.Errorf("%s\nwant %s", out.String(), want)
	}
	out.Reset()
	if err := WriteJudgedQueries(&out, c.Queries, c.Qrels); err != nil || out.String() != `[
{"id": "q1", "query": "t", "type": "", "relevant_articles": {"a": 1, "b": 2}},
{"id": "q2", "query": "", "type": "", "relevant_articles": {"a": 0}}
]
` {
		t.Errorf("%s", out.String())
	}
}

// A dataset without documents says nothing of those that are judged; pages are from 1 to the largest int32.
func TestDatasetCorners(t *testing.T) {
	read := func(documents string) (*Content, []Warning) {
		c := mustRead(t, "{\"queries\": {\"q\": {\"text\": \"t\"}},\n\"documents\": {"+documents+
			"},\n\"qrels\": {\"q\": {\"d\": 1}}}", Options{})
		return c, c.Collection.Warnings
	}
	if _, w := read(""); len(w) != 0 {
		t.Errorf("%v", w)
	}
	if _, w := read(`"e": {"text": "x"}`); kinds(w) != "unknown-document×1@3" {
		t.Errorf("%v", w)
	}
	for in, want := range map[string]int{"-1": 0, "0": 0, "1": 1, "2147483647": math.MaxInt32, "2147483648": 0,
		"null": 0} {
		if c, _ := read(`"d": {"text": "x", "page_number": ` + in + `}`); c.Collection.Docs[0].Page != want {
			t.Errorf("page %s: %d", in, c.Collection.Docs[0].Page)
		}
	}
	b := mustRead(t, `{"schema_version": "1.0", "metadata": {"a": ["x", {"b": true}, 3, null]}, "queries": `+
		`[{"query_key": "q", "query_text": "t", "relevant_docs": []}]}`, Options{}).Benchmark
	if got := fmt.Sprint(b.Metadata); got != "[{[a 0] x false} {[a 1 b] true false} {[a 2] 3 false}]" {
		t.Error(got)
	}
	c := mustRead(t, "{\"id\": \"a\", \"contents\": \"x\"}\n", Options{})
	if c.Compressed || mustRead(t, string(gz([]byte("q 0 d 1\n"))), Options{}).Compressed == false {
		t.Error("what was compressed")
	}
	w, err := ReadWeights(strings.NewReader(
		"{\"id\": \"a\", \"vector\": {}}\n{\"id\": \"b\", \"vector\": {}, \"vector\": {}}\n{\"id\": \"c\", \"id\": "+
			"\"d\", \"vector\": {}}\n"), "w", Options{}, func(string, map[string]float32) error {
		return nil
	})
	if err != nil || located(w, RepeatedKey) != `×2 2:"vector" 3:"id"` {
		t.Errorf("%v, %v", w, err)
	}
}

// Runs of ranks and tables of grades: signs, first lines and columns at 0.
func TestTablesAtTheirFirstColumn(t *testing.T) {
	c := mustRead(t, "#comment\nq\ta\t3\nq\tb\t1\n#q\tc\t2\n# here\n#q\td\t1\n", Options{Kind: RunRanks})
	if docs(c.Run, "q", DocIDDescending) != "b a" || docs(c.Run, "#q", DocIDDescending) != "d c" ||
		fmt.Sprint(c.Run.Scores(0)) != "[-1 -3]" || kinds(c.Warnings) != "dialect×4@2 unsorted-input×2@3" {
		t.Error(c.Run.Queries(), kinds(c.Warnings))
	}
	for text, want := range map[string]Format{"score,qid,docno\n1,q,d\n": QrelsCSV,
		"rank,qid,docno,score\n1,q,d,2\n": RunCSV, "grade,qid,docno,score\n1,q,d,2\n": RunCSV,
		"qid,docno,rank\nq,d,1\n": RunCSV} {
		if c := mustRead(t, text, Options{Prefer: QrelsTREC}); c.Format != want {
			t.Errorf("%q: %s", text, c.Format)
		}
	}
	c = mustRead(t, "grade,qid,docno,score\n1,q,d,2\n,q,e,1\n", Options{})
	if c.Run == nil || c.Qrels == nil || c.Qrels.Len() != 1 || c.Run.Len() != 2 {
		t.Errorf("%+v", c)
	}
	c = mustRead(t, "\n\n\"qid\",\"docno\",score\nq,d,1\n", Options{})
	if c.Run == nil || c.Lines != 4 {
		t.Errorf("%+v", c)
	}
	if _, err := Read("f", strings.NewReader("qid,\"docno,score\n"), Options{Kind: RunCSV}); err == nil ||
		err.Error() != "collection: read f: line 1: a quoted field is not closed" {
		t.Error(err)
	}
	// Records without quotes are taken as they lie in the line.
	src, err := newSource("f", strings.NewReader("a,b,c\n\n d ,,\"e\"\"f\"\n"),
		Options{Limits: Limits{}.withDefaults()})
	if err != nil {
		t.Fatal(err)
	}
	table := &table{in: newLines(src), sep: ','}
	if f, err := table.next(); err != nil || fmt.Sprintf("%q", f) != `["a" "b" "c"]` || table.text != nil {
		t.Errorf("%q, %q, %v", f, table.text, err)
	}
	if f, err := table.next(); err != nil || fmt.Sprintf("%q", f) != `[" d " "" "e\"f"]` || table.line != 3 {
		t.Errorf("%q, line %d, %v", f, table.line, err)
	}
	for head, want := range map[string]Format{
		"#a\tb\nq Q0 d 1 2.5 t\n": RunTREC, "junk\nqid iter docno rel\n": Unknown, "qid iter docno rel\n": QrelsTREC,
		"qid docno rel\n": QrelsTSV, "junk\nqid docno rel\n": Unknown,
		"q Q0 d 1 2.5 t\n# x\n": RunTREC,
	} {
		if got := Detect([]byte(head)); got != want {
			t.Errorf("%q: %q, want %q", head, got, want)
		}
	}
}

// YAML as ir_metadata writes it, at its corners.
func TestMetadataCorners(t *testing.T) {
	for text, want := range map[string]string{
		`a: ["x\"y", z]`: `a/0="x\"y" a/1="z"`, "a: []": `a="[]"`, "a: {}": `a="{}"`, "a: [x": `a="[x"`, ": x": "",
		":": "", "a: \"\"": `a=""`, "a: ''": `a=""`, "a: '": `a="'"`, "a: {b: c, d: [e]}": `a/b="c" a/d/0="e"`,
		"a: [x, ]": `a="[x, ]"`, "a: [[x], y]": `a/0/0="x" a/1="y"`,
		"- x\n- y": `0="x" 1="y"`, "a:\n- x\n- b: y\n  c: z\nd: e": `a/0="x" a/1/b="y" a/1/c="z" d="e"`,
		"a:\n  b: c\n d: e": `a/b="c" a/d="e"`, "a: b # c": `a="b"`, "a: # c": "", "a: 'b' ": `a="b"`,
	} {
		var head []string
		for l := range strings.SplitSeq(metadataStart+"\n"+text+"\n"+metadataEnd, "\n") {
			head = append(head, "# "+l)
		}
		var got []string
		for _, f := range parseMetadata(head) {
			got = append(got, fmt.Sprintf("%s=%q", strings.Join(f.Path, "/"), f.Value))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %s, want %s", text, s, want)
		}
	}
	deep := func(n int) string { return strings.Repeat("[", n) + "x" + strings.Repeat("]", n) }
	for n, path := range map[int]int{31: 32, 32: 32, 40: 32} { // the key, and a place for each bracket up to 31
		m := parseMetadata([]string{"# " + metadataStart, "# a: " + deep(n), "# " + metadataEnd})
		if len(m) != 1 || len(m[0].Path) != path || m[0].Value != deep(max(n-31, 0)) {
			t.Errorf("%d brackets: %d, %v", n, len(m[0].Path), m)
		}
	}
	m := Metadata{{Value: "nowhere"}}
	if m.lines() != nil {
		t.Error(m.lines())
	}
	m = nil
	m.Set("1", "0")
	m.Set("2", "b", "1")
	m.Set("3", "b", "0")
	m.Set("4", "c d\x01")
	m.Set("5", "b", "10")
	if got, want := strings.Join(m.lines(), "\n"),
		"# ir_metadata.start\n# 0: 1\n# b:\n#   - 3\n#   - 2\n#   - 5\n# 'c d ': 4\n# ir_metadata.end"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	src, err := newSource("run", strings.NewReader(strings.Repeat("# a line\n", 10001)),
		Options{Limits: Limits{}.withDefaults()})
	if err != nil {
		t.Fatal(err)
	}
	p := &runText{in: newLines(src)}
	for err == nil {
		err = p.slow()
	}
	if err != io.EOF {
		t.Error(err)
	}
	if len(p.head) != 10000 {
		t.Error(len(p.head))
	}
}

// Runs as they are kept: long ids, lines of what comes again, room for what there is.
func TestRunsAsTheyAreKept(t *testing.T) {
	for _, n := range []int{1, 254, 255, 256, 65535, 65536, 70000} {
		b := NewRunBuilder("")
		long := strings.Repeat("x", n-1)
		b.Add("q", long+"a", 1)
		b.Add("q", long+"b", 3)
		b.Add("q", long+"c", 2)
		r, _ := b.Run()
		if got := docs(r, "q", DocIDDescending); got != long+"b "+long+"c "+long+"a" {
			t.Errorf("ids of %d: %.50s", n, got)
		}
		if got, want := r.lists[0].nb, uint32(3*(n+1+map[bool]int{true: 4}[n >= 255])); got != want {
			t.Errorf("ids of %d: %d bytes, want %d", n, got, want)
		}
	}
	// The lines of a query that comes back, with and without blank lines in between: each of its warnings names its
	// line.
	_, w := mustRun(t, "p Q0 a 1 9 t\np Q0 b 2 8 t\nq Q0 x 1 1 t\np Q0 c 3 7 t\np Q0 b 4 8 t\nq Q0 y 2 2 t\n\nq Q0 x "+
		"3 1 t\np Q0 d 5 99 t\n")
	if got := located(w, DuplicateDocument) + ", " + located(w, UnsortedInput) + ", " +
		located(w, InterleavedQueries); got != `×2 5:"p b" 8:"q x", ×2 5:"p" 6:"q", ×3 4:""` {
		t.Error(got)
	}
	// Of several repeated documents the first line is named.
	_, w = mustRun(t, "q Q0 a 1 9 t\nq Q0 b 2 8 t\nq Q0 b 3 7 t\nq Q0 a 4 6 t\nq Q0 c 5 5 t\nq Q0 c 6 5 t\nq Q0 d 7 "+
		"4 t\nq Q0 d 8 4 t\n")
	if got := located(w, ConflictingScore) + ", " + located(w, DuplicateDocument); got != `×2 3:"q b", ×2 6:"q c"` {
		t.Error(got)
	}
	// Slabs double from 256 and give back what they do not need.
	var s slabs[byte]
	for i, c := range []struct {
		n, slab, off, cap int
	}{{200, 0, 0, 256}, {56, 0, 200, 256}, {1, 1, 0, 512}, {511, 1, 1, 512}, {5000, 2, 0, 5000}, {1, 3, 0, 8192},
		{8191, 3, 1, 8192}, {1, 4, 0, 8192}} {
		slab, off, room := s.take(c.n, 8192)
		if int(slab) != c.slab || int(off) != c.off || len(room) != c.n || cap(room) != c.n ||
			cap(s.list[slab]) != c.cap {
			t.Errorf("%d: slab %d at %d, %d of %d", i, slab, off, len(room), cap(s.list[slab]))
		}
	}
	for _, c := range []struct {
		len, cap, want int
	}{{0, 16, 16}, {0, 17, 0}, {160, 186, 186}, {160, 187, 160}, {15, 31, 31}, {15, 32, 15}, {16, 33, 33}} {
		s := slabs[byte]{list: [][]byte{make([]byte, c.len, c.cap)}}
		if s.trim(); cap(s.list[0]) < c.want || c.want == c.cap != (cap(s.list[0]) == c.cap) {
			t.Errorf("%+v: %d", c, cap(s.list[0]))
		}
	}
	b := NewRunBuilder("")
	b.Add("query", "d", 1)
	b.Add("other", "7", 1)
	r, _ := b.Run()
	want := 2*int64(unsafe.Sizeof(list{})) + 10 + 4*int64(len(r.table)) + 8*int64(cap(r.f.list[0])) +
		4*int64(cap(r.u.list[0])) + int64(cap(r.b.list[0]))
	if got := r.Bytes(); got != want || want < 100 {
		t.Errorf("%d, want %d", got, want)
	}
	// The first n of a list with ties at its end, under every policy.
	r, _ = mustRun(t, "q Q0 a 1 3 t\nq Q0 b 2 3 t\nq Q0 c 3 3 t\nq Q0 d 4 2 t\nq Q0 e 5 2 t\n")
	for n := range 7 {
		for _, ties := range []Ties{DocIDDescending, DocIDAscending, InputOrder} {
			all := r.Ranked(0, ties, nil)
			if got := r.Top(0, n, ties, nil); fmt.Sprint(got) != fmt.Sprint(all[:min(n, 5)]) {
				t.Errorf("%d, %v: %v", n, ties, got)
			}
		}
	}
	for v, want := range map[uint32]int{0: 1, 9: 1, 10: 2, 99: 2, 100: 3, 999999999: 9, 1000000000: 10,
		math.MaxUint32: 10} {
		if got := digitsOf(v); got != want {
			t.Errorf("%d: %d digits", v, got)
		}
	}
}

// The grades of a run of numbers are those of its qrels, whether few or many are judged, and under every policy for
// ties.
func TestGradesOfNumbers(t *testing.T) {
	for _, judged := range []int{1, scan, scan + 1, 40, 300} {
		b, q := NewRunBuilder(""), NewQrels()
		for i := range 300 {
			b.Add("q", strconv.Itoa(i*7), float64(-i/3))
		}
		for i := range judged {
			q.Add("q", strconv.Itoa(i*21%2100), float64(i%5))
			q.Add("q", "0"+strconv.Itoa(i*7), 9) // another id
		}
		r, _ := b.Run()
		for _, ties := range []Ties{DocIDDescending, DocIDAscending, InputOrder} {
			grades, scores := r.Grades(0, q, ties, nil, nil)
			for k, e := range r.Ranked(0, ties, nil) {
				want, ok := q.Grade("q", e.Doc)
				if !ok {
					want = Unjudged
				}
				if grades[k] != float64(want) || scores[k] != e.Score {
					t.Fatalf("%v judged, %v, rank %v: %v, want %v", judged, ties, k, grades[k], want)
				}
			}
		}
	}
}
