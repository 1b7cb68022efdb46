package judge

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/teach/assignment"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Grading is the documents of the open query, and the grades and notes that they get.
type Grading struct {
	Only     bool // only documents that the collection has no judgment of
	Decisive bool // the documents that could change a comparison most come first

	app          *state.App
	journal      *Journal
	layers       *Layers
	adjudication *Adjudication
	task         *Task
	found        func() // called once other documents are to be judged
	written      func() // called once a grade is on the device
}

// Pool is the documents of the open query, each once: by turns from the lists of the systems, or the most decisive
// first.
func (g *Grading) Pool() []experiment.Found {
	a := g.app
	if a.Search.Results == nil || a.Settings.Query() == nil {
		return nil
	}
	if given, ok := g.list(); ok {
		return g.given(given)
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
			if rank >= len(l) || seen[l[rank].ID] || g.Only && g.judged(l[rank]) {
				continue
			}
			seen[l[rank].ID] = true
			out = append(out, l[rank])
		}
	}
	if g.Decisive {
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

// judged says whether the collection has a judgment of a document of the open query. Once the worker knows the
// workspace, a grade in a list may be one that was given here.
func (g *Grading) judged(f experiment.Found) bool {
	query := g.app.Settings.Spec.QueryID
	if g.journal.w.Layer(mine).Touched(query, f.ID) {
		_, theirs := g.layers.theirs[[2]string{query, f.ID}]
		return theirs
	}
	return f.Grade != experiment.NoGrade
}

// At is the place of the open document in the pool, −1 where none is open.
func (g *Grading) At() int {
	return slices.IndexFunc(g.Pool(), func(f experiment.Found) bool { return f.ID == g.app.Settings.Focus.Document })
}

// Grade is the grade that was given to a document of the open query, and whether one was.
func (g *Grading) Grade(document string) (float64, bool) {
	return g.journal.w.Layer(g.layer()).Grade(g.app.Settings.Spec.QueryID, document)
}

// Turn opens the document that stands by places after the open one; it stops at the ends.
func (g *Grading) Turn(by int) {
	if pool := g.Pool(); len(pool) > 0 {
		g.show(pool[max(0, min(len(pool)-1, g.At()+by))].ID)
	}
}

func (g *Grading) show(document string) {
	if document != "" && document != g.app.Settings.Focus.Document {
		g.app.Show(g.focus(document))
	}
}

// focus is where a document is read: in the list of a system that has it.
func (g *Grading) focus(document string) experiment.Focus {
	_, listed := g.list()
	return focus(g.app, document, listed)
}

// focus is where a document is read. If it is of a list that was given, no system needs to find it.
func focus(a *state.App, document string, listed bool) experiment.Focus {
	system, _, ok := find(a, document)
	if !ok && !listed {
		return experiment.Focus{}
	}
	return experiment.Focus{Document: document, System: system}
}

// find is the first of the open lists that has a document, and the document as it stands there.
func find(a *state.App, document string) (system int, f experiment.Found, ok bool) {
	if a.Search.Results == nil {
		return 0, f, false
	}
	for i, l := range a.Search.Results.Lists {
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

// first opens the first document without a grade, unless one is open.
func (g *Grading) first() {
	if g.At() < 0 {
		g.show(g.next(-1))
	}
}

// next is the first document after a place of the pool that has no grade, from the top where there is none; "" where
// all have one.
func (g *Grading) next(after int) string {
	pool := g.Pool()
	for i := range pool {
		f := pool[(after+1+i)%len(pool)]
		if _, ok := g.Grade(f.ID); !ok {
			return f.ID
		}
	}
	return ""
}

// Give gives the open document a grade, 0 to Highest, and opens the next one without once the grade is on the device.
// A key that is pressed before that is not counted: nobody has seen the document that it would grade.
func (g *Grading) Give(grade int) {
	at := g.At()
	if at < 0 || grade < 0 || grade >= len(g.Scale()) || g.journal.busy() {
		return
	}
	pool, query := g.Pool(), g.app.Settings.Spec.QueryID
	document := pool[at]
	e := workspace.Edit{Kind: workspace.SetGrade, Layer: g.layer(), Query: query, Document: document.ID,
		Grade: float64(grade)}
	stay := g.adjudication.On // the grades of the others are shown first
	g.journal.writing = true
	g.journal.write(g.dated(e), func(apply func()) {
		g.journal.writing = false
		defer g.written()
		g.app.Change(false, func(s *share.Address) {
			g.layers.keepTheirs(query, document)
			apply()
			if g.app.Settings.Spec.QueryID != query || stay { // another was opened meanwhile
				return
			}
			if id := g.next(at); id != "" {
				s.Focus = g.focus(id)
			}
		})
	})
}

// GradeHere gives the document that is open on Search a grade, or takes the same grade back. Lists and figures follow.
func (g *Grading) GradeHere(grade int) {
	query, document := g.app.Settings.Spec.QueryID, g.app.Settings.Focus.Document
	if g.app.Settings.Query() == nil || document == "" || grade < 0 || grade > Highest || g.journal.busy() {
		return
	}
	e := workspace.Edit{Kind: workspace.SetGrade, Layer: mine, Query: query, Document: document, Grade: float64(grade)}
	if have, ok := g.journal.w.Layer(mine).Grade(query, document); ok && have == float64(grade) {
		e = workspace.Edit{Kind: workspace.UnsetGrade, Layer: mine, Query: query, Document: document}
	}
	g.journal.writing = true
	g.journal.write(g.dated(e), func(apply func()) {
		g.journal.writing = false
		defer g.written()
		g.app.Change(false, func(*share.Address) {
			if _, f, ok := find(g.app, document); ok {
				g.layers.keepTheirs(query, f)
			}
			apply()
		})
		g.journal.push()
	})
}

// Note is the note on the open document.
func (g *Grading) Note() string {
	return g.journal.w.Layer(g.layer()).Note(g.app.Settings.Spec.QueryID, g.app.Settings.Focus.Document)
}

// SetNote writes a note on the open document.
func (g *Grading) SetNote(text string) {
	if g.At() < 0 || text == g.Note() || len(text) > workspace.MaxText || g.journal.loading {
		return
	}
	e := workspace.Edit{Kind: workspace.SetNote, Layer: g.layer(), Query: g.app.Settings.Spec.QueryID,
		Document: g.app.Settings.Focus.Document, Text: text}
	g.journal.write(g.dated(e), func(apply func()) { g.app.Change(false, func(*share.Address) { apply() }) })
}

// Unjudged shows only documents that the collection has no judgment of, or all.
func (g *Grading) Unjudged(only bool) {
	if only != g.Only {
		g.app.Change(false, func(s *share.Address) { g.Only, s.Focus = only, experiment.Focus{} })
		g.found()
	}
}

// SetDecisive orders the documents: the most decisive first, or by turns from the lists.
func (g *Grading) SetDecisive(first bool) {
	if first != g.Decisive {
		g.app.Change(false, func(s *share.Address) { g.Decisive, s.Focus = first, experiment.Focus{} })
		g.found()
	}
}

// Done is how many documents of the open query's pool have a grade, and how many there are.
func (g *Grading) Done() (done, all int) {
	pool := g.Pool()
	for _, f := range pool {
		if _, ok := g.Grade(f.ID); ok {
			done++
		}
	}
	return done, len(pool)
}

// Total is how many documents have a grade, over how many queries.
func (g *Grading) Total() (documents, queries int) {
	return g.journal.w.Layer(g.layer()).Graded(), len(g.Graded())
}

// Graded is how many grades were given to documents of each query.
func (g *Grading) Graded() map[string]int { return g.journal.w.Layer(g.layer()).GradedQueries() }

// Scale names the grades from 0 on.
func (g *Grading) Scale() []string {
	if a := g.task.Assigned(); a != nil && !g.adjudication.On {
		return a.Scale
	}
	return assignment.DefaultScale
}

// layer is the layer that grades go to.
func (g *Grading) layer() string {
	if g.app.Settings.Screen != ID {
		return mine
	}
	if g.adjudication.On {
		return adjudicated
	}
	return g.task.layer()
}

// list is the list of documents to judge where it is not what the systems find.
func (g *Grading) list() ([]message.Pooled, bool) {
	if g.adjudication.On {
		var out []message.Pooled
		for _, d := range g.adjudication.Disputes() {
			out = append(out, message.Pooled{Query: d.Query, Document: d.Document})
		}
		return out, true
	}
	pool := g.task.documents()
	return pool, len(pool) > 0
}

// given are the documents of the open query in a list.
func (g *Grading) given(list []message.Pooled) (out []experiment.Found) {
	for _, p := range list {
		if p.Query != g.app.Settings.Spec.QueryID {
			continue
		}
		_, f, ok := find(g.app, p.Document)
		if !ok {
			f = experiment.Found{ID: p.Document, Grade: experiment.NoGrade}
		}
		out = append(out, f)
	}
	return out
}

// TaskQueries are the queries of the task, in the order in which they come.
func (g *Grading) TaskQueries() (out []report.Query) {
	list, _ := g.list()
	for _, p := range list {
		if slices.ContainsFunc(out, func(q report.Query) bool { return q.ID == p.Query }) {
			continue
		}
		for _, q := range g.app.Engine.Opened.Queries {
			if q.ID == p.Query {
				out = append(out, q)
			}
		}
	}
	return out
}

// dated puts the head of the layer before its first edit.
func (g *Grading) dated(e workspace.Edit) []workspace.Edit {
	for _, h := range g.journal.w.Layers() {
		if h.ID == e.Layer && h.Date != "" {
			return []workspace.Edit{e}
		}
	}
	h := workspace.Head{ID: e.Layer, Origin: workspace.Person, Date: time.Now().UTC().Format(time.DateOnly),
		Rule: "0 not relevant, 1 related, 2 relevant, 3 the answer"}
	if e.Layer == adjudicated {
		h.Origin = workspace.Adjudicated
	}
	if a := g.task.Assigned(); a != nil && e.Layer == a.Layer() {
		h.Author, h.Rule = a.Student, a.Rule()
	}
	return []workspace.Edit{workspace.SetHead(h), e}
}

// Export saves the qrels as a file.
func (g *Grading) Export() {
	n, _ := g.Total()
	if n == 0 {
		return
	}
	b, err := g.layers.Qrels(mine)
	if err != nil {
		g.app.Notices.Problem = &message.Problem{What: "The grades can't be written as TREC qrels: " +
			say.Sentence(err),
			Where: "Judge", Do: "Save the workspace instead: its format holds every id."}
		g.app.View.Draw()
		return
	}
	name := g.app.Settings.Collection() + "-judged.qrels"
	g.app.Browser.Save(name, "text/plain", b)
	g.app.Notices.Say(name + " was saved.")
}
