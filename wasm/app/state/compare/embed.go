package compare

import (
	"github.com/rankbox/rankbox/core/evaluate/packed"
	"github.com/rankbox/rankbox/core/present/chart"
)

// Query is the name of a query's rankings as a part of the comparison that a frame shows; figures have their own.
const Query = packed.OnlyQuery

// OnlyQuery says whether the rankings of the open query are all that is shown.
func (v *View) OnlyQuery() bool { return v.Only == Query }

// OnlyFigure is the figure that is all that is shown, nil where it is none.
func (v *View) OnlyFigure() *chart.Figure { return figureNamed(v.Only) }

func figureNamed(name string) *chart.Figure {
	f, err := chart.Lookup(name)
	if err != nil {
		return nil
	}
	return f
}
