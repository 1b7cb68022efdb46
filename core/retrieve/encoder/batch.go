//go:build !first

package encoder

import "strings"

// Limits of a batch's caches.
const (
	maxUnpacked   = 16 << 20 // bytes of unpacked rows
	maxWords      = 1 << 16  // words of texts
	maxWordLength = 64       // bytes
	maxWaiting    = 1 << 10  // tokens
)

// SumRows adds the rows of tokens to dst, in order and bit for bit as [Static.Encode] does. Column c of token t
// contributes scales[t] times the number in column c of its len(dst)/2 bytes in rows, in the format of [File].
// len(dst) is a multiple of 16. A program with a faster implementation installs it here; nil uses Go.
var SumRows func(dst []float64, rows string, scales []float64, tokens []int32)

// Batch encodes many texts faster than one by one: it caches the tokens of words and, in pure Go, the unpacked rows
// of tokens. Goroutines must not share it.
type Batch struct {
	s      *Static
	rows   [][]float64 // by token, nil if a row is not unpacked; nil if SumRows is set
	left   int         // number of rows that may still be unpacked
	words  map[string][]int32
	tokens []int32 // tokens of a text that await SumRows
	sum    []float64
}

// Batch returns an empty batch.
func (s *Static) Batch() *Batch {
	b := &Batch{s: s, words: map[string][]int32{}, sum: make([]float64, s.dim)}
	if SumRows == nil || s.dim%16 != 0 {
		b.rows, b.left = make([][]float64, len(s.scales)), maxUnpacked/(8*s.dim)
	}
	return b
}

// Encode equals [Static.Encode] bit for bit.
func (b *Batch) Encode(text string, dst []float32) []float32 {
	clear(b.sum)
	from := 0
	for i := range len(text) { // a space ends a word, and no special token contains one
		if c := text[i]; c == ' ' || c == '\n' || c == '\t' || c == '\r' {
			b.add(text[from:i])
			from = i + 1
		}
	}
	b.add(text[from:])
	b.flush()
	return unit(b.sum, dst[:0])
}

// add adds the rows of a word.
func (b *Batch) add(word string) {
	if word == "" {
		return
	}
	tokens, met := b.words[word]
	if !met {
		tokens = b.s.tokens.Encode(word, nil)
		if len(b.words) < maxWords && len(word) <= maxWordLength {
			b.words[strings.Clone(word)] = tokens
		}
	}
	if b.rows == nil {
		if b.tokens = append(b.tokens, tokens...); len(b.tokens) >= maxWaiting {
			b.flush()
		}
		return
	}
	for _, t := range tokens {
		row := b.rows[t]
		if row == nil {
			row = make([]float64, b.s.dim)
			b.s.add(t, row)
			if b.left > 0 {
				b.left--
				b.rows[t] = row
			}
		}
		sum := b.sum[:len(row)]
		for i, v := range row {
			sum[i] += v
		}
	}
}

// flush adds the rows of the waiting tokens.
func (b *Batch) flush() {
	if len(b.tokens) > 0 {
		SumRows(b.sum, b.s.rows, b.s.scales, b.tokens)
		b.tokens = b.tokens[:0]
	}
}
