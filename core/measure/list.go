package measure

import "slices"

// List is one query of a run as it was read, before any policy has ordered it: what a Topic is made of, and what other
// tools' conventions need.
type List struct {
	Query  string
	IDs    []string  // documents in the order of the file; no id twice but those of Again
	Scores []float64 // len(IDs)
	Grades []int32   // len(IDs); Unjudged where the qrels do not name the document
	Again  []bool    // len(IDs): entries that repeat a document, which tools that take lists see; nil without any
	// Judged holds the grades of all judged documents of the query in the order of the qrels; JudgedIDs their ids,
	// which only ir_measures' Compat looks at. JudgedIDs may be nil.
	Judged    []int32
	JudgedIDs []string
	// Missing says that the run has no list for this query.
	Missing bool
	// Subtopics are the judgments per sub-topic with Subtopics.Ranked in the order of IDs; nil where there are none.
	Subtopics *Subtopics
	// Preferences are what users preferred, with Preferences.Ranked in the order of IDs; nil where nobody was asked.
	Preferences *Preferences
	// TopGrade is as in Topic.
	TopGrade int32
}

// Order returns the ranking of the list under the policy, cut to its depth, as indices into IDs.
func (l *List) Order(p Policy) []int {
	o := l.once(order(l.IDs, l.Scores, p.Ties, p.Float32))
	if p.Depth == 0 {
		return o
	}
	return o[:min(len(o), p.Depth)]
}

// once takes out of an order the entries that repeat a document.
func (l *List) once(order []int) []int {
	if l.Again == nil {
		return order
	}
	return slices.DeleteFunc(order, func(i int) bool { return l.Again[i] })
}

// Topic ranks the list under the policy.
func (l *List) Topic(p Policy) Topic { return l.topic(l.Order(p)) }

func (l *List) topic(order []int) Topic {
	t := Topic{
		Query: l.Query, Judged: l.Judged, Missing: l.Missing, TopGrade: l.TopGrade,
		Ranked: make([]int32, len(order)), Scores: make([]float64, len(order)),
	}
	for r, i := range order {
		t.Ranked[r], t.Scores[r] = l.Grades[i], l.Scores[i]
	}
	if l.Subtopics != nil {
		s := &Subtopics{Docs: l.Subtopics.Docs, Ranked: make([]int32, len(order))}
		for r, i := range order {
			s.Ranked[r] = l.Subtopics.Ranked[i]
		}
		t.Subtopics = s
	}
	if l.Preferences != nil {
		p := &Preferences{Docs: l.Preferences.Docs, Groups: l.Preferences.Groups, Ranked: make([]int32, len(order))}
		for r, i := range order {
			p.Ranked[r] = l.Preferences.Ranked[i]
		}
		t.Preferences = p
	}
	return t
}
