package porter

import "strings"

// English returns the stem of a lower-case word by Snowball's English algorithm, Porter 2, as of Snowball 3.1: it
// equals PyStemmer's "english" from version 3.1 on. Earlier versions differ on 2 to 3 words in a thousand: they
// conflated added, evening, interval, lateral, organisms, university and emergency with ad, even, interv, later,
// organ, univers and emerg, and kept -ologist. Words of one or two letters stay unchanged. Only ' is an apostrophe.
// The stem of the empty word is empty, and an apostrophe with 's may also leave nothing. Cost is linear in the
// word's length.
func English(word string) string {
	if s, ok := invariant(word); ok {
		return s
	}
	long := 0
	for range word {
		if long++; long == 3 {
			break
		}
	}
	if long < 3 {
		return word
	}
	rest := strings.TrimPrefix(word, "'")
	if !ascii(rest) {
		return stemNonASCII(rest, false, english)
	}
	var buf [64]byte
	w := english(append(buf[:0], rest...))
	if string(w) == rest {
		return rest
	}
	return string(w)
}

// invariant holds the words to which no rule applies.
func invariant(w string) (string, bool) {
	switch w {
	case "skis":
		return "ski", true
	case "skies":
		return "sky", true
	case "idly", "gently", "singly":
		return w[:len(w)-1], true
	case "ugly":
		return "ugli", true
	case "early":
		return "earli", true
	case "only":
		return "onli", true
	case "sky", "news", "howe", "atlas", "cosmos", "bias", "andes":
		return w, true
	}
	return "", false
}

// vowel: Y is a y that acts as a consonant.
func vowel(c byte) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return true
	}
	return false
}

func anyVowel(w []byte) bool {
	for _, c := range w {
		if vowel(c) {
			return true
		}
	}
	return false
}

// afterVowelConsonant returns the position after the first consonant that follows a vowel, searching from from;
// len(w) if there is none.
func afterVowelConsonant(w []byte, from int) int {
	for i := from + 1; i < len(w); i++ {
		if vowel(w[i-1]) && !vowel(w[i]) {
			return i + 1
		}
	}
	return len(w)
}

// R1 begins after these prefixes, whatever their letters.
var prefixes = []string{"arsen", "commun", "emerg", "gener", "inter", "later", "organ", "past", "univers"}

// shortEnd reports whether w ends in a short syllable.
func shortEnd(w []byte) bool {
	n := len(w)
	if n >= 3 && !vowel(w[n-1]) && w[n-1] != 'w' && w[n-1] != 'x' && w[n-1] != 'Y' && vowel(w[n-2]) && !vowel(w[n-3]) {
		return true
	}
	return n == 2 && vowel(w[0]) && !vowel(w[1]) || ends(w, "past")
}

func english(w []byte) []byte {
	for i, c := range w {
		if c == 'y' && (i == 0 || vowel(w[i-1])) {
			w[i] = 'Y'
		}
	}
	r1 := -1
	for _, p := range prefixes {
		if len(w) >= len(p) && string(w[:len(p)]) == p {
			r1 = len(p)
		}
	}
	if r1 < 0 {
		r1 = afterVowelConsonant(w, 0)
	}
	r2 := afterVowelConsonant(w, r1)

	w = stripPossessive(w)
	w = stripVerbEnding(w, r1)
	// A final y after a consonant that is not the first letter.
	if n := len(w); n > 2 && (w[n-1] == 'y' || w[n-1] == 'Y') && !vowel(w[n-2]) {
		w[n-1] = 'i'
	}
	w = englishStep2(w, r1)
	w = englishStep3(w, r1, r2)
	w = englishStep4(w, r2)
	switch n := len(w); {
	case ends(w, "e"):
		if n-1 >= r2 || n-1 >= r1 && !shortEnd(w[:n-1]) {
			w = w[:n-1]
		}
	case ends(w, "ll"):
		if n-1 >= r2 {
			w = w[:n-1]
		}
	}
	for i, c := range w {
		if c == 'Y' {
			w[i] = 'y'
		}
	}
	return w
}

// stripPossessive removes the possessive and the plural: steps 0 and 1a.
func stripPossessive(w []byte) []byte {
	for _, s := range [...]string{"'s'", "'s", "'"} {
		if ends(w, s) {
			w = w[:len(w)-len(s)]
			break
		}
	}
	n := len(w)
	switch {
	case ends(w, "sses"):
		return w[:n-2]
	case ends(w, "ied"), ends(w, "ies"):
		if n > 4 {
			return w[:n-2]
		}
		return w[:n-1]
	case ends(w, "us"), ends(w, "ss"):
	case ends(w, "s"):
		if n > 2 && anyVowel(w[:n-2]) {
			return w[:n-1]
		}
	}
	return w
}

// stripVerbEnding removes -ed and -ing: step 1b.
func stripVerbEnding(w []byte, r1 int) []byte {
	n := len(w)
	var stem []byte
	switch {
	case ends(w, "eed"), ends(w, "eedly"):
		at := n - 3
		if w[n-1] == 'y' {
			at = n - 5
		}
		if at >= r1 {
			switch string(w[:at]) {
			case "succ", "proc", "exc":
			default:
				w = w[:at+2]
			}
		}
		return w
	case ends(w, "edly"):
		stem = w[:n-4]
	case ends(w, "ingly"):
		stem = w[:n-5]
	case ends(w, "ed"):
		stem = w[:n-2]
	case ends(w, "ing"):
		stem = w[:n-3]
		switch string(stem) {
		case "even", "cann", "inn", "earr", "herr", "out":
			return w
		}
		if len(stem) == 2 && stem[1] == 'y' && !vowel(stem[0]) {
			return append(stem[:1], "ie"...)
		}
	default:
		return w
	}
	if !anyVowel(stem) {
		return w
	}
	w = stem
	n = len(w)
	switch {
	case ends(w, "at"), ends(w, "bl"), ends(w, "iz"):
		return append(w, 'e')
	case n >= 2 && w[n-1] == w[n-2] && strings.IndexByte("bdfgmnprt", w[n-1]) >= 0:
		if n == 3 && (w[0] == 'a' || w[0] == 'e' || w[0] == 'o') {
			return w // add, egg, off
		}
		return w[:n-1]
	case n == r1 && shortEnd(w):
		return append(w, 'e')
	}
	return w
}

// If one ending is a suffix of another, the longer comes first. The first match decides.
var second = []rule{
	{"ational", "ate"}, {"fulness", "ful"}, {"iveness", "ive"}, {"ization", "ize"}, {"ousness", "ous"}, {"biliti",
		"ble"},
	{"lessli", "less"}, {"tional", "tion"}, {"alism", "al"}, {"aliti", "al"}, {"ation", "ate"}, {"entli",
		"ent"}, {"fulli", "ful"},
	{"iviti", "ive"}, {"ogist", "og"}, {"ousli", "ous"}, {"abli", "able"}, {"alli", "al"}, {"anci", "ance"}, {"ator",
		"ate"},
	{"enci", "ence"}, {"izer", "ize"}, {"bli", "ble"}, {"ogi", "og"}, {"li", ""},
}

func englishStep2(w []byte, r1 int) []byte {
	for _, r := range second {
		if !ends(w, r.from) {
			continue
		}
		at := len(w) - len(r.from)
		if at < r1 ||
			r.from == "ogi" && (at == 0 || w[at-1] != 'l') ||
			r.from == "li" && (at == 0 || strings.IndexByte("cdeghkmnrt", w[at-1]) < 0) {
			return w
		}
		return append(w[:at], r.to...)
	}
	return w
}

var third = []rule{
	{"ational", "ate"}, {"tional", "tion"}, {"alize", "al"}, {"icate", "ic"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful",
		""}, {"ness", ""},
	{"ative", ""},
}

func englishStep3(w []byte, r1, r2 int) []byte {
	for _, r := range third {
		if !ends(w, r.from) {
			continue
		}
		at := len(w) - len(r.from)
		if at < r1 || r.from == "ative" && at < r2 {
			return w
		}
		return append(w[:at], r.to...)
	}
	return w
}

var fourth = []string{
	"ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ion",
	"al", "er", "ic",
}

func englishStep4(w []byte, r2 int) []byte {
	for _, s := range fourth {
		if !ends(w, s) {
			continue
		}
		at := len(w) - len(s)
		if at < r2 || s == "ion" && (at == 0 || w[at-1] != 's' && w[at-1] != 't') {
			return w
		}
		return w[:at]
	}
	return w
}
