// Package judge is the Judge screen without its looks: one query, one document, a grade. The documents are those that the open systems find
// for a judged query of the open collection, taken by turns from the top of their lists, without saying whose they are or what others gave
// them. The grades stay in this page until they are saved as qrels. It measures nothing.
//
// Order of the pipeline: a query is opened → the systems' lists come in → their documents become the pool → each grade is one step of the
// page's undo and leads to the next document without one.
package judge

import (
	"bytes"
	"maps"
	"slices"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/significance"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Highest is the highest grade.
const Highest = 3

// Judge is the screen.
type Judge struct {
	state.Plain
	App *state.App

	Grades map[string]map[string]int // a query, a document; of this judge only
	Only   bool                      // only documents that the collection has no judgment of
	theirs map[string]map[string]int // the collection's grades of documents that were seen
	needs  *message.Needed           // what stands behind the queries, nil until it was answered
}

// New is the screen as it begins.
func New(a *state.App) *Judge {
	return &Judge{App: a, Grades: map[string]map[string]int{}, theirs: map[string]map[string]int{}}
}

// ID is the name of the screen.
func (j *Judge) ID() share.Screen { return "judge" }

// saved is what undo goes back to.
type saved struct {
	grades map[string]map[string]int
	only   bool
}

// Save returns the grades that were given.
func (j *Judge) Save() any {
	s := saved{map[string]map[string]int{}, j.Only}
	for q, g := range j.Grades {
		s.grades[q] = maps.Clone(g)
	}
	return s
}

// Restore puts them back.
func (j *Judge) Restore(x any) {
	s := x.(saved)
	j.Grades, j.Only = map[string]map[string]int{}, s.only
	for q, g := range s.grades {
		j.Grades[q] = maps.Clone(g)
	}
}

// Pool is the documents of the open query, by turns from the lists of the systems, each once.
func (j *Judge) Pool() []experiment.Found {
	a := j.App
	if a.Results == nil || a.Query() == nil {
		return nil
	}
	var lists [][]experiment.Found // near-duplicates after the document that they were folded under
	longest := 0
	for _, l := range a.Results.Lists {
		var flat []experiment.Found
		for _, h := range l.Hits {
			flat = append(append(flat, h), h.Twins...)
		}
		lists = append(lists, flat)
		longest = max(longest, len(flat))
	}
	seen := map[string]bool{}
	var out []experiment.Found
	for rank := range longest {
		for _, l := range lists {
			if rank >= len(l) || seen[l[rank].ID] || j.Only && l[rank].Grade != experiment.NoGrade {
				continue
			}
			seen[l[rank].ID] = true
			out = append(out, l[rank])
		}
	}
	return out
}

// At is the place of the open document in the pool, −1 where none is open.
func (j *Judge) At() int {
	return slices.IndexFunc(j.Pool(), func(f experiment.Found) bool { return f.ID == j.App.Focus.Document })
}

// Grade is the grade that was given to a document of the open query, and whether one was.
func (j *Judge) Grade(document string) (int, bool) {
	g, ok := j.Grades[j.App.Spec.QueryID][document]
	return g, ok
}

// Open opens a judged query, "" none.
func (j *Judge) Open(id string) {
	j.App.Change(true, func(s *share.Address) { s.QueryID, s.Query, s.Focus = id, "", experiment.Focus{} })
}

// Step opens the judged query that stands by places after the open one, round the end.
func (j *Judge) Step(by int) {
	o := j.App.Opened
	if o == nil || len(o.Queries) == 0 {
		return
	}
	i := slices.IndexFunc(o.Queries, func(t report.Query) bool { return t.ID == j.App.Spec.QueryID })
	if i < 0 && by < 0 {
		i = 0
	}
	n := len(o.Queries)
	j.Open(o.Queries[((i+by)%n+n)%n].ID)
}

// Takes says which replies are the screen's.
func (j *Judge) Takes(kind message.Kind) bool { return kind == message.Needs }

// Receive takes what stands behind the queries.
func (j *Judge) Receive(r message.Reply) {
	if n, ok := r.Answer.(*message.Needed); ok {
		j.needs = n
	}
}

// Need is what stands behind the open query: its description and what is relevant to it. Both are "" where the collection does not say.
func (j *Judge) Need() message.Need {
	o := j.App.Opened
	if o == nil || j.needs == nil || j.needs.Collection != o.Ref.Hash {
		return message.Need{}
	}
	for i, q := range o.Queries {
		if q.ID == j.App.Spec.QueryID && i < len(j.needs.Needs) {
			return j.needs.Needs[i]
		}
	}
	return message.Need{}
}

// Found opens the first document without a grade, unless one is open, and asks once for what stands behind the queries.
func (j *Judge) Found() {
	if o := j.App.Opened; o != nil && (j.needs == nil || j.needs.Collection != o.Ref.Hash) {
		if _, waiting := j.App.Asked(message.Needs); !waiting {
			j.App.Request(message.Needs, &message.AskNeeds{})
		}
	}
	if j.At() < 0 {
		j.show(j.next(-1))
	}
}

// Turn opens the document that stands by places after the open one; it stops at the ends.
func (j *Judge) Turn(by int) {
	if pool := j.Pool(); len(pool) > 0 {
		j.show(pool[max(0, min(len(pool)-1, j.At()+by))].ID)
	}
}

func (j *Judge) show(document string) {
	if document != "" && document != j.App.Focus.Document {
		j.App.Show(j.focus(document))
	}
}

// focus is where a document is read: in the list of a system that has it.
func (j *Judge) focus(document string) experiment.Focus {
	for i, l := range j.App.Results.Lists {
		for _, h := range l.Hits {
			if h.ID == document || slices.ContainsFunc(h.Twins, func(t experiment.Found) bool { return t.ID == document }) {
				return experiment.Focus{Document: document, System: i}
			}
		}
	}
	return experiment.Focus{}
}

// next is the first document after a place of the pool that has no grade, from the top where there is none; "" where all have one.
func (j *Judge) next(after int) string {
	pool := j.Pool()
	for i := range pool {
		f := pool[(after+1+i)%len(pool)]
		if _, ok := j.Grade(f.ID); !ok {
			return f.ID
		}
	}
	return ""
}

// Give gives the open document a grade, 0 to Highest, and opens the next one without.
func (j *Judge) Give(grade int) {
	at := j.At()
	if at < 0 || grade < 0 || grade > Highest {
		return
	}
	pool, query := j.Pool(), j.App.Spec.QueryID
	j.App.Change(false, func(s *share.Address) {
		set(j.Grades, query, pool[at].ID, grade)
		if pool[at].Grade != experiment.NoGrade {
			set(j.theirs, query, pool[at].ID, pool[at].Grade)
		}
		if id := j.next(at); id != "" {
			s.Focus = j.focus(id)
		}
	})
}

func set(m map[string]map[string]int, query, document string, grade int) {
	if m[query] == nil {
		m[query] = map[string]int{}
	}
	m[query][document] = grade
}

// Unjudged shows only documents that the collection has no judgment of, or all.
func (j *Judge) Unjudged(only bool) {
	if only != j.Only {
		j.App.Change(false, func(s *share.Address) { j.Only, s.Focus = only, experiment.Focus{} })
		j.Found()
	}
}

// Done is how many documents of the open query's pool have a grade, and how many there are.
func (j *Judge) Done() (done, all int) {
	pool := j.Pool()
	for _, f := range pool {
		if _, ok := j.Grade(f.ID); ok {
			done++
		}
	}
	return done, len(pool)
}

// Total is how many documents have a grade, over how many queries.
func (j *Judge) Total() (documents, queries int) {
	for _, g := range j.Grades {
		documents += len(g)
		if len(g) > 0 {
			queries++
		}
	}
	return documents, queries
}

// Agreement holds the grades against the collection's own: how many documents have both, how many the same one, and Cohen's κ (1960), the
// agreement beyond what their shares of each grade would give by chance; NaN where both gave one and the same grade throughout.
func (j *Judge) Agreement() (both, same int, kappa float64) {
	var mine, other []int
	for q, theirs := range j.theirs {
		for d, x := range theirs {
			if y, ok := j.Grades[q][d]; ok {
				mine, other = append(mine, y), append(other, x)
				if x == y {
					same++
				}
			}
		}
	}
	kappa, err := significance.CohenKappa(mine, other, significance.Unweighted)
	if err != nil { // of lists of two lengths
		panic(err)
	}
	return len(mine), same, kappa
}

// Qrels is everything that was judged as TREC qrels, by query and document. An id that they cannot hold is an error.
func (j *Judge) Qrels() ([]byte, error) {
	qrels := collection.NewQrels()
	for _, q := range slices.Sorted(maps.Keys(j.Grades)) {
		for _, d := range slices.Sorted(maps.Keys(j.Grades[q])) {
			qrels.Add(q, d, j.Grades[q][d])
		}
	}
	var b bytes.Buffer
	err := qrels.WriteTREC(&b)
	return b.Bytes(), err
}

// Export saves the qrels.
func (j *Judge) Export() {
	n, _ := j.Total()
	if n == 0 {
		return
	}
	name := j.App.Collection() + "-judged.qrels"
	qrels, err := j.Qrels()
	if err != nil {
		j.App.Note(name + " could not be saved: " + say.Told(err) + ".")
		return
	}
	j.App.Browser().Save(name, "text/plain", qrels)
	j.App.Note(name + " was saved. It was made in this page and sent nowhere.")
}
