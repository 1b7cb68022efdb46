package compare

import (
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Pairs is the order and the page of the table of pairs.
type Pairs struct {
	app *state.App

	By   string // what it is sorted by; "" as they come
	Down bool
	Page int // from 0
}

// What the pairs are sorted by.
const (
	PairsByDifference = "difference"
	PairsByP          = "p"
)

// Sort sorts the pairs by a column, the smallest p or the largest difference first; again turns the order round, a
// third time leaves them as they come.
func (p *Pairs) Sort(by string) {
	first := by == PairsByDifference
	switch {
	case p.By != by:
		p.By, p.Down = by, first
	case p.Down == first:
		p.Down = !first
	default:
		p.By, p.Down = "", false
	}
	p.Page = 0
	p.app.View.Draw()
}

// Turn goes to another page of the table of pairs; pages is how many there are.
func (p *Pairs) Turn(by, pages int) {
	p.Page = max(0, min(p.Page+by, pages-1))
	p.app.View.Draw()
}
