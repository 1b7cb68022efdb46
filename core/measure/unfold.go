package measure

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
)

// Part is one document's contribution to a value.
type Part struct {
	Rank  int     // in the measured ranking, from 1; 0 if the document is removed from it first
	Place int     // in the list, from 1
	Grade float64 // Unjudged if the qrels lack it
	Term  float64
	Share float64 // Term / Divisor: the document's contribution to the value
	Work  string  // the arithmetic of the term: "3 / log2(4)", "2/3"; "" if it does not count
}

// Unfolding is the arithmetic of one value: Base + Sum / Divisor = Value, except for rounding.
type Unfolding struct {
	Parts   []Part  // one for every document of the list, in its order
	Sum     float64 // of the terms, in order
	Divisor float64 // 1 if nothing is divided
	By      string  // the meaning of the divisor: "IDCG@10", "relevant documents"; "" if nothing is divided
	Ideal   []Part  // the terms of the ideal ranking, if the measure divides by its value; their Place is 0
	Base    float64 // the part that comes from no document of the list
	Value   float64
	Note    string // why the terms do not give the value, for example if there is nothing to divide by; else ""
	// Stepwise reports that the measure is not a sum over documents by definition. A term is then the change of the
	// value when the document is appended to those above it, and Base is the value of an empty list.
	Stepwise bool
}

// Unfold splits the value of the measure for one query into the documents' contributions. The ranking, and those of
// Subtopics and Preferences if present, must have equal lengths. Cost: a few scores; for stepwise measures one
// score per document.
func (m Measure) Unfold(t *Topic) *Unfolding {
	value := m.Score(t)
	d := t.withRanked()
	if m.info.unfold != nil {
		u := m.unfolder(d)
		m.info.unfold(u)
		// Numbers so large that terms overflow or cancel do not add up to Score. Unfold those step by step.
		if v := u.finish(); math.Abs(v-value) <= unfoldSlack*max(1, math.Abs(value), math.Abs(u.Base)) {
			u.Value = value
			return &u.Unfolding
		}
	}
	return m.stepwise(d, value)
}

// unfoldSlack is the tolerated difference between terms and value due to rounding, relative to the larger of 1 and
// the value.
const unfoldSlack = 1e-12

// unfolder is the state of a measure's own unfolding.
type unfolder struct {
	Unfolding
	m    Measure
	t    *Topic // its Ranked is filled in
	list []int  // indices, from 0, of the measured ranking
}

func (m Measure) unfolder(t *Topic) *unfolder {
	u := &unfolder{m: m, t: t}
	u.Divisor = 1
	u.Parts = make([]Part, len(t.Ranked))
	for i, g := range t.Ranked {
		u.Parts[i] = Part{Place: i + 1, Grade: g}
	}
	u.rank(func(i int) bool { return !m.judged || t.Ranked[i] >= 0 })
	return u
}

// rank selects the documents of the measured ranking.
func (u *unfolder) rank(stays func(i int) bool) {
	u.list = u.list[:0]
	for i := range u.Parts {
		u.Parts[i].Rank = 0
		if stays(i) {
			u.list = append(u.list, i)
			u.Parts[i].Rank = len(u.list)
		}
	}
}

// each calls f for the documents of the first k ranks (all if k is 0) in order, until f returns false.
func (u *unfolder) each(k int, f func(p *Part) bool) {
	for _, i := range u.list {
		if k > 0 && u.Parts[i].Rank > k || !f(&u.Parts[i]) {
			return
		}
	}
}

// count sets the term to 1 for documents of the first k ranks (all if k is 0) whose grade is ok.
func (u *unfolder) count(k int, ok func(grade float64) bool) {
	u.each(k, func(p *Part) bool {
		if ok(p.Grade) {
			p.Term, p.Work = 1, "1"
		}
		return true
	})
}

// over sets the divisor of the sum of terms. By definition the value is 0 unless the divisor is positive.
func (u *unfolder) over(divisor float64, by string) {
	if divisor > 0 {
		u.Divisor, u.By = divisor, by
		return
	}
	u.clearTerms(by + " = 0: there is nothing to divide by, and the value is 0")
}

const (
	byRelevant  = "relevant documents"
	byRetrieved = "retrieved documents"
	byCutoff    = "cutoff"
	byBest      = "the sum of the ideal ranking"
	bySubtopics = "sub-topics with relevant documents"
	byGroups    = "groups"
)

// clearTerms clears every term.
func (u *unfolder) clearTerms(note string) {
	for i := range u.Parts {
		u.Parts[i].Term, u.Parts[i].Work = 0, ""
	}
	u.Divisor, u.By, u.Note = 1, "", note
}

// finish adds the terms and returns the resulting value.
func (u *unfolder) finish() float64 {
	u.Sum = 0
	for i := range u.Parts {
		u.Sum += u.Parts[i].Term
		u.Parts[i].Share = u.Parts[i].Term / u.Divisor
	}
	for i := range u.Ideal {
		u.Ideal[i].Share = u.Ideal[i].Term
	}
	return u.Base + u.Sum/u.Divisor
}

// unfoldConstant is for measures that depend on the qrels alone.
func unfoldConstant(u *unfolder) { u.Base = u.m.Score(u.t) }

// stepwise splits a value by appending one document after the other.
func (m Measure) stepwise(t *Topic, value float64) *Unfolding {
	u := &Unfolding{Divisor: 1, Value: value, Stepwise: true, Parts: make([]Part, len(t.Ranked))}
	score := func(n int) float64 {
		part := Topic{Query: t.Query, Ranked: t.Ranked[:n:n], Judged: t.Judged, TopGrade: t.TopGrade}
		if n == 0 {
			part.Ranked = []float64{}
		}
		if t.Subtopics != nil {
			part.Subtopics = &Subtopics{Docs: t.Subtopics.Docs, Ranked: t.Subtopics.Ranked[:n:n]}
		}
		if t.Preferences != nil {
			part.Preferences = &Preferences{Docs: t.Preferences.Docs, Groups: t.Preferences.Groups,
				Ranked: t.Preferences.Ranked[:n:n]}
		}
		return m.Score(&part)
	}
	last := len(t.Ranked)
	if m.cut > 0 {
		k := m.usedRanks(last)
		// If unjudged documents are removed first, documents after the cutoff may still count: go on until the
		// value is reached and stays. Once the cutoff reaches it, no later document counts.
		if score(k) == value {
			last = k
		}
	}
	u.Base = score(0)
	before := u.Base
	for i, g := range t.Ranked {
		p := &u.Parts[i]
		p.Place, p.Rank, p.Grade = i+1, i+1, g
		if i >= last {
			continue
		}
		v := score(i + 1)
		if p.Term = v - before; p.Term != 0 {
			p.Work = say.Plain.Short(v) + " - " + say.Plain.Short(before)
		}
		p.Share = p.Term
		u.Sum += p.Term
		before = v
	}
	return u
}

// maxTerms is the maximum number of terms in a line of arithmetic.
const maxTerms = 6

// Steps returns the arithmetic in lines, from the terms to the value.
func (u *Unfolding) Steps() []string {
	line := func(parts []Part) string {
		var terms []string
		rest := 0
		for _, p := range parts {
			switch {
			case p.Work == "":
			case len(terms) == maxTerms:
				rest++
			case u.Stepwise:
				terms = append(terms, "("+p.Work+")")
			default:
				terms = append(terms, p.Work)
			}
		}
		if len(terms) == 0 {
			return "0"
		}
		s := strings.Join(terms, " + ")
		if rest > 0 {
			s += " + " + strconv.Itoa(rest) + " more"
		}
		return s
	}
	sum := line(u.Parts) + " = " + say.Plain.Short(u.Sum)
	if sum == "0 = 0" {
		sum = "no document adds anything"
	}
	whole, parts := say.Plain.Short(u.Sum), ""
	if u.By != "" {
		whole += " / " + say.Plain.Short(u.Divisor)
	}
	if u.Base != 0 {
		whole = say.Plain.Short(u.Base) + " + " + whole
	}
	whole += " = " + say.Plain.Short(u.Value)
	if u.By != "" {
		parts = u.By + " = "
		if len(u.Ideal) > 0 {
			parts += line(u.Ideal) + " = "
		}
		parts += say.Plain.Short(u.Divisor)
	}
	var out []string
	switch {
	case u.Stepwise && u.Base != 0:
		out = []string{"an empty list scores " + say.Plain.Short(u.Base), "the documents, one after the other: " + sum,
			whole}
	case u.Stepwise:
		out = []string{"what each document changes, one after the other: " + sum}
	case u.Base != 0:
		out = []string{"whatever the list is: " + say.Plain.Short(u.Base), sum}
		if parts != "" {
			out = append(out, parts)
		}
		out = append(out, whole)
	case parts == "":
		out = []string{sum}
	default:
		out = []string{sum, parts, whole}
	}
	if u.Note != "" {
		out = append(out, u.Note)
	}
	return out
}

// fraction writes a quotient of integers: "2/3".
func fraction(a, b int) string { return strconv.Itoa(a) + "/" + strconv.Itoa(b) }

// logOf writes the discount of a rank.
func logOf(rank int) string { return "log2(" + strconv.Itoa(rank+1) + ")" }

// isNamed reports whether the qrels contain a document of this grade, isOpen whether it lacks a grade of at least
// 0.
func isNamed(grade float64) bool { return grade != Unjudged }
func isOpen(grade float64) bool  { return grade < 0 }

// idealParts returns the terms of the judged documents by descending gain.
func (m *Measure) idealParts(t *Topic) []Part {
	var best []int // indices in t.Judged; sorting grades instead would add 9 kB of code
	for i, g := range t.Judged {
		if m.gainDCG(g) > 0 {
			best = append(best, i)
		}
	}
	slices.SortStableFunc(best, func(a, b int) int {
		return cmp.Compare(m.gainDCG(t.Judged[b]), m.gainDCG(t.Judged[a]))
	})
	best = best[:m.usedRanks(len(best))]
	out := make([]Part, len(best))
	for i, at := range best {
		g := t.Judged[at]
		by, work := m.discountOf(i + 1)
		out[i] = Part{Rank: i + 1, Grade: g, Term: m.gainDCG(g) / by, Work: m.gainText(g) + " / " + work}
	}
	return out
}
