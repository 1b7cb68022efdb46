package collection

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/internal/shared"
)

func mustRead(t testing.TB, text string, opt Options) *Content {
	t.Helper()
	c, err := Read("file", strings.NewReader(text), opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestDetect(t *testing.T) {
	for _, tt := range []struct {
		name, head string
		want       Format
	}{
		{"run", "q1 Q0 d1 1 2.5 t\n", RunTREC},
		{"run with a numeric tag", "1 Q0 2 1 2.5 7\n", RunTREC},
		{"run whose ranks are no numbers", "q1 Q0 d1 - 2 t\n", RunTREC},
		{"run without Q0", "q1 d1 1 2.5 t\n", RunTREC},
		{"run without tag", "q1 Q0 d1 1 2.5\n", RunTREC},
		{"run behind comments", "# ir_metadata.start\n# ir_metadata.end\nq1 Q0 d1 1 2.5 t\n", RunTREC},
		{"run with tabs and padding", "301\tQ0\tFR940202-2-00150\t104\t  2.129133\tSTANDARD\n", RunTREC},
		{"run with more columns", "q1 Q0 d1 1 2.5 t more junk\n", RunTREC},
		{"run whose first line is damaged", "q1 Q0\nq1 Q0 d1 1 2.5 t\nx", RunTREC},
		{"qrels", "301 0 CR93E-10279 0\n", QrelsTREC},
		{"qrels with tabs", "301\t0\tCR93E-10279\t-1\n", QrelsTREC},
		{"qrels of subtopics", "d0 2 doc0 0\nd0 3 doc0 1\n", QrelsTREC},
		{"BEIR qrels", "query-id\tcorpus-id\tscore\nq\td\t1\n", QrelsTSV},
		{"BEIR qrels without header", "q\td\t1\n", QrelsTSV},
		{"BEIR qrels with commas", "query-id,corpus-id,score\nq,d,1\n", QrelsCSV},
		{"run CSV", "query_id,doc_id,score\nq,d,1.5\n", RunCSV},
		{"run CSV in other words", "qid;docno;rank;Score\nq;d;1;1.5\n", RunCSV},
		{"run CSV, quoted header", "\"query\",\"doc\",\"score\"\n\"q\",\"d\",1.5\n", RunCSV},
		// docno is the id, docid a number of the index
		{"PyTerrier's table", ",qid,docid,docno,rank,score,query\n", RunCSV},
		{"two columns that mean the same", "qid,docno,pid,score\n", Unknown},
		{"MS MARCO's run", "q\td1\t1\nq\td2\t2\nq\td3\t3\nq\td4\t4\nq\td5\t5\nq\td6\t6\nr\td1\t1\n", RunRanks},
		{"PyTerrier's minimal run", "q\td1\t0\nq\td2\t1\nq\td3\t2\nq\td4\t3\nq\td5\t4\nq\td6\t5\n", RunRanks},
		{"qrels whose grades count", "q\td1\t1\nq\td2\t2\nq\td3\t3\n", QrelsTSV},
		{"figures of trec_eval", "runid                 \tall\tx\nmap                   \tall\t0.5\n", Unknown},
		{"figures of ir_measures", "nDCG@10\t0.5\nAP\t0.4\n", Unknown},
		{"figures of ir_measures by query", "q1\tnDCG@10\t0.5\nq1\tAP\t0.4\n", Unknown},
		{"map of chunks", "chunk_id\tdoc_id\nd1#0\td1\n", ChunkMap},
		{"map of chunks with commas", "chunk,document\r\nd1#0,d1\r\n", ChunkMap},
		{"map of chunks in JSON", `{"d1#0": "d1"}`, ChunkMap},
		{"JSON of one string that is cut off", `{"queries": "x"`, ChunkMap},
		{"JSON of nothing", "{}", Unknown},
		{"two words that are no map of chunks", "chunky soup\n", Unknown},
		{"queries that look like figures", "1\t10\n2\tP@10 is what\n", QueriesTSV},
		{"qrels CSV", "query_id,doc_id,relevance\nq,d,1\n", QrelsCSV},
		{"run and qrels CSV", "query,doc,score,relevance\nq,d,1.5,1\n", RunCSV},
		{"queries CSV", "query_id,text\nq,what is it\n", QueriesCSV},
		{"queries CSV with query as the text", "qid,query\nq,what is it\n", QueriesCSV},
		{"corpus CSV", "doc_id,title,text\nd,a,b\n", CorpusCSV},
		{"queries TSV", "301\tInternational Organized Crime\n", QueriesTSV},
		{"topics", "<top>\n<num> Number: 301\n", Topics},
		{"topics behind a comment", "<!-- TREC -->\n<top>\n<num> Number: 301\n", Topics},
		{"topics as XML", "<?xml version=\"1.0\"?>\n<webtrack>\n<topic number=\"1\" type=\"faceted\">\n", Topics},
		{"corpus", `{"_id": "d1", "title": "a", "text": "b"}` + "\n", CorpusJSONL},
		{"corpus, text first", `{"text": "b", "title": "a", "_id": "d1"}` + "\n", CorpusJSONL},
		{"corpus without titles", `{"_id": "d1", "text": "` + strings.Repeat("word ", 100) + `"}` + "\n", CorpusJSONL},
		{"corpus with a huge document", `{"_id": "d1", "text": "` + strings.Repeat("word ", 20000), CorpusJSONL},
		{"queries", `{"_id": "q1", "text": "what?", "metadata": {}}` + "\n", QueriesJSONL},
		{"JSON run", `{"q1": {"d1": 0.5}}`, RunJSON},
		{"JSON run whose first score is whole", `{"q1": {"d1": 2, "d2": 0.5}}`, RunJSON},
		{"JSON qrels", `{"q1": {"d1": 1, "d2": 0}}`, QrelsJSON},
		{"JSON qrels with an empty query", `{"q0": {}, "q1": {"d1": 1, "d2": 0}}`, QrelsJSON},
		{"JSON run of a query named queries", `{"queries": {"d1": 0.5}}`, RunJSON},
		{"benchmark", `{"schema_version": "1.0", "metadata": {}}`, BenchmarkJSON},
		{"benchmark, metadata first", ` {"metadata": {"n": 1}, "queries": [`, BenchmarkJSON},
		{"dataset", `{"metadata": {"queries": 3}, "queries": {"q1": {"query_id": "q1"`, DatasetJSON},
		{"dataset, documents first", `{"documents": {"d1": {"text": "x"}}}`, DatasetJSON},
		{"dataset, qrels first", `{"qrels": {"q1": {"d1": 1}}}`, DatasetJSON},
		{"judged queries", ` [{"query": "x"`, JudgedQueryJSON},
		{"NumPy", "\x93NUMPY\x01\x00", NPY},
		{"gzip", "\x1f\x8b\x08", Gzip},
		{"zip", "PK\x03\x04", Zip},
		{"empty", "", Unknown},
		{"byte order mark", "\ufeffq1 Q0 d1 1 2.5 t\n", RunTREC},
		{"prose", "This is a text, and no run.\n", Unknown},
		{"NUL", "q1 Q0 d1 1 2.5 t\n\x00", Unknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Detect([]byte(tt.head)); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// randomRun has ids with all that JSON and CSV have to quote, if wild, and scores of every size.
func randomRun(r *rand.Rand, wild bool) *Run {
	b := NewRunBuilder("a tag")
	for q := range 1 + r.IntN(5) {
		for range r.IntN(30) {
			id := fmt.Sprint("d", r.IntN(100))
			switch {
			case wild && r.IntN(4) == 0:
				id += string([]rune{'"', ',', ';', 'é', '😀', ' ', '\\', '\n', '\t', '<', '\u2028', '\r'}[r.IntN(12)]) +
					"x"
			case wild && r.IntN(4) == 0:
				id = []string{"=", "+", "-", "@", "'=", "''-", "'", "-", "|", "%", "=1,"}[r.IntN(11)] +
					fmt.Sprint(r.IntN(20))
			case r.IntN(4) == 0:
				id = fmt.Sprint(r.IntN(1e6))
			}
			score := math.Float64frombits(r.Uint64())
			if r.IntN(3) > 0 || score-score != 0 {
				score = float64(r.IntN(10)) / 4
			}
			b.Add(fmt.Sprint("query", q), id, score)
		}
	}
	run, _ := b.Run()
	return run
}

func TestRunRoundTrip(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		for _, f := range []struct {
			want  Format
			write func(*Run, io.Writer) error
			wild  bool
		}{{RunTREC, (*Run).WriteTREC, false}, {RunJSON, (*Run).WriteJSON, true}, {RunCSV, (*Run).WriteCSV, true}} {
			run := randomRun(r, f.wild)
			if run.Len() == 0 {
				continue
			}
			run.Metadata.Set("x: y", "method", "score ties")
			var out bytes.Buffer
			if err := f.write(run, &out); err != nil {
				t.Fatal(err)
			}
			c, err := Read("written", bytes.NewReader(out.Bytes()), Options{})
			if err != nil {
				t.Fatalf("%s: %v\n%s", f.want, err, out.Bytes())
			}
			if c.Format != f.want {
				t.Fatalf("written as %s, read as %s\n%s", f.want, c.Format, out.Bytes())
			}
			same(t, c.Run, run)
			if f.want == RunTREC && (c.Run.Metadata.Get("method", "score ties") != "x: y" || c.Run.Tag != "a_tag") ||
				f.want == RunCSV && c.Run.Tag != "a tag" {
				t.Error(c.Run.Metadata, c.Run.Tag)
			}
			// What is written has no oddities that writing again would settle.
			if settled, _ := Fixable(c.Warnings); len(settled) > 0 {
				t.Errorf("%s: %v", f.want, settled)
			}
			var again bytes.Buffer
			f.write(c.Run, &again)
			if !bytes.Equal(out.Bytes(), again.Bytes()) {
				t.Fatalf("%s: written again differently", f.want)
			}
		}
	}
}

// TestCSVIsNoFormula writes ids that a spreadsheet would run. encoding/csv is the oracle of the quoting; numbers stay
// numbers.
func TestCSVIsNoFormula(t *testing.T) {
	ids := []string{"=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "|x", "%x", "'=1", "''=1", "-5", "+5", "-", "=",
		"a=b", "'a", "'-5", "-1e-3"}
	b, q := NewRunBuilder("=tag"), NewQrels()
	for i, id := range ids {
		b.Add(id, id, -float64(i))
		q.Add(id, id, -1)
	}
	run, _ := b.Run()
	for name, write := range map[string]func(io.Writer) error{"run": run.WriteCSV, "qrels": q.WriteCSV} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(out.Bytes())).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			for _, c := range row {
				if _, err := strconv.ParseFloat(c, 64); err != nil && strings.ContainsAny(c[:1], "=+-@|%\t\r") {
					t.Errorf("%s: %q", name, c)
				}
			}
		}
		if rows[9][0] != "-5" || rows[1][0] != "'"+ids[0] {
			t.Errorf("%s: %q %q", name, rows[9], rows[1])
		}
		c := mustRead(t, out.String(), Options{})
		if name == "run" {
			same(t, c.Run, run)
			if c.Run.Tag != "=tag" {
				t.Error(c.Run.Tag)
			}
		} else {
			sameQrels(t, c.Qrels, q)
		}
	}
	if err := (func() error {
		b := NewRunBuilder("t")
		b.Add("q", "\xe9", 1)
		r, _ := b.Run()
		return r.WriteJSON(io.Discard)
	})(); err == nil {
		t.Error("JSON that is not UTF-8")
	}
}

func TestWriteRefusesSpace(t *testing.T) {
	for _, id := range []string{"", "a b", "a\tb", "a\n", "\u00a0a"} {
		b := NewRunBuilder("t")
		b.Add("q", id, 1)
		r, _ := b.Run()
		if err := r.WriteTREC(io.Discard); err == nil {
			t.Errorf("%q written", id)
		}
	}
}

func sameQrels(t *testing.T, got, want *Qrels) {
	t.Helper()
	if fmt.Sprint(got.Queries()) != fmt.Sprint(want.Queries()) || got.Len() != want.Len() {
		t.Fatalf("%v %d, want %v %d", got.Queries(), got.Len(), want.Queries(), want.Len())
	}
	for _, q := range want.Queries() {
		var g, w []string
		got.Each(q, func(doc string, grade float64) { g = append(g, fmt.Sprintf("%q:%v", doc, grade)) })
		want.Each(q, func(doc string, grade float64) { w = append(w, fmt.Sprintf("%q:%v", doc, grade)) })
		if fmt.Sprint(g) != fmt.Sprint(w) {
			t.Fatalf("%s: %v, want %v", q, g, w)
		}
	}
}

func TestQrelsRoundTrip(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 3))
		q := NewQrels()
		for k := range 1 + r.IntN(4) {
			for range 1 + r.IntN(40) {
				id := fmt.Sprint("d", r.IntN(1000))
				if r.IntN(2) == 0 {
					id = fmt.Sprint(r.IntN(1e6))
				}
				q.Add(fmt.Sprint("q", k), id, float64(r.IntN(6)-2))
			}
		}
		for want, write := range map[Format]func(*Qrels, io.Writer) error{QrelsTREC: (*Qrels).WriteTREC,
			QrelsTSV: (*Qrels).WriteTSV, QrelsJSON: (*Qrels).WriteJSON, QrelsCSV: (*Qrels).WriteCSV} {
			var out bytes.Buffer
			if err := write(q, &out); err != nil {
				t.Fatal(err)
			}
			c, err := Read("written", bytes.NewReader(out.Bytes()), Options{})
			if err != nil || c.Format != want {
				t.Fatalf("%v, read as %s, written as %s", err, c.Format, want)
			}
			sameQrels(t, c.Qrels, q)
		}
	}
}

func TestQrels(t *testing.T) {
	q := NewQrels()
	for i := range 100 {
		q.Add("q1", fmt.Sprint("d", i), float64(i))
		q.Add("q2", fmt.Sprint(i), float64(-i))
	}
	q.Add("q1", "d5", 77)
	q.Add("q3", "d", math.MaxInt)
	q.Add("q3", "e", math.MinInt)
	q.Touch("q4")
	for i := range 100 {
		want := i
		if i == 5 {
			want = 77
		}
		if g, ok := q.Grade("q1", fmt.Sprint("d", i)); g != float64(want) || !ok {
			t.Fatal(i, g, ok)
		}
		if g, ok := q.Grade("q2", fmt.Sprint(i)); g != float64(-i) || !ok {
			t.Fatal(i, g, ok)
		}
	}
	if g, ok := q.Grade("q3", "d"); g != math.MaxInt32 || !ok {
		t.Error(g, ok)
	}
	if g, ok := q.Grade("q3", "e"); g != Unjudged+1 || !ok {
		t.Error(g, ok)
	}
	for _, no := range [][2]string{{"q1", "d100"}, {"q1", "5"}, {"q2", "05"}, {"q5", "d1"}, {"q4", ""}, {"q2", "+5"}} {
		if g, ok := q.Grade(no[0], no[1]); g != 0 || ok {
			t.Error(no, g, ok)
		}
	}
	if fmt.Sprint(q.Queries()) != "[q1 q2 q3 q4]" || q.Len() != 202 || !q.Has("q4") || q.Has("q5") ||
		len(q.Grades("q1", nil)) != 100 || len(q.Grades("q9", nil)) != 0 {
		t.Error(q.Queries(), q.Len())
	}
}

func TestDiversity(t *testing.T) {
	text := "1 1 a 1\n1 2 a 0\n1 1 b 0\n1 3 c 2\n2 1 a 1\n"
	c := mustRead(t, text, Options{})
	d := c.Diversity
	if d == nil || d.Len() != 5 || fmt.Sprint(d.Queries(), d.Subtopics("1"), d.Grades("1", "a"), d.Grades("1", "z"),
		d.Subtopics("9")) != "[1 2] [1 2 3] [{0 1} {1 0}] [] []" {
		t.Fatal(d)
	}
	if g, _ := c.Qrels.Grade("1", "a"); g != 1 || c.Qrels.Len() != 4 || len(c.Warnings) != 0 {
		t.Error(g, c.Qrels.Len(), c.Warnings)
	}
	var out bytes.Buffer
	if err := d.WriteTREC(&out); err != nil {
		t.Fatal(err)
	}
	again, w, err := ReadDiversity(&out, "d", Options{})
	if err != nil || w != nil || again.Len() != d.Len() {
		t.Fatal(err, w)
	}
	again.Each("1", func(doc string, g []SubtopicGrade) {
		if fmt.Sprint(g) != fmt.Sprint(d.Grades("1", doc)) {
			t.Error(doc, g)
		}
	})
	// Another second column alone does not make subtopics; the same document judged twice for one does not either.
	if c := mustRead(t, "1 0 a 1\n1 Q0 b 1\n", Options{}); c.Diversity != nil || c.Qrels.Len() != 2 {
		t.Error("taken for subtopics")
	}
	if c := mustRead(t, "1 0 a 1\n1 0 a 2\n1 0 b 1\n1 0 b 1\n", Options{}); c.Diversity != nil ||
		kinds(c.Warnings) != "conflicting-judgment×1@2 duplicate-judgment×1@4" {
		t.Error(kinds(c.Warnings))
	}
	if _, _, err := ReadDiversity(strings.NewReader("1 a 1\n"), "d", Options{}); err == nil {
		t.Error("three columns taken")
	}
}

// Counts: oracle/measures/README.md and wc -l of the file.
func TestSharedDiversity(t *testing.T) {
	f, err := os.Open(shared.Path(t, "oracle/measures/diversity/qrels.txt.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d, w, err := ReadDiversity(f, "qrels", Options{})
	if err != nil || len(d.Queries()) != 60 {
		t.Fatal(err, len(d.Queries()), w)
	}
}

func TestCSV(t *testing.T) {
	c := mustRead(t,
		"Query ID;Doc-No;SCORE;relevance;run\nq1;\"d;1\";1.5;2;mine\n\"q\"\"1\"\"\";d2;-1e-3;;mine\r\nq1;\"d\n3\";0;0;yours\n",
		Options{})
	if c.Format != RunCSV || docs(c.Run, "q1", DocIDDescending) != "d;1 d\n3" ||
		docs(c.Run, `q"1"`, InputOrder) != "d2" || c.Run.Tag != "mine" || c.Qrels.Len() != 2 {
		t.Errorf("%+v %v", c, c.Run.Queries())
	}
	if kinds(c.Warnings) != "mixed-tags×1@4 interleaved-queries×1@4" {
		t.Error(kinds(c.Warnings))
	}
	c = mustRead(t, "qid,did,rank\nq, d1 ,1\nq,d2,2\n", Options{})
	if docs(c.Run, "q", DocIDDescending) != "d1 d2" || kinds(c.Warnings) != "stray-space×1@2 dialect×2@2" {
		t.Error(kinds(c.Warnings))
	}
	c = mustRead(t, "query_id\tsubtopic\tdoc_id\trel\nq\t1\td\t1\nq\t2\td\t0\n", Options{})
	if c.Diversity == nil || c.Diversity.Len() != 2 || c.Qrels.Len() != 1 || len(c.Warnings) != 0 {
		t.Error(c.Diversity, c.Warnings)
	}
	c = mustRead(t, "id,query,qid\n9,\"what, then\",q\n8,,r\n7,x,q\n", Options{})
	if c.Format != QueriesCSV || len(c.Queries) != 2 || c.Queries[0] != (Query{ID: "q", Text: "what, then"}) ||
		kinds(c.Warnings) != "empty-query×1@3 duplicate-id×1@4" {
		t.Error(c.Queries, kinds(c.Warnings))
	}
	c = mustRead(t, "doc_id,title,contents\nd1,a,b\nd2,,\nd1,x,y\n", Options{})
	if c.Format != CorpusCSV || len(c.Docs) != 2 || c.Docs[0].Title != "a" || c.Docs[0].Text != "b" ||
		kinds(c.Warnings) != "empty-document×1@3 duplicate-id×1@4" {
		t.Error(c.Docs, kinds(c.Warnings))
	}
	c = mustRead(t, "query_id,doc_id,score\nq,d,1\n", Options{Kind: QrelsCSV})
	if c.Qrels == nil || c.Qrels.Len() != 1 || c.Run != nil {
		t.Error("not taken for qrels")
	}
}

func TestJSONScores(t *testing.T) {
	c := mustRead(t, "{\"q1\": {\"d1\": 1, \"d2\": 0, \"d1\": 2},\n \"q0\": {}, \"q2\": {\"x \": -1}}", Options{})
	if c.Format != QrelsJSON || c.Qrels.Len() != 3 ||
		kinds(c.Warnings) != "conflicting-judgment×1@1 stray-space×1@2 negative-grade×1@2 empty-query×1@0" {
		t.Error(c.Format, kinds(c.Warnings))
	}
	// A fraction or a large number makes it a run after all; what was read before is kept.
	c = mustRead(t, `{"e": {}, "q1": {"d1": 1, "d2": 3}, "q2": {"d1": 2, "d2": 2.5}}`, Options{})
	if c.Format != RunJSON || docs(c.Run, "q1", DocIDDescending) != "d2 d1" ||
		docs(c.Run, "q2", DocIDDescending) != "d2 d1" || c.Run.Query("e") != 0 {
		t.Error(c.Format, c.Run)
	}
	c = mustRead(t, `{"q1": {"d1": 500, "d2": 300}}`, Options{})
	if c.Format != RunJSON {
		t.Error(c.Format)
	}
	for _, tt := range []struct {
		text   string
		prefer Format
		want   Format
	}{
		{`{"q1": {"d1": 5, "d2": 3}}`, RunTREC, RunJSON}, {`{"q1": {"d1": 5, "d2": 3}}`, QrelsTREC, QrelsJSON},
		{"qid,did,score\nq,d,1\n", QrelsTREC, QrelsCSV}, {"qid,did,score\nq,d,1\n", RunTREC, RunCSV},
		{"qid,did,rank,score\nq,d,1,1\n", QrelsTREC, RunCSV},
		{"q a 1\nq b 2\nq c 3\nq d 4\nq e 5\nq f 6\n", QrelsTREC, QrelsTSV},
		{"q a 1\nq b 2\nq c 3\nq d 4\nq e 5\nq f 6\n", RunTREC, RunRanks}, {"q 0 a 1\n", RunTREC, QrelsTREC},
	} {
		if c := mustRead(t, tt.text, Options{Prefer: tt.prefer}); c.Format != tt.want {
			t.Errorf("%q, if possible as %s: %s, want %s", tt.text, tt.prefer, c.Format, tt.want)
		}
	}
	// A file that was said to hold judgments is never taken for a run: grades keep their decimals, with a warning about
	// the highest that is below the usual level, and a number that is no grade is named.
	for text, want := range map[string]string{
		`{"q1": {"a": 1.7, "b": 2.8}}`:                              "a=1.7 b=2.8",
		"{\"q1\": {\"a\": 1},\n\"q1\": {\"b\": 0.6}}":               "a=1 b=0.6; 2: grade 0.6",
		"qid,did,score\nq1,d,1.0\nq1,e,0.6\n":                       "d=1 e=0.6; 3: grade 0.6",
		"q1\td\t0.3\n":                                              "d=0.3; 1: grade 0.3",
		"q1 0 d 1.0\nq1 0 e .2\nq1 0 f 0.7\nq1 0 g 0.5\nq1 0 h 2\n": "d=1 e=0.2 f=0.7 g=0.5 h=2; 3: grade 0.7",
	} {
		c := mustRead(t, text, Options{Prefer: QrelsTREC})
		var got []string
		c.Qrels.Each("q1", func(doc string, grade float64) { got = append(got, fmt.Sprint(doc, "=", grade)) })
		grades := strings.Join(got, " ")
		for _, w := range c.Warnings {
			if w.Kind == LowGrade {
				grades += fmt.Sprintf("; %d: %.9s", w.Line, w.Message)
			}
		}
		if grades != want {
			t.Errorf("%q: %s, want %s", text, grades, want)
		}
	}
	for text, want := range map[string]string{
		`{"q1": {"a": 1e12}}`:              `grade 1e12 of document "a"`,
		`{"q1": {"a": 17.5, "b": 0.6}}`:    `line 1: grade 17.5 of document "a" for query "q1" is no grade`,
		"qid,did,score\nq,d,1\nq,e,-0.6\n": `line 3: grade -0.6 of document "e" for query "q" is no grade`,
	} {
		if c, err := Read("f", strings.NewReader(text), Options{Prefer: QrelsTREC}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v, want %q", text, c, err, want)
		}
	}
	whole := `{"q1": {"d1": 5, "d2": -3, "d3": 9}, "q0": {}}`
	c = mustRead(t, whole, Options{})
	c.AsRun()
	same(t, c.Run, mustRead(t, whole, Options{Prefer: RunTREC}).Run)
	if c.Format != RunJSON || c.Qrels != nil || kinds(c.Warnings) != "dialect×1@0 unsorted-input×1@0 empty-query×1@0" {
		t.Error(c.Format, kinds(c.Warnings))
	}
	if c = mustRead(t, "q1 0 d1 1\n", Options{}); true {
		if c.AsRun(); c.Run != nil || c.Qrels == nil {
			t.Error("TREC qrels are no run")
		}
	}
	c = mustRead(t, `{"q1": {"d1": 5, "d2": 3}}`, Options{Kind: RunJSON})
	if c.Format != RunJSON || c.Run.Len() != 2 {
		t.Error(c.Format)
	}
	c = mustRead(t, `{"q1": {"d1": 3.0, "d2": 500}}`, Options{Prefer: QrelsTREC})
	if c.Format != QrelsJSON || c.Qrels.Len() != 2 || kinds(c.Warnings) != "" {
		t.Error(c.Format, kinds(c.Warnings))
	}
	c = mustRead(t, `{"q1": {"d1": 1.0, "d2": 500}}`, Options{Kind: QrelsJSON})
	if c.Format != QrelsJSON || kinds(c.Warnings) != "" {
		t.Error(c.Format, kinds(c.Warnings))
	}
	c = mustRead(t, "\ufeff"+`{"q1": {"d1": 1e-3}}`, Options{})
	if c.Run.Scores(0)[0] != 0.001 {
		t.Error(c.Run)
	}
}

func TestTopics(t *testing.T) {
	want := []Query{{ID: "301", Text: "International Organized Crime", Description: "Identify organizations",
		Narrative: "A relevant document, with a < b."},
		{ID: "302", Text: "Poliomyelitis & Post-Polio <1950>"},
		{ID: "303", Text: "from the description", Description: "from the description"}}
	sgml := "\n<top>\n\n<num> Number: 301 \n<title> International Organized Crime \n\n<desc> Description: \nIdentify " +
		"organizations\n\n<narr> Narrative: \nA relevant document, with a < b.\n\n</top>\n\n" +
		"<top>\n<num> Number: 302\n<title> Poliomyelitis &amp; " +
		"Post-Polio\n&lt;1950&gt;\n<desc>\n</top>\n<top><num>303</num><title></title><desc> Description: from " +
		"the\ndescription</desc></top>"
	c := mustRead(t, sgml, Options{})
	if c.Format != Topics || fmt.Sprint(c.Queries) != fmt.Sprint(want) || len(c.Warnings) != 0 {
		t.Errorf("%q %v", c.Queries, c.Warnings)
	}
	var out bytes.Buffer
	if err := WriteTopics(&out, want); err != nil {
		t.Fatal(err)
	}
	if c := mustRead(t, out.String(), Options{}); fmt.Sprint(c.Queries) != fmt.Sprint(want) {
		t.Errorf("%q", c.Queries)
	}
	web := `<?xml version="1.0" encoding="UTF-8"?>
<webtrack2009>
<topic number="1" type="faceted">
  <query>obama family tree</query>
  <description> Find information. </description>
  <subtopic number="1" type="nav">Find the page.</subtopic>
</topic>
<TOPIC type='x' NUMBER='2'><query>french&#32;lick resort</query></TOPIC>
</webtrack2009>
`
	c = mustRead(t, web, Options{})
	if fmt.Sprintf("%q", c.Queries) != `[{"1" "obama family tree" "" "" "" "Find information." ""} {"2" "french lick `+
		`resort" "" "" "" "" ""}]` {
		t.Errorf("%q", c.Queries)
	}
	c = mustRead(t, "<top>\n<num> 1\n<title> caf\xe9\n</top>\n<top>\n<num> 1\n<title> x\n</top>\n<top>\n<num> "+
		"2\n</top>\n", Options{})
	if c.Queries[0].Text != "café" || kinds(c.Warnings) != "not-utf8×1@3 duplicate-id×1@5 empty-query×1@9" {
		t.Errorf("%q %s", c.Queries, kinds(c.Warnings))
	}
}

func TestQueriesTSV(t *testing.T) {
	list := []Query{{ID: "1", Text: "what is it"}, {ID: "q-2", Text: "and, \"this\" then"}}
	var out bytes.Buffer
	if err := WriteQueriesTSV(&out, list); err != nil {
		t.Fatal(err)
	}
	if c := mustRead(t, out.String(), Options{}); c.Format != QueriesTSV || fmt.Sprint(c.Queries) != fmt.Sprint(list) {
		t.Errorf("%s %q", c.Format, c.Queries)
	}
}

func TestCorpusRoundTrip(t *testing.T) {
	list := []Doc{{ID: "d1", Title: "a \"title\"", Text: "line\nand </script> 😀\u2028", Date: "2024-02-29",
		Category: "c", URI: "https://example.org/?a=b", Page: 3,
		Entities: []Entity{{"Ada", "person", 0.25}, {"Port", "place", 1}},
		News: &News{Time: "09:40", Byline: "A. \"B\" Ö", Story: "flood", Updates: []string{"a", "b"},
			DuplicateOf: "c"}}, {ID: "2", Title: "t", Text: "x", News: &News{Updates: []string{"d1"}}}}
	var out bytes.Buffer
	if err := WriteCorpus(&out, list); err != nil {
		t.Fatal(err)
	}
	c := mustRead(t, out.String(), Options{})
	if c.Format != CorpusJSONL || !reflect.DeepEqual(c.Docs, list) || len(c.Warnings) != 0 {
		t.Errorf("%+v %v", c.Docs, c.Warnings)
	}
	queries := []Query{{"q1", "what?", "factual", "hard", "news", "What is it?", "3: says what \"it\" is. 0: else."},
		{ID: "q2", Text: "x"}}
	out.Reset()
	if err := WriteQueries(&out, queries); err != nil {
		t.Fatal(err)
	}
	c = mustRead(t, out.String(), Options{})
	if c.Format != QueriesJSONL || fmt.Sprint(c.Queries) != fmt.Sprint(queries) {
		t.Errorf("%+v", c.Queries)
	}
}

func TestNPY(t *testing.T) {
	for _, a := range []*Array{
		{Shape: []int{2, 3}, Float32: []float32{1, -2, 3.5, 0, math.MaxFloat32, math.SmallestNonzeroFloat32}},
		{Shape: []int{3}, Int32: []int32{0, math.MinInt32, math.MaxInt32}},
		{Shape: []int{1, 2, 2}, Int8: []int8{-128, 127, 0, 1}},
		{Shape: []int{4, 1}, Uint16: []uint16{0, 1, 65535, 7}},
		{Shape: []int{0, 5}, Float32: []float32{}},
	} {
		var out bytes.Buffer
		if err := a.WriteNPY(&out); err != nil {
			t.Fatal(err)
		}
		if i := bytes.IndexByte(out.Bytes(), '\n'); (i+1)%64 != 0 {
			t.Errorf("header of %d bytes", i+1)
		}
		c := mustRead(t, out.String(), Options{})
		if c.Format != NPY || fmt.Sprintf("%#v", c.Vectors) != fmt.Sprintf("%#v", a) {
			t.Errorf("%#v, want %#v", c.Vectors, a)
		}
		zipped, err := ReadNPY(bytes.NewReader(gz(out.Bytes())), "x.npy.gz", Options{})
		if err != nil || zipped.Rows() != a.Shape[0] || zipped.Type() != a.Type() {
			t.Error(err)
		}
		// Version 2 has a longer length.
		v2 := append([]byte("\x93NUMPY\x02\x00"), out.Bytes()[8], out.Bytes()[9], 0, 0)
		v2 = append(v2, out.Bytes()[10:]...)
		if b, err := ReadNPY(bytes.NewReader(v2), "v2.npy", Options{}); err != nil ||
			fmt.Sprintf("%#v", b) != fmt.Sprintf("%#v", a) {
			t.Error(err)
		}
	}
	if _, err := ReadNPY(strings.NewReader("x"), "x", Options{}); err == nil {
		t.Error("taken")
	}
}

// Shapes: embeddings/README.md of the reference data and the numbers of Harbour Wire's documents, queries and tokens
// (doc_ids.txt, query_ids.txt, doc_offsets.npy), written by NumPy.
func TestSharedNPY(t *testing.T) {
	for name, want := range map[string]string{
		"cranfield/all-MiniLM-L6-v2/docs.npy":         "<f4 [1400 384]",
		"scifact/bge-small-en-v1.5/queries.npy":       "<f4 [300 384]",
		"cranfield/minilm-tokens/query_tokens.i8.npy": "|i1 [4742 128]",
		"cranfield/minilm-tokens/doc_offsets.npy":     "<i4 [1401]",
		"cranfield/minilm-tokens/doc_token_ids.npy":   "<u2 [194517]", "static/scales.npy": "<f4 [30522]",
		"harbour-wire/all-MiniLM-L6-v2/docs.scales.npy":  "<f4 [255]",
		"harbour-wire/all-MiniLM-L6-v2/docs.i8.npy":      "|i1 [255 384]",
		"harbour-wire/minilm-tokens/query_tokens.i8.npy": "|i1 [287 64]",
		"harbour-wire/minilm-tokens/doc_offsets.npy":     "<i4 [256]",
		"harbour-wire/minilm-tokens/doc_token_ids.npy":   "<u2 [33896]",
	} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(shared.Path(t, "embeddings/"+name))
			if err != nil {
				t.Fatal(err)
			}
			a, err := ReadNPY(bytes.NewReader(data), name, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(a.Type(), " ", a.Shape); got != want {
				t.Errorf("%s, want %s", got, want)
			}
			if rows := map[int]int32{1401: 194517, 256: 33896}[a.Shape[0]]; strings.HasSuffix(name,
				"doc_offsets.npy") && (a.Int32[0] != 0 || a.Int32[len(a.Int32)-1] != rows) {
				t.Error(a.Int32[0], a.Int32[len(a.Int32)-1])
			}
			var out bytes.Buffer
			if a.WriteNPY(&out); !bytes.Equal(out.Bytes()[out.Len()-len(data)/2:], data[len(data)-len(data)/2:]) {
				t.Error("written otherwise")
			}
		})
	}
}

func TestMetadata(t *testing.T) {
	text := `# ir_metadata.start
# platform:
#   hardware:
#     cpu:
#       model: 'Intel Xeon: fast'
#       cores: 8
#   software:
#     libraries:
#       python:
#         - 'sklearn==0.20.1'
#         - numpy
# research goal:
#   evaluation:
#     reported measures:
#       - ndcg
#       - map
# method:
#   automatic: true
#   retrieval:
#     - name: bm25
#       method: b
#       k1: 1.2
#     - name: reranker
#       reranks: bm25
#   score ties: "reverse \"order\""
# ir_metadata.end
q1 Q0 d1 1 2.5 t
`
	r, w := mustRun(t, text)
	if len(w) != 0 {
		t.Error(w)
	}
	for _, tt := range []struct {
		path, want string
	}{
		{"platform/hardware/cpu/model", "Intel Xeon: fast"}, {"platform/hardware/cpu/cores", "8"},
		{"platform/software/libraries/python/0", "sklearn==0.20.1"},
		{"platform/software/libraries/python/1", "numpy"}, {"research goal/evaluation/reported measures/1", "map"},
		{"method/retrieval/0/name", "bm25"}, {"method/retrieval/0/k1", "1.2"},
		{"method/retrieval/1/reranks", "bm25"}, {"method/score ties", `reverse "order"`}, {"method/automatic", "true"},
		{"method/absent", ""},
	} {
		if got := r.Metadata.Get(strings.Split(tt.path, "/")...); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.path, got, tt.want)
		}
	}
	var out bytes.Buffer
	if err := r.WriteTREC(&out); err != nil {
		t.Fatal(err)
	}
	again, _ := mustRun(t, out.String())
	if fmt.Sprint(again.Metadata) != fmt.Sprint(unquoted(r.Metadata, again.Metadata)) {
		t.Errorf("%v\n%v\n%s", again.Metadata, r.Metadata, out.String())
	}
}

func TestMetadataRoundTrip(t *testing.T) {
	for i, values := range [][]string{{"", " a", "a ", "- b", "a: b", "a #b", "'x'", `"y"`, "l1\nl2", "it's", "\\",
		"[x]", "{", "*", "&a", "!t", "ok:", "é😀", "#"}} {
		var m Metadata
		for k, v := range values {
			m.Set(v, "a", "list", fmt.Sprint(k))
		}
		for k, v := range values {
			m.Set(v, "b", fmt.Sprint("key ", k))
		}
		for k, v := range values {
			m.Set(v, "c", fmt.Sprint(k), "x")
			m.Set(v, "c", fmt.Sprint(k), "y", "0")
		}
		if got := parseMetadata(m.lines()); fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", unquoted(m, got)) {
			for k := range m {
				if k < len(got) && got[k].Value != m[k].Value {
					t.Errorf("%d: %+v, want %+v", i, got[k], m[k])
				}
			}
			t.Errorf("%d fields, want %d\n%s", len(got), len(m), strings.Join(m.lines(), "\n"))
		}
	}
}

func TestBenchmark(t *testing.T) {
	docs := []Doc{
		{ID: "d1", Text: "alpha", URI: "https://example.org/a/one.html"},
		{ID: "d2", Text: "beta", URI: "file:///data/two.txt"},
		{ID: "d3", Text: "beta", URI: `C:\docs\two.txt`},
		{ID: "d4", Text: "gamma", URI: "notes/four.md#part"},
		{ID: "d5", Text: "delta"},
	}
	beta := "f44e64e75f3948e9f73f8dfa94721c4ce8cbb4f265c4790c702b2d41cfbf2753"  // printf beta | sha256sum
	gamma := "9c84c8a67cd7d27f2e48c8b2a5a5f1f6ae23b6e8c8a19bd7e0cb9a8a4d1e1b8f" // of nothing here
	text := `{"schema_version":"1.0","metadata":{"name":"x","author":{"n":1}},"queries":[
{"query_key":"k1","query_text":"first","relevant_docs":[
 {"doc_ref":{"document_id":"d1"},"relevance_grade":3},
 {"doc_ref":{"document_id":"nope","uri":"https://example.org/a/one.html"},"relevance_grade":2},
 {"doc_ref":{"path":"/data/two.txt"},"relevance_grade":1},
 {"doc_ref":{"content_hash":"` + strings.ToUpper(beta) + `"},"relevance_grade":2},
 {"doc_ref":{"content_hash":"` + beta + `","path":"C:/docs/two.txt"},"relevance_grade":2},
 {"doc_ref":{"file_name":"two.txt"},"relevance_grade":1},
 {"doc_ref":{"file_name":"four.md"},"relevance_grade":0},
 {"doc_ref":{"content_hash":"` + gamma + `","file_name":"none"},"relevance_grade":3}]},
{"query_key":2,"query_text":"second","relevant_docs":[],"note":"x"}]}`
	c := mustRead(t, text, Options{})
	if c.Format != BenchmarkJSON || c.Benchmark == nil || kinds(c.Warnings) != "unknown-field×1@11" ||
		c.Benchmark.Metadata.Get("author", "n") != "1" {
		t.Fatal(c.Format, kinds(c.Warnings))
	}
	res := c.Benchmark.Resolve(NewResolver(docs), false)
	if len(res.Unresolved) != 3 || fmt.Sprint(res.Queries) != "[{k1 first     } {2 second     }]" {
		t.Errorf("%+v", res.Unresolved)
	}
	if m := res.Warnings[0].Message; m != "PARTIAL: 3 of 8 references to documents could not be resolved; they count "+
		"as judged and never found" {
		t.Error(m)
	}
	if kinds(res.Warnings) != "partial×3@0 duplicate-judgment×1@4 ambiguous-reference×2@6 unresolved-reference×1@10" {
		t.Error(kinds(res.Warnings))
	}
	if u := res.Unresolved[0]; u.By != "content_hash" || fmt.Sprint(u.Ambiguous) != "[d2 d3]" || u.Line != 6 ||
		u.Query != "k1" || u.Grade != 2 {
		t.Errorf("%+v", u)
	}
	var got []string
	res.Qrels.Each("k1", func(doc string, grade float64) { got = append(got, fmt.Sprint(doc, "=", grade)) })
	if s := strings.Join(got, ", "); s != "d1=3, d2=1, unresolved: content_hash="+strings.ToUpper(beta)+
		" #4=2, d3=2, unresolved: file_name=two.txt #6=1, d4=0, unresolved: content_hash="+gamma+" #8=3" {
		t.Error(s)
	}
	out := c.Benchmark.Resolve(NewResolver(docs), true)
	if out.Qrels.Len() != 4 || len(out.Unresolved) == 0 ||
		!strings.HasSuffix(out.Warnings[0].Message, "; they are omitted") {
		t.Error(out.Qrels.Len())
	}
	if full := (&Benchmark{Queries: []BenchmarkQuery{
		{"q", "t", []BenchmarkJudgment{{DocRef{DocumentID: "d5"}, 1, 1}}}}}).Resolve(NewResolver(docs),
		false); len(full.Unresolved)+len(full.Warnings) > 0 {
		t.Error(full)
	}
	var w bytes.Buffer
	if err := WriteBenchmark(&w, c.Benchmark); err != nil {
		t.Fatal(err)
	}
	again := mustRead(t, w.String(), Options{})
	for _, b := range []*Benchmark{again.Benchmark, c.Benchmark} {
		for i := range b.Queries {
			for k := range b.Queries[i].Relevant {
				b.Queries[i].Relevant[k].Line = 0
			}
		}
	}
	if fmt.Sprintf("%+v", again.Benchmark) != fmt.Sprintf("%+v", c.Benchmark) {
		t.Errorf("%+v\n%+v", again.Benchmark, c.Benchmark)
	}
}

func TestDataset(t *testing.T) {
	text := `{"metadata":{"name":"tiny","license":"CC0","source":"here"},
"qrels":{"q1":{"d1":2,"d9":1},"q7":{"d1":1}},
"queries":{"q1":{"query_id":"q1","text":"one","query_type":"factual","difficulty":"easy","domain":"x"},"q2":{"query_id":"other","text":""}},
"documents":{"d1":{"doc_id":"d1","text":"body","source":"a.pdf","page_number":4,"section":"Intro"},"d2":{"doc_id":"d2","text":"","page_number":null,"extra":[1]}}}`
	c := mustRead(t, text, Options{})
	col := c.Collection
	if c.Format != DatasetJSON || col.Name != "tiny" || col.License != "CC0" || col.Source != "here" ||
		len(col.Docs) != 2 || len(col.Queries) != 2 || col.Qrels.Len() != 3 {
		t.Fatalf("%+v", col)
	}
	if d := col.Docs[0]; d.ID != "d1" || d.Text != "body" || d.Title != "Intro" || d.URI != "a.pdf" || d.Page != 4 {
		t.Errorf("%+v", d)
	}
	if col.Queries[0] != (Query{ID: "q1", Text: "one", Type: "factual", Difficulty: "easy", Domain: "x"}) {
		t.Errorf("%+v", col.Queries[0])
	}
	if got := kinds(c.Warnings); got != "dialect×1@3 empty-query×1@3 unknown-field×1@4 empty-document×1@4 "+
		"unknown-document×1@2 unknown-query×1@2" {
		t.Error(got)
	}
	var out bytes.Buffer
	if err := WriteDataset(&out, col); err != nil {
		t.Fatal(err)
	}
	again := mustRead(t, out.String(), Options{}).Collection
	sameQrels(t, again.Qrels, col.Qrels)
	if fmt.Sprintf("%+v %+v %s", again.Docs, again.Queries, again.Name) != fmt.Sprintf("%+v %+v %s", col.Docs,
		col.Queries, col.Name) {
		t.Errorf("%+v", again)
	}
}

func TestJudgedQueries(t *testing.T) {
	text := `[{"query":"one","type":"factual","relevant_articles":{"a1":2,"a2":0}},
{"id":"x","query":"two","relevant_articles":{}},
{"query":"three","relevant_articles":{"a1":1.0}}]`
	c := mustRead(t, text, Options{})
	if c.Format != JudgedQueryJSON || fmt.Sprint(c.Queries) != "[{1 one factual    } {x two     } {3 three     }]" ||
		c.Qrels.Len() != 3 || kinds(c.Warnings) != "" {
		t.Error(c.Queries, c.Qrels.Len(), kinds(c.Warnings))
	}
	var out bytes.Buffer
	if err := WriteJudgedQueries(&out, c.Queries, c.Qrels); err != nil {
		t.Fatal(err)
	}
	again := mustRead(t, out.String(), Options{})
	sameQrels(t, again.Qrels, c.Qrels)
	if fmt.Sprint(again.Queries) != fmt.Sprint(c.Queries) {
		t.Error(again.Queries)
	}
}

func TestCollapse(t *testing.T) {
	r, _ := mustRun(t, "q Q0 d1#1 1 9 t\nq Q0 d2#7 2 8 t\nq Q0 d1#2 3 7 t\nq Q0 d3 4 6 t\nq Q0 d2#1 5 8 t\nq Q0 "+
		"d4#x#1 6 5 t\n")
	c, w := r.Collapse(ChunkRule{Separator: "#"}, "run")
	if got := docs(c, "q", DocIDDescending); got != "d1 d2 d3 d4#x" || c.Len() != 4 || kinds(w) != "whole-chunk×1@0" {
		t.Error(got, kinds(w))
	}
	if fmt.Sprint(c.Scores(0)) != "[9 8 6 5]" {
		t.Error(c.Scores(0))
	}
	c, _ = r.Collapse(ChunkRule{Separator: "#", First: true}, "run")
	if got := docs(c, "q", DocIDDescending); got != "d1 d2 d3 d4" {
		t.Error(got)
	}
	c, w = r.Collapse(ChunkRule{Map: map[string]string{"d1#1": "b", "d2#7": "a", "d3": "b"}}, "run")
	if got := docs(c, "q", DocIDDescending); got != "b d2#1 a d1#2 d4#x#1" || w[0].Count != 3 {
		t.Error(got, w)
	}
	// Documents whose best chunks tie are ordered by their own ids, and in the input's order by those chunks.
	r, _ = mustRun(t, "q Q0 a#9 1 1 t\nq Q0 b#1 2 1 t\nq Q0 c#0 3 2 t\n")
	c, _ = r.Collapse(ChunkRule{Separator: "#"}, "run")
	if docs(c, "q", DocIDDescending) != "c b a" || docs(c, "q", InputOrder) != "c a b" {
		t.Error(docs(c, "q", DocIDDescending), docs(c, "q", InputOrder))
	}
	q := NewQrels()
	q.Add("q", "b", 1)
	if s := SuggestSeparator(r, q); s != "#" {
		t.Error(s)
	}
	q.Add("q", "a#9", 1)
	q.Add("q", "b#1", 1)
	if s := SuggestSeparator(r, q); s != "" {
		t.Error(s)
	}
}

func TestChunkMap(t *testing.T) {
	for _, text := range []string{"chunk_id,doc_id\nc1,d1\nc2,d1\n", "c1\td1\nc2\td1\n", "c1 d1\r\nc2 d1",
		`{"c1": "d1", "c2": "d1"}`, "\ufeff{\"c1\": \"d1\",\n\"c2\": \"d1\"}"} {
		m, err := ReadChunkMap(strings.NewReader(text), "map", Options{})
		if err != nil || fmt.Sprint(m) != "map[c1:d1 c2:d1]" {
			t.Errorf("%q: %v %v", text, m, err)
		}
	}
	for text, want := range map[string]string{
		"c1,d1\nc1,d2\n":      `collection: read map: line 2: chunk "c1" belongs to "d1" and to "d2"`,
		"c1\n":                "collection: read map: line 1: a line needs two ids: the chunk's and the document's",
		"":                    "collection: read map: empty file",
		`{"c1": ["d1"]}`:      "collection: read map: line 1: column 8: expected a string, found an array",
		"c1,\n":               "collection: read map: line 1: empty id",
		"c1\td1\nc2\td1\tx\n": "collection: read map: line 2: a line needs two ids: the chunk's and the document's",
	} {
		if _, err := ReadChunkMap(strings.NewReader(text), "map", Options{}); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestCheck(t *testing.T) {
	r, _ := mustRun(t, "q1 Q0 d1 1 2 t\nq2 Q0 d1 1 2 t\nq9 Q0 d1 1 2 t\n")
	q := NewQrels()
	q.Add("q1", "d1", 1)
	q.Add("q2", "d2", 0)
	q.Add("q3", "d2", 0)
	q.Touch("q4") // judged, but without judgments: nothing is missing
	if got := kinds(Check(r, q, "run")); got != "missing-query×1@0 extra-query×1@0" {
		t.Error(got)
	}
	q = NewQrels()
	q.Add("1", "d1", 1)
	if w := Check(r, q, "run"); kinds(w) != "missing-query×1@0 extra-query×3@0 no-common-query×1@0" ||
		w[2].Message != `the run and the qrels have no query in common: the run has "q1" …, the qrels "1" …` {
		t.Error(w)
	}
	q = NewQrels()
	for _, id := range []string{"q1", "q2", "q9"} {
		q.Add(id, "D1", 1)
	}
	if w := Check(r, q, "run"); kinds(w) != "no-judged-results×1@0" ||
		w[0].Message != `no document of the run is judged: its ids look like "d1", those of the qrels like "D1"` {
		t.Error(w)
	}
}

func TestWithScores(t *testing.T) {
	r, _ := mustRun(t, "q Q0 a 1 10.00000002 t\nq Q0 b 2 10.00000001 t\n")
	if got := docs(r, "q", DocIDDescending); got != "a b" {
		t.Error(got)
	}
	f := r.WithScores(func(s float64) float64 { return float64(float32(s)) })
	if got := docs(f, "q", DocIDDescending); got != "b a" || docs(f, "q", InputOrder) != "a b" {
		t.Error(got)
	}
}

func TestReadZipOfRuns(t *testing.T) {
	b := zipped(t, map[string][]byte{"a.run": []byte("q1 Q0 d1 1 2.5 t\n"), "sub/qrels.gz": gz([]byte("q1 0 d1 1\n")),
		"__MACOSX/._a": {0}, ".DS_Store": {1}}, 8)
	for _, r := range []io.Reader{bytes.NewReader(b), &slowly{b, 100}} {
		c, err := Read("runs.zip", r, Options{})
		if err != nil || len(c.Files) != 2 || c.Files[0].Run.Len() != 1 || c.Files[1].Qrels.Len() != 1 ||
			c.Files[1].Name != "sub/qrels.gz" || !c.Files[1].Compressed {
			t.Fatal(c, err)
		}
	}
	packed := map[string][]byte{}
	for name, f := range small {
		packed["tiny/"+name] = f.Data
	}
	b = zipped(t, packed, 8)
	c, err := Read("tiny.zip", bytes.NewReader(b), Options{Split: "dev"})
	if err != nil || c.Collection.Name != "tiny" || len(c.Collection.Queries) != 1 {
		t.Fatal(c, err)
	}
}

// unquoted returns m with what of told which of its values stood in quotes: writing uses them where they are needed.
func unquoted(m, of Metadata) Metadata {
	out := append(Metadata{}, m...)
	for i := range out {
		if i < len(of) {
			out[i].quoted = of[i].quoted
		}
	}
	return out
}

// TestMetadataThatIsNoTree: what says two things of one key is written as one of them.
func TestMetadataThatIsNoTree(t *testing.T) {
	r, _ := mustRun(t, "# ir_metadata.start\n# a: 1\n# a: 2\n# b: 3\n# b:\n#   c: 4\n# d: 5\n# ir_metadata.end\nq1 "+
		"Q0 d1 1 2.5 t\n")
	var out bytes.Buffer
	if err := r.WriteTREC(&out); err != nil {
		t.Fatal(err)
	}
	if want := "# ir_metadata.start\n# a: 2\n# b:\n#   c: 4\n# d: 5\n# ir_metadata.end\nq1 Q0 d1 1 2.5 t\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	c := mustRead(t, `{"schema_version":"1.0","metadata":{"a":1,"a":{"b":2}},"queries":[{"query_key":"q",`+
		`"query_text":"x","relevant_docs":[]}]}`, Options{})
	out.Reset()
	if err := WriteBenchmark(&out, c.Benchmark); err != nil ||
		!strings.Contains(out.String(), `"metadata": {"a": {"b": "2"}}`) {
		t.Errorf("%v %s", err, out.String())
	}
}

// TestMetadataOfTheSpecification reads a header as repro_eval writes it (a space at each line's end, lists at the
// indent of their key) with what YAML has besides, and writes it again. Oracle: ruamel.yaml 0.18 reads the same values
// out of both, and of the same types.
func TestMetadataOfTheSpecification(t *testing.T) {
	text := "# ir_metadata.start\n# schema-version: 0.1 \n# tag: t # the last column \n# research goal: \n#   venue: " +
		"\n#     year: '2020' \n#     open: \"yes\" \n# method: \n#   automatic: true \n#   retrieval: \n#   - " +
		"name: bm25 \n" +
		"#     b: 0.4 \n#   - name: mix \n#     interpolates: [bm25, 'a, b', [c]] \n#     params: {b: 0.4, k1: 0.9} " +
		"\n#     none: [] \n# actor: \n#   note: | \n#     two \n#       lines \n# \n#   folded: >- \n#     one \n#  " +
		"   line \n#   team: h2oloo \n# ir_metadata.end\nq1 Q0 d1 1 2.5 t\n"
	want := []string{"schema-version=0.1", "tag=t", "research goal/venue/year=2020", "research goal/venue/open=yes",
		"method/automatic=true", "method/retrieval/0/name=bm25", "method/retrieval/0/b=0.4",
		"method/retrieval/1/name=mix", "method/retrieval/1/interpolates/0=bm25",
		"method/retrieval/1/interpolates/1=a, b", "method/retrieval/1/interpolates/2/0=c",
		"method/retrieval/1/params/b=0.4",
		"method/retrieval/1/params/k1=0.9", "method/retrieval/1/none=[]", "actor/note=two\n  lines\n",
		"actor/folded=one line", "actor/team=h2oloo"}
	r, _ := mustRun(t, text)
	for range 2 {
		var got []string
		for _, f := range r.Metadata {
			got = append(got, strings.Join(f.Path, "/")+"="+f.Value)
		}
		if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("got  %q\nwant %q", got, want)
		}
		var out bytes.Buffer
		if err := r.WriteTREC(&out); err != nil {
			t.Fatal(err)
		}
		for _, l := range []string{"#     year: '2020'\n", "#     open: 'yes'\n", "#   automatic: true\n",
			"#       none: []\n"} {
			if !strings.Contains(out.String(), l) {
				t.Errorf("%q is not written in\n%s", l, out.String())
			}
		}
		r, _ = mustRun(t, out.String())
	}
}
