//go:build !first

package text

import (
	"unicode"
	"unicode/utf8"
)

// cjkWords finds what Lucene's CJKBigramFilter makes of the tokens of StandardTokenizer: each two characters of
// Chinese, Japanese and Korean that stand beside each other, a character that stands alone, and other words as they
// are. Two that follow each other share a character.
func cjkWords(s string, emit func(start, end int)) {
	var r cjkRun
	standardWords(s, func(start, end int) {
		if !isCJK(s[start:end]) {
			r.flush(emit)
			emit(start, end)
			return
		}
		if start != r.end {
			r.flush(emit)
			r.n = 0
		}
		for i := start; i < end; {
			n := cjkUnit(s[i:end])
			if r.n > 0 {
				emit(r.start, i+n)
			}
			r.n++
			r.start, r.end = i, i+n
			i += n
		}
	})
	r.flush(emit)
}

// cjkRun is a run of characters: how many there were, and the place of the last.
type cjkRun struct{ n, start, end int }

// flush ends a run. One of a single character is that character.
func (r *cjkRun) flush(emit func(start, end int)) {
	if r.n == 1 {
		emit(r.start, r.end)
		r.n = 2 // told
	}
}

// isCJK reports whether StandardTokenizer calls a token ideographic, Hiragana, Katakana or Hangul.
func isCJK(token string) bool {
	if token[0] < utf8.RuneSelf {
		return false
	}
	table := words.ready()
	first, n := utf8.DecodeRuneInString(token)
	class := table.of(first)
	switch {
	case class == classHan, class == classHiragana: // one character and its marks
		return true
	case class != classKatakana && !hangul(first, class):
		return false
	}
	for _, r := range token[n:] {
		switch c := table.of(r); c {
		case classExtend, classJoiner, classEmojiStyle, classTextStyle, classKeycap, classEmojiModifier, classTag,
			classTagEnd, classComplexExtend:
		default:
			if class == classKatakana && c != classKatakana || class != classKatakana && !hangul(r, c) {
				return false
			}
		}
	}
	return true
}

// hangul reports whether a letter is Korean.
func hangul(r rune, class uint8) bool {
	return (class == classALetter || class == classHebrewLetter) && unicode.Is(unicode.Hangul, r)
}

// cjkUnit returns the length of the first character of s: half-width Katakana and its voicing mark are one.
func cjkUnit(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	if n < len(s) {
		if mark, m := utf8.DecodeRuneInString(s[n:]); voiced(foldWidth(r), mark) != 0 {
			return n + m
		}
	}
	return n
}

// cjkTerm is CJKWidthFilter, LowerCaseFilter and the stopwords of CJKAnalyzer.
func cjkTerm(word string) (string, bool) {
	w := javaLower(foldWidths(word))
	switch w {
	case "s", "t", "www":
		return "", false
	}
	return w, w == "an" || !luceneStop(w)
}

// foldWidths is CJKWidthFilter: full-width ASCII becomes ASCII, half-width Katakana becomes Katakana.
func foldWidths(w string) string {
	for i, r := range w {
		if r < '！' || r > 'ﾟ' {
			continue
		}
		out := append(make([]byte, 0, len(w)), w[:i]...)
		last, _ := utf8.DecodeLastRuneInString(w[:i])
		at := 0 // of the last character in out
		if i > 0 {
			at = i - utf8.RuneLen(last)
		}
		for _, r := range w[i:] {
			if v := voiced(last, r); v != 0 && len(out) > 0 {
				out, last = utf8.AppendRune(out[:at], v), v
				continue
			}
			at, last = len(out), foldWidth(r)
			out = utf8.AppendRune(out, last)
		}
		return string(out)
	}
	return w
}

// halfWidth are the characters for ･ to ﾟ.
var halfWidth = []rune("・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u3099\u309a")

func foldWidth(r rune) rune {
	switch {
	case r >= '！' && r <= '～':
		return r - '！' + '!'
	case r >= '･' && r <= 'ﾟ':
		return halfWidth[r-'･']
	}
	return r
}

// voiced returns a Katakana with the half-width mark ﾞ or ﾟ after it as one character, 0 where there is none.
func voiced(kana, mark rune) rune {
	switch {
	case mark != 'ﾞ' && mark != 'ﾟ':
		return 0
	case kana >= 'ハ' && kana <= 'ホ' && (kana-'ハ')%3 == 0:
		if mark == 'ﾟ' {
			return kana + 2
		}
		return kana + 1
	case mark == 'ﾟ':
		return 0
	case kana == 'ウ':
		return 'ヴ'
	case kana >= 'カ' && kana <= 'ヂ' && (kana-'カ')%2 == 0, kana == 'ツ', kana == 'テ', kana == 'ト', kana == 'ヽ':
		return kana + 1
	case kana >= 'ワ' && kana <= 'ヲ':
		return kana + 8
	}
	return 0
}
