//go:build !lessons

package text

// about describes the analyzers of the registry, in any order. Programs without descriptions leave it out.
var about = [...]Info{
	{
		Name: "lucene-english",
		Summary: "English, as Lucene, Anserini and Pyserini index it: the default, and what BM25 baselines are " +
			"published with.",
		Pipeline: "UAX #29 words of at most 255 UTF-16 units → possessive 's off → lower case → Lucene's 33 " +
			"stopwords dropped → Porter (the C program)",
		Reference: "Lucene 10.3.2, Anserini's DefaultEnglishAnalyzer: StandardTokenizer, " +
			"EnglishPossessiveFilter, LowerCaseFilter, StopFilter, PorterStemFilter",
	},
	{
		Name:      "lucene-standard",
		Summary:   "Any language, no stemming: words as Unicode defines them, lower-cased.",
		Pipeline:  "UAX #29 words of at most 255 UTF-16 units → lower case",
		Reference: "Lucene 10.3.2, StandardAnalyzer without stopwords",
	},
	{
		Name:      "lucene-whitespace",
		Summary:   "Text that is tokenised already: nothing but a cut at white space.",
		Pipeline:  "runs without white space (Java's) of at most 255 UTF-16 units",
		Reference: "Lucene 10.3.2, WhitespaceAnalyzer",
	},
	{
		Name:      "whitespace",
		Summary:   "The one-line tokenizer of Python examples, such as rank_bm25's: lower case and split.",
		Pipeline:  "runs without white space → lower case",
		Reference: "Python 3.11, text.lower().split()",
	},
	{
		Name:    "bm25s-english",
		Summary: "English as bm25s indexes it with its default tokenizer, the stopwords \"english\" and PyStemmer.",
		Pipeline: "\\w\\w+ (two word characters or more) → lower case → bm25s's 33 stopwords dropped → Snowball " +
			"3.1 English",
		Reference: "bm25s 0.3.16, tokenize(texts, stopwords=\"english\", stemmer=Stemmer(\"english\")), " +
			"PyStemmer 3.1.0, Python 3.11",
		Differs: sigmaDiffers,
	},
	{
		Name:     "nltk",
		Summary:  "English as courses prepare it with NLTK: words, stopwords, Porter.",
		Pipeline: "\\w+ → lower case → NLTK's English stopwords dropped → Porter with NLTK's extensions",
		Reference: "re.findall(r\"\\w+\", text.lower()), NLTK 3.10.4's stopwords.words(\"english\") and " +
			"PorterStemmer(), Python 3.11",
		Differs: "NLTK's word_tokenize, which needs a trained model, is another thing: it keeps punctuation and " +
			"makes do n't of don't. " +
			"RegexpTokenizer(r\"\\w+\") is the same before NLTK 3.10, which has another \\w: superscript digits " +
			"are out and combining accents in (14 of SciFact's and Cranfield's 6,583 documents). " +
			sigmaDiffers,
	},
	{
		Name:      "snowball-english",
		Summary:   "English with Snowball's stemmer (Porter 2) and no stopwords.",
		Pipeline:  snowballPipeline + "English",
		Reference: snowballReference,
		Differs: "From Snowball 3.1 in 25 of 11,202 words: evening, interval, lateral, organism, university, " +
			"emergency are stemmed, " +
			"-ologist is not; bm25s-english has 3.1. From Lucene 10.3.2 in ten words where an apostrophe and an s " +
			"follow: added, adding, canning, earring, exceed, herring, inning, outing, proceed and succeed lose " +
			"an ending too many " +
			"(herring's is her here and herring there).",
	},
	{
		Name:      "snowball-danish",
		Summary:   "Danish with Snowball's stemmer and no stopwords.",
		Pipeline:  snowballPipeline + "Danish",
		Reference: snowballReference,
	},
	{
		Name:      "snowball-dutch",
		Summary:   "Dutch with Snowball's stemmer by Porter and no stopwords.",
		Pipeline:  snowballPipeline + "Dutch",
		Reference: snowballReference,
		Differs: "From Snowball 3.1, whose stemmer is another one, by Kraaij and Pohlmann: in 20,897 of " +
			"45,670 words.",
	},
	{
		Name:      "snowball-finnish",
		Summary:   "Finnish with Snowball's stemmer and no stopwords.",
		Pipeline:  snowballPipeline + "Finnish",
		Reference: snowballReference,
		Differs: "From Snowball 3.1 in 103 of 49,957 words: it removes -n, -an and -in behind h (alhon, alphan, " +
			"ajatollahin). From Lucene 10.3.2 only where a letter that Finnish lacks stands before an ending, in " +
			"none of those words.",
	},
	{
		Name:      "snowball-french",
		Summary:   "French with Snowball's stemmer; no stopwords, and l' and d' stay on the word.",
		Pipeline:  snowballPipeline + "French",
		Reference: snowballReference,
		Differs:   "From Lucene 10.3.2 in none of 93,030 forms of 5,000 words (salais: sal in both).",
	},
	{
		Name:      "snowball-german",
		Summary:   "German with Snowball's stemmer and no stopwords; ß counts as ss, and ä, ae and a become one.",
		Pipeline:  snowballPipeline + "German",
		Reference: snowballReference,
		Differs:   "From Snowball 3.1 in 241 of 5,000 words: it removes -et, -ln, -erin and -erinnen.",
	},
	{
		Name:      "snowball-hungarian",
		Summary:   "Hungarian with Snowball's stemmer and no stopwords.",
		Pipeline:  snowballPipeline + "Hungarian",
		Reference: snowballReference,
	},
	{
		Name:      "snowball-italian",
		Summary:   "Italian with Snowball's stemmer and no stopwords; l' and un' stay on the word.",
		Pipeline:  snowballPipeline + "Italian",
		Reference: snowballReference,
	},
	{
		Name:      "snowball-norwegian",
		Summary:   "Norwegian (bokmål) with Snowball's stemmer and no stopwords.",
		Pipeline:  snowballPipeline + "Norwegian",
		Reference: snowballReference,
		Differs:   "From Snowball 3.1 in 6 of 5,000 words: it keeps -ers after some letters (beyers).",
	},
	{
		Name:      "snowball-portuguese",
		Summary:   "Portuguese with Snowball's stemmer and no stopwords.",
		Pipeline:  snowballPipeline + "Portuguese",
		Reference: snowballReference,
	},
	{
		Name:      "snowball-russian",
		Summary:   "Russian with Snowball's stemmer and no stopwords; ё counts as е.",
		Pipeline:  snowballPipeline + "Russian",
		Reference: snowballReference,
	},
	{
		Name:      "snowball-spanish",
		Summary:   "Spanish with Snowball's stemmer and no stopwords.",
		Pipeline:  snowballPipeline + "Spanish",
		Reference: snowballReference,
	},
	{
		Name:      "snowball-swedish",
		Summary:   "Swedish with Snowball's stemmer and no stopwords.",
		Pipeline:  snowballPipeline + "Swedish",
		Reference: snowballReference,
		Differs:   "From Snowball 3.1 in 96 of 5,000 words: it removes -et (ankaret).",
	},
	{
		Name: "cjk",
		Summary: "Chinese, Japanese and Korean: each two characters that stand beside each other, and other " +
			"words in lower case.",
		Pipeline: "UAX #29 words of at most 255 UTF-16 units → full-width ASCII and half-width Katakana folded " +
			"→ lower case → pairs of Han, Hiragana, Katakana and Hangul → 35 stopwords dropped",
		Reference: "Lucene 10.3.2, CJKAnalyzer: StandardTokenizer, CJKWidthFilter, LowerCaseFilter, " +
			"CJKBigramFilter, StopFilter",
	},
}

const (
	snowballPipeline  = "UAX #29 words of at most 255 UTF-16 units → lower case → Snowball "
	snowballReference = "Lucene 10.3.2: StandardTokenizer, LowerCaseFilter, SnowballFilter"
	sigmaDiffers      = "Python lower-cases the whole text, so that a Σ beside an apostrophe, accent or full " +
		"stop may become σ there and ς here, or the other way."
)
