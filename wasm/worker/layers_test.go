package worker

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/evaluate/analysis"
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/core/teach/assignment"
)

// layering opens a small collection; give adds a file that somebody gives to the page.
func layeredEngine(t *testing.T, more map[string]string) (e *Engine, id string, do func(k message.Kind,
	q message.Request) message.Reply, files map[string]message.File) {
	docs := "id,title,text\n"
	qrels := ""
	for i := range 12 {
		docs += fmt.Sprintf("d%d,T%d,storm port %s\n", i, i, strings.Repeat("rain ", i))
		qrels += fmt.Sprintf("q1 0 d%d %d\n", i, i%2)
	}
	all := map[string]string{"news.csv": docs, "queries.jsonl": `{"_id":"q1","text":"storm"}` + "\n",
		"qrels.txt": qrels}
	for name, text := range more {
		all[name] = text
	}
	e, replies, ask := uploading(t, all)
	own := ask.Files[:0:0]
	files = map[string]message.File{}
	for _, f := range ask.Files {
		if _, extra := more[f.Name]; extra {
			f.Modified = 1_600_000_000_000 // 2020-09-13
			files[f.Name] = f
		} else {
			own = append(own, f)
		}
	}
	ask.Files = own
	do = asking(t, e, replies)
	made := do(message.Upload, message.Request{Question: ask}).Answer.(*message.Uploaded)
	do(message.Open, message.Request{Question: &message.Place{Base: "/uploads/" + made.ID + "/"}})
	return e, made.ID, do, files
}

func TestFilesBecomeLayersOrAreRefusedWithTheReason(t *testing.T) {
	_, _, do, files := layeredEngine(t, map[string]string{
		"ada.qrels": "q1 0 d1 2\nq1 0 d2 0\nq9 0 d1 1\n", "other.qrels": "x 0 y 1\n", "share-01.run": "q1 Q0 d3 1 2 " +
			"pool\nq1 Q0 d1 2 1 pool\n",
		"notes.md": "# A title\n\nand a text\n", "high.qrels": "q1 0 d1 2000\n",
	})
	var list []message.File
	for _, name := range []string{"ada.qrels", "other.qrels", "share-01.run", "notes.md", "high.qrels"} {
		list = append(list, files[name])
	}
	got := do(message.Layers, message.Request{Question: &message.AskLayers{Files: list}}).Answer.(*message.LayersRead)
	if len(got.List) != 5 {
		t.Fatalf("%+v", got.List)
	}
	ada := got.List[0]
	if ada.Author != "ada" || ada.Date != "2020-09-13" || ada.Unknown != 1 || ada.Problem != "" ||
		!reflect.DeepEqual(ada.Grades[0], message.LayerGrade{Query: "q1", Document: "d1", Grade: 2, Graded: true}) ||
		len(ada.Grades) != 3 {
		t.Errorf("%+v", ada)
	}
	if share := got.List[2]; !reflect.DeepEqual(share.Pool, []message.Pooled{{Query: "q1", Document: "d3"},
		{Query: "q1", Document: "d1"}}) || share.Grades != nil {
		t.Errorf("%+v", share)
	}
	for i, want := range map[int]string{1: "open the collection that they are about", 3: "no known format", 4: "2000"} {
		if !strings.Contains(got.List[i].Problem, want) {
			t.Errorf("%s: %q lacks %q", got.List[i].File, got.List[i].Problem, want)
		}
	}
}

func TestLayersAgreeAsTheTerminalSays(t *testing.T) {
	_, id, do, _ := layeredEngine(t, nil)
	w := workspace.New(workspace.Documents{Collection: id})
	var grades []workspace.Judgment
	for i := range 12 {
		grades = append(grades, workspace.Judgment{Query: "q1", Document: fmt.Sprint("d", i), Grade: float64(i % 3),
			Graded: true})
	}
	for _, e := range w.AddLayer(workspace.Head{ID: "ada", Origin: workspace.Model, Author: "Ada"}, grades, 5, "k") {
		if _, err := w.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	zip, err := w.Export()
	if err != nil {
		t.Fatal(err)
	}
	ask := &message.AskLayered{Collection: id, Zip: zip, Systems: []string{"bm25", "bm25(k1=0)"}, Measure: "AP",
		Model: "ada"}
	got := do(message.Layered, message.Request{Question: ask}).Answer.(*message.LayersAgree)
	if got.Own != 12 || got.Problem != "" || len(got.Sections) != 4 {
		t.Fatalf("%+v", got)
	}
	// The same sets by the code of `rankbox agree`, and κ by hand: of 12 documents with grades i%2 and i%3 the same
	// have 0 0 1 1 of each six: i = 0, 1, 6, 7, so 4/12; chance 1/3: κ 0.
	sets := []analysis.Judgments{{Name: "Ada", Qrels: collection.NewQrels()}, {Name: "the collection",
		Qrels: collection.NewQrels()}}
	for i := range 12 {
		sets[0].Qrels.Add("q1", fmt.Sprint("d", i), float64(i%3))
		sets[1].Qrels.Add("q1", fmt.Sprint("d", i), float64(i%2))
	}
	want, err := analysis.Agreement(sets, compare.Input{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := got.Sections[0].JSON(), want[0].JSON(); a != b {
		t.Errorf("the page says\n%s\nthe terminal\n%s", a, b)
	}
	if k := got.Sections[0].Tables[0].Rows[0][3]; k.Said(say.Plain) != "0.000" {
		t.Errorf("κ %s", k.Said(say.Plain))
	}
	if s := got.Sections[1]; s.Name != "judged-order" || len(s.Tables) != 2 || s.Tables[1].Rows[0][1].Value != 12 {
		t.Errorf("%+v", s)
	}
	if s := got.Sections[2]; s.Name != "model-bias" || len(s.Tables) != 1 {
		t.Errorf("%+v", s)
	}
	// Only the layers that are named are compared; roles are taken from all.
	ask.Of, ask.Human = []string{"ada"}, workspace.OfCollection
	if one := do(message.Layered, message.Request{Question: ask}).Answer.(*message.LayersAgree); one.Sections != nil {
		t.Errorf("one layer was compared: %+v", one)
	}
	ask.Of, ask.Human, ask.Model = []string{"ada", workspace.OfCollection}, "ada", workspace.OfCollection
	turned := do(message.Layered, message.Request{Question: ask}).Answer.(*message.LayersAgree)
	if s := turned.Sections[2].Tables[0]; !strings.Contains(strings.Join(s.Columns, " ")+turned.Sections[2].Sentence,
		"the collection") {
		t.Errorf("the collection is not the model: %+v", turned.Sections[2])
	}
	if c := do(message.Layered, message.Request{Question: &message.AskLayered{Collection: id,
		Count: true}}).Answer.(*message.LayersAgree); c.Own != 12 || c.Sections != nil {
		t.Errorf("%+v", c)
	}
}

// The pool has each document of a query once, by turns from the lists.
func TestAPoolIsMadeByTurns(t *testing.T) {
	_, id, do, _ := layeredEngine(t, nil)
	ask := &message.AskPool{Collection: id, Systems: []string{"bm25", "bm25(k1=0)"}, Queries: []string{"q1"}, Depth: 5}
	got := do(message.Pool, message.Request{Question: ask}).Answer.(*message.PoolMade)
	seen := map[message.Pooled]bool{}
	for _, d := range got.Documents {
		seen[d] = true
	}
	if n := len(got.Documents); n < 5 || n > 10 || len(seen) != n || len(got.Problems) != 0 {
		t.Fatalf("%+v", got)
	}
	one := &message.AskPool{Collection: id, Systems: ask.Systems[:1], Queries: ask.Queries, Depth: 5}
	alone := do(message.Pool, message.Request{Question: one}).Answer.(*message.PoolMade)
	if len(alone.Documents) != 5 || alone.Documents[0] != got.Documents[0] {
		t.Errorf("the first system finds %v, both %v", alone.Documents, got.Documents)
	}
}

func TestWhatAClassHandsOutAndInIsRead(t *testing.T) {
	c := assignment.Class{Title: "IR", Each: 1, Seed: 1, Scale: assignment.DefaultScale, Students: []string{"Zoë 1"},
		Pool: []workspace.Pooled{{Query: "q1", Document: "d3"}, {Query: "q1", Document: "d1"}}}
	list, err := c.Assignments(assignment.Assignment{Collection: "c"})
	if err != nil {
		t.Fatal(err)
	}
	a := list[0]
	hand, err := a.HandIn([]workspace.Judgment{{Query: "q1", Document: "d1", Grade: 2, Graded: true},
		{Query: "q1", Document: "d3", Grade: 1, Graded: true}})
	if err != nil {
		t.Fatal(err)
	}
	none, _ := a.HandIn(nil)
	all := map[string]string{"a.qrels": string(hand), "b.txt": string(a.File()),
		"forged.qrels": strings.Replace(string(hand), "d1 2", "d1 3", 1), "cut.qrels": string(hand[:len(hand)-7]),
		"empty.qrels": string(none), "cut.txt": string(a.File()[:90])}
	_, _, do, files := layeredEngine(t, all)
	read := map[string]message.LayerRead{}
	for name := range all {
		ask := &message.AskLayers{Files: []message.File{files[name]}}
		got := do(message.Layers, message.Request{Question: ask}).Answer.(*message.LayersRead).List
		if len(got) != 1 || got[0].File != name {
			t.Fatalf("%s: %+v", name, got)
		}
		read[name] = got[0]
	}
	if l := read["a.qrels"]; l.Author != "Zoë 1" || l.Student != "Zoë 1" || l.Class != "IR" || l.Judged != 2 ||
		l.HandedShare != a.ID() || len(l.Grades) != 2 || l.Problem != "" {
		t.Errorf("%+v", l)
	}
	if x, err := assignment.Read(read["b.txt"].Share); err != nil || !reflect.DeepEqual(x, &a) {
		t.Errorf("%+v, %v", read["b.txt"], err)
	}
	for name, want := range map[string]string{"forged.qrels": "Changed by hand", "cut.qrels": "Damaged",
		"empty.qrels": "no grade", "cut.txt": "damaged"} {
		if p := read[name].Problem; !strings.Contains(strings.ToLower(p), strings.ToLower(want)) {
			t.Errorf("%s: %q lacks %q", name, p, want)
		}
	}
}
