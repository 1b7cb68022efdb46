//go:build !first

package measure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Convention is the set of decisions that another tool makes for its users: how it breaks ties, which queries count,
// what it means by a measure's name. Conventions recompute a run as the tool would and say why the figures differ.
type Convention struct {
	Name    string // "trec_eval"
	Version string // the version whose behaviour this is
	Doc     string // its decisions in a sentence or two

	repeats bool // it takes rankings as lists, in which a document may come again
	plan    func(m Measure) (recipe, bool)
}

// recipe is how a convention computes one measure.
type recipe struct {
	as       string  // what the tool calls the measure
	measure  Measure // what that is here
	ties     Ties
	float32  bool // scores are compared in single precision
	identity bool // documents whose id is the query's are dropped
	repeats  bool // entries that repeat a document stay
	missing  missingRule
	mean     bool // its summary is the mean even of measures whose summary is a sum
	decimals int  // the tool rounds every query's value to so many decimals; 0: it does not
	// formula computes the value where no measure here does; nil otherwise. It sees the list, its order and its topic.
	formula func(m Measure, l *List, order []int, t *Topic) float64
	counts  func(m Measure, t *Topic) bool // whether a query counts in the mean; nil: every one
	why     string                         // what formula or counts do differently
}

// missingRule is what a tool does with judged queries that the run lacks.
type missingRule int

const (
	missingScored  missingRule = iota // they are scored as an empty list
	missingNothing                    // they count 0
	missingSkipped
)

// conventions is the list of all, in the order in which they are documented. A new one is one new file and one line
// here.
var conventions = []*Convention{
	&conventionTrecEval,
	&conventionTrecEval9,
	&conventionPytrecEval,
	&conventionIRMeasures,
	&conventionRanx,
	&conventionBEIR,
	&conventionMTEB,
	&conventionSklearn,
	&conventionPyTerrier,
	&conventionAnserini,
	&conventionLlamaIndex,
	&conventionHaystack,
	&conventionHaystack2,
	&conventionMLflow,
	&conventionRagas,
	&conventionAutoRAG,
	&conventionLangSmith,
	&conventionElasticsearch,
	&conventionOpenSearch,
	&conventionOpenSearch31,
	&conventionQuepid,
}

// Conventions returns all conventions, that of the reference first.
func Conventions() []*Convention { return conventions }

// ConventionByName returns the convention of that name, whatever its case and with or without spaces, nil where there
// is none.
func ConventionByName(name string) *Convention {
	name = strings.ReplaceAll(name, " ", "")
	for _, c := range conventions {
		if strings.EqualFold(strings.ReplaceAll(c.Name, " ", ""), name) {
			return c
		}
	}
	return nil
}

// Opinion is what a tool would say about one measure of a run.
type Opinion struct {
	Measure Measure // as it was asked for
	As      string  // what the tool calls it
	Values  []float64
	// Counts[i] says whether list i is part of the mean; its value is 0 otherwise.
	Counts  []bool
	Queries int     // how many lists count
	Mean    float64 // the tool's summary: the mean over the lists that count, the sum for counts
}

// Evaluate recomputes measure m of the lists as the tool would; ok is false where the tool has no such measure.
func (c *Convention) Evaluate(lists []List, m Measure) (o *Opinion, ok bool) {
	q, ok := c.Inquire(m, Policy{})
	if !ok {
		return nil, false
	}
	o = &Opinion{Measure: m, Values: make([]float64, len(lists)), Counts: make([]bool, len(lists))}
	for i := range lists {
		o.Values[i], o.Counts[i] = q.theirs(&lists[i])
	}
	o.As, o.Mean, o.Queries = q.Summary()
	return o, true
}

// An Inquiry asks a convention about one measure, one list after the other, so that no more than one need be in memory.
type Inquiry struct {
	c          *Convention
	p          Policy
	ours, goal recipe
	total      float64
	queries    int
}

// Inquire begins an inquiry about measure m, whose values under policy p are explained; ok is false where the tool has
// no such measure.
func (c *Convention) Inquire(m Measure, p Policy) (q *Inquiry, ok bool) {
	goal, ok := c.plan(m)
	goal.repeats = c.repeats
	if !ok || m.based() { // no tool has the paper's discount
		return nil, false
	}
	q = &Inquiry{c: c, p: p, goal: goal, ours: recipe{measure: p.Apply(m), ties: p.Ties, float32: p.Float32}}
	if p.Missing == MissingSkip {
		q.ours.missing = missingSkipped
	}
	return q, true
}

// Add takes the next list, whose TopGrade is that of all lists, and returns how the convention's value of it differs
// from the policy's, nil where it does not (by more than 1e-9, nor in whether it counts).
func (q *Inquiry) Add(l *List) *Difference {
	v, counts := q.theirs(l)
	return q.c.difference(l, v, counts, q.ours, q.goal, q.p)
}

// theirs returns the tool's value of the next list and whether it counts.
func (q *Inquiry) theirs(l *List) (float64, bool) {
	v, counts := q.goal.score(l)
	if counts {
		q.queries++
		q.total += v
	}
	return v, counts
}

// Summary returns what the tool calls the measure, its summary of the lists so far (the mean over those that count, the
// sum for counts), and how many count.
func (q *Inquiry) Summary() (as string, mean float64, queries int) {
	mean = q.total
	if (q.goal.mean || !q.goal.measure.info.Sum) && q.queries > 0 {
		mean /= float64(q.queries)
	}
	return q.goal.as, mean, q.queries
}

// score returns the value of one list and whether it counts.
func (r *recipe) score(l *List) (float64, bool) {
	if l.Missing {
		switch r.missing {
		case missingNothing:
			return 0, true
		case missingSkipped:
			return 0, false
		}
	}
	o := r.order(l)
	t := l.topic(o)
	if r.counts != nil && !r.counts(r.measure, &t) {
		return 0, false
	}
	v := 0.0
	if r.formula != nil {
		v = r.formula(r.measure, l, o, &t)
	} else {
		v = r.measure.Score(&t)
	}
	if r.decimals > 0 {
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'f', r.decimals, 64), 64)
	}
	return v, true
}

// order returns the recipe's ranking of a list.
func (r *recipe) order(l *List) []int {
	o := order(l.IDs, l.Scores, r.ties, r.float32)
	if !r.repeats {
		o = l.once(o)
	}
	if !r.identity {
		return o
	}
	kept := o[:0]
	for _, i := range o {
		if l.IDs[i] != l.Query {
			kept = append(kept, i)
		}
	}
	return kept
}

// Reason is one decision that changes the value of one query, with the values before and after it is taken. The reasons
// of a query are applied one after the other, in a fixed order, so that they lead from our value to theirs.
type Reason struct {
	Decision      string // "documents", "precision", "ties", "definition", "repeats", "rounding", "missing"
	Before, After float64
	Text          string // one sentence
}

// Difference is a query on which a convention and a policy do not agree.
type Difference struct {
	Query        string
	Ours, Theirs float64
	OursCounts   bool // whether the query is part of the mean
	TheirsCounts bool
	Reasons      []Reason
}

// difference leads from our recipe to the tool's value, one decision at a time.
func (c *Convention) difference(l *List, theirs float64, theirsCounts bool, ours, goal recipe, p Policy) *Difference {
	cut := *l
	if p.Depth > 0 {
		o := l.Order(p)
		cut = l.only(o)
	}
	v, counts := ours.score(&cut)
	d := &Difference{Query: l.Query, Ours: v, OursCounts: counts, Theirs: theirs, TheirsCounts: theirsCounts}
	if math.Abs(d.Ours-d.Theirs) <= 1e-9 && d.OursCounts == d.TheirsCounts {
		return nil
	}
	now := ours
	step := func(decision string, change func(), text func(before, after recipe) string) {
		before := now
		was, _ := before.score(&cut)
		change()
		is, stillCounts := now.score(&cut)
		if math.Abs(was-is) > 1e-12 || stillCounts != counts {
			d.Reasons = append(d.Reasons, Reason{decision, was, is, text(before, now)})
		}
		counts = stillCounts
	}
	was, _ := now.score(&cut)
	cut = *l
	if is, _ := now.score(&cut); was != is {
		d.Reasons = append(d.Reasons, Reason{"depth", was, is,
			fmt.Sprintf("%s reads the whole list, not only the first %d documents", c.Name, p.Depth)})
	}
	step("missing", func() { now.missing = goal.missing }, func(_, after recipe) string {
		switch after.missing {
		case missingSkipped:
			return c.Name + " omits queries that the run lacks"
		case missingNothing:
			return c.Name + " counts queries that the run lacks as 0"
		}
		return c.Name + " scores queries that the run lacks as empty lists"
	})
	step("documents", func() { now.identity = goal.identity }, func(_, _ recipe) string {
		return c.Name + " drops the retrieved document whose id is that of the query"
	})
	step("precision", func() { now.float32 = goal.float32 }, func(before, after recipe) string {
		return c.Name + " keeps scores in single precision" + l.swapped(before, after)
	})
	step("ties", func() { now.ties = goal.ties }, func(before, after recipe) string {
		return c.Name + " orders tied documents " + tieText[after.ties] + l.swapped(before, after)
	})
	step("definition", func() {
		now.measure, now.formula, now.counts = goal.measure, goal.formula, goal.counts
	}, func(before, after recipe) string {
		if after.why != "" {
			return after.why
		}
		if goal.why != "" {
			return goal.why
		}
		return fmt.Sprintf("%s computes %s, the policy asks for %s", c.Name, after.measure, before.measure)
	})
	step("repeats", func() { now.repeats = goal.repeats }, func(_, _ recipe) string {
		return c.Name + " takes the ranking as the run lists it" + l.repeated()
	})
	step("rounding", func() { now.decimals = goal.decimals }, func(_, after recipe) string {
		return fmt.Sprintf("%s rounds to %d decimals", c.Name, after.decimals)
	})
	return d
}

// repeated names the first document that comes again.
func (l *List) repeated() string {
	i := slices.Index(l.Again, true)
	if i < 0 {
		return ""
	}
	return fmt.Sprintf(": document %s is there %d times", l.IDs[i], count(l.IDs, l.IDs[i]))
}

func count(ids []string, id string) (n int) {
	for _, x := range ids {
		if x == id {
			n++
		}
	}
	return n
}

var tieText = [...]string{
	DocIDDesc: "by document id descending",
	DocIDAsc:  "by document id ascending",
	Stable:    "as the file does",
	Input:     "in file order, ignoring scores",
}

// only returns the list with just these documents, in their order.
func (l *List) only(order []int) List {
	c := *l
	c.IDs, c.Scores, c.Grades, c.Again = nil, nil, nil, nil // order has no document twice
	if l.Subtopics != nil {
		c.Subtopics = &Subtopics{Docs: l.Subtopics.Docs}
	}
	if l.Preferences != nil {
		c.Preferences = &Preferences{Docs: l.Preferences.Docs, Groups: l.Preferences.Groups}
	}
	for _, i := range order {
		c.IDs = append(c.IDs, l.IDs[i])
		c.Scores = append(c.Scores, l.Scores[i])
		c.Grades = append(c.Grades, l.Grades[i])
		if l.Subtopics != nil {
			c.Subtopics.Ranked = append(c.Subtopics.Ranked, l.Subtopics.Ranked[i])
		}
		if l.Preferences != nil {
			c.Preferences.Ranked = append(c.Preferences.Ranked, l.Preferences.Ranked[i])
		}
	}
	return c
}

// swapped names the first rank at which two recipes put documents of different grades.
func (l *List) swapped(before, after recipe) string {
	a, b := before.order(l), after.order(l)
	for r := range min(len(a), len(b)) {
		if l.Grades[a[r]] != l.Grades[b[r]] {
			return fmt.Sprintf(": rank %d is %s (%s) instead of %s (%s), both with score %s", r+1,
				l.IDs[b[r]], gradeText(l.Grades[b[r]]), l.IDs[a[r]], gradeText(l.Grades[a[r]]),
				gainText(l.Scores[b[r]]))
		}
	}
	return ""
}

func gradeText(g int32) string {
	if g == Unjudged {
		return "not judged"
	}
	return fmt.Sprintf("grade %d", g)
}
