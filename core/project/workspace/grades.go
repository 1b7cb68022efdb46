package workspace

import (
	"cmp"
	"maps"
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
	head   register[Head]
	cells  map[pair]*cell
	graded map[string]int // documents with a grade, by query
	grades int            // the sum of them
}

// layerIn is the layer of an id, which is made if it is not there.
func layerIn(layers map[string]*Layer, id string) *Layer {
	l := layers[id]
	if l == nil {
		l = &Layer{cells: map[pair]*cell{}, graded: map[string]int{}}
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

// setGrade gives a document a grade, or takes it back, and reports whether that is later than what the layer has.
func (l *Layer) setGrade(query, document string, grade float64, there bool, at Stamp) bool {
	c := l.at(query, document)
	before := c.grade.there
	later := c.grade.set(grade, there, at)
	switch {
	case c.grade.there && !before:
		l.graded[query]++
		l.grades++
	case !c.grade.there && before:
		l.grades--
		if l.graded[query]--; l.graded[query] == 0 {
			delete(l.graded, query)
		}
	}
	return later
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
func (l *Layer) Graded() int {
	if l == nil {
		return 0
	}
	return l.grades
}

// GradedQueries are the queries with a grade, and how many each has.
func (l *Layer) GradedQueries() map[string]int {
	if l == nil {
		return nil
	}
	return maps.Clone(l.graded)
}
