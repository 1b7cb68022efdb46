package analysis

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/measure"
)

// Checked is a printed figure beside what every tool prints for the same run and measure.
type Checked struct {
	Run     int    // whose figure it is: the one that the claim names, otherwise the one that fits best
	Name    string // of the run, with its letter
	Measure string
	// Headline says who prints the figure, Why which choices of that tool make the difference; "" where Rankbox prints
	// it or nobody does.
	Headline, Why string
	Tools         []ToolFigure // those that have the measure, Rankbox first
	Answer        string       // the tool that Why and Changed are about
	Changed       []ChangedQuery
	More          int // queries that change beyond those of Changed
	Fits          bool
}

// ToolFigure is what a tool prints.
type ToolFigure struct {
	Tool, Version, As string
	Value, Difference float64 // Difference is to Rankbox
	Queries           int     // over which the value is the mean
	Fits              bool    // it is the figure, within half of its last digit
}

// ChangedQuery is a query that a tool values otherwise.
type ChangedQuery struct {
	Query        string
	Ours, Theirs float64
	Why          string
}

// maxChanged bounds the queries that are listed.
const maxChanged = 50

// Check computes the measure of a claim for its run as Rankbox and as every other tool does, and says who prints the
// figure. The error is compare.ErrCancelled or that of the measure. cancel may be nil.
func Check(claim Claim, in compare.Input, style say.Style, cancel func() bool) (*Checked, error) {
	notation := claim.Measure.String()
	in.Measures = []string{notation}
	c, err := compare.Open(in)
	if err != nil {
		return nil, err
	}
	means, err := c.Evaluation.Means(cancel)
	if err != nil {
		return nil, err
	}
	opinions, err := c.Opinions(notation, cancel)
	if err != nil {
		return nil, err
	}
	out := &Checked{Measure: notation}
	off := func(v float64) float64 { return math.Abs(v - claim.Value) }
	fits := func(v float64) bool { return off(v) <= claim.Half+1e-9 }
	if out.Run = claim.run(letterNames(c)); out.Run < 0 {
		out.Run = nearest(means[0], opinions, off, fits)
	}
	ours := means[0][out.Run]
	out.Name = letterNames(c)[out.Run]
	out.Tools = []ToolFigure{{Tool: "Rankbox", As: notation, Value: ours, Queries: len(c.Queries()), Fits: fits(ours)}}
	for i := range opinions {
		if o := &opinions[i]; o.As != "" {
			v := o.Means[out.Run]
			out.Tools = append(out.Tools, ToolFigure{o.Tool, o.Version, o.As, v, v - ours, o.Queries[out.Run], fits(v)})
		}
	}
	out.Fits = slices.ContainsFunc(out.Tools, func(t ToolFigure) bool { return t.Fits })
	out.Headline = out.headline(claim, style)
	return out, out.explain(c, opinions, style, cancel)
}

// letterNames are the names of the runs behind their letters.
func letterNames(c *compare.Comparison) (out []string) {
	for i, n := range c.Names() {
		out = append(out, c.Letter(i)+" "+say.Brief(n, 60))
	}
	return out
}

// nearest is the run whose figure a claim without a run is: the first that fits with nothing assumed, then the first
// that fits by some tool, then the one that comes closest.
func nearest(means []float64, opinions []compare.Opinion, off func(float64) float64, fits func(float64) bool) int {
	if i := slices.IndexFunc(means, fits); i >= 0 {
		return i
	}
	best := 0
	for i := range means {
		for _, o := range opinions {
			if o.As != "" && fits(o.Means[i]) {
				return i
			}
		}
		if off(means[i]) < off(means[best]) {
			best = i
		}
	}
	return best
}

// headline says which tools print the figure, and what the others do.
func (x *Checked) headline(claim Claim, style say.Style) string {
	decimals := claim.decimals()
	number := func(v float64) string { return style.Number(v, decimals) }
	figure := number(claim.Value)
	var who []string
	var rest []float64
	for _, t := range x.Tools {
		if t.Fits {
			who = append(who, say.Visible(t.Tool))
		} else {
			rest = append(rest, t.Value)
		}
	}
	others := ""
	if len(rest) > 0 {
		low, high := number(slices.Min(rest)), number(slices.Max(rest))
		switch {
		case low != high:
			others = "print " + low + " to " + high + "."
		case len(rest) == 1:
			others = "prints " + low + "."
		default:
			others = "print " + low + "."
		}
	}
	switch {
	case len(who) == 0:
		return "No tool prints " + figure + " for this run. Rankbox and the " +
			say.Count(len(x.Tools)-1, "other", "others") + " that have the measure " + others
	case len(rest) == 0:
		return figure + " is what every tool prints that has the measure."
	case len(who) == 1 && len(rest) > 1 && !strings.Contains(others, " to "):
		return figure + " is what " + who[0] + " prints. Every other tool prints " +
			strings.TrimPrefix(others, "print ")
	}
	verb := "print"
	if len(who) == 1 {
		verb = "prints"
	}
	text := figure + " is what " + joined(who) + " " + verb + ". "
	if len(rest) == 1 {
		return text + "The other tool " + others
	}
	return text + "The " + strconv.Itoa(len(rest)) + " other tools " + others
}

// joined is a list in a sentence: "a", "a and b", "a, b and c"; of more than five the first and how many more.
func joined(names []string) string {
	switch n := len(names); {
	case n == 1:
		return names[0]
	case n > 5:
		return strings.Join(names[:4], ", ") + " and " + strconv.Itoa(n-4) + " more"
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}

// explain looks for the queries that make the first fitting tool's figure another than Rankbox's.
func (x *Checked) explain(c *compare.Comparison, opinions []compare.Opinion, style say.Style,
	cancel func() bool) error {
	if x.Tools[0].Fits {
		return nil
	}
	at := slices.IndexFunc(x.Tools, func(t ToolFigure) bool { return t.Fits })
	if at < 0 {
		return nil
	}
	x.Answer = x.Tools[at].Tool
	diffs, err := c.Differences(x.Measure, x.Run, measure.ConventionByName(x.Answer), cancel)
	if err != nil {
		return err
	}
	for _, d := range diffs {
		if len(x.Changed) == maxChanged {
			x.More = len(diffs) - maxChanged
			break
		}
		said := compare.Said{Reasons: d.Reasons}
		x.Changed = append(x.Changed, ChangedQuery{d.Query, d.Ours, d.Theirs, said.Why(style)})
	}
	var reasons []string
	for _, o := range opinions {
		if o.Tool != x.Answer {
			continue
		}
		for _, cause := range o.Differs[x.Run] {
			if s := say.Visible(cause.Example); !slices.Contains(reasons, s) {
				reasons = append(reasons, s)
			}
		}
	}
	if len(reasons) > 0 {
		x.Why = strings.Join(reasons, ". ") + ". "
	}
	x.Why += say.Count(len(diffs), "query", "queries") + " of " + say.Thousands(len(c.Judged())) + " " +
		map[bool]string{true: "changes", false: "change"}[len(diffs) == 1] + "."
	return nil
}

// Section is the answer as an analysis, for a terminal and as JSON.
func (x *Checked) Section() Section {
	t := Table{Caption: "What tools print for " + x.Measure + " of " + x.Name,
		Columns: []string{"Tool", "Version", "Its name for it", "Value", "to Rankbox", "Prints it"}}
	for _, f := range x.Tools {
		t.Rows = append(t.Rows, []Cell{Words(f.Tool), Words(f.Version), Words(f.As), Number(f.Value, 4),
			Signed(f.Difference, 4), Words(map[bool]string{true: "yes", false: ""}[f.Fits])})
	}
	out := Section{Name: "tools", Part: Luck, Title: "Who prints this number", Sentence: x.Headline, Tables: []Table{t}}
	if len(x.Changed) > 0 {
		q := Table{Caption: "The queries that change", Columns: []string{"Query", "Rankbox", x.Answer, "Reason"}}
		for _, d := range x.Changed {
			q.Rows = append(q.Rows, []Cell{Words(d.Query), Number(d.Ours, 4), Number(d.Theirs, 4), Words(d.Why)})
		}
		out.Tables = append(out.Tables, q)
	}
	if x.Why != "" {
		out.Notes = append(out.Notes, x.Why)
	}
	if x.More > 0 {
		out.Notes = append(out.Notes, say.Count(x.More, "more query changes", "more queries change")+".")
	}
	return out
}

// Wire walks the answer.
func (x *Checked) Wire(c *wire.Codec) {
	c.Int(&x.Run)
	for _, s := range []*string{&x.Name, &x.Measure, &x.Headline, &x.Why, &x.Answer} {
		c.String(s)
	}
	wire.Structs(c, &x.Tools)
	wire.Structs(c, &x.Changed)
	c.Int(&x.More)
	c.Bool(&x.Fits)
}

// Wire walks what a tool prints.
func (t *ToolFigure) Wire(c *wire.Codec) {
	for _, s := range []*string{&t.Tool, &t.Version, &t.As} {
		c.String(s)
	}
	c.Float(&t.Value)
	c.Float(&t.Difference)
	c.Int(&t.Queries)
	c.Bool(&t.Fits)
}

// Wire walks a query that changes.
func (q *ChangedQuery) Wire(c *wire.Codec) {
	c.String(&q.Query)
	c.Float(&q.Ours)
	c.Float(&q.Theirs)
	c.String(&q.Why)
}
