package porter

import (
	"bufio"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/internal/shared"
)

// The stems are those of Lucene 10.3.2's PorterStemFilter, PyStemmer 3.1.0's "porter" and NLTK 3.10.4's
// PorterStemmer().
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
		{"micced", "mic", "micc", "mic"},
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
		{"βaββed", "βaβ", "βaββ", "βaβ"},
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
	for word, want := range stems(t, "porter") {
		n++
		if got := Stem(word, Paper); got != want {
			t.Errorf("Stem(%q) = %q, want %q", word, got, want)
		}
	}
	if n < 11000 {
		t.Errorf("only %d words", n)
	}
}

// NLTK 3.10.4's PorterStemmer(). testdata/nltk.tsv has the words among the 11,202 of the reference list whose stem
// differs from PyStemmer's "porter"; both files together give NLTK's stem of every word.
func TestOracleNLTK(t *testing.T) {
	data, err := os.ReadFile("testdata/nltk.tsv")
	if err != nil {
		t.Fatal(err)
	}
	departs := map[string]string{}
	for line := range strings.Lines(string(data)) {
		w, s, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		departs[w] = s
		if got := Stem(w, NLTK); got != s {
			t.Errorf("Stem(%q) = %q, want %q", w, got, s)
		}
	}
	if len(departs) != 159 {
		t.Errorf("%d words in testdata", len(departs))
	}
	for w, want := range stems(t, "porter") {
		if s, ok := departs[w]; ok {
			want = s
		}
		if got := Stem(w, NLTK); got != want {
			t.Errorf("Stem(%q) = %q, want %q", w, got, want)
		}
	}
}

func stems(t testing.TB, name string) map[string]string {
	z := shared.Open(t, "oracle/stem/"+name+".tsv.gz")
	m := map[string]string{}
	for sc := bufio.NewScanner(z); sc.Scan(); {
		w, s, _ := strings.Cut(sc.Text(), "\t")
		m[w] = s
	}
	return m
}

func FuzzStem(f *testing.F) {
	for _, s := range []string{"", "y", "yyy", "generalizations", "naïvely", "𐐨𐐨s", "\xff\xfeing", "alli", "ying",
		"βaββed", "bied"} {
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

// The stems are those of PyStemmer 3.1.0's "english".
func TestEnglish(t *testing.T) {
	for word, want := range map[string]string{
		"": "", "a": "a", "as": "as", "'s": "'s", "''s": "", "ג'": "ג'", "skis": "ski", "skies": "sky",
		"gently": "gentl", "dying": "die",
		"crying": "cri", "ying": "ying", "evening": "evening", "evenings": "evening", "inning": "inning",
		"added": "add", "egged": "egg",
		"hopped": "hop", "hoping": "hope", "proceeding": "proceed", "proceedly": "proceed", "agreed": "agre",
		"feed": "feed",
		"ties": "tie", "cries": "cri", "gas": "gas", "gaps": "gap", "university": "universiti",
		"universal": "universal",
		"organisms": "organism", "lateral": "lateral", "later": "later", "interval": "interval",
		"emergency":    "emergenc",
		"neurologists": "neurolog", "pasted": "paste", "pasting": "paste", "past": "past", "dog's": "dog",
		"dogs'": "dog", "'tis": "tis",
		"o'reilly's": "o'reilli", "dog’s": "dog’", "generate": "generat", "generally": "general",
		"communism":   "communism",
		"sensational": "sensat", "hopelessly": "hopeless", "naïvely": "naïv", "youth": "youth", "boyish": "boyish",
		"flying": "fli",
		"éed":    "éed", "rateing": "rate",
	} {
		if got := English(word); got != want {
			t.Errorf("English(%q) = %q, want %q", word, got, want)
		}
	}
}

// PyStemmer 3.1.0's "english".
func TestOracleEnglish(t *testing.T) {
	n := 0
	for word, want := range stems(t, "english") {
		n++
		if got := English(word); got != want {
			t.Errorf("English(%q) = %q, want %q", word, got, want)
		}
	}
	if n < 11000 {
		t.Errorf("only %d words", n)
	}
}
