package report

import (
	"math"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// Conclusion is what a report says of one measure: whether there are data, the system that leads, and how every other
// one stands to it. It follows from the corrected pairs alone. Headline, note, letters, ranks, captions and the
// sentences of figures are rendered from it, so that none of them says what another one denies.
type Conclusion struct {
	Kind   ConclusionKind
	Leader int // the system with the best mean of those that answered; the first of equal ones
	Other  int // the system that Pair is about: the baseline, or the second best if the baseline leads
	// Leader against Other: Diff, Low and High are above 0 where Leader is better, whichever way the measure runs
	Pair   Pair
	Gains  []Pair // the same of all others, in the order of Beaten, Differs, Same and Untested together
	Beaten []int  // systems that Leader is significantly better than, best first
	// those of which a test that is not about the mean says that they differ, but not that Leader is better
	Differs  []int
	Same     []int // those that are not significantly different from Leader
	Untested []int // those outside of the family of tested pairs
	Silent   []int // those that answered no query: nothing is said of them

	report *Report
	column *Column
	tests  *Tests
}

// ConclusionKind says what there is to say.
type ConclusionKind string

// The kinds of conclusions. The first three say that there are no data to conclude from.
const (
	NothingToCompare ConclusionKind = "nothing to compare" // no query is left, or there is no system
	NoneAnswered     ConclusionKind = "none answered"      // no system answered any query
	NoneFound        ConclusionKind = "none found"         // no judged document is among the first of any ranking
	OneSystem        ConclusionKind = "one system"         // Leader is the only one that answered
	EqualSystems     ConclusionKind = "equal"              // all that answered, on every query
	NotDifferent     ConclusionKind = "not different"      // Leader beats none
	Beats            ConclusionKind = "beats"              // Leader beats the systems in Beaten
)

// Relation is how one system stands to another.
type Relation int

// The relations.
const (
	NotTested  Relation = iota // the pair is outside of the family, or one of the two answered nothing
	Equal                      // on every query
	NotApart                   // not significantly different
	Different                  // significantly, by a test that does not say which mean is better
	BetterThan                 // significantly
	WorseThan                  // significantly
)

// Unanswered says whether a system answered no query: it has no figures, and what stands in their place counts
// for nothing.
func (r *Report) Unanswered(system int) bool {
	return len(r.Queries) > 0 && r.Systems[system].Missing == len(r.Queries)
}

// answering counts the systems that answered some query.
func (r *Report) answering() (n int) {
	for s := range r.Systems {
		if !r.Unanswered(s) {
			n++
		}
	}
	return n
}

// Tested reports whether a pair of systems is in the family of the tests, and both answered.
func (r *Report) Tested(a, b int) bool { return r.Protocol().tests(r, a, b) }

// tests is Tested for a protocol that the report need not have among its decisions yet.
func (t Protocol) tests(r *Report, a, b int) bool {
	return !r.Unanswered(a) && !r.Unanswered(b) && (t.Family == "" || a == r.Baseline || b == r.Baseline)
}

// Conclusion concludes from the first measure. The report is concluded.
func (r *Report) Conclusion() *Conclusion {
	return r.ConclusionOn(r.Tests())
}

// ConclusionOn concludes from the tests on a measure: those of TestOn.
func (r *Report) ConclusionOn(t *Tests) *Conclusion {
	x := &Conclusion{Kind: NothingToCompare, report: r, tests: t}
	if len(r.Columns) == 0 || len(r.Queries) == 0 || len(r.Systems) == 0 {
		return x
	}
	x.column = &r.Columns[t.Column]
	order := r.RankingBy(t.Column)
	x.Silent = append(x.Silent, order[r.answering():]...)
	switch order = order[:r.answering()]; len(order) {
	case 0:
		x.Kind = NoneAnswered
		return x
	case 1:
		x.Kind, x.Leader = OneSystem, order[0]
	default:
		x.compare(order)
	}
	if (x.Kind == OneSystem || x.Kind == EqualSystems) && r.noneFound() {
		x.Kind = NoneFound
	}
	return x
}

// noneFound reports whether no judged document is among the first Window of any ranking.
func (r *Report) noneFound() bool {
	some := false
	for s := range r.Coverage {
		u := &r.Coverage[s]
		if u.Top > u.Unjudged {
			return false
		}
		some = some || u.Top > 0
	}
	return some
}

// compare sorts the systems that answered, best mean first, by how they stand to the first.
func (x *Conclusion) compare(order []int) {
	r := x.report
	x.Leader, x.Other = order[0], r.Baseline
	if x.Other == x.Leader || r.Unanswered(x.Other) {
		x.Other = order[1]
	}
	equal, of := true, map[*[]int][]Pair{}
	for _, s := range order[1:] {
		p, _ := x.tests.Gain(x.column, x.Leader, s)
		if s == x.Other {
			x.Pair = p
		}
		equal = equal && p.Better+p.Worse == 0
		list := &x.Same
		switch x.relation(p) {
		case NotTested:
			list = &x.Untested
		case BetterThan:
			list = &x.Beaten
		case Different, WorseThan:
			list = &x.Differs
		}
		*list = append(*list, s)
		of[list] = append(of[list], p)
	}
	for _, list := range []*[]int{&x.Beaten, &x.Differs, &x.Same, &x.Untested} {
		x.Gains = append(x.Gains, of[list]...)
	}
	switch {
	case equal:
		x.Kind = EqualSystems
	case len(x.Beaten) == 0:
		x.Kind = NotDifferent
	default:
		x.Kind = Beats
	}
}

// relation is how B of a pair stands to A, where the pair is turned so that more is better.
func (x *Conclusion) relation(p Pair) Relation {
	surely := func(low, diff float64, better, worse int) bool {
		return low > 0 || low != low && diff > 0 && better > worse
	}
	switch {
	case !x.report.Tested(p.A, p.B):
		return NotTested
	case p.Better+p.Worse == 0:
		return Equal
	case !p.Apart():
		return NotApart
	case surely(p.Low, p.Diff, p.Better, p.Worse):
		return BetterThan
	case surely(-p.High, -p.Diff, p.Worse, p.Better):
		return WorseThan
	}
	return Different
}

// Relation is how system a stands to system b.
func (x *Conclusion) Relation(a, b int) Relation {
	if p, ok := x.tests.Gain(x.column, a, b); ok {
		return x.relation(p)
	}
	return NotTested
}

// Rank is where a system stands among those that answered: Rank by its mean, equal means sharing the better one, and
// between which ranks the tests leave it. All are 0 of a system that answered nothing.
type Rank struct{ Rank, Best, Worst int }

// Ranks returns the rank of every system. Best is one more than the systems that are significantly better, Worst is the
// number of systems less those that are significantly worse. Two systems whose ranks do not overlap share no letter:
// where many systems are significantly between two that are not significantly different, Worst of the better one reaches
// to Best of the other.
func (x *Conclusion) Ranks() []Rank {
	r := x.report
	out := make([]Rank, len(r.Systems))
	if x.column == nil {
		return out
	}
	order := r.RankingBy(x.tests.Column)[:r.answering()]
	for i, s := range order {
		out[s] = Rank{i + 1, 1, len(order)}
		if i > 0 && significance.Difference(x.column.Means[order[i-1]], x.column.Means[s]) == 0 {
			out[s].Rank = out[order[i-1]].Rank
		}
	}
	for _, p := range x.tests.Pairs {
		better, worse := p.B, p.A
		q := turned(x.column, p)
		switch x.relation(q) {
		case BetterThan:
		case WorseThan:
			better, worse = worse, better
		default:
			continue
		}
		out[worse].Best++
		out[better].Worst--
	}
	for _, p := range x.tests.Pairs {
		if how := x.relation(turned(x.column, p)); how == NotApart || how == Equal {
			a, b := &out[p.A], &out[p.B]
			a.Worst, b.Worst = max(a.Worst, b.Best), max(b.Worst, a.Best)
		}
	}
	return out
}

// turned is a pair with its figures above 0 where B is better, whichever way the measure of the column runs.
func turned(c *Column, p Pair) Pair {
	if c.Lower {
		p.Diff, p.Low, p.High, p.Effect = -p.Diff, -p.High, -p.Low, -p.Effect
	}
	return p
}

// lettersOf are the letters of a column's systems, from its corrected pairs: two systems share a letter exactly if
// their pair is not significantly different. If only pairs with the baseline are corrected, there is one letter: those
// that are not significantly different from the baseline have it. Systems that answered nothing have none.
func (r *Report) lettersOf(c *Column, pairs []Pair, t Protocol) []string {
	k := len(c.Means)
	out := make([]string, k)
	if t.Family == BaselineFamily {
		for s := range out {
			if s == r.Baseline || t.tests(r, s, r.Baseline) {
				out[s] = "a"
			}
		}
		for i := range pairs {
			if p := &pairs[i]; p.Apart() {
				out[p.A+p.B-r.Baseline] = ""
			}
		}
		return out
	}
	apart := make([]bool, k*k)
	for i := range pairs {
		apart[pairs[i].A*k+pairs[i].B] = pairs[i].Apart()
	}
	var answered []int
	var means []float64
	for s, v := range c.Means {
		if c.Lower {
			v = -v
		}
		if !r.Unanswered(s) {
			answered, means = append(answered, s), append(means, v)
		}
	}
	for i, g := range significance.Groups(means, func(i, j int) bool { return !apart[answered[i]*k+answered[j]] }) {
		out[answered[i]] = g
	}
	return out
}

// Settle gives the systems the letters that follow from the pairs. In a report that an earlier version saved they are
// those of another test.
func (r *Report) Settle() {
	if len(r.Columns) > 0 && len(r.Pairs) > 0 {
		r.Columns[0].Groups = r.lettersOf(&r.Columns[0], r.Pairs, r.Protocol())
	}
}

// whole are tested pairs among all pairs of systems. Those with a system that answered nothing have no figures.
func (r *Report) whole(tested []Pair) []Pair {
	nan := math.NaN()
	var out []Pair
	for _, p := range significance.Pairs(len(r.Systems)) {
		if r.Unanswered(p[0]) || r.Unanswered(p[1]) {
			out = append(out, Pair{A: p[0], B: p[1], Diff: nan, Low: nan, High: nan, P: nan, Adjusted: nan, Effect: nan})
		} else {
			out, tested = append(out, tested[0]), tested[1:]
		}
	}
	return out
}

// LettersMean says what the letters of the systems mean; things are "Runs" or "Systems".
func (r *Report) LettersMean(things string) string {
	if r.Protocol().Family == BaselineFamily {
		return things + " with a letter are not significantly different from the baseline (" + r.Level() +
			"). Other pairs are not tested."
	}
	return things + " that share a letter are not significantly different (" + r.Level() + ")."
}

// Level says at which level pairs are significantly different: "5 % after Holm over 3 pairs".
func (r *Report) Level() string {
	if r.answering() < 3 {
		return "5 %"
	}
	return "5 %" + r.Corrected()
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

// Sentence is the conclusion from the first measure in words.
func (r *Report) Sentence(style say.Style) string { return r.Conclusion().Sentence(style) }

// Note says in a line how sure that is; "" where there is nothing to be sure of.
func (r *Report) Note(style say.Style) string { return r.Conclusion().Note(style) }

// Sentence is the conclusion in words.
func (x *Conclusion) Sentence(style say.Style) string {
	r := x.report
	queries := r.Count(len(r.Queries))
	on := "On " + queries + ", "
	if r.Collection.Name != "" {
		on = "On " + r.Collection.Name + " (" + queries + "), "
	}
	text := ""
	switch x.Kind {
	case NothingToCompare:
		return r.Words("There is no query to compare on.")
	case NoneAnswered:
		return "No system answered any of " + queries + "."
	case NoneFound:
		return on + "none of the first " + style.Int(Window) + " documents of any ranking is judged."
	case OneSystem:
		text = on + r.Systems[x.Leader].Label + " reaches " + style.Number(x.column.Means[x.Leader], 3) + " " +
			x.column.Measure + "."
	case EqualSystems:
		text = on + x.equal()
	default:
		text = on + x.standing(style)
	}
	if len(x.Silent) > 0 {
		text += " " + r.named(x.Silent, say.And) + r.Words(" answered no query.")
	}
	return text
}

// equal says that all systems that answered are equal.
func (x *Conclusion) equal() string {
	r := x.report
	by := " by " + x.column.Measure + r.Words(" on every query.")
	if others := len(r.Systems) - len(x.Silent); others > 2 {
		return "all " + say.Thousands(others) + " systems are equal to " + r.Systems[x.Leader].Label + by
	}
	return r.Systems[x.Leader].Label + " and " + r.Systems[x.Other].Label + " are equal" + by
}

// standing says how the others stand to the leader.
func (x *Conclusion) standing(style say.Style) string {
	r := x.report
	leader, text := r.Systems[x.Leader].Label, ""
	switch n := len(x.Beaten); {
	case n > fewNamed:
		text = leader + " beats " + style.Int(n) + " systems by " + style.Gap(x.Gains[0].Diff, 3) + " to " +
			style.Gap(x.Gains[n-1].Diff, 3) + " " + x.column.Measure + "."
	case n > 0:
		var beaten []string
		for i, s := range x.Beaten {
			beaten = append(beaten, r.Systems[s].Label+" by "+style.Gap(x.Gains[i].Diff, 3))
		}
		text = leader + " beats " + say.And(beaten) + " " + x.column.Measure + "."
	case len(x.Differs) > 0 || len(x.Same) == 0:
		text = leader + " leads by " + x.column.Measure + "."
	case len(x.Gains) == 1:
		return leader + " is not significantly different from " + r.Systems[x.Other].Label + " by " +
			x.column.Measure + " (" + style.Signed(turned(x.column, x.Pair).Diff, 3) + ")."
	default:
		text = leader + " leads by " + x.column.Measure + " but is not significantly different from " +
			r.named(x.Same, say.Or) + "."
	}
	if len(x.Differs) > 0 {
		side := "lower."
		if x.column.Lower {
			side = "higher."
		}
		text += " The test says that " + r.named(x.Differs, say.And) + " " + say.Verb(len(x.Differs), "differs",
			"differ") + " from " + leader + ", but not that the mean is " + side
	}
	if len(x.Same) > 0 && len(x.Beaten)+len(x.Differs) > 0 {
		text += " " + r.named(x.Same, say.And) + " " + say.Verb(len(x.Same), "is", "are") +
			" not significantly different."
	}
	if len(x.Untested) > 0 {
		text += " Only pairs with the baseline are tested."
	}
	return text
}

// Between says of system a how it stands to system b, with the figures of the test.
func (x *Conclusion) Between(a, b int, style say.Style) string {
	r := x.report
	name := func(s int) string { return r.Letter(s) + " " + say.Brief(r.Systems[s].Label, 60) }
	for _, s := range []int{a, b} {
		if r.Unanswered(s) {
			return name(s) + r.Words(" answered no query.")
		}
	}
	p, ok := x.tests.Pair(b, a)
	if !ok {
		return ""
	}
	by, how := "By "+x.column.Measure+", ", ""
	switch x.relation(turned(x.column, p)) {
	case NotTested:
		return by + name(a) + " is not tested against " + name(b) + ": only pairs with the baseline are."
	case Equal:
		return by + name(a) + " and " + name(b) + r.Words(" are equal on every query.")
	case NotApart:
		how = " is not significantly different from "
	case BetterThan:
		how = " is significantly better than "
	case WorseThan:
		how = " is significantly worse than "
	case Different:
		how = " differs significantly, but not in the mean, from "
	}
	text := by + name(a) + how + name(b) + " (" + style.Signed(p.Diff, 4) + "; " + x.tests.Test.Name + ", " +
		style.PIs(p.Adjusted)
	if r.answering() > 2 {
		text += r.Corrected()
	}
	return text + ")."
}

// Note says in a line how sure the conclusion is; "" where there is nothing to be sure of.
func (x *Conclusion) Note(style say.Style) string {
	r := x.report
	switch x.Kind {
	case NothingToCompare, NoneAnswered, NoneFound:
		return ""
	case OneSystem:
		if why := x.column.NoInterval(); why != "" {
			return why
		}
		return "95 % interval " + x.column.Interval(x.Leader, style, 3) + "."
	}
	text, p := "", x.Pair
	if len(x.Gains) > 1 {
		text = "Against " + r.Systems[x.Other].Label + ": "
	}
	if p.Low == p.Low {
		text += "95 % interval of the gain " + style.Span(p.Low, p.High, 3) + ", "
	}
	text += x.tests.Test.Name + ", "
	if x.Relation(x.Leader, x.Other) == NotTested {
		text += style.PIs(p.P) + " without correction: the pair is not among those tested."
	} else {
		if text += r.PIs(&p, style); len(x.Gains) > 1 {
			text += r.Corrected()
		}
		text += "."
	}
	for _, more := range []string{r.Words(r.NoInterval(x.tests, &p)), r.Unseen(x.tests, &p, style)} {
		if more != "" {
			text += " " + more
		}
	}
	return text
}
