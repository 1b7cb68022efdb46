package judge

import (
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/teach/assignment"
)

var form = Form{Title: "IR", Students: "4711\n 4712 \n\n4713\n", Scale: "No, Yes", Guidelines: "Read it.", Each: 2,
	Depth: 10}

// handedOut is a teacher's page whose class has six documents of two queries: four of them for each of three students.
func handedOut(t *testing.T, d *disk) (*Judge, *browser) {
	t.Helper()
	j, b := d.open(t, "a")
	j.Class.Share(form)
	r := b.Last(t, message.Pool)
	ask := r.Question.(*message.AskPool)
	if len(ask.Queries) != 2 || ask.Depth != 10 || ask.Collection != j.Journal.name || len(ask.Systems) == 0 {
		t.Fatalf("asked for %+v", ask)
	}
	p := &message.PoolMade{Collection: j.Journal.name}
	for _, doc := range []string{"a", "b", "c"} {
		p.Documents = append(p.Documents, message.Pooled{Query: "q1", Document: doc}, message.Pooled{Query: "q2",
			Document: doc})
	}
	j.App.Receive(message.Reply{ID: r.ID, Kind: message.Pool, Answer: p})
	if j.Class.Refused != "" || j.Class.HandedOut() == nil {
		t.Fatalf("no class: %s", j.Class.Refused)
	}
	return j, b
}

func student(t *testing.T, d *disk, link, tab string) (*Judge, *browser) {
	t.Helper()
	j, b := d.opening(t, tab)
	_, fragment, _ := strings.Cut(link, "#")
	j.App.Begin("/judge", "#"+fragment)
	j.App.Receive(message.Reply{ID: b.Last(t, message.Open).ID, Kind: message.Open, Answer: opened})
	return j, b
}

func TestAClassGetsLinksAndHandsIn(t *testing.T) {
	teachers := newDisk()
	teacher, tb := handedOut(t, teachers)
	again, _ := teachers.open(t, "b") // after a reload
	if len(again.Class.Shares()) != 3 || again.Class.Shares()[0].Link != teacher.Class.Shares()[0].Link {
		t.Fatalf("after a reload %+v", again.Class.Shares())
	}
	for i, s := range teacher.Class.Shares() {
		if s.Documents != 4 || s.Why != "" || !strings.Contains(s.Link, "/judge#"+assignment.Prefix) {
			t.Errorf("%d: %+v", i, s)
		}
	}
	laptop := newDisk()
	first := teacher.Class.Shares()[0]
	j, b := student(t, laptop, first.Link, "s")
	a := j.Task.Assigned()
	if a == nil || a.Student != "4711" || a.Class != "IR" || a.Guidelines != "Read it." || len(j.Grading.Scale()) != 2 {
		t.Fatalf("the student has %+v, %v", a, j.App.Notices.Problem)
	}
	j.Queries.Step(1)
	found(t, j, &b.Recorder)
	j.Grading.Give(3) // outside the scale
	if done, all := j.Task.Progress(); done != 0 || all != 4 {
		t.Errorf("%d of %d judged", done, all)
	}
	j.Grading.Give(1)
	if done, _ := j.Task.Progress(); done != 1 || j.Journal.w.Layer(mine).Graded() != 0 {
		t.Errorf("%d judged, %d of them are mine", done, j.Journal.w.Layer(mine).Graded())
	}
	j, _ = laptop.open(t, "again") // after a reload, without the link
	if j.Task.Assigned() == nil || j.Journal.w.Layer(a.Layer()).Graded() != 1 {
		t.Fatal("the share or its grade is lost")
	}
	var grades []workspace.Judgment
	for i, d := range a.Documents {
		grades = append(grades, workspace.Judgment{Query: d.Query, Document: d.Document, Grade: float64(i % 2), Graded: true})
	}
	handed := func(change func(l *message.LayerRead)) message.LayerRead {
		l := message.LayerRead{File: "x.qrels", Author: a.Student, Class: a.Class, Student: a.Student,
			HandedShare: a.ID(), Judged: 4}
		for _, g := range grades {
			l.Grades = append(l.Grades, message.LayerGrade{Query: g.Query, Document: g.Document, Grade: g.Grade,
				Graded: true})
		}
		change(&l)
		return l
	}
	nothing := func(*message.LayerRead) {}
	drop(t, teacher, tb, handed(func(l *message.LayerRead) { l.Student = "4719" }),
		handed(func(l *message.LayerRead) { l.HandedShare = strings.Repeat("0", 12) }),
		handed(func(l *message.LayerRead) { l.Grades[0].Document = "zz" }),
		handed(func(l *message.LayerRead) { l.Grades[0].Grade = 2 }), handed(nothing))
	for i, want := range []string{"4719 is no student of IR", "4711 has another share", "zz for query",
		"the grade 2 of", "4711: 4 of 4 documents judged."} {
		if i >= len(teacher.Layers.Said) || !strings.Contains(teacher.Layers.Said[i], want) {
			t.Errorf("said %q, want %q", teacher.Layers.Said, want)
		}
	}
	if got := named(teacher); len(got) != 1 || got[0] != "4711 4 " || teacher.Class.Shares()[0].Handed != 4 {
		t.Errorf("layers %q, %d handed in", got, teacher.Class.Shares()[0].Handed)
	}
	adopted := *opened // with grades in it the collection has another hash
	adopted.Ref.Hash = strings.Repeat("f", 64)
	teacher.App.Adopted(&adopted)
	if n := teacher.Class.Shares()[0].Handed; n != 4 {
		t.Errorf("%d grades are handed in after the figures are there", n)
	}
	drop(t, teacher, tb, handed(nothing))
	if !strings.Contains(teacher.Layers.Said[0], "handed in before") {
		t.Errorf("said %q", teacher.Layers.Said)
	}
	grades[0].Grade = 1
	drop(t, teacher, tb, handed(nothing))
	if g, _ := teacher.Journal.w.Layer(a.Layer()).Grade(grades[0].Query, grades[0].Document); g != 1 ||
		len(named(teacher)) != 1 {
		t.Errorf("the later file gives %v, layers %q", g, named(teacher))
	}
	teacher.Class.End()
	if teacher.Class.HandedOut() != nil || len(named(teacher)) != 1 {
		t.Error("what was handed in went with the class")
	}
	j.Task.Leave()
	if j.Task.Assigned() != nil || j.Journal.w.Layer(a.Layer()).Graded() != 1 {
		t.Error("grades went with the share")
	}
}

func TestAClassThatCannotBeSaysWhy(t *testing.T) {
	for want, change := range map[string]func(f *Form){
		"is listed twice":        func(f *Form) { f.Students = "4711\n4711" },
		"want 2 to 4":            func(f *Form) { f.Scale = "yes" },
		"there are no queries":   func(f *Form) { f.Own = true },
		"documents of each list": func(f *Form) { f.Depth = 0 },
		"title of the class":     func(f *Form) { f.Title = " " },
	} {
		j, _ := newDisk().open(t, "a")
		f := form
		change(&f)
		if j.Class.Share(f); !strings.Contains(j.Class.Refused, want) || j.Class.Pooling {
			t.Errorf("%q, want %q", j.Class.Refused, want)
		}
	}
}

func TestADamagedOrForeignLinkSaysSo(t *testing.T) {
	teacher, _ := handedOut(t, newDisk())
	link := teacher.Class.Shares()[1].Link
	j, _ := student(t, newDisk(), link[:len(link)-12], "s")
	if j.Task.Assigned() != nil || j.App.Notices.Problem == nil ||
		!strings.Contains(j.App.Notices.Problem.What, "damaged") {
		t.Errorf("%+v", j.App.Notices.Problem)
	}
}

// The documents of a teacher's own collection come as a file, which the student opens first.
func TestAShareOfDocumentsThatAreElsewhereWaits(t *testing.T) {
	c := assignment.Class{Title: "IR", Each: 1, Seed: 1, Scale: assignment.DefaultScale, Students: []string{"4711"},
		Pool: []workspace.Pooled{{Query: "q1", Document: "a"}}}
	list, err := c.Assignments(assignment.Assignment{Collection: "upload-0123456789abcdef", Name: "boats"})
	if err != nil {
		t.Fatal(err)
	}
	link, _ := list[0].Link()
	j, b := newDisk().opening(t, "s")
	j.App.Begin("/judge", "#"+link)
	r := b.Last(t, message.Open)
	if at := r.Question.(*message.Place); at.Collection != "upload-0123456789abcdef" {
		t.Fatalf("opens %+v", at)
	}
	j.App.Receive(message.Reply{ID: r.ID, Kind: message.Open, Problem: &message.Problem{What: "not here"}})
	if w := j.Task.Waiting(); w == nil || w.Name != "boats" || j.App.Notices.Problem != nil ||
		j.Task.Assigned() != nil {
		t.Errorf("%+v, %+v", w, j.App.Notices.Problem)
	}
}

func TestTheListOfLinksIsATable(t *testing.T) {
	teacher, b := handedOut(t, newDisk())
	teacher.Class.CopyShares(true)
	lines := strings.Split(b.Copied, "\n")
	if len(lines) != 6 || lines[0] != "| student | documents | link |" ||
		lines[2] != "| 4711 | 4 | "+teacher.Class.Shares()[0].Link+" |" {
		t.Errorf("%s", b.Copied)
	}
	teacher.Class.CopyShares(false)
	if !strings.HasPrefix(b.Copied, "student,documents,link\n4711,4,http") {
		t.Errorf("%s", b.Copied)
	}
	if got := table([][]string{{"<b>|*"}}); got != "| &lt;b>\\|\\* |\n| --- |\n" {
		t.Errorf("%q", got)
	}
}
