package near

import (
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"kitten", "sitting", 3}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"nltk", "ntlk", 1},
		{"abcd", "badc", 2}, {strings.Repeat("a", 65), "a", 64}} {
		if d, e := Distance(c.a, c.b), Distance(c.b, c.a); d != c.want || e != c.want {
			t.Errorf("%q and %q are %d and %d apart, want %d", c.a, c.b, d, e, c.want)
		}
	}
}

func TestName(t *testing.T) {
	names := []string{"bm25", "dense", "rrf", "lucene-english", "wsum"}
	for written, want := range map[string]string{
		"BM52": "bm25", "bm2": "bm25", "desne": "dense", "rfr": "rrf", "english": "lucene-english",
		"Lucene_English": "lucene-english", "klingon": "", "en": "", "": "", strings.Repeat("bm25", 20): "",
	} {
		if got := Name(written, names); got != want {
			t.Errorf("%q is near %q, want %q", written, got, want)
		}
	}
}
