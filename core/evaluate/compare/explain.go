package compare

import (
	"math"
	"sort"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// What became of a document between two rankings.
const (
	Gained = "gained" // only the second ranking has it
	Lost   = "lost"   // only the first has it
	Up     = "up"
	Down   = "down"
	Same   = "same" // same rank
)

// Change is one document's part in the difference of a measure between two runs: After - Before.
type Change struct {
	ID            string
	Grade         float64
	What          string
	RankA, RankB  int     // place in either run, from 1; 0 where it does not have it
	Before, After float64 // what the document adds to the value in either run
	Diff          float64
}

// Explanation says why two runs differ on one query: B minus A. The Diffs of Changes sum to Diff within 1e-12 (relative
// to the larger value where that is above 1).
//
// The scheme: in either run, the value of the measure is taken apart into what each document adds to it (see Unfolded:
// the terms of the measure's own sum over its divisor, which both runs share where it depends on the judgments alone;
// step by step for measures that are no sums). A document's part in the difference is what it adds in B less what it
// adds in A. A relevant document whose term depends on those above it (AP, ERR, Bpref) can thus have a part in the
// difference without having moved.
type Explanation struct {
	Measure        string // under the policy
	Query          string
	A, B           int
	ValueA, ValueB float64
	Diff           float64
	// Changes are, largest part first (in absolute value, then by the better rank), the documents with a part in the
	// difference and the judged ones that moved within the cutoff (without one: within report.Window).
	Changes  []Change
	Others   int // documents of either ranking that are not among Changes: they add nothing in either
	Stepwise bool
}

// Explain says which documents make the difference between runs a and b on one query.
func (c *Comparison) Explain(notation string, a, b int, query string) (*Explanation, error) {
	m, applied, err := c.asked("what makes a difference", notation, a, b)
	if err != nil {
		return nil, err
	}
	q, err := c.queryOf(query)
	if err != nil {
		return nil, err
	}
	e := &Explanation{Measure: applied.String(), Query: query, A: a, B: b}
	var all []Change
	at := map[string]int{}
	for side, s := range []int{a, b} {
		var t measure.Topic
		c.Topic(&t, s, q)
		p := applied.Unfold(&t)
		e.Stepwise = e.Stepwise || p.Stepwise
		list, _ := c.entries(s, query, math.MaxInt)
		for i, r := range p.Parts {
			id := list[i].Doc
			k, ok := at[id]
			if !ok {
				k = len(all)
				at[id] = k
				all = append(all, Change{ID: strings.Clone(id), Grade: r.Grade})
			}
			if side == 0 {
				all[k].RankA, all[k].Before = r.Place, r.Share
			} else {
				all[k].RankB, all[k].After = r.Place, r.Share
			}
		}
		if side == 0 {
			e.ValueA = p.Value
		} else {
			e.ValueB = p.Value
		}
	}
	e.Diff = e.ValueB - e.ValueA
	show := m.Cutoff()
	if show == 0 {
		show = report.Window
	}
	for _, d := range all {
		d.Diff = d.After - d.Before
		switch {
		case d.RankA == 0:
			d.What = Gained
		case d.RankB == 0:
			d.What = Lost
		case d.RankB < d.RankA:
			d.What = Up
		case d.RankB > d.RankA:
			d.What = Down
		default:
			d.What = Same
		}
		near := d.RankA > 0 && d.RankA <= show || d.RankB > 0 && d.RankB <= show
		if d.Diff != 0 || d.Grade != Unjudged && d.What != Same && near {
			e.Changes = append(e.Changes, d)
		} else {
			e.Others++
		}
	}
	sort.SliceStable(e.Changes, func(i, j int) bool {
		x, y := e.Changes[i], e.Changes[j]
		if u, v := math.Abs(x.Diff), math.Abs(y.Diff); u != v {
			return u > v
		}
		return bestRank(x.RankA, x.RankB) < bestRank(y.RankA, y.RankB)
	})
	return e, nil
}

// Sentence says in a line what made the difference.
func (e *Explanation) Sentence(style say.Style) string {
	if e.Diff == 0 && len(e.Changes) == 0 {
		return "Both runs have the same value, from the same documents."
	}
	count := map[string]int{}
	for _, d := range e.Changes {
		if d.Diff != 0 {
			count[d.What]++
		}
	}
	var parts []string
	for _, x := range [][2]string{{Gained, "gained"}, {Lost, "lost"}, {Up, "moved up"}, {Down, "moved down"}} {
		if n := count[x[0]]; n > 0 {
			parts = append(parts, say.Count(n, "document ", "documents ")+x[1])
		}
	}
	s := style.Signed(e.Diff, 4) + " " + e.Measure
	if len(parts) > 0 {
		s += ": " + strings.Join(parts, ", ")
	}
	return s + "."
}

// Side is one run's ranking of a query.
type Side struct {
	System  int
	Missing bool      // the run has no list for it
	Size    int       // documents it ranks
	Values  []float64 // of the query, a measure of the comparison
	Docs    []Placed
}

// Placed is a document in a ranking.
type Placed struct {
	Rank  int
	ID    string
	Score float64
	Grade float64 // Unjudged where the qrels do not name it
	Tied  bool    // a neighbour has the same score
	Ranks []int   // its rank in every run, 0 where that does not have it
	// Covers are the subtopics that it is relevant to, nil where there are no judgments for subtopics.
	Covers []string
}

// Sides returns the rankings of one query side by side, depth documents each (0: all).
func (c *Comparison) Sides(query string, depth int) ([]Side, error) {
	if err := c.needsDocuments("a query's rankings"); err != nil {
		return nil, err
	}
	q, err := c.queryOf(query)
	if err != nil {
		return nil, err
	}
	ranks := make([]map[string]int, len(c.runs))
	out := make([]Side, len(c.runs))
	var t measure.Topic
	for s := range c.runs {
		c.Topic(&t, s, q)
		d := &out[s]
		d.System, d.Missing, d.Size = s, t.Missing, len(t.Ranked)
		for _, a := range c.Evaluation.Applied {
			d.Values = append(d.Values, a.Score(&t))
		}
		list, _ := c.entries(s, query, math.MaxInt)
		ranks[s] = make(map[string]int, len(list))
		for i, e := range list {
			id := strings.Clone(e.Doc)
			ranks[s][id] = i + 1
			if depth > 0 && i >= depth {
				continue
			}
			p := Placed{Rank: i + 1, ID: id, Score: e.Score, Grade: t.Ranked[i]}
			p.Tied = i > 0 && list[i-1].Score == e.Score || i+1 < len(list) && list[i+1].Score == e.Score
			p.Covers = c.covers(query, id)
			d.Docs = append(d.Docs, p)
		}
	}
	for s := range out {
		for i := range out[s].Docs {
			p := &out[s].Docs[i]
			for _, r := range ranks {
				p.Ranks = append(p.Ranks, r[p.ID])
			}
		}
	}
	return out, nil
}

// covers returns the subtopics of a query that a document is relevant to, in the order of the judgments.
func (c *Comparison) covers(query, doc string) []string {
	if c.in.Diversity == nil {
		return nil
	}
	var out []string
	names := c.in.Diversity.Subtopics(query)
	for _, g := range c.in.Diversity.Grades(query, doc) {
		if g.Grade > 0 {
			out = append(out, names[g.Subtopic])
		}
	}
	return out
}

// OpenDocument is a document that some run ranks and nobody judged.
type OpenDocument struct {
	Query, ID string
	Ranks     []int // in every run, 0 where it is not among the first documents
}

// Unjudged returns the documents among the first depth (0: all) of any run that the qrels do not name: those of a query
// together, in the order of the queries, the best rank first. progress, which may be nil, is told how many queries are
// done; where it returns false, the error is ErrCancelled.
func (c *Comparison) Unjudged(depth int, progress func(done, total int) bool) ([]OpenDocument, error) {
	if err := c.needsDocuments("a list of unjudged documents"); err != nil {
		return nil, err
	}
	if depth <= 0 {
		depth = math.MaxInt
	}
	all := make([]int, len(c.runs))
	for s := range all {
		all[s] = s
	}
	var out []OpenDocument
	for q := range c.queries {
		if progress != nil && !progress(q, len(c.queries)) {
			return nil, ErrCancelled
		}
		list := c.open(q, depth, all...)
		sort.SliceStable(list, func(i, j int) bool { return bestRank(list[i].Ranks...) < bestRank(list[j].Ranks...) })
		out = append(out, list...)
	}
	return out, nil
}

// open returns the documents of a query that the qrels do not name, among the first depth of runs, in the order of
// these.
func (c *Comparison) open(q, depth int, systems ...int) (out []OpenDocument) {
	at, id := map[string]int{}, c.queries[q]
	for _, s := range systems {
		list, _ := c.entries(s, id, depth)
		for i, e := range list {
			if _, judged := c.in.Qrels.Grade(id, e.Doc); judged {
				continue
			}
			k, ok := at[e.Doc]
			if !ok {
				k = len(out)
				doc := strings.Clone(e.Doc)
				at[doc] = k
				out = append(out, OpenDocument{Query: id, ID: doc, Ranks: make([]int, len(c.runs))})
			}
			out[k].Ranks[s] = i + 1
		}
	}
	return out
}

// bestRank is the lowest of ranks that are not 0.
func bestRank(ranks ...int) int {
	best := math.MaxInt
	for _, r := range ranks {
		if r > 0 {
			best = min(best, r)
		}
	}
	return best
}

// Residuals returns, a run, the means over the queries of the least and most that a measure could be were the unjudged
// documents of the rankings judged after all; ok is false where it has no such bounds. It can take long on deep
// rankings: cancel is polled between queries.
func (c *Comparison) Residuals(notation string, cancel func() bool) (bounds []measure.Range, ok bool, err error) {
	_, applied, err := c.asked("what judging could change", notation)
	if err != nil {
		return nil, false, err
	}
	bounds = make([]measure.Range, len(c.runs))
	for s := range bounds {
		bounds[s].Exact = true
	}
	ok = true
	n := float64(max(len(c.queries), 1))
	stop := func() bool { return !ok || cancel != nil && cancel() }
	err = c.Evaluation.Each(stop, func(s, q int, t *measure.Topic) {
		var r measure.Range
		if r, ok = applied.Residual(t); !ok {
			return
		}
		b := &bounds[s]
		b.Low, b.High, b.Exact = b.Low+r.Low, b.High+r.High, b.Exact && r.Exact
		if q == len(c.queries)-1 {
			b.Low, b.High = b.Low/n, b.High/n
		}
	})
	if !ok {
		return nil, false, nil
	}
	return bounds, ok, err
}
