//go:build !first

package encoder

import "strings"

// What a batch keeps at most.
const (
	mostUnpacked = 16 << 20 // bytes of unpacked rows
	mostWords    = 1 << 16  // words of texts
	longestWord  = 64       // bytes
)

// Batch encodes many texts, faster than one by one: it keeps the tokens of words, and the rows of tokens unpacked. It
// may not be used from several goroutines.
type Batch struct {
	s     *Static
	rows  [][]float64 // by token, nil where a row is not unpacked
	left  int         // rows that may still be unpacked
	words map[string][]int32
	sum   []float64
}

// Batch returns a batch that has met no text.
func (s *Static) Batch() *Batch {
	return &Batch{s: s, rows: make([][]float64, len(s.scales)), left: mostUnpacked / (8 * s.dim),
		words: map[string][]int32{}, sum: make([]float64, s.dim)}
}

// Encode returns what [Static.Encode] returns, to the bit.
func (b *Batch) Encode(text string, dst []float32) []float32 {
	clear(b.sum)
	from := 0
	for i := range len(text) { // a space ends a word, and no token that is written out has one
		if c := text[i]; c == ' ' || c == '\n' || c == '\t' || c == '\r' {
			b.add(text[from:i])
			from = i + 1
		}
	}
	b.add(text[from:])
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
		if len(b.words) < mostWords && len(word) <= longestWord {
			b.words[strings.Clone(word)] = tokens
		}
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
