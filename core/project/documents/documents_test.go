package documents

import (
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/collection"
)

func read(t *testing.T, name, text string, role Role, whole bool) *Read {
	t.Helper()
	r, err := File(name, []byte(text), role, whole, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The eleven files that people brought and that were refused or misread (issue 31, section 1).
func TestOrdinaryFilesBecomeDocuments(t *testing.T) {
	want := []collection.Doc{{ID: "A1", Title: "Ferry", Text: "a boat, late"},
		{ID: "A2", Title: "Crane", Text: "it lifts"}}
	for name, text := range map[string]string{
		"goods.csv": "sku,name,description\nA1,Ferry,\"a boat, late\"\nA2,Crane,it lifts\n",
		"semi.csv":  "\ufeffSKU;Product Name;Description\r\nA1;Ferry;a boat, late\r\nA2;Crane;it lifts\r\n",
		"goods.tsv": "id\ttitle\tbody\nA1\tFerry\ta boat, late\nA2\tCrane\tit lifts\n",
		"body.jsonl": `{"id":"A1","title":"Ferry","body":"a boat, late"}` + "\n" +
			`{"id":"A2","title":"Crane","body":"it lifts","tags":[1]}`,
		"text.jsonl": `{"id":"A1","title":"Ferry","text":"a boat, late"}` + "\n\n" +
			`{"text":"it lifts","title":"Crane","id":"A2"}`,
		"array.json": `[{"id":"A1","name":"Ferry","content":"a boat, late"},` + "\n" +
			`{"id":"A2","name":"Crane","content":"it lifts","nested":{"x":1}}]`,
		"no-extension": "sku,name,description\nA1,Ferry,\"a boat, late\"\nA2,Crane,it lifts\n",
	} {
		r := read(t, name, text, Documents, false)
		if len(r.Docs) != 2 || r.Docs[0].ID != want[0].ID || r.Docs[0].Title != want[0].Title ||
			r.Docs[0].Text != want[0].Text || r.Docs[1].Title != want[1].Title || r.Docs[1].Text != want[1].Text {
			t.Errorf("%s: %+v", name, r.Docs)
		}
	}
}

func TestATextIsOneDocumentUnlessItsLinesAreAskedFor(t *testing.T) {
	text := "The ferry was late.\n\nA storm, at last.\n"
	if r := read(t, "lines.txt", text, Documents, true); len(r.Docs) != 2 || r.Docs[1].ID != "line-3" ||
		r.Docs[1].Text != "A storm, at last." {
		t.Errorf("%+v", r.Docs)
	}
	for _, text := range []string{text, "Ferry text 1\n", "q1 Q0 d1 1 2.5 tag\n", "a\tb c\nno tab\n",
		"Name, title, text\nThis is prose.\n", "1. First\n2. Second\n"} {
		if r := read(t, "a/log one.txt", text, Documents, false); len(r.Docs) != 1 || r.Docs[0].ID != "a/log_one.txt" ||
			r.Docs[0].Title != "log one" || r.Docs[0].Text != strings.TrimSpace(text) {
			t.Errorf("%q: %+v", text, r.Docs)
		}
	}
	if r := read(t, "excel.txt", "id\ttext\nd1\tThe ferry\n", Documents, false); len(r.Docs) != 1 || r.Docs[0].ID != "d1" {
		t.Errorf("%+v", r.Docs)
	}
}

func TestQueriesStayQueries(t *testing.T) {
	for name, text := range map[string]string{"queries.csv": "id,query\n7,dock strike\n8,fog\n",
		"my-queries.tsv": "qid\tquestion\n7\tdock strike\n8\tfog\n",
		"topics.json":    `[{"id":7,"text":"dock strike"},{"id":8,"text":"fog"}]`} {
		r := read(t, name, text, RoleOf(name), false)
		if len(r.Docs) != 0 || len(r.Queries) != 2 || r.Queries[0].ID != "7" || r.Queries[0].Text != "dock strike" {
			t.Errorf("%s: %d documents, %+v", name, len(r.Docs), r.Queries)
		}
	}
	if RoleOf("notes.csv") != Documents || RoleOf("folder/queries.jsonl") != Queries {
		t.Error("the role is not that of the name")
	}
}

func TestMarkdownIsReadWithItsFrontMatter(t *testing.T) {
	r := read(t, "notes/dock strike.md",
		"---\ntitle: \"The dock strike\"\ndate: 2024-04-18\ncategory: business\n---\n\n# Ballot\n\nThe *union* will "+
			"[ballot](x.md) its `412` members.\n\n- first\n- second\n\n```\ncode *stays*\n```\n", Documents, true)
	want := collection.Doc{ID: "notes/dock_strike.md", Title: "The dock strike", Date: "2024-04-18",
		Category: "business", URI: "notes/dock strike.md"}
	got := r.Docs[0]
	text := got.Text
	got.Text = ""
	if got.ID != want.ID || got.Title != want.Title || got.Date != want.Date || got.Category != want.Category {
		t.Errorf("%+v", got)
	}
	if text != "Ballot\n\nThe union will ballot its 412 members.\n\nfirst\nsecond\n\ncode *stays*" {
		t.Errorf("%q", text)
	}
	// HTML in Markdown is markup too, but for what is code or no tag; rows of a table are lines.
	for text, want := range map[string]string{
		"<!-- made by\na tool -->\na <!-- b --> c":          "a  c",
		"<p align=\"center\">a<br/>b&nbsp;c &amp; d</p>":    "a b\u00a0c & d",
		"`<b>` and ``a`b``, a < b, Vec<T>, <https://x.org>": "<b> and a`b, a < b, Vec<T>, https://x.org",
		"| Run | nDCG |\n|:---|---:|\n| a\\|b | `*` |":      "Run  nDCG\na|b  *",
		"```\n<!-- code -->\n| a |\n```":                    "<!-- code -->\n| a |",
		"an `open tick, &copy; &nonsense; and &":            "an open tick, © &nonsense; and &",
	} {
		if d := read(t, "x.md", text, Documents, true).Docs[0]; d.Text != want {
			t.Errorf("%q: %q, want %q", text, d.Text, want)
		}
	}
	for text, title := range map[string]string{"# One\ntext": "One", "Two\n===\ntext": "Two", "text only": "x",
		"+++\ntitle = 'Three'\n+++\ntext": "Three"} {
		if d := read(t, "x.md", text, Documents, true).Docs[0]; d.Title != title || !strings.HasPrefix(d.Text, "text") {
			t.Errorf("%q: %+v", text, d)
		}
	}
}

func TestHTMLIsReadWithoutItsBoilerplate(t *testing.T) {
	d := read(t, "a.html",
		`<!doctype html><html><head><title>Dock &amp; strike</title><style>p{}</style></head><body><nav>Home About</nav><header>Site</header>
<main><h1>Ballot</h1><p>The <b>union</b> will ballot.</p><script>alert(1)</script><ul><li>one</li><li>two</li></ul></main><footer>©</footer></body></html>`,
		Documents, true).Docs[0]
	if d.Title != "Dock & strike" || d.Text != "Ballot\nThe union will ballot.\none\ntwo" {
		t.Errorf("%+v", d)
	}
	if d := read(t, "b.htm", "<h1>Only a <i>heading</i></h1><p>text", Documents,
		true).Docs[0]; d.Title != "Only a heading" || d.Text != "Only a heading\ntext" {
		t.Errorf("%+v", d)
	}
	if d := read(t, "c.html", "<div>foo<p>bar</p>baz</div>", Documents, true).Docs[0]; d.Text != "foo\nbar\nbaz" {
		t.Errorf("text before a block is a word with it: %q", d.Text)
	}
}

func TestRefusalsAreTruthful(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"scores.csv", "run,query,measure,value\nbm25,q1,nDCG@10,0.5\n",
			"a table of scores (run, query, measure, value)"},
		{"bad.csv", "id,text\na,one\nb,two,three\n", "line 3: 3 columns, expected 2"},
		{"bad.json", "[{\"id\":1},\n{\"id\":}]", "line 2"},
		{"bad.jsonl", "{\"id\":1,\"text\":\"a b\"}\n{\"id\":", "line 2"},
		{"numbers.csv", "a,b\n1,2\n3,4\n", "no column holds text: the columns are \"a\", \"b\""},
		{"empty.csv", "", "empty file"},
		{"x.bin", "\x00\x01", "it is empty, or no text"},
	} {
		if _, err := File(c.name, []byte(c.text), Documents, false, Limits{}); err == nil ||
			!strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.name) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestIDsThatComeAgainAreToldApart(t *testing.T) {
	r := read(t, "x.csv", "id,text\na,one one\na,two two\n,three three\n", Documents, false)
	if len(r.Docs) != 3 || r.Docs[1].ID != "a-2" || r.Docs[2].ID != "row-3" || len(r.Warnings) != 2 {
		t.Errorf("%+v, %q", r.Docs, r.Warnings)
	}
	if got := r.Mapping.Said(); got != `id from "id", text from "text"` {
		t.Errorf("%q", got)
	}
}

func FuzzFile(f *testing.F) {
	for name, text := range map[string]string{"a.csv": "id,text\na,\"b\"\n", "a.json": `[{"id":1,"text":"x"}]`,
		"a.jsonl": `{"id":1,"body":"x"}`, "a.md": "---\ntitle: x\n---\n# [a](b)\n", "a.html": "<title>x</title><p>y",
		"a.txt": "x\n"} {
		f.Add(name, []byte(text))
	}
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		r, err := File(name, b, RoleOf(name), len(b)%2 == 0, Limits{Bytes: 1 << 20})
		if err != nil {
			return
		}
		for _, d := range r.Docs {
			if strings.ContainsAny(d.ID, " \n\t\r") {
				t.Fatalf("id %q", d.ID)
			}
		}
	})
}

// The places of headings are where their lines begin in the text that is read, the title apart.
func TestHeadingsAreFoundInMarkdownAndHTML(t *testing.T) {
	for name, text := range map[string]string{
		"a.md": "---\ntitle: T\n---\n\n# One *x*\ntext\n\nTwo\n===\nmore\n```\n# code\n```\n## Three",
		"b.md": "# The title\n\nIntro\n\n# One *x*\ntext\n\nTwo\n---\nmore\n# Three #\n",
		"c.html": "<title>T</title><nav><h2>no</h2></nav><p>Intro<h1> One <b>x</b></h1>text<h2></h2>" +
			"<h3>Two</h3>m<h6>Three</h6>",
	} {
		got, err := File(name, []byte(text), Documents, true, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, at := range got.Headings {
			line, _, _ := strings.Cut(got.Docs[0].Text[at:], "\n")
			lines = append(lines, line)
		}
		if want := []string{"One x", "Two", "Three"}; !slices.Equal(lines, want) {
			t.Errorf("%s: %q of %q", name, lines, got.Docs[0].Text)
		}
	}
}
