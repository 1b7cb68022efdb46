package experiment

import (
	"slices"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
	"github.com/rankbox/rankbox/core/retrieve/rank"
	"github.com/rankbox/rankbox/core/retrieve/rank/fuse"
)

// Queries are the queries of a collection and their judgments.
type Queries struct {
	b      *bundle.Bundle
	grades []map[uint32]float64 // a query: ordinal → grade
	pool   [][]float64          // a query: the grades of all judged documents, in the order of the qrels
	top    float64              // the highest grade, at least 1
	place  map[string]int
}

func newQueries(b *bundle.Bundle) *Queries {
	x := &Queries{b: b, top: 1, place: map[string]int{}, grades: make([]map[uint32]float64, len(b.Queries)),
		pool: make([][]float64, len(b.Queries))}
	for i, q := range b.Queries {
		x.place[q.ID] = i
		x.grades[i] = map[uint32]float64{}
	}
	for _, j := range b.Judgments {
		x.pool[j.Query] = append(x.pool[j.Query], j.Grade)
		x.top = max(x.top, j.Grade)
		if d, ok := b.Ordinal(j.Doc); ok {
			x.grades[j.Query][uint32(d)] = j.Grade
		}
	}
	return x
}

// Described describes the queries, those without judgments too.
func (x *Queries) Described() []report.Query {
	out := make([]report.Query, len(x.b.Queries))
	for i, q := range x.b.Queries {
		out[i] = report.Query{ID: q.ID, Text: q.Text, Type: q.Type, Difficulty: q.Difficulty, Relevant: x.relevant(i)}
	}
	return out
}

// relevant is how many documents of query i have a grade ≥ 1.
func (x *Queries) relevant(i int) (n int) {
	for _, g := range x.pool[i] {
		if g >= 1 {
			n++
		}
	}
	return n
}

// JudgedIDs returns the ids of the queries that have judgments.
func (x *Queries) JudgedIDs() map[string]bool {
	out := map[string]bool{}
	for _, i := range x.judged() {
		out[x.b.Queries[i].ID] = true
	}
	return out
}

// judged returns the places of the judged queries, in the order of their ids.
func (x *Queries) judged() []int {
	var out []int
	for i := range x.b.Queries {
		if len(x.pool[i]) > 0 {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return report.CompareIDs(x.b.Queries[a].ID, x.b.Queries[b].ID) })
	return out
}

// Judged implements stage.Taught.
func (x *Queries) Judged() []fuse.Judged {
	var out []fuse.Judged
	for i := range x.b.Queries {
		if len(x.pool[i]) == 0 {
			continue
		}
		j := fuse.Judged{Query: x.at(i), Relevant: map[uint32]bool{}, Of: x.relevant(i)}
		for d, g := range x.grades[i] {
			j.Relevant[d] = g >= 1
		}
		out = append(out, j)
	}
	return out
}

// Qrels returns the judgments.
func (x *Queries) Qrels() *collection.Qrels {
	out := collection.NewQrels()
	for _, j := range x.b.Judgments {
		out.Add(x.b.Queries[j.Query].ID, j.Doc, j.Grade)
	}
	return out
}

// at is query i as rankers see it.
func (x *Queries) at(i int) rank.Query {
	return rank.Query{ID: x.b.Queries[i].ID, Text: x.b.Queries[i].Text}
}

// of returns the query of a spec and its number, −1 where it is typed.
func (x *Queries) of(spec Spec) (rank.Query, int, error) {
	if spec.QueryID == "" {
		return rank.Query{Text: spec.Query}, -1, nil
	}
	i, ok := x.place[spec.QueryID]
	if !ok {
		return rank.Query{}, 0, say.Faultf("experiment", "%s has no query %q", x.b.Manifest.Name, spec.QueryID)
	}
	return x.at(i), i, nil
}

// grade is that of a document for query i, NoGrade if it is not judged or i is −1.
func (x *Queries) grade(i int, doc uint32) float64 {
	if i >= 0 {
		if g, ok := x.grades[i][doc]; ok {
			return g
		}
	}
	return NoGrade
}

// Topic fills what measures see of a ranking for query i of the collection.
func (x *Queries) Topic(t *measure.Topic, i int, hits []rank.Hit) {
	t.Reset()
	t.Query, t.TopGrade = x.b.Queries[i].ID, x.top
	t.Ranked = make([]float64, len(hits))
	for j, h := range hits {
		g, ok := x.grades[i][h.Doc]
		if !ok {
			g = measure.Unjudged
		}
		t.Ranked[j] = g
	}
	t.Judged = x.pool[i]
}
