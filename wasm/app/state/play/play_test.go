package play

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/play"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/measure"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
)

func start(t *testing.T, fragment string) (*Play, *statetest.Recorder) {
	t.Helper()
	r := &statetest.Recorder{}
	var p *Play
	a := state.New(r, func(string) string {
		return "/"
	}, "/play", state.Part{Name: "home"}, state.Part{Name: "search"},
		state.Part{Name: "play", Make: func(a *state.App) state.Screen {
			p = New(a)
			return p
		}})
	a.Begin("/play", fragment)
	a.Receive(message.Reply{ID: r.Last(t, message.Open).ID, Kind: message.Open,
		Answer: &message.Opened{Ref: report.Ref{ID: state.DefaultCollection, Name: "Wire"},
			Queries: []report.Query{{ID: "q1", Text: "port strike"}}, Encoded: []bool{true}}})
	return p, r
}

// The example is what the collection has: titles and grades of q02.
func TestTheExampleIsOfTheCollection(t *testing.T) {
	dir := "../../../../site/collections/harbour-wire/"
	titles := map[string]string{} // → id
	each(t, dir+"corpus.jsonl", func(line string) {
		var d struct {
			ID    string `json:"_id"`
			Title string
		}
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Fatal(err)
		}
		titles[d.Title] = d.ID
	})
	grades := map[string]string{}
	each(t, dir+"qrels/test.tsv", func(line string) {
		if f := strings.Split(line, "\t"); f[0] == "q02" {
			grades[f[1]] = f[2]
		}
	})
	relevant := 0
	for _, d := range Start().Docs {
		id, ok := titles[d.Label]
		if !ok {
			t.Errorf("no document was sent %q", d.Label)
		}
		if d.Grade == measure.Unjudged {
			continue
		}
		if got := strings.TrimPrefix(GradeWords(d.Grade), "grade "); got != grades[id] {
			t.Errorf("%s has grade %s, not %s", id, grades[id], got)
		}
		if d.Grade > 0 {
			relevant++
		}
		delete(grades, id)
	}
	for id, g := range grades {
		if g != "0" {
			t.Errorf("%s has grade %s and is not in the example", id, g)
		}
	}
	if relevant != 9 {
		t.Errorf("%d relevant", relevant)
	}
}

func each(t *testing.T, file string, f func(string)) {
	t.Helper()
	r, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for s := bufio.NewScanner(r); s.Scan(); {
		f(s.Text())
	}
}

func TestADragIsOneStepThatUndoTakesBack(t *testing.T) {
	p, r := start(t, "#play=1&d=1,0,3&a=0.1.2&m=nDCG@3")
	if p.Hand.Table.Text(0) != "1 0 3" {
		t.Fatalf("%s", p.Hand.Table.Text(0))
	}
	p.Hand.Hold()
	p.Hand.Drag(0, 2, 1)
	p.Hand.Drag(0, 1, 0)
	if p.Hand.Table.Text(0) != "3 1 0" || p.Hand.Said != "document 3 to rank 1 of 3; nDCG@3 1.0000." {
		t.Errorf("%s, said %q", p.Hand.Table.Text(0), p.Hand.Said)
	}
	// the whole gesture: 1 - 0.6885 (the registry's example)
	if got := p.Hand.Change(0, 0); math.Abs(got-(1-0.6885)) > 5e-5 {
		t.Errorf("changed by %v", got)
	}
	if at := r.Addresses[len(r.Addresses)-1]; at != "/play#play=1&d=1,0,3&a=2.0.1&m=nDCG@3" {
		t.Errorf("address %s", at)
	}
	p.App.Undo()
	if p.Hand.Table.Text(0) != "1 0 3" {
		t.Errorf("after undo %s", p.Hand.Table.Text(0))
	}
	p.Hand.Step(0, 1, 1)
	p.Hand.Step(0, 0, -1)
	if p.Hand.Table.Text(0) != "1 3 0" {
		t.Errorf("%s", p.Hand.Table.Text(0))
	}
	p.Hand.Hold()
	p.Hand.Drag(0, Cut, 1)
	if got := p.Hand.Table.Measures[0].String(); got != "nDCG@1" {
		t.Errorf("cut at %s", got)
	}
}

func TestEveryChangeIsOneStep(t *testing.T) {
	p, _ := start(t, "#play=1&d=3,2,0&a=0.1.2&m=P@3~AP")
	for _, c := range []struct {
		name string
		do   func()
		want string
	}{
		{"regrade", func() { p.Hand.Regrade(0) }, "4 2 0"},
		{"regrade beyond the highest", func() { p.Hand.Regrade(0) }, "- 2 0"},
		{"grade", func() { p.Hand.Grade(0, 1) }, "1 2 0"},
		{"no such grade", func() { p.Hand.Grade(0, 9) }, "1 2 0"},
		{"sub-topic", func() { p.Hand.About(1, 2) }, "1 2c 0"},
		{"ideal", func() { p.Hand.Order("ideal") }, "2c 1 0"},
		{"worst", func() { p.Hand.Order("worst") }, "0 1 2c"},
		{"reverse", func() { p.Hand.Order("reverse") }, "2c 1 0"},
		{"take out", func() { p.Hand.Take(0, 0) }, "1 0"},
		{"put back", func() { p.Hand.Put(0, 1) }, "1 0 2c"},
		{"new", func() { p.Hand.Add() }, "1 0 2c 0"},
		{"forget", func() { p.Hand.Drop(2) }, "1 2c 0"},
		{"typed", func() { p.Text.Type("3 - 1"); p.Text.Read() }, "3 - 1"},
		{"typed wrongly", func() { p.Text.Type("7"); p.Text.Read() }, "3 - 1"},
	} {
		before := p.Hand.Table.Text(0)
		c.do()
		if got := p.Hand.Table.Text(0); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if before == c.want {
			continue
		}
		p.App.Undo()
		if got := p.Hand.Table.Text(0); got != before {
			t.Errorf("%s: undone %s, want %s", c.name, got, before)
		}
		p.App.Redo()
	}
	if !strings.Contains(p.Hand.Fault, `"7" is no grade`) {
		t.Errorf("fault %q", p.Hand.Fault)
	}
}

func TestMeasuresComeGoAndAreSet(t *testing.T) {
	p, _ := start(t, "#play=1&d=3,2,0&a=0.1.2&m=P@3")
	p.Hand.Measure("nDCG")
	p.Hand.Measure("INST") // as it is
	p.Hand.Measure("R")    // needs a cutoff
	p.Hand.Set(1, "cutoff", "2")
	p.Hand.Set(1, "dcg", "exp-log2")
	var got []string
	for _, m := range p.Hand.Table.Measures {
		got = append(got, m.String())
	}
	if s := strings.Join(got, " "); !strings.HasPrefix(s, "P@3 nDCG(dcg='exp-log2')@2 INST") ||
		!strings.HasSuffix(s, " R@5") {
		t.Errorf("%s", s)
	}
	p.Hand.Set(0, "cutoff", "nothing")
	if p.Hand.Fault == "" || p.Hand.Table.Measures[0].String() != "P@3" {
		t.Errorf("%s, %q", p.Hand.Table.Measures[0], p.Hand.Fault)
	}
	p.Hand.Without(0)
	if p.Hand.Measure("nDCG"); len(p.Hand.Table.Measures) != 4 {
		t.Errorf("%v", p.Hand.Table.Measures)
	}
	p.Hand.Choose(0)
	if p.Hand.FindBest(); !slices.Equal(p.Hand.Best, []string{"No single move improves nDCG(dcg='exp-log2')@2."}) {
		t.Errorf("%q", p.Hand.Best)
	}
}

func TestARankingComesFromSearchWithWhatItMissed(t *testing.T) {
	f, err := share.Encode(share.Address{Screen: ID,
		Spec: experiment.Spec{Collection: "harbour-wire", Systems: []string{"bm25"}, QueryID: "q1"}})
	if err != nil {
		t.Fatal(err)
	}
	p, r := start(t, "#"+f)
	hit := func(id string, grade int, twins ...experiment.Found) experiment.Found {
		return experiment.Found{ID: id, Title: []experiment.Segment{{Text: "About "}, {Text: id, Mark: true}},
			Grade: float64(grade), Twins: twins}
	}
	p.App.Receive(message.Reply{ID: r.Last(t, message.Search).ID, Kind: message.Search,
		Answer: &experiment.Results{Judged: true, Lists: []experiment.List{{Notation: "bm25",
			Hits: []experiment.Found{hit("a", 3), hit("b", experiment.NoGrade, hit("c", 0))}}}}})
	if p.Hand.Table.Text(0) != "3 - 0" || p.Hand.Table.Docs[0].Label != "About a" || len(p.Hand.Table.Measures) == 0 {
		t.Fatalf("%s, %+v", p.Hand.Table.Text(0), p.Hand.Table.Docs)
	}
	ask := r.Last(t, message.Judged)
	if ask.Question.(*message.AskJudged).Query != "q1" || r.Enriched == 0 {
		t.Errorf("%+v", ask)
	}
	p.App.Receive(message.Reply{ID: ask.ID, Kind: message.Judged,
		Answer: &message.Judgments{Query: "q1", Docs: []message.JudgedDoc{{ID: "a", Title: "About a", Grade: 3},
			{ID: "z", Title: "Missed", Grade: 2}}}})
	if out := p.Hand.Table.Out(0); len(out) != 1 || p.Hand.Table.Docs[out[0]].Label != "Missed" ||
		p.Hand.Table.Docs[out[0]].Grade != 2 {
		t.Errorf("not retrieved: %+v", p.Hand.Table.Docs)
	}
	if at := r.Addresses[len(r.Addresses)-1]; !strings.Contains(at,
		"#play=1&d=3~About+a,-~About+b,0~About+c,2~Missed&a=0.1.2") {
		t.Errorf("address %s", at)
	}
}

// The address of Play has no title of the user's own documents. The device stores the table for a reload.
func TestTheAddressNamesNoDocumentsOfOnesOwn(t *testing.T) {
	const id = "upload-0123456789abcdef"
	link := func(s experiment.Spec) string {
		s.Collection, s.Systems = id, []string{"bm25"}
		f, err := share.Encode(share.Address{Screen: ID, Spec: s})
		if err != nil {
			t.Fatal(err)
		}
		return "#" + f
	}
	p, r := start(t, link(experiment.Spec{Query: "salary"}))
	p.App.Receive(message.Reply{ID: r.Last(t, message.Search).ID, Kind: message.Search,
		Answer: &experiment.Results{Lists: []experiment.List{{Notation: "bm25", Hits: []experiment.Found{
			{ID: "a", Title: []experiment.Segment{{Text: "Dismissal"}}, Grade: 3}, {ID: "b", Grade: 0}}}}}})
	p.Hand.Grade(1, 2)
	at := r.Addresses[len(r.Addresses)-1]
	if at != "/play#"+play.Own || p.Hand.Table.Text(0) != "3 2" {
		t.Fatalf("%s, address %s", p.Hand.Table.Text(0), at)
	}
	for _, a := range r.Addresses {
		if strings.Contains(a, "Dismissal") {
			t.Errorf("the address is %s", a)
		}
	}
	open := func(fragment string) *Play {
		var q *Play
		a := state.New(r, func(string) string { return "/" }, "/play", state.Part{Name: "home"},
			state.Part{Name: "search"}, state.Part{Name: "play", Make: func(a *state.App) state.Screen {
				q = New(a)
				return q
			}})
		a.Begin("/play", fragment)
		return q
	}
	q := open("#" + play.Own)
	if q.Hand.Table.Longest() != p.Hand.Table.Longest() || q.App.Notices.Problem != nil {
		t.Errorf("a reload has %s, %+v", q.Hand.Table.Longest(), q.App.Notices.Problem)
	}
	q.Hand.Grade(0, 1)
	if f, _ := q.Fragment(); f != "#"+play.Own || !strings.Contains(r.Recall(state.PlayKey), "d=1~Dismissal,2") {
		t.Errorf("then %s, and %q is remembered", f, r.Recall(state.PlayKey))
	}
	if o := q.App.Sharing.Offers(); len(o) != 1 || o[0].ID != "link" || !strings.Contains(o[0].Note, "names") {
		t.Errorf("the menu offers %+v", o)
	}
	if q.CopyLink(); !strings.Contains(r.Copied, "Dismissal") {
		t.Errorf("a link that is asked for is %s", r.Copied)
	}
	// the query that was asked last is played with
	f, _ := share.Encode(share.Address{Spec: experiment.Spec{Collection: id, Query: "director"}})
	r.Remember(state.AskedKey(id), f)
	if q := open(link(experiment.Spec{})); q.App.Settings.QueryText() != "director" || !q.wanted {
		t.Errorf("it has the query %q", q.App.Settings.QueryText())
	}
	// undone, it is the table that the address can name again
	p.App.Undo()
	p.App.Undo()
	if f, _ := p.Fragment(); f == "#"+play.Own {
		t.Error("the first table is called one's own")
	}
	r.Remember(state.PlayKey, "")
	if q := open("#" + play.Own); q.App.Notices.Problem == nil || len(q.Hand.Table.Docs) == 0 {
		t.Errorf("on another device: %+v", q.App.Notices.Problem)
	}
}

func TestALinkThatCannotBeReadSaysWhy(t *testing.T) {
	p, _ := start(t, "#play=1&d=9")
	if p.App.Notices.Problem == nil || !strings.Contains(p.App.Notices.Problem.What, "no grade") ||
		len(p.Hand.Table.Docs) == 0 {
		t.Errorf("%+v", p.App.Notices.Problem)
	}
}
