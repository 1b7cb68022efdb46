package collection

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rankbox/rankbox/core/internal/shared"
)

// kinds returns the warnings as "kind×count@line".
func kinds(list []Warning) string {
	var s []string
	for _, w := range list {
		s = append(s, w.Kind+"×"+itoa(w.Count)+"@"+itoa(w.Line))
	}
	return strings.Join(s, " ")
}

func itoa(n int) string {
	b := []byte{}
	for {
		b = append([]byte{byte('0' + n%10)}, b...)
		if n /= 10; n == 0 {
			return string(b)
		}
	}
}

// Counts: data/README.md of the reference data.
func TestReadBEIRShared(t *testing.T) {
	for _, tt := range []struct {
		name                     string
		docs, queries, judgments int
		warnings                 string
	}{
		{"scifact", 5183, 300, 339, ""},
		{"cranfield", 1400, 225, 1837, "empty-document×2@471"},
		{"harbour-wire", 255, 44, 11220, ""}, // wc -l
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := ReadBEIR(os.DirFS(shared.Path(t, "data/"+tt.name)), "test", Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if len(c.Docs) != tt.docs || len(c.Queries) != tt.queries || c.Qrels.Len() != tt.judgments ||
				len(c.Qrels.Queries()) != tt.queries {
				t.Errorf("%d documents, %d queries, %d judgments of %d queries", len(c.Docs), len(c.Queries),
					c.Qrels.Len(), len(c.Qrels.Queries()))
			}
			if got := kinds(c.Warnings); got != tt.warnings {
				t.Errorf("warnings %s, want %s", got, tt.warnings)
			}
			if tt.name == "cranfield" {
				if p := c.Warnings[0].Places; len(p) != 2 || p[0] != (Place{471, "471"}) ||
					p[1] != (Place{995, "995"}) {
					t.Errorf("places %v", p)
				}
				if g, ok := c.Qrels.Grade("1", "184"); g != 3 || !ok {
					t.Error(g, ok)
				}
			}
		})
	}
}

var small = fstest.MapFS{
	"corpus.jsonl": {Data: []byte(
		`{"_id":"d1","title":"One","text":"first","metadata":{"date":"2024-02-29T10:00","category":"ports","url":"https://example.org/1","entities":[{"name":"Ada","type":"person","confidence":0.9},{"name":"Harbour","type":"place"}],"x":[1]}}
{"_id":"d2","title":"","text":"caf\u00e9 \ud83d\ude00"}` + "\r\n\r\n" + `{"_id":"d3","text":" ","metadata":"none"}
{"_id":"d1","title":"again","text":"x"}
{"_id":7,"title":null,"text":"seven","metadata":{"date":"2023-02-29","category":3,"entities":[4]}}
{"_id":" d8 ","text":"\ud83d"}
`)},
	"queries.jsonl": {Data: []byte("\ufeff" +
		`{"_id":"q1","text":"first?","metadata":{"type":"factual","difficulty":"easy","domain":"news"}}
{"_id":"q2","text":""}
{"_id":"q9","text":"not judged"}
`)},
	"qrels/test.tsv": {Data: []byte(
		"query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td9\t1\nq1 \td2\t-1\nq2\td1\t1.5\nq2\td1\t1\nq2\td1\t2\nq3\td2\t0\n")},
	"qrels/dev.tsv": {Data: []byte("q9\td2\t1\n")},
}

func TestReadBEIRSmall(t *testing.T) {
	c, err := ReadBEIR(small, "", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	got := kinds(c.Warnings)
	if got != "bad-metadata×4@4 empty-document×1@4 duplicate-id×1@5 numeric-id×1@6 stray-space×1@7 "+
		"lone-surrogate×1@7 empty-query×1@2 unknown-document×1@3 conflicting-judgment×2@6 "+
		"stray-space×1@4 negative-grade×1@4 unjudged-query×1@0 unknown-query×1@8" {
		t.Errorf("warnings %s", got)
	}
	if len(c.Docs) != 5 {
		t.Fatal(len(c.Docs))
	}
	d := c.Docs[0]
	if d.ID != "d1" || d.Date != "2024-02-29" || d.Category != "ports" || d.URI != "https://example.org/1" ||
		len(d.Entities) != 2 ||
		d.Entities[0] != (Entity{"Ada", "person", 0.9}) || d.Entities[1] != (Entity{"Harbour", "place", 1}) {
		t.Errorf("%+v", d)
	}
	if c.Docs[1].Text != "café 😀" || c.Docs[3].ID != "7" || c.Docs[3].Date != "" || c.Docs[4].ID != "d8" ||
		c.Docs[4].Text != "\ufffd" {
		t.Errorf("%+v", c.Docs)
	}
	if len(c.Queries) != 2 ||
		c.Queries[0] != (Query{ID: "q1", Text: "first?", Type: "factual", Difficulty: "easy", Domain: "news"}) {
		t.Errorf("%+v", c.Queries)
	}
	if g, ok := c.Qrels.Grade("q1", "d2"); g != -1 || !ok {
		t.Error(g, ok)
	}
	if g, ok := c.Qrels.Grade("q2", "d1"); g != 2 || !ok {
		t.Error(g, ok)
	}
	dev, err := ReadBEIR(small, "dev", Limits{})
	if err != nil || len(dev.Queries) != 1 || dev.Queries[0].ID != "q9" || dev.Qrels.Len() != 1 {
		t.Error(dev, err)
	}
	_, err = ReadBEIR(small, "train", Limits{})
	if err == nil || err.Error() != "collection: read qrels/train.tsv: no such split; there are dev, test" {
		t.Error(err)
	}
}

func gz(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func zipped(t testing.TB, files map[string][]byte, method uint16) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, data := range files {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			t.Fatal(err)
		}
		f.Write(data)
	}
	w.Close()
	return out.Bytes()
}

func TestReadBEIRPacked(t *testing.T) {
	packed := map[string][]byte{}
	for name, f := range small {
		packed["tiny/"+strings.TrimSuffix(name, ".gz")+".gz"] = gz(f.Data)
	}
	packed["__MACOSX/x"] = nil
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		b := zipped(t, packed, method)
		a, err := OpenZip("tiny.zip", bytes.NewReader(b), int64(len(b)), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if err := fstest.TestFS(a, a.Files()...); err != nil {
			t.Error(err)
		}
		if _, err := ReadBEIR(a, "test", Limits{}); err != nil {
			t.Error(err)
		}
		c, err := ReadArchive(a, "test", Options{})
		if err != nil || c.Name != "tiny" || len(c.Docs) != 5 || c.Qrels.Len() != 5 {
			t.Error(c, err)
		}
	}
}

func TestReadBEIRErrors(t *testing.T) {
	with := func(name, data string) fstest.MapFS {
		m := fstest.MapFS{}
		for k, v := range small {
			m[k] = v
		}
		m[name] = &fstest.MapFile{Data: []byte(data)}
		if data == "" {
			delete(m, name)
		}
		return m
	}
	for _, tt := range []struct {
		name string
		fsys fs.FS
		lim  Limits
		want string
	}{
		{"no corpus", with("corpus.jsonl", ""), Limits{}, "collection: read corpus.jsonl: file does not exist"},
		{"no queries", with("queries.jsonl", ""), Limits{}, "collection: read queries.jsonl: file does not exist"},
		{"no id", with("corpus.jsonl", "{\"_id\":\"a\",\"text\":\"\"}\n{\"text\":\"x\"}\n"), Limits{},
			`collection: read corpus.jsonl: line 2: missing "_id"`},
		{"empty id", with("corpus.jsonl", `{"_id":"","text":"x"}`), Limits{},
			`collection: read corpus.jsonl: line 1: empty "_id"`},
		{"text no string", with("corpus.jsonl", `{"_id":"a","text":3}`), Limits{},
			`collection: read corpus.jsonl: line 1: column 19: expected a string, found a number`},
		{"array", with("corpus.jsonl", `["a"]`), Limits{},
			`collection: read corpus.jsonl: line 1: column 1: expected an object, found an array`},
		{"grade", with("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\td\thigh\n"), Limits{},
			`collection: read qrels/test.tsv: line 2: grade "high" is not a number`},
		{"columns", with("qrels/test.tsv", "q\td\t1\nq\td\n"), Limits{},
			`collection: read qrels/test.tsv: line 2: 2 columns where the lines before have 3`},
		{"documents", small, Limits{Documents: 2},
			`collection: read corpus.jsonl: line 4: 3 documents are more than the limit of 2 (Documents)`},
		{"queries", small, Limits{Queries: 1},
			`collection: read queries.jsonl: line 2: 2 queries are more than the limit of 1 (Queries)`},
		{"entries", small, Limits{Entries: 1},
			`collection: read qrels/test.tsv: line 3: 2 judgments are more than the limit of 1 (Entries)`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ReadBEIR(tt.fsys, "test", tt.lim)
			if err == nil || err.Error() != tt.want {
				t.Fatalf("%v, want %s", err, tt.want)
			}
			var pe *ParseError
			if !errors.As(err, &pe) {
				t.Errorf("a %T", err)
			}
		})
	}
}

func TestProgressCancels(t *testing.T) {
	line := `{"_id":"`
	var b strings.Builder
	for i := range 40000 {
		b.WriteString(line + itoa(i) + `","text":"` + strings.Repeat("x", 100) + "\"}\n")
	}
	stop := errors.New("stopped")
	n, docs := 0, 0
	_, err := ReadCorpus(strings.NewReader(b.String()), "big", Options{Progress: func(file string, read int64) error {
		if n++; n == 3 {
			return stop
		}
		return nil
	}}, func(Doc) error { docs++; return nil })
	if !errors.Is(err, stop) || docs == 0 || docs == 40000 {
		t.Error(err, docs)
	}
}

// TestHarbourWire reads the collection of the demo, which is to be without a warning.
func TestHarbourWire(t *testing.T) {
	c, err := ReadBEIR(os.DirFS("../../site/collections/harbour-wire"), "", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Docs) == 0 || len(c.Queries) == 0 || c.Qrels.Len() == 0 || len(c.Warnings) != 0 ||
		c.Name != "Harbour Wire" || c.License == "" || c.Source == "" {
		t.Errorf("%s: %d documents, %d queries, %d judgments, warnings %v", c.Name, len(c.Docs), len(c.Queries),
			c.Qrels.Len(), c.Warnings)
	}
	dated, entities := 0, 0
	for _, d := range c.Docs {
		if d.Date != "" && d.Category != "" {
			dated++
		}
		entities += len(d.Entities)
	}
	if dated != len(c.Docs) || entities == 0 || c.Queries[0].Type == "" {
		t.Errorf("%d of %d documents with date and category, %d entities", dated, len(c.Docs), entities)
	}
}
