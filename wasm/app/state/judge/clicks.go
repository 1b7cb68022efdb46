package judge

import (
	"fmt"
	"strings"
	"time"

	"github.com/rankbox/rankbox/core/clicks"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/share"
	"github.com/rankbox/rankbox/core/workspace"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// The click log is off until it is turned on. It stays on this device, with the workspace: what is exported or
// given to the worker leaves it out.

// mostClicks is how many entries a workspace keeps.
const mostClicks = 20_000

// logging is what the screen knows of the log beside the workspace.
type logging struct {
	click    opening
	clicks   []Click // of the workspace clicksOf when it had clicksAt−1 edits
	clicksOf *workspace.Workspace
	clicksAt int
}

// opening is the document that was opened last, while it is open.
type opening struct {
	id    string
	entry clicks.Entry
}

// Logging says whether the click log is on.
func (j *Judge) Logging() bool { return j.App.Browser.Recall(state.LogKey) != "" }

// SetLogging turns it on or off. What was logged stays.
func (j *Judge) SetLogging(on bool) {
	text := ""
	if on {
		text = "on"
	}
	j.App.Browser.Remember(state.LogKey, text)
	j.App.View.Draw()
}

// Clicked is told that a person has opened a document, or closed it or left the screen.
func (j *Judge) Clicked(opened bool) {
	a := j.App
	if j.click.id != "" && (j.click.entry.Document != a.Settings.Focus.Document || a.Settings.Screen != share.Search) {
		j.closed()
	}
	if !opened || a.Settings.Focus.Document == "" || a.Settings.Screen != share.Search || j.click.id != "" ||
		j.loading ||
		j.w.ReadOnly != "" || !j.Logging() || len(j.w.Clicks()) >= mostClicks {
		return
	}
	e, ok := j.entry()
	if !ok {
		return
	}
	s := j.w.Next(e.Time, j.tab)
	j.click = opening{fmt.Sprintf("%015d-%s-%d", s.Time, s.Tab, s.N), e}
	j.log(workspace.Edit{Stamp: s, Kind: workspace.SetClick, Spec: j.click.id, Text: e.Line()})
}

// entry is what is kept of the document that is open: nothing if it is in no list on the screen.
func (j *Judge) entry() (e clicks.Entry, ok bool) {
	a := j.App
	systems := a.Settings.Systems()
	if a.Search.Results == nil || a.Settings.Focus.System >= len(systems) ||
		a.Settings.Focus.System >= len(a.Search.Results.Lists) {
		return e, false
	}
	e = clicks.Entry{Time: time.Now().UnixMilli(), Collection: j.name, QueryID: a.Settings.Spec.QueryID,
		Query:   a.Settings.Spec.Query,
		Systems: systems, System: systems[a.Settings.Focus.System], Document: a.Settings.Focus.Document}
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
func (j *Judge) closed() {
	c := j.click
	j.click = opening{}
	now := time.Now().UnixMilli()
	if c.entry.Dwell = int(now - c.entry.Time); c.entry.Dwell <= 0 || j.w.ReadOnly != "" || !j.logged(c.id) {
		return
	}
	j.log(workspace.Edit{Stamp: j.w.Next(now, j.tab), Kind: workspace.SetClick, Spec: c.id, Text: c.entry.Line()})
}

func (j *Judge) logged(id string) bool {
	for _, c := range j.w.Clicks() {
		if c.ID == id {
			return true
		}
	}
	return false
}

// log writes edits of the log. They change no grade and no figure, so nothing is measured again, and undo passes over
// them.
func (j *Judge) log(edits ...workspace.Edit) {
	var records []byte
	for i := range edits {
		if _, err := j.w.Apply(edits[i]); err != nil {
			j.Lost = say.Sentence(err)
			return
		}
		records = workspace.AppendRecord(records, &edits[i])
	}
	j.put(records, func() {})
}

// Clicks are the entries of the log, the last first.
func (j *Judge) Clicks() (out []Click) {
	if j.clicksAt == j.w.Edits()+1 && j.clicksOf == j.w {
		return j.clicks
	}
	defer func() { j.clicks, j.clicksOf, j.clicksAt = out, j.w, j.w.Edits()+1 }()
	list := j.w.Clicks()
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

// DeleteClicks deletes entries, all if none is named. Nothing of them stays on the device.
func (j *Judge) DeleteClicks(ids ...string) {
	if j.busy() {
		return
	}
	if len(ids) == 0 {
		for _, c := range j.w.Clicks() {
			ids = append(ids, c.ID)
		}
	}
	var edits []workspace.Edit
	for _, id := range ids {
		if id == j.click.id {
			j.click = opening{}
		}
		edits = append(edits, workspace.Edit{Stamp: j.w.Next(time.Now().UnixMilli(), j.tab),
			Kind: workspace.RemoveClick, Spec: id})
	}
	var records []byte
	for i := range edits {
		if _, err := j.w.Apply(edits[i]); err != nil {
			return
		}
		records = workspace.AppendRecord(records, &edits[i])
	}
	name := j.name
	j.put(records, func() {
		if name == j.name && j.Unsaved == "" {
			j.fold()
		}
	})
	j.App.View.Draw()
}

// fold replaces the journal, which still holds what was deleted.
func (j *Judge) fold() {
	d := j.device()
	if d == nil {
		return
	}
	name := j.name
	d.LoadWorkspace(name, func(k Kept, problem string) {
		if problem != "" || name != j.name {
			return
		}
		w, lost := read(name, workspace.New(j.w.Documents), k)
		if lost != "" || w.ReadOnly != "" {
			return
		}
		if b, err := w.ExportWithClicks(); err == nil {
			d.FoldWorkspace(name, b, k.Folded, k.Last, func(string) {})
		}
	})
}

// SaveClicks saves the log as JSON Lines.
func (j *Judge) SaveClicks() {
	var b strings.Builder
	for _, c := range j.w.Clicks() {
		b.WriteString(c.Line + "\n")
	}
	name := j.App.Settings.Collection() + "-clicks.jsonl"
	j.App.Browser.Save(name, "application/x-ndjson", []byte(b.String()))
	j.App.Notices.Say(name + " was saved.")
}

// packClicks saves the workspace of the open collection with the click log in it.
func (j *Judge) packClicks() {
	b, err := j.w.ExportWithClicks()
	if err != nil {
		j.unpacked(say.Sentence(err))
		return
	}
	j.App.Engine.Request(message.Pack, &message.AskPack{Collection: j.name, Zip: b})
	j.App.View.Draw()
}
