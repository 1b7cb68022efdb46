package judge

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/evaluate/report"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// mostPasted is how many queries are added at once.
const mostPasted = 1000

// Queries are those of the open collection: which one is open, what stands behind it, and those that are added here.
type Queries struct {
	app     *state.App
	journal *Journal
	grading *Grading
	needs   *message.Needed // what stands behind the queries, nil until it was answered
	goTo    string          // the query that is opened once the worker has it
}

// Open opens a judged query, "" none.
func (qs *Queries) Open(id string) { open(qs.app, id) }

func open(a *state.App, id string) {
	if id != "" && id == a.Settings.Spec.QueryID { // nothing is asked for anew, so nothing would open a document again
		return
	}
	a.Change(true, func(s *share.Address) { s.QueryID, s.Query, s.Focus = id, "", experiment.Focus{} })
}

// Step opens the judged query that stands by places after the open one, round the end.
func (qs *Queries) Step(by int) {
	if qs.app.Engine.Opened == nil {
		return
	}
	list := qs.app.Engine.Opened.Queries
	if _, ok := qs.grading.list(); ok {
		list = qs.grading.TaskQueries()
	}
	if len(list) == 0 {
		return
	}
	i := slices.IndexFunc(list, func(t report.Query) bool { return t.ID == qs.app.Settings.Spec.QueryID })
	if i < 0 && by < 0 {
		i = 0
	}
	n := len(list)
	qs.Open(list[((i+by)%n+n)%n].ID)
}

// Need is what stands behind the open query: its description and what is relevant to it. Both are "" where the
// collection does not say.
func (qs *Queries) Need() message.Need {
	for _, q := range qs.journal.w.Queries() {
		if q.ID == qs.app.Settings.Spec.QueryID {
			return message.Need{Description: q.Description, Narrative: q.Narrative}
		}
	}
	o := qs.app.Engine.Opened
	if o == nil || qs.needs == nil || qs.needs.Collection != o.Ref.Hash {
		return message.Need{}
	}
	for i, q := range o.Queries {
		if q.ID == qs.app.Settings.Spec.QueryID && i < len(qs.needs.Needs) {
			return qs.needs.Needs[i]
		}
	}
	return message.Need{}
}

// Add adds each line of a text as a query, unless the collection has it, and opens the first. It reports how many it
// added.
func (qs *Queries) Add(text string) (added int) {
	if qs.journal.busy() || qs.app.Engine.Opened == nil {
		return 0
	}
	known := map[string]bool{}
	for _, q := range qs.app.Engine.Opened.Queries {
		known[strings.ToLower(q.Text)] = true
	}
	for _, q := range qs.journal.w.Queries() {
		known[strings.ToLower(q.Text)] = true
	}
	var edits []workspace.Edit
	n, first := len(qs.journal.w.Queries()), ""
	for _, line := range strings.Split(text, "\n") {
		line = strings.Join(strings.Fields(strings.ToValidUTF8(line, "\uFFFD")), " ")
		if line == "" || known[strings.ToLower(line)] || len(edits) == mostPasted || len(line) > workspace.MaxText {
			continue
		}
		known[strings.ToLower(line)] = true
		n++
		id := "q" + strconv.Itoa(n) + "-" + qs.journal.tab // of no other tab
		for qs.has(id) {
			n++
			id = "q" + strconv.Itoa(n) + "-" + qs.journal.tab
		}
		if first == "" {
			first = id
		}
		edits = append(edits, workspace.Edit{Kind: workspace.SetQuery, Query: id, Text: line})
	}
	if len(edits) == 0 {
		return 0
	}
	qs.journal.write(edits, func(apply func()) {
		qs.app.Change(false, func(*share.Address) { apply() })
		qs.goTo = first
		qs.journal.push()
	})
	return len(edits)
}

func (qs *Queries) has(id string) bool {
	for _, q := range qs.app.Engine.Opened.Queries {
		if q.ID == id {
			return true
		}
	}
	for _, s := range qs.journal.steps {
		if s.do.Query == id {
			return true
		}
	}
	return false
}

// Own says whether a query was added here.
func (qs *Queries) Own(id string) bool {
	for _, q := range qs.journal.w.Queries() {
		if q.ID == id {
			return true
		}
	}
	return false
}

// Remove removes the open query, if it was added here. Its grades come back with it.
func (qs *Queries) Remove() {
	id := qs.app.Settings.Spec.QueryID
	if !qs.Own(id) || qs.journal.busy() {
		return
	}
	qs.journal.write([]workspace.Edit{{Kind: workspace.RemoveQuery, Query: id}}, func(apply func()) {
		qs.app.Change(false, func(s *share.Address) { apply(); s.QueryID, s.Focus.Document = "", "" })
		qs.journal.push()
	})
}

// encodes says whether systems need the encoder for queries that were added here: no model has vectors of those.
func (qs *Queries) encodes() bool {
	o := qs.app.Engine.Opened
	return len(qs.journal.w.Queries()) > 0 && o != nil && len(o.Models) > 0 && qs.app.Encoder.File.URL != ""
}

// askNeeds asks once for what stands behind the queries.
func (qs *Queries) askNeeds() {
	o := qs.app.Engine.Opened
	if o == nil || qs.needs != nil && qs.needs.Collection == o.Ref.Hash {
		return
	}
	if _, waiting := qs.app.Engine.Asked(message.Needs); !waiting {
		qs.app.Engine.Request(message.Needs, &message.AskNeeds{})
	}
}
