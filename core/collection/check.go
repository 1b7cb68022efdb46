package collection

import (
	"slices"
	"strconv"
)

// Kinds of warnings about a run and qrels together.
const (
	MissingQuery    = "missing-query"     // judged, but not in the run; counts 0 unless it is skipped
	ExtraQuery      = "extra-query"       // in the run, but without judgments; left out
	NoCommonQuery   = "no-common-query"   // the run and the qrels have no query in common
	NoJudgedResults = "no-judged-results" // no document of the run is judged: the ids never meet
)

// Check compares a run with the qrels that it is to be measured by: queries that are missing on either side, and ids
// that never meet. The file of its warnings is name.
func Check(r *Run, q *Qrels, name string) []Warning {
	var w warner
	common, judged := false, false
	var ranked []float64
	for i := range q.topics {
		id := q.topics[i].query
		k := r.Query(id)
		if k < 0 {
			if len(q.topics[i].docs) > 0 {
				w.add(MissingQuery, name, 0, 1, view(id), func() string {
					return "judged query " + strconv.Quote(id) + " is not in the run"
				})
			}
			continue
		}
		common = true
		if !judged {
			ranked, _ = r.Grades(k, q, DocIDDescending, ranked, nil)
			judged = slices.ContainsFunc(ranked, func(g float64) bool { return g != Unjudged })
		}
	}
	for i := range r.lists {
		if id := r.lists[i].query; q.find(id) == nil {
			w.add(ExtraQuery, name, 0, 1, view(id), func() string {
				return "query " + strconv.Quote(id) + " of the run has no judgments"
			})
		}
	}
	switch {
	case len(q.topics) == 0 || len(r.lists) == 0:
	case !common:
		w.add(NoCommonQuery, name, 0, 1, nil, func() string {
			return "the run and the qrels have no query in common: the run has " + strconv.Quote(r.lists[0].query) +
				" …, the qrels " + strconv.Quote(q.topics[0].query) + " …"
		})
	case !judged:
		doc, other := "", ""
		for i := range r.lists {
			if e := r.Ranked(i, DocIDDescending, nil); len(e) > 0 {
				doc = e[0].Doc
				break
			}
		}
		for i := range q.topics {
			if d := q.topics[i].docs; len(d) > 0 {
				other = d[0].doc
				break
			}
		}
		w.add(NoJudgedResults, name, 0, 1, nil, func() string {
			return "no document of the run is judged: its ids look like " + strconv.Quote(doc) +
				", those of the qrels like " + strconv.Quote(other)
		})
	}
	return w.list
}

// Fixable parts warnings into those that writing the run or qrels out again settles, as there is only one way to do it,
// and those that stay. Where there is something that its owner has to decide about, and that writing would decide for
// him (which of two scores, grades or run tags holds), all of them stay: such a file is not repaired.
func Fixable(list []Warning) (settled, left []Warning) {
	for _, w := range list {
		switch w.Kind {
		case ConflictingScore, ConflictingGrade, MixedTags, SpaceInID, EmptyQuery, DuplicateID,
			LoneSurrogate:
			return nil, list
		}
	}
	for _, w := range list {
		switch w.Kind {
		case DuplicateDocument, RankConflict, OddRank, UnsortedInput, InterleavedQueries, StraySpace, ExtraColumns,
			FiveColumns, NonStandardDialect, DuplicateJudgment, NumericID:
			settled = append(settled, w)
		default:
			left = append(left, w)
		}
	}
	return settled, left
}
