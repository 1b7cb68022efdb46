package analysis

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/measure"
)

// Claim is a printed figure: "BM25 nDCG@10 0.665 on SciFact".
type Claim struct {
	Text    string
	Measure measure.Measure
	Value   float64
	Half    float64  // half of the last digit that was printed: what rounding hides
	Words   []string // the others, which may name a run
}

// mostAbove is how far above 1 a figure of a measure that cannot be above it is taken as it is, not for percent: lists
// in which documents repeat give 1.31, 1.63 or 2.
const mostAbove = 5

// ReadClaim finds the measure and the figure in a text. A figure of 5 or more of a measure that lies below 1 is taken
// for percent.
func ReadClaim(text string) (Claim, error) {
	c := Claim{Text: text, Value: math.NaN()}
	known, percent := false, false
	for _, word := range strings.FieldsFunc(text, func(r rune) bool {
		return r == ' ' || r == '=' || r == ':' || r == ',' || r == ';' || r == '\t' || r == '\n'
	}) {
		bare := strings.TrimSuffix(word, "%")
		if v, half, ok := figure(bare); ok && c.Value != c.Value {
			c.Value, c.Half = v, half
			if bare != word {
				c.Value, c.Half, percent = v/100, c.Half/100, true
			}
			continue
		}
		if m, err := measure.Parse(word); err == nil && !known {
			c.Measure, known = m, true
			continue
		}
		c.Words = append(c.Words, word)
	}
	switch {
	case !known:
		return c, say.Faultf("analysis", "%q names no measure: write it as in BM25 nDCG@10 0.665", say.Brief(text, 60))
	case c.Value != c.Value:
		return c, say.Faultf("analysis", "%q has no figure: write it as in BM25 nDCG@10 0.665", say.Brief(text, 60))
	}
	if in := c.Measure.Info(); !percent && c.Value >= mostAbove && in.High <= 1 && c.Value <= 100 {
		c.Value, c.Half = c.Value/100, c.Half/100
	}
	return c, nil
}

// figure reads a decimal number as it is printed, with half of its last digit: .665, 66.5, 6.65e-01.
func figure(word string) (v, half float64, ok bool) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(word), "e")
	// Go's own other ways to write a number, and what no measure reaches
	if strings.Trim(mantissa, "+-.0123456789") != "" || len(strings.TrimLeft(exponent, "+-")) > 2 {
		return 0, 0, false
	}
	v, err := strconv.ParseFloat(word, 64)
	if err != nil {
		return 0, 0, false
	}
	half = .5
	_, decimals, _ := strings.Cut(mantissa, ".")
	for range decimals {
		half /= 10
	}
	if exponent != "" {
		scale, _ := strconv.ParseFloat("1e"+exponent, 64) // it is well formed, or v would not be there
		half *= scale
	}
	return v, half, true
}

// run is the run that a claim names: by its letter, a word of its own, otherwise by a part of its name; -1 for none.
// names are those of the runs behind their letters.
func (c *Claim) run(names []string) int {
	for i, n := range names {
		if letter, _, _ := strings.Cut(n, " "); slices.Contains(c.Words, letter) {
			return i
		}
	}
	for i, n := range names {
		for _, w := range c.Words {
			if len(w) > 1 && strings.Contains(strings.ToLower(n), strings.ToLower(w)) {
				return i
			}
		}
	}
	return -1
}

// decimals is how many were printed.
func (c *Claim) decimals() int {
	n := 0
	for unit := c.Half * 2; unit < 0.99 && n < 20; unit *= 10 {
		n++
	}
	return n
}

// suspect is one way to a figure.
type suspect struct {
	run   int
	value float64
	count int    // how many things would have to be true
	story string // what would have to be true
}

// suppositions are mistakes that are known.
var suppositions = []struct {
	x     compare.Supposition
	story string
}{
	{compare.Supposition{Ideal: true},
		"the ideal ranking used only retrieved documents (a known mistake that inflates values)"},
	{compare.Supposition{Self: true}, "documents with the id of the query were removed from the rankings"},
	{compare.Supposition{Found: true},
		"queries without a relevant document in the ranking were dropped (a known mistake that inflates values)"},
	{compare.Supposition{Again: true},
		"documents that the run lists more than once counted each time (a known mistake that inflates values)"},
	{compare.Supposition{Ideal: true, Found: true},
		"the ideal ranking used only retrieved documents, and queries without results were dropped"},
}

// change is another decision than the claim's policy has.
type change struct {
	story string
	of    func(p *measure.Policy) bool // false where it is so already
}

// changes are the decisions that are tried.
func changes() (out []change) {
	for _, s := range measure.Switches() {
		options := s.Options
		if s.Name == "rel" {
			options = []string{"2"}
		}
		if s.Name == "depth" {
			options = []string{"10", "100"}
		}
		for _, option := range options {
			out = append(out, change{s.Title + ": " + option, func(p *measure.Policy) bool {
				before := *p
				return p.Set(s.Name, option) == nil && *p != before
			}})
		}
	}
	return out
}

// Detect looks for what gives the figure of a claim: each run under the decisions of a policy, by other tools'
// conventions, with mistakes that are known, and by neighbouring measures. Of runs of a grid the parameters are among
// what it finds. cancel may be nil.
func Detect(claim Claim, in compare.Input, style say.Style, cancel func() bool) (Section, error) {
	out := Section{Name: "detective", Part: Luck, Title: "Where does " + say.Visible(strings.TrimSpace(claim.Text)) +
		" come from"}
	notation := claim.Measure.String()
	in.Measures = []string{notation}
	var found []suspect
	tried := 0
	add := func(means []float64, count int, story string) {
		for run, v := range means {
			tried++
			if v-v == 0 {
				found = append(found, suspect{run, v, count, story})
			}
		}
	}
	open := func(in compare.Input) (*compare.Comparison, error) {
		if cancel != nil && cancel() {
			return nil, compare.ErrCancelled
		}
		return compare.Open(in)
	}
	c, err := open(in)
	if err != nil {
		return out, err
	}
	changes := changes()
	all := func(c *compare.Comparison, count int, story string) error {
		means, err := c.Evaluation.Means(cancel)
		if err != nil {
			return err
		}
		add(means[0], count, story)
		return nil
	}
	if err := all(c, 0, "the measure as Rankbox defines it"); err != nil {
		return out, err
	}
	for i, a := range changes {
		one := in
		if !a.of(&one.Policy) {
			continue
		}
		if c, err := open(one); err == nil {
			if err := all(c, 1, a.story); err != nil {
				return out, err
			}
		} else if err == compare.ErrCancelled {
			return out, err
		}
		for _, b := range changes[i+1:] {
			two := one
			if !b.of(&two.Policy) || strings.HasPrefix(b.story, strings.SplitAfter(a.story, ":")[0]) ||
				len(in.Runs) > 20 {
				continue
			}
			if c, err := open(two); err == nil {
				if err := all(c, 2, a.story+"; "+b.story); err != nil {
					return out, err
				}
			} else if err == compare.ErrCancelled {
				return out, err
			}
		}
	}
	repeats := slices.ContainsFunc(in.Runs, func(r compare.Named) bool { return r.Run.Repeats() })
	for _, s := range suppositions {
		if s.x.Again && !repeats {
			continue
		}
		means, _, err := c.Suppose(notation, s.x)
		if err != nil {
			return out, err
		}
		add(means, 1+strings.Count(s.story, " and queries"), s.story)
	}
	if opinions, err := c.Opinions(notation, cancel); err == nil {
		for _, o := range opinions {
			if o.As != "" {
				add(o.Means, 1, "computed by "+o.Tool+" "+o.Version+" as "+o.As)
			}
		}
	} else if err == compare.ErrCancelled {
		return out, err
	}
	for _, other := range neighbours(claim.Measure) {
		near := in
		near.Measures = []string{other}
		c, err := open(near)
		if err == compare.ErrCancelled {
			return out, err
		}
		if err != nil {
			continue
		}
		if err := all(c, 1, "it is "+other+" and not "+notation); err != nil {
			return out, err
		}
	}
	return out.tell(claim, letterNames(c), found, tried, style), nil
}

// tell writes what was found: what fits first, by how little it assumes, the run that the claim names before others.
// names are those of the runs behind their letters.
func (out Section) tell(claim Claim, names []string, found []suspect, tried int, style say.Style) Section {
	named := claim.run(names)
	off := func(s suspect) float64 { return math.Abs(s.value - claim.Value) }
	fits := func(s suspect) bool { return off(s) <= claim.Half+1e-9 }
	before := func(a, b suspect) int {
		if fa, fb := fits(a), fits(b); fa != fb {
			return map[bool]int{true: -1, false: 1}[fa]
		}
		if !fits(a) {
			return cmp.Compare(off(a), off(b))
		}
		if (a.run == named) != (b.run == named) && named >= 0 {
			return map[bool]int{true: -1, false: 1}[a.run == named]
		}
		return cmp.Compare(a.count, b.count)
	}
	sort.SliceStable(found, func(i, j int) bool { return before(found[i], found[j]) < 0 })
	hits := 0
	for hits < len(found) && fits(found[hits]) {
		hits++
	}
	show := found[:min(max(hits, 5), 12, len(found))]
	notation := claim.Measure.String()
	t := Table{Caption: "Explanations of the figure, fewest assumptions first",
		Columns: []string{"Run", "Value", "Off by", "Fits", "Assumption"}}
	for _, s := range show {
		t.Rows = append(t.Rows, []Cell{Words(names[s.run]), Number(s.value, 5), Signed(s.value-claim.Value, 5),
			Words(map[bool]string{true: "yes", false: "no"}[fits(s)]), Words(s.story)})
	}
	out.Tables = []Table{t}
	_, decimals, _ := strings.Cut(strconv.FormatFloat(claim.Value, 'f', -1, 64), ".")
	figure := style.Number(claim.Value, len(decimals))
	switch {
	case len(found) == 0:
		out.Sentence, out.Tables = "No run has a value of "+notation+".", nil
	case hits == 0:
		out.Sentence = "No attempt gives " + figure + "; the nearest is " + style.Number(found[0].value, 4) + " (" +
			names[found[0].run] + ": " + found[0].story + ")."
	case found[0].count == 0:
		out.Sentence = figure + " is what " + names[found[0].run] + " has, nothing being assumed."
	default:
		out.Sentence = figure + " comes out for " + names[found[0].run] + " if " + say.Lower(found[0].story) + "."
	}
	if hits > 0 && found[0].count > 0 {
		share, least, most := coincidences(claim, found)
		out.Sentence += " The values tried would explain " + style.Percent(share, 0) + " of random figures between " +
			style.Number(least, len(decimals)) + " and " + style.Number(most, len(decimals)) + "."
	}
	out.Notes = []string{strconv.Itoa(tried) + " values were tried: conventions alone and in pairs, known mistakes, " +
		"other tools' conventions, neighbouring measures, every run. Fits means within half of the last printed digit."}
	return out
}

// coincidences is the share of figures, printed as the claim is, that some value explains, of all those between the
// least and the largest of the values: a figure that means nothing would be explained as often.
func coincidences(claim Claim, found []suspect) (share, least, most float64) {
	step := 2 * claim.Half
	first, last := math.Inf(1), math.Inf(-1)
	printed := map[float64]bool{}
	for _, s := range found {
		at := math.Round(s.value / step)
		first, last, printed[at] = min(first, at), max(last, at), true
	}
	return float64(len(printed)) / (last - first + 1), float64(first * step), float64(last * step)
}

// neighbours are measures that are taken for one another: other cutoffs, other levels, and those of the same use.
func neighbours(m measure.Measure) (out []string) {
	head, _, _ := strings.Cut(m.String(), "@")
	for _, k := range []int{1, 3, 5, 10, 20, 50, 100, 1000} {
		out = append(out, head+"@"+strconv.Itoa(k))
	}
	out = append(out, head)
	if k := m.Cutoff(); k > 0 {
		for _, name := range []string{"nDCG", "AP", "RR", "P", "R", "Success"} {
			out = append(out, name+"@"+strconv.Itoa(k))
		}
	}
	out = slices.DeleteFunc(out, func(s string) bool {
		p, err := measure.Parse(s)
		return err != nil || p.String() == m.String()
	})
	slices.Sort(out)
	return slices.Compact(out)
}
