// Package porter holds Porter's stemmers for English: the first, of 1980, in three forms that are often confused
// (Stem), and the second, Snowball's "english" (English).
//
// The three forms differ on about one English word in a hundred, the second algorithm on far more. An index built
// with one cannot be searched with another.
//
// Sources: M. F. Porter, An algorithm for suffix stripping, Program 14(3), 1980 (each Variant lists its
// departures); the English (Porter 2) algorithm of Snowball 3.1.
package porter

import "unicode/utf8"

// Variant selects a form of the algorithm.
type Variant uint8

const (
	// Lucene is Porter's own C program, as in Lucene's PorterStemFilter: words of one or two letters stay
	// unchanged, -bli becomes -ble (the paper: -abli, -able), and -logi becomes -log. A letter is a UTF-16 unit,
	// which matters only outside the Basic Multilingual Plane, where a character counts as two.
	Lucene Variant = iota
	// Paper is the published algorithm, Snowball's "porter". Of doubled consonants it shortens only those at the
	// end of English stems (bb dd ff gg mm nn pp rr tt).
	Paper
	// NLTK is the default mode of NLTK's PorterStemmer, NLTK_EXTENSIONS. Beyond Lucene's departures it has a list
	// of irregular words (sky, dying, news, innings, proceed, …) and leaves -ie in four-letter words (dies, died:
	// die). It turns every -ied into -i, and y into i after a consonant only (enjoy stays, spy becomes spi). It
	// applies -alli and then another rule, -fulli, and -logi after any letter that forms a syllable with its l. A
	// vowel and a consonant alone count as a short syllable.
	NLTK
)

// Stem returns the stem of a lower-case word. Letters outside a-z are consonants, including capitals: the caller
// must lower-case. The stem of the empty word is empty. U+FFFD replaces bytes that are not UTF-8. Cost is linear in
// the word's length.
func Stem(word string, v Variant) string {
	if !ascii(word) {
		return stemNonASCII(word, v == Lucene, func(w []byte) []byte { return stem(w, v) })
	}
	var buf [64]byte
	w := stem(append(buf[:0], word...), v)
	if string(w) == word {
		return word
	}
	return string(w)
}

// stemNonASCII stems a word with non-ASCII letters. The rules ask only whether such a letter is present and whether two
// neighbours are equal. So wide writes each as one byte, 0x80 or 0x81, which alternates when the letter changes.
// Rules only cut letters from the end or replace them by ASCII, so the remaining ones keep their positions. With
// pairs, a letter outside the Basic Multilingual Plane counts as two.
func stemNonASCII(word string, pairs bool, stem func([]byte) []byte) string {
	letters := make([]rune, 0, len(word))
	w := make([]byte, 0, len(word)+1)
	code := byte(0x80)
	for _, r := range word {
		if r < utf8.RuneSelf {
			letters = append(letters, r)
			w = append(w, byte(r))
			continue
		}
		if pairs && r > 0xFFFF {
			letters = append(letters, -1) // the first half of a pair, which never equals the second
			code ^= 1
			w = append(w, code)
		}
		if n := len(letters); n == 0 || letters[n-1] != r {
			code ^= 1
		}
		letters = append(letters, r)
		w = append(w, code)
	}
	w = stem(w)
	out := make([]byte, 0, len(word)+1)
	for i, c := range w {
		switch {
		case c < utf8.RuneSelf:
			out = append(out, c)
		case letters[i] >= 0:
			out = utf8.AppendRune(out, letters[i])
		}
	}
	return string(out)
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// consonant reports whether letter i is a consonant: not a, e, i, o or u, nor a y after a consonant.
func consonant(w []byte, i int) bool {
	odd := false
	for ; w[i] == 'y'; i-- {
		if i == 0 {
			return !odd
		}
		odd = !odd
	}
	switch w[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return odd
	}
	return !odd
}

// measure counts the vowel-consonant sequences, at most 2: no rule needs more.
func measure(w []byte) int {
	n := 0
	vowel := false // the previous letter is a vowel
	for i := range w {
		c := true
		switch w[i] {
		case 'a', 'e', 'i', 'o', 'u':
			c = false
		case 'y':
			c = i == 0 || vowel
		}
		if c && vowel {
			if n++; n == 2 {
				return n
			}
		}
		vowel = !c
	}
	return n
}

func hasVowel(w []byte) bool {
	for i := range w {
		switch w[i] {
		case 'a', 'e', 'i', 'o', 'u':
			return true
		case 'y':
			if i > 0 { // the previous letter is a consonant, or the loop would have returned
				return true
			}
		}
	}
	return false
}

// endsInDouble reports whether the word ends in two equal consonants.
func endsInDouble(w []byte) bool {
	n := len(w)
	return n >= 2 && w[n-1] == w[n-2] && consonant(w, n-1)
}

// endsShort reports whether the word ends in consonant, vowel, consonant, the last not w, x or y.
func endsShort(w []byte, v Variant) bool {
	n := len(w)
	if v == NLTK && n == 2 {
		return !consonant(w, 0) && consonant(w, 1)
	}
	if n < 3 || !consonant(w, n-1) || consonant(w, n-2) || !consonant(w, n-3) {
		return false
	}
	return w[n-1] != 'w' && w[n-1] != 'x' && w[n-1] != 'y'
}

func ends(w []byte, suffix string) bool {
	return len(w) >= len(suffix) && string(w[len(w)-len(suffix):]) == suffix
}

func stem(w []byte, v Variant) []byte {
	if v == NLTK {
		if s, ok := irregular(string(w)); ok {
			return append(w[:0], s...)
		}
	}
	if v != Paper && len(w) <= 2 {
		return w
	}
	w = stripPlural(w, v)
	w = stripPast(w, v)
	if n := len(w); n > 0 && w[n-1] == 'y' {
		i := hasVowel(w[:n-1])
		if v == NLTK {
			i = n > 2 && consonant(w, n-2)
		}
		if i {
			w[n-1] = 'i'
		}
	}
	w = adverb(w, v)
	w = replace(w, step3)
	w = ending(w)
	// Step 5: a final e, and one of two final l's.
	if n := len(w); n > 0 && w[n-1] == 'e' {
		if m := measure(w[:n-1]); m > 1 || m == 1 && !endsShort(w[:n-1], v) {
			w = w[:n-1]
		}
	}
	if n := len(w); ends(w, "ll") && measure(w[:n-1]) > 1 {
		w = w[:n-1]
	}
	return w
}

// irregular holds NLTK's exceptions.
func irregular(w string) (string, bool) {
	switch w {
	case "sky", "skies":
		return "sky", true
	case "dying":
		return "die", true
	case "lying":
		return "lie", true
	case "tying":
		return "tie", true
	case "innings", "inning":
		return "inning", true
	case "outings", "outing":
		return "outing", true
	case "cannings", "canning":
		return "canning", true
	case "news", "howe", "proceed", "exceed", "succeed":
		return w, true
	}
	return "", false
}

// stripPlural is step 1a.
func stripPlural(w []byte, v Variant) []byte {
	n := len(w)
	switch {
	case ends(w, "sses"):
		return w[:n-2]
	case ends(w, "ies"):
		if v == NLTK && n == 4 {
			return w[:n-1]
		}
		return w[:n-2]
	case ends(w, "s") && !ends(w, "ss"):
		return w[:n-1]
	}
	return w
}

// stripPast is step 1b.
func stripPast(w []byte, v Variant) []byte {
	n := len(w)
	var cut int
	switch {
	case v == NLTK && ends(w, "ied"):
		if n == 4 {
			return w[:n-1]
		}
		return w[:n-2]
	case ends(w, "eed"):
		if measure(w[:n-3]) > 0 {
			return w[:n-1]
		}
		return w
	case ends(w, "ed"):
		cut = 2
	case ends(w, "ing"):
		cut = 3
	default:
		return w
	}
	if !hasVowel(w[:n-cut]) {
		return w
	}
	w = w[:n-cut]
	n = len(w)
	switch {
	case ends(w, "at"), ends(w, "bl"), ends(w, "iz"):
		return append(w, 'e')
	case endsInDouble(w):
		switch w[n-1] {
		case 'l', 's', 'z':
			return w
		case 'b', 'd', 'f', 'g', 'm', 'n', 'p', 'r', 't':
			return w[:n-1]
		}
		if v != Paper { // cc, hh, jj, kk, qq, vv, ww, xx: no English stem ends like this
			return w[:n-1]
		}
	case measure(w) == 1 && endsShort(w, v):
		return append(w, 'e')
	}
	return w
}

// rule replaces an ending if the rest contains a vowel followed by a consonant. If one ending is a suffix of
// another, the longer comes first. The first match decides, whether its condition holds or not.
type rule struct{ from, to string }

var step2 = []rule{
	{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"}, {"alli",
		"al"}, {"entli", "ent"},
	{"eli", "e"}, {"ousli", "ous"}, {"ization", "ize"}, {"ation", "ate"}, {"ator", "ate"}, {"alism", "al"}, {"iveness",
		"ive"},
	{"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"}, {"iviti", "ive"}, {"biliti", "ble"},
}

var step3 = []rule{
	{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
}

func replace(w []byte, rules []rule) []byte {
	for _, r := range rules {
		if ends(w, r.from) {
			if n := len(w) - len(r.from); measure(w[:n]) > 0 {
				w = append(w[:n], r.to...)
			}
			break
		}
	}
	return w
}

// adverb is step 2, with each variant's own endings.
func adverb(w []byte, v Variant) []byte {
	n := len(w)
	switch {
	case v == Paper && ends(w, "abli"):
		if measure(w[:n-4]) > 0 {
			w[n-1] = 'e'
		}
		return w
	case v != Paper && ends(w, "bli"):
		if measure(w[:n-3]) > 0 {
			w[n-1] = 'e'
		}
		return w
	case v == Lucene && ends(w, "logi"):
		if measure(w[:n-4]) > 0 {
			w = w[:n-1]
		}
		return w
	case v == NLTK && ends(w, "logi"):
		if measure(w[:n-3]) > 0 {
			w = w[:n-1]
		}
		return w
	case v == NLTK && ends(w, "fulli"):
		if measure(w[:n-5]) > 0 {
			w = w[:n-2]
		}
		return w
	case v == NLTK && ends(w, "alli") && measure(w[:n-4]) > 0:
		return adverb(w[:n-2], v)
	}
	return replace(w, step2)
}

var step4 = []string{
	"al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
	"ous", "ive", "ize",
}

// ending is step 4.
func ending(w []byte) []byte {
	for _, s := range step4 {
		if !ends(w, s) {
			continue
		}
		n := len(w) - len(s)
		if s == "ion" && (n == 0 || w[n-1] != 's' && w[n-1] != 't') {
			return w
		}
		if measure(w[:n]) > 1 {
			w = w[:n]
		}
		return w
	}
	return w
}
