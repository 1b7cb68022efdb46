package learn

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/core/teach/lesson/figure"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/learn"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Figure is a block with a figure that is moved. It draws every figure from its view, and knows none of them.
type Figure struct {
	Learn *screen.Learn
	K     string
	B     *lesson.Block

	of   figure.State // the state that view is of
	view *figure.View
}

// Live says that the page reacts.
func (c *Figure) Live() bool { return c.Learn.App.Engine.Phase != state.Loading }

// F is the figure, nil where the block makes none.
func (c *Figure) F() *screen.Figure { return c.Learn.Figures.Of(c.K, c.B) }

// V is what it shows: worked out once for a state.
func (c *Figure) V() *figure.View {
	f := c.F()
	if c.view == nil || !slices.Equal(c.of, f.State) {
		v := f.View(f.State)
		c.view, c.of = &v, f.State
	}
	return c.view
}

// P is the drawing, nil for none.
func (c *Figure) P() *figure.Plot { return c.V().Plot }

// plotBox is the size of a drawing.
func plotBox(p *figure.Plot) string { return "0 0 " + at(p.W) + " " + at(p.H) }

// size is a length of a drawing, which is not below 0.
func size(v float64) string { return at(max(0, v)) }

// Asks says what to reach; "" where a remix has another ranking.
func (c *Figure) Asks() string {
	if c.B.Level == 1 {
		return ""
	}
	return c.F().Asks()
}

// Goals are the conditions, and what stands beside them.
func (c *Figure) Goals() []figure.Goal { return c.F().Goals(c.F().State) }

// Want says what a condition wants, and whether it has it.
func (c *Figure) Want(g figure.Goal) string {
	switch {
	case g.Want == "" || c.B.Level == 1:
		return ""
	case g.Met():
		return "✓ " + g.Want
	}
	return g.Want
}

// GoalClass marks a condition that is met.
func (c *Figure) GoalClass(g figure.Goal) string {
	if g.Met() && c.Want(g) != "" {
		return "met"
	}
	return ""
}

// Said acknowledges the goal.
func (c *Figure) Said() string {
	f := c.F()
	if c.B.Level == 1 || !figure.Reached(f, f.State) {
		return ""
	}
	return "Goal reached after " + say.Count(f.Moves, "move", "moves") + "."
}

// Beside are the handles that stand beside the drawing; In are those of a row.
func (c *Figure) Beside() []figure.Handle { return c.In(-1) }

// In are the handles of a row, from 0.
func (c *Figure) In(row int) (out []figure.Handle) {
	for _, h := range c.F().Handles(c.F().State) {
		if h.Row == row+1 {
			out = append(out, h)
		}
	}
	return out
}

// Slides says that a handle is a slider.
func Slides(h figure.Handle) bool { return !h.Press && len(h.Choices) == 0 }

// Base is the id that those of the figure begin with.
func (c *Figure) Base() string { return "fig-" + strings.ReplaceAll(c.K, ".", "-") }

// ID is that of a handle beside the drawing.
func (c *Figure) ID(h figure.Handle) string { return c.Base() + "-" + h.Name }

// Sign is on a button of a row.
func Sign(h figure.Handle) string {
	switch h.Name {
	case "up":
		return "↑"
	case "down":
		return "↓"
	}
	return h.Label
}

// Slide moves a slider.
func (c *Figure) Slide(event vugu.DOMEvent, h figure.Handle) {
	if n, err := strconv.Atoi(target(event)); err == nil {
		c.Move(h.Name, n)
	}
}

// Keep keeps the arrow keys on a slider from turning a slide.
func (c *Figure) Keep(event vugu.DOMEvent) {
	if k := event.PropString("key"); strings.HasPrefix(k, "Arrow") || strings.HasPrefix(k, "Page") {
		event.StopPropagation()
	}
}

// Move moves a handle.
func (c *Figure) Move(name string, to int) {
	c.Learn.Figures.Move(c.K, c.B, figure.Move{Name: name, To: to})
}

// Step presses a button of a row; the focus stays with the document.
func (c *Figure) Step(h figure.Handle, key string) {
	c.Move(h.Name, h.Row)
	row := slices.IndexFunc(c.V().Rows, func(r figure.Row) bool { return r.Key == key })
	left := c.In(row)
	if len(left) == 0 {
		return
	}
	name := left[0].Name
	if slices.ContainsFunc(left, func(x figure.Handle) bool { return x.Name == h.Name }) {
		name = h.Name
	}
	c.Learn.App.View.FocusOn(c.Base() + "-" + name + "-" + key)
}

// Movable says that the document of a row changes places.
func (c *Figure) Movable(row int) bool {
	return slices.ContainsFunc(c.In(row), func(h figure.Handle) bool { return h.Name == "up" || h.Name == "down" })
}

// Place is the place of a row in the list that is dragged in, "" for none.
func (c *Figure) Place(row int) string {
	if c.Movable(row) {
		return text(row)
	}
	return ""
}

// Drag takes a document to another place, a step after the other.
func (c *Figure) Drag(event vugu.DOMEvent) {
	c.carry(int(event.PropFloat64("detail", "from")), int(event.PropFloat64("detail", "to")))
}

func (c *Figure) carry(from, to int) {
	var moves []figure.Move
	for ; from > to; from-- {
		moves = append(moves, figure.Move{Name: "up", To: from + 1})
	}
	for ; from < to; from++ {
		moves = append(moves, figure.Move{Name: "down", To: from + 1})
	}
	c.Learn.Figures.Move(c.K, c.B, moves...)
}

// Press moves a document by keys.
func (c *Figure) Press(event vugu.DOMEvent, row int) {
	by := ui.Upwards(event)
	if by == 0 || !event.PropBool("altKey") {
		return
	}
	event.PreventDefault()
	c.carry(row, row+by)
}

// Grip names the handle of a document.
func Grip(r figure.Row) string {
	return "Rank " + r.Rank + ", grade " + r.Grade + ": " + r.Title + ". Alt and arrow keys move it."
}

// RowClass is that of a row of the list.
func (c *Figure) RowClass(i int, r figure.Row) string {
	if i+1 == c.V().Cut {
		return strings.TrimSpace(r.Class + " last")
	}
	return r.Class
}

// GradeClass is the colour of a grade.
func GradeClass(r figure.Row) string {
	switch {
	case r.Grade == "?":
		return "grade q"
	case r.Grade == "":
		return ""
	}
	return "grade g" + r.Grade
}

// Listed says that the rows are a list, Tabled that they are a table: where more than one column stands behind the
// title.
func (c *Figure) Listed() bool { return len(c.V().Rows) > 0 && len(c.V().Heads) < 2 }

// Tabled says that the rows are a table.
func (c *Figure) Tabled() bool { return len(c.V().Rows) > 0 && len(c.V().Heads) > 1 }

// First is the head of the titles' column.
func (c *Figure) First() string {
	if s := c.V().First; s != "" {
		return s
	}
	return "Article"
}

// Moved says that there is something to begin again.
func (c *Figure) Moved() bool { return !slices.Equal(c.F().State, c.F().Start()) }

// Again begins again.
func (c *Figure) Again() { c.Learn.Figures.Reset(c.K, c.B) }
