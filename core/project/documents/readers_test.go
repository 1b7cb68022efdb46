package documents

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/rankbox/rankbox/core/collection"
)

// zipped is a zip of files, name and content in turn.
func zipped(t *testing.T, files ...string) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(files[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// utf16le is a text in UTF-16, little endian.
func utf16le(s string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

// One line a file that is read: its documents as "id|title|text".
func TestFilesBecomeTheDocumentsThatTheyHold(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		// Charsets and line ends.
		{"utf16.csv", "\xff\xfe" + utf16le("id,text\r\nd1,The café\r\n"), []string{"d1||The café"}},
		{"bare16.csv", utf16le("id,text\r\nd1,The ferry\r\n"), []string{"d1||The ferry"}},
		{"latin.csv", "id;text\nd1;Caf\xe9 \x96 5 \x80\n", []string{"d1||Café – 5 €"}},
		{"latin.html", "<meta charset=windows-1252><title>Caf\xe9</title><p>The caf\xe9 \x96 open.",
			[]string{"latin.html|Café|The café – open."}},
		{"latin.txt", "Stra\xdfe\r\nam Hafen", []string{"latin.txt|latin|Straße\r\nam Hafen"}},
		{"mac.txt", "one\rtwo", []string{"mac.txt|mac|one\ntwo"}},
		{"broken.txt", "größe größe gr\xffe", []string{"broken.txt|broken|größe größe gr\uFFFDe"}},

		// Tables.
		{"excel.csv", "sep=;\nid;text\nd1;a, b\n", []string{"d1||a, b"}},
		{"pipe.csv", "id|text\nd1|a, b; c\n", []string{"d1||a, b; c"}},
		{"quotes.csv", "id,text\nd1,a 15\" screen\nd2,\"b, \"\"c\"\"\"\n", []string{`d1||a 15" screen`, `d2||b, "c"`}},
		{"tail.csv", "id,text\nd1,a b,,\n", []string{"d1||a b"}},
		{"headed.csv", "\"a, b\";id;text\nx;d1;y z\n", []string{"d1||y z"}},
		{"msmarco-docs.tsv", "D1\thttp://x.y/a\tFerry\tleaves at nine\nD2\thttp://x.y/b\tTickets\ttwo coins\n",
			[]string{"D1|Ferry|leaves at nine", "D2|Tickets|two coins"}},

		// Markup in a field.
		{"shop.csv", "id,name,description\n1,Caf&eacute;&nbsp;cup,\"<p>Big</p><ul><li>2&nbsp;years</li></ul>" +
			"<style>x{}</style>\"\n2,a < b,if x<y then <T>\n",
			[]string{"1|Café cup|Big\n2 years", "2|a < b|if x<y then <T>"}},

		// JSON of any nesting.
		{"tickets.jsonl", `{"ticket":{"id":7},"requester":{"name":"Ana"},"subject":"Login","messages":[{"from":"a",` +
			`"text":"It fails."},{"from":"b","text":"Try again."}],"tags":["x","y"]}` + "\n" +
			`{"ticket":{"id":8},"subject":"Print","messages":[{"text":"No ink."}]}`,
			[]string{"7|Login|It fails.\nTry again.", "8|Print|No ink."}},
		{"results.json", "{\n \"count\": 2, \"results\": [\n{\"id\":\"a\",\"text\":\"x y\"},{\"id\":\"b\",\"text\":\"z\"}]}",
			[]string{"a||x y", "b||z"}},
		{"one.json", `{"data":[{"id":"a","body":"x y"}],"meta":{"title":"t"}}`, []string{"a||x y"}},
		{"hits.json", `{"took":1,"hits":{"total":{"value":1},"hits":[{"_index":"i","_id":"e1","_score":2,"_source":` +
			`{"title":"Ferry","body":"leaves at nine"}}]}}`, []string{"e1|Ferry|leaves at nine"}},
		{"solr.json", `{"responseHeader":{"params":{"q":"*:*"}},"response":{"numFound":1,"docs":[{"id":"s1",` +
			`"title":["Ferry"],"text":["leaves","at nine"]}]}}`, []string{"s1|Ferry|leaves\nat nine"}},
		{"bulk.ndjson", `{"index":{"_index":"d","_id":"1"}}` + "\n" + `{"title":"Ferry","body":"at nine"}` + "\n" +
			`{"create":{"_id":2}}` + "\n" + `{"title":"Tickets","body":"two coins"}` + "\n" + `{"delete":{"_id":"3"}}`,
			[]string{"1|Ferry|at nine", "2|Tickets|two coins"}},
		{"pretty.json", "{\n  \"id\": \"p1\",\n  \"title\": \"Ferry\",\n  \"body\": \"at nine\"\n}\n",
			[]string{"p1|Ferry|at nine"}},
		{"langchain.json", `[{"page_content":"at nine","metadata":{"source":"a.md"},"type":"Document"}]`,
			[]string{"row-1||at nine"}},
		{"anserini.jsonl", `{"id":"d1","contents":"The ferry."}` + "\n" + `{"id":"d2","contents":"Two coins."}`,
			[]string{"d1||The ferry.", "d2||Two coins."}},
		{"embedded.jsonl", `{"id":"d1","text":"moon","embedding":[0.1,0.2]}` + "\n" + `{"id":"d2","text":"sea","embedding":[1,2]}`,
			[]string{"d1||moon", "d2||sea"}},
		{"n.ipynb", `{"cells":[{"cell_type":"markdown","source":["# Ferry\n","Late *again*"]},{"cell_type":"code",` +
			`"source":"x = 1\nprint(x)","outputs":[{"text":"1"}]}],"nbformat":4}`,
			[]string{"n.ipynb|Ferry|Late again\n\nx = 1\nprint(x)"}},

		// Mail.
		{"m.eml", "From: a@b.c\r\nSubject: =?utf-8?q?Caf=C3=A9?=\r\n open\r\nContent-Type: text/plain; charset=iso-8859-1\r\n" +
			"Content-Transfer-Encoding: quoted-printable\r\n\r\nThe caf=E9 =\r\nis open.\r\n",
			[]string{"m.eml|Café open|The café is open."}},
		{"parts.eml", "Subject: x\nContent-Type: multipart/alternative; boundary=\"B\"\n\n--B\nContent-Type: text/plain\n\n" +
			"plain text\n--B\nContent-Type: text/html\n\n<p>other\n--B--\n", []string{"parts.eml|x|plain text"}},
		{"html.eml", "Subject: x\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" +
			base64.StdEncoding.EncodeToString([]byte("<p>a <b>ü</b>")) + "\n", []string{"html.eml|x|a ü"}},
		{"all.mbox", "From a Mon\nSubject: one\nMessage-ID: <1@x>\n\nfirst\n\nFrom b Tue\nSubject: two\n\nsecond\n",
			[]string{"1@x|one|first", "all.mbox-2|two|second"}},

		// Office. The XML is as python-docx 1.1, openpyxl 3.1 and LibreOffice write it, shortened.
		{"a.docx", zipped(t, "word/document.xml", `<?xml version="1.0"?><w:document><w:body><w:p><w:pPr><w:pStyle `+
			`w:val="Title"/></w:pPr><w:r><w:t>Manual</w:t></w:r></w:p><w:p><w:r><w:t xml:space="preserve">One </w:t></w:r>`+
			`<w:r><w:t>&amp; two</w:t></w:r></w:p><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Part</w:t></w:r>`+
			`</w:p><w:p><w:del><w:r><w:t>gone</w:t></w:r></w:del><w:r><w:t>kept</w:t></w:r></w:p></w:body></w:document>`),
			[]string{"a.docx|Manual|One & two\nPart\nkept"}},
		{"a.odt", zipped(t, "content.xml", `<office:text><text:h text:outline-level="1">Manual</text:h><text:p>One `+
			`<text:span>two</text:span></text:p></office:text>`), []string{"a.odt|Manual|One two"}},
		{"a.pptx", zipped(t, "ppt/slides/slide1.xml", `<p:sld><a:p><a:r><a:t>Ferry</a:t></a:r></a:p></p:sld>`,
			"ppt/slides/slide2.xml", `<p:sld><a:p><a:r><a:t>Late</a:t></a:r></a:p></p:sld>`),
			[]string{"a.pptx|a|Ferry\nLate"}},
		{"a.epub", zipped(t, "mimetype", "application/epub+zip", "META-INF/container.xml",
			`<container><rootfiles><rootfile full-path="OEBPS/c.opf"/></rootfiles></container>`, "OEBPS/c.opf",
			`<package><manifest><item id="b" href="b.xhtml"/><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/>`+
				`<itemref idref="b"/></spine></package>`, "OEBPS/a.xhtml", "<html><head><title>One</title></head><body><p>first",
			"OEBPS/b.xhtml", "<html><head><title>Two</title></head><body><p>second"),
			[]string{"a.epub/OEBPS/a.xhtml|One|first", "a.epub/OEBPS/b.xhtml|Two|second"}},
		{"a.xlsx", zipped(t, "xl/sharedStrings.xml", `<sst><si><t>sku</t></si><si><t>name</t></si><si><r><t>The </t></r>`+
			`<r><t>ferry</t></r></si></sst>`, "xl/worksheets/sheet1.xml", `<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v>`+
			`</c><c r="B1" t="s"><v>1</v></c><c r="D1" t="inlineStr"><is><t>description</t></is></c></row><row r="2"><c r="A2">`+
			`<v>17</v></c><c r="B2" t="s"><v>2</v></c><c r="D2" t="str"><f>A1&amp;"x"</f><v>a boat</v></c></row></sheetData>`+
			`</worksheet>`), []string{"17|The ferry|a boat"}},
	} {
		r, err := File(c.name, []byte(c.text), RoleOf(c.name), false, Limits{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, d := range r.Docs {
			got = append(got, d.ID+"|"+d.Title+"|"+d.Text)
		}
		if strings.Join(got, "\n--\n") != strings.Join(c.want, "\n--\n") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		// The beginning says the same of the columns as the file.
		if p, err := Peek(c.name, []byte(c.text), int64(len(c.text))); err != nil ||
			p != nil && p.Mapping.Said() != r.Mapping.Said() {
			t.Errorf("%s: %+v, %v", c.name, p, err)
		}
	}
}

// What is no document is refused by what it is, so that a folder goes on without it.
func TestWhatHoldsNoDocumentIsRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"tsconfig.json", "{\n  \"compilerOptions\": {\"strict\": true}\n}\n", "no list of objects and no text"},
		{"schema.json", "{\"$schema\":\"x\",\"title\":\"t\",\"description\":\"a b c\"}", "a schema or a configuration"},
		{"package.json", "{\n\"name\":\"x\",\"version\":\"1\",\"description\":\"a b c d\"}", "no list of objects and no text"},
		{"a.docx", zipped(t, "x", "y"), "it is not a Word document"},
		{"a.docx", "PK\x03\x04 cut", "cut off"},
		{"a.pdf", "%PDF-1.4\n\xff\xfe\x00", "it is a PDF"},
		{"b.pdf", "%PDF-1.4\n1 0 obj\n", "it is a PDF"},
		{"a.parquet", "PAR1\x00\x01", "a Parquet file"},
		{"a.csv", "\x89PNG\r\n\x1a\n\x00\x00", "no text"},
	} {
		_, err := File(c.name, []byte(c.text), Documents, false, Limits{})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.name) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	bomb := zipped(t, "word/document.xml", "<w:t>"+strings.Repeat("a", 3<<20)+"</w:t>")
	if _, err := File("bomb.docx", []byte(bomb), Documents, false, Limits{Bytes: 1 << 20}); err == nil {
		t.Error("a file that unpacks to more than the limit is read")
	}
}

// On Documents nothing is a run, whatever its lines look like.
func TestNothingIsARunAmongDocuments(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want collection.Format
	}{
		"a.txt":          {"q1 Q0 d1 1 2.5 tag\nq1 Q0 d2 2 1.5 tag\n", collection.Unknown},
		"grades.txt":     {"q1 0 d1 1\nq1 0 d2 0\n", collection.Unknown},
		"ferry.txt":      {"Ferry text 1\n", collection.Unknown},
		"run.csv":        {"query_id,doc_id,score\nq1,d1,2\n", collection.Unknown},
		"qrels.txt":      {"q1 0 d1 1\n", collection.QrelsTREC},
		"qrels/test.tsv": {"query-id\tcorpus-id\tscore\nq1\td1\t1\n", collection.QrelsTSV},
		"docs.tsv":       {"d1\tthe ferry was late\n", collection.QueriesTSV},
		"t.sgml":         {"<DOC>\n<DOCNO>1</DOCNO>\n</DOC>\n", collection.CorpusTREC},
		"manual.txt":     {"a\tb c\nplain prose\n", collection.Unknown},
	} {
		if got := Native(name, []byte(c.text)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestTheFilesOfAFolderThatAreNoDocumentsAreCounted(t *testing.T) {
	got := Passed([]string{".git/x", "a.png", "b.PNG", "Makefile", "yarn.lock", "sub/.DS_Store"})
	if got != "6 files were passed over: 2 .png, 3 hidden or of a tool, 1 without an ending" {
		t.Error(got)
	}
	for name, want := range map[string]bool{"a/README": true, "a/b.docx": true, "a/Makefile": false, "x/.a.md": false,
		"package-lock.json": false, "t.SGML": true, "x.md.gz": true, "a.pdf": false} {
		if Readable(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}

// A program's decoder takes the charsets that this package has no table of.
func TestADeclaredCharsetIsGivenToTheDecoder(t *testing.T) {
	Charset = func(label string, b []byte) ([]byte, bool) {
		return []byte(strings.ReplaceAll(string(b), "\x83\x65", "テ")), label == "shift_jis"
	}
	defer func() { Charset = nil }()
	r, err := File("a.html", []byte("<meta http-equiv=content-type content='text/html; charset=Shift_JIS'><p>\x83\x65"),
		Documents, false, Limits{})
	if err != nil || r.Docs[0].Text != "テ" {
		t.Errorf("%+v, %v", r, err)
	}
}

// The table of docs/documents.md has every reader.
func TestTheTableOfReadersIsTrue(t *testing.T) {
	b, err := os.ReadFile("../../../docs/documents.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range Readers {
		row := "| " + r.Kind + " | `" + strings.Join(r.Endings, "` `") + "` | " + r.Gives + " | " + r.Lost + " |\n"
		if !strings.Contains(string(b), row) {
			t.Errorf("missing:\n%s", row)
		}
	}
}
