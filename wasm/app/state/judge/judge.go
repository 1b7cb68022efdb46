// Package judge is the Judge screen without its looks: one query, one document, a grade. The documents are those that the open systems find
// for a query of the open collection, taken by turns from the top of their lists, without saying whose they are or what others gave them.
// Queries, grades and notes are edits of the collection's workspace, which the device keeps. It measures nothing.
//
// Grades of others are further layers, from files; a rule says which grade counts. Where layers differ, a grade can be
// given that wins.
//
// Order of the pipeline: a collection is opened → its workspace is read from the device and given to the worker → a query is opened → the
// systems' lists come in → their documents become the pool → a grade is written to the device → the next document without one is shown.
package judge

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/rankbox/rankbox/core/assignment"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/significance"
	"github.com/rankbox/rankbox/core/workspace"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Highest is the highest grade.
const Highest = 3

// Judge is the screen.
type Judge struct {
	App *state.App

	Only     bool   // only documents that the collection has no judgment of
	Decisive bool   // the documents that could change a comparison most come first
	Unsaved  string // why the last edits are not on the device, "" if they are
	Lost     string // what could not be read of what was saved, "" for nothing
	kept
	layering
	asking asking
	classing
	logging
	theirs map[[2]string]int // the collection's grades of a query's document that was graded here
	needs  *message.Needed   // what stands behind the queries, nil until it was answered
}

// New is the screen as it begins.
func New(a *state.App) *Judge {
	j := &Judge{App: a, theirs: map[[2]string]int{}}
	j.begin("")
	return j
}

// ID is the name of the screen.
func (j *Judge) ID() share.Screen { return "judge" }

// saved is what undo goes back to: how many of this page's edits count.
type saved struct {
	only, decisive bool
	at             int
}

// Save returns how many edits count.
func (j *Judge) Save() any { return saved{j.Only, j.Decisive, j.at} }

// Restore takes edits back or makes them again, as edits of their own. Going back in the browser's history takes none back.
func (j *Judge) Restore(x any) {
	s := x.(saved)
	j.Only, j.Decisive = s.only, s.decisive
	if j.App.History.Undoing {
		j.travel(s.at)
	}
}

// Pool is the documents of the open query, each once: by turns from the lists of the systems, or the most decisive first.
func (j *Judge) Pool() []experiment.Found {
	a := j.App
	if a.Search.Results == nil || a.Settings.Query() == nil {
		return nil
	}
	if given, ok := j.task(); ok {
		return j.given(given)
	}
	var lists [][]experiment.Found // near-duplicates after the document that they were folded under
	longest := 0
	for _, l := range a.Search.Results.Lists {
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
			if rank >= len(l) || seen[l[rank].ID] || j.Only && j.judged(l[rank]) {
				continue
			}
			seen[l[rank].ID] = true
			out = append(out, l[rank])
		}
	}
	if j.Decisive {
		slices.SortStableFunc(out, func(a, b experiment.Found) int { return cmp.Compare(weight(b), weight(a)) })
	}
	return out
}

// weight is by how much two systems can differ in DCG for each unit of gain that a document has: the discount
// 1/log2(rank + 1) where it stands highest, less that where it stands lowest, 0 if a system does not find it.
func weight(f experiment.Found) float64 {
	low, high := math.Inf(1), 0.0
	for _, r := range f.Ranks {
		d := 0.0
		if r > 0 {
			d = 1 / math.Log2(float64(r)+1)
		}
		low, high = min(low, d), max(high, d)
	}
	return high - min(low, high)
}

// judged says whether the collection has a judgment of a document of the open query. Once the worker knows the workspace, a grade in a list
// may be one that was given here.
func (j *Judge) judged(f experiment.Found) bool {
	query := j.App.Settings.Spec.QueryID
	if j.w.Touched(mine, query, f.ID) {
		_, theirs := j.theirs[[2]string{query, f.ID}]
		return theirs
	}
	return f.Grade != experiment.NoGrade
}

// At is the place of the open document in the pool, −1 where none is open.
func (j *Judge) At() int {
	return slices.IndexFunc(j.Pool(), func(f experiment.Found) bool { return f.ID == j.App.Settings.Focus.Document })
}

// Grade is the grade that was given to a document of the open query, and whether one was.
func (j *Judge) Grade(document string) (int, bool) {
	return j.w.Grade(j.layer(), j.App.Settings.Spec.QueryID, document)
}

// Open opens a judged query, "" none.
func (j *Judge) Open(id string) {
	j.App.Change(true, func(s *share.Address) { s.QueryID, s.Query, s.Focus = id, "", experiment.Focus{} })
}

// Step opens the judged query that stands by places after the open one, round the end.
func (j *Judge) Step(by int) {
	if j.App.Engine.Opened == nil {
		return
	}
	list := j.App.Engine.Opened.Queries
	if _, ok := j.task(); ok {
		list = j.TaskQueries()
	}
	if len(list) == 0 {
		return
	}
	i := slices.IndexFunc(list, func(t report.Query) bool { return t.ID == j.App.Settings.Spec.QueryID })
	if i < 0 && by < 0 {
		i = 0
	}
	n := len(list)
	j.Open(list[((i+by)%n+n)%n].ID)
}

// Takes says which replies are the screen's.
func (j *Judge) Takes(kind message.Kind) bool {
	return kind == message.Needs || kind == message.Adopt || kind == message.Pack || kind == message.Layers ||
		kind == message.Layered || kind == message.Pool
}

// Receive takes what stands behind the queries, and the collection as it is with the workspace.
func (j *Judge) Receive(r message.Reply) {
	if n, ok := r.Answer.(*message.Needed); ok {
		j.needs = n
	}
	if s, ok := r.Answer.(*message.Saved); ok {
		j.App.Browser.Save(s.Name, s.Type, s.Bytes)
		j.App.Notices.Say(s.Name +
			" was saved. Drop it on Documents in any Rankbox, or open it with `rankbox workspace`.")
	}
	j.layersAnswered(r)
	if r.Kind == message.Pool {
		p, _ := r.Answer.(*message.PoolMade)
		j.pooledFor(p)
	}
	if r.Kind == message.Adopt {
		x, _ := r.Answer.(*message.Adopted)
		j.adopted(x)
	}
}

// Need is what stands behind the open query: its description and what is relevant to it. Both are "" where the collection does not say.
func (j *Judge) Need() message.Need {
	for _, q := range j.w.Queries() {
		if q.ID == j.App.Settings.Spec.QueryID {
			return message.Need{Description: q.Description, Narrative: q.Narrative}
		}
	}
	o := j.App.Engine.Opened
	if o == nil || j.needs == nil || j.needs.Collection != o.Ref.Hash {
		return message.Need{}
	}
	for i, q := range o.Queries {
		if q.ID == j.App.Settings.Spec.QueryID && i < len(j.needs.Needs) {
			return j.needs.Needs[i]
		}
	}
	return message.Need{}
}

// Found opens the first document without a grade, unless one is open, and asks once for what stands behind the queries.
func (j *Judge) Found() {
	if o := j.App.Engine.Opened; o != nil && (j.needs == nil || j.needs.Collection != o.Ref.Hash) {
		if _, waiting := j.App.Engine.Asked(message.Needs); !waiting {
			j.App.Engine.Request(message.Needs, &message.AskNeeds{})
		}
	}
	j.count()
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
	if document != "" && document != j.App.Settings.Focus.Document {
		j.App.Show(j.focus(document))
	}
}

// focus is where a document is read: in the list of a system that has it.
func (j *Judge) focus(document string) experiment.Focus {
	if system, _, ok := j.find(document); ok {
		return experiment.Focus{Document: document, System: system}
	}
	if _, ok := j.task(); ok { // its documents need not be found by any system
		return experiment.Focus{Document: document}
	}
	return experiment.Focus{}
}

// find is the first of the open lists that has a document, and the document as it stands there.
func (j *Judge) find(document string) (system int, f experiment.Found, ok bool) {
	if j.App.Search.Results == nil {
		return 0, f, false
	}
	for i, l := range j.App.Search.Results.Lists {
		for _, h := range l.Hits {
			if h.ID == document {
				return i, h, true
			}
			for _, t := range h.Twins {
				if t.ID == document {
					return i, t, true
				}
			}
		}
	}
	return 0, f, false
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

// Give gives the open document a grade, 0 to Highest, and opens the next one without once the grade is on the device. A key that is pressed
// before that is not counted: nobody has seen the document that it would grade.
func (j *Judge) Give(grade int) {
	at := j.At()
	if at < 0 || grade < 0 || grade >= len(j.Scale()) || j.busy() {
		return
	}
	pool, query := j.Pool(), j.App.Settings.Spec.QueryID
	document := pool[at]
	e := workspace.Edit{Kind: workspace.SetGrade, Layer: j.layer(), Query: query, Document: document.ID, Grade: grade}
	stay := j.Adjudicating // the grades of the others are shown first
	j.grading = true
	j.write(j.dated(e), func(apply func()) {
		j.grading = false
		defer j.catchUp()
		j.App.Change(false, func(s *share.Address) {
			j.keepTheirs(query, document)
			apply()
			if j.App.Settings.Spec.QueryID != query || stay { // another was opened meanwhile
				return
			}
			if id := j.next(at); id != "" {
				s.Focus = j.focus(id)
			}
		})
	})
}

// keepTheirs remembers the collection's grade of a document before its first edit here.
func (j *Judge) keepTheirs(query string, f experiment.Found) {
	for _, h := range j.w.Layers() { // once a layer has one, the worker says which grade is the collection's
		if j.w.Touched(h.ID, query, f.ID) {
			return
		}
	}
	if f.Grade != experiment.NoGrade && j.w.Collection().State != workspace.Hidden {
		j.theirs[[2]string{query, f.ID}] = f.Grade
	}
}

// GradeHere gives the document that is open on Search a grade, or takes the same grade back. Lists and figures follow.
func (j *Judge) GradeHere(grade int) {
	query, document := j.App.Settings.Spec.QueryID, j.App.Settings.Focus.Document
	if j.App.Settings.Query() == nil || document == "" || grade < 0 || grade > Highest || j.busy() {
		return
	}
	e := workspace.Edit{Kind: workspace.SetGrade, Layer: mine, Query: query, Document: document, Grade: grade}
	if have, ok := j.w.Grade(mine, query, document); ok && have == grade {
		e = workspace.Edit{Kind: workspace.UnsetGrade, Layer: mine, Query: query, Document: document}
	}
	j.grading = true
	j.write(j.dated(e), func(apply func()) {
		j.grading = false
		defer j.catchUp()
		j.App.Change(false, func(*share.Address) {
			if _, f, ok := j.find(document); ok {
				j.keepTheirs(query, f)
			}
			apply()
		})
		j.push()
	})
}

// Note is the note on the open document.
func (j *Judge) Note() string {
	return j.w.Note(j.layer(), j.App.Settings.Spec.QueryID, j.App.Settings.Focus.Document)
}

// SetNote writes a note on the open document.
func (j *Judge) SetNote(text string) {
	if j.At() < 0 || text == j.Note() || len(text) > workspace.MaxText || j.loading {
		return
	}
	e := workspace.Edit{Kind: workspace.SetNote, Layer: j.layer(), Query: j.App.Settings.Spec.QueryID,
		Document: j.App.Settings.Focus.Document, Text: text}
	j.write(j.dated(e), func(apply func()) { j.App.Change(false, func(*share.Address) { apply() }) })
}

// Unjudged shows only documents that the collection has no judgment of, or all.
func (j *Judge) Unjudged(only bool) {
	if only != j.Only {
		j.App.Change(false, func(s *share.Address) { j.Only, s.Focus = only, experiment.Focus{} })
		j.Found()
	}
}

// SetDecisive orders the documents: the most decisive first, or by turns from the lists.
func (j *Judge) SetDecisive(first bool) {
	if first != j.Decisive {
		j.App.Change(false, func(s *share.Address) { j.Decisive, s.Focus = first, experiment.Focus{} })
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
	of := j.Graded()
	for _, n := range of {
		documents += n
	}
	return documents, len(of)
}

// Graded is how many grades were given to documents of each query.
func (j *Judge) Graded() map[string]int {
	n := map[string]int{}
	for _, x := range j.w.Judgments(j.layer()) {
		if x.Graded {
			n[x.Query]++
		}
	}
	return n
}

// Scale names the grades from 0 on.
func (j *Judge) Scale() []string {
	if a := j.Assigned(); a != nil && !j.Adjudicating {
		return a.Scale
	}
	return assignment.DefaultScale
}

// Agreement holds the grades against the collection's own: how many documents have both, how many the same one, and Cohen's κ (1960), the
// agreement beyond what their shares of each grade would give by chance; NaN where both gave one and the same grade throughout.
func (j *Judge) Agreement() (both, same int, kappa float64) {
	var own, other []int
	for p, x := range j.theirs {
		if y, ok := j.w.Grade(mine, p[0], p[1]); ok {
			own, other = append(own, y), append(other, x)
			if x == y {
				same++
			}
		}
	}
	kappa, err := significance.CohenKappa(own, other, significance.Unweighted)
	if err != nil { // of lists of two lengths
		panic(err)
	}
	return len(own), same, kappa
}

// Qrels is everything that was judged as TREC qrels, by query and document. An id that the format cannot hold is an error.
func (j *Judge) Qrels() ([]byte, error) {
	q := collection.NewQrels()
	for _, x := range j.w.Judgments(mine) {
		if x.Graded {
			q.Add(x.Query, x.Document, x.Grade)
		}
	}
	var b bytes.Buffer
	err := q.WriteTREC(&b)
	return b.Bytes(), err
}

// Export saves the qrels as a file.
func (j *Judge) Export() {
	n, _ := j.Total()
	if n == 0 {
		return
	}
	b, err := j.Qrels()
	if err != nil {
		j.App.Notices.Problem = &message.Problem{What: "The grades can't be written as TREC qrels: " + say.Sentence(err), Where: "Judge", Do: "Save the workspace instead: its format holds every id."}
		j.App.View.Draw()
		return
	}
	name := j.App.Settings.Collection() + "-judged.qrels"
	j.App.Browser.Save(name, "text/plain", b)
	j.App.Notices.Say(name + " was saved.")
}
