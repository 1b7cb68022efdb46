package text

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// Lucene 10.3.2's CJKAnalyzer on 48 chosen texts, 1,500 random ones and one of 301 characters, on 315 sentences in
// Chinese, Japanese and Korean, and on every second of them mixed with Latin, full- and half-width forms and
// ideographs outside the BMP (scripts/oracle/cjk).
func TestOracleLuceneCJK(t *testing.T) {
	f, err := os.Open("testdata/cjk.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a := mustGet(t, "cjk")
	sc := bufio.NewScanner(f)
	n, bad := 0, 0
	for sc.Scan() {
		var d struct {
			Text   string
			Tokens []string
		}
		if err := json.Unmarshal(sc.Bytes(), &d); err != nil {
			t.Fatal(err)
		}
		n++
		if got := a.Terms(d.Text); !slices.Equal(got, d.Tokens) && len(got)+len(d.Tokens) > 0 {
			if bad++; bad < 20 {
				t.Errorf("Terms(%+q)\n got %+q\nwant %+q", d.Text, got, d.Tokens)
			}
		}
	}
	if err := sc.Err(); err != nil || n != 2022 || bad > 0 {
		t.Errorf("%d of %d differ, %v", bad, n, err)
	}
}

// A text of n bytes has at most n words. A pair has at most two characters, each with its marks, and is not longer
// than two tokens of StandardTokenizer. A term has at most three bytes per byte of its word (U+FFFD for a bad
// byte). So the text bounds the memory.
func FuzzCJK(f *testing.F) {
	for _, s := range []string{
		"", "東京都に行きました。", "ｶﾞｷﾞｸﾞ ﾊﾟﾊﾟ", "한국어 문서a", "𠮷野家𠀀", "が゙か\u3099", "\u1100\u1161\u11a8", "Ｔｈｅ ﾞﾞ",
		"\xe6\x9d東\xff京",
		strings.Repeat("国\u0301", 300), strings.Repeat("カ", 300) + "国",
	} {
		f.Add(s)
	}
	a := mustGet(f, "cjk")
	f.Fuzz(func(t *testing.T, s string) {
		checkAnalyzer(t, a, s)
		words := 0
		a.Words(s, func(start, end int) {
			words++
			word := s[start:end]
			if units(word) > 2*maxWord {
				t.Fatalf("%q of %q: %d units", word, s, units(word))
			}
			if term, _ := a.Term(word); len(term) > 3*len(word) {
				t.Fatalf("%q becomes %q", word, term)
			}
		})
		if words > len(s) {
			t.Fatalf("%q: %d words", s, words)
		}
	})
}

// units counts UTF-16 code units.
func units(s string) (n int) {
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}
