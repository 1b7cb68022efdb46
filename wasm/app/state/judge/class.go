package judge

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/assignment"
	"github.com/rankbox/rankbox/core/export/sheet"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/report"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/workspace"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// A class judges a pool: the teacher's workspace keeps who has what, each student opens a link with a share, and what
// is handed in becomes a layer each.

// Names of the specs that hold what was handed out, and the share that this device was given.
const (
	className    = "class"
	assignedName = "assigned"
)

// Form is what a teacher fills in.
type Form struct {
	Title, Students, Scale, Guidelines string // students one a line, names of grades separated by commas
	Each, Depth                        int
	Own                                bool // only the queries that were added here
}

// classing is what the screen knows of classes beside the workspace.
type classing struct {
	Pooling bool             // the pool is being made
	Refused string           // why no links were made, "" if they were
	Doubts  []string         // why systems found nothing for some query
	class   assignment.Class // that waits for its pool
	shares  []Share
	of      string // the text of the class that shares are of, and where they lead
	offered *assignment.Assignment
	taken   *assignment.Assignment // of the spec with the text takenOf
	takenOf string
}

// Share is a student's share as the teacher lists it.
type Share struct {
	Student   string
	Documents int
	Link      string // "" if it does not fit
	Why       string // why there is no link, "" if there is one
	Handed    int    // grades that were handed in
	share     assignment.Assignment
}

// spec is the text of a spec, "" if there is none.
func (j *Judge) spec(name, form string) string {
	for _, s := range j.w.Specs() {
		if s.Name == name && s.Form == form {
			return s.Text
		}
	}
	return ""
}

// Class is what was handed out over the open collection, nil for nothing.
func (j *Judge) Class() *assignment.Class {
	c, err := assignment.ReadClass(j.spec(className, workspace.Class))
	if err != nil {
		return nil
	}
	return c
}

// ShareWithClass makes the shares: the pool is what the open systems find.
func (j *Judge) ShareWithClass(f Form) {
	defer j.App.View.Draw()
	if j.busy() || j.App.Engine.Opened == nil || j.Pooling {
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
	for _, q := range j.App.Engine.Opened.Queries {
		if !f.Own || j.Own(q.ID) {
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
	if j.Refused = ""; err != nil {
		j.Refused = say.Sentence(err)
		return
	}
	j.class, j.Pooling, j.Doubts = c, true, nil
	j.App.Engine.Request(message.Pool, &message.AskPool{Collection: j.name, Systems: j.App.Settings.Systems(),
		Queries: ids,
		Depth:   f.Depth})
}

// pooledFor takes the pool of the class that waits for it.
func (j *Judge) pooledFor(p *message.PoolMade) {
	waited := j.Pooling
	if j.Pooling = false; !waited || p == nil || p.Collection != j.name || j.busy() {
		return
	}
	c := j.class
	for _, d := range p.Documents {
		c.Pool = append(c.Pool, workspace.Pooled{Query: d.Query, Document: d.Document})
	}
	j.Doubts = p.Problems
	_, err := c.Assignments(j.common())
	text := c.Text()
	if err == nil && len(text) > workspace.MaxText {
		err = say.Faultf("judge", "the pool of %s takes %s, and a workspace keeps %s of it: choose fewer queries or a "+
			"smaller depth", say.Count(len(c.Pool), "document", "documents"), say.Bytes(int64(len(text))),
			say.Bytes(workspace.MaxText))
	}
	if err != nil {
		j.Refused = say.Sentence(err)
		return
	}
	j.put1(workspace.Edit{Kind: workspace.SetSpec, Spec: className, Form: workspace.Class, Text: text})
}

// EndClass forgets what was handed out. What was handed in stays.
func (j *Judge) EndClass() {
	if j.Class() != nil && !j.busy() {
		j.put1(workspace.Edit{Kind: workspace.RemoveSpec, Spec: className})
	}
}

// common is what all shares say of the collection.
func (j *Judge) common() assignment.Assignment {
	a := assignment.Assignment{Collection: j.App.Settings.Collection(), Name: j.w.Name(), Queries: j.w.Queries()}
	if h := j.w.Documents.Hash; len(h) >= 16 { // that of Opened is of the grades too
		a.Hash = h[:16]
	}
	return a
}

// Shares are those of the class, with what was handed in; none without a class.
func (j *Judge) Shares() []Share {
	text := j.spec(className, workspace.Class)
	if text == "" {
		return nil
	}
	common := j.common()
	of := text + common.Hash + common.Name
	for _, q := range common.Queries {
		of += "\n" + q.ID + q.Text + q.Description + q.Narrative
	}
	if of != j.of {
		j.of, j.shares = of, nil
		c := j.Class()
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
				s.Link = j.App.Browser.Origin() + state.Path(j.ID()) + "#" + link
			}
			j.shares = append(j.shares, s)
		}
	}
	out := slices.Clone(j.shares)
	for i := range out {
		out[i].Handed = j.w.Graded(out[i].share.Layer())
	}
	return out
}

// Uploaded says that the documents are only on this device, so that students need a file of them.
func (j *Judge) Uploaded() bool { return strings.HasPrefix(j.App.Settings.Collection(), "upload-") }

// SaveDocuments saves the documents for students: a workspace without a grade.
func (j *Judge) SaveDocuments() {
	w := workspace.New(j.w.Documents)
	if name := j.w.Name(); name != "" {
		w.Apply(workspace.Edit{Kind: workspace.SetName, Text: name, Stamp: w.Next(0, j.tab)}) // of an empty one
	}
	j.pack(j.name, w, "")
}

// SaveShare saves the share of a student as a file, for one that does not fit a link.
func (j *Judge) SaveShare(student string) {
	for _, s := range j.Shares() {
		if s.Student == student {
			name := assignment.FileName(student, ".share.txt")
			j.App.Browser.Save(name, "text/plain", s.share.File())
			j.App.Notices.Say(name + " was saved. The student drops it on Judge.")
		}
	}
}

// CopyShare puts the link of a student onto the clipboard.
func (j *Judge) CopyShare(student string) {
	for _, s := range j.Shares() {
		if s.Student == student && s.Link != "" {
			j.App.Sharing.CopyWith(s.Link, "It opens the share of "+say.Visible(student)+".")
		}
	}
}

// CopyShares puts the links of all students onto the clipboard: as CSV, or as a table in Markdown.
func (j *Judge) CopyShares(markdown bool) {
	rows := [][]string{{"student", "documents", "link"}}
	for _, s := range j.Shares() {
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
	j.App.Browser.Copy(text, func(copied bool) {
		if copied {
			j.App.Notices.Say("Copied as " + form + ": " + say.Count(len(rows)-1, "share", "shares") + ".")
			return
		}
		j.App.Browser.Save("shares."+map[bool]string{true: "md", false: "csv"}[markdown], "text/plain", []byte(text))
		j.App.Notices.Say("The browser did not allow copying. The list was saved as a file.")
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

// ReadLink takes the link of a share.
func (j *Judge) ReadLink(fragment string) {
	a, err := assignment.Read(fragment)
	if err != nil {
		j.App.Notices.Problem = &message.Problem{What: "This link could not be opened: " + say.Sentence(err),
			Where: "the part of the address after #", Do: "Ask your teacher for the link again, or for the file."}
		return
	}
	j.open(a)
}

// open goes to the collection of a share, which is taken once its workspace is there.
func (j *Judge) open(a *assignment.Assignment) {
	j.offered = a
	s := &j.App.Settings.Spec
	if s.Collection, s.Hash = a.Collection, a.Hash; a.Collection == j.App.Settings.Default {
		s.Collection = ""
	}
	s.QueryID, s.Query = "", ""
}

// Begin takes the share if the workspace is there already.
func (j *Judge) Begin() { j.take() }

// Waiting is the share whose collection is not open, nil for none.
func (j *Judge) Waiting() *assignment.Assignment {
	if j.offered != nil && j.App.Engine.Phase == state.Failed {
		return j.offered
	}
	return nil
}

// Unopened says that the screen itself tells why the collection could not be opened.
func (j *Judge) Unopened() bool { return j.Waiting() != nil }

// take makes the share that was opened the one that is judged.
func (j *Judge) take() {
	a := j.offered
	if a == nil || j.App.Engine.Opened == nil || a.Collection != j.name || j.busy() {
		return
	}
	j.offered = nil
	if have := j.Assigned(); have != nil && have.ID() == a.ID() {
		return
	}
	link := a.Fragment()
	edits := []workspace.Edit{{Kind: workspace.SetSpec, Spec: assignedName, Form: workspace.Assigned, Text: link}}
	if len(link) > workspace.MaxText {
		j.Said = []string{"The share has " + say.Bytes(int64(len(link))) + ", and a workspace keeps " +
			say.Bytes(workspace.MaxText) + ": ask your teacher for a smaller one."}
		return
	}
	for _, q := range a.Queries {
		if !slices.ContainsFunc(j.App.Engine.Opened.Queries, func(x report.Query) bool { return x.ID == q.ID }) {
			edits = append(edits, workspace.Edit{Kind: workspace.SetQuery, Query: q.ID, Text: q.Text,
				Description: q.Description, Narrative: q.Narrative})
		}
	}
	j.write(edits, func(apply func()) {
		j.App.Change(false, func(*share.Address) { apply() })
		j.push()
	})
}

// Assigned is the share that is judged here, nil for none.
func (j *Judge) Assigned() *assignment.Assignment {
	text := j.spec(assignedName, workspace.Assigned)
	if text != j.takenOf {
		j.takenOf, j.taken = text, nil
		if text != "" {
			j.taken, _ = assignment.Read(text)
		}
	}
	return j.taken
}

// HandIn saves what the student hands in: a file that is called after the student.
func (j *Judge) HandIn() {
	a := j.Assigned()
	if a == nil {
		return
	}
	b, err := a.HandIn(j.w.Judgments(a.Layer()))
	if err != nil {
		j.App.Notices.Problem = &message.Problem{What: "The grades can't be written as TREC qrels: " +
			say.Sentence(err),
			Where: "Hand in", Do: "Tell your teacher which id it is."}
		j.App.View.Draw()
		return
	}
	name := assignment.FileName(a.Student, ".qrels")
	j.App.Browser.Save(name, "text/plain", b)
	j.App.Notices.Say(name + " was saved. Send it to your teacher.")
}

// ofClass takes a file of a class: a share that is to be judged here, or the judgments that a student hands in, whose
// edits it returns. It says what came of the file.
func (j *Judge) ofClass(l *message.LayerRead) (edits []workspace.Edit) {
	file := say.Visible(l.File) + ": "
	if l.Share == "" {
		edits, said, err := j.handIn(l)
		if err != nil {
			edits, said = nil, file+say.Sentence(err)
		}
		j.Said = append(j.Said, said+lacking(l.Unknown))
		return edits
	}
	switch a, err := assignment.Read(l.Share); {
	case err != nil:
		j.Said = append(j.Said, file+say.Sentence(err))
	case a.Collection != j.name:
		j.Said = append(j.Said, file+"the share is about "+say.Visible(a.Name)+". Open that first, then "+
			"drop the file again.")
	default:
		j.offered = a
	}
	return nil
}

// handed is the layer that what a student handed in becomes, and why it is none.
func (j *Judge) handed(l *message.LayerRead) (id string, err error) {
	id = "share-" + l.HandedShare
	c := j.Class()
	if c == nil || c.Title != l.Class {
		return id, nil
	}
	h := assignment.HandedIn{Class: l.Class, Student: l.Student, Share: l.HandedShare}
	for _, g := range l.Grades {
		h.Grades = append(h.Grades, workspace.Judgment{Query: g.Query, Document: g.Document, Grade: g.Grade,
			Graded: g.Graded})
	}
	for _, s := range j.Shares() {
		if s.Student == l.Student {
			return id, s.share.Check(&h)
		}
	}
	return id, say.Faultf("judge", "%s is no student of %s", l.Student, c.Title)
}

// handIn returns the edits that take what a student handed in. A later file of the same student replaces grades.
func (j *Judge) handIn(l *message.LayerRead) (edits []workspace.Edit, said string, err error) {
	id, err := j.handed(l)
	if err != nil {
		return nil, "", err
	}
	now := time.Now().UnixMilli()
	var list []workspace.Judgment
	for _, g := range l.Grades {
		if have, ok := j.w.Grade(id, g.Query, g.Document); !ok || have != g.Grade {
			list = append(list, workspace.Judgment{Query: g.Query, Document: g.Document, Grade: g.Grade, Graded: true,
				Time: now})
		}
	}
	who := say.Visible(l.Student)
	if len(list) == 0 {
		return nil, who + ": the same grades were handed in before.", nil
	}
	h := workspace.Head{ID: id, Origin: workspace.Second, Author: l.Student, Date: l.Date, Rule: l.Class}
	edits = j.w.AddLayer(h, list, now, j.tab)
	return edits, who + ": " + say.Plain.Int(len(l.Grades)) + " of " + say.Count(l.Judged, "document", "documents") +
		" judged.", checked(edits)
}
