package learn

import (
	"slices"

	"github.com/rankbox/rankbox/core/lesson"
	"github.com/rankbox/rankbox/core/lesson/figure"
)

// Figure is a figure that is moved: a block's, and where its handles stand.
type Figure struct {
	figure.Figure
	State figure.State
	Moves int
}

// Figure is that of a block, made when it is first looked at; nil where its data makes none.
func (l *Learn) Figure(key string, b *lesson.Block) *Figure {
	if f, ok := l.figures[key+" "+b.Link]; ok { // a remix has another ranking
		return f
	}
	f, err := b.Figure()
	if err != nil { // the build refuses such a block
		return nil
	}
	out := &Figure{Figure: f, State: f.Start()}
	l.figures[key+" "+b.Link] = out
	return out
}

// Move moves handles of a figure, a move after the other.
func (l *Learn) Move(key string, b *lesson.Block, moves ...figure.Move) {
	f := l.Figure(key, b)
	if f == nil {
		return
	}
	old, state := l.App.History.Present(), f.State
	for _, m := range moves {
		next, ok := figure.Moved(f, state, m)
		if !ok {
			break
		}
		state = next
	}
	if slices.Equal(state, f.State) {
		return
	}
	f.State = state
	f.Moves++
	kind := ""
	if len(moves) == 1 {
		kind = "figure " + key + " " + moves[0].Name
	}
	l.App.History.Keep(old, kind)
	if figure.Reached(f, state) && !l.Reached[key] {
		l.Reached[key] = true
		l.store()
	}
	l.App.View.Draw()
}

// ResetFigure begins again.
func (l *Learn) ResetFigure(key string, b *lesson.Block) {
	if f := l.Figure(key, b); f != nil {
		l.App.History.Keep(l.App.History.Present(), "")
		f.State, f.Moves = f.Start(), 0
		l.App.View.Draw()
	}
}
