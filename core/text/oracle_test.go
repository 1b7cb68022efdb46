package text

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/rankbox/rankbox/core/internal/shared"
)

// lines calls each with the lines of a gzipped (or plain) file of the reference data.
func lines(t testing.TB, name string, each func(line []byte)) {
	t.Helper()
	sc := bufio.NewScanner(shared.Open(t, name))
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		each(sc.Bytes())
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
}

func mustGet(t testing.TB, name string) *Analyzer {
	t.Helper()
	a, err := Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Token streams of Lucene 10.3.2 for the same 2,464 strings. JSON turns lone surrogates into U+FFFD, in the text
// and in the tokens.
func TestOracleLuceneTokens(t *testing.T) {
	for _, c := range []struct{ name, file string }{
		{"lucene-english", "english"},
		{"lucene-standard", "standard"},
		{"lucene-whitespace", "whitespace"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := mustGet(t, c.name)
			n, bad := 0, 0
			lines(t, "oracle/lucene/analyzer/"+c.file+".jsonl.gz", func(line []byte) {
				var d struct {
					Text    string
					Tokens  []string
					Offsets [][2]int
				}
				if err := json.Unmarshal(line, &d); err != nil {
					t.Fatal(err)
				}
				n++
				if got := a.Terms(d.Text); !slices.Equal(got, d.Tokens) {
					if bad++; bad < 10 {
						t.Errorf("Terms(%q)\n got %q\nwant %q", d.Text, got, d.Tokens)
					}
				}
				if d.Offsets == nil {
					return
				}
				var got [][2]int
				units := unitOffsets(d.Text)
				a.Each(d.Text, func(_ string, start, end int) { got = append(got, [2]int{units[start], units[end]}) })
				if !slices.Equal(got, d.Offsets) {
					if bad++; bad < 10 {
						t.Errorf("offsets of %q\n got %v\nwant %v", d.Text, got, d.Offsets)
					}
				}
			})
			if n != 2464 && n != 308 { // 308 of them are in the repository
				t.Errorf("%d strings, want 2464, or the 308 of the repository", n)
			}
			if bad > 0 {
				t.Errorf("%d strings differ", bad)
			}
		})
	}
}

// unitOffsets returns for each byte offset at which a character begins its offset in UTF-16 code units.
func unitOffsets(s string) map[int]int {
	m := map[int]int{}
	n := 0
	for i, r := range s {
		m[i] = n
		n += max(1, utf16.RuneLen(r))
	}
	m[len(s)] = n
	return m
}

func benchFile() string { return filepath.Join(shared.Root(), "data/cranfield/corpus.jsonl") }

type document struct {
	ID    string `json:"_id"`
	Title string
	Text  string
}

func corpus(t testing.TB, collection string) []document {
	t.Helper()
	var docs []document
	lines(t, "data/"+collection+"/corpus.jsonl", func(line []byte) {
		var d document
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatal(err)
		}
		docs = append(docs, d)
	})
	return docs
}

// The term dictionaries of Lucene 10.3.2's indexes: every term with its document and collection frequency.
func TestOracleLuceneVocabulary(t *testing.T) {
	for _, c := range []struct{ name, collection, file string }{
		{"lucene-english", "harbour-wire", "vocabulary.harbour-wire"},
		{"lucene-english", "scifact", "vocabulary.scifact"},
		{"lucene-english", "cranfield", "vocabulary.cranfield"},
		{"lucene-standard", "scifact", "vocabulary.scifact-unstemmed"},
	} {
		t.Run(c.file, func(t *testing.T) {
			a := mustGet(t, c.name)
			type count struct{ docs, all, last int }
			got := map[string]*count{}
			for i, d := range corpus(t, c.collection) {
				a.Each(d.Title+" "+d.Text, func(term string, _, _ int) {
					e := got[term]
					if e == nil {
						e = &count{last: -1}
						got[term] = e
					}
					e.all++
					if e.last != i {
						e.last = i
						e.docs++
					}
				})
			}
			n := 0
			lines(t, "oracle/lucene/"+c.file+".tsv.gz", func(line []byte) {
				f := strings.Split(string(line), "\t")
				if f[0] == "term" && n == 0 {
					return
				}
				n++
				e := got[f[0]]
				if e == nil {
					t.Errorf("%q absent", f[0])
					return
				}
				if g := fmt.Sprint(e.docs, e.all); g != f[1]+" "+f[2] {
					t.Errorf("%q: got %s, want %s %s", f[0], g, f[1], f[2])
				}
			})
			if n != len(got) || n < 3362 {
				t.Errorf("%d terms, want %d", len(got), n)
			}
		})
	}
}

func TestOracleLuceneQueries(t *testing.T) {
	a := mustGet(t, "lucene-english")
	for collection, least := range map[string]int{"harbour-wire": 44, "scifact": 300, "cranfield": 225} {
		t.Run(collection, func(t *testing.T) {
			text := map[string]string{}
			lines(t, "data/"+collection+"/queries.jsonl", func(line []byte) {
				var d document
				if err := json.Unmarshal(line, &d); err != nil {
					t.Fatal(err)
				}
				text[d.ID] = d.Text
			})
			n := 0
			lines(t, "oracle/lucene/queries."+collection+".jsonl.gz", func(line []byte) {
				var q struct {
					ID     string
					Tokens []string
				}
				if err := json.Unmarshal(line, &q); err != nil {
					t.Fatal(err)
				}
				n++
				if got := a.Terms(text[q.ID]); !slices.Equal(got, q.Tokens) {
					t.Errorf("query %s: got %q, want %q", q.ID, got, q.Tokens)
				}
			})
			if n < least {
				t.Errorf("%s: %d queries", collection, n)
			}
		})
	}
}

// Tokens, vocabulary and queries of Python 3.11's re.findall(r"\S+", text.lower()), on which the bm25s figures are
// based.
func TestOracleWhitespace(t *testing.T) {
	a := mustGet(t, "whitespace")
	for _, collection := range []string{"harbour-wire", "scifact", "cranfield"} {
		t.Run(collection, func(t *testing.T) {
			var want struct {
				Tokens, Vocabulary int
				Queries            map[string][]string
			}
			data, err := os.ReadFile(shared.Path(t, "oracle/bm25/"+collection+".json"))
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			tokens := 0
			vocabulary := map[string]bool{}
			for _, d := range corpus(t, collection) {
				a.Each(d.Title+"\n"+d.Text, func(term string, _, _ int) { tokens++; vocabulary[term] = true })
			}
			if tokens != want.Tokens || len(vocabulary) != want.Vocabulary {
				t.Errorf("%s: %d tokens of %d words, want %d of %d", collection, tokens, len(vocabulary), want.Tokens,
					want.Vocabulary)
			}
			n := 0
			lines(t, "data/"+collection+"/queries.jsonl", func(line []byte) {
				var d document
				if err := json.Unmarshal(line, &d); err != nil {
					t.Fatal(err)
				}
				if q, ok := want.Queries[d.ID]; ok {
					n++
					if got := a.Terms(d.Text); !slices.Equal(got, q) {
						t.Errorf("query %s: got %q, want %q", d.ID, got, q)
					}
				}
			})
			if n != 30 {
				t.Errorf("%s: %d queries", collection, n)
			}
		})
	}
}

// Lucene 10.3.2, 100 strings a language: StandardTokenizer, LowerCaseFilter, SnowballFilter.
func TestOracleSnowball(t *testing.T) {
	for _, language := range []string{"english", "french", "german", "hungarian", "norwegian", "russian", "spanish",
		"swedish"} {
		a := mustGet(t, "snowball-"+language)
		n := 0
		lines(t, "oracle/lucene/analyzer/snowball-"+language+".jsonl.gz", func(line []byte) {
			var d struct {
				Text   string
				Tokens []string
			}
			if err := json.Unmarshal(line, &d); err != nil {
				t.Fatal(err)
			}
			n++
			if got := a.Terms(d.Text); !slices.Equal(got, d.Tokens) {
				t.Errorf("%s: Terms(%q)\n got %q\nwant %q", language, d.Text, got, d.Tokens)
			}
		})
		if n != 100 {
			t.Errorf("%s: %d strings", language, n)
		}
	}
}

// Lucene 10.3.2, a sentence a language: StandardTokenizer, LowerCaseFilter, SnowballFilter.
func TestSnowballTerms(t *testing.T) {
	b, err := os.ReadFile("testdata/snowball.tsv")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		n++
		if got := strings.Join(mustGet(t, "snowball-"+f[0]).Terms(f[1]), " "); got != f[2] {
			t.Errorf("%s\n got %s\nwant %s", f[0], got, f[2])
		}
	}
	if n != 5 {
		t.Errorf("%d languages", n)
	}
}
