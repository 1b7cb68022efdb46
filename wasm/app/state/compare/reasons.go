package compare

import (
	"github.com/rankbox/rankbox/core/evaluate/compare"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// Reasons is what the worker said of queries: why they changed, and how other tools value them.
type Reasons struct {
	app  *state.App
	runs *Runs
	view *View

	Why      map[string]*compare.Explanation // a query of the page of the table
	Detail   *message.Detail                 // the rankings of the open query
	Opinions []compare.Opinion
	Said     string            // measure of the opinions
	titles   map[string]string // of documents, as far as the worker has told them
}

func (w *Reasons) forget() {
	w.Why, w.Detail, w.Opinions, w.Said, w.titles = nil, nil, nil, "", nil
}

// askRows asks why the queries of the page of the table changed.
func (w *Reasons) askRows() {
	r := w.runs.Report()
	if r == nil || w.view.A == w.view.B || !r.HasRankings() {
		w.Why = nil
		return
	}
	var ids []string
	for _, q := range w.view.PageRows() {
		ids = append(ids, r.Queries[q].ID)
	}
	w.Why = nil
	if len(ids) > 0 {
		w.app.Engine.Request(message.Reasons, &message.AskReasons{A: w.view.A, B: w.view.B,
			Measure: r.Measures[w.view.Column], Queries: ids})
	}
}

// askQuery asks for the rankings of the open query.
func (w *Reasons) askQuery() {
	r := w.runs.Report()
	if r == nil || w.view.Open == "" || !r.HasRankings() {
		w.Detail = nil
		return
	}
	w.app.Engine.Request(message.Query, &message.AskQuery{A: w.view.A, B: w.view.B, Measure: r.Measures[w.view.Column],
		Query: w.view.Open, Depth: w.view.Depth})
}

// AskOpinions asks what other tools say.
func (w *Reasons) AskOpinions() {
	if r := w.runs.Report(); r != nil && r.HasRankings() {
		w.app.Engine.Request(message.Opinions, &message.AskOpinions{Measure: r.Measures[w.view.Column]})
	}
}

// askOpinionsAgain asks for the opinions again, if they are shown or waited for.
func (w *Reasons) askOpinionsAgain() {
	if _, waiting := w.app.Engine.Asked(message.Opinions); w.Opinions != nil || waiting {
		w.Opinions = nil
		w.AskOpinions()
	}
}

// explained keeps why the queries changed.
func (w *Reasons) explained(x *message.Explanations) {
	w.Why = map[string]*compare.Explanation{}
	for i := range x.List {
		w.Why[x.List[i].Query] = &x.List[i]
	}
	w.titled(x.Titles)
}

// titled keeps the titles of documents.
func (w *Reasons) titled(list []message.Titled) {
	for _, t := range list {
		if w.titles == nil {
			w.titles = map[string]string{}
		}
		w.titles[t.ID] = t.Title
	}
}

// Title is the title of a document, "" if it is not known.
func (w *Reasons) Title(id string) string { return w.titles[id] }
