package home

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/present/chart/scale"
	"github.com/rankbox/rankbox/wasm/app/ui"
)

// Dots is one row of dots a system, a dot a query, at its value of the first measure.
type Dots struct {
	ui.Part

	report *report.Report
	dots   [][]string
	places [][]scale.Place
}

// Compute places the dots once a report: equal values are stacked up and down from the line, in query order.
func (c *Dots) Compute() {
	r := c.App.Figures.Report
	if r == c.report {
		return
	}
	c.report = r
	c.dots, c.places = make([][]string, len(r.Systems)), make([][]scale.Place, len(r.Systems))
	for i := range r.Systems {
		c.places[i] = scale.Stack(r.Columns[0].Values[i], scale.Scale{High: 1, From: 12, To: 948})
		for _, p := range c.places[i] {
			c.dots[i] = append(c.dots[i], "M"+scale.Text(p.X)+" "+scale.Text(22+p.Y)+"h0")
		}
	}
}

// Dot is the place of the dot of query j in row i: a line of no length, whose round ends stay round however wide the
// row is.
func (c *Dots) Dot(i, j int) string { return c.dots[i][j] }

// rowHeight is that of a row, whose line lies in its middle.
const rowHeight = 44

// Join is row i's part of the line through the dots of the brushed query: from where the row above leaves it to its own
// dot, and on to where the row below takes it up. "" where no query is brushed.
func (c *Dots) Join(i int) string {
	j := c.brushed()
	if j < 0 {
		return ""
	}
	at := func(row int) (x, y float64) {
		p := c.places[row][j]
		return p.X, float64(row*rowHeight) + rowHeight/2 + p.Y
	}
	edge := func(upper int) string { // where the line crosses the lower edge of a row
		x, y := at(upper)
		u, v := at(upper + 1)
		return scale.Text(x + float64((u-x)*(float64((upper+1)*rowHeight)-y)/(v-y)))
	}
	x, y := at(i)
	d := "M" + scale.Text(x) + " " + scale.Text(y-float64(i*rowHeight))
	if i > 0 {
		d = "M" + edge(i-1) + " 0L" + d[1:]
	}
	if i+1 < len(c.places) {
		d += "L" + edge(i) + " " + strconv.Itoa(rowHeight)
	}
	return d
}

// DotClass marks the brushed query.
func (c *Dots) DotClass(id string) string {
	if c.App.View.Hover == id {
		return "on"
	}
	return ""
}

// Label tells a screen reader what this is and how it is used.
func (c *Dots) Label() string {
	return "Each of " + say.Count(len(c.App.Figures.Report.Queries), "query", "queries") + " by " +
		c.App.Figures.Report.Measures[0] +
		" in each system. Left and right arrows move between queries, Enter opens one. The table below has the " +
		"same values."
}

// Link is the address of a query.
func (c *Dots) Link(id string) string {
	return ui.Address(c.App, func(s *share.Address) { s.Screen, s.QueryID, s.Query = share.Search, id, "" })
}

// Open opens it.
func (c *Dots) Open(event vugu.DOMEvent, id string) {
	if ui.PlainClick(event) {
		c.App.Search.Pick(id)
	}
}

// Key moves the brush along the queries in the order of the best system's values.
func (c *Dots) Key(event vugu.DOMEvent) {
	by := 0
	switch event.PropString("key") {
	case "ArrowRight":
		by = 1
	case "ArrowLeft":
		by = -1
	case "Enter":
		if c.brushed() >= 0 {
			event.PreventDefault()
			c.App.Search.Pick(c.App.View.Hover)
		}
		return
	default:
		return
	}
	event.PreventDefault()
	r := c.App.Figures.Report
	order := make([]int, len(r.Queries))
	for i := range order {
		order[i] = i
	}
	v := r.Columns[0].Values[r.Baseline]
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(v[a], v[b]) })
	at := slices.Index(order, c.brushed())
	if at < 0 && by < 0 {
		at = 0
	}
	at = ((at+by)%len(order) + len(order)) % len(order)
	c.App.View.Point(r.Queries[order[at]].ID)
}

func (c *Dots) brushed() int {
	return slices.IndexFunc(c.App.Figures.Report.Queries, func(t report.Query) bool { return t.ID == c.App.View.Hover })
}

// Brushed says the values of the brushed query.
func (c *Dots) Brushed() string {
	j := c.brushed()
	if j < 0 {
		return "Point at a dot to see the same query in every system."
	}
	r := c.App.Figures.Report
	s := "“" + r.Queries[j].Text + "”"
	for i := range r.Systems {
		s += " · " + c.App.Settings.Letter(i) + " " + say.Page.Number(r.Columns[0].Values[i][j], 3)
	}
	return s
}

// Caption states what the rows show: how often the best system beats the baseline.
func (c *Dots) Caption() string {
	r := c.App.Figures.Report
	best := r.Baseline
	for i, m := range r.Columns[0].Means {
		if m > r.Columns[0].Means[best] {
			best = i
		}
	}
	p, ok := r.Pair(r.Baseline, best)
	if !ok {
		return r.Measures[0] + " of every query."
	}
	return r.Measures[0] + " of every query, one dot each. " + c.App.Settings.Letter(best) + " is better than " +
		c.App.Settings.Letter(r.Baseline) + " on " + strconv.Itoa(p.Better) +
		", worse on " + strconv.Itoa(p.Worse) + ", equal on " + strconv.Itoa(p.Equal) +
		". Letter and colour are those of the system in the table; the line joins one query’s dots. Select a dot to " +
		"see the rankings."
}

// About says type and relevant documents of a query.
func (c *Dots) About(t report.Query) string {
	s := t.Type
	if s != "" {
		s += " · "
	}
	return s + strconv.Itoa(t.Relevant) + " relevant"
}

// Cell is one value of the table.
func (c *Dots) Cell(i, j int) string {
	return say.Page.Number(c.App.Figures.Report.Columns[0].Values[i][j], 3)
}
