package snowball

import (
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/russian"
)

// by stems a word with a function that Snowball's compiler wrote.
func by(stem func(*snowballstem.Env) bool, w string) string {
	if !utf8.ValidString(w) {
		return w
	}
	env := snowballstem.NewEnv(w)
	stem(env)
	return env.Current()
}

// Danish.
func Danish(w string) string { return by(danish.Stem, w) }

// Norwegian.
func Norwegian(w string) string { return by(norwegian.Stem, w) }

// Russian. That ё counts as е is newer than the library.
func Russian(w string) string { return by(russian.Stem, strings.ReplaceAll(w, "ё", "е")) }

// Portuguese.
func Portuguese(w string) string { return by(portuguese.Stem, w) }

// Italian. That a divano is no diva is newer than the library.
func Italian(w string) string {
	if w == "divano" {
		return "divan"
	}
	return by(italian.Stem, w)
}

// stand is a letter of one byte that no rule knows.
const stand = '\x01'

// Dutch, by Porter's rules, not those of Kraaij and Pohlmann that are Snowball 3's. The library counts the three
// letters at the beginning that no rule touches in bytes: letters that Dutch lacks are written as one byte meanwhile.
func Dutch(w string) string {
	var lacks []rune
	masked := strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf && !strings.ContainsRune("äëïöüáéíóúè", r) {
			lacks = append(lacks, r)
			return stand
		}
		return r
	}, w)
	if len(lacks) == 0 || strings.ContainsRune(w, stand) {
		return by(dutch.Stem, w)
	}
	at := -1
	return strings.Map(func(r rune) rune {
		if r == stand {
			at++
			return lacks[at]
		}
		return r
	}, by(dutch.Stem, masked))
}

// Finnish. An a, ä, e or i at the end stays behind a letter that Finnish lacks: the library takes it for a consonant.
func Finnish(w string) string {
	s := by(finnish.Stem, w)
	if r, _ := utf8.DecodeLastRuneInString(s); r >= utf8.RuneSelf && r != 'ä' && r != 'ö' {
		if rest, ok := strings.CutPrefix(w, s); ok {
			for _, v := range [...]string{"a", "ä", "e", "i"} {
				if strings.HasPrefix(rest, v) {
					return s + v
				}
			}
		}
	}
	return s
}
