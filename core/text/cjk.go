//go:build !first

package text

import (
	"unicode"
	"unicode/utf8"
)

// cjkWords reproduces Lucene's CJKBigramFilter on the tokens of StandardTokenizer: every two adjacent characters of
// Chinese, Japanese and Korean, isolated characters, and other words unchanged. Consecutive pairs share a
// character.
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

// cjkRun is a run of characters: their number, and the position of the last.
type cjkRun struct{ n, start, end int }

// flush ends a run. A single character is emitted alone.
func (r *cjkRun) flush(emit func(start, end int)) {
	if r.n == 1 {
		emit(r.start, r.end)
		r.n = 2 // emitted
	}
}

// isCJK reports whether StandardTokenizer types a token as ideographic, Hiragana, Katakana or Hangul.
func isCJK(token string) bool {
	if token[0] < utf8.RuneSelf {
		return false
	}
	table := words.ready()
	first, n := utf8.DecodeRuneInString(token)
	class := table.of(first)
	switch {
	case class == classHan, class == classHiragana: // one character with its marks
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

// cjkUnit returns the length of the first character of s. Half-width Katakana includes its voicing mark.
func cjkUnit(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	if n < len(s) {
		if mark, m := utf8.DecodeRuneInString(s[n:]); combineVoiced(foldWidth(r), mark) != 0 {
			return n + m
		}
	}
	return n
}

// cjkTerm applies CJKWidthFilter, LowerCaseFilter and the stopwords of CJKAnalyzer.
func cjkTerm(word string) (string, bool) {
	w := javaLower(foldWidths(word))
	switch w {
	case "s", "t", "www":
		return "", false
	}
	return w, w == "an" || !luceneStop(w)
}

// foldWidths is CJKWidthFilter: full-width ASCII becomes ASCII, half-width Katakana becomes full-width.
func foldWidths(w string) string {
	for i, r := range w {
		if r < '！' || r > 'ﾟ' {
			continue
		}
		out := append(make([]byte, 0, len(w)), w[:i]...)
		last, _ := utf8.DecodeLastRuneInString(w[:i])
		at := 0 // position of the last character in out
		if i > 0 {
			at = i - utf8.RuneLen(last)
		}
		for _, r := range w[i:] {
			if v := combineVoiced(last, r); v != 0 && len(out) > 0 {
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

// combineVoiced combines a Katakana and the half-width mark ﾞ or ﾟ into one character, or returns 0.
func combineVoiced(kana, mark rune) rune {
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
