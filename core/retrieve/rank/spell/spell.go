// Package spell suggests similarly spelt words of an index for a word that it lacks. It has no dictionary: the
// documents define correct spelling. It changes no query; package stage does.
//
// Order of the pipeline: word → terms of the index with the same first letter and similar length → those within two
// edits → nearest first, ties by frequency.
//
// Source: Lucene's DirectSpellChecker with its defaults (org.apache.lucene.search.spell).
package spell

import (
	"cmp"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/rankbox/rankbox/core/retrieve/index"
)

// Suggestion is a term of the index.
type Suggestion struct {
	Term       string
	Edits      int     // 1 or 2
	Similarity float32 // 1 − Edits / length of the shorter word, in code points
	Docs       int     // number of documents that contain it
}

const (
	edits           = 2
	accuracy        = 0.5
	minLetters      = 4 // minimum letters of a word
	candidateFactor = 5 // how many times the requested number of nearest terms are compared by frequency
)

// Likeliest returns the same terms as Suggest in the order in which a typist may have meant them: the fewest edits
// first, then the most slips of the hand among them, then the most documents, then the smaller term.
func Likeliest(x *index.Index, word string, n int) []Suggestion {
	all := Suggest(x, word, n*candidateFactor)
	cost := map[string]int{}
	for _, s := range all {
		cost[s.Term] = effort([]rune(word), []rune(s.Term))
	}
	sort.SliceStable(all, func(i, j int) bool {
		a, b := all[i], all[j]
		return cmp.Or(cmp.Compare(cost[a.Term], cost[b.Term]), cmp.Compare(b.Docs, a.Docs),
			strings.Compare(a.Term, b.Term)) < 0
	})
	return all[:min(len(all), n)]
}

// What an edit costs. Two slips cost more than one other edit, so that fewer edits come first.
const (
	slip  = 3
	other = 4
)

// keys are the rows of a QWERTY keyboard, each half a key to the right of the one above.
var keys = [...]string{"qwertyuiop", "asdfghjkl", "zxcvbnm"}

// near reports whether two letters are neighbours on the keyboard.
func near(a, b rune) bool {
	row := func(r rune) (int, int) {
		for i, k := range keys {
			if at := strings.IndexRune(k, r); at >= 0 {
				return i, at
			}
		}
		return -9, -9
	}
	i, x := row(a)
	j, y := row(b)
	switch {
	case i < 0 || j < 0:
		return false
	case i == j:
		return x-y == 1 || y-x == 1
	case i-j == 1: // a is below b: between b's key and the one before
		return x == y || x == y-1
	case j-i == 1:
		return y == x || y == x-1
	}
	return false
}

// effort is the least cost of the edits from a to b: changing, adding, leaving out and swapping letters.
func effort(a, b []rune) int {
	d := make([][]int, len(a)+1)
	extra := func(s []rune, i int) int { // s[i] is one letter too many
		if i > 0 && s[i] == s[i-1] || i+1 < len(s) && s[i] == s[i+1] {
			return slip
		}
		return other
	}
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 && j == 0:
				continue
			case i == 0:
				d[i][j] = d[i][j-1] + extra(b, j-1)
				continue
			case j == 0:
				d[i][j] = d[i-1][j] + extra(a, i-1)
				continue
			}
			change := 0
			if a[i-1] != b[j-1] {
				if change = other; near(a[i-1], b[j-1]) {
					change = slip
				}
			}
			d[i][j] = min(d[i-1][j-1]+change, d[i-1][j]+extra(a, i-1), d[i][j-1]+extra(b, j-1))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] && a[i-1] != a[i-2] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+slip)
			}
		}
	}
	return d[len(a)][len(b)]
}

// Suggest returns at most n terms nearest to word: by similarity, then document frequency, then term. It returns
// none for a word of fewer than four letters, and never the word itself. At most two edits count, a swap of
// neighbours as one (F. J. Damerau, CACM 7 (1964), as optimal string alignment). Similarity is 1 − edits / length
// of the shorter word, at least 0.5. Cost: the terms that begin with its first letter.
func Suggest(x *index.Index, word string, n int) []Suggestion {
	w := []rune(word)
	if len(w) < minLetters {
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
	// Of the nearest candidates the frequent ones come first.
	before := func(a, b Suggestion) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), strings.Compare(a.Term, b.Term))
	}
	sort.Slice(all, func(i, j int) bool { return before(all[i], all[j]) < 0 })
	all = all[:min(len(all), n*candidateFactor)]
	frequent := func(a, b Suggestion) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(b.Docs, a.Docs),
			strings.Compare(a.Term, b.Term))
	}
	sort.Slice(all, func(i, j int) bool { return frequent(all[i], all[j]) < 0 })
	return all[:min(len(all), n)]
}

// distance computes edit distances with swaps of neighbours, up to edits + 1.
type distance struct{ before, last, row []int }

func newDistance(n int) *distance {
	n += edits + 2
	return &distance{make([]int, n), make([]int, n), make([]int, n)}
}

// between returns the number of edits between a and b, whose lengths differ by at most edits. It returns more than
// edits if the distance is larger.
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
