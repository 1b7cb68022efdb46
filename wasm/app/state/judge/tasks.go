package judge

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/workspace"
)

// Usually the documents to judge are what the systems find. Two tasks have lists of their own: a share of a pool that
// somebody was given, which the workspace keeps, and the documents that layers grade differently.

// shareName is the name of the spec that holds the share.
const shareName = "share"

// layer is the layer that grades go to.
func (j *Judge) layer() string {
	if j.App.Settings.Screen != j.ID() {
		return mine
	}
	if j.Adjudicating {
		return adjudicated
	}
	return j.shareLayer()
}

// shareLayer is the layer of the share that is judged.
func (j *Judge) shareLayer() string {
	if a := j.Assigned(); a != nil {
		return a.Layer()
	}
	return mine
}

// share is the edit that makes a list of documents the share to judge.
func (j *Judge) share(pool []message.Pooled) (workspace.Edit, error) {
	var b strings.Builder
	for _, p := range pool {
		if strings.ContainsAny(p.Query+p.Document, "\t\n") {
			return workspace.Edit{}, say.Faultf("judge", "the id %q holds a tab", p.Document)
		}
		b.WriteString(p.Query + "\t" + p.Document + "\n")
	}
	if b.Len() > workspace.MaxText {
		return workspace.Edit{}, say.Faultf("judge", "a share may have %s, and this one has %s: split the pool further",
			say.Bytes(workspace.MaxText), say.Bytes(int64(b.Len())))
	}
	return workspace.Edit{Kind: workspace.SetSpec, Spec: shareName, Form: workspace.Pool, Text: b.String()}, nil
}

// pooled are the documents of the share, in its order, nil for none.
func (j *Judge) pooled() (out []message.Pooled) {
	if a := j.Assigned(); a != nil {
		for _, d := range a.Documents {
			out = append(out, message.Pooled{Query: d.Query, Document: d.Document})
		}
		return out
	}
	for _, s := range j.w.Specs() {
		if s.Form != workspace.Pool {
			continue
		}
		for _, line := range strings.Split(strings.TrimSuffix(s.Text, "\n"), "\n") {
			if query, doc, ok := strings.Cut(line, "\t"); ok {
				out = append(out, message.Pooled{Query: query, Document: doc})
			}
		}
	}
	return out
}

// LeaveShare goes back to what the systems find. The grades stay.
func (j *Judge) LeaveShare() {
	if len(j.pooled()) > 0 && !j.busy() {
		name := shareName
		if j.Assigned() != nil {
			name = assignedName
		}
		j.put1(workspace.Edit{Kind: workspace.RemoveSpec, Spec: name})
		j.Found()
	}
}

// Share is how many documents of the share are judged, and how many it has; 0 and 0 for none.
func (j *Judge) Share() (done, all int) {
	layer := j.shareLayer()
	for _, p := range j.pooled() {
		all++
		if _, ok := j.w.Grade(layer, p.Query, p.Document); ok {
			done++
		}
	}
	return done, all
}

// task is the list of documents to judge where it is not what the systems find.
func (j *Judge) task() ([]message.Pooled, bool) {
	if j.Adjudicating {
		var out []message.Pooled
		for _, d := range j.Disputes() {
			out = append(out, message.Pooled{Query: d.Query, Document: d.Document})
		}
		return out, true
	}
	pool := j.pooled()
	return pool, len(pool) > 0
}

// given are the documents of the open query in a list.
func (j *Judge) given(list []message.Pooled) (out []experiment.Found) {
	for _, p := range list {
		if p.Query != j.App.Settings.Spec.QueryID {
			continue
		}
		_, f, ok := j.find(p.Document)
		if !ok {
			f = experiment.Found{ID: p.Document, Grade: experiment.NoGrade}
		}
		out = append(out, f)
	}
	return out
}

// TaskQueries are the queries of the task, in the order in which they come.
func (j *Judge) TaskQueries() (out []report.Query) {
	list, _ := j.task()
	for _, p := range list {
		if slices.ContainsFunc(out, func(q report.Query) bool { return q.ID == p.Query }) {
			continue
		}
		for _, q := range j.App.Engine.Opened.Queries {
			if q.ID == p.Query {
				out = append(out, q)
			}
		}
	}
	return out
}

// Disputes are the documents that the compared layers grade differently, the largest difference first.
func (j *Judge) Disputes() []workspace.Dispute {
	if of := [3]int{j.w.Edits(), len(j.theirs), j.own}; j.disputes == nil || of != j.disputesOf {
		var imported []workspace.Judgment
		for p, g := range j.theirs {
			imported = append(imported, workspace.Judgment{Query: p[0], Document: p[1], Grade: g, Graded: true})
		}
		j.disputes, j.disputesOf = j.w.Disputes(imported, j.pair()...), of
	}
	return j.disputes
}

// Adjudicate opens a document that layers grade differently. Grades go to the layer adjudicated from then on.
func (j *Judge) Adjudicate(query, document string) {
	j.Adjudicating, j.Unblind = true, false
	j.App.Change(true, func(s *share.Address) {
		s.QueryID, s.Query = query, ""
		s.Focus = j.focus(document)
	})
}

// NextDispute opens the first document that is not decided, those of the open query first; without one it ends
// adjudication.
func (j *Judge) NextDispute() {
	var next *workspace.Dispute
	list := j.Disputes()
	for i := range list {
		d := &list[i]
		if d.Decided || d.Document == j.App.Settings.Focus.Document && d.Query == j.App.Settings.Spec.QueryID {
			continue
		}
		if next == nil || d.Query == j.App.Settings.Spec.QueryID && next.Query != d.Query {
			next = d
		}
	}
	if next == nil {
		j.EndAdjudication()
		return
	}
	j.Adjudicate(next.Query, next.Document)
}

// EndAdjudication goes back to the list of queries. Grades go to your layer again.
func (j *Judge) EndAdjudication() {
	j.Adjudicating, j.Unblind = false, false
	j.Open("")
	j.Left()
}

// Reveal says what the layers gave the open document, once it is decided or if it is asked for; "" otherwise.
func (j *Judge) Reveal() string {
	if !j.Adjudicating {
		return ""
	}
	if _, decided := j.Grade(j.App.Settings.Focus.Document); !decided && !j.Unblind {
		return ""
	}
	for _, d := range j.Disputes() {
		if d.Query != j.App.Settings.Spec.QueryID || d.Document != j.App.Settings.Focus.Document {
			continue
		}
		var said []string
		for _, g := range d.Grades {
			name := g.Layer
			for _, l := range j.Layers() {
				if l.ID == g.Layer {
					name = l.Name
				}
			}
			said = append(said, say.Visible(name)+" "+say.Page.Int(g.Grade))
		}
		return strings.Join(said, ", ")
	}
	return ""
}

// ShowGrades shows the grades of the others before one is given.
func (j *Judge) ShowGrades() { j.Unblind = true; j.App.View.Draw() }
