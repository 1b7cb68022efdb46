//go:build !first

package evaluation

import (
	"math"
	"strings"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
)

// ResidualBudget bounds the work for residuals that cost the square of a list's length: they are computed if these
// squares, over all queries and systems, sum to no more.
const ResidualBudget = 4 << 20

// maxResidualWork bounds what scales of very many grades cost other residuals, over all queries, systems and measures.
const maxResidualWork = 1 << 28

// bounds is what the order of ties and the judging of unjudged documents could make of the means.
type bounds struct {
	room       int   // left of maxResidualWork
	affordable bool  // residuals that cost the square of the length
	sums       []sum // a measure, of the present system
}

// sum is over queries.
type sum struct {
	tieLow, tieHigh, residualLow, residualHigh float64

	known   bool // every query so far has a residual
	untried int  // queries whose ties have more orders than were tried
}

func (e *evaluator) prepare() {
	e.bounds.room, e.bounds.affordable = maxResidualWork, squares(e.r, e.src) <= ResidualBudget
}

// squares returns the sum of the squares of the lengths of all rankings.
func squares(r *report.Report, src Source) int {
	n := 0
	for s := range r.Systems {
		for q := range r.Queries {
			k := src.Size(s, q)
			n += k * k
		}
	}
	return n
}

func (e *evaluator) beginBounds() {
	e.bounds.sums = make([]sum, len(e.applied))
	for m, a := range e.applied {
		e.bounds.sums[m].known = e.bounds.affordable || a.Info().QuickResidual()
	}
}

// cutTie returns the range of every measure if the policy cuts a tie of the ranking, and nil otherwise. It leaves the
// topic as it was.
func (e *evaluator) cutTie(s, q int, tied bool) []measure.Range {
	k, ok := cutOf(e.src, s, q)
	if !ok {
		return nil
	}
	ranges := k.ranges(e.applied)
	e.src.Topic(&e.topic, s, q)
	if k.from+1 == k.depth { // not counted yet: it shares its score only with documents behind the cut
		u := &e.r.Coverage[s]
		if u.Tied++; !tied {
			u.TiedIn++
		}
	}
	return ranges
}

// bound adds what the value v of measure m could be.
func (e *evaluator) bound(m int, v float64, tied bool, cuts []measure.Range) {
	ties := measure.Range{Low: v, High: v, Exact: true}
	switch {
	case cuts != nil:
		ties = cuts[m]
	case tied:
		ties = e.applied[m].TieRange(&e.topic)
	}
	b := &e.bounds.sums[m]
	b.tieLow += ties.Low
	b.tieHigh += ties.High
	if !ties.Exact {
		b.untried++
	}
	if !b.known {
		return
	}
	work := e.applied[m].ResidualWork(&e.topic)
	if b.known = work <= e.bounds.room; !b.known {
		return
	}
	var open measure.Range
	if open, b.known = e.applied[m].Residual(&e.topic); b.known {
		e.bounds.room -= work
	}
	b.residualLow += open.Low
	b.residualHigh += open.High
}

// endBounds writes the means of system s.
func (e *evaluator) endBounds(s, m int) {
	n := float64(max(len(e.r.Queries), 1))
	col, b := &e.r.Columns[m], e.bounds.sums[m]
	low, high := b.residualLow/n, b.residualHigh/n
	if !b.known || len(e.r.Queries) == 0 {
		low, high = math.NaN(), math.NaN()
	}
	col.TieLow, col.TieHigh = append(col.TieLow, b.tieLow/n), append(col.TieHigh, b.tieHigh/n)
	col.ResidualLow, col.ResidualHigh = append(col.ResidualLow, low), append(col.ResidualHigh, high)
	if b.untried > 0 {
		w := report.Warning{Kind: report.TiesUntried, System: s, Column: m, N: b.untried}
		e.r.Warnings = append(e.r.Warnings, w)
	}
}

// Decisions are the choices of a policy and a protocol: every switch of the policy, and those of the protocol that are
// not at their defaults.
func Decisions(p measure.Policy, t report.Protocol) []report.Decision {
	set := strings.Fields(p.String())
	var out []report.Decision
	for _, s := range measure.Switches() {
		d := report.Decision{Name: s.Name, Doc: s.Doc, Option: "default", Default: true}
		if len(s.Options) > 0 {
			d.Option = s.Options[0]
		}
		for _, pair := range set {
			if name, option, _ := strings.Cut(pair, "="); name == s.Name {
				d.Option, d.Default = option, false
			}
		}
		out = append(out, d)
	}
	return append(out, t.Decisions()...)
}
