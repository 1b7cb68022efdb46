//go:build !first

package measure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Convention is another tool's set of decisions: its tie-breaking, the queries that count, its meaning of a
// measure's name. Conventions recompute a run as the tool would and explain the differences.
type Convention struct {
	Name    string // "trec_eval"
	Version string // the reproduced version
	Doc     string // its decisions in one or two sentences

	repeats bool // rankings are lists that may repeat a document
	grades  gradeRule
	plan    func(m Measure) (recipe, bool)
}

// recipe is a convention's way to compute one measure.
type recipe struct {
	as       string  // the tool's name of the measure
	measure  Measure // our equivalent
	ties     Ties
	float32  bool // compare scores in single precision
	identity bool // drop documents whose id equals the query's
	repeats  bool // keep repeated documents
	grades   gradeRule
	missing  missingRule
	mean     bool // the summary is the mean, even for measures with a sum
	decimals int  // the tool rounds every query's value to so many decimals; 0: never
	// formula computes values that no measure here has, else nil. It receives the list, its order and its topic.
	formula func(m Measure, l *List, order []int, t *Topic) float64
	counts  func(m Measure, t *Topic) bool // whether a query counts in the mean; nil: always
	why     string                         // explains formula or counts
}

// gradeRule is a tool's treatment of grades with decimals.
type gradeRule int

const (
	gradesTaken   gradeRule = iota
	gradesCut               // the decimals are cut off
	gradesRefused           // an error; the value is that of the file with the decimals cut off
)

// missingRule is a tool's treatment of judged queries that the run lacks.
type missingRule int

const (
	missingScored  missingRule = iota // scored as an empty list
	missingNothing                    // counted as 0
	missingSkipped
)

// conventions lists all conventions in the order of the documentation. Add a convention with one file and one line
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

// Conventions returns all conventions, the reference's first.
func Conventions() []*Convention { return conventions }

// ConventionByName returns the convention with a name, ignoring case and spaces, or nil.
func ConventionByName(name string) *Convention {
	name = strings.ReplaceAll(name, " ", "")
	for _, c := range conventions {
		if strings.EqualFold(strings.ReplaceAll(c.Name, " ", ""), name) {
			return c
		}
	}
	return nil
}

// ConventionResult is a tool's evaluation of a run by one measure.
type ConventionResult struct {
	Measure Measure // as requested
	As      string  // the tool's name
	Values  []float64
	// Counts[i] reports whether list i is part of the mean. Its value is 0 otherwise.
	Counts  []bool
	Queries int     // number of lists that count
	Mean    float64 // the tool's summary: the mean over the lists that count, or the sum for counts
}

// Evaluate recomputes measure m of the lists as the tool would. ok is false if the tool lacks the measure.
func (c *Convention) Evaluate(lists []List, m Measure) (o *ConventionResult, ok bool) {
	q, ok := c.Inquire(m, Policy{})
	if !ok {
		return nil, false
	}
	o = &ConventionResult{Measure: m, Values: make([]float64, len(lists)), Counts: make([]bool, len(lists))}
	for i := range lists {
		o.Values[i], o.Counts[i] = q.toolValue(&lists[i])
	}
	o.As, o.Mean, o.Queries = q.Summary()
	return o, true
}

// An Inquiry recomputes one measure list by list, so that only one list needs to be in memory.
type Inquiry struct {
	c          *Convention
	p          Policy
	ours, goal recipe
	total      float64
	queries    int
}

// Inquire starts an inquiry about measure m that explains differences to its values under policy p. ok is false if
// the tool lacks the measure.
func (c *Convention) Inquire(m Measure, p Policy) (q *Inquiry, ok bool) {
	goal, ok := c.plan(m)
	goal.repeats, goal.grades = c.repeats, c.grades
	// No tool has the original paper's discount, and no level between two whole grades if it reads those alone.
	if !ok || m.hasBase() || c.grades != gradesTaken && !isWhole(m.rel) {
		return nil, false
	}
	q = &Inquiry{c: c, p: p, goal: goal, ours: recipe{measure: p.Apply(m), ties: p.Ties, float32: p.Float32}}
	if p.Missing == MissingSkip {
		q.ours.missing = missingSkipped
	}
	return q, true
}

// Add takes the next list, whose TopGrade is that of all lists. It returns how the convention's value differs from
// the policy's, or nil if both agree (within 1e-9, and on whether the query counts).
func (q *Inquiry) Add(l *List) *Difference {
	v, counts := q.toolValue(l)
	return q.c.difference(l, v, counts, q.ours, q.goal, q.p)
}

// toolValue returns the tool's value of the next list and whether that counts.
func (q *Inquiry) toolValue(l *List) (float64, bool) {
	v, counts := q.goal.score(l)
	if counts {
		q.queries++
		q.total += v
	}
	return v, counts
}

// Summary returns the tool's name of the measure, its summary of the lists so far (the mean over those that count,
// the sum for counts), and how many count.
func (q *Inquiry) Summary() (as string, mean float64, queries int) {
	mean = q.total
	if (q.goal.mean || !q.goal.measure.info.Sum) && q.queries > 0 {
		mean /= float64(q.queries)
	}
	return q.goal.as, mean, q.queries
}

// score returns the value of one list and whether that counts.
func (r *recipe) score(l *List) (float64, bool) {
	if r.grades != gradesTaken {
		l = l.wholeGrades()
	}
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

// isWhole reports whether a grade has no decimals.
func isWhole(grade float64) bool { return grade == math.Trunc(grade) }

// wholeGrades returns the list with the decimals of its grades cut off.
func (l *List) wholeGrades() *List {
	c := *l
	c.TopGrade = math.Trunc(l.TopGrade)
	c.Grades, c.Judged = cutDecimals(l.Grades), cutDecimals(l.Judged)
	if s := l.Subtopics; s != nil {
		c.Subtopics = s.wholeGrades(s.Ranked)
	}
	return &c
}

// wholeGrades returns the judgments with the decimals of their grades cut off, and a ranking.
func (s *Subtopics) wholeGrades(ranked []int32) *Subtopics {
	docs := make([][]float64, len(s.Docs))
	for i := range docs {
		docs[i] = cutDecimals(s.Docs[i])
	}
	return &Subtopics{Docs: docs, Ranked: ranked}
}

// cutDecimals returns the grades without decimals: the same slice if none has any.
func cutDecimals(grades []float64) []float64 {
	if !slices.ContainsFunc(grades, func(g float64) bool { return !isWhole(g) }) {
		return grades
	}
	out := make([]float64, len(grades))
	for i, g := range grades {
		out[i] = math.Trunc(g)
	}
	return out
}

// order returns the recipe's ranking of a list.
func (r *recipe) order(l *List) []int {
	o := order(l.IDs, l.Scores, r.ties, r.float32)
	if !r.repeats {
		o = l.withoutRepeats(o)
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

// Reason is one decision that changes the value of a query, with the values before and after it. Reasons apply in a
// fixed order and lead from our value to theirs.
type Reason struct {
	Decision      string // "documents", "grades", "precision", "ties", "definition", "repeats", "rounding", "missing"
	Before, After float64
	Text          string // one sentence
}

// Difference is a query on which a convention and a policy disagree.
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
		cut = l.restrictedTo(o)
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
	step("grades", func() { now.grades = goal.grades }, func(_, after recipe) string {
		if after.grades == gradesRefused {
			return c.Name + " refuses grades with decimals: this is its value after they are cut off"
		}
		return c.Name + " cuts the decimals off grades"
	})
	step("precision", func() { now.float32 = goal.float32 }, func(before, after recipe) string {
		return c.Name + " keeps scores in single precision" + l.firstSwap(before, after)
	})
	step("ties", func() { now.ties = goal.ties }, func(before, after recipe) string {
		return c.Name + " orders tied documents " + tieText[after.ties] + l.firstSwap(before, after)
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
		return c.Name + " takes the ranking as the run lists it" + l.firstRepeat()
	})
	step("rounding", func() { now.decimals = goal.decimals }, func(_, after recipe) string {
		return fmt.Sprintf("%s rounds to %d decimals", c.Name, after.decimals)
	})
	return d
}

// firstRepeat returns the first repeated document.
func (l *List) firstRepeat() string {
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

// restrictedTo returns the list restricted to these documents, in their order.
func (l *List) restrictedTo(order []int) List {
	c := *l
	c.IDs, c.Scores, c.Grades, c.Again = nil, nil, nil, nil // order contains no document twice
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

// firstSwap returns the first rank at which two recipes have documents of different grades.
func (l *List) firstSwap(before, after recipe) string {
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

func gradeText(g float64) string {
	if g == Unjudged {
		return "not judged"
	}
	return "grade " + gainText(g)
}
