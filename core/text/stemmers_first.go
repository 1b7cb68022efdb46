//go:build first

package text

// The first program of the site has no Snowball stemmers: an analyzer without its terms is ErrBeyond.
var snowballEnglish, snowballFrench, snowballGerman, snowballHungarian, snowballNorwegian, snowballRussian, snowballSpanish, snowballSwedish func(word string) (string, bool)
