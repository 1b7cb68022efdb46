package chart

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// All returns every figure, in the order in which they are shown.
func All() []*Figure {
	return []*Figure{
		&intervals,
		&bars,
		&speed,
		&waterfall,
		&worth,
		&differences,
		&pair,
		&queries,
		&bounds,
		&matrix,
		&kinds,
		&types,
		&mistakes,
		&sweep,
		&bump,
		&cutoffs,
		&recall,
		&steps,
		&judged,
		&grades,
		&latency,
		&resources,
	}
}

// Lookup returns the figure of a name.
func Lookup(name string) (*Figure, error) {
	var names []string
	for _, f := range All() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return nil, say.Faultf("chart", "unknown figure %q; the figures are %s", name, strings.Join(names, ", "))
}

// Draw returns the drawings that a report has all for, in the order of All.
func Draw(in *Input) []*Drawing {
	var out []*Drawing
	for _, f := range All() {
		if d := f.Draw(in); d != nil {
			out = append(out, d)
		}
	}
	return out
}
