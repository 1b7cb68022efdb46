package workspace

import (
	"cmp"
	"slices"
	"strings"
)

// pair is a document of a query.
type pair struct{ query, document string }

// cell is what a layer says of a pair.
type cell struct {
	grade register[float64]
	note  register[string]
}

// Layer is the judgments of one person, model or file.
type Layer struct {
	head  register[Head]
	cells map[pair]*cell
}

// layerIn is the layer of an id, which is made if it is not there.
func layerIn(layers map[string]*Layer, id string) *Layer {
	l := layers[id]
	if l == nil {
		l = &Layer{cells: map[pair]*cell{}}
		layers[id] = l
	}
	return l
}

// at is the cell of a document, which is made if it is not there.
func (l *Layer) at(query, document string) *cell {
	p := pair{query, document}
	c := l.cells[p]
	if c == nil {
		c = &cell{}
		l.cells[p] = c
	}
	return c
}

// cell is the cell of a document, nil if it is not there.
func (l *Layer) cell(query, document string) *cell {
	if l == nil {
		return nil
	}
	return l.cells[pair{query, document}]
}

// Grade is the grade that the layer gives a document.
func (l *Layer) Grade(query, document string) (grade float64, ok bool) {
	if c := l.cell(query, document); c != nil && c.grade.there {
		return c.grade.value, true
	}
	return 0, false
}

// Note is the note of the layer on a document.
func (l *Layer) Note(query, document string) string {
	if c := l.cell(query, document); c != nil && c.note.there {
		return c.note.value
	}
	return ""
}

// Touched says whether the layer has ever given a document a grade, taken back or not.
func (l *Layer) Touched(query, document string) bool {
	c := l.cell(query, document)
	return c != nil && c.grade.at != (Stamp{})
}

// Judgments are those of the layer, by query and document.
func (l *Layer) Judgments() []Judgment {
	if l == nil {
		return nil
	}
	var out []Judgment
	for _, p := range l.pairs() {
		c := l.cells[p]
		if !c.grade.there && !c.note.there {
			continue
		}
		out = append(out, Judgment{p.query, p.document, c.grade.value, c.grade.there, c.grade.at.Time, c.note.value})
	}
	return out
}

func (l *Layer) pairs() []pair {
	out := make([]pair, 0, len(l.cells))
	for p := range l.cells {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b pair) int {
		return cmp.Or(strings.Compare(a.query, b.query), strings.Compare(a.document, b.document))
	})
	return out
}

// Graded is how many grades the layer holds.
func (l *Layer) Graded() (n int) {
	if l == nil {
		return 0
	}
	for _, c := range l.cells {
		if c.grade.there {
			n++
		}
	}
	return n
}
