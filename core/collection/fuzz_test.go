package collection

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// small limits keep the fuzzer from long inputs that show nothing new.
var fuzzLimits = Limits{Bytes: 1 << 20, Line: 1 << 16, Depth: 32}

// check reads b as kind, whole and piece by piece, and holds both to the same outcome and every error to its type.
func check(t *testing.T, b []byte, kind Format) *Content {
	opt := Options{Limits: fuzzLimits, Kind: kind}
	c, err := Read("fuzz", bytes.NewReader(b), opt)
	again, err2 := Read("fuzz", &slowly{b, 7}, opt)
	if fmt.Sprint(err) != fmt.Sprint(err2) {
		t.Fatalf("whole: %v; piece by piece: %v", err, err2)
	}
	if err != nil {
		var pe *ParseError
		if !errors.As(err, &pe) || pe.File == "" || pe.Line < 0 {
			t.Fatalf("error %#v", err)
		}
		return nil
	}
	if fmt.Sprint(c.Warnings) != fmt.Sprint(again.Warnings) {
		t.Fatalf("warnings %v and %v", c.Warnings, again.Warnings)
	}
	if c.Run != nil {
		same(t, again.Run, c.Run)
		for i := range c.Run.NumQueries() {
			s := c.Run.Scores(i)
			for k := range s {
				if s[k]-s[k] != 0 || k > 0 && s[k] > s[k-1] {
					t.Fatalf("scores %v", s)
				}
			}
			seen := map[string]bool{}
			c.Run.Each(i, DocIDAscending, func(_ int, e Entry) bool {
				if seen[e.Doc] || e.Doc == "" {
					t.Fatalf("document %q twice or empty", e.Doc)
				}
				seen[e.Doc] = true
				return true
			})
		}
	}
	return c
}

func FuzzRun(f *testing.F) {
	for _, s := range []string{"q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1.5 t\n", "q1 Q0 d1 1 -0.25 t\n",
		"q1 Q0 d1 1 -0.25 t\nq1 Q0 d2 2 -12.5e-3 t\nq2 Q0 d1 1 -7 t\n",
		"q1\tQ0\t17\t1\t2.5\tt\r\nq1\tQ0\t17\t2\t1e3\tt\r\n",
		"# ir_metadata.start\n# a:\n#   - b\n# ir_metadata.end\nq d 1 1 t\n", "q Q0 d 1 nan t\n",
		"q Q0 00012345678 1 2.5 t\nq Q0 4294967295 2 2.5 t\nq Q0 4294967296 2 2.5 t\np Q0 a 1 1 t\nq Q0 b 2 7 t\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		// Long enough for the fast lines: the text again behind itself, with other ids.
		if len(b) < 4096 && bytes.HasSuffix(b, []byte("\n")) {
			check(t, append(bytes.Repeat(b, 1+256/(len(b)+1)), b...), RunTREC)
		}
		// and with documents of their own, which the second reader reads too
		if len(b) < 512 && plainRun(string(b)) != nil {
			var long strings.Builder
			for i := range 1 + 400/(len(b)+1) {
				for line := range strings.Lines(string(b)) {
					f := strings.Fields(line)
					fmt.Fprintf(&long, "%s %s %s_%d %s %s %s\n", f[0], f[1], f[2], i, f[3], f[4], f[5])
				}
			}
			if c := check(t, []byte(long.String()), RunTREC); c != nil {
				sameAsPlainRun(t, long.String(), c.Run)
			}
		}
		c := check(t, b, RunTREC)
		if c == nil {
			return
		}
		sameAsPlainRun(t, string(b), c.Run)
		var out bytes.Buffer
		if err := c.Run.WriteTREC(&out); err != nil {
			return // an id with an invisible character inside is fine, one with white space is not
		}
		r, _, err := ReadRun(&out, "again", Options{})
		if err != nil {
			t.Fatalf("%v\n%q", err, out.Bytes())
		}
		same(t, r, c.Run)
	})
}

// FuzzRunLines tells the fast lines from the slow ones: the same lines, padded so that no line is like the one before,
// are the same run.
func FuzzRunLines(f *testing.F) {
	f.Add("d1", "1", "2.5", "17", "2", "1.25")
	f.Add("00017", "9", "-0.5", "123456789", "10", "12.345678901234567")
	f.Add("é", "0", "1e3", "4294967295", "999999999", ".5")
	f.Fuzz(func(t *testing.T, d1, r1, s1, d2, r2, s2 string) {
		for _, s := range []string{d1, r1, s1, d2, r2, s2} {
			if s == "" || strings.ContainsAny(s, " \t\r\n") || len(s) > 100 {
				return
			}
		}
		var plain, padded strings.Builder
		for i := range 20 {
			fmt.Fprintf(&plain, "q Q0 %s%d %s %s tag\nq Q0 %s %s %s tag\n", d1, i, r1, s1, d2, r2, s2)
			fmt.Fprintf(&padded, "q%sQ0 %s%d %s %s tag\nq Q0 %s %s %s tag \n", strings.Repeat(" ", 1+i%2), d1, i, r1,
				s1, d2, r2, s2)
		}
		a, wa, err := ReadRun(strings.NewReader(plain.String()), "run", Options{})
		b, wb, err2 := ReadRun(strings.NewReader(padded.String()), "run", Options{})
		if fmt.Sprint(err) != fmt.Sprint(err2) || fmt.Sprint(wa) != fmt.Sprint(wb) {
			t.Fatalf("%v %v\n%v %v", err, wa, err2, wb)
		}
		if err == nil {
			same(t, a, b)
		}
	})
}

func FuzzQrels(f *testing.F) {
	for _, s := range []string{"1 0 d1 1\n1 0 d2 -1\n", "query-id\tcorpus-id\tscore\nq\td\t1\n", "1 1 a 1\n1 2 a 0\n",
		"q\td \t1.5\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c := check(t, b, QrelsTREC)
		if c == nil {
			return
		}
		sameAsPlainQrels(t, string(b), c.Qrels)
		var out bytes.Buffer
		if err := c.Qrels.WriteTREC(&out); err != nil {
			return
		}
		src, err := newSource("again", &out, Options{Limits: Limits{}.withDefaults()})
		if err != nil {
			t.Fatal(err)
		}
		q, _, _, err := qrelsBoth(newLines(src))
		if err != nil {
			t.Fatalf("%v\n%q", err, out.Bytes())
		}
		sameQrels(t, q, c.Qrels)
	})
}

func FuzzPreferences(f *testing.F) {
	for _, s := range []string{twoUsers, "q u d1 0.5\nq u d2 1\nq v d1 1\nq v d2 0\n",
		"q u s a 2\nq u s b 1\nq u t b 2\nq u t a 1\n", "q u s d1 1\nq u t d1 0\n", "# c\nq\tu\ts\td \t-1\n",
		"1 7 1 4711 3\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		check(t, b, PrefsTREC)
		opt := Options{Limits: fuzzLimits}
		p, _, err := ReadPreferences(bytes.NewReader(b), "fuzz", opt)
		_, _, err2 := ReadPreferences(&slowly{b, 7}, "fuzz", opt)
		if fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Fatalf("whole: %v; piece by piece: %v", err, err2)
		}
		if err != nil {
			if pe, ok := errors.AsType[*ParseError](err); !ok || pe.File != "fuzz" {
				t.Fatalf("error %#v", err)
			}
			return
		}
		var out bytes.Buffer
		if err := p.WriteTREC(&out); err != nil {
			return
		}
		again, _, err := ReadPreferences(&out, "again", Options{})
		if err != nil {
			t.Fatalf("%v\n%q", err, out.Bytes())
		}
		if again.Len() != p.Len() || fmt.Sprint(again.Queries()) != fmt.Sprint(p.Queries()) {
			t.Fatalf("%d judgments of %q, written %d of %q", p.Len(), p.Queries(), again.Len(), again.Queries())
		}
		for _, q := range p.Queries() {
			if a, b := fmt.Sprint(p.Documents(q), p.Groups(q)),
				fmt.Sprint(again.Documents(q), again.Groups(q)); a != b {
				t.Fatalf("%s, written %s", a, b)
			}
		}
	})
}

func FuzzZscores(f *testing.F) {
	for _, s := range []string{"q1 map 0.5 .1\nq1 P_5 0 0\n", "q map 1\n", "q map x 1\n", "# c\n\nq\tP_5\t1\t1e3\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		opt := Options{Limits: fuzzLimits}
		z, _, err := ReadZscores(bytes.NewReader(b), "fuzz", opt)
		_, _, err2 := ReadZscores(&slowly{b, 7}, "fuzz", opt)
		if fmt.Sprint(err) != fmt.Sprint(err2) {
			t.Fatalf("whole: %v; piece by piece: %v", err, err2)
		}
		if err != nil {
			if pe, ok := errors.AsType[*ParseError](err); !ok || pe.File != "fuzz" {
				t.Fatalf("error %#v", err)
			}
			return
		}
		for _, v := range z.of {
			if v[0]-v[0] != 0 || v[1]-v[1] != 0 || v[1] < 0 {
				t.Fatalf("mean and deviation %v", v)
			}
		}
	})
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"q1": {"d1": 0.5, "d2": 3}}`, `{"q1": {"d1": 1, "d2": 0}, "q2": {}}`,
		`{"schema_version":"1.0","metadata":{"a":[1]},"queries":[{"query_key":"k","query_text":"t",` +
			`"relevant_docs":[{"doc_ref":{"uri":"u"},"relevance_grade":3}]}]}`,
		`{"metadata":{},"queries":{"q":{"query_id":"q","text":"t"}},"documents":{"d":{"text":"x","page_number":2}},` +
			`"qrels":{"q":{"d":1}}}`,
		`[{"query":"x","type":"t","relevant_articles":{"a":1}}]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, kind := range []Format{RunJSON, QrelsJSON, BenchmarkJSON, DatasetJSON, JudgedQueryJSON, Unknown} {
			if kind == Unknown && !bytes.ContainsAny(b[:min(1, len(b))], "{[") {
				continue
			}
			c := check(t, b, kind)
			if c == nil {
				continue
			}
			var out bytes.Buffer
			switch {
			case c.Run != nil:
				c.Run.WriteJSON(&out)
				if c.Run.Len() > 0 {
					again := check(t, out.Bytes(), RunJSON)
					if again == nil {
						t.Fatalf("%q", out.Bytes())
					}
					same(t, again.Run, c.Run)
				}
			case c.Benchmark != nil:
				c.Benchmark.Resolve(NewResolver([]Doc{{ID: "d", Text: "x", URI: "u"}}), false)
				WriteBenchmark(&out, c.Benchmark)
				if check(t, out.Bytes(), BenchmarkJSON) == nil {
					t.Fatalf("%q", out.Bytes())
				}
			case c.Collection != nil:
				WriteDataset(&out, c.Collection)
				if again := check(t, out.Bytes(), DatasetJSON); again == nil || again.Qrels.Len() != c.Qrels.Len() {
					t.Fatalf("%q", out.Bytes())
				}
			}
		}
	})
}

func FuzzJSONL(f *testing.F) {
	f.Add([]byte(`{"_id":"d","title":"t","text":"x","metadata":{"date":"2024-01-01","entities":[{"name":"n",` +
		`"type":"place","confidence":0.5}],"page":3}}` + "\n"))
	f.Add([]byte(`{"_id":7,"text":"x\ud83d","metadata":{"type":"t","difficulty":null}}` + "\n\n{"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if c := check(t, b, CorpusJSONL); c != nil {
			var out bytes.Buffer
			WriteCorpus(&out, c.Docs)
			again := check(t, out.Bytes(), CorpusJSONL)
			if len(c.Docs) > 0 && (again == nil || fmt.Sprintf("%#v", again.Docs) != fmt.Sprintf("%#v", c.Docs)) {
				t.Fatalf("%v, was %#v", again, c.Docs)
			}
		}
		if c := check(t, b, QueriesJSONL); c != nil {
			var out bytes.Buffer
			WriteQueries(&out, c.Queries)
			again := check(t, out.Bytes(), QueriesJSONL)
			if len(c.Queries) > 0 &&
				(again == nil || fmt.Sprintf("%#v", again.Queries) != fmt.Sprintf("%#v", c.Queries)) {
				t.Fatalf("%v, was %#v", again, c.Queries)
			}
		}
	})
}

func FuzzCSV(f *testing.F) {
	for _, s := range []string{"query_id,doc_id,score\nq1,d1,1.5\n",
		"qid;docno;rank;relevance\n\"q;\"\"1\";\"d\n1\";1;2\n", "doc_id\ttitle\ttext\nd\ta\tb\n", "qid,query\n1,what\n",
		"qid,docno,score,tag\n'=q,x;'=cmd|A,1,\"x;=t\"\n\"q\t=1\",'＝d,2,'\u00a0-t\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		text := string(b)
		if got := string(unguarded([]byte(guarded(text)))); got != text {
			t.Fatalf("%q is read as %q", text, got)
		}
		c := check(t, b, RunCSV)
		if c != nil && c.Run != nil && c.Run.Len() > 0 {
			var out bytes.Buffer
			c.Run.WriteCSV(&out)
			again := check(t, out.Bytes(), RunCSV)
			if again == nil {
				t.Fatalf("%q", out.Bytes())
			}
			same(t, again.Run, c.Run)
		}
	})
}

func FuzzTopics(f *testing.F) {
	for _, s := range []string{"<top>\n<num> Number: 301\n<title> a &amp; b\n<desc> Description:\nc\n</top>\n",
		"<topic number=\"1\" type='x'>\n<query>a</query></topic>", "1\ta query\n2\tanother\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		check(t, b, Topics)
		check(t, b, QueriesTSV)
	})
}

func FuzzNPY(f *testing.F) {
	for _, a := range []*Array{{Shape: []int{2, 2}, Float32: []float32{1, 2, 3, 4}},
		{Shape: []int{3}, Int8: []int8{1, 2, 3}}, {Shape: []int{1, 2}, Uint16: []uint16{1, 2}},
		{Shape: []int{1}, Int32: []int32{5}}} {
		var out bytes.Buffer
		a.WriteNPY(&out)
		f.Add(out.Bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c := check(t, b, NPY)
		if c == nil {
			return
		}
		n := c.Vectors.Rows() * c.Vectors.Dim()
		if got := len(c.Vectors.Float32) + len(c.Vectors.Int8) + len(c.Vectors.Uint16) +
			len(c.Vectors.Int32); got != n {
			t.Fatalf("%d values, shape %v", got, c.Vectors.Shape)
		}
		var out bytes.Buffer
		c.Vectors.WriteNPY(&out)
		if again := check(t, out.Bytes(), NPY); fmt.Sprintf("%#v", again.Vectors) != fmt.Sprintf("%#v", c.Vectors) {
			t.Fatal("written otherwise")
		}
	})
}

// FuzzRead reads anything as what it looks like.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"q1 Q0 d1 1 2.5 t\n", "1 0 d1 1\n", `{"q1": {"d1": 0.5}}`,
		`[{"query":"x","relevant_articles":{}}]`, "query_id,doc_id,score\nq,d,1\n", "1\tquery\n",
		"<top>\n<num> 1\n</top>\n",
		`{"_id":"d","title":"t","text":"x"}`, "\x93NUMPY\x01\x00", "PK\x05\x06\x00\x00",
		"q a 1\nq b 2\nq c 3\nq d 4\nq e 5\nq f 6\n", "q1 Q0 a 1 1 t\rq1 Q0 b 2 2 t\r",
		"#q Q0 a 1 1 t\n# x\n#q Q0 b 2 2 t\n", "q\tQ0\ta b\t1\t2\tt x\n", "q \tQ0\t a\t1\t2\tt\n", "map \tall\t0.5\n",
		",qid,docid,docno,rank,score\n0,q,1,'=d,0,2\n",
		"# ir_metadata.start\n# a: [b, {c: 'd'}]\n# e: |\n#   f\n# ir_metadata.end\nq Q0 d 1 1 t\n"} {
		f.Add([]byte(s))
		f.Add(gz([]byte(s)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		check(t, b, Unknown)
		repaired(t, b)
		m, err := ReadChunkMap(bytes.NewReader(b), "map", Options{Limits: fuzzLimits})
		var pe *ParseError
		if err != nil && !errors.As(err, &pe) || err == nil && m == nil {
			t.Fatal(err)
		}
	})
}

// repaired checks that a file which is offered repaired is clean afterwards and says the same.
func repaired(t *testing.T, b []byte) {
	c, err := Read("file", bytes.NewReader(b), Options{Limits: fuzzLimits})
	if err != nil || c.Run == nil && c.Qrels == nil || c.Diversity != nil || c.Run != nil && c.Qrels != nil {
		return
	}
	if settled, _ := Fixable(c.Warnings); len(settled) == 0 {
		return
	}
	var out bytes.Buffer
	if c.Run != nil {
		err = c.Run.WriteTREC(&out)
	} else {
		err = c.Qrels.WriteTREC(&out)
	}
	if err != nil {
		return // an id that TREC cannot hold
	}
	again, err := Read("again", &out, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if settled, _ := Fixable(again.Warnings); len(settled) > 0 {
		t.Fatalf("left to settle: %s", kinds(again.Warnings))
	}
	if c.Run != nil {
		same(t, again.Run, c.Run)
	} else if c.Qrels != nil {
		sameQrels(t, again.Qrels, c.Qrels)
	}
}
