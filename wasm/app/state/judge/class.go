package judge

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/evaluate/export/sheet"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/teach/assignment"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// A class judges a pool: the teacher's workspace keeps who has what, each student opens a link with a share, and what
// is handed in becomes a layer each.

// className is the name of the spec that holds what was handed out.
const className = "class"

// Form is what a teacher fills in.
type Form struct {
	Title, Students, Scale, Guidelines string // students one a line, names of grades separated by commas
	Each, Depth                        int
	Own                                bool // only the queries that were added here
}

// Class is what a teacher handed out over the open collection, and what was handed in.
type Class struct {
	Pooling bool     // the pool is being made
	Refused string   // why no links were made, "" if they were
	Doubts  []string // why systems found nothing for some query

	app     *state.App
	journal *Journal
	queries *Queries
	waiting assignment.Class // that waits for its pool
	shares  []Share
	of      string // the text of the class that shares are of, and where they lead
}

// begin forgets the class of another collection.
func (cl *Class) begin() { *cl = Class{app: cl.app, journal: cl.journal, queries: cl.queries} }

// Share is a student's share as the teacher lists it.
type Share struct {
	Student   string
	Documents int
	Link      string // "" if it does not fit
	Why       string // why there is no link, "" if there is one
	Handed    int    // grades that were handed in
	share     assignment.Assignment
}

// HandedOut is what was handed out over the open collection, nil for nothing.
func (cl *Class) HandedOut() *assignment.Class {
	c, err := assignment.ReadClass(cl.journal.spec(className, workspace.Class))
	if err != nil {
		return nil
	}
	return c
}

// Share makes the shares: the pool is what the open systems find.
func (cl *Class) Share(f Form) {
	defer cl.app.View.Draw()
	if cl.journal.busy() || cl.app.Engine.Opened == nil || cl.Pooling {
		return
	}
	c := assignment.Class{Title: strings.TrimSpace(f.Title), Each: f.Each, Seed: 1,
		Guidelines: strings.TrimSpace(f.Guidelines)}
	for _, s := range strings.Split(f.Students, "\n") {
		if s = strings.TrimSpace(s); s != "" {
			c.Students = append(c.Students, s)
		}
	}
	for _, s := range strings.Split(f.Scale, ",") {
		if s = strings.TrimSpace(s); s != "" {
			c.Scale = append(c.Scale, s)
		}
	}
	var ids []string
	for _, q := range cl.app.Engine.Opened.Queries {
		if !f.Own || cl.queries.Own(q.ID) {
			ids = append(ids, q.ID)
		}
	}
	err := c.Check()
	if err == nil && len(ids) == 0 {
		err = errors.New("there are no queries to judge: add some")
	}
	if err == nil && (f.Depth < 1 || f.Depth > share.MaxDepth) {
		err = say.Faultf("judge", "the pool takes 1 to %d documents of each list", share.MaxDepth)
	}
	if cl.Refused = ""; err != nil {
		cl.Refused = say.Sentence(err)
		return
	}
	cl.waiting, cl.Pooling, cl.Doubts = c, true, nil
	cl.app.Engine.Request(message.Pool, &message.AskPool{Collection: cl.journal.name,
		Systems: cl.app.Settings.Systems(), Queries: ids,
		Depth: f.Depth})
}

// pooled takes the pool of the class that waits for it.
func (cl *Class) pooled(p *message.PoolMade) {
	waited := cl.Pooling
	if cl.Pooling = false; !waited || p == nil || p.Collection != cl.journal.name || cl.journal.busy() {
		return
	}
	c := cl.waiting
	for _, d := range p.Documents {
		c.Pool = append(c.Pool, workspace.Pooled{Query: d.Query, Document: d.Document})
	}
	cl.Doubts = p.Problems
	_, err := c.Assignments(cl.common())
	text := c.Text()
	if err == nil && len(text) > workspace.MaxText {
		err = say.Faultf("judge", "the pool of %s takes %s, and a workspace keeps %s of it: choose fewer queries or a "+
			"smaller depth", say.Count(len(c.Pool), "document", "documents"), say.Bytes(int64(len(text))),
			say.Bytes(workspace.MaxText))
	}
	if err != nil {
		cl.Refused = say.Sentence(err)
		return
	}
	cl.journal.change(workspace.Edit{Kind: workspace.SetSpec, Spec: className, Form: workspace.Class, Text: text})
}

// End forgets what was handed out. What was handed in stays.
func (cl *Class) End() {
	if cl.HandedOut() != nil && !cl.journal.busy() {
		cl.journal.change(workspace.Edit{Kind: workspace.RemoveSpec, Spec: className})
	}
}

// common is what all shares say of the collection.
func (cl *Class) common() assignment.Assignment {
	a := assignment.Assignment{Collection: cl.app.Settings.Collection(), Name: cl.journal.w.Name(),
		Queries: cl.journal.w.Queries()}
	if h := cl.journal.w.Documents.Hash; len(h) >= 16 { // that of Opened is of the grades too
		a.Hash = h[:16]
	}
	return a
}

// Shares are those of the class, with what was handed in; none without a class.
func (cl *Class) Shares() []Share {
	text := cl.journal.spec(className, workspace.Class)
	if text == "" {
		return nil
	}
	common := cl.common()
	of := text + common.Hash + common.Name
	for _, q := range common.Queries {
		of += "\n" + q.ID + q.Text + q.Description + q.Narrative
	}
	if of != cl.of {
		cl.of, cl.shares = of, nil
		c := cl.HandedOut()
		if c == nil {
			return nil
		}
		list, err := c.Assignments(common)
		if err != nil {
			return nil
		}
		for _, a := range list {
			s := Share{Student: a.Student, Documents: len(a.Documents), share: a}
			link, err := a.Link()
			if err != nil {
				s.Why = "No link: " + say.Sentence(err)
			} else {
				s.Link = cl.app.Browser.Origin() + state.Path(ID) + "#" + link
			}
			cl.shares = append(cl.shares, s)
		}
	}
	out := slices.Clone(cl.shares)
	for i := range out {
		out[i].Handed = cl.journal.w.Layer(out[i].share.Layer()).Graded()
	}
	return out
}

// Uploaded says that the documents are only on this device, so that students need a file of them.
func (cl *Class) Uploaded() bool { return state.Uploaded(cl.app.Settings.Collection()) }

// SaveDocuments saves the documents for students: a workspace without a grade.
func (cl *Class) SaveDocuments() {
	w := workspace.New(cl.journal.w.Documents)
	if name := cl.journal.w.Name(); name != "" {
		s := w.Next(0, cl.journal.tab) // of an empty one
		w.Apply(workspace.Edit{Kind: workspace.SetName, Text: name, Stamp: s})
	}
	pack(cl.app, cl.journal.name, w, "")
}

// SaveShare saves the share of a student as a file, for one that does not fit a link.
func (cl *Class) SaveShare(student string) {
	for _, s := range cl.Shares() {
		if s.Student == student {
			name := assignment.FileName(student, ".share.txt")
			cl.app.Browser.Save(name, "text/plain", s.share.File())
			cl.app.Notices.Say(name + " was saved. The student drops it on Judge.")
		}
	}
}

// CopyShare puts the link of a student onto the clipboard.
func (cl *Class) CopyShare(student string) {
	for _, s := range cl.Shares() {
		if s.Student == student && s.Link != "" {
			cl.app.Sharing.CopyWith(s.Link, "It opens the share of "+say.Visible(student)+".")
		}
	}
}

// CopyShares puts the links of all students onto the clipboard: as CSV, or as a table in Markdown.
func (cl *Class) CopyShares(markdown bool) {
	rows := [][]string{{"student", "documents", "link"}}
	for _, s := range cl.Shares() {
		link := s.Link
		if link == "" {
			link = "file: " + assignment.FileName(s.Student, ".share.txt")
		}
		rows = append(rows, []string{s.Student, say.Plain.Int(s.Documents), link})
	}
	text, form := sheet.CSV(rows), "CSV"
	if markdown {
		text, form = table(rows), "Markdown"
	}
	cl.app.Browser.Copy(text, func(copied bool) {
		if copied {
			cl.app.Notices.Say("Copied as " + form + ": " + say.Count(len(rows)-1, "share", "shares") + ".")
			return
		}
		cl.app.Browser.Save("shares."+map[bool]string{true: "md", false: "csv"}[markdown], "text/plain", []byte(text))
		cl.app.Notices.Say("The browser did not allow copying. The list was saved as a file.")
	})
}

// table writes rows as a table in Markdown, the first as its head. What students are called stays text.
func table(rows [][]string) string {
	var b strings.Builder
	for i, row := range rows {
		for _, cell := range row {
			if !strings.HasPrefix(cell, "http") {
				cell = escaped.Replace(cell)
			}
			b.WriteString("| " + cell + " ")
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(strings.Repeat("| --- ", len(row)) + "|\n")
		}
	}
	return b.String()
}

var escaped = strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&lt;", "&", "&amp;",
	"[", `\[`, "!", `\!`)

// handed is the layer that what a student handed in becomes, and why it is none.
func (cl *Class) handed(l *message.LayerRead) (id string, err error) {
	id = "share-" + l.HandedShare
	c := cl.HandedOut()
	if c == nil || c.Title != l.Class {
		return id, nil
	}
	h := assignment.HandedIn{Class: l.Class, Student: l.Student, Share: l.HandedShare}
	for _, g := range l.Grades {
		h.Grades = append(h.Grades, workspace.Judgment{Query: g.Query, Document: g.Document, Grade: g.Grade,
			Graded: g.Graded})
	}
	for _, s := range cl.Shares() {
		if s.Student == l.Student {
			return id, s.share.Check(&h)
		}
	}
	return id, say.Faultf("judge", "%s is no student of %s", l.Student, c.Title)
}

// handIn returns the edits that take what a student handed in. A later file of the same student replaces grades.
func (cl *Class) handIn(l *message.LayerRead) (edits []workspace.Edit, said string, err error) {
	id, err := cl.handed(l)
	if err != nil {
		return nil, "", err
	}
	now := time.Now().UnixMilli()
	var list []workspace.Judgment
	for _, g := range l.Grades {
		if have, ok := cl.journal.w.Layer(id).Grade(g.Query, g.Document); !ok || have != g.Grade {
			list = append(list, workspace.Judgment{Query: g.Query, Document: g.Document, Grade: g.Grade, Graded: true,
				Time: now})
		}
	}
	who := say.Visible(l.Student)
	if len(list) == 0 {
		return nil, who + ": the same grades were handed in before.", nil
	}
	h := workspace.Head{ID: id, Origin: workspace.Second, Author: l.Student, Date: l.Date, Rule: l.Class}
	edits = cl.journal.w.AddLayer(h, list, now, cl.journal.tab)
	return edits, who + ": " + say.Plain.Int(len(l.Grades)) + " of " + say.Count(l.Judged, "document", "documents") +
		" judged.", checked(edits)
}
