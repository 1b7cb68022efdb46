// Package spell finds, for a word that an index does not hold, the words of that index that are spelt nearly so. It
// knows no language: what is right is what the documents hold. It changes no query; package stage does.
//
// Order of the pipeline: word → terms of the index with the same first letter and nearly the same length → those within
// two edits → nearest first, of equally near ones the more frequent.
//
// Source: Lucene's DirectSpellChecker with its defaults (org.apache.lucene.search.spell): at most two edits, a swap of
// neighbours being one (F. J. Damerau, CACM 7 (1964), as optimal string alignment); similarity 1 − edits / length of
// the shorter word, at least 0.5.
package spell

import (
	"cmp"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/index"
)

// Suggestion is a term of the index.
type Suggestion struct {
	Term       string
	Edits      int     // 1 or 2
	Similarity float32 // 1 − Edits / length of the shorter word, in code points
	Docs       int     // how many documents hold it
}

const (
	edits    = 2
	accuracy = 0.5
	shortest = 4 // letters of a word that is looked at
	looked   = 5 // times as many as are asked for are looked at, the nearest ones
)

// Suggest returns the at most n terms that are nearest to word: more similar first, then in more documents, then by the
// term. None for a word of fewer than four letters. The word itself is none of them. Cost: the terms that begin with
// its first letter.
func Suggest(x *index.Index, word string, n int) []Suggestion {
	w := []rune(word)
	if len(w) < shortest {
		return nil
	}
	var all []Suggestion
	var buf []rune
	d := newDistance(len(w))
	from, to := x.Prefix(string(w[0]))
	for id := from; id < to; id++ {
		term := x.Term(id)
		if len(term) < len(w)-edits || term == word {
			continue
		}
		length := utf8.RuneCountInString(term)
		if length < len(w)-edits || length > len(w)+edits {
			continue
		}
		buf = append(buf[:0], []rune(term)...)
		e := d.between(w, buf)
		if e > edits {
			continue
		}
		similarity := 1 - float32(e)/float32(min(len(w), length))
		if similarity < accuracy {
			continue
		}
		all = append(all, Suggestion{term, e, similarity, x.DF(index.Contents, id)})
	}
	// The nearest are looked at, and of these the frequent ones come first.
	before := func(a, b Suggestion) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), strings.Compare(a.Term, b.Term))
	}
	sort.Slice(all, func(i, j int) bool { return before(all[i], all[j]) < 0 })
	all = all[:min(len(all), n*looked)]
	frequent := func(a, b Suggestion) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(b.Docs, a.Docs),
			strings.Compare(a.Term, b.Term))
	}
	sort.Slice(all, func(i, j int) bool { return frequent(all[i], all[j]) < 0 })
	return all[:min(len(all), n)]
}

// distance is the edit distance with swaps of neighbours, up to edits + 1.
type distance struct{ before, last, row []int }

func newDistance(n int) *distance {
	n += edits + 2
	return &distance{make([]int, n), make([]int, n), make([]int, n)}
}

// between returns the number of edits between a and b, whose lengths differ by at most edits; more than edits where it
// is larger.
func (d *distance) between(a, b []rune) int {
	before, last, row := d.before, d.last, d.row
	for j := range b {
		last[j] = j
	}
	last[len(b)] = len(b)
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			change := last[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > edits {
			return edits + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
