package compare

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/float"
	"github.com/rankbox/rankbox/core/internal/sha256"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/wire"
)

// Report is what is said of the runs over all queries: everything that an experiment's report says, with a run for a system, and
// what only runs of unknown origin need. It holds no time, no path and no document id; the same Input gives the same Report, bit
// for bit, natively and in wasm. Hash (of the embedded report) is the SHA-256 of all of it.
type Report struct {
	experiment.Report
	Policies []Setting // every decision that changes figures, in the order of measure.Switches; then those of experiment.TestSwitches that are not at their default
	Applied  []string  // what each measure means under the policies
	Runs     []Run     // a system
	Extra    []Extra   // a column
	Stats    Stats     // of the judgments
	Fields   []Field   // aggregates by the fields of the queries that have at least two values
	Skipped  []string  // judged queries that the policies leave out
	Warnings []string  // about the runs and the judgments; those about the test are in Test
}

// Setting is one decision of the policy.
type Setting struct {
	Name, Option, Doc string
	Default           bool
}

// Run is what was read of one run. Documents of queries without judgments are not counted.
type Run struct {
	Tag      string
	Queries  int      // judged queries it has
	Missing  []string // judged queries it lacks, the first few; System.Missing counts them
	Foreign  int      // queries it has that nobody judged; left out
	Entries  int      // documents of the judged queries
	Unjudged int      // of them, those among the first Window of a query that the qrels do not name
	Looked   int      // documents among the first Window, over all queries
	Tied     int      // documents that share their score with another one of the query
	TiedIn   int      // queries with such documents
}

// Extra is what a Column does not say. All slices have one entry a system.
type Extra struct {
	Geometric []float64 // geometric mean, as trec_eval's gm_map: values below 0.00001 count as that
	Median    []float64
	TieLow    []float64 // mean over the queries of the lowest value that any order of tied documents gives
	TieHigh   []float64
	// ResidualLow and ResidualHigh are the means of the least and most that the value could be were the unjudged documents of the
	// rankings judged after all. NaN where the measure has no such bounds, and where finding them costs more than Budget: ask
	// Comparison.Residuals then.
	ResidualLow  []float64
	ResidualHigh []float64
	Lower        bool // smaller is better
}

// Stats describes the judgments.
type Stats struct {
	Queries, Judgments int
	Relevant           int     // judgments with a grade of at least the level (1, or what the policy says)
	Barren             int     // queries without a relevant document
	Grades             []Grade // ascending
	// RelevantMin, RelevantMedian and RelevantMax are of the relevant documents a query.
	RelevantMin, RelevantMax int
	RelevantMedian           float64
}

// Grade is how often a grade was given.
type Grade struct{ Grade, Count int }

// Field is one field of the queries with the values it takes.
type Field struct {
	Name   string // "type", "difficulty", "domain"
	Groups []Group
}

// Group is the queries that share a value.
type Group struct {
	Value   string
	Queries int
	Means   [][]float64 // [measure][system]
}

// Window is how many documents of a ranking are looked at for unjudged ones.
const Window = 10

// Budget bounds the work for bounds: residuals that cost the square of the list's length are in the report where the squares, over
// all queries and runs, sum to no more.
const Budget = 4 << 20

// Wire walks the report.
func (r *Report) Wire(c *wire.Codec) {
	r.Report.Wire(c)
	wire.List(c, &r.Policies, func(s *Setting) {
		c.String(&s.Name)
		c.String(&s.Option)
		c.String(&s.Doc)
		c.Bool(&s.Default)
	})
	c.Strings(&r.Applied)
	wire.List(c, &r.Runs, func(u *Run) {
		c.String(&u.Tag)
		c.Strings(&u.Missing)
		for _, i := range []*int{&u.Queries, &u.Foreign, &u.Entries, &u.Unjudged, &u.Looked, &u.Tied, &u.TiedIn} {
			c.Int(i)
		}
	})
	wire.List(c, &r.Extra, func(e *Extra) {
		for _, v := range e.columns() {
			c.Floats(v)
		}
		c.Bool(&e.Lower)
	})
	for _, i := range []*int{&r.Stats.Queries, &r.Stats.Judgments, &r.Stats.Relevant, &r.Stats.Barren, &r.Stats.RelevantMin, &r.Stats.RelevantMax} {
		c.Int(i)
	}
	c.Float(&r.Stats.RelevantMedian)
	wire.List(c, &r.Stats.Grades, func(g *Grade) { c.Int(&g.Grade); c.Int(&g.Count) })
	wire.List(c, &r.Fields, func(f *Field) {
		c.String(&f.Name)
		wire.List(c, &f.Groups, func(g *Group) {
			c.String(&g.Value)
			c.Int(&g.Queries)
			wire.List(c, &g.Means, c.Floats)
		})
	})
	c.Strings(&r.Skipped)
	c.Strings(&r.Warnings)
	if c.Reading() && !r.fits() {
		c.Fail()
	}
}

func (e *Extra) columns() []*[]float64 {
	return []*[]float64{&e.Geometric, &e.Median, &e.TieLow, &e.TieHigh, &e.ResidualLow, &e.ResidualHigh}
}

// fits checks that a report that was read has the shape that everything relies on.
func (r *Report) fits() bool {
	n, m := len(r.Systems), len(r.Measures)
	if len(r.Applied) != m || len(r.Runs) != n || len(r.Extra) != m {
		return false
	}
	for i := range r.Extra {
		for _, v := range r.Extra[i].columns() {
			if len(*v) != n {
				return false
			}
		}
	}
	for _, f := range r.Fields {
		for _, g := range f.Groups {
			if len(g.Means) != m {
				return false
			}
			for _, v := range g.Means {
				if len(v) != n {
					return false
				}
			}
		}
	}
	return true
}

// seal sets the hash.
func (r *Report) seal() {
	r.Hash = ""
	r.Hash = sha256.Hex(wire.Marshal(r))
}

// Best returns the systems with the best mean of a column: the largest, or the smallest where smaller is better. Equal means share.
func (r *Report) Best(column int) []int {
	var out []int
	best := math.Inf(-1)
	for i, v := range r.Columns[column].Means {
		if r.Extra[column].Lower {
			v = -v
		}
		switch {
		case v > best:
			best, out = v, []int{i}
		case v == best:
			out = append(out, i)
		}
	}
	return out
}

// Ranking returns the systems in the order of a leaderboard: best mean of the first column first, equal means in the order of the
// runs.
func (r *Report) Ranking() []int {
	if len(r.Columns) == 0 {
		out := make([]int, len(r.Systems))
		for i := range out {
			out[i] = i
		}
		return out
	}
	return r.Columns[0].Ranking()
}

// Report measures the runs and tests their differences. cancel is polled between queries and between resamples, progress is
// called with what is done of the lists to be measured; both may be nil.
func (c *Comparison) Report(cancel func() bool, progress func(done, total int)) (*Report, error) {
	r := &Report{}
	r.Baseline = c.in.Baseline
	r.Collection = experiment.Ref{Name: c.in.Name, Queries: len(c.queries), Judgments: c.in.Qrels.Len()}
	for i, s := range measure.Switches() {
		r.Policies = append(r.Policies, setting(c.in.Policy, i, s))
	}
	r.Policies = append(r.Policies, tested(c.in.Testing)...)
	level := int32(max(c.in.Policy.Rel, 1))
	r.Stats = c.stats(level)
	for i, m := range c.measures {
		r.Measures = append(r.Measures, m.String())
		r.Applied = append(r.Applied, c.applied[i].String())
		r.Columns = append(r.Columns, experiment.Column{Measure: m.String(), Values: make([][]float64, len(c.runs))})
		r.Extra = append(r.Extra, Extra{Lower: m.Info().Lower})
	}
	var grades []int32
	for _, q := range c.queries {
		f := c.fields[q]
		t := experiment.Topic{ID: q, Text: f.Text, Type: f.Type, Difficulty: f.Difficulty}
		grades = c.in.Qrels.Grades(q, grades)
		for _, g := range grades {
			if g >= level {
				t.Relevant++
			}
		}
		r.Queries = append(r.Queries, t)
	}
	var t measure.Topic
	total := len(c.runs) * len(c.queries)
	affordable := c.squares() <= Budget
	var wider []string // where not every order of ties could be tried
	for s, run := range c.runs {
		info := Run{Tag: run.Tag}
		for _, q := range run.Queries() {
			if !c.in.Qrels.Has(q) {
				info.Foreign++
			}
		}
		sys := experiment.System{Label: c.names[s]}
		low, high := make([][2]float64, len(c.applied)), make([][2]float64, len(c.applied)) // ties, residual
		open := make([]int, len(c.applied))                                                 // queries with more orders of ties than were tried
		known := make([]bool, len(c.applied))
		for i, a := range c.applied {
			known[i] = affordable || a.Info().QuickResidual()
		}
		for q := range c.queries {
			if cancel != nil && cancel() {
				return nil, ErrCancelled
			}
			c.topic(&t, s, q)
			if t.Missing {
				sys.Missing++
				if len(info.Missing) < 10 {
					info.Missing = append(info.Missing, t.Query)
				}
			} else {
				info.Queries++
			}
			tied := info.count(&t)
			var cuts []measure.Range
			if x, ok := c.cutOf(s, q); ok {
				cuts = x.ranges(c.applied)
				c.topic(&t, s, q)
				if x.from+1 == x.depth { // not counted: it shares its score with documents behind the cut only
					if info.Tied++; !tied {
						info.TiedIn++
					}
				}
			}
			for m, a := range c.applied {
				v := a.Score(&t)
				r.Columns[m].Values[s] = append(r.Columns[m].Values[s], v)
				lo, hi := v, v
				tr := measure.Range{Low: v, High: v, Exact: true}
				switch {
				case cuts != nil:
					tr = cuts[m]
				case tied:
					tr = a.TieRange(&t)
				}
				if lo, hi = tr.Low, tr.High; !tr.Exact {
					open[m]++
				}
				low[m][0] += lo
				high[m][0] += hi
				if !known[m] {
					continue
				}
				res, ok := a.Residual(&t)
				known[m] = ok
				low[m][1] += res.Low
				high[m][1] += res.High
			}
			if progress != nil {
				progress(s*len(c.queries)+q+1, total)
			}
		}
		for m, n := range open {
			if n > 0 {
				wider = append(wider, c.names[s]+wideTies+say.Count(n, "query", "queries")+" not every order of tied documents was tried: the range of "+r.Measures[m]+" over them may be wider than it says")
			}
		}
		if sys.Missing > 0 {
			sys.Why = "the run has no list for them"
		}
		r.Systems = append(r.Systems, sys)
		r.Runs = append(r.Runs, info)
		n := float64(max(len(c.queries), 1))
		for m := range c.applied {
			e := &r.Extra[m]
			values := r.Columns[m].Values[s]
			e.Geometric = append(e.Geometric, geometric(values))
			e.Median = append(e.Median, median(values))
			e.TieLow = append(e.TieLow, low[m][0]/n)
			e.TieHigh = append(e.TieHigh, high[m][0]/n)
			lo, hi := low[m][1]/n, high[m][1]/n
			if !known[m] || len(c.queries) == 0 {
				lo, hi = math.NaN(), math.NaN()
			}
			e.ResidualLow = append(e.ResidualLow, lo)
			e.ResidualHigh = append(e.ResidualHigh, hi)
		}
	}
	r.Fields = c.byField(r)
	r.Skipped = slices.Clone(c.skipped)
	r.Warnings = append(c.warnings(r), wider...)
	if err := r.ConcludeBy(c.in.Testing, cancel); err != nil {
		return nil, err
	}
	r.Finding, r.Note = r.finding()
	r.seal()
	return r, nil
}

// wideTies stands behind a run's name in the warning that orders of ties are left.
const wideTies = ": in "

// squares returns the sum of the squares of the lengths of all lists.
func (c *Comparison) squares() int {
	n := 0
	for _, r := range c.runs {
		for _, q := range c.queries {
			if i := r.Query(q); i >= 0 {
				k := r.Size(i)
				if d := c.in.Policy.Depth; d > 0 {
					k = min(k, d)
				}
				n += k * k
			}
		}
	}
	return n
}

// setting returns decision i of a policy.
func setting(p measure.Policy, i int, s measure.Switch) Setting {
	out := Setting{Name: s.Name, Doc: s.Doc, Default: true}
	if len(s.Options) > 0 {
		out.Option = s.Options[0]
	} else {
		out.Option = "default"
	}
	for _, pair := range strings.Fields(p.String()) {
		if name, option, _ := strings.Cut(pair, "="); name == s.Name {
			out.Option, out.Default = option, false
		}
	}
	return out
}

// count counts what the ranking of a query has and reports whether there are ties.
func (u *Run) count(t *measure.Topic) bool {
	u.Entries += len(t.Ranked)
	for i, g := range t.Ranked {
		if i == Window {
			break
		}
		u.Looked++
		if g == measure.Unjudged {
			u.Unjudged++
		}
	}
	before := u.Tied
	for i := range t.Scores {
		if i > 0 && t.Scores[i] == t.Scores[i-1] || i+1 < len(t.Scores) && t.Scores[i] == t.Scores[i+1] {
			u.Tied++
		}
	}
	if u.Tied == before {
		return false
	}
	u.TiedIn++
	return true
}

func (c *Comparison) stats(level int32) Stats {
	s := Stats{Queries: len(c.queries)}
	var grades []int32
	var relevant []int
	counts := map[int32]int{}
	for _, q := range c.queries {
		grades = c.in.Qrels.Grades(q, grades)
		n := 0
		for _, g := range grades {
			counts[g]++
			s.Judgments++
			if g >= level {
				n++
			}
		}
		s.Relevant += n
		if n == 0 {
			s.Barren++
		}
		relevant = append(relevant, n)
	}
	for g, n := range counts {
		s.Grades = append(s.Grades, Grade{int(g), n})
	}
	slices.SortFunc(s.Grades, func(a, b Grade) int { return a.Grade - b.Grade })
	if n := len(relevant); n > 0 {
		slices.Sort(relevant)
		s.RelevantMin, s.RelevantMax = relevant[0], relevant[n-1]
		s.RelevantMedian = float64(relevant[(n-1)/2]+relevant[n/2]) / 2
	}
	return s
}

// fieldsOf lists the fields that queries are grouped by.
var fieldsOf = []struct {
	name string
	of   func(q collection.Query) string
}{
	{"type", func(q collection.Query) string { return q.Type }},
	{"difficulty", func(q collection.Query) string { return q.Difficulty }},
	{"domain", func(q collection.Query) string { return q.Domain }},
}

// byField aggregates by every field with at least two values; queries without one are a group of their own, "".
func (c *Comparison) byField(r *Report) []Field {
	var out []Field
	for _, f := range fieldsOf {
		if groups := r.By(func(q int) string { return f.of(c.fields[c.queries[q]]) }); len(groups) > 1 {
			out = append(out, Field{f.name, groups})
		}
	}
	return out
}

// By aggregates the queries by anything that can be said of them: of returns the value of query q (a place in Queries). The groups are
// in the order of their values.
func (r *Report) By(of func(q int) string) []Group {
	members := map[string][]int{}
	for q := range r.Queries {
		v := of(q)
		members[v] = append(members[v], q)
	}
	var values []string
	for v := range members {
		values = append(values, v)
	}
	slices.Sort(values)
	var out []Group
	for _, v := range values {
		g := Group{Value: v, Queries: len(members[v])}
		for _, c := range r.Columns {
			means := make([]float64, len(c.Values))
			for s, row := range c.Values {
				sum := 0.0
				for _, q := range members[v] {
					sum += row[q]
				}
				means[s] = sum / float64(g.Queries)
			}
			g.Means = append(g.Means, means)
		}
		out = append(out, g)
	}
	return out
}

// warnings says what is odd about the runs and the judgments.
func (c *Comparison) warnings(r *Report) []string {
	var out []string
	for s, u := range r.Runs {
		name := c.names[s]
		if u.Queries == 0 && u.Foreign > 0 {
			out = append(out, name+": no query of the run is judged: the judgments are of queries like "+c.in.Qrels.Queries()[0]+", the run has queries like "+c.runs[s].Queries()[0])
			continue
		}
		if n := r.Systems[s].Missing; n > 0 {
			what := name + ": " + say.Count(n, "judged query is not in the run and counts as an empty list: ", "judged queries are not in the run and count as empty lists: ") + strings.Join(u.Missing, ", ")
			if n > len(u.Missing) {
				what += " …"
			}
			out = append(out, what)
		}
		if u.Foreign > 0 {
			out = append(out, name+": "+say.Count(u.Foreign, "query has no judgments and is left out", "queries have no judgments and are left out"))
		}
		if u.Looked > 0 && u.Unjudged == u.Looked {
			out = append(out, name+": none of its first "+strconv.Itoa(Window)+" documents is judged for any query: do the ids of run and qrels look alike?")
		} else if share := float64(u.Unjudged) / float64(max(u.Looked, 1)); share > 0.2 {
			out = append(out, name+": "+say.Plain.Percent(share, 0)+" of its first "+strconv.Itoa(Window)+" documents are unjudged and count as not relevant: its figures are lower bounds")
		}
		if u.Tied > 0 {
			for m := range r.Extra {
				if w := r.Extra[m].TieHigh[s] - r.Extra[m].TieLow[s]; w >= 0.001 {
					out = append(out, name+": "+say.Count(u.Tied, "document shares", "documents share")+" a score with another one; their order alone moves "+r.Measures[m]+" between "+
						say.Plain.Number(r.Extra[m].TieLow[s], 4)+" and "+say.Plain.Number(r.Extra[m].TieHigh[s], 4))
					break
				}
			}
		}
	}
	var missing, empty int
	for _, w := range c.why {
		if w == "empty" {
			empty++
		} else {
			missing++
		}
	}
	if missing > 0 {
		out = append(out, say.Count(missing, "judged query is", "judged queries are")+" left out because not every run has a list (missing=skip): all runs are compared on the same queries")
	}
	if empty > 0 {
		out = append(out, say.Count(empty, "judged query is", "judged queries are")+" left out because no document is relevant (empty=skip)")
	} else if r.Stats.Barren > 0 {
		out = append(out, say.Count(r.Stats.Barren, "judged query has no relevant document and counts 0 for every run", "judged queries have no relevant document and count 0 for every run"))
	}
	if len(c.queries) == 0 {
		out = append(out, "no query is left to compare on")
	}
	return out
}

// finding says in a sentence what the comparison on the first measure shows, and in a line how sure that is.
func (r *Report) finding() (sentence, note string) {
	if len(r.Queries) == 0 {
		return "There is no query to compare on.", ""
	}
	on := "On "
	if r.Collection.Name != "" {
		on += r.Collection.Name + " (" + say.Count(len(r.Queries), "query", "queries") + "), "
	} else {
		on += say.Count(len(r.Queries), "query", "queries") + ", "
	}
	c, name := &r.Columns[0], func(i int) string { return r.Systems[i].Label }
	if len(r.Systems) == 1 {
		return on + name(0) + " reaches " + say.Plain.Number(c.Means[0], 3) + " " + c.Measure + ".",
			"95 % interval " + say.Plain.Number(c.Low[0], 3) + " to " + say.Plain.Number(c.High[0], 3) + " (bootstrap)."
	}
	so := r.Standing()
	a, b, p := so.A, so.B, so.Pair
	note = "95 % interval of the difference " + say.Plain.Number(p.Low, 3) + " to " + say.Plain.Number(p.High, 3) + ", " + r.Test.Name + ", p " + say.Plain.EqualP(p.Adjusted)
	if len(r.Pairs) > 1 {
		note += r.corrected(len(r.Pairs))
	}
	note += "."
	switch {
	case p.Diff == 0 && p.Better == 0 && p.Worse == 0:
		return on + name(a) + " and " + name(b) + " are equal by " + c.Measure + " on every query.", note
	case !so.Sure:
		return on + name(b) + " cannot be told apart from " + name(a) + " by " + c.Measure + " (" + say.Plain.Signed(p.Diff, 3) + ").", note
	}
	loser := a + b - so.Winner
	sentence = on + name(so.Winner) + " beats " + name(loser) + " by " + say.Plain.Number(math.Abs(p.Diff), 3) + " " + c.Measure
	var same []string
	for _, i := range so.Same {
		same = append(same, name(i))
	}
	if len(same) > 0 {
		sentence += "; it cannot be told apart from " + say.Or(same)
	}
	return sentence + ".", note
}

// Alpha is the level of the tests.
const Alpha = 0.05

// geometric is measure.Result's.
func geometric(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	s := 0.0
	for _, x := range v {
		s += float.Log(max(x, measure.GeometricFloor))
	}
	return float.Exp(s / float64(len(v)))
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	s := slices.Clone(v)
	slices.Sort(s)
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}
