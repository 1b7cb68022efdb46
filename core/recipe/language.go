package recipe

import (
	"slices"
	"strings"
)

// languages names the analyzer of each language that has one of its own, by the first part of its BCP 47 tag.
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
// lucene-standard, which stems nothing.
func AnalyzerOf(language string) string {
	first, _, _ := strings.Cut(language, "-")
	if name, ok := languages[strings.ToLower(first)]; ok {
		return name
	}
	return "lucene-standard"
}

// LanguagesOf returns the languages that choose an analyzer, ascending.
func LanguagesOf(analyzer string) (out []string) {
	for language, name := range languages {
		if name == analyzer {
			out = append(out, language)
		}
	}
	slices.Sort(out)
	return out
}
