package learn

import (
	"slices"

	table "github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/core/teach/lesson/figure"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/play"
)

// Figure is a figure that is moved: a block's, and where its handles stand.
type Figure struct {
	figure.Figure
	State figure.State
	Moves int
}

// Figures are what a lesson lets its reader move: figures, rankings and coins, each made when it is first looked at.
type Figures struct {
	app     *state.App
	answers *Answers

	figures  map[string]*Figure
	rankings map[string]*play.Play
	tosses   map[string]*lesson.Tosses
}

// Of is that of a block, made when it is first looked at; nil where its data makes none.
func (s *Figures) Of(key string, b *lesson.Block) *Figure {
	if f, ok := s.figures[key+" "+b.Link]; ok { // a remix has another ranking
		return f
	}
	f, err := b.Figure()
	if err != nil { // the build refuses such a block
		return nil
	}
	out := &Figure{Figure: f, State: f.Start()}
	s.figures[key+" "+b.Link] = out
	return out
}

// Move moves handles of a figure, a move after the other.
func (s *Figures) Move(key string, b *lesson.Block, moves ...figure.Move) {
	f := s.Of(key, b)
	if f == nil {
		return
	}
	old, state := s.app.History.Present(), f.State
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
	s.app.History.Keep(old, kind)
	if figure.Reached(f, state) && !s.answers.Reached[key] {
		s.answers.Reached[key] = true
		s.answers.store()
	}
	s.app.View.Draw()
}

// Reset begins again.
func (s *Figures) Reset(key string, b *lesson.Block) {
	if f := s.Of(key, b); f != nil {
		s.app.History.Keep(s.app.History.Present(), "")
		f.State, f.Moves = f.Start(), 0
		s.app.View.Draw()
	}
}

// Ranking is the ranking of a block, made when it is first looked at.
func (s *Figures) Ranking(key string, b *lesson.Block) *play.Play {
	key += " " + b.Link // a remix has another one
	p, ok := s.rankings[key]
	if !ok {
		p = play.New(s.app)
		if t, err := table.Decode(b.Link); err == nil {
			p.Hand.Table = t
		}
		s.rankings[key] = p
	}
	return p
}

// positions is where everything stands that was moved, but for coins.
type positions struct {
	figures  map[string]figure.State
	rankings map[string]*table.Table
}

// positions is as it is now.
func (s *Figures) positions() positions {
	p := positions{map[string]figure.State{}, map[string]*table.Table{}}
	for k, f := range s.figures {
		p.figures[k] = f.State
	}
	for k, r := range s.rankings {
		p.rankings[k] = r.Hand.Table.Clone()
	}
	return p
}

// restore puts everything back; what was made since is made anew.
func (s *Figures) restore(p positions) {
	for k, r := range s.rankings {
		if t, ok := p.rankings[k]; ok {
			r.Hand.Table = t.Clone()
		} else {
			delete(s.rankings, k)
		}
	}
	for k, f := range s.figures {
		if state, ok := p.figures[k]; ok {
			f.State = state
		} else {
			delete(s.figures, k)
		}
	}
}
