package text

import (
	"strings"
	"sync"
	"unicode"
)

// luceneStop holds the 33 words of Lucene's EnglishAnalyzer.ENGLISH_STOP_WORDS_SET, which equal bm25s's list
// "english".
func luceneStop(w string) bool {
	switch w {
	case "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not",
		"of", "on",
		"or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with":
		return true
	}
	return false
}

// nltkStop holds those of NLTK's English stopwords that \w+ can match: of its 198 (until 2024: 179) the others
// contain an apostrophe. A switch instead of the table would add 17 kB to the program.
func nltkStop(w string) bool { return nltkStops()[w] }

// Telling reports whether a lower-case word is a content word: it has a letter and is not in NLTK's English
// stopwords, which include pronouns.
func Telling(w string) bool {
	return strings.ContainsFunc(w, unicode.IsLetter) && !nltkStop(strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s"))
}

var nltkStops = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(nltkWords) {
		m[w] = true
	}
	return m
})

const nltkWords = "a about above after again against ain all am an and any are aren as at be because been before " +
	"being below between " +
	"both but by can couldn d did didn do does doesn doing don down during each few for from further had hadn has hasn " +
	"have haven having he her here hers herself him himself his how i if in into is isn it its itself just ll m ma me " +
	"mightn more most mustn my myself needn no nor not now o of off on once only or other our ours ourselves " +
	"out over own " +
	"re s same shan she should shouldn so some such t than that the their theirs them themselves then there these they " +
	"this those through to too under until up ve very was wasn we were weren what when where which while who " +
	"whom why will " +
	"with won wouldn y you your yours yourself yourselves "
