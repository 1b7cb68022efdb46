package judge

import (
	"fmt"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/project/clicks"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// The click log is off until it is turned on. It stays on this device, with the workspace: what is exported or
// given to the worker leaves it out.

// mostClicks is how many entries a workspace keeps.
const mostClicks = 20_000

// ClickLog is the log of opened documents.
type ClickLog struct {
	app     *state.App
	journal *Journal
	open    opening
	entries []Click
	of      version // of the workspace that they were read from
}

// begin forgets the entries of another collection.
func (l *ClickLog) begin() { *l = ClickLog{app: l.app, journal: l.journal} }

// opening is the document that was opened last, while it is open.
type opening struct {
	id    string
	entry clicks.Entry
}

// On says whether the click log is on.
func (l *ClickLog) On() bool { return l.app.Browser.Recall(state.LogKey) != "" }

// Turn turns it on or off. What was logged stays.
func (l *ClickLog) Turn(on bool) {
	text := ""
	if on {
		text = "on"
	}
	l.app.Browser.Remember(state.LogKey, text)
	l.app.View.Draw()
}

// clicked is told that a person has opened a document, or closed it or left the screen.
func (l *ClickLog) clicked(opened bool) {
	a := l.app
	if l.open.id != "" && (l.open.entry.Document != a.Settings.Focus.Document || a.Settings.Screen != share.Search) {
		l.closed()
	}
	if !opened || a.Settings.Focus.Document == "" || a.Settings.Screen != share.Search || l.open.id != "" ||
		l.journal.loading ||
		l.journal.w.ReadOnly != "" || !l.On() || len(l.journal.w.Clicks()) >= mostClicks {
		return
	}
	e, ok := l.entry()
	if !ok {
		return
	}
	s := l.journal.w.Next(e.Time, l.journal.tab)
	l.open = opening{fmt.Sprintf("%015d-%s-%d", s.Time, s.Tab, s.N), e}
	l.log(workspace.Edit{Stamp: s, Kind: workspace.SetClick, Spec: l.open.id, Text: e.Line()})
}

// entry is what is kept of the document that is open: nothing if it is in no list on the screen.
func (l *ClickLog) entry() (e clicks.Entry, ok bool) {
	a := l.app
	systems := a.Settings.Systems()
	if a.Search.Results == nil || a.Settings.Focus.System >= len(systems) ||
		a.Settings.Focus.System >= len(a.Search.Results.Lists) {
		return e, false
	}
	e = clicks.Entry{Time: time.Now().UnixMilli(), Collection: l.journal.name, QueryID: a.Settings.Spec.QueryID,
		Query: a.Settings.Spec.Query, Systems: systems, System: systems[a.Settings.Focus.System],
		Document: a.Settings.Focus.Document}
	if q := a.Settings.Query(); q != nil {
		e.Query = q.Text
	}
	add := func(id string) {
		if e.Ranking = append(e.Ranking, id); id == e.Document && e.Position == 0 {
			e.Position = len(e.Ranking)
		}
	}
	for _, h := range a.Search.Results.Lists[a.Settings.Focus.System].Hits {
		add(h.ID)
		for _, t := range h.Twins {
			add(t.ID)
		}
	}
	if len(e.Ranking) > clicks.MaxRanking {
		e.Ranking = e.Ranking[:clicks.MaxRanking]
	}
	return e, e.Check() == nil
}

// closed adds how long the document was open.
func (l *ClickLog) closed() {
	c := l.open
	l.open = opening{}
	now := time.Now().UnixMilli()
	if c.entry.Dwell = int(now - c.entry.Time); c.entry.Dwell <= 0 || l.journal.w.ReadOnly != "" || !l.logged(c.id) {
		return
	}
	l.log(workspace.Edit{Stamp: l.journal.w.Next(now, l.journal.tab), Kind: workspace.SetClick, Spec: c.id,
		Text: c.entry.Line()})
}

func (l *ClickLog) logged(id string) bool {
	for _, c := range l.journal.w.Clicks() {
		if c.ID == id {
			return true
		}
	}
	return false
}

// log writes edits of the log. They change no grade and no figure, so nothing is measured again, and undo passes over
// them.
func (l *ClickLog) log(edits ...workspace.Edit) {
	var records []byte
	for i := range edits {
		if _, err := l.journal.w.Apply(edits[i]); err != nil {
			l.journal.Lost = say.Sentence(err)
			return
		}
		records = workspace.AppendRecord(records, &edits[i])
	}
	l.journal.put(records, func() {})
}

// Entries are the entries of the log, the last first.
func (l *ClickLog) Entries() (out []Click) {
	if l.of == l.journal.version() {
		return l.entries
	}
	defer func() { l.entries, l.of = out, l.journal.version() }()
	list := l.journal.w.Clicks()
	for i := len(list) - 1; i >= 0; i-- {
		if e, err := clicks.ReadLine([]byte(list[i].Line)); err == nil {
			out = append(out, Click{list[i].ID, e})
		}
	}
	return out
}

// Click is an entry of the log.
type Click struct {
	ID string
	clicks.Entry
}

// Delete deletes entries, all if none is named. Nothing of them stays on the device.
func (l *ClickLog) Delete(ids ...string) {
	if l.journal.busy() {
		return
	}
	if len(ids) == 0 {
		for _, c := range l.journal.w.Clicks() {
			ids = append(ids, c.ID)
		}
	}
	var edits []workspace.Edit
	for _, id := range ids {
		if id == l.open.id {
			l.open = opening{}
		}
		edits = append(edits, workspace.Edit{Stamp: l.journal.w.Next(time.Now().UnixMilli(), l.journal.tab),
			Kind: workspace.RemoveClick, Spec: id})
	}
	var records []byte
	for i := range edits {
		if _, err := l.journal.w.Apply(edits[i]); err != nil {
			return
		}
		records = workspace.AppendRecord(records, &edits[i])
	}
	name := l.journal.name
	l.journal.put(records, func() {
		if name == l.journal.name && l.journal.Unsaved == "" {
			l.journal.fold()
		}
	})
	l.app.View.Draw()
}

// Save saves the log as JSON Lines.
func (l *ClickLog) Save() {
	var b strings.Builder
	for _, c := range l.journal.w.Clicks() {
		b.WriteString(c.Line + "\n")
	}
	name := l.app.Settings.Collection() + "-clicks.jsonl"
	l.app.Browser.Save(name, "application/x-ndjson", []byte(b.String()))
	l.app.Notices.Say(name + " was saved.")
}
