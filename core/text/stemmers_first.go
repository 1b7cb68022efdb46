//go:build first

package text

// The first program of the site has no Snowball stemmers and no bigrams: an analyzer without its terms is ErrBeyond.
var snowballDanish, snowballDutch, snowballEnglish, snowballFinnish, snowballFrench, snowballGerman, snowballHungarian,
	snowballItalian, snowballNorwegian, snowballPortuguese, snowballRussian, snowballSpanish, snowballSwedish,
	cjkTerm func(word string) (string, bool)

func cjkWords(string, func(start, end int)) {}
