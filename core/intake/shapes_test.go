package intake

import (
	"archive/zip"
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
)

// shapeOf is a run, judgments or scores in one line each, in the order of their queries.
func shapeOf(f *File) string {
	var out []string
	for _, c := range f.Contents {
		if c.Run != nil {
			for i, q := range c.Run.Queries() {
				var ids []string
				for _, e := range c.Run.Ranked(i, collection.DocIDDescending, nil) {
					ids = append(ids, e.Doc)
				}
				out = append(out, "run "+q+": "+strings.Join(ids, " "))
			}
		}
		if c.Qrels != nil {
			for _, q := range c.Qrels.Queries() {
				line := "qrels " + q + ":"
				c.Qrels.Each(q, func(doc string, grade float64) { line += " " + doc + "=" + string(rune('0'+grade)) })
				out = append(out, line)
			}
		}
		for _, q := range c.Queries {
			out = append(out, "query "+q.ID+": "+q.Text)
		}
	}
	if t := f.Scores; t != nil {
		out = append(out, "scores "+strings.Join(t.Systems, ",")+" by "+strings.Join(t.Items, ",")+": "+
			strings.Join(t.Measures, ","))
	}
	return strings.Join(out, "; ")
}

// ShapeFile is a file as a tool writes it, shortened, and what it holds.
type ShapeFile struct {
	Shape, Name string
	Role        Role
	Text, want  string
}

// ShapeFiles has one of each shape at least.
var ShapeFiles = []ShapeFile{
	{"predictions of MTEB", "SciFact_predictions.json", Any,
		`{"mteb_model_meta":{"model_name":"x"},"default":{"test":{"q1":{"d1":1.5,"d2":2},"q2":{"d1":1}}}}`,
		"run q1: d2 d1; run q2: d1"},
	{"judgments of OpenSearch's Search Relevance Workbench", "judgments.json", Any,
		`{"id":"j","judgmentRatings":[{"query":"desk lamp","ratings":[{"docId":"P1","rating":"2.0"},{"docId":"P2",` +
			`"rating":"0.0"}]}]}`, "qrels desk lamp: P1=2 P2=0"},
	{"a case of Quepid", "case.json", Any,
		`{"case_name":"c","queries":[{"query_text":"star wars","ratings":{"11":3,"12":0}}]}`,
		"qrels star wars: 11=3 12=0"},
	{"a snapshot of Quepid", "snapshot.csv", Any, "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n" +
		"S,2026-01-01,1,star wars,12,2\nS,2026-01-01,1,star wars,11,1\n", "run star wars: 11 12"},
	{"ratings of Quepid", "detailed.csv", Any,
		"Team Name,Case Name,Case ID,Query Text,Doc ID,Rating\nT,C,1,star wars,11,3\n",
		"qrels star wars: 11=3"},
	{"an answer of Elasticsearch's _rank_eval", "answer.json", Any,
		`{"metric_score":0.4,"details":{"q1":{"metric_score":0.6,"unrated_docs":[],"hits":[{"hit":{"_id":"a","_score":1.2},` +
			`"rating":1},{"hit":{"_id":"b","_score":1.1},"rating":null}]}},"failures":{}}`,
		"run q1: a b; qrels q1: a=1"},
	{"questions of AutoRAG", "qa.csv", Any,
		"qid,query,retrieval_gt,generation_gt\nq1,ferry,\"[['d1'], ['d2', 'd3']]\",['x']\n" +
			"q2,pier,['d4'],x\n", "qrels q1: d1=1 d2=1 d3=1; qrels q2: d4=1; query q1: ferry; query q2: pier"},
	{"questions of AutoRAG", "qa.json", Judgments, `[{"qid":"q1","query":"ferry","retrieval_gt":[["d1"],["d2"]]}]`,
		"qrels q1: d1=1 d2=1; query q1: ferry"},
	{"a test run of DeepEval", "run.json", Any,
		`{"testCases":[{"input":"a","metricsData":[{"name":"Faithfulness","score":0.5}]},` +
			`{"input":"a","metricsData":[{"name":"Faithfulness","score":1}]}]}`, "scores run by a,a (2): Faithfulness"},
	{"scores of Langfuse", "lf.csv", Any,
		"id,timestamp,traceId,name,value,source,dataType\n0,1,t0,relevance,0.5,API,NUMERIC\n" +
			"1,1,t1,relevance,0.6,API,NUMERIC\n", "scores lf by t0,t1: relevance"},
	{"feedback of LangSmith", "ls.csv", Any, "inputs.question,outputs.answer,feedback.correctness\nq,a,1\nr,a,0\n",
		"scores ls by q,r: correctness"},
	{"questions with measures of answers (Ragas, Haystack, DeepEval)", "ragas.json", Any,
		`[{"user_input":"a","retrieved_contexts":["x"],"faithfulness":0.5,"context_recall":null},` +
			`{"user_input":"b","retrieved_contexts":["y"],"faithfulness":1,"context_recall":0}]`,
		"scores ragas by a,b: faithfulness,context_recall"},
	{"queries with lists of results", "r.jsonl", Any, `{"query":"q1","doc_ids":["d1","d3"],"scores":[1,2]}` + "\n" +
		`{"query":"q2","doc_ids":["d2"],"scores":[0.5]}`, "run q1: d3 d1; run q2: d2"},
	{"queries with lists of results", "r.json", Runs, `[{"qid":7,"query":"the pier","doc_ids":["d1","d3"]}]`,
		"run 7: d1 d3; query 7: the pier"},
	{"queries with results (sentence-transformers)", "st.jsonl", Any,
		`{"query_id":"q01","query":"fog","results":[{"corpus_id":"a","score":1.5},{"corpus_id":"b","score":2}]}`,
		"run q01: b a; query q01: fog"},
	{"a data frame in JSON (orient=columns or split)", "columns.json", Any,
		`{"query-id":{"0":"q1","1":"q1"},"corpus-id":{"0":"d1","1":"d2"},"score":{"0":2,"1":0}}`, "qrels q1: d1=2 d2=0"},
	{"a data frame in JSON (orient=columns or split)", "split.json", Any,
		`{"columns":["qid","docno","score","rank"],"index":[0,1],"data":[["q1","d1",2.5,1],["q1","d2",3,0]]}`,
		"run q1: d2 d1"},
	{"a judged query, or one a line", "judged.json", Any,
		`{"query":"a","type":"Factual","relevant_articles":{"d1":2,"d2":0}}`,
		"qrels 1: d1=2 d2=0; query 1: a"},
	{"lists of results by query", "ids.json", Runs, `{"q1":["d1","d3"],"q2":["d2",7]}`, "run q1: d1 d3; run q2: d2 7"},
	{"lists of results by query", "gold.json", Judgments, `{"q1":["d1","d3"]}`, "qrels q1: d1=1 d3=1"},
}

// Each shape has a file, and what it holds.
func TestShapesOfOtherToolsAreReadAsWhatTheyHold(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range ShapeFiles {
		f, err := Read(c.Name, c.Role, strings.NewReader(c.Text), collection.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		if s := shaped(c.Name, []byte(c.Text), c.Role); s == nil || s.Name != c.Shape {
			t.Errorf("%s: not known as %s: %+v", c.Name, c.Shape, s)
		}
		if got := shapeOf(f); got != c.want {
			t.Errorf("%s: %q, want %q", c.Name, got, c.want)
		}
		seen[c.Shape] = true
		if strings.HasSuffix(c.want, c.want[:3]) || c.want[0] == 's' {
			continue
		}
		// The reader of one file says the same.
		one, _, err := ReadShape(c.Name, c.Role, strings.NewReader(c.Text), collection.Options{})
		if err != nil || one == nil || shapeOf(&File{Contents: []*collection.Content{one}}) != c.want {
			t.Errorf("%s alone: %+v, %v", c.Name, one, err)
		}
	}
	for _, s := range Shapes {
		if !seen[s.Name] {
			t.Errorf("no file of %q is tried", s.Name)
		}
	}
}

// A sheet is a run, judgments or scores as the CSV of it is.
func TestASheetIsReadAsItsRows(t *testing.T) {
	sheet := func(rows ...string) string {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		f, _ := w.Create("xl/worksheets/sheet1.xml")
		f.Write([]byte("<worksheet><sheetData>"))
		for _, row := range rows {
			f.Write([]byte("<row>"))
			for _, cell := range strings.Fields(row) {
				f.Write([]byte(`<c t="inlineStr"><is><t>` + cell + "</t></is></c>"))
			}
			f.Write([]byte("</row>"))
		}
		f.Write([]byte("</sheetData></worksheet>"))
		w.Close()
		return b.String()
	}
	for _, c := range []struct {
		role       Role
		text, want string
	}{
		{Judgments, sheet("query-id corpus-id score", "q1 d1 2", "q1 d2 0"), "qrels q1: d1=2 d2=0"},
		{Any, sheet("query-id corpus-id score", "q1 d1 2", "q1 d2 0"), "qrels q1: d1=2 d2=0"},
		{Runs, sheet("qid docno score", "q1 d1 2", "q1 d2 3.5"), "run q1: d2 d1"},
		{Any, sheet("run query measure value", "a q1 AP 0.5", "b q1 AP 0.25"), "scores a,b by q1: AP"},
	} {
		f, err := Read("a.xlsx", c.role, strings.NewReader(c.text), collection.Options{})
		if err != nil || shapeOf(f) != c.want {
			t.Errorf("%v, want %q", err, c.want)
			if f != nil {
				t.Error(shapeOf(f))
			}
		}
	}
	if _, err := Read("a.xlsx", Any, strings.NewReader("PK\x03\x04 cut"), collection.Options{}); err == nil ||
		!strings.Contains(err.Error(), "a.xlsx: zip: cut off") {
		t.Error(err)
	}
}

// What is wrong in a shape is refused by its name and line.
func TestAShapeThatIsBrokenSaysWhere(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.jsonl", "{\"query\":\"q1\",\"doc_ids\":[\"d1\"],\"scores\":[1]}\n{\"query\":\"q2\",\"doc_ids\":[\"d1\"],\"scores\":[]}",
			"line 2: 1 documents and 0 scores"},
		{"b.json", `{"mteb_model_meta":{},"en":{"test":{"q":{"d":1}}},"de":{"test":{"q":{"d":1}}}}`,
			"it has several parts (en/test, de/test)"},
		{"c.json", "{\"judgmentRatings\":[\n{\"query\":\"a\",\"ratings\":[{\"docId\":\"P\",\"rating\":\"high\"}]}]}",
			`line 2: grade "high" is not a number`},
		{"d.json", `{"q1":[],"q2":["a"],"q3":[""]}`, "empty document id"},
	} {
		_, err := Read(c.name, Any, strings.NewReader(c.text), collection.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// A role goes before what a file looks like: documents may be called as measures are.
func TestARoleGoesBeforeTheLooksOfAFile(t *testing.T) {
	for _, c := range []struct {
		role       Role
		text, want string
	}{
		{Judgments, "q1 0 R 1\nq2 0 R 0\n", "qrels q1: R=1; qrels q2: R=0"},
		{Any, "q1 0 R 1\nq2 0 R 0\n", "qrels q1: R=1; qrels q2: R=0"},
		{Judgments, "q1\tR\t1\nq2\tAP\t0\n", "qrels q1: R=1; qrels q2: AP=0"},
		{Runs, "q1 Q0 R 1 2.5 AP\n", "run q1: R"},
		{Any, "AP q1 0.5000\nAP q2 0.2500\nAP all 0.3750\n", "scores a by q1,q2: AP"},
		{Judgments, "q1\tAP\t0.5\nq2\tAP\t0.25\n", "scores a by q1,q2: AP"}, // the first of several tables of scores
	} {
		f, err := Read("a.txt", c.role, strings.NewReader(c.text), collection.Options{})
		if err != nil || shapeOf(f) != c.want {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
			if f != nil {
				t.Error(shapeOf(f))
			}
		}
	}
}

func FuzzShape(f *testing.F) {
	f.Add("a.json", `{"q1":["d1"]}`)
	f.Add("a.csv", "qid,query,retrieval_gt\nq,x,\"[['a']]\"\n")
	f.Add("a.json", `{"columns":["a"],"data":[[1]]}`)
	f.Add("a.json", `{"a":{"0":1},"b":{"0":1},"c":{"1":1}}`)
	f.Fuzz(func(t *testing.T, name, text string) {
		for _, role := range []Role{Any, Judgments, Runs} {
			if c, _, err := ReadShape(name, role, strings.NewReader(text), collection.Options{}); err == nil && c != nil &&
				c.Run == nil && c.Qrels == nil && len(c.Queries) == 0 && len(c.Docs) == 0 && c.Collection == nil {
				t.Fatalf("%q: nothing is read and nothing said", text)
			}
		}
	})
}

// The table of docs/files.md has every shape.
func TestTheTableOfShapesIsTrue(t *testing.T) {
	b, err := os.ReadFile("../../docs/files.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range Shapes {
		if row := "| " + s.Name + " | " + s.Gives + " |\n"; !strings.Contains(string(b), row) {
			t.Errorf("missing:\n%s", row)
		}
	}
}
