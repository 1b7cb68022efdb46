package report

import (
	"slices"

	"github.com/rankbox/rankbox/core/say"
)

// Finding is what a report says of its first measure: the system that leads, and which others it can be told apart
// from. It follows from the pairs of the report alone: their means, their corrected p and their intervals.
type Finding struct {
	Kind   FindingKind
	Winner int // the system with the best mean; the first of equal ones
	Other  int // the system that Pair is about: the baseline, or the second best if the baseline leads
	// Winner against Other: Diff, Low and High are above 0 where Winner is better, whichever way the measure runs
	Pair   Pair
	Gains  []Pair // the same of every system but Winner, in the order of Beaten, Differs, Same and Untested together
	Beaten []int  // systems that are told apart from Winner, best first
	// those of which a test that is not about the mean says that they differ, but not that Winner is better
	Differs  []int
	Same     []int // those that are not told apart from Winner
	Untested []int // those outside of the family of tested pairs
}

// FindingKind says what there is to say.
type FindingKind string

// The kinds of findings.
const (
	NothingToCompare FindingKind = "nothing to compare" // no query was sent
	OneSystem        FindingKind = "one system"         // Winner
	EqualSystems     FindingKind = "equal"              // all, on every query
	NotApart         FindingKind = "not told apart"     // Winner beats none
	Beats            FindingKind = "beats"              // Winner beats the systems in Beaten
)

// Unanswered says whether a system answered no query: it has no figures, and what stands in their place counts
// for nothing.
func (r *Report) Unanswered(system int) bool {
	return len(r.Queries) > 0 && r.Systems[system].Missing == len(r.Queries)
}

// Finding draws the conclusion. The report is concluded.
func (r *Report) Finding() Finding {
	switch {
	case len(r.Columns) == 0 || len(r.Queries) == 0 || len(r.Systems) == 0:
		return Finding{Kind: NothingToCompare}
	case len(r.Systems) == 1:
		return Finding{Kind: OneSystem}
	}
	c, tests := &r.Columns[0], &Tests{Pairs: r.Pairs}
	order := slices.DeleteFunc(slices.Clone(c.Ranking()), r.Unanswered)
	switch len(order) {
	case 0:
		return Finding{Kind: NothingToCompare}
	case 1:
		return Finding{Kind: OneSystem, Winner: order[0]}
	}
	f := Finding{Winner: order[0], Other: r.Baseline}
	if f.Other == f.Winner || r.Unanswered(f.Other) {
		f.Other = order[1]
	}
	protocol, of := r.Protocol(), map[*[]int][]Pair{}
	equal := true
	for _, i := range order[1:] {
		p, _ := tests.Gain(c, f.Winner, i)
		if i == f.Other {
			f.Pair = p
		}
		equal = equal && p.Better+p.Worse == 0
		list := &f.Same
		switch {
		case !protocol.In(r.Baseline, f.Winner, i):
			list = &f.Untested
		case !p.Apart():
		case p.Low > 0 || p.Low != p.Low && p.Diff > 0 && p.Better > p.Worse:
			list = &f.Beaten
		default:
			list = &f.Differs
		}
		*list = append(*list, i)
		of[list] = append(of[list], p)
	}
	for _, list := range []*[]int{&f.Beaten, &f.Differs, &f.Same, &f.Untested} {
		f.Gains = append(f.Gains, of[list]...)
	}
	switch {
	case equal:
		f.Kind = EqualSystems
	case len(f.Beaten) == 0:
		f.Kind = NotApart
	default:
		f.Kind = Beats
	}
	return f
}

// fewNamed is how many systems a sentence names one by one.
const fewNamed = 4

// longNamed is how many bytes of names a sentence lists, behind the first of them.
const longNamed = 60

// named lists systems, the first few by name.
func (r *Report) named(of []int, join func([]string) string) string {
	var out []string
	length, all := 0, 0
	for _, i := range of {
		all += len(r.Systems[i].Label)
	}
	for at, i := range of {
		length += len(r.Systems[i].Label)
		if len(of) > fewNamed && at == fewNamed-1 || at > 0 && all > longNamed && length > longNamed {
			out = append(out, say.Count(len(of)-at, "other", "others"))
			break
		}
		out = append(out, r.Systems[i].Label)
	}
	return join(out)
}

// Sentence is the finding in words.
func (r *Report) Sentence(style say.Style) string {
	f := r.Finding()
	if f.Kind == NothingToCompare {
		return "There is no query to compare on."
	}
	c, name := &r.Columns[0], func(i int) string { return r.Systems[i].Label }
	on := "On " + r.Count(len(r.Queries)) + ", "
	if r.Collection.Name != "" {
		on = "On " + r.Collection.Name + " (" + r.Count(len(r.Queries)) + "), "
	}
	switch {
	case f.Kind == OneSystem:
		return on + name(0) + " reaches " + style.Number(c.Means[0], 3) + " " + c.Measure + "."
	case f.Kind == EqualSystems && len(r.Systems) == 2:
		return on + name(f.Winner) + " and " + name(f.Other) + " are equal by " + c.Measure +
			r.Words(" on every query.")
	case f.Kind == EqualSystems:
		return on + "all " + style.Int(len(r.Systems)) + " systems are equal to " + name(f.Winner) + " by " +
			c.Measure + r.Words(" on every query.")
	case len(r.Systems) == 2 && f.Kind == Beats:
		return on + name(f.Winner) + " beats " + name(f.Other) + " by " + style.Number(f.Pair.Diff, 3) + " " +
			c.Measure + "."
	case len(r.Systems) == 2 && len(f.Differs) == 0:
		return on + name(f.Winner) + " cannot be told apart from " + name(f.Other) + " by " + c.Measure + " (" +
			style.Signed(r.raw(f.Pair.Diff), 3) + ")."
	}
	text := on + name(f.Winner) + " leads by " + c.Measure
	switch n := len(f.Beaten); {
	case n > fewNamed:
		text += ": it beats " + style.Int(n) + " systems by " + style.Span(f.Gains[0].Diff, f.Gains[n-1].Diff, 3) + "."
	case n > 0:
		var beaten []string
		for i, s := range f.Beaten {
			beaten = append(beaten, name(s)+" by "+style.Number(f.Gains[i].Diff, 3))
		}
		text += ": it beats " + say.And(beaten) + "."
	case len(f.Differs) == 0 && len(f.Same) > 0:
		text += " but cannot be told apart from " + r.named(f.Same, say.Or) + "."
	default:
		text += "."
	}
	if len(f.Differs) > 0 {
		text += " The test says that " + r.named(f.Differs, say.And) + " " + say.Verb(len(f.Differs), "differs",
			"differ") + " from it, but not that the mean is lower."
		if c.Lower {
			text = text[:len(text)-len("lower.")] + "higher."
		}
	}
	if len(f.Same) > 0 && len(f.Beaten)+len(f.Differs) > 0 {
		text += " It cannot be told apart from " + r.named(f.Same, say.Or) + "."
	}
	if len(f.Untested) > 0 {
		text += " Only pairs with the baseline are tested."
	}
	return text
}

// raw turns a gain on the first measure back into a difference of values.
func (r *Report) raw(gain float64) float64 {
	if r.Columns[0].Lower {
		return -gain
	}
	return gain
}

// Note says in a line how sure the finding is; "" where there is none.
func (r *Report) Note(style say.Style) string {
	f := r.Finding()
	switch f.Kind {
	case NothingToCompare:
		return ""
	case OneSystem:
		c := &r.Columns[0]
		if why := c.NoInterval(); why != "" {
			return why
		}
		return "95 % interval " + c.Interval(0, style, 3) + "."
	}
	text, p := "", f.Pair
	if len(r.Systems) > 2 {
		text = "Against " + r.Systems[f.Other].Label + ": "
	}
	switch {
	case p.Low == p.Low:
		text += "95 % interval of the gain " + style.Span(p.Low, p.High, 3) + ", "
	case r.aboutMean():
		text += r.Words("95 % interval: none without bounds of " + r.Measures[0] + " from so few queries, ")
	default:
		text += "95 % interval: none, because the test is not about the mean, "
	}
	text += r.Test.Name + ", "
	if !r.Protocol().In(r.Baseline, f.Winner, f.Other) {
		return text + style.PIs(p.P) + " without correction: the pair is not among those tested."
	}
	if text += r.PIs(&p, style); len(r.Pairs) > 1 {
		text += r.Corrected()
	}
	return text + "."
}

// aboutMean reports whether the test that counts is about the mean difference.
func (r *Report) aboutMean() bool {
	t := r.Protocol().Test
	return t != "wilcoxon" && t != "sign"
}
