package figure

import (
	"slices"
	"strconv"

	"github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/measure"
)

// list is the common part of figures in which documents change places. A state holds the number of steps, then the
// order. A step moves a document one rank up or down, or adds it.
type list struct{ t *play.Table }

func (l *list) start() State { return append(State{0}, l.t.Lists[0]...) }

// table returns the ranking of a state.
func (l *list) table(s State) *play.Table {
	t := l.t.Clone()
	t.Lists[0] = slices.Clone(s[1:])
	return t
}

// handles returns the buttons of the rows: up and down, and add for documents that were not retrieved.
func (l *list) handles(s State) (out []Handle) {
	n := len(s) - 1
	for i := 1; i <= n; i++ {
		if i > 1 {
			out = append(out, Handle{Name: "up", Label: "Move up", Row: i, Press: true})
		}
		if i < n {
			out = append(out, Handle{Name: "down", Label: "Move down", Row: i, Press: true})
		}
	}
	for i := range l.missed(s) {
		out = append(out, Handle{Name: "add", Label: "Retrieve", Row: n + 1 + i, Press: true})
	}
	return out
}

// missed returns the relevant documents that the list lacks.
func (l *list) missed(s State) (out []int) {
	for _, d := range l.table(s).Out(0) {
		if l.t.Docs[d].Grade > 0 {
			out = append(out, d)
		}
	}
	return out
}

func (l *list) set(s State, m Move) State {
	order := s[1:]
	switch m.Name {
	case "up":
		order[m.To-1], order[m.To-2] = order[m.To-2], order[m.To-1]
	case "down":
		order[m.To-1], order[m.To] = order[m.To], order[m.To-1]
	case "add":
		s = append(s, l.missed(s)[m.To-len(s)])
	default:
		return s
	}
	s[0]++
	return s
}

// rows returns the documents in order, followed by those that were not retrieved.
func (l *list) rows(s State) (out []Row) {
	for i, d := range s[1:] {
		out = append(out, l.row(d, itoa(i+1), ""))
	}
	for _, d := range l.missed(s) {
		out = append(out, l.row(d, "–", "hole"))
	}
	return out
}

func (l *list) row(d int, rank, class string) Row {
	x := l.t.Docs[d]
	return Row{Key: strconv.Itoa(d), Rank: rank, Grade: formatGrade(x.Grade), Title: x.Label, Class: class}
}

func formatGrade[T int32 | float64](g T) string {
	if g == measure.Unjudged {
		return "?"
	}
	return strconv.Itoa(int(g))
}
