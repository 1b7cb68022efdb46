package judge

import (
	"strings"
	"testing"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
	screen "github.com/rankbox/rankbox/wasm/app/state/judge"
	"github.com/rankbox/rankbox/wasm/app/state/statetest"
	"github.com/rankbox/rankbox/wasm/internal/dom"
)

// drawn is the screen on a page, and how its HTML is had.
type drawn struct {
	*screen.Judge
	*statetest.Recorder
	view *Judge
	env  *vugu.BuildEnv
}

func draw(t *testing.T) *drawn {
	t.Helper()
	env, err := vugu.NewBuildEnv()
	if err != nil {
		t.Fatal(err)
	}
	d := &drawn{Recorder: &statetest.Recorder{}, env: env}
	a := state.New(d.Recorder, func(string) string { return "/" }, "/judge", state.Part{Name: "home"},
		state.Part{Name: "judge", Make: func(a *state.App) state.Screen {
			s, b := Make(a)
			d.Judge, d.view = s.(*screen.Judge), b.(*Judge)
			return s
		}})
	a.Begin("/judge", "")
	a.Receive(message.Reply{ID: d.Last(t, message.Open).ID, Kind: message.Open, Answer: &message.Opened{
		Ref:     report.Ref{ID: state.DefaultCollection, Name: "Wire"},
		Queries: []report.Query{{ID: "q1", Text: "port strike"}, {ID: "q2", Text: "ferry"}}}})
	return d
}

func (d *drawn) find(t *testing.T) {
	t.Helper()
	hits := []experiment.Found{{ID: "a", Grade: experiment.NoGrade}, {ID: "b", Grade: experiment.NoGrade}}
	d.App.Receive(message.Reply{ID: d.Last(t, message.Search).ID, Kind: message.Search,
		Answer: &experiment.Results{Lists: []experiment.List{{Hits: hits}}}})
}

func (d *drawn) drop(t *testing.T, list ...message.LayerRead) {
	t.Helper()
	d.AddFiles([]message.File{{ID: 1, Name: "f"}})
	d.App.Receive(message.Reply{ID: d.Last(t, message.Layers).ID, Kind: message.Layers,
		Answer: &message.LayersRead{List: list}})
}

// shows fails unless the HTML has each text that is named, and none that is named with "!" before it.
func (d *drawn) shows(t *testing.T, texts ...string) {
	t.Helper()
	var b strings.Builder
	dom.HTML(&b, dom.Flatten(d.env.RunBuild(d.view)))
	for _, s := range texts {
		if s, absent := strings.CutPrefix(s, "!"); strings.Contains(b.String(), s) == absent {
			t.Errorf("%q is shown: want %v", s, !absent)
		}
	}
}

func TestADocumentIsShownWithItsGrade(t *testing.T) {
	d := draw(t)
	d.shows(t, `id="judge-first"`, `id="judge-todo"`, `id="judge-layers"`, `id="judge-class"`, `!class="judging"`)
	d.Queries.Step(1)
	d.shows(t, "Searching …", `aria-busy="true"`, `!class="judging"`)
	d.find(t)
	d.shows(t, "Query 1 of 2", "Document 1 of 2", "0 of 2 documents of this query judged.", "!aria-busy",
		`aria-pressed="false" data-key="3" id="grade-3"`, `!id="judge-todo"`, `!id="judge-layers"`)
	if !d.view.Key("3") || d.view.Key("9") {
		t.Error("3 is a grade and 9 is none")
	}
	d.shows(t, "Document 2 of 2", "1 of 2 documents of this query judged.", `!id="judge-finished"`)
	d.view.Key("ArrowLeft")
	d.shows(t, `aria-pressed="true" data-key="3" id="grade-3"`, `aria-pressed="false" data-key="2" id="grade-2"`)
	d.view.Key("ArrowRight")
	d.view.Key("0")
	d.shows(t, `id="judge-finished"`, `max="2" value="2"`)
	d.view.Key("u")
	d.shows(t, `!id="judge-finished"`)
}

func TestLabelsAreDecidedByKeys(t *testing.T) {
	d := draw(t)
	line := `{"query":"q1","document":"a","layer":"Ada","grade":2,"quote":"It opened.","candidate_start":0,` +
		`"candidate_end":8,"candidate":"It shut.","kept":0.5,"reason":"more changed"}`
	d.drop(t, message.LayerRead{File: "u.jsonl", Unsure: []message.Unsure{{Line: line, Before: "x", After: "y",
		IDs: []string{"a#1"}}}})
	d.shows(t, `id="unsure-title">1 label to look at`, "Grade 2 for “port strike”, by Ada.", "It opened.",
		"<mark>It shut.</mark>", "more changed")
	if !d.view.Key("a") || d.view.Key("a") {
		t.Error("the key decides once")
	}
	d.shows(t, `!id="unsure"`, `aria-label="Author of Ada"`)
}

func TestAdjudicationEndsWithEscape(t *testing.T) {
	d := draw(t)
	read := func(author string, grade int) message.LayerRead {
		return message.LayerRead{Author: author, Grades: []message.LayerGrade{{Query: "q1", Document: "a",
			Grade:  float64(grade),
			Graded: true}}}
	}
	d.drop(t, read("Ada", 1), read("Bob", 3))
	d.shows(t, "1 document has grades that differ; 0 decided.", `id="layers-rule"`)
	d.Adjudication.Next()
	d.find(t)
	d.shows(t, `id="judge-mode"`, "Grade it first", "!Ada 1, Bob 3")
	d.view.Key("2")
	d.shows(t, "Grades of this document: Ada 1, Bob 3.")
	if !d.view.Escape() || d.view.Escape() {
		t.Error("Escape ends adjudication once")
	}
	d.shows(t, `!id="judge-mode"`, "1 document has grades that differ; 1 decided.")
}

func TestAStudentSeesTheShareAndNothingOfOthers(t *testing.T) {
	d := draw(t)
	d.Class.Share(screen.Form{Title: "IR", Students: "4711\n4712", Scale: "No, Yes", Guidelines: "Read it.", Each: 2,
		Depth: 10})
	d.App.Receive(message.Reply{ID: d.Last(t, message.Pool).ID, Kind: message.Pool, Answer: &message.PoolMade{
		Collection: d.App.Settings.Collection(), Documents: []message.Pooled{{Query: "q1", Document: "a"}}}})
	d.shows(t, `id="pool-shares"`, "Copy the link of 4711")
	_, fragment, _ := strings.Cut(d.Class.Shares()[0].Link, "#")
	d.ReadLink(fragment)
	d.Begin()
	d.shows(t, "Share of 4711 in IR.", "0 of 1 document judged.", "Read it.", `id="judge-hand-in" class>`,
		`!id="judge-layers"`, `!id="judge-class"`, `!id="judge-measure"`, `!id="judge-only"`)
	d.Queries.Step(1)
	d.find(t)
	d.shows(t, `id="grade-1"`, `!id="grade-2"`)
	d.view.Key("1")
	d.shows(t, "1 of 1 document judged.", `id="judge-hand-in" class="primary"`)
}

func TestTypedQueriesAreAdded(t *testing.T) {
	d := draw(t)
	d.view.Typed = "port strike"
	d.view.Add()
	d.shows(t, "Nothing was added: type a query that the collection lacks.")
	d.view.Typed = "fog\nmist"
	d.view.Add()
	d.shows(t, "2 queries added.", "!>fog")
}
