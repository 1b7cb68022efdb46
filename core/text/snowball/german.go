package snowball

import "unicode/utf8"

// German stems a German word by the published algorithm, which the library lacks. It writes ß as ss and reads ae,
// oe and ue as umlauts, which all become plain vowels at the end. U and Y represent consonantal u and y between
// vowels. The steps follow the publication.
func German(w string) string {
	rs := germanLetters(w)
	r1, r2 := germanRegions(rs)

	// ending returns the longest of the list that the word ends in, if it begins at or after from.
	ending := func(from int, list ...string) string {
		best := ""
		for _, e := range list {
			if len(e) > len(best) && endsIn(rs, e) {
				best = e
			}
		}
		if len(rs)-len(best) < from { // endings are ASCII
			return ""
		}
		return best
	}
	cut := func(n int) { rs = rs[:len(rs)-n] }
	before := func(n int) rune { // the letter before the last n
		if len(rs) <= n {
			return 0
		}
		return rs[len(rs)-n-1]
	}

	switch e := ending(r1, "em", "ern", "er", "e", "en", "es", "s"); e {
	case "em":
		if !endsIn(rs, "system") {
			cut(2)
		}
	case "ern", "er":
		cut(len(e))
	case "e", "en", "es":
		cut(len(e))
		if endsIn(rs, "niss") {
			cut(1)
		}
	case "s":
		switch before(1) {
		case 'b', 'd', 'f', 'g', 'h', 'k', 'l', 'm', 'n', 'r', 't':
			cut(1)
		}
	}

	switch e := ending(r1, "en", "er", "est", "st"); e {
	case "en", "er", "est":
		cut(len(e))
	case "st":
		switch before(2) {
		case 'b', 'd', 'f', 'g', 'h', 'k', 'l', 'm', 'n', 't':
			if len(rs) >= 6 {
				cut(2)
			}
		}
	}

	switch e := ending(r2, "end", "ung", "ig", "ik", "isch", "lich", "heit", "keit"); e {
	case "end", "ung":
		cut(len(e))
		if endsIn(rs, "ig") && before(2) != 'e' && len(rs)-2 >= r2 {
			cut(2)
		}
	case "ig", "ik", "isch":
		if before(len(e)) != 'e' {
			cut(len(e))
		}
	case "lich", "heit":
		cut(len(e))
		if (endsIn(rs, "er") || endsIn(rs, "en")) && len(rs)-2 >= r1 {
			cut(2)
		}
	case "keit":
		cut(len(e))
		cut(len(ending(r2, "lich", "ig")))
	}

	out := make([]byte, 0, len(w))
	for _, r := range rs {
		switch r {
		case 'Y':
			r = 'y'
		case 'U', 'ü':
			r = 'u'
		case 'ä':
			r = 'a'
		case 'ö':
			r = 'o'
		}
		out = utf8.AppendRune(out, r)
	}
	return string(out)
}

func germanVowel(r rune) bool {
	switch r {
	case 'a', 'e', 'i', 'o', 'u', 'y', 'ä', 'ö', 'ü':
		return true
	}
	return false
}

// germanLetters marks u and y between vowels and expands the other letters.
func germanLetters(w string) []rune {
	in := []rune(w)
	for i := 0; i+2 < len(in); i++ {
		if germanVowel(in[i]) && (in[i+1] == 'u' || in[i+1] == 'y') && germanVowel(in[i+2]) {
			in[i+1] -= 'a' - 'A'
		}
	}
	out := make([]rune, 0, len(in)+4)
	for i := 0; i < len(in); i++ {
		next := rune(0)
		if i+1 < len(in) {
			next = in[i+1]
		}
		switch r := in[i]; {
		case r == 'ß':
			out = append(out, 's', 's')
		case r == 'a' && next == 'e':
			out = append(out, 'ä')
			i++
		case r == 'o' && next == 'e':
			out = append(out, 'ö')
			i++
		case r == 'u' && next == 'e':
			out = append(out, 'ü')
			i++
		case r == 'q' && next == 'u': // this u belongs to qu, not to ue
			out = append(out, 'q', 'u')
			i++
		default:
			out = append(out, r)
		}
	}
	return out
}

// germanRegions returns the starts of R1 and R2: each after the first consonant that follows a vowel, R1 not before
// the fourth letter.
func germanRegions(rs []rune) (r1, r2 int) {
	after := func(from int) int {
		for i := from + 1; i < len(rs); i++ {
			if germanVowel(rs[i-1]) && !germanVowel(rs[i]) {
				return i + 1
			}
		}
		return len(rs)
	}
	if len(rs) < 3 {
		return len(rs), len(rs)
	}
	r1 = after(0)
	return max(r1, 3), after(r1)
}

func endsIn(rs []rune, ending string) bool {
	n := len(rs) - len(ending)
	if n < 0 {
		return false
	}
	for i := range len(ending) {
		if rs[n+i] != rune(ending[i]) {
			return false
		}
	}
	return true
}
