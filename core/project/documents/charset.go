package documents

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Charset decodes text of a charset by its label in the Encoding Standard, such as "shift_jis". A program that has a
// decoder sets it before it reads anything: the page its browser's, the command line that of golang.org/x/net. Without
// one, UTF-8, UTF-16 and Windows-1252 (which stands for Latin-1, as in browsers) are read.
var Charset func(label string, b []byte) (text []byte, ok bool)

// decoded returns the bytes of a text as UTF-8 without a byte order mark, and the charset that they were in. ok is
// false if they are no text. A byte order mark decides, then a declaration in HTML or XML, then the bytes. cut says that
// they are the beginning of a longer file.
func decoded(b []byte, cut bool) (text []byte, charset string, ok bool) {
	switch {
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		b = b[3:]
	case bytes.HasPrefix(b, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(b, []byte("\x00\x00\xfe\xff")):
		return nil, "", false // UTF-32, which no tool writes
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		return lineEnds(wide(b[2:], 0)), "UTF-16", true
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		return lineEnds(wide(b[2:], 1)), "UTF-16", true
	}
	head := b[:min(len(b), 4096)]
	if bytes.IndexByte(head, 0) >= 0 {
		if low, is := zeros(head); is {
			return lineEnds(wide(b, low)), "UTF-16", true
		}
		return nil, "", false
	}
	if cut {
		b = whole8(b)
	}
	label := declared(head)
	if Charset != nil && label != "" && !strings.HasPrefix(label, "utf-") {
		if text, ok := Charset(label, b); ok {
			return lineEnds(text), label, true
		}
	}
	if utf8.Valid(b) {
		return lineEnds(b), "UTF-8", true
	}
	var many, odd, control int // characters of several bytes, bytes of none, bytes that no text has
	for i := 0; i < len(b); {
		if c := b[i]; c < utf8.RuneSelf {
			if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v' && c != 0x1b {
				control++
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if i += n; r == utf8.RuneError && n == 1 {
			odd++
		} else {
			many++
		}
	}
	switch {
	case control*100 > len(b):
		return nil, "", false
	case many > odd: // UTF-8 with some bytes damaged
		return lineEnds(bytes.ToValidUTF8(b, []byte("\uFFFD"))), "damaged UTF-8", true
	}
	out := make([]byte, 0, len(b)+len(b)/8)
	for _, c := range b {
		switch {
		case c < 0x80:
			out = append(out, c)
		case c < 0xa0:
			out = utf8.AppendRune(out, windows1252[c-0x80])
		default:
			out = utf8.AppendRune(out, rune(c))
		}
	}
	return lineEnds(out), "Windows-1252", true
}

// windows1252 are its characters from 0x80 to 0x9f, as the Encoding Standard has them.
var windows1252 = [32]rune{'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ'}

// whole8 takes off a character that is cut at the end.
func whole8(b []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-n:]) {
				return b[:len(b)-n]
			}
			break
		}
	}
	return b
}

// wide decodes UTF-16. low is the place of the low byte: 0 in little endian.
func wide(b []byte, low int) []byte {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(b[2*i+low]) | uint16(b[2*i+1-low])<<8
	}
	out := make([]byte, 0, len(b))
	for _, r := range utf16.Decode(units) {
		out = utf8.AppendRune(out, r)
	}
	return bytes.TrimPrefix(out, []byte("\ufeff"))
}

// zeros says that bytes look like UTF-16 without a byte order mark: most of every second byte is zero, and hardly any
// of the others.
func zeros(head []byte) (low int, is bool) {
	var n [2]int
	for i, c := range head {
		if c == 0 {
			n[i&1]++
		}
	}
	half := len(head) / 2
	switch {
	case half < 4:
	case n[1]*10 > half*7 && n[0]*50 < half:
		return 0, true
	case n[0]*10 > half*7 && n[1]*50 < half:
		return 1, true
	}
	return 0, false
}

// lineEnds makes line feeds of the carriage returns of an old Macintosh.
func lineEnds(b []byte) []byte {
	if bytes.IndexByte(b, '\r') >= 0 && bytes.IndexByte(b, '\n') < 0 {
		return bytes.ReplaceAll(b, []byte("\r"), []byte("\n"))
	}
	return b
}

// declared is the charset that HTML or XML names in its beginning, in lower case, "" for none.
func declared(head []byte) string {
	s := strings.ToLower(string(head))
	start := strings.TrimLeft(s, " \t\r\n")
	from := -1
	if strings.HasPrefix(start, "<?xml") {
		if at, end := strings.Index(s, "encoding="), strings.Index(s, "?>"); at >= 0 && at < end {
			from = at + len("encoding=")
		}
	}
	if from < 0 && strings.HasPrefix(start, "<") {
		if meta := strings.Index(s, "<meta"); meta >= 0 {
			if at := strings.Index(s[meta:], "charset="); at >= 0 {
				from = meta + at + len("charset=")
			}
		}
	}
	if from < 0 {
		return ""
	}
	label := strings.TrimLeft(s[from:], "\"' ")
	if end := strings.IndexAny(label, "\"' ;/>?\r\n"); end >= 0 {
		label = label[:end]
	}
	return label
}
