//go:build !lessons

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
	{
		info: Info{
			Name: "bm25s-english", Version: 1,
			Summary:   "English as bm25s indexes it with its default tokenizer, the stopwords \"english\" and PyStemmer.",
			Pipeline:  "\\w\\w+ (two word characters or more) → lower case → bm25s's 33 stopwords dropped → Snowball 3.1 English",
			Reference: "bm25s 0.3.16, tokenize(texts, stopwords=\"english\", stemmer=Stemmer(\"english\")), PyStemmer 3.1.0, Python 3.11",
			Differs:   sigmaDiffers,
		},
		split: splitWord2, term: bm25sEnglish,
	},
	{
		info: Info{
			Name: "nltk", Version: 1,
			Summary:   "English as courses prepare it with NLTK: words, stopwords, Porter.",
			Pipeline:  "\\w+ → lower case → NLTK's English stopwords dropped → Porter with NLTK's extensions",
			Reference: "re.findall(r\"\\w+\", text.lower()), NLTK 3.10.4's stopwords.words(\"english\") and PorterStemmer(), Python 3.11",
			Differs: "NLTK's word_tokenize, which needs a trained model, is another thing: it keeps punctuation and makes do n't of don't. " +
				"RegexpTokenizer(r\"\\w+\") is the same before NLTK 3.10, which has another \\w: superscript digits are out and combining accents in (14 of SciFact's and Cranfield's 6,583 documents). " +
				sigmaDiffers,
		},
		split: splitWord, term: nltk,
	},
	{
		info: Info{
			Name: "snowball-english", Version: 1,
			Summary:   "English with Snowball's stemmer (Porter 2) and no stopwords.",
			Pipeline:  snowballPipeline + "English",
			Reference: snowballReference,
			Differs: "From Snowball 3.1 in 25 of 11,202 words: evening, interval, lateral, organism, university, emergency are stemmed, " +
				"-ologist is not; bm25s-english has 3.1. From Lucene 10.3.2 in ten words where an apostrophe and an s " +
				"follow: added, adding, canning, earring, exceed, herring, inning, outing, proceed and succeed lose an ending too many " +
				"(herring's is her here and herring there).",
		},
		split: splitStandard, term: snowballEnglish,
	},
	{
		info: Info{
			Name: "snowball-french", Version: 1,
			Summary:   "French with Snowball's stemmer; no stopwords, and l' and d' stay on the word.",
			Pipeline:  snowballPipeline + "French",
			Reference: snowballReference,
			Differs:   "From Lucene 10.3.2 in none of 93,030 forms of 5,000 words (salais: sal in both).",
		},
		split: splitStandard, term: snowballFrench,
	},
	{
		info: Info{
			Name: "snowball-german", Version: 1,
			Summary:   "German with Snowball's stemmer and no stopwords; ß counts as ss, and ä, ae and a become one.",
			Pipeline:  snowballPipeline + "German",
			Reference: snowballReference,
			Differs:   "From Snowball 3.1 in 241 of 5,000 words: it removes -et, -ln, -erin and -erinnen.",
		},
		split: splitStandard, term: snowballGerman,
	},
	{
		info: Info{
			Name: "snowball-hungarian", Version: 1,
			Summary:   "Hungarian with Snowball's stemmer and no stopwords.",
			Pipeline:  snowballPipeline + "Hungarian",
			Reference: snowballReference,
		},
		split: splitStandard, term: snowballHungarian,
	},
	{
		info: Info{
			Name: "snowball-norwegian", Version: 1,
			Summary:   "Norwegian (bokmål) with Snowball's stemmer and no stopwords.",
			Pipeline:  snowballPipeline + "Norwegian",
			Reference: snowballReference,
			Differs:   "From Snowball 3.1 in 6 of 5,000 words: it keeps -ers after some letters (beyers).",
		},
		split: splitStandard, term: snowballNorwegian,
	},
	{
		info: Info{
			Name: "snowball-russian", Version: 1,
			Summary:   "Russian with Snowball's stemmer and no stopwords; ё counts as е.",
			Pipeline:  snowballPipeline + "Russian",
			Reference: snowballReference,
		},
		split: splitStandard, term: snowballRussian,
	},
	{
		info: Info{
			Name: "snowball-spanish", Version: 1,
			Summary:   "Spanish with Snowball's stemmer and no stopwords.",
			Pipeline:  snowballPipeline + "Spanish",
			Reference: snowballReference,
		},
		split: splitStandard, term: snowballSpanish,
	},
	{
		info: Info{
			Name: "snowball-swedish", Version: 1,
			Summary:   "Swedish with Snowball's stemmer and no stopwords.",
			Pipeline:  snowballPipeline + "Swedish",
			Reference: snowballReference,
			Differs:   "From Snowball 3.1 in 96 of 5,000 words: it removes -et (ankaret).",
		},
		split: splitStandard, term: snowballSwedish,
	},
	{
		info: Info{
			Name: "cjk", Version: 1,
			Summary:   "Chinese, Japanese and Korean: each two characters that stand beside each other, and other words in lower case.",
			Pipeline:  "UAX #29 words of at most 255 UTF-16 units → full-width ASCII and half-width Katakana folded → lower case → pairs of Han, Hiragana, Katakana and Hangul → 35 stopwords dropped",
			Reference: "Lucene 10.3.2, CJKAnalyzer: StandardTokenizer, CJKWidthFilter, LowerCaseFilter, CJKBigramFilter, StopFilter",
		},
		split: splitCJK, term: cjkTerm,
	},
}

const (
	snowballPipeline  = "UAX #29 words of at most 255 UTF-16 units → lower case → Snowball "
	snowballReference = "Lucene 10.3.2: StandardTokenizer, LowerCaseFilter, SnowballFilter"
	sigmaDiffers      = "Python lower-cases the whole text, so that a Σ beside an apostrophe, accent or full stop may become σ there and ς here, or the other way."
)

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

// wordLower lower-cases a word of \w+. The combining dot that İ leaves at its end is no word character.
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
