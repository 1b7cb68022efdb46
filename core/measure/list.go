package measure

import "slices"

// List is one query of a run as read, before a policy orders it. It yields a Topic and serves other tools'
// conventions.
type List struct {
	Query  string
	IDs    []string  // documents in file order, unique except for Again
	Scores []float64 // len(IDs)
	Grades []float64 // len(IDs); Unjudged if the qrels lack the document
	Again  []bool    // len(IDs): entries that repeat a document, which some tools see; nil if there are none
	// Judged holds the grades of all judged documents of the query in qrels order, JudgedIDs their ids. Only
	// ir_measures' Compat uses JudgedIDs, which may be nil.
	Judged    []float64
	JudgedIDs []string
	// Missing reports that the run has no list for this query.
	Missing bool
	// Subtopics are the judgments by subtopic, with Subtopics.Ranked in the order of IDs, or nil.
	Subtopics *Subtopics
	// Preferences are the users' preferences, with Preferences.Ranked in the order of IDs, or nil.
	Preferences *Preferences
	// TopGrade is as in Topic.
	TopGrade float64
}

// Order returns the ranking of the list under the policy, cut to its depth, as indices into IDs.
func (l *List) Order(p Policy) []int {
	o := l.withoutRepeats(order(l.IDs, l.Scores, p.Ties, p.Float32))
	if p.Depth == 0 {
		return o
	}
	return o[:min(len(o), p.Depth)]
}

// withoutRepeats removes repeated documents from an order.
func (l *List) withoutRepeats(order []int) []int {
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
		Ranked: make([]float64, len(order)), Scores: make([]float64, len(order)),
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
