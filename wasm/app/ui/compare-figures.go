package ui

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/compare"
)

// CompareFigures are the drawings of the report.
type CompareFigures struct {
	part

	report       *compare.Report
	column, a, b int
	figures      []Figure
}

// Figure is a drawing with a table of the same, and what it shows in a sentence.
type Figure struct {
	Name, Title, Finding string
	W, H                 int
	Shapes               []Shape
	Head                 []string
	Rows                 [][]string
	Data                 [][]string // every number of it, with a heading, as it is saved
}

// Shape is one mark of a figure. D is the path or the text.
type Shape struct {
	Kind, Class, X, Y, D string
}

// Box is the view box.
func (f Figure) Box() string { return "0 0 " + strconv.Itoa(f.W) + " " + strconv.Itoa(f.H) }

func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func at(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

func (f *Figure) path(class, d string) {
	f.Shapes = append(f.Shapes, Shape{Kind: "path", Class: class, D: d})
}

func (f *Figure) text(class string, x, y float64, s string) {
	f.Shapes = append(f.Shapes, Shape{Kind: "text", Class: class, X: at(x), Y: at(y), D: s})
}

func (f *Figure) dot(class string, x, y float64) {
	f.Shapes = append(f.Shapes, Shape{Kind: "circle", Class: class, X: at(x), Y: at(y)})
}

// Figures are drawn once a report, measure and pair.
func (c *CompareFigures) Figures() []Figure {
	s := &c.App.Compare
	r := s.Report()
	if c.report == r && c.column == s.Column && c.a == s.A && c.b == s.B && c.figures != nil {
		return c.figures
	}
	c.report, c.column, c.a, c.b = r, s.Column, s.A, s.B
	c.figures = nil
	if s.A != s.B && len(r.Queries) > 0 {
		c.figures = append(c.figures, differences(r, s.Column, s.A, s.B))
	}
	c.figures = append(c.figures, intervals(r, s.Column))
	return c.figures
}

// named is the letter and the name of a run, cut to what a drawing has room for.
func named(r *compare.Report, s, most int) string {
	return letter(s) + " " + within(r.Systems[s].Label, most)
}

// bins of the table beside the differences.
var bins = []float64{-0.5, -0.2, -0.1, 0, 0.1, 0.2, 0.5}

// differences draws a bar a query, sorted.
func differences(r *compare.Report, m, a, b int) Figure {
	col := &r.Columns[m]
	f := Figure{Name: "differences", Title: "Difference by query", W: 960, H: 280, Head: []string{"Change in " + col.Measure, "Queries"}}
	n := len(r.Queries)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	diff := func(q int) float64 { return col.Values[b][q] - col.Values[a][q] }
	slices.SortStableFunc(order, func(x, y int) int {
		switch u, v := diff(x), diff(y); {
		case u > v:
			return -1
		case u < v:
			return 1
		}
		return 0
	})
	top := 0.0
	for q := range r.Queries {
		top = max(top, math.Abs(diff(q)))
	}
	scale := top
	if scale == 0 {
		scale = 1
	}
	const left, right, mid, half = 60.0, 950.0, 130.0, 110.0
	y := func(v float64) float64 { return mid - half*v/scale }
	step := (right - left) / float64(n)
	var up, down strings.Builder
	better, worse := 0, 0
	for i, q := range order {
		v := diff(q)
		if v == 0 {
			continue
		}
		to := &up
		if v < 0 {
			to = &down
			worse++
		} else {
			better++
		}
		x, w := left+float64(i)*step, max(step*0.8, 0.4)
		to.WriteString("M" + at(x) + " " + at(mid) + "V" + at(y(v)) + "h" + at(w) + "V" + at(mid) + "z")
	}
	good, bad := "gain", "loss"
	if r.Extra[m].Lower {
		good, bad = bad, good
		better, worse = worse, better
	}
	mark, places := ticks(2 * scale)
	for k := -math.Floor(scale / mark); k*mark <= scale; k++ {
		v := k * mark
		f.path("grid", "M"+at(left)+" "+at(y(v))+"H"+at(right))
		label := "0"
		if k != 0 {
			label = signed(v, places)
		}
		f.text("tick end", left-8, y(v)+4, label)
	}
	f.path(good, up.String())
	f.path(bad, down.String())
	f.path("axis", "M"+at(left)+" "+at(mid)+"H"+at(right))
	f.text("tick", left, 270, "queries, sorted by the change of "+col.Measure+" from "+named(r, a, 28)+" to "+named(r, b, 28))
	counts := make([]int, len(bins)+1)
	same := 0
	for q := range r.Queries {
		v := diff(q)
		if v == 0 {
			same++
			continue
		}
		k := 0
		for k < len(bins) && v > bins[k] {
			k++
		}
		counts[k]++
	}
	for k := len(bins); k >= 0; k-- {
		name := ""
		switch k {
		case 0:
			name = signed(bins[0], 1) + " and below"
		case len(bins):
			name = "above " + signed(bins[k-1], 1)
		default:
			name = signed(bins[k-1], 1) + " to " + signed(bins[k], 1)
		}
		if bins[max(k-1, 0)] == 0 && k > 0 {
			name = "above 0 to " + signed(bins[k], 1)
		}
		f.Rows = append(f.Rows, []string{name, strconv.Itoa(counts[k])})
		if k > 0 && bins[k-1] == 0 {
			f.Rows = append(f.Rows, []string{"no change", strconv.Itoa(same)})
		}
	}
	f.Data = [][]string{{"query", r.Systems[a].Label, r.Systems[b].Label, "change"}}
	for _, q := range order {
		f.Data = append(f.Data, []string{r.Queries[q].ID, exact(col.Values[a][q]), exact(col.Values[b][q]), exact(diff(q))})
	}
	f.Finding = letter(b) + " is better than " + letter(a) + " by " + col.Measure + " on " + strconv.Itoa(better) + " of " + plural(n, "query", "queries") + " and worse on " + strconv.Itoa(worse)
	if top > 0 {
		first, last := order[0], order[n-1]
		most := first
		if math.Abs(diff(last)) > math.Abs(diff(first)) {
			most = last
		}
		f.Finding += "; the largest change is " + signed(diff(most), 3) + " on query " + brief(r.Queries[most].ID)
	}
	f.Finding += "."
	return f
}

// ticks returns a round distance of marks for a span, four to ten of them, and the decimals that they need.
func ticks(span float64) (step float64, places int) {
	step, places = 0.001, 3
	for _, s := range []float64{0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 10, 100, 1000, 1e4, 1e5, 1e6} {
		if span/step <= 8 {
			break
		}
		step = s
		if s >= 0.01 {
			places = 2
		}
		if s >= 0.1 {
			places = 1
		}
		if s >= 1 {
			places = 0
		}
	}
	return step, places
}

// intervals draws mean and interval of every run.
func intervals(r *compare.Report, m int) Figure {
	col := &r.Columns[m]
	n := len(r.Systems)
	f := Figure{Name: "intervals", Title: "Mean and 95 % interval by run", W: 960, H: 44 + 32*n, Head: []string{"Run", col.Measure, "95 % interval", "group"}}
	lo, hi := math.Inf(1), math.Inf(-1)
	for s := range r.Systems {
		lo, hi = min(lo, col.Low[s]), max(hi, col.High[s])
	}
	if !(hi > lo) {
		lo, hi = lo-0.5, hi+0.5
	}
	pad := (hi - lo) * 0.04
	lo, hi = lo-pad, hi+pad
	const left, right = 220.0, 940.0
	x := func(v float64) float64 { return left + (right-left)*(v-lo)/(hi-lo) }
	step, places := ticks(hi - lo)
	for v := math.Ceil(lo/step) * step; v <= hi; v += step {
		f.path("grid", "M"+at(x(v))+" 8V"+at(float64(16+32*n)))
		f.text("tick middle", x(v), float64(34+32*n), fixed(v, places))
	}
	for s := range r.Systems {
		y := float64(24 + 32*s)
		f.text("label", 8, y+5, named(r, s, 22))
		f.path("whisker "+sysClass(s), "M"+at(x(col.Low[s]))+" "+at(y)+"H"+at(x(col.High[s]))+"M"+at(x(col.Low[s]))+" "+at(y-6)+"v12M"+at(x(col.High[s]))+" "+at(y-6)+"v12")
		f.dot("mean "+sysClass(s), x(col.Means[s]), y)
		f.Rows = append(f.Rows, []string{letter(s) + " " + brief(r.Systems[s].Label), fixed(col.Means[s], 4), fixed(col.Low[s], 4) + " to " + fixed(col.High[s], 4), col.Groups[s]})
	}
	f.Data = [][]string{{"run", "measure", "mean", "low", "high", "group"}}
	for s := range r.Systems {
		f.Data = append(f.Data, []string{r.Systems[s].Label, col.Measure, exact(col.Means[s]), exact(col.Low[s]), exact(col.High[s]), col.Groups[s]})
	}
	f.text("tick", 8, float64(34+32*n), col.Measure+", mean and 95 %")
	best := r.Best(m)[0]
	f.Finding = letter(best) + " has the best mean " + col.Measure + ", " + fixed(col.Means[best], 3) + " (95 % interval " + fixed(col.Low[best], 3) + " to " + fixed(col.High[best], 3) + ")"
	if n > 1 && col.Groups[best] != "" {
		same := 0
		for s := range r.Systems {
			if s != best && strings.ContainsAny(col.Groups[s], col.Groups[best]) {
				same++
			}
		}
		if same > 0 {
			f.Finding += " and cannot be told apart from " + plural(same, "other run", "other runs")
		} else {
			f.Finding += " and can be told apart from every other run"
		}
	}
	f.Finding += "."
	return f
}

// The colours of a saved figure: those of the light scheme, as it goes onto paper.
var inks = map[string]string{"gain": "fill=\"#0a6b4d\"", "loss": "fill=\"#a33a12\"", "grid": "stroke=\"#e2ded5\" fill=\"none\"", "axis": "stroke=\"#1d1c19\" fill=\"none\"",
	"tick": "fill=\"#625e57\" font-size=\"12\"", "label": "fill=\"#1d1c19\" font-size=\"14\"", "whisker": "fill=\"none\" stroke-width=\"2\""}

var systemInks = []string{"#0067a8", "#b34a00", "#007a59", "#9c4a7d", "#8a6d00", "#2b6c8f", "#a02c2c", "#5b5b5b"}

var escapeXML = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// SVG returns the figure as a file of its own.
func (f Figure) SVG() string {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="` + f.Box() + `" width="` + strconv.Itoa(f.W) + `" height="` + strconv.Itoa(f.H) + `" font-family="system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Helvetica, Arial, sans-serif" font-variant-numeric="tabular-nums">`)
	b.WriteString("<title>" + escapeXML.Replace(shown(f.Finding)) + "</title><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>")
	for _, s := range f.Shapes {
		class, rest, _ := strings.Cut(s.Class, " ")
		ink := inks[class]
		if len(rest) == 1 && rest[0] >= 'a' && int(rest[0]-'a') < len(systemInks) {
			paint := "stroke"
			if class == "mean" {
				paint = "fill"
			}
			ink += " " + paint + "=\"" + systemInks[rest[0]-'a'] + "\""
		}
		switch rest {
		case "end":
			ink += ` text-anchor="end"`
		case "middle":
			ink += ` text-anchor="middle"`
		}
		switch s.Kind {
		case "path":
			b.WriteString(`<path ` + ink + ` d="` + s.D + `"/>`)
		case "circle":
			b.WriteString(`<circle ` + ink + ` cx="` + s.X + `" cy="` + s.Y + `" r="5"/>`)
		case "text":
			b.WriteString(`<text ` + ink + ` x="` + s.X + `" y="` + s.Y + `">` + escapeXML.Replace(s.D) + `</text>`)
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// SaveSVG saves a figure as a drawing.
func (c *CompareFigures) SaveSVG(f Figure) {
	c.App.SaveText("figure-"+f.Name+".svg", "image/svg+xml", f.SVG())
}

// SavePNG saves it as an image of twice its size in pixels.
func (c *CompareFigures) SavePNG(f Figure) {
	c.App.SavePicture("figure-"+f.Name+".png", f.SVG(), f.W, f.H)
}

// SaveCSV saves the numbers that it is drawn from.
func (c *CompareFigures) SaveCSV(f Figure) {
	c.App.SaveText("figure-"+f.Name+".csv", "text/csv; charset=utf-8", compare.CSV(f.Data))
}
