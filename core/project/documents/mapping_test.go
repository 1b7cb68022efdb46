package documents

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
)

const pairs = "query,sku,name,description,label\nboat,A1,Ferry,it floats,2\nboat,A2,Crane,it " +
	"lifts,0\nlift,A2,Crane,it lifts,1\nnone,A3,Buoy,it rings,\n"

func peek(t *testing.T, name, text string) *Table {
	t.Helper()
	got, err := Peek(name, []byte(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// What each ordinary upload is seen as before anything is indexed.
func TestColumnsAreRecognised(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		native           bool
	}{
		{"goods.csv", "sku,name,description\nA1,Ferry,\"a boat, late\"\n",
			`id from "sku", title from "name", text from "description"`, false},
		{"body.jsonl", `{"id":"A1","title":"Ferry","body":"a boat"}`,
			`id from "id", title from "title", text from "body"`, false},
		{"text.jsonl", `{"id":"A1","title":"Ferry","text":"a boat"}`,
			`id from "id", title from "title", text from "text"`, false},
		{"corpus.jsonl", `{"_id":"A1","title":"Ferry","text":"a boat"}`,
			`id from "_id", title from "title", text from "text"`, true},
		{"array.json", `[{"id":"A1","name":"Ferry","content":"a boat"}]`,
			`id from "id", title from "name", text from "content"`, false},
		{"news.csv", "id,title,text\nA1,Ferry,a boat\n", `id from "id", title from "title", text from "text"`, true},
		{"faq.csv", "question,answer\nWhen does it sail?,At noon each day.\n",
			`ids from the row numbers, title from "question", text from "answer"`, false},
		{"news.tsv", "docno\ttext\nA1\ta boat\n", `id from "docno", text from "text"`, true},
		{"topic.csv", "id,topic,title,text\n1,port,Ferry,a boat\n",
			`id from "id", title from "title", text from "text", category from "topic"`, false},
		{"de.csv", "id,text,lang,Published At\n1,Hafen und Fähre,de,2024-04-18\n",
			`id from "id", text from "text", date from "Published At", language from "lang"`, false},
		{"queries.csv", "id,query\n7,dock strike\n", `id from "id", query from "query"`, false},
		{"judged.csv", pairs, `id from "sku", title from "name", text from "description", query from "query", grade ` +
			`from "label"`, false},
		{"twice.csv", "name,name,\na,b c d,e\n",
			`ids from the row numbers, title from "name", text from "name (2)"; not used: "column 3"`, false},
	} {
		got := peek(t, c.name, c.text)
		if got == nil || got.Mapping.Said() != c.want || got.Native != c.native || !got.Whole {
			t.Errorf("%s: %+v, want %s", c.name, got, c.want)
		}
	}
}

func TestFormatsOfTestCollectionsHaveNoColumnsToChoose(t *testing.T) {
	for name, text := range map[string]string{
		"a.run": "q1 Q0 d1 1 2.5 a\n", "qrels.txt": "q1 0 d1 1\n",
		"qrels.csv": "query_id,doc_id,relevance\nq1,d1,1\n", "run.csv": "query_id,doc_id,score\nq1,d1,2\n",
		"docs.tsv": "d1\tthe ferry was late\n", "notes.md": "# Ferry\n", "page.html": "<p>x",
		"lines.txt": "The ferry was late.\nA storm.\n",
		"run.json":  `{"q1":{"d1":1.5}}`, "judged.json": `[{"query":"x","relevant_articles":{"a":1}}]`,
		"trec.txt":     "<DOC><DOCNO>1</DOCNO></DOC>\n",
		"mapping.json": string((&Mapping{Title: "x"}).JSON()),
	} {
		if got := peek(t, name, text); got != nil {
			t.Errorf("%s: %s", name, got.Mapping.Said())
		}
	}
	if _, err := Peek("scores.csv", []byte("run,query,measure,value\na,q1,nDCG,1\n"), 37); err == nil ||
		!strings.Contains(err.Error(), "a table of scores") {
		t.Errorf("%v", err)
	}
}

// A head that ends in the midst of a row, of a quoted cell or of a character is read to the row before.
func TestTheBeginningOfALargeFileIsEnough(t *testing.T) {
	const rows = 40
	for name, of := range map[string]struct{ head, row, between, tail string }{
		"a.csv": {"id,text\n", "\"grüße,\nNo. @\"", "\n", ""}, "a.json": {"[", `{"id":@,"text":"grüße\n"}`, ",\n",
			"]"}, "a.jsonl": {"", `{"id":@,"text":"grüße"}`, "\n", ""},
	} {
		text := of.head
		for i := range rows {
			text += strings.ReplaceAll(of.row, "@", strconv.Itoa(i)) + of.between
		}
		if name == "a.csv" {
			text = "id,text\n"
			for i := range rows {
				text += strconv.Itoa(i) + ",\"grüße,\nNo. " + strconv.Itoa(i) + "\"\n"
			}
		}
		text = strings.TrimSuffix(text, of.between) + of.tail
		for cut := len(text) / 2; cut < len(text)/2+60; cut++ {
			got, err := Peek(name, []byte(text[:cut]), int64(len(text)))
			if err != nil || got == nil || got.Whole || got.Read < 15 || got.About < rows-6 || got.About > rows+6 {
				t.Fatalf("%s cut at %d: %+v, %v", name, cut, got, err)
			}
			r, err := got.Try(nil)
			if err != nil || len(r.Docs) != got.Read || !strings.HasPrefix(r.Docs[got.Read-1].Text, "grüße") {
				t.Fatalf("%s cut at %d: %+v, %v", name, cut, r, err)
			}
		}
	}
	if _, err := Peek("a.csv", []byte("id,text\na,b,c\nd,e\nf,"), 1000); err == nil || !strings.Contains(err.Error(),
		"line 2: 3 columns, expected 2") {
		t.Errorf("a row that is wrong: %v", err)
	}
}

func TestAMappingIsReadAsItWasWritten(t *testing.T) {
	m := Mapping{ID: "sku", Title: "name \"x\"\n", Text: []string{"description", "<b>"}, Date: "d", Category: "c",
		URL: "u", Language: "l", Query: "q", Grade: "g"}
	got, err := ReadMapping("m.json", m.JSON())
	if err != nil || string(got.JSON()) != string(m.JSON()) || !IsMapping(m.JSON()) {
		t.Fatalf("%+v, %v", got, err)
	}
	if one, err := ReadMapping("m.json",
		[]byte(`{"format":"rankbox-mapping","version":1,"text":"body"}`)); err != nil || !slices.Equal(one.Text,
		[]string{"body"}) {
		t.Errorf("a text alone: %+v, %v", one, err)
	}
	for text, want := range map[string]string{
		`{"version":1,"text":"a"}`:                            "it is no mapping",
		`{"format":"rankbox-mapping","version":2,"text":"a"}`: "a newer Rankbox saved this mapping",
		`{"format":"rankbox-mapping","text":"a"}`:             "it has no version",
		`{"format":"rankbox-mapping","version":1}`: "no column is the text, the title or the " +
			"query",
		"{\"format\":\"rankbox-mapping\",\"version\":1,\n\"texts\":\"a\"}": "line 2: column 9: unknown member " +
			"\"texts\"",
		`{"format":"rankbox-mapping","version":1,"title":"a","text":"a"}`: `the column "a" is used twice, for title ` +
			`and text`,
		`{"format":"rankbox-mapping","version":1,"text":"a","grade":"g"}`: `the grade (column "g") is of a query and ` +
			`a document`,
		`{"format":"rankbox-mapping","version":1,"query":"a","grade":"g"}`: "choose the column of the text or title " +
			"too",
		`{"format":"rankbox-mapping","version":1,"text":"a","text":"b"}`: `the key "text" comes twice`,
		`{"format":"rankbox-mapping","version":1,"text":[""]}`:           "has no name",
		`{"format":"rankbox-mapping","version":1,"text":["a"]`:           "m.json",
	} {
		if _, err := ReadMapping("m.json", []byte(text)); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "m.json") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestAMappingDecidesWhatRowsBecome(t *testing.T) {
	const odd = "ref,headline words,blurb,more,when,tongue\nA1,Ferry,a boat,late,2024-04-18,de\nA2,Crane,it " +
		"lifts,,soon,DE\n"
	m := Mapping{ID: "ref", Title: "headline words", Text: []string{"blurb", "more"}, Date: "when", Language: "tongue"}
	r, err := Mapped("odd.csv", []byte(odd), &m, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := collection.Doc{ID: "A1", Title: "Ferry", Text: "a boat\n\nlate", Date: "2024-04-18"}
	if d := r.Docs[0]; d.ID != want.ID || d.Title != want.Title || d.Text != want.Text || d.Date != want.Date ||
		r.Docs[1].Text != "it lifts" {
		t.Errorf("%+v", r.Docs)
	}
	if Analyzer(r.Language) != "snowball-german" || Analyzer("en-GB") != "" || Analyzer("de_CH") != "snowball-german" {
		t.Errorf("language %q", r.Language)
	}
	if want := []string{"1 date is not YYYY-MM-DD and was left out; the first is in line " +
		"3"}; !slices.Equal(r.Warnings, want) {
		t.Errorf("%q", r.Warnings)
	}
	// The same rows as queries.
	r, err = Mapped("odd.csv", []byte(odd), &Mapping{ID: "ref", Query: "blurb"}, Limits{})
	if err != nil || len(r.Docs) != 0 || len(r.Queries) != 2 || r.Queries[1].ID != "A2" ||
		r.Queries[1].Text != "it lifts" {
		t.Errorf("%+v, %v", r, err)
	}
}

// Of four rows: three documents, three queries, three grades (the last row has none).
func TestRowsOfQueriesAndDocumentsBecomeACollection(t *testing.T) {
	r := read(t, "judged.csv", pairs, Documents, false)
	if len(r.Docs) != 3 || len(r.Queries) != 3 || r.Qrels == nil || r.Qrels.Len() != 3 {
		t.Fatalf("%+v", r)
	}
	if g, ok := r.Qrels.Grade("q2", "A2"); r.Queries[1].Text != "lift" || !ok || g != 1 {
		t.Errorf("%+v, grade %v", r.Queries, g)
	}
	if _, err := Mapped("judged.csv", []byte(strings.Replace(pairs, "it lifts,1", "it sinks,1", 1)), &r.Mapping,
		Limits{}); err == nil || !strings.Contains(err.Error(),
		`line 4: the id "A2" (column "sku") is that of line 3 too`) {
		t.Errorf("two texts of one id: %v", err)
	}
}

func TestAMappingThatDoesNotFitIsAnError(t *testing.T) {
	const table = "sku,name,blurb\nA1,Ferry,\nA1,Crane,\n"
	for want, m := range map[string]Mapping{
		`read t.csv: line 1: there is no column "id", which the mapping uses for id; the columns are "sku", "name", ` +
			`"blurb"`: {ID: "id", Text: []string{"blurb"}},
		`read t.csv: line 3: the id "A1" (column "sku") is that of line 2 too: choose another ` +
			`column`: {ID: "sku", Title: "name"},
		`read t.csv: line 1: the column "blurb", used for the text, is empty in every ` +
			`row`: {Title: "name", Text: []string{"blurb"}},
		`read t.csv: line 1: the column "blurb", used for the query, is empty in every ` +
			`row`: {Query: "blurb"},
		`read t.csv: line 2: the grade "A1" (column "sku") is not a ` +
			`number`: {Title: "name", Query: "name (2)", Grade: "sku"},
	} {
		text := table
		if m.Grade != "" {
			text = strings.ReplaceAll(table, "blurb\n", "name\n")
			text = strings.Replace(text, "Ferry,", "Ferry,boat", 1)
		}
		if _, err := Mapped("t.csv", []byte(text), &m, Limits{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	if _, err := Mapped("a.md", []byte("# x"), &Mapping{Title: "x"}, Limits{}); err == nil ||
		!strings.Contains(err.Error(), "it looks like Markdown") {
		t.Errorf("%v", err)
	}
}

func TestAColumnHasOneUse(t *testing.T) {
	m := Mapping{ID: "a", Title: "b", Text: []string{"c"}}
	m = m.With("c", ForTitle)
	if m.Title != "c" || len(m.Text) != 0 || m.Of("b") != LeaveOut {
		t.Errorf("%+v", m)
	}
	m = m.With("b", ForText).With("a", ForText)
	if m.ID != "" || !slices.Equal(m.Text, []string{"b", "a"}) || m.Of("a") != ForText {
		t.Errorf("%+v", m)
	}
}

func FuzzReadMapping(f *testing.F) {
	f.Add((&Mapping{ID: "a", Text: []string{"b", "c"}, Query: "q"}).JSON())
	f.Add([]byte(`{"format":"rankbox-mapping","version":1,"text":"a"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := ReadMapping("m", b)
		if err != nil {
			return
		}
		again, err := ReadMapping("m", m.JSON())
		if err != nil || string(again.JSON()) != string(m.JSON()) {
			t.Fatalf("%q: %v", b, err)
		}
	})
}

// Whatever the file and wherever it is cut, Peek ends, and what it says can be tried.
func FuzzPeek(f *testing.F) {
	for name, text := range map[string]string{"a.csv": "id,text\na,\"b\nc\"\n", "b.csv": pairs,
		"a.json": `[{"id":1,"text":"x"},"y"]`, "a.jsonl": "{\"id\":1,\"body\":\"x\"}\n"} {
		f.Add(name, []byte(text), 3)
	}
	f.Fuzz(func(t *testing.T, name string, b []byte, cut int) {
		got, err := Peek(name, b, int64(len(b)+max(0, cut%100)))
		if err != nil || got == nil {
			return
		}
		for i := range got.Read {
			if cells, _ := got.Row(i); len(cells) != len(got.Columns) {
				t.Fatal("a row of another width")
			}
		}
		if m, err := ReadMapping("m", got.Mapping.JSON()); err == nil {
			got.Try(m)
		}
		got.Try(nil)
	})
}
