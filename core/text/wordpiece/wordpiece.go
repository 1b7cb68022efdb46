// Package wordpiece splits text into the pieces of uncased BERT models, as Hugging Face's tokenizers do. It is for
// encoders; package text is for lexical rankers.
//
// Order of the pipeline: text → special tokens, verbatim → controls and marks dropped, letters folded to their
// lower-case base → words, punctuation marks and ideographs → the longest pieces of the vocabulary, greedily from
// the left.
//
// Source: Devlin et al. 2019, BERT; Wu et al. 2016, Google's Neural Machine Translation System, section 4.1.
package wordpiece

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxWordLength is the maximum number of characters of a word; a longer one is unknown as a whole.
const maxWordLength = 100

// Special are the tokens that are recognised verbatim in a text, before folding.
var Special = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}

// Tokenizer holds the vocabulary of one model. It is immutable, so several goroutines may use it. Its character tables
// follow Hugging Face's tokenizers 0.23.3.
type Tokenizer struct {
	tokens  []string
	ids     map[string]int32
	unknown int32
	special []string // those of Special in the vocabulary
	ascii   [0x80]class
	folds   map[rune]string
}

// New reads a vocabulary: a token a line, whose id is the line number from 0. The error names the line.
func New(vocabulary string) (*Tokenizer, error) {
	t := &Tokenizer{tokens: strings.Split(strings.TrimSuffix(vocabulary, "\n"), "\n")}
	t.ids = make(map[string]int32, len(t.tokens))
	for i, s := range t.tokens {
		if s == "" || !utf8.ValidString(s) {
			return nil, fmt.Errorf("wordpiece: vocabulary line %d: %q is no token", i+1, s)
		}
		if _, twice := t.ids[s]; twice {
			return nil, fmt.Errorf("wordpiece: vocabulary line %d: %q stands twice", i+1, s)
		}
		t.ids[s] = int32(i)
	}
	var ok bool
	if t.unknown, ok = t.ids["[UNK]"]; !ok {
		return nil, fmt.Errorf("wordpiece: the vocabulary has no [UNK]")
	}
	for _, s := range Special {
		if _, ok := t.ids[s]; ok {
			t.special = append(t.special, s)
		}
	}
	for r := range rune(len(t.ascii)) {
		t.ascii[r] = classOf(r)
	}
	t.folds = map[rune]string{}
	for line := range strings.Lines(folded) {
		to, from, _ := strings.Cut(line[:len(line)-1], " ")
		for _, r := range from {
			t.folds[r] = to
		}
	}
	return t, nil
}

// Len returns the number of tokens.
func (t *Tokenizer) Len() int { return len(t.tokens) }

// Token returns the token with an id: "##ing" continues a word.
func (t *Tokenizer) Token(id int32) string { return t.tokens[id] }

// Encode appends the ids of a text's tokens to dst[:0], without [CLS] or [SEP]. Bytes that are not UTF-8 count as
// U+FFFD, which is dropped.
func (t *Tokenizer) Encode(s string, dst []int32) []int32 {
	dst = dst[:0]
	for s != "" {
		at, which := len(s), ""
		for _, special := range t.special {
			if i := strings.Index(s[:min(len(s), at+len(special))], special); i >= 0 && i < at {
				at, which = i, special
			}
		}
		dst = t.words(s[:at], dst)
		if which != "" {
			dst = append(dst, t.ids[which])
		}
		s = s[at+len(which):]
	}
	return dst
}

// words appends the pieces of every word of s, which must not contain special tokens.
func (t *Tokenizer) words(s string, dst []int32) []int32 {
	var word []byte
	end := func() {
		if len(word) > 0 {
			dst = t.pieces(word, dst)
			word = word[:0]
		}
	}
	for _, r := range s {
		var c class
		if int(r) < len(t.ascii) {
			c = t.ascii[r]
		} else {
			c = classOf(r)
		}
		switch c {
		case drop:
		case space:
			end()
		case single:
			end()
			word = t.fold(r, word)
			end()
		default:
			word = t.fold(r, word)
		}
	}
	end()
	return dst
}

// pieces appends the longest pieces of a word in the vocabulary, from the left; [UNK] alone if some part is in
// none.
func (t *Tokenizer) pieces(word []byte, dst []int32) []int32 {
	if utf8.RuneCount(word) > maxWordLength {
		return append(dst, t.unknown)
	}
	before := len(dst)
	buf := make([]byte, 0, len(word)+2)
	for start := 0; start < len(word); {
		end := len(word)
		for ; end > start; end-- {
			if end < len(word) && !utf8.RuneStart(word[end]) {
				continue
			}
			buf = buf[:0]
			if start > 0 {
				buf = append(buf, "##"...)
			}
			if id, ok := t.ids[string(append(buf, word[start:end]...))]; ok {
				dst = append(dst, id)
				break
			}
		}
		if end == start {
			return append(dst[:before], t.unknown)
		}
		start = end
	}
	return dst
}

type class uint8

const (
	letter class = iota
	drop
	space
	single
)

func classOf(r rune) class {
	switch {
	case inRanges(dropped, r):
		return drop
	case inRanges(spaces, r):
		return space
	case inRanges(alone, r):
		return single
	}
	return letter
}

// inRanges reports whether r is in one of the ranges, given by first and last runes.
func inRanges(ranges []rune, r rune) bool {
	i, exact := slices.BinarySearch(ranges, r)
	return exact || i&1 == 1
}

// fold appends the lower-case base letters of a character, without marks.
func (t *Tokenizer) fold(r rune, dst []byte) []byte {
	switch {
	case r >= 'A' && r <= 'Z':
		return append(dst, byte(r)+'a'-'A')
	case r < 0x80:
		return append(dst, byte(r))
	case r >= hangul && r < hangul+hangulCount: // The Unicode Standard, section 3.12
		i := r - hangul
		dst = utf8.AppendRune(dst, 0x1100+i/588)
		dst = utf8.AppendRune(dst, 0x1161+i%588/28)
		if i%28 > 0 {
			dst = utf8.AppendRune(dst, 0x11a7+i%28)
		}
		return dst
	}
	if s, ok := t.folds[r]; ok {
		return append(dst, s...)
	}
	return utf8.AppendRune(dst, r)
}

const (
	hangul      = 0xac00
	hangulCount = 11172
)
