//go:build first

package text

// The site's first program has no Snowball stemmers and no bigrams: such analyzers are ErrBeyond.
var snowballDanish, snowballDutch, snowballEnglish, snowballFinnish, snowballFrench, snowballGerman, snowballHungarian,
	snowballItalian, snowballNorwegian, snowballPortuguese, snowballRussian, snowballSpanish, snowballSwedish,
	cjkTerm func(word string) (string, bool)

func cjkWords(string, func(start, end int)) {}
