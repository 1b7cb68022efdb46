package porter

import (
	"bufio"
	"compress/gzip"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/internal/shared"
)

// The stems are those of Lucene 10.3.2's PorterStemFilter, PyStemmer 3.1.0's "porter" and NLTK 3.10.4's PorterStemmer().
func TestStem(t *testing.T) {
	for _, c := range []struct{ word, lucene, paper, nltk string }{
		{"", "", "", ""},
		{"a", "a", "a", "a"},
		{"as", "as", "a", "as"},
		{"s", "s", "", "s"},
		{"caresses", "caress", "caress", "caress"},
		{"ponies", "poni", "poni", "poni"},
		{"dies", "di", "di", "die"},
		{"died", "di", "di", "die"},
		{"tied", "ti", "ti", "tie"},
		{"cried", "cri", "cri", "cri"},
		{"dying", "dy", "dy", "die"},
		{"feed", "feed", "feed", "feed"},
		{"agreed", "agre", "agre", "agre"},
		{"hopping", "hop", "hop", "hop"},
		{"hissing", "hiss", "hiss", "hiss"},
		{"filing", "file", "file", "file"},
		{"owed", "ow", "ow", "owe"},
		{"enjoy", "enjoi", "enjoi", "enjoy"},
		{"spy", "spy", "spy", "spi"},
		{"sky", "sky", "sky", "sky"},
		{"skies", "ski", "ski", "sky"},
		{"syzygy", "syzygi", "syzygi", "syzygi"},
		{"relational", "relat", "relat", "relat"},
		{"rational", "ration", "ration", "ration"},
		{"possibly", "possibl", "possibli", "possibl"},
		{"biology", "biologi", "biologi", "biolog"},
		{"psychology", "psycholog", "psychologi", "psycholog"},
		{"geology", "geologi", "geologi", "geolog"},
		{"theology", "theologi", "theologi", "theolog"},
		{"hopefully", "hopefulli", "hopefulli", "hope"},
		{"radically", "radic", "radic", "radic"},
		{"generalizations", "gener", "gener", "gener"},
		{"oscillators", "oscil", "oscil", "oscil"},
		{"proceed", "proce", "proce", "proceed"},
		{"controll", "control", "control", "control"},
		{"adoption", "adopt", "adopt", "adopt"},
		{"ion", "ion", "ion", "ion"},
		{"naïvely", "naïv", "naïv", "naïv"},
		{"β-ing", "β-ing", "β-ing", "β-ing"},
		{"αing", "αing", "αing", "αing"},
		{"βaββed", "βaβ", "βaβ", "βaβ"},
		{"βaβγed", "βaβγ", "βaβγ", "βaβγ"},
		{"𐐨s", "𐐨", "𐐨", "𐐨s"},
		{"éls", "él", "él", "él"},
	} {
		for v, want := range []string{c.lucene, c.paper, c.nltk} {
			if got := Stem(c.word, Variant(v)); got != want {
				t.Errorf("Stem(%q, %d) = %q, want %q", c.word, v, got, want)
			}
		}
	}
}

// PyStemmer 3.1.0's "porter" is the algorithm of the paper.
func TestOraclePaper(t *testing.T) {
	n := 0
	for word, want := range oracle(t) {
		n++
		if got := Stem(word, Paper); got != want {
			t.Errorf("Stem(%q) = %q, want %q", word, got, want)
		}
	}
	if n < 11000 {
		t.Errorf("only %d words", n)
	}
}

func oracle(t testing.TB) map[string]string {
	f, err := os.Open(shared.Path(t, "oracle/stem/porter.tsv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]string{}
	for sc := bufio.NewScanner(z); sc.Scan(); {
		w, s, _ := strings.Cut(sc.Text(), "\t")
		m[w] = s
	}
	return m
}

func FuzzStem(f *testing.F) {
	for _, s := range []string{"", "y", "yyy", "generalizations", "naïvely", "𐐨𐐨s", "\xff\xfeing", "alli", "ying", "βaββed", "bied"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for v := Lucene; v <= NLTK; v++ {
			got := Stem(s, v)
			if len(got) > len(s)+1 && utf8.ValidString(s) {
				t.Errorf("Stem(%q, %d) = %q grew", s, v, got)
			}
			if utf8.ValidString(s) && !utf8.ValidString(got) {
				t.Errorf("Stem(%q, %d) = %q is not UTF-8", s, v, got)
			}
		}
	})
}

func BenchmarkStem(b *testing.B) {
	words := []string{"generalizations", "the", "flow", "boundary", "supersonic", "relational", "experimentally", "cat"}
	for b.Loop() {
		for _, w := range words {
			Stem(w, Lucene)
		}
	}
}
