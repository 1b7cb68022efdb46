package text

import (
	"sync"
	"unicode/utf8"
)

// classes maps code points to classes. It unpacks its table when it meets the first non-ASCII character.
type classes struct {
	once   sync.Once
	packed string
	page   []uint8 // by code point >> 8: page number
	class  []uint8 // 256 per page
}

var (
	words  = classes{packed: wordClasses}
	python = classes{packed: pythonClasses}
)

// ready unpacks the table once.
func (t *classes) ready() *classes {
	t.once.Do(t.unpack)
	return t
}

// unpack reads runs of one class: a byte class<<3 | n is a run of n+1 code points; n = 7 is followed by a number to
// add, seven bits a byte, lowest first. Code points after the last run have class 0. Page 0 is the page of class 0.
func (t *classes) unpack() {
	uniform := [32]uint8{}
	t.page = make([]uint8, 0x2000) // the size that of indexes; code points need 0x1100
	t.class = make([]uint8, 256, 128*256)
	next := 1
	grow := func(fill uint8) uint8 {
		n := len(t.class)
		t.class = append(t.class, make([]uint8, 256)...)
		if fill != 0 {
			for i := n; i < n+256; i++ {
				t.class[i] = fill
			}
		}
		next++
		return uint8(next - 1)
	}
	c := 0
	for i := 0; i < len(t.packed); {
		k, n := t.packed[i]>>3, int(t.packed[i]&7)
		i++
		if n == 7 {
			for shift := 0; ; shift += 7 {
				b := t.packed[i]
				i++
				n += int(b&0x7f) << shift
				if b < 0x80 {
					break
				}
			}
		}
		for end := c + n + 1; c < end; {
			if c&0xff == 0 && end-c >= 256 { // pages of a single class are shared
				if k != 0 && uniform[k] == 0 {
					uniform[k] = grow(k)
				}
				t.page[c>>8] = uniform[k]
				c += 256
				continue
			}
			if c&0xff == 0 {
				t.page[c>>8] = grow(0)
			}
			stop := min(end, c|0xff+1)
			at := int(t.page[c>>8])<<8 | c&0xff
			for j := range stop - c {
				t.class[at+j] = k
			}
			c = stop
		}
	}
}

// of returns the class of r, a result of utf8.DecodeRuneInString.
func (t *classes) of(r rune) uint8 {
	return t.class[int(t.page[uint32(r)>>8&0x1fff])<<8|int(r&0xff)]
}

// A byte's effect on a run of letters and digits; byteKind is generated.
const (
	kindGap   = iota // ends it
	kindWord         // continues it: letters and digits
	kindMid          // may join two runs: . ' : , ; "
	kindJoin         // continues it, but is no word alone: _
	kindBase         // ends it, but may begin a keycap: # *
	kindOther        // the first byte of a longer character
)

// maxWord is the maximum length of a word in UTF-16 code units, as in Lucene. Longer words are split there.
const maxWord = 255

// standardWords finds the words of UAX #29 as Lucene's StandardTokenizer does.
func standardWords(s string, emit func(start, end int)) {
	for i := 0; i < len(s); {
		switch byteKind[s[i]] {
		case kindWord:
			j := i + 1
			for j < len(s) && j-i <= maxWord && byteKind[s[j]] == kindWord {
				j++
			}
			if j-i > maxWord {
				j = longestWord(s, i)
			} else if j < len(s) {
				switch byteKind[s[j]] {
				case kindMid: // joins two runs between two of kindWord, otherwise ends the word
					if j+1 < len(s) && (byteKind[s[j+1]] == kindWord || byteKind[s[j+1]] == kindOther) {
						j = longestWord(s, i)
					}
				case kindJoin, kindOther:
					j = longestWord(s, i)
				}
			}
			emit(i, j)
			i = j
		case kindJoin, kindOther:
			if j := longestWord(s, i); j > i {
				emit(i, j)
				i = j
			} else if s[i] < utf8.RuneSelf {
				i++
			} else {
				_, n := utf8.DecodeRuneInString(s[i:])
				i += n
			}
		case kindBase:
			if i+1 < len(s) && s[i+1] >= utf8.RuneSelf {
				if j := longestWord(s, i); j > i {
					emit(i, j)
					i = j
					continue
				}
			}
			i++
		default:
			i++
		}
	}
}

// longestWord returns the end of the longest word that begins at s[i], or i.
func longestWord(s string, i int) int {
	end := i
	state := uint(wordStart)
	var table *classes
	for units := 0; i < len(s); {
		var class uint8
		if c := s[i]; c < utf8.RuneSelf {
			class = asciiClass[c&0x7f]
			i++
			units++
		} else {
			if table == nil {
				table = words.ready()
			}
			r, n := utf8.DecodeRuneInString(s[i:])
			class = table.of(r)
			i += n
			units++
			if n == 4 {
				units++
			}
		}
		if units > maxWord {
			break
		}
		state = uint(wordStates[state<<5|uint(class)])
		if state >= wordAccept {
			end = i
		} else if state == 0 {
			break
		}
	}
	return end
}
