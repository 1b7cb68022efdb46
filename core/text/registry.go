//go:build !lessons

package text

import (
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/text/porter"
)

// registry holds the analyzers, the default first.
var registry = [...]Analyzer{
	{name: "lucene-english", version: 1, split: splitStandard, term: luceneEnglish},
	{name: "lucene-standard", version: 1, split: splitStandard, term: luceneStandard},
	{name: "lucene-whitespace", version: 1, split: splitJava, term: verbatim},
	{name: "whitespace", version: 1, split: splitPython, term: lowered},
	{name: "bm25s-english", version: 1, split: splitWord2, term: bm25sEnglish},
	{name: "nltk", version: 1, split: splitWord, term: nltk},
	{name: "snowball-english", version: 1, split: splitStandard, term: snowballEnglish},
	{name: "snowball-danish", version: 1, split: splitStandard, term: snowballDanish},
	{name: "snowball-dutch", version: 1, split: splitStandard, term: snowballDutch},
	{name: "snowball-finnish", version: 1, split: splitStandard, term: snowballFinnish},
	{name: "snowball-french", version: 1, split: splitStandard, term: snowballFrench},
	{name: "snowball-german", version: 1, split: splitStandard, term: snowballGerman},
	{name: "snowball-hungarian", version: 1, split: splitStandard, term: snowballHungarian},
	{name: "snowball-italian", version: 1, split: splitStandard, term: snowballItalian},
	{name: "snowball-norwegian", version: 1, split: splitStandard, term: snowballNorwegian},
	{name: "snowball-portuguese", version: 1, split: splitStandard, term: snowballPortuguese},
	{name: "snowball-russian", version: 1, split: splitStandard, term: snowballRussian},
	{name: "snowball-spanish", version: 1, split: splitStandard, term: snowballSpanish},
	{name: "snowball-swedish", version: 1, split: splitStandard, term: snowballSwedish},
	{name: "cjk", version: 1, split: splitCJK, term: cjkTerm},
}

// luceneEnglish applies EnglishPossessiveFilter, LowerCaseFilter, StopFilter, PorterStemFilter.
func luceneEnglish(word string) (string, bool) {
	w := javaLower(stripPossessive(word))
	if luceneStop(w) {
		return "", false
	}
	return porter.Stem(w, porter.Lucene), true
}

// stripPossessive removes a final 's or 'S; the apostrophe may be ', ’ or the full-width one.
func stripPossessive(w string) string {
	n := len(w) - 1
	if n < 1 || w[n]|0x20 != 's' {
		return w
	}
	for _, q := range [...]string{"'", "’", "＇"} {
		if strings.HasSuffix(w[:n], q) {
			return w[:n-len(q)]
		}
	}
	return w
}

func luceneStandard(word string) (string, bool) { return javaLower(word), true }

func verbatim(word string) (string, bool) {
	if !utf8.ValidString(word) {
		return replaceBadBytes(word), true
	}
	return word, true
}

// replaceBadBytes replaces each byte that is not UTF-8 by U+FFFD.
func replaceBadBytes(w string) string {
	out := make([]byte, 0, len(w)+8)
	for _, r := range w {
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}

func lowered(word string) (string, bool) { return pythonLower(word), true }

// wordLower lower-cases a word of \w+. It drops the final combining dot of İ, which is no word character.
func wordLower(word string) string {
	w := pythonLower(word)
	if strings.HasSuffix(word, string(dottedI)) {
		return strings.TrimSuffix(w, string(dot))
	}
	return w
}

func bm25sEnglish(word string) (string, bool) {
	w := wordLower(word)
	if luceneStop(w) {
		return "", false
	}
	return porter.English(w), true
}

func nltk(word string) (string, bool) {
	w := wordLower(word)
	if nltkStop(w) {
		return "", false
	}
	return porter.Stem(w, porter.NLTK), true
}
