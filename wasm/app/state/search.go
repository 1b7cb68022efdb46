package state

import (
	"slices"
	"strings"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// Search is the query, its lists, and the document whose score is explained.
type Search struct {
	engine   *Engine
	settings *Settings
	screens  *Screens
	programs *Programs
	figures  *Figures
	notices  *Notices
	view     *View
	change   func(kind string, push bool, f func(*share.Address))

	Results  *experiment.Results
	Excerpt  bool   // Results hold only what Home shows of them
	Differ   string // why Home's two lists of the example differ
	Why      *experiment.Why
	Unfolded int // the system, from 1, whose measure is taken apart on Search; 0 for none

	allowance int // tokens that searches may have backends asked for
}

// Allowed is how many tokens searches may have backends asked for before the page asks again.
const Allowed = 200_000

// ask asks for the lists of the query.
func (s *Search) ask() {
	s.programs.enrich()
	spec := s.settings.Full()
	spec.Spend = s.allowance
	searching.ask(s.engine, &spec)
}

// found takes the lists.
func (s *Search) found(r *experiment.Results) {
	s.Results, s.Excerpt = r, false
	s.engine.restarts = 0
}

// spent takes note of what a search has spent.
func (s *Search) spent(tokens int) { s.allowance = max(0, s.allowance-tokens) }

// explained takes the explanation of the document in Focus.
func (s *Search) explained(why *experiment.Why) {
	if s.settings.Focus.Document != "" {
		s.Why = why
	}
}

// explain asks for the score of the document in Focus.
func (s *Search) explain() {
	explaining.ask(s.engine, &message.AskWhy{Spec: s.settings.Full(), Focus: s.settings.Focus})
}

// Again asks for what a missing file kept back.
func (s *Search) Again() {
	s.notices.Problem = nil
	s.ask()
	s.figures.soon()
	s.view.Draw()
}

// Allow lets searches spend so much.
func (s *Search) Allow() {
	s.allowance = Allowed
	s.Again()
}

// Shows is the id of the judged query whose rankings are on the screen, "" for none.
func (s *Search) Shows() string {
	if s.Results == nil {
		return ""
	}
	return s.settings.Spec.QueryID
}

// ShowExample makes a judged query the example, with what the systems find for it. An excerpt holds only what Home
// shows.
func (s *Search) ShowExample(id string, r *experiment.Results, excerpt bool) {
	s.settings.Example = id
	if s.settings.Address = s.settings.exemplify(s.settings.Address); id != "" && s.settings.Spec.QueryID == id {
		s.Results, s.Excerpt = r, excerpt
	}
}

// keepExample drops the page's results where the address asks for others.
func (s *Search) keepExample() {
	if s.Results != nil && !equal(s.settings.exemplify(share.Address{Screen: s.settings.Screen}), s.settings.Address) {
		s.Results, s.Excerpt = nil, false
	}
}

// Type takes what is typed into the search box.
func (s *Search) Type(text string) {
	text = strings.ToValidUTF8(text, "")
	if len(text) > 300 {
		text = strings.ToValidUTF8(text[:300], "")
	}
	if text == s.settings.QueryText() { // a program that takes the page over is told what stands there
		return
	}
	id := ""
	if s.engine.Opened != nil { // what is typed out to the last letter is that query, with its judgments
		if i := slices.IndexFunc(s.engine.Opened.Queries, func(q report.Query) bool { return q.Text == text }); i >= 0 {
			id = s.engine.Opened.Queries[i].ID
		}
	}
	s.change("type", true, func(p *share.Address) {
		p.Query, p.QueryID, p.Document = text, id, ""
		if id != "" {
			p.Query = ""
		}
	})
}

// Pick opens a judged query in Search; "" clears the query.
//
//go:noinline
func (s *Search) Pick(id string) {
	s.change("", true, func(p *share.Address) {
		p.QueryID, p.Query, p.Document = id, "", ""
		if id != "" {
			p.Screen = share.Search
		}
	})
}

// Step opens the judged query that stands by places after the present one, round the end.
func (s *Search) Step(by int) {
	if s.engine.Opened == nil || len(s.engine.Opened.Queries) == 0 {
		return
	}
	q := s.engine.Opened.Queries
	i := slices.IndexFunc(q, func(t report.Query) bool { return t.ID == s.settings.Spec.QueryID })
	if i < 0 && by < 0 {
		i = 0 // before a typed query stands the last
	}
	s.Pick(q[((i+by)%len(q)+len(q))%len(q)].ID)
}

// Select opens the explanation of a document in a system's list, or closes it where it is open.
func (s *Search) Select(system int, document string) {
	s.Unfolded = 0
	s.change("", true, func(p *share.Address) {
		if at := (experiment.Focus{Document: document, System: system}); p.Focus != at {
			p.Focus = at
			return
		}
		p.Focus = experiment.Focus{}
	})
	s.screens.clicked(true)
}

// Visit opens the explanation of a document in Search.
func (s *Search) Visit(at experiment.Focus) {
	s.change("", true, func(p *share.Address) { p.Screen, p.Focus = share.Search, at })
	s.screens.clicked(true)
}

// Unfold takes the measure of a system's ranking apart, or puts it together again. The richer program does.
func (s *Search) Unfold(system int) {
	if system++; s.Unfolded == system {
		system = 0
	}
	s.Close()
	s.Unfolded = system
	if !s.screens.found() && system > 0 {
		s.programs.fetch(screens.At("/search"), away{Entry: -1})
	}
	s.view.Draw()
}

// Close closes the explanation.
func (s *Search) Close() {
	if s.Unfolded > 0 {
		s.Unfolded = 0
		s.view.Draw()
	}
	if s.settings.Focus.Document != "" {
		s.change("", true, func(p *share.Address) { p.Focus = experiment.Focus{} })
	}
	s.screens.clicked(false)
}

// SetDepth chooses how many documents each list shows.
//
//go:noinline
func (s *Search) SetDepth(n int) {
	s.change("", true, func(p *share.Address) {
		p.Depth = n
		if n == DefaultDepth {
			p.Depth = 0
		}
	})
}

// OpenDefault opens the site's first collection in Search.
func (s *Search) OpenDefault() {
	s.change("", true, func(p *share.Address) { *p = share.Address{Screen: share.Search} })
}
