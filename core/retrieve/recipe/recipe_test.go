package recipe

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/text"
)

// Names, sizes and checksums from the catalogue of ir_datasets (etc/downloads.json at ae24b53), counts from its
// etc/metadata.json.
func TestOwnRecipes(t *testing.T) {
	want := map[string][4]string{
		"antique":    {"684f7015aff377062a758e478476aac8", "403666", "200", "6589"},
		"arguana":    {"8ad3e3c2a5867cdced806d6503f29b99", "8674", "1406", "1406"},
		"cranfield":  {"1730f7be572d95a5a4b56c59a7b900a5", "1400", "225", "1837"},
		"fiqa":       {"17918ed23cd04fb15047f73e6c3bd9d9", "57638", "648", "1706"},
		"mr-tydi-ko": {"ccf88f800e87cb62b735cb283ab6f50c", "1496126", "421", "492"},
		"mr-tydi-sw": {"1042af38a358bd3a60e0f548f9986f8a", "136689", "670", "743"},
		"nfcorpus":   {"a89dba18a62ef92f7d323ec890a0d38d", "3633", "323", "12334"},
		"quora":      {"18fb154900ba42a600f84b839c173167", "522931", "10000", "15675"},
		"scidocs":    {"38121350fc3a4d2f48850f6aff52e4a9", "25657", "1000", "29928"},
		"scifact":    {"5f7d1de60b170fc8027bb7898e2efca1", "5183", "300", "339"},
		"touche":     {"46f650ba5a527fc69e0a6521c5a23563", "382545", "49", "2214"},
		"trec-covid": {"ce62140cb23feb9becf6270d0d1fe6d1", "171332", "50", "66336"},
		"vaswani":    {"23e5607081191b153738e81fbd834680", "11429", "93", "2083"},
	}
	all := All()
	if len(all) != len(want) {
		t.Errorf("%d recipes, want %d", len(all), len(want))
	}
	for _, r := range all {
		s := r.Splits[0]
		if w := want[r.Name]; w != [4]string{r.Files[0].MD5, number(r.Documents), number(s.Queries),
			number(s.Judgments)} || s.Name != "test" && r.Layout != Cranfield {
			t.Errorf("%s: %s, %d documents, %+v; want %v", r.Name, r.Files[0].MD5, r.Documents, s, w)
		}
		if an, err := text.Get(r.Analyzer); err != nil || an.Name() != r.Analyzer {
			t.Errorf("%s: analyzer %q: %v", r.Name, r.Analyzer, err)
		}
	}
}

const good = `# a comment
name: x
title: X
sentence: One
  sentence.
domain: d
language: en
analyzer: lucene-english
layout: beir
file: x.zip 10 00000000000000000000000000000000 https://example.org/x.zip
documents: 3
split: test 2 4

licence: not stated by the source
licence-source: nowhere
citation: C
judged: J
source: s https://example.org/ about
figure: bm25(k1=0.9) | nDCG@10 | 0.5–0.6 | s
figure: bm25 >> rm3 | R@100 | 0.5 | s | of another version
`

// The language chooses the analyzer, and a recipe may name another.
func TestLanguageChoosesTheAnalyzer(t *testing.T) {
	for language, want := range map[string]string{
		"en": "lucene-english", "en-GB": "lucene-english", "zh": "cjk", "zh-Hant": "cjk", "ZH": "cjk",
		"ja": "cjk", "ko-KR": "cjk",
		"de": "snowball-german", "nb": "snowball-norwegian", "sw": "lucene-standard", "kok": "lucene-standard",
	} {
		given := strings.Replace(good, "language: en", "language: "+language, 1)
		r, err := Parse("x.recipe", []byte(strings.Replace(given, "analyzer: lucene-english\n", "", 1)))
		if err != nil || r.Analyzer != want {
			t.Errorf("%s: %v, %v, want %s", language, r, err, want)
		}
		if r, err = Parse("x.recipe", []byte(given)); err != nil || r.Analyzer != "lucene-english" {
			t.Errorf("%s with an analyzer: %v, %v", language, r, err)
		}
	}
	for language, name := range languages {
		if _, err := text.Get(name); err != nil {
			t.Errorf("%s: %v", language, err)
		}
	}
}

func TestParse(t *testing.T) {
	r, err := Parse("x.recipe", []byte(strings.ReplaceAll(good, "\n", "\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	if r.Sentence != "One sentence." || r.LicenceOr() != "not stated by the source" || r.Licence != "" ||
		r.Bytes() != 10 {
		t.Errorf("%+v", r)
	}
	if f := r.Figures[0]; f.System != "bm25" || f.Value() != "0.5–0.6" || r.Figures[1].Note != "of another version" ||
		r.Source("s").About != "about" {
		t.Errorf("%+v", r.Figures)
	}
	for _, c := range []struct{ old, new, says string }{
		{"title: X\n", "", `x.recipe: the line "title: …" is missing`},
		{"title: X", "titel: X", `x.recipe, line 3: unknown key "titel"; did you mean title?`},
		{"title: X", "title: X\ntitle: Y", `line 4: "title" is repeated; it is in line 3`},
		{"title: X", "title:", `line 3: "title" has no value`},
		{"title: X", "title", `line 3: "title" is not of the form`},
		{"name: x", "name: X", `line 2: name: "X": a name has small letters`},
		{"sentence.", "sentence", "line 4: sentence: want one sentence"},
		{"layout: beir", "layout: zip", `line 9: layout: "zip" is not one of beir, cranfield, vaswani, parts`},
		{"layout: beir", "layout: parts", "line 9: layout: parts needs documents-in"},
		{"layout: beir", "layout: beir\nqueries-in: q", "needs no documents-in, queries-in and judgments-in"},
		{"language: en", "language: English, British", "line 7: language:"},
		{"analyzer: lucene-english", "analyzer: lucene-englisch", "line 8: analyzer:"},
		{"x.zip 10", "x.zip ten", `line 10: file: "ten" is not a number of bytes`},
		{"x.zip 10", "../x.zip 10", `line 10: file: "../x.zip": a file's name has`},
		{"x.zip 10", "x.part 10", `line 10: file: "x.part" cannot be`},
		{"00000000000000000000000000000000", "0", `line 10: file: "0" is not an MD5`},
		{"https://example.org/x.zip", "ftp://example.org/x.zip",
			"line 10: file: \"ftp://example.org/x.zip\" is not a URL"},
		{"file: x", "file: y.zip 10 00000000000000000000000000000000 https://example.org/\nfile: x",
			"the layout beir is one file, and there are 2"},
		{"split: test 2 4", "split: test 2", "line 12: split: 2 words"},
		{"split: test 2 4", "split: ../test 2 4", "cannot be a split's name"},
		{"split: test 2 4", "split: test 2 4\nsplit: test 2 4", "split: test is given twice"},
		{"| s\n", "| t\n", `there is no line "source: t …"`},
		{"0.5–0.6", "0.6–0.5", `"0.6–0.5" is neither a figure`},
		{"nDCG@10", "nDGC@10", "line 19: figure:"},
		{"bm25(k1=0.9)", "bm52", "line 19: figure:"},
		{"judged: J", "no-figure: none found\njudged: J", "no-figure: there is one, bm25"},
		{"judged: J", "remove-query: maybe\njudged: J", `"maybe" is neither yes nor no`},
		{"title: X", "title: \xff", "not UTF-8"},
		{"title: X", "title: " + strings.Repeat("x", maxText), "a recipe has at most"},
	} {
		_, err := Parse("x.recipe", []byte(strings.Replace(good, c.old, c.new, 1)))
		var at *Error
		if !errors.As(err, &at) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %s", c.new, err, c.says)
		}
	}
}

func TestReadFolderNamesFiles(t *testing.T) {
	if _, err := ReadFolder(fstest.MapFS{"y.recipe": {Data: []byte(good)}, "z.txt": {}}, "."); err == nil ||
		!strings.Contains(err.Error(), "y.recipe: the recipe is called x: rename the file to x.recipe") {
		t.Error(err)
	}
	all, err := ReadFolder(fstest.MapFS{"x.recipe": {Data: []byte(good)}}, ".")
	if err != nil || Named(all, "x") == nil || Named(all, "y") != nil {
		t.Error(all, err)
	}
	if err := Unknown(All(), "sifact"); !strings.Contains(err.Error(), "did you mean scifact?") {
		t.Error(err)
	}
}

// .6809 − .6789 = .002 is within ±.002, .681 is not.
func TestDifference(t *testing.T) {
	f := Figure{Low: .6789, High: .6789}
	for ours, outside := range map[float64]bool{.6789: false, .6809: false, .6769: false, .681: true, .6768: true} {
		if _, got := f.Difference(ours); got != outside {
			t.Errorf("%v: outside %v", ours, got)
		}
	}
	f = Figure{Low: .713, High: .72}
	for ours, outside := range map[float64]bool{.715: false, .711: false, .7105: true, .722: false, .7221: true} {
		if d, got := f.Difference(ours); got != outside || ours == .715 && d != 0 {
			t.Errorf("%v: %v, outside %v", ours, d, got)
		}
	}
}

// Handmade fixtures in the format of Glasgow's files. Grades: code 1 is 5 − 1 = 4, code 3 is 2, −1 and 5 are 0.
func TestReadCranfield(t *testing.T) {
	r := *Named(All(), "cranfield")
	c, err := r.Read(folder(t, "cranfield"), "", collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Docs) != 3 || c.Docs[0].ID != "1" || c.Docs[0].Title != "lift of a wing in a slipstream ." ||
		c.Docs[0].Text != "lift of a wing in a slipstream . .5 of the lift is lost ." ||
		c.Docs[2].Title != "shear flow" {
		t.Errorf("%+v", c.Docs)
	}
	if len(c.Queries) != 2 || c.Queries[0] != (collection.Query{ID: "1", Text: "what is the lift of a wing ."}) ||
		c.Queries[1].ID != "2" {
		t.Errorf("%+v", c.Queries)
	}
	for k, want := range map[[2]string]int{{"1", "1"}: 4, {"1", "3"}: 0, {"2", "3"}: 2, {"2", "1"}: 0} {
		if g, ok := c.Qrels.Grade(k[0], k[1]); !ok || g != float64(want) {
			t.Errorf("%v: %v %v, want %v", k, g, ok, want)
		}
	}
	var said []string
	for _, w := range c.Warnings {
		said = append(said, w.String())
	}
	if got := strings.Join(said, "\n"); got != "cran.all.1400:12: document \"2\" has neither title nor "+
		"text\ncran.qry: query \"3\" has no judgment and is left out" {
		t.Error(got)
	}
}

func TestReadVaswani(t *testing.T) {
	r := *Named(All(), "vaswani")
	c, err := r.Read(folder(t, "vaswani"), "test", collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Docs) != 2 || c.Docs[0].ID != "1" ||
		c.Docs[0].Text != "compact memories have flexible capacities a digital data storage system" {
		t.Errorf("%+v", c.Docs)
	}
	if len(c.Queries) != 2 || c.Queries[1] != (collection.Query{ID: "2", Text: "ANALOGUE COMPUTERS"}) ||
		c.Qrels.Len() != 3 {
		t.Errorf("%+v, %d judgments", c.Queries, c.Qrels.Len())
	}
	if g, ok := c.Qrels.Grade("1", "2"); g != 1 || !ok {
		t.Error(g, ok)
	}
	if _, err := r.Read(folder(t, "vaswani"), "dev", collection.Options{}); err == nil ||
		!strings.Contains(err.Error(), `no split "dev"; it has test`) {
		t.Error(err)
	}
}

func TestOldCollectionsThatAreDamaged(t *testing.T) {
	for _, c := range []struct{ layout, file, old, new, says string }{
		{"cranfield", "cran.all.1400", ".I 1\n", "", "cran.all.1400: line 1: .T before the first .I"},
		{"cranfield", "cran.all.1400", ".I 1\n.T\n", ".I 1\n", `line 2: "lift of a wing" belongs to no record`},
		{"cranfield", "cran.all.1400", ".I 2", ".I 1", `line 12: document "1" is repeated`},
		{"cranfield", "cran.all.1400", ".I 2", ".I 2 3", `"2 3" is not an id`},
		{"cranfield", "cran.qry", "nobody judged this .", "", `line 8: query "3" has no text`},
		{"cranfield", "cranqrel", "1 1 1", "1 1", "cranqrel: line 1: 2 columns, expected 3"},
		{"cranfield", "cranqrel", "1 1 1", "9 1 1", `query "9": there are queries 1 to 3`},
		{"cranfield", "cranqrel", "1 1 1", "1 1 6", `code "6": want 1 to 5 or -1`},
		{"cranfield", "cranqrel", "1 1 1", "1 1 0", `code "0": want 1 to 5 or -1`},
		{"vaswani", "doc-text", "   /\n2", "2", "line 5: record 1 has no end"},
		{"vaswani", "doc-text", "1\ncompact", "one\ncompact", `line 1: "one" is no number`},
		{"vaswani", "query-text", "2\n", "1\n", `query "1" is repeated`},
		{"vaswani", "rlv-ass", "1     2", "1     b", `"b" is no number of a document`},
		{"vaswani", "rlv-ass", "2\n    2", "7\n    2", `query "7" is not in query-text`},
		{"vaswani", "rlv-ass", "1\n    1     2\n   /", "/", "a record ends here that did not begin"},
	} {
		fsys := fstest.MapFS{}
		for name, f := range folder(t, c.layout) {
			data := string(f.Data)
			if name == c.file {
				if !strings.Contains(data, c.old) {
					t.Fatalf("%s has no %q", c.file, c.old)
				}
				data = strings.Replace(data, c.old, c.new, 1)
				if c.says == "line 5: record 1 has no end" {
					data = strings.TrimSuffix(data, "   /\n")
				}
			}
			fsys[name] = &fstest.MapFile{Data: []byte(data)}
		}
		_, err := Named(All(), c.layout).Read(fsys, "", collection.Options{})
		if err == nil || !strings.Contains(err.Error(), c.says) && c.says != "line 5: record 1 has no end" ||
			c.says == "line 5: record 1 has no end" &&
				!strings.Contains(err.Error(), "has no end: the file is cut short") {
			t.Errorf("%s, %q: %v, want %s", c.file, c.new, err, c.says)
		}
	}
	if _, err := Named(All(), "vaswani").Read(fstest.MapFS{}, "", collection.Options{}); err == nil ||
		!strings.Contains(err.Error(), "doc-text: the archive has no such file") {
		t.Error(err)
	}
}

func TestLimitsHold(t *testing.T) {
	for _, c := range []struct {
		layout, says string
		limits       collection.Limits
	}{
		{"cranfield", "Documents", collection.Limits{Documents: 2}},
		{"cranfield", "Queries", collection.Limits{Queries: 1}},
		{"cranfield", "Entries", collection.Limits{Entries: 3}},
		{"vaswani", "more than", collection.Limits{Bytes: 20}},
		{"vaswani", "", collection.Limits{Bytes: -1, Documents: -1, Queries: -1, Entries: -1}},
	} {
		_, err := Named(All(), c.layout).Read(folder(t, c.layout), "", collection.Options{Limits: c.limits})
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%+v: %v, want %s", c.limits, err, c.says)
		}
	}
}

// Handmade files in the format of Mr. TyDi's archive.
func TestReadParts(t *testing.T) {
	const top = "mrtydi-v1.0-swahili/"
	files := fstest.MapFS{
		top + "collection/docs.jsonl.gz": {
			Data: gzipped(t, `{"id": "1#0", "contents": "Ziwa\n\nZiwa Viktoria ni kubwa."}`+"\n"+
				`{"id": "2#0", "contents": "Mto Naili."}`+"\n")},
		top + "topic.test.tsv": {Data: []byte("7\tZiwa kubwa ni lipi?\n8\tNani?\n")},
		top + "qrels.test.txt": {Data: []byte("7 Q0 1#0 1\n")},
	}
	r := Named(All(), "mr-tydi-sw")
	c, err := r.Read(files, "", collection.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Docs) != 2 || c.Docs[0].ID != "1#0" || len(c.Queries) != 1 || c.Queries[0].Text != "Ziwa kubwa ni lipi?" ||
		c.Qrels.Len() != 1 {
		t.Errorf("%+v %+v", c.Docs, c.Queries)
	}
	if _, err := r.Read(files, "dev", collection.Options{}); err == nil ||
		!strings.Contains(err.Error(), "qrels.dev.txt: the file is missing") {
		t.Error(err)
	}
	// ANTIQUE: documents as lines of id, tab, text.
	c, err = Named(All(), "antique").Read(
		fstest.MapFS{"antique-collection.txt": {
			Data: []byte("2020338_0\tA small group of politicians.\n174781_0\tbecause.\n")},
			"antique-test-queries.txt": {Data: []byte("3990512\thow can we get concentration?\n")},
			"antique-test.qrel":        {Data: []byte("3990512 U0 2020338_0 4\n")}}, "", collection.Options{})
	if err != nil || len(c.Docs) != 2 || len(c.Queries) != 1 {
		t.Errorf("%+v, %v", c, err)
	}
	for file, says := range map[string]string{"collection/docs.jsonl.gz": "docs.jsonl.gz: line 1",
		"topic.test.tsv": "judged queries", "qrels.test.txt": "qrels.test.txt"} {
		damaged := fstest.MapFS{}
		for name, f := range files {
			damaged[name] = f
		}
		damaged[top+file] = &fstest.MapFile{Data: []byte("x\ty\n")}
		if _, err := r.Read(damaged, "", collection.Options{}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %s", file, err, says)
		}
	}
}
