package late

import (
	"math"
	"strings"

	"github.com/rankbox/rankbox/core/base/float"
	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/text/wordpiece"
)

// typed holds the token vectors of a query that the model has not encoded.
type typed struct {
	pieces *wordpiece.Tokenizer // for the pieces that documents have
	place  []uint16             // piece → index in the documents' vocabulary
	text   string               // the last query
	tokens *Tokens              // its vectors, nil before the first query
	lost   int                  // how many of its words cannot be spelt with the documents' pieces
}

// open reads the documents' vocabulary. It knows only pieces of documents, so shorter pieces spell a word whose
// longest piece is unknown.
func (t *typed) open(docs *Tokens, model string) error {
	seen := make([]bool, len(docs.Vocab))
	for _, w := range docs.Words {
		seen[w] = true
	}
	var lines []string
	for i, w := range docs.Vocab {
		if seen[i] && w != "[UNK]" {
			lines, t.place = append(lines, w), append(t.place, uint16(i))
		}
	}
	pieces, err := wordpiece.New(strings.Join(append(lines, "[UNK]"), "\n"))
	if err != nil || len(lines) == 0 {
		return &rank.Unanswerable{Reason: "the token vectors of " + model +
			" do not say which pieces of words they are of, so a typed query has none"}
	}
	t.pieces = pieces
	return nil
}

// average sets tokens to approximate vectors of a text. Each piece gets the mean of its vectors in the documents,
// with their mean length, times its idf relative to the largest idf of the query: ln(1 + (N − df + 0.5)/(df +
// 0.5)). In the model's own query vectors a frequent word absorbs its context. Its mean over documents says
// nothing, and without idf would count as much as a rare word. [CLS] and [SEP] are left out for the same reason:
// every document has them.
func (t *typed) average(docs *Tokens, model, text string) error {
	if t.pieces == nil {
		if err := t.open(docs, model); err != nil {
			return err
		}
	}
	t.text, t.lost = text, 0
	var asked []uint16
	for _, id := range t.pieces.Encode(text, nil) {
		if int(id) < len(t.place) {
			asked = append(asked, t.place[id])
		} else {
			t.lost++
		}
	}
	t.tokens = &Tokens{Dim: docs.Dim, Scale: docs.Scale, Words: asked, Vocab: docs.Vocab,
		Offsets: []uint32{0, uint32(len(asked))}}
	slot := make([]int, len(docs.Vocab)) // piece → 1 + its last index in asked
	for i, w := range asked {
		slot[w] = i + 1
	}
	sums := make([]int64, len(asked)*docs.Dim)
	idf, long, last := make([]float64, len(asked)), make([]float64, len(asked)), make([]int, len(asked))
	n := make([]float64, len(asked))
	for d := range docs.Len() {
		for at := docs.Offsets[d]; at < docs.Offsets[d+1]; at++ {
			i := slot[docs.Words[at]] - 1
			if i < 0 {
				continue
			}
			square := 0
			for c, x := range docs.Rows[int(at)*docs.Dim:][:docs.Dim] {
				sums[i*docs.Dim+c] += int64(x)
				square += int(x) * int(x)
			}
			long[i] += math.Sqrt(float64(square))
			n[i]++
			if last[i] != d+1 {
				last[i] = d + 1
				idf[i]++ // document count, converted below
			}
		}
	}
	most := 0.0
	for i, df := range idf {
		idf[i] = float.Log(1 + (float64(docs.Len())-df+.5)/(df+.5))
		if df > 0 {
			most = max(most, idf[i])
		}
	}
	for _, w := range asked {
		i := slot[w] - 1
		sum := sums[i*docs.Dim:][:docs.Dim]
		square := 0.0
		for _, x := range sum {
			square += float64(float64(x) * float64(x))
		}
		by := 0.0
		if square > 0 {
			by = long[i] / n[i] / math.Sqrt(square) * (idf[i] / most)
		}
		for _, x := range sum {
			t.tokens.Rows = append(t.tokens.Rows, int8(max(-127, min(127, math.RoundToEven(float64(x)*by)))))
		}
	}
	return nil
}

// Account implements rank.Accountable. It explains the vectors of a typed query.
func (r *Ranker) Account() (a rank.Account) {
	if r.averaged {
		a.Note = "Typed query: its tokens have the average vectors of the same tokens in the documents"
		if n := r.typed.lost; n > 0 {
			a.Note += "; " + say.Count(n, "word is", "words are") + " left out, of which no document has a token"
		}
	}
	return a
}
