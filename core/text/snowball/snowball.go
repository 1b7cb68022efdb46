// Package snowball holds the Snowball stemmers of thirteen languages as Lucene 10.3.2 has them:
// github.com/kljensen/snowball 0.10.0, with what it gets wrong put right around it; Hungarian written anew because its
// fault there is in every step, and German because it is not there. Danish, Dutch, Finnish, Italian and Portuguese,
// which it lacks too, and Norwegian and Russian, where it departs in many words, are
// github.com/blevesearch/snowballstem 0.9.0's, which Snowball's compiler wrote.
//
// On 46,202 words of dictionaries and texts, and on the 186,970 of Snowball's vocabularies of the last five languages
// of the table, every stem equals Lucene 10.3.2's. Snowball 3.1 itself has moved on in six languages since; these stay
// where Lucene is, so that a term here is a term there:
//
//	language   words   library alone   here   what Snowball 3.1 does and Lucene 10.3.2 does not
//	english    11,202       27           25   evening, interval, lateral, organism, university, emergency stay apart from even, …; -ologist
//	french      5,000        3            0
//	german      5,000        -          241   -et, -ln, -erin, -erinnen go: androhtet → androht, achteln → achtel
//	hungarian   5,000       21            0
//	norwegian   5,000        6            6   -ers is kept after some letters: beyers
//	russian     5,000      266            0
//	spanish     5,000        0            0
//	swedish     5,000      101           96   -et goes: ankaret → ankar
//
//	danish     23,832        0            0
//	dutch      45,670        -       20,897   another stemmer, by Kraaij and Pohlmann; its dutch_porter is this one
//	finnish    49,957      106          103   -n and -in go behind h: ajatollahin → ajatollah
//	italian    35,495        1            0
//	portuguese 32,016        0            0
//
// ("library alone" and "here" count the words whose stem differs from Snowball 3.1's.) English as of Snowball 3.1 is
// porter.English.
//
// Every function takes a lower-case word, of any length and in any script, and returns its stem; letters of other
// languages are consonants. None drops stopwords. They are not fast (half a microsecond to three a word): keep a table
// of the words seen.
package snowball

import (
	"strings"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/french"
	"github.com/kljensen/snowball/spanish"
	"github.com/kljensen/snowball/swedish"
)

// Letters that no rule knows, to stand for one that a rule must not see. They are of Unicode's private use.
const (
	mark0 = '\uE000'
	mark1 = '\uE001'
	mark2 = '\uE002'
	mark3 = '\uE003'
)

// marked tells whether one of them is there already, in which case the library alone must do.
func marked(w string) bool {
	return strings.ContainsFunc(w, func(r rune) bool { return r >= mark0 && r <= mark3 })
}

// English is Porter 2. The library takes ’ and ‘ for an apostrophe, which Snowball does not, counts a short word in
// bytes, and makes add, egg and off of one letter less.
func English(w string) string {
	if utf8.RuneCountInString(w) < 3 {
		return w
	}
	if s := englishShort(w); s != "" {
		return s
	}
	if !strings.ContainsAny(w, "‘’‛") || marked(w) {
		return english.Stem(w, true)
	}
	return swap(english.Stem(swap(w, quotes, marks), true), marks, quotes)
}

const (
	quotes = "‘’‛"
	marks  = "\uE000\uE001\uE002" // as long in bytes, letter for letter
)

// swap replaces each letter of w that is in from by the one at the same place in to.
func swap(w, from, to string) string {
	return strings.Map(func(r rune) rune {
		if i := strings.IndexRune(from, r); i >= 0 {
			r, _ = utf8.DecodeRuneInString(to[i:])
		}
		return r
	}, w)
}

// englishShort returns add for added, adding, addedly and addingly, and so for every a, e or o before a doubled letter;
// "" for others.
func englishShort(w string) string {
	if len(w) < 5 || w[1] != w[2] || strings.IndexByte("aeo", w[0]) < 0 || strings.IndexByte("bdfgmnprt", w[1]) < 0 {
		return ""
	}
	switch w[3:] {
	case "ed", "edly", "ing", "ingly":
		return w[:3]
	}
	return ""
}

func frenchVowel(r rune) bool { return strings.ContainsRune("aeiouyâàëéêèïîôûù", r) }

// French. In Snowball an ë or ï begins a syllable, as if a consonant stood before it: mark0 is that consonant. The i of
// an ï is no verb's ending; where it does not begin another ending it is written ù, which begins none. What Snowball
// sees before all that is marked too: u and i between vowels, and y beside one, are consonants, and in y followed by u
// or i and a vowel the second of the two is. Words of two letters are stemmed like others.
func French(w string) string {
	if len(w) == 2 && w[1] == 's' && strings.IndexByte("aious", w[0]) < 0 {
		return w[:1]
	}
	if !strings.ContainsAny(w, "ëïy") || marked(w) || !utf8.ValidString(w) {
		return french.Stem(w, true)
	}
	var b strings.Builder
	var last rune  // the letter before
	vowel := false // it is a vowel
	for i, r := range w {
		rest := w[i+utf8.RuneLen(r):]
		next, _ := utf8.DecodeRuneInString(rest)
		split := next == 'ë' || next == 'ï'
		here := frenchVowel(r)
		switch {
		case r == 'ë':
			b.WriteRune(mark0)
			b.WriteByte('e')
		case r == 'ï':
			b.WriteRune(mark0)
			if frenchEnding(rest) {
				b.WriteByte('i')
			} else {
				b.WriteRune('ù')
			}
		case r == 'u' && vowel && (split || last == 'y' && frenchVowel(next)):
			b.WriteRune(mark1)
			here = false
		case r == 'i' && vowel && (split || last == 'y' && frenchVowel(next)):
			b.WriteRune(mark2)
			here = false
		case r == 'y' && split:
			b.WriteRune(mark3)
			here = false
		default:
			b.WriteRune(r)
			if r == 'y' && vowel {
				here = false
			}
		}
		last, vowel = r, here
	}
	out := french.Stem(b.String(), true)
	b.Reset()
	last = 0
	for _, r := range out {
		split := last == mark0
		last = r
		switch {
		case r == mark0:
			continue
		case split && r == 'e':
			r = 'ë'
		case split && (r == 'i' || r == 'ù'):
			r = 'ï'
		case r == mark1:
			r = 'u'
		case r == mark2:
			r = 'i'
		case r == mark3:
			r = 'y'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// frenchEnding tells whether an i and what follows it may begin an ending that is no verb's.
func frenchEnding(rest string) bool {
	switch rest {
	case "sme", "smes", "ste", "stes", "té", "tés", "ssement", "ssements", "ez", "ons":
		return true
	}
	for _, s := range [...]string{"q", "v", "c", "f", "è"} {
		if strings.HasPrefix(rest, s) {
			return true
		}
	}
	return false
}

func spanishVowel(r rune) bool { return strings.ContainsRune("aeiouáéíóúü", r) }

// Spanish. The library leaves single letters alone, and takes the u of gu, before a last e, that is not after the first
// syllable.
func Spanish(w string) string {
	switch w {
	case "á":
		return "a"
	case "é":
		return "e"
	case "í":
		return "i"
	case "ó":
		return "o"
	case "ú":
		return "u"
	}
	s := spanish.Stem(w, true)
	if !strings.HasSuffix(s, "g") {
		return s
	}
	rest, ok := strings.CutPrefix(w, s+"u")
	if !ok || !strings.HasPrefix(rest, "e") && !strings.HasPrefix(rest, "é") {
		return s
	}
	switch rest {
	case "en", "es", "éis", "emos": // these take the u wherever it is
		return s
	}
	_, n := utf8.DecodeRuneInString(s)
	if strings.ContainsFunc(s[n:], spanishVowel) {
		return s
	}
	return s + "u"
}

func swedishVowel(r rune) bool { return strings.ContainsRune("aeiouyåäö", r) }

// Swedish. Lucene's version makes ös of öst after any of i k l n p r t u v, the library after l alone.
func Swedish(w string) string {
	s := swedish.Stem(w, true)
	stem, ok := strings.CutSuffix(s, "öst")
	if !ok || stem == "" || strings.IndexByte("iklnprtuv", stem[len(stem)-1]) < 0 {
		return s
	}
	// R1 begins after the first consonant that follows a vowel, and not before the fourth letter.
	r1, letter, vowel := len(w), 0, false
	for i, r := range w {
		if v := swedishVowel(r); vowel && !v {
			r1 = i + utf8.RuneLen(r)
			break
		} else {
			vowel = v
		}
	}
	for i := range w {
		if letter == 3 {
			r1 = max(r1, i)
			break
		}
		letter++
	}
	if len(stem) < r1 {
		return s
	}
	return s[:len(s)-1]
}
