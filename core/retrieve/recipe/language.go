package recipe

import (
	"slices"
	"strings"
)

// languages maps the first part of a BCP 47 tag to the analyzer of the language, if it has one.
var languages = map[string]string{
	"da": "snowball-danish",
	"de": "snowball-german",
	"en": "lucene-english",
	"es": "snowball-spanish",
	"fi": "snowball-finnish",
	"fr": "snowball-french",
	"hu": "snowball-hungarian",
	"it": "snowball-italian",
	"ja": "cjk",
	"ko": "cjk",
	"nb": "snowball-norwegian",
	"nl": "snowball-dutch",
	"no": "snowball-norwegian",
	"pt": "snowball-portuguese",
	"ru": "snowball-russian",
	"sv": "snowball-swedish",
	"zh": "cjk",
}

// AnalyzerOf returns the analyzer of a language, a BCP 47 tag such as zh-Hant. Languages without their own get
// lucene-standard, which does not stem.
func AnalyzerOf(language string) string {
	first, _, _ := strings.Cut(language, "-")
	if name, ok := languages[strings.ToLower(first)]; ok {
		return name
	}
	return "lucene-standard"
}

// LanguagesOf returns the languages with an analyzer, ascending.
func LanguagesOf(analyzer string) (out []string) {
	for language, name := range languages {
		if name == analyzer {
			out = append(out, language)
		}
	}
	slices.Sort(out)
	return out
}
