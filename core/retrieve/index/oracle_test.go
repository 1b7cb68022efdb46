package index_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/internal/shared"
	"github.com/rankbox/rankbox/core/retrieve/index"
	"github.com/rankbox/rankbox/core/text"
)

type doc struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// corpus reads a collection of the reference data in the order of its file.
func corpus(t testing.TB, name string) []doc {
	f, err := os.Open(shared.Path(t, "data/"+name+"/corpus.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var docs []doc
	for dec := json.NewDecoder(f); dec.More(); {
		var d doc
		if err := dec.Decode(&d); err != nil {
			t.Fatal(err)
		}
		docs = append(docs, d)
	}
	return docs
}

func build(t testing.TB, docs []doc, analyzer string) *index.Index {
	a, err := text.Get(analyzer)
	if err != nil {
		t.Fatal(err)
	}
	b := index.NewBuilder(a)
	for _, d := range docs {
		b.Add(d.Title, d.Text)
	}
	return b.Build()
}

// lines reads a gzipped file of the reference data.
func lines(t testing.TB, name string) []string {
	z := shared.Open(t, name)
	var out []string
	s := bufio.NewScanner(z)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		out = append(out, s.Text())
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// Oracle: Lucene 10.3.2, totals.*.json, vocabulary.*.tsv.gz and doclengths.*.tsv.gz.
func TestEqualsLucene(t *testing.T) {
	for _, name := range []string{"harbour-wire", "scifact", "cranfield"} {
		t.Run(name, func(t *testing.T) {
			docs := corpus(t, name)
			x := build(t, docs, "lucene-english")
			checkLucene(t, name, docs, x)
		})
	}
}

func checkLucene(t *testing.T, name string, docs []doc, x *index.Index) {
	var totals map[string]json.RawMessage
	data, err := os.ReadFile(shared.Path(t, "oracle/lucene/totals."+name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &totals); err != nil {
		t.Fatal(err)
	}
	for _, f := range []index.Field{index.Contents, index.Title, index.Text} {
		var want struct {
			Docs     int     `json:"documents"`
			With     int     `json:"documents_with_field"`
			Terms    int     `json:"distinct_terms"`
			Tokens   int     `json:"sum_total_term_freq"`
			Postings int     `json:"sum_doc_freq"`
			Avg      float64 `json:"avgdl_double"`
			Avg32    float32 `json:"avgdl_float32"`
		}
		if err := json.Unmarshal(totals[f.String()], &want); err != nil {
			t.Fatal(err)
		}
		got := x.Stats(f)
		if got != (index.Stats{Docs: want.With, Terms: want.Terms, Tokens: want.Tokens, Postings: want.Postings}) ||
			x.Docs() != want.Docs {
			t.Errorf("%s: %d documents and %+v, want %+v", f, x.Docs(), got, want)
		}
		if avg := got.AvgLength(); avg != want.Avg || float32(avg) != want.Avg32 {
			t.Errorf("%s: mean length %v, want %v", f, avg, want.Avg)
		}
	}

	vocabulary := lines(t, "oracle/lucene/vocabulary."+name+".tsv.gz")
	if len(vocabulary) != x.Terms() {
		t.Fatalf("%d terms, want %d", x.Terms(), len(vocabulary))
	}
	for i, line := range vocabulary {
		c := strings.Split(line, "\t")
		id, ok := x.ID(c[0])
		if !ok || id != uint32(i) || x.Term(id) != c[0] {
			t.Fatalf("term %d: id %d (%v) %q, want %q", i, id, ok, x.Term(uint32(i)), c[0])
		}
		if df, cf := x.DF(index.Contents, id), x.CF(index.Contents, id); strconv.Itoa(df) != c[1] ||
			strconv.Itoa(cf) != c[2] {
			t.Fatalf("%q: df %d, cf %d, want %s and %s", c[0], df, cf, c[1], c[2])
		}
	}

	for d, line := range lines(t, "oracle/lucene/doclengths."+name+".tsv.gz") {
		c := strings.Split(line, "\t")
		if c[0] != docs[d].ID {
			t.Fatalf("document %d is %s, want %s", d, docs[d].ID, c[0])
		}
		if n := x.Length(index.Contents, uint32(d)); strconv.Itoa(n) != c[1] {
			t.Fatalf("%s: length %d, want %s", c[0], n, c[1])
		}
	}
}
