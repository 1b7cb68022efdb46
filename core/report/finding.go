package report

import (
	"math"

	"github.com/rankbox/rankbox/core/say"
)

// Finding is what a report says of its first measure: the best system held against the baseline. It follows from the figures.
type Finding struct {
	Kind   FindingKind
	A, B   int   // the baseline, and the best system; the second best where the baseline is the best
	Pair   Pair  // B less A
	Sure   bool  // the test tells them apart
	Winner int   // of A and B, the one with the better mean; B where they are equal
	Same   []int // the other systems that the test does not tell apart from Winner; those it says nothing of are left out
}

// FindingKind says what there is to say.
type FindingKind string

// The kinds of findings.
const (
	NothingToCompare FindingKind = "nothing to compare" // there is no query
	OneSystem        FindingKind = "one system"         // B
	EqualSystems     FindingKind = "equal"              // A and B, on every query
	NotApart         FindingKind = "not told apart"     // A and B
	Beats            FindingKind = "beats"              // Winner
)

// Finding draws the conclusion. The report is concluded.
func (r *Report) Finding() Finding {
	switch {
	case len(r.Columns) == 0 || len(r.Queries) == 0 || len(r.Systems) == 0:
		return Finding{Kind: NothingToCompare}
	case len(r.Systems) == 1:
		return Finding{Kind: OneSystem}
	}
	c := &r.Columns[0]
	order := c.Ranking()
	f := Finding{Kind: Beats, A: r.Baseline, B: order[0]}
	if f.A == f.B {
		f.B = order[1]
	}
	f.Pair, _ = r.Pair(f.A, f.B)
	f.Sure = f.Pair.Adjusted < Alpha
	f.Winner = f.B
	if f.Pair.Diff < 0 != c.Lower && f.Pair.Diff != 0 {
		f.Winner = f.A
	}
	for i := range r.Systems {
		if i == f.A || i == f.B {
			continue
		}
		if q, ok := r.Pair(f.Winner, i); ok && q.Adjusted >= Alpha {
			f.Same = append(f.Same, i)
		}
	}
	switch {
	case f.Pair.Diff == 0 && f.Pair.Better == 0 && f.Pair.Worse == 0:
		f.Kind = EqualSystems
	case !f.Sure:
		f.Kind = NotApart
	}
	return f
}

// name is the label inside a sentence.
func (s *System) name() string {
	if s.Notation == "" {
		return s.Label
	}
	return say.Lower(s.Label)
}

// Sentence is the finding in words.
func (r *Report) Sentence(style say.Style) string {
	f := r.Finding()
	if f.Kind == NothingToCompare {
		return "There is no query to compare on."
	}
	c, name := &r.Columns[0], func(i int) string { return r.Systems[i].name() }
	on := "On " + say.Count(len(r.Queries), "query", "queries") + ", "
	if r.Collection.Name != "" {
		on = "On " + r.Collection.Name + " (" + say.Count(len(r.Queries), "query", "queries") + "), "
	}
	switch f.Kind {
	case OneSystem:
		return on + name(0) + " reaches " + style.Number(c.Means[0], 3) + " " + c.Measure + "."
	case EqualSystems:
		return on + name(f.A) + " and " + name(f.B) + " are equal by " + c.Measure + " on every query."
	case NotApart:
		return on + name(f.B) + " cannot be told apart from " + name(f.A) + " by " + c.Measure + " (" + style.Signed(f.Pair.Diff, 3) + ")."
	}
	text := on + name(f.Winner) + " beats " + name(f.A+f.B-f.Winner) + " by " + style.Number(math.Abs(f.Pair.Diff), 3) + " " + c.Measure
	var same []string
	for _, i := range f.Same {
		same = append(same, name(i))
	}
	if len(same) > 0 {
		text += "; it cannot be told apart from " + say.Or(same)
	}
	return text + "."
}

// Note says in a line how sure the finding is; "" where there is none.
func (r *Report) Note(style say.Style) string {
	f := r.Finding()
	switch f.Kind {
	case NothingToCompare:
		return ""
	case OneSystem:
		c := &r.Columns[0]
		return "95 % interval " + style.Span(c.Low[0], c.High[0], 3) + " (bootstrap)."
	}
	text := "95 % interval of the difference " + style.Span(f.Pair.Low, f.Pair.High, 3) + ", " + r.Test.Name + ", " + style.PIs(f.Pair.Adjusted)
	if len(r.Pairs) > 1 {
		text += r.Corrected()
	}
	return text + "."
}
