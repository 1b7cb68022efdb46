package text

import (
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/text/porter"
)

// registry holds the analyzers, the default first.
var registry = [...]Analyzer{
	{
		info: Info{
			Name: "lucene-english", Version: 1,
			Summary:   "English, as Lucene, Anserini and Pyserini index it: the default, and what BM25 baselines are published with.",
			Pipeline:  "UAX #29 words of at most 255 UTF-16 units → possessive 's off → lower case → Lucene's 33 stopwords dropped → Porter (the C program)",
			Reference: "Lucene 10.3.2, Anserini's DefaultEnglishAnalyzer: StandardTokenizer, EnglishPossessiveFilter, LowerCaseFilter, StopFilter, PorterStemFilter",
		},
		split: splitStandard, term: luceneEnglish,
	},
	{
		info: Info{
			Name: "lucene-standard", Version: 1,
			Summary:   "Any language, no stemming: words as Unicode defines them, lower-cased.",
			Pipeline:  "UAX #29 words of at most 255 UTF-16 units → lower case",
			Reference: "Lucene 10.3.2, StandardAnalyzer without stopwords",
		},
		split: splitStandard, term: luceneStandard,
	},
	{
		info: Info{
			Name: "lucene-whitespace", Version: 1,
			Summary:   "Text that is tokenised already: nothing but a cut at white space.",
			Pipeline:  "runs without white space (Java's) of at most 255 UTF-16 units",
			Reference: "Lucene 10.3.2, WhitespaceAnalyzer",
		},
		split: splitJava, term: verbatim,
	},
	{
		info: Info{
			Name: "whitespace", Version: 1,
			Summary:   "The one-line tokenizer of Python examples, such as rank_bm25's: lower case and split.",
			Pipeline:  "runs without white space → lower case",
			Reference: "Python 3.11, text.lower().split()",
		},
		split: splitPython, term: lowered,
	},
}

// luceneEnglish is EnglishPossessiveFilter, LowerCaseFilter, StopFilter, PorterStemFilter.
func luceneEnglish(word string) (string, bool) {
	w := javaLower(possessive(word))
	if luceneStop(w) {
		return "", false
	}
	return porter.Stem(w, porter.Lucene), true
}

// possessive strips 's or 'S from the end; the apostrophe may be ', ’ or the full-width one.
func possessive(w string) string {
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
		return eachBad(word), true
	}
	return word, true
}

// eachBad replaces each byte that is not UTF-8 by U+FFFD.
func eachBad(w string) string {
	out := make([]byte, 0, len(w)+8)
	for _, r := range w {
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}

func lowered(word string) (string, bool) { return pythonLower(word), true }
