package learn

import (
	"strconv"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/teach/lesson"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/learn"
)

// Capstone is three anonymous systems: what is known of them, what is claimed, and the report's own claims beside it.
type Capstone struct {
	Learn *screen.Learn
}

// C is the capstone.
func (c *Capstone) C() *screen.Capstone { return c.Learn.Capstone }

// X is the case, nil until it is there.
func (c *Capstone) X() *lesson.Case { return c.C().Case() }

// Live says that the page reacts.
func (c *Capstone) Live() bool { return c.Learn.App.Engine.Phase != state.Loading }

// Off says that claims are not changed any more.
func (c *Capstone) Off() bool { return !c.Live() || c.C().Decided }

// Three are the letters' numbers.
func (c *Capstone) Three() []int { return []int{0, 1, 2} }

// Seed draws other systems.
func (c *Capstone) Seed(event vugu.DOMEvent) { c.C().Another(target(event)) }

// Query chooses whose lists are shown.
func (c *Capstone) Query(event vugu.DOMEvent) {
	if n, err := strconv.Atoi(target(event)); err == nil && n >= 0 && n < len(c.X().Field.Queries) {
		c.C().Query = n
		c.Learn.App.View.Draw()
	}
}

// QueryName is a query in the list of them.
func (c *Capstone) QueryName(i int) string {
	q := c.X().Field.Queries[i]
	return q.Text + " (" + q.Kind + ")"
}

// Head is the head of a system's list for the query.
func (c *Capstone) Head(letter int) []lesson.Shown { return c.X().System(letter).Heads[c.C().Query] }

// Title is that of a document.
func (c *Capstone) Title(s lesson.Shown) string { return say.Visible(c.X().Field.Titles[s.Title]) }

// Grade is its grade, GradeClass the colour of that.
func (c *Capstone) Grade(s lesson.Shown) string {
	if s.Grade == measure.Unjudged {
		return "?"
	}
	return strconv.Itoa(s.Grade)
}

// GradeClass is the colour of a grade.
func (c *Capstone) GradeClass(s lesson.Shown) string {
	if s.Grade == measure.Unjudged {
		return "grade q"
	}
	return "grade g" + strconv.Itoa(min(3, s.Grade))
}

// Value is what a system is worth for a query.
func (c *Capstone) Value(letter, q int) string { return Value(c.X().System(letter).Values[q]) }

// Value writes a figure.
func Value(v float64) string { return say.Page.Number(v, 4) }

// Pairs are the three pairs of letters, and the deviation of their differences.
func (c *Capstone) Pairs() [][]string {
	var out [][]string
	for _, p := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
		out = append(out, []string{lesson.Anonym[p[0]] + " − " + lesson.Anonym[p[1]],
			Value(c.X().Deviation(p[0], p[1]))})
	}
	return out
}

// ByHand says how an interval is worked out from the deviations.
func (c *Capstone) ByHand() string {
	n := strconv.Itoa(c.Count())
	return "How much the differences vary from query to query, over " + n + " queries. By hand, a 95 % interval is " +
		"the mean difference ± 2 × deviation / √" + n + " (Student's). The report's is often wider: it also leaves " +
		"room for queries that were not asked. Either counts."
}

// Count is how many queries there are.
func (c *Capstone) Count() int { return len(c.X().Field.Queries) }

// Which, Best, Apart, Kind and Why take claims.
func (c *Capstone) Which(event vugu.DOMEvent, letter int) {
	c.C().Claim(func(k *lesson.Claims) { k.Which[letter] = place(event) })
}

// Best takes which is best.
func (c *Capstone) Best(event vugu.DOMEvent) {
	c.C().Claim(func(k *lesson.Claims) { k.Best = place(event) })
}

// Apart takes whether they can be told apart.
func (c *Capstone) Apart(event vugu.DOMEvent) {
	c.C().Claim(func(k *lesson.Claims) { k.Apart = place(event) })
}

// Kind takes the kind of query.
func (c *Capstone) Kind(event vugu.DOMEvent) {
	c.C().Claim(func(k *lesson.Claims) { k.Kind = target(event) })
}

// Why takes the reason.
func (c *Capstone) Why(event vugu.DOMEvent) {
	c.C().Claim(func(k *lesson.Claims) { k.Why = target(event) })
}

// place is the number of a choice, −1 for none.
func place(event vugu.DOMEvent) int {
	n, err := strconv.Atoi(target(event))
	if err != nil {
		return -1
	}
	return n
}

// Number takes the difference and its interval.
func (c *Capstone) Number(event vugu.DOMEvent, i int) { c.C().Type(i, target(event)) }

// Decide commits.
func (c *Capstone) Decide(event vugu.DOMEvent) {
	event.PreventDefault()
	c.C().Decide()
}

// Lines are the claims beside the report's.
func (c *Capstone) Lines() []lesson.Line { return c.X().Compare(c.C().Claims) }

// Agrees says it in a word.
func Agrees(l lesson.Line) string {
	if l.Agrees {
		return "✓ the same"
	}
	return "✗ another"
}

// Finding says how many agree.
func (c *Capstone) Finding() string {
	n := 0
	lines := c.Lines()
	for _, l := range lines {
		if l.Agrees {
			n++
		}
	}
	return strconv.Itoa(n) + " of your " + say.Count(len(lines), "claim", "claims") + " " + say.Verb(n, "is", "are") +
		" the report's."
}
