package report

import (
	"math"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/base/wire"
	"github.com/rankbox/rankbox/core/measure/significance"
)

// Test says which test was used and why. Of a report that was saved when these were sentences, the sentences are kept.
type Test struct {
	Name   string // "paired t test"
	Choice significance.Choice
	Hand   string // registry name of the test where it was chosen by hand, "" where by itself
	Detail string // how it was set then: ", with continuity correction"
	Alone  bool   // there is one query, so that intervals are points

	Many          bool // SayMany wrote Written
	Written       string
	WrittenDoubts []string
}

// Why says why the test was chosen, "" where nothing was tested.
func (t *Test) Why(style say.Style) string {
	if t.Written != "" || t.Choice.Reason == "" {
		return t.Written
	}
	automatic := SayReason(t.Choice, style)
	if t.Hand == "" {
		return automatic
	}
	x, err := significance.Lookup(t.Hand)
	switch {
	case err != nil:
		return automatic
	case t.Choice.Test == t.Hand:
		return x.Title + t.Detail + ": chosen by hand, and automatic would be the same. " + automatic
	}
	return x.Title + t.Detail + ": chosen by hand. It assumes: " + say.Lower(x.Assumes) + " Automatic would be: " +
		say.Lower(automatic)
}

// TestDoubts are what is doubtful about the data of tests, a sentence each. They name the pair and the query.
func (r *Report) TestDoubts(t *Tests, style say.Style) []string {
	if t.Test.WrittenDoubts != nil {
		return t.Test.WrittenDoubts
	}
	var out []string
	if t.Test.Alone {
		out = append(out, r.Words("With one query, no test can show a difference."))
	}
	for _, s := range sayDoubts(t.Test.Choice, style, r.doubtful(t)) {
		out = append(out, r.Words(s))
	}
	return out
}

// doubtful names what doubts are about: the pair with the fewest queries that differ, and the query that outweighs the
// others most, with its pair. "" where there is but one pair, or none is known.
type doubtful struct{ few, outweighed, query string }

func (r *Report) doubtful(t *Tests) (x doubtful) {
	if t.Column >= len(r.Columns) {
		return x
	}
	r = r.On(t.Column)
	c, least, most := &r.Columns[t.Column], -1, 0.0
	between := func(p Pair) string {
		if len(t.Pairs) == 1 {
			return ""
		}
		return " between " + r.Letter(p.A) + " and " + r.Letter(p.B)
	}
	for _, p := range t.Pairs {
		if r.Unanswered(p.A) || r.Unanswered(p.B) {
			continue
		}
		if n := p.Better + p.Worse; least < 0 || n < least {
			least, x.few = n, between(p)
		}
		all, largest, at := 0.0, 0.0, 0
		for q := range r.Queries {
			d := math.Abs(c.Values[p.B][q] - c.Values[p.A][q])
			if all += d; d > largest {
				largest, at = d, q
			}
		}
		if all > 0 && largest/all > most {
			most, x.outweighed, x.query = largest/all, between(p), say.Brief(r.Queries[at].ID, 60)
		}
	}
	return x
}

// SayReason says why a test is the one that suits the differences.
func SayReason(c significance.Choice, style say.Style) string {
	queries := say.Count(c.Queries, "query", "queries")
	switch c.Reason {
	case significance.TooFew:
		return queries + ": nothing can be tested."
	case significance.NoneFinite:
		return "No score can be compared: nothing can be tested."
	case significance.NoDifference:
		return "All " + say.Count(c.Queries, "difference", "differences") + " are zero: there is nothing to test."
	case significance.OneSize:
		return "Exact sign test: every difference is zero or of one size, so only the signs matter (McNemar's test)."
	case significance.FewQueries:
		return "Paired randomisation test: with " + queries +
			" the mean of the differences need not be normal, and this test does not assume it."
	case significance.Skewed:
		return "Paired randomisation test: the differences are skewed (" + style.Number(c.Skew, 1) + "), so that for " +
			queries + " their mean need not be normal, and this test does not assume it."
	case significance.NormalMean:
		return "Paired t test: " + queries + " are enough for the mean of differences with this skewness (" +
			style.Number(c.Skew, 1) + " at most) to be about normal."
	}
	return string(c.Reason) // of a later version
}

// sayDoubts says what is doubtful about the differences, a sentence each.
func sayDoubts(c significance.Choice, style say.Style, about doubtful) []string {
	in, tied := about.few, "" // which list of several
	if c.Pairs > 1 {
		tied = " in one of the " + style.Int(c.Pairs) + " pairs"
	}
	var out []string
	for _, d := range c.Doubts {
		few := "Only " + say.Count(d.N, "query differs", "queries differ") + in +
			": even if they all favoured one system, the two-sided p would be " + style.Number(d.P, 3)
		tied := "The " + style.Int(d.Of) + " non-zero differences" + tied + " have only " + say.Count(d.N, "size",
			"sizes") + ": ranks are tied"
		text := string(d.Kind) // of a later version
		switch d.Kind {
		case significance.SomeNotFinite:
			text = "Some scores are not finite numbers; what they are part of has no result."
		case significance.NeverDiffers:
			text = "No query differs" + in + "."
		case significance.FewDiffer:
			text = few + "."
		case significance.FewForSoMany:
			text = few + ", and " + style.Number(d.Adjust, 3) +
				" after Holm's or Bonferroni's correction for as many tests."
		case significance.ManyEqual:
			text = style.Int(d.N) + " of " + say.Count(c.Queries, "query", "queries") + " " + say.Verb(d.N, "does",
				"do") + " not differ" + in + "; the result rests on " + style.Int(d.Of) + "."
		case significance.FewDecide:
			text = "The differences are skewed (" + style.Number(d.Value, 1) + "): few queries decide the mean."
		case significance.OneOutweighs:
			text = "Query " + about.query + " makes up " + style.Percent(d.Value, 0) + " of all differences" +
				about.outweighed + "."
		case significance.TiedRanks:
			text = tied + "."
		case significance.TiedApproximate:
			text = tied + ", and Wilcoxon's p is approximate."
		case significance.LittlePower:
			text = "With " + say.Count(c.Queries, "query", "queries") + " only an effect of " + style.Number(d.Value,
				1) + " standard deviations would be found in 4 of 5 experiments."
		}
		out = append(out, text)
	}
	return out
}

// Wire walks the test.
func (t *Test) Wire(c *wire.Codec) {
	t.sealed(c)
	t.chosen(c)
}

// sealed is what the hash of a report has of its test: its name. What was written about it once has its place there,
// and is empty.
func (t *Test) sealed(c *wire.Codec) {
	c.Fields(&t.Name, &t.Written, &t.WrittenDoubts)
}

// chosen is why it is the test.
func (t *Test) chosen(c *wire.Codec) {
	x := &t.Choice
	c.Fields(&x.Test, (*string)(&x.Reason), &t.Hand, &t.Detail, &x.Queries, &x.Pairs, &x.Skew, &t.Alone)
	wire.List(c, &x.Doubts, func(d *significance.Doubt) {
		c.Fields((*string)(&d.Kind), &d.N, &d.Of, &d.P, &d.Adjust, &d.Value)
	})
}
