package collection

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// The documents of TREC's discs are of these forms (FT, FBIS, LATimes); each field is what a reader of the file would
// copy out.
func TestDocumentsOfTREC(t *testing.T) {
	text := `<DOC>
<DOCNO> FT911-1 </DOCNO>
<DATE>910514</DATE>
<HEADLINE>
FT  14 MAY 91 / Ferries &amp; docks
</HEADLINE>
<TEXT>
A ferry <B>sailed</B>
&lt;twice&gt; at 3 < 4.
</TEXT>
<TEXT>More &#233;t&eacute;.</TEXT>
</DOC>
<doc><docno>B-2</docno><p>No text element: <!-- a > b --> all of it.</p></doc><DOC>
<DOCNO>B-3</DOCNO><TITLE></TITLE><HL>Second
choice</HL></DOC>
`
	c := mustRead(t, text, Options{})
	want := []Doc{{ID: "FT911-1", Title: "FT 14 MAY 91 / Ferries & docks",
		Text: "A ferry sailed <twice> at 3 < 4.\nMore ét&eacute;."},
		{ID: "B-2", Text: "No text element: all of it."}, {ID: "B-3", Title: "Second choice"}}
	if c.Format != CorpusTREC || fmt.Sprint(c.Docs) != fmt.Sprint(want) || len(c.Warnings) > 0 {
		t.Errorf("%s\n%+v\n%+v\n%v", c.Format, c.Docs, want, c.Warnings)
	}
	if c := mustRead(t, "<DOC><DOCNO>a</DOCNO><TEXT>caf\xe9</TEXT></DOC>", Options{}); c.Docs[0].Text != "café" ||
		kinds(c.Warnings) != "not-utf8×1@1" {
		t.Errorf("%+v, %v", c.Docs, c.Warnings)
	}
	for text, want := range map[string]string{
		"<DOC>\n<DOCNO>a</DOCNO>\n":                                  "line 1: a document is not closed",
		"<DOC>\n<DOCNO>a</DOCNO>\n<DOC>\n":                           "line 3: <DOC> within a document",
		"<DOC><DOCNO>a</DOCNO></DOC>\nstray\n":                       "line 2: text outside a <DOC>",
		"<DOC><DOCNO>a</DOCNO></DOC>\n\n<DOC>\n<TEXT>x</TEXT></DOC>": "line 3: a document without <DOCNO>",
		"<DOC><DOCNO> </DOCNO></DOC>":                                "line 1: empty <DOCNO>",
	} {
		if _, err := Read("file", strings.NewReader(text), Options{}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestDocumentsBesideBEIR(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opt        Options
		format     Format
	}{
		{"Anserini", "{\"id\": \"d1\", \"contents\": \"a ferry\"}\n{\"id\": 2, \"contents\": \"rain\"}\n", Options{},
			CorpusJSONL},
		{"docid", "{\"docid\": \"d1\", \"contents\": \"a ferry\"}\n{\"docid\": \"2\", \"contents\": \"rain\"}\n",
			Options{}, CorpusJSONL},
		{"MS MARCO's passages", "d1\ta ferry\n2\train\n", Options{Prefer: CorpusJSONL}, CorpusTSV},
		{"CSV", "doc_id,text\nd1,a ferry\n2,rain\n", Options{}, CorpusCSV},
	} {
		x := mustRead(t, c.text, c.opt)
		if x.Format != c.format || len(x.Docs) != 2 || x.Docs[0].ID != "d1" || x.Docs[0].Text != "a ferry" ||
			x.Docs[1].ID != "2" || x.Docs[1].Text != "rain" {
			t.Errorf("%s: %s %+v", c.name, x.Format, x.Docs)
		}
	}
	if c := mustRead(t, "d1\ta ferry\n2\train\n", Options{}); c.Format != QueriesTSV {
		t.Error("where nothing is said, an id and a text are a query:", c.Format)
	}
}

// Whatever is read: every document has an id of its own, in UTF-8, and there are no more than the text opens.
func FuzzDocumentsTREC(f *testing.F) {
	f.Add("<DOC>\n<DOCNO> a </DOCNO>\n<TITLE>t</TITLE><TEXT>x <b>y</b> &amp; z</TEXT></DOC>")
	f.Add("<DOC><DOCNO>a</DOCNO><TEXT>x</DOC><doc><docno>b</docno></doc>")
	f.Add("<DOC><DOCNO>a<TEXT>x</DOCNO></TEXT></DOC>")
	f.Fuzz(func(t *testing.T, s string) {
		c, err := Read("file", strings.NewReader(s), Options{Kind: CorpusTREC, Limits: fuzzLimits})
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, d := range c.Docs {
			if d.ID == "" || seen[d.ID] {
				t.Errorf("%+v", d)
			}
			seen[d.ID] = true
			if !utf8.ValidString(d.Text) || !utf8.ValidString(d.Title) || !utf8.ValidString(d.ID) {
				t.Errorf("not UTF-8: %+v", d)
			}
		}
		if n := strings.Count(lower([]byte(s)), "<doc>"); len(c.Docs) > n && s[:min(2, len(s))] != "\x1f\x8b" {
			t.Errorf("%d documents of %d", len(c.Docs), n)
		}
	})
}
