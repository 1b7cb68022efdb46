package collection

import (
	"fmt"
	"strings"
	"testing"
)

// How many lines and bytes decide what a text is.
func TestDetectAtItsBounds(t *testing.T) {
	queries := func(length int) string {
		return `{"_id": "a", "text": "` + strings.Repeat("x", length) + "\"}\n"
	}
	ranks := func(n, from int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "q\td%d\t%d\n", i, from+i)
		}
		return b.String()
	}
	const run = "q1 Q0 d1 1 2.5 t\n"
	for _, c := range []struct {
		name, head string
		want       Format
	}{
		{"nine lines of nothing", strings.Repeat("x\n", 9) + run + "y", RunTREC},
		{"ten lines of nothing", strings.Repeat("x\n", 10) + run + "y", Unknown},
		{"blank lines and comments", strings.Repeat("\n# x\n", 20) + run + "y", RunTREC},
		{"text of 400", queries(400), QueriesJSONL}, {"text of 401", queries(401), CorpusJSONL},
		{"a title", `{"_id": "a", "title": "", "text": "x"}`, CorpusJSONL}, {"an id alone", `{"_id": "a"`, CorpusJSONL},
		{"an id and nothing else", `{"_id": "a"}`, QueriesJSONL},
		{"cut off behind a text", `{"_id": "a", "text": "x"`, QueriesJSONL},
		{"Anserini", `{"id": "a", "contents": "x"}`, CorpusJSONL},
		{"an id of a number", `{"docid": 7, "contents": "x"}`, CorpusJSONL},
		{"an id of another kind", `{"id": [], "contents": "x"}`, Unknown},
		{"six ranks", ranks(6, 1), RunRanks}, {"five ranks", ranks(5, 1), QrelsTSV},
		{"six from 0", ranks(6, 0), RunRanks}, {"six from 2", ranks(6, 2), QrelsTSV},
		{"six and a comment", "# c\n" + ranks(6, 1), RunRanks},
		{"five and one more", ranks(5, 1) + "q\td\t7\n", QrelsTSV},
		{"five and one of another query", ranks(5, 1) + "r\td\t1\n", QrelsTSV},
		{"of two queries", "p\td\t1\np\te\t2\n" + ranks(6, 1), RunRanks},
		{"a fraction", ranks(5, 1) + "q\td\t6.0\n", QrelsTSV},
		{"a run of five columns and a tab", "q1 Q0 d1 1\t2.5\n", RunTREC},
		{"a query of five words", "q1\ta b c d\n", QueriesTSV},
		{"a query of five words, the last a number", "q1\ta b c 5\n", PrefsTREC},
		{"a query of four words, the last a number", "q1\ta b 5\n", QueriesTSV},
		{"a query like qrels", "q1 0\td 1\n", QrelsTREC}, {"a query and tabs behind it", "q1\tx\t \t\n", QueriesTSV},
		{"no Q0", "q d 1 2.5 t\n", RunTREC}, {"no tag", "q 0 d 1 2.5\n", RunTREC},
		{"preferences", "q u s d 2.5\n", PrefsTREC}, {"a rank that is none, no tag", "q Q0 d x 2.5\n", Unknown},
		{"labelled", "#q 0 d x 2.5\n", Unknown}, {"qrels", "q x d 1\n", QrelsTREC},
		{"qrels without a number", "q x d y\n", Unknown}, {"three columns", "q d 1\n", QrelsTSV},
		{"three columns without a number", "q d x\n", Unknown}, {"two columns", "q 1\n", Unknown},
		{"zero byte late", strings.Repeat("x", 4095) + "\x00", Unknown},
		{"zero byte at the end of what is looked at", "q d 1\n" + strings.Repeat("x", 4089) + "\x00", Unknown},
		{"zero byte behind what is looked at", "q d 1\n" + strings.Repeat("x", 4090) + "\x00", QrelsTSV},
		{"a run that begins with a brace", "{q Q0 d 1 2.5 t\n", RunTREC},
		{"qrels that begin with a bracket", "[q 0 d 1\n", QrelsTREC},
		{"a run that begins with <", "<q Q0 d 1 2.5 t\n", RunTREC}, {"a document", "<DOC>\n<DOCNO>a", CorpusTREC},
		{"a DOC without DOCNO", "<DOC>\n<DOC", Unknown},
		{"empty zip", "PK\x05\x06", Zip}, {"no zip", "PK\x05\x07", Unknown},
		{"two columns of chunks", "chunk_id doc_id\na b\n", ChunkMap},
		{"three columns of chunks", "chunk_id doc_id x\n", Unknown}, {"one column of chunks", "chunk_id\n", Unknown},
	} {
		if got := Detect([]byte(c.head)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for text, want := range map[string]bool{"x score": false, "x y score": true, "x y z score": true,
		"w x y z score": false, "x y Grade": true, "x y points": false} {
		f := spread([]byte(text), nil, 9)
		if got := qrelsHeader(f); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	for text, want := range map[string]Format{`{"q": {"d": 100}}`: QrelsJSON, `{"q": {"d": 101}}`: RunJSON,
		`{"q": {"d": -1}}`: QrelsJSON} {
		if c := mustRead(t, text, Options{}); c.Format != want {
			t.Errorf("%s: %s", text, c.Format)
		}
	}
	for text, want := range map[string]string{
		"a\tb\tc": `["a" "b" "c"] true`, "a\tb c\td": `["a" "b c" "d"] true`, "a\tb": `["a" "b"] false`,
		"a b c": `["a" "b" "c"] false`, "a\t\tb\tc": `["a" "b" "c"] false`, "\ta\tb\tc": `["a" "b" "c"] false`,
		"a\tb\tc\t\t":  `["a" "b" "c"] true`,
		"a\t0\tc d\t1": `["a" "0" "c d" "1"] true`, "a\t0 c\t1": `["a" "0" "c" "1"] false`,
		"a\tx c\t1": `["a" "x c" "1"] true`, "a\tb\tc\td\te\tf\tg": `["a" "b" "c" "d" "e"] true`,
		"a b c d e f g": `["a" "b" "c" "d" "e"] false`, "a\t0\tc\t1\t \t": `["a" "0" "c" "1"] true`,
		"a\tq0\tc 1\t": `["a" "q0" "c" "1"] false`, "a\t0\tb c\t1 2": `["a" "0" "b c" "1 2"] true`, "\t\t": `[] false`,
		"": `[] false`, " ": `[] false`, " a ": `["a"] false`,
	} {
		f, tabs := split([]byte(text), nil, 5)
		if got := fmt.Sprintf("%q %v", f, tabs); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Metadata of documents: what is taken, what is left out, and what is said.
func TestMetadataOfDocuments(t *testing.T) {
	for _, c := range []struct{ metadata, want, said string }{
		{`{"date": "2024-02-29"}`, `{Date:2024-02-29}`, ""},
		{`{"date": "29.2.2024"}`, `{}`, `date "29.2.2024" of "d" is not YYYY-MM-DD and is ignored`},
		{`{"date": ""}`, `{}`, ""}, {`{"date": null}`, `{}`, ""},
		{`{"date": 2024}`, `{}`, `date of "d" has the wrong type and is ignored`},
		{`{"page": 3}`, `{Page:3}`, ""}, {`{"page": 0}`, `{}`, ""},
		{`{"page_number": -1}`, `{}`, `page_number of "d" is not a page number and is ignored`},
		{`{"page": 1.5}`, `{}`, `page of "d" is not a page number and is ignored`},
		{`{"page": "3"}`, `{}`, `page of "d" has the wrong type and is ignored`},
		{`{"uri": "u", "path": "p"}`, `{URI:u}`, ""}, {`{"path": "p", "uri": "u"}`, `{URI:u}`, ""},
		{`{"path": "a/f", "file_name": "f"}`, `{URI:a/f}`, ""}, {`{"file_name": "f", "path": "a/f"}`, `{URI:a/f}`, ""},
		{`{"file_name": "f", "path": "a/g"}`, `{URI:f}`, ""},
		{`{"path": "a/f", "path": "b/f"}`, `{URI:a/f}`, ""}, {`{"url": ""}`, `{}`, ""},
		{`{"uri": "u", "url": ""}`, `{URI:u}`, ""}, {`{"file_name": "f", "file_name": "f2"}`, `{URI:f}`, ""},
		{`{"updates": "x"}`, `{Updates:[x]}`, ""}, {`{"updates": ["x", "", "y"]}`, `{Updates:[x y]}`, ""},
		{`{"updates": ""}`, `{}`, ""}, {`{"updates": null}`, `{}`, ""},
		{`{"updates": [3]}`, `{}`, `updates of "d" has the wrong type and is ignored`},
		{`{"entities": [{"name": "n"}]}`, `{Entities:[{n  1}]}`, ""}, {`{"entities": [{"type": "k"}]}`, `{}`, ""},
		{`{"entities": {}}`, `{}`, `entities of "d" has the wrong type and is ignored`},
		{`{"entities": [3]}`, `{}`, `an entity of "d" has the wrong type and is ignored`},
		{`{"entities": [{"name": "n", "type": "k", "confidence": 0}, {"name": "m", "confidence": 1}]}`,
			`{Entities:[{n k 0} {m  1}]}`, ""},
		{`{"entities": [{"name": "n", "confidence": -0.5}]}`, `{Entities:[{n  0}]}`,
			`an entity of "d" has a confidence outside 0 to 1, which is clamped`},
		{`{"entities": [{"name": "n", "confidence": 1.5}]}`, `{Entities:[{n  1}]}`,
			`an entity of "d" has a confidence outside 0 to 1, which is clamped`},
		{`{"entities": [{"name": "n", "confidence": "1"}]}`, `{Entities:[{n  1}]}`,
			`entity confidence of "d" has the wrong type and is ignored`},
		{`[]`, `{}`, `metadata of "d" has the wrong type and is ignored`}, {`null`, `{}`, ""},
	} {
		x := mustRead(t, `{"_id": "d", "title": "t", "text": "x", "metadata": `+c.metadata+"}\n", Options{})
		d := x.Docs[0]
		var got []string
		add := func(name string, v any, none bool) {
			if !none {
				got = append(got, fmt.Sprint(name, ":", v))
			}
		}
		add("Date", d.Date, d.Date == "")
		add("URI", d.URI, d.URI == "")
		add("Page", d.Page, d.Page == 0)
		if d.News != nil {
			add("Updates", d.News.Updates, d.News.Updates == nil)
		}
		add("Entities", d.Entities, d.Entities == nil)
		said := ""
		for _, w := range x.Warnings {
			said += w.Message
		}
		if s := "{" + strings.Join(got, " ") + "}"; s != c.want || said != c.said {
			t.Errorf("%s: %s, %s; want %s, %s", c.metadata, s, said, c.want, c.said)
		}
	}
}

// Lines of runs with tabs and spaces: which of them are cells, and what the quick reader goes by behind them.
func TestTabbedLinesOfRuns(t *testing.T) {
	for _, c := range []struct{ line, want, said string }{
		{"q\tQ0\td\t1\t2.5\tt", "q d 2.5 t", ""}, {"q 1\tQ0\td 1\t1\t2.5\tt", "q 1 d 1 2.5 t", "space-in-id×2@1"},
		{"q\tQ0\td \t1\t2.5\tt", "q d 2.5 t", "stray-space×1@1"},
		{"q\tQ0\td\t1\t2.5\tt u v", "q d 2.5 t", "extra-columns×1@1"},
		{"q\tQ0\td 1\t1\t2.5\tt\t ", "q d 1 2.5 t", "space-in-id×1@1"},
		{"q\tQ0\td 1\t1\t2.5\tt\t \t", "q d 1 2.5", "space-in-id×1@1 extra-columns×1@1"},
		{"q\tQ0\td 1\t1\t2.5\tt\tu", "", ""}, {"q\td 1\t1\t2.5\tt", "q 1 2.5 t", ""},
		{"q\tQ0\td 1\t1\t2.5", "q d 1 2.5", ""},
		{"q\tQ 0\td\t1\t2.5\tt", "q d 2.5 t", ""}, {"q Q0\td 1\t2.5 t", "q d 2.5 t", ""},
		{"q \t\tQ0 d 1 2.5 t", "q d 2.5 t", ""},
	} {
		r, w, err := ReadRun(strings.NewReader(c.line+"\n"), "f", Options{})
		got := ""
		if err == nil {
			e := r.Ranked(0, DocIDDescending, nil)[0]
			got = fmt.Sprint(r.Queries()[0], " ", e.Doc, " ", e.Score, " ", r.Tag)
		}
		if got != c.want && c.want != "" || c.want != "" && kinds(w) != c.said {
			t.Errorf("%q: %s, %s, %v", c.line, got, kinds(w), err)
		}
	}
	if !quick(t, "q1\tQ 0\td1\t1\t2.5\tt\n", "q1\tQ 0\td2\t2\t1.5\tt\n") ||
		quick(t, "q1\tQ 0\td1\t1\t2.5\tt\n", "q1\tQ 1\td2\t2\t1.5\tt\n") {
		t.Error("the quick reader behind a cell with a space")
	}
}

// A circle of preferences is spelt out up to eight documents.
func TestLongCircles(t *testing.T) {
	for n := 2; n <= 12; n++ {
		p := NewPreferences()
		for i := range n {
			p.Add("q", "u", fmt.Sprint(i), fmt.Sprintf("d%02d", i), 2)
			p.Add("q", "u", fmt.Sprint(i), fmt.Sprintf("d%02d", (i+1)%n), 1)
		}
		want := `group "u" of query "q" contradicts itself: "d00"`
		for i := 1; i < n; i++ {
			if i == 9 {
				want += " > …"
				break
			}
			want += fmt.Sprintf(" > \"d%02d\"", i)
		}
		if err := p.Check(); err == nil || err.Error() != want+` > "d00"` {
			t.Errorf("%d: %v, want %s", n, err, want)
		}
	}
}

// What YAML takes for something else than a string, and how texts of several lines begin and end.
func TestScalarsOfMetadata(t *testing.T) {
	for in, want := range map[string]bool{"0": true, "9": true, "12": true, "-1.5e3": true, "0x1F": true, "10:30": true,
		"2024-02-29": true, "true": true, "No": true, "~": true, ".inf": true, "/1": false, "1;": false, "a1": true,
		"g1": false, "a": false, "": false, "-": false} {
		if got := otherwise(in); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
	for text, want := range map[string]string{
		"a: |\n    one\n   two\n      three\n\n\nb: c": "a=one\ntwo\n  three\n; b=c", "a: |-\n  one\n": "a=one",
		"a: >\n  one\n  two": "a=one two\n", "a: |\nb: c": "a=; b=c", "a:\n  b: |\n   one\n  c: d": "a/b=one\n; a/c=d",
		"a: |\n one\n": "a=one\n",
	} {
		head := []string{"# " + metadataStart}
		for l := range strings.SplitSeq(text, "\n") {
			head = append(head, "# "+l)
		}
		var got []string
		for _, f := range parseMetadata(append(head, "# "+metadataEnd)) {
			got = append(got, strings.Join(f.Path, "/")+"="+f.Value)
		}
		if s := strings.Join(got, "; "); s != want {
			t.Errorf("%q: %q, want %q", text, s, want)
		}
	}
	for in, want := range map[string]string{"a": "a", "": "''", " a": "' a'", "a: b": "'a: b'", "a:": "'a:'",
		"a #b": "'a #b'", "-a": "'-a'", "it's": "it's", "'a": "'''a'", "a\tb": `"a\tb"`, "a\x7f": `"a\x7f"`,
		"a b": "a b", "a~": "a~", "\x1f": `"\x1f"`} {
		if got := quote(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	for in, want := range map[string]string{"a": "a", "a'b:": "'ab:'", "a\x1fb": "a b", "a\x7fb": "a b", "a b": "a b",
		"": "''"} {
		if got := quoteKey(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

// What a spreadsheet would take for a formula has an apostrophe before it, at the beginning of a cell and wherever one
// begins for a spreadsheet that was told of another separator; reading takes off what was put there, and nothing else.
func TestNoCellIsAFormula(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "'": "'", "a": "a", "a=": "a=", "'a": "'a", "-1": "-1", "+1e3": "+1e3", "'-1": "''-1",
		"=a": "'=a", "''=a": "'''=a", "-a": "'-a", "@": "'@", "|": "'|", "%": "'%", "\ta": "'\ta", "\ra": "'\ra",
		"=":        "'=",
		"x;=cmd|A": "x;'=cmd|A", "x;'=a": "x;''=a", "a\t=b": "a\t'=b", "a\n=b": "a\n'=b", "a\r\"+b": "a\r'\"+b",
		"x|-1": "x|'-1", "=a;=b": "'=a;'=b", "-1;-2": "'-1;'-2",
		"＝1": "'＝1", "−1": "'−1", "\u00a0=1": "'\u00a0=1", " \"@": "' \"@", "a;|b": "a;|b", "a,=b": "a,=b",
	} {
		got := guarded(in)
		if back := string(unguarded([]byte(got))); got != want || back != in {
			t.Errorf("%q: %q, want %q; read as %q", in, got, want, back)
		}
	}
	// What others wrote, and what was written when only beginnings were looked at.
	for in, want := range map[string]string{"'=": "=", "'=a;=b": "=a;=b", "x;=a": "x;=a", "'-1": "'-1",
		"'a;b": "'a;b"} {
		if got := string(unguarded([]byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Rank 0 is a rank, a fraction of one is cut off, and a second column with several values makes no subtopics where no
// document has two.
func TestRanksFromZero(t *testing.T) {
	c := mustRead(t, "q\ta\t0\nq\tb\t1\n", Options{Kind: RunRanks})
	if docs(c.Run, "q", DocIDDescending) != "a b" || kinds(c.Warnings) != "dialect×2@1" {
		t.Error(docs(c.Run, "q", DocIDDescending), kinds(c.Warnings))
	}
	c = mustRead(t, "qid,docno,rank\nq,a,0\nq,b,1\n", Options{})
	if docs(c.Run, "q", DocIDDescending) != "a b" || kinds(c.Warnings) != "dialect×2@2" {
		t.Error(docs(c.Run, "q", DocIDDescending), kinds(c.Warnings))
	}
	for rank, want := range map[string]string{"-1": `line 2: rank "-1" is not a number`,
		"x": `line 2: rank "x" is not a number`, "": `line 2: rank "" is not a number`} {
		if _, err := Read("f", strings.NewReader("qid,docno,rank\nq,a,"+rank+"\n"), Options{}); err == nil ||
			err.Error() != "collection: read f: "+want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := Read("f", strings.NewReader("q\ta\t-1\n"), Options{Kind: RunRanks}); err == nil ||
		err.Error() != `collection: read f: line 1: rank "-1" is not a number from 0 or 1` {
		t.Error(err)
	}
	// A rank of 0 before a higher score contradicts it, in a CSV as in a run.
	for _, text := range []string{"qid,docno,rank,score\nq,a,0,1\nq,b,1,2\n", "#\nq Q0 a 0 1 t\nq Q0 b 1 2 t\n"} {
		if c := mustRead(t, text, Options{}); located(c.Warnings, RankConflict) != `×1 3:"q"` {
			t.Errorf("%q: %s", text, kinds(c.Warnings))
		}
	}
	for text, want := range map[string]bool{"q 0 a 1\nq 1 b 1\n": false, "q 0 a 1\nq 1 a 1\n": true,
		"q 0 a 1\nr 1 a 1\n": false} {
		if c := mustRead(t, text, Options{}); (c.Diversity != nil) != want || c.Qrels.Len() == 0 {
			t.Errorf("%q: %v", text, c.Diversity)
		}
	}
}
