package golden

import (
	"errors"
	"slices"

	"github.com/rankbox/rankbox/core/collection"
)

// Edit is one change of what a query expects: a document with its grade, or -1 if it is expected no longer.
type Edit struct {
	Query, Doc string
	Grade      float64
}

// MostGrade is the highest grade that an edit gives.
const MostGrade = 100

// Edited returns a copy of the set with edits, in their order. A document that is expected is forbidden no longer. The
// error names what cannot be: a query that is not there, a document without an id, a grade out of range.
func (s *Set) Edited(edits []Edit) (*Set, error) {
	out := *s
	out.Queries = slices.Clone(s.Queries)
	for _, e := range edits {
		at := slices.IndexFunc(out.Queries, func(q Query) bool { return q.ID == e.Query })
		switch {
		case at < 0:
			return nil, errors.New("the golden set has no query " + quoted(e.Query))
		case e.Doc == "":
			return nil, errors.New("a document without an id cannot be expected")
		case !(e.Grade >= 0 && e.Grade <= MostGrade || e.Grade == -1):
			return nil, errors.New("a grade is a number from 0 to 100")
		}
		q := &out.Queries[at]
		q.Expected, q.Forbidden = slices.Clone(q.Expected), slices.Clone(q.Forbidden)
		k := slices.IndexFunc(q.Expected, func(g Grade) bool { return g.Doc == e.Doc })
		switch {
		case e.Grade < 0 && k >= 0:
			q.Expected = slices.Delete(q.Expected, k, k+1)
		case e.Grade < 0:
		case k >= 0:
			q.Expected[k].Grade = e.Grade
		default:
			q.Expected = append(q.Expected, Grade{e.Doc, e.Grade})
		}
		if e.Grade > 0 {
			q.Nothing = false
			q.Forbidden = slices.DeleteFunc(q.Forbidden, func(d string) bool { return d == e.Doc })
		}
	}
	return &out, nil
}

// FoundIn is what a run has for the queries of the set. known may be nil; text, the text of a document, too.
func (s *Set) FoundIn(run *collection.Run, text func(doc string) (string, bool)) *Found {
	f := &Found{Answers: map[string]Answer{}}
	var list []collection.Entry
	for i := range s.Queries {
		q := &s.Queries[i]
		at := run.Query(q.ID)
		if at < 0 {
			continue
		}
		list = run.Ranked(at, collection.DocIDDescending, list)
		var a Answer
		for k, e := range list {
			r := Result{Doc: e.Doc, Score: e.Score}
			if k < s.within(q) && len(q.Concepts) > 0 && text != nil {
				r.Text, r.Read = text(e.Doc)
			}
			a.Results = append(a.Results, r)
		}
		f.Answers[q.ID] = a
	}
	return f
}
