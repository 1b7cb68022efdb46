package text

// luceneStop holds the 33 words of Lucene's EnglishAnalyzer.ENGLISH_STOP_WORDS_SET, which are also bm25s's list "english".
func luceneStop(w string) bool {
	switch w {
	case "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of", "on",
		"or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with":
		return true
	}
	return false
}
