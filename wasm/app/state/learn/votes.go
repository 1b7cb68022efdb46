package learn

import (
	"slices"

	"github.com/rankbox/rankbox/wasm/app/state"
)

// Votes are those of a class, by raised hands or from phones, and the questions whose answer it was shown.
type Votes struct {
	app *state.App

	Of       map[string]*[2][]int // of a question, before and after the reveal
	Revealed map[string]bool
}

// Count counts a hand for an option, in the round that is open; a negative one takes a hand back.
func (v *Votes) Count(key string, options, option, by int) {
	both := v.Of[key]
	if both == nil {
		both = &[2][]int{make([]int, options), make([]int, options)}
		v.Of[key] = both
	}
	round := v.round(key)
	if option >= 0 && option < len(both[round]) {
		both[round][option] = max(0, both[round][option]+by)
	}
	v.app.View.Draw()
}

// round is 1 once the answer to a question was revealed to the class.
func (v *Votes) round(key string) int {
	if v.Revealed[key] {
		return 1
	}
	return 0
}

// take takes the votes of phones in the place of counted hands.
func (v *Votes) take(of asked, counts []int) {
	both := v.Of[of.key]
	if both == nil || len(both[0]) != len(counts) {
		both = &[2][]int{make([]int, len(counts)), make([]int, len(counts))}
		v.Of[of.key] = both
	}
	both[of.round] = slices.Clone(counts)
}
