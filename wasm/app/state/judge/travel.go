package judge

import (
	"time"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// A workspace travels as one file: with its documents if those are kept on this device, otherwise with the name of
// their collection.

// Offers are what the open collection is handed on as.
func (j *Judge) Offers() []state.Offer {
	if j.App.Engine.Opened == nil {
		return nil
	}
	note := "your queries, grades and notes"
	if state.Uploaded(j.App.Settings.Collection()) {
		note = "documents, queries, grades and notes"
	}
	list := []state.Offer{{ID: "workspace", Text: "Save the workspace", Note: note}}
	list = append(list, state.Offer{ID: "site", Text: "Download as a site", Note: "a zip for any host of static files"})
	if n := len(j.Journal.w.Clicks()); n > 0 {
		list = append(list, state.Offer{ID: "clicks", Text: "Save the workspace with the click log",
			Note: say.Count(n, "opened document", "opened documents")})
	}
	if n, _ := j.Grading.Total(); n > 0 {
		list = append(list, state.Offer{ID: "qrels", Text: "Save your grades", Note: "TREC qrels"})
	}
	return list
}

// HandOn hands it on.
func (j *Judge) HandOn(id string) {
	switch id {
	case "workspace":
		j.ExportWorkspace()
	case "site":
		j.site()
	case "clicks":
		packClicks(j.App, &j.Journal)
	case "qrels":
		j.Grading.Export()
	}
}

// site has Documents offer the open collection as a site.
func (j *Judge) site() {
	if u, ok := j.App.Screens.Other("upload").(interface{ AskSite(collection string) }); ok {
		u.AskSite(j.App.Settings.Collection())
	}
}

// ExportWorkspace saves the workspace of the open collection as one file.
func (j *Judge) ExportWorkspace() { pack(j.App, j.Journal.name, j.Journal.w, j.Journal.Lost) }

// Pack saves the workspace of any collection on this device as one file.
func (j *Judge) Pack(name string) {
	d := j.Journal.device()
	if name == j.Journal.name || d == nil {
		pack(j.App, name, j.Journal.w, j.Journal.Lost)
		return
	}
	d.LoadWorkspace(name, func(k Kept, problem string) {
		if problem != "" {
			unpacked(j.App, problem)
			return
		}
		w, lost := read(name, workspace.New(workspace.Documents{Collection: name}), k)
		if lost != "" && len(w.Queries()) == 0 && len(w.Layer(mine).Judgments()) == 0 {
			unpacked(j.App, lost)
			return
		}
		pack(j.App, name, w, lost)
	})
}

// pack has the worker make the file. What of the workspace could not be read is not in it, and that is said.
func pack(a *state.App, name string, w *workspace.Workspace, lost string) {
	b, err := w.Export()
	if err != nil {
		unpacked(a, say.Sentence(err))
		return
	}
	if lost != "" {
		a.Notices.Problem = &message.Problem{What: "The file does not hold everything: " + lost,
			Where: "Save the workspace", Do: "What could not be read stays on this device."}
	}
	a.Engine.Request(message.Pack, &message.AskPack{Collection: name, Zip: b})
	a.View.Draw()
}

// packClicks saves the workspace of the open collection with the click log in it.
func packClicks(a *state.App, j *Journal) {
	b, err := j.w.ExportWithClicks()
	if err != nil {
		unpacked(a, say.Sentence(err))
		return
	}
	a.Engine.Request(message.Pack, &message.AskPack{Collection: j.name, Zip: b})
	a.View.Draw()
}

func unpacked(a *state.App, why string) {
	a.Notices.Problem = &message.Problem{What: "The workspace could not be saved as a file: " + why,
		Where: "Save the workspace", Do: "Save the grades as qrels on Judge."}
	a.View.Draw()
}

// Take merges the edits of a workspace that was opened into what the device has of its collection. A later edit wins,
// whichever side made it. Where a wrong clock says which is later, and neither side knew of the other's, it asks first.
func (j *Judge) Take(name string, records []byte) {
	if j.Journal.device() == nil || len(records) == 0 {
		return
	}
	j.Journal.stored(name, func(w *workspace.Workspace, _ string) {
		file := workspace.New(workspace.Documents{Collection: name})
		file.Replay(records)
		if w != nil {
			if clashes := w.Clashes(file, time.Now().Add(ahead).UnixMilli()); len(clashes) > 0 {
				j.Clash = Clash{name, clashes}
				theirs := map[workspace.Stamp]bool{}
				for _, c := range clashes {
					theirs[c.Theirs.Stamp] = true
				}
				records = nil
				for _, e := range file.All() {
					if !theirs[e.Stamp] {
						records = workspace.AppendRecord(records, &e)
					}
				}
			}
		}
		j.take(name, records)
	})
}

// Clash is what a merge waits for a decision about.
type Clash struct {
	name string // of the collection
	list []workspace.Clash
}

// Clashing is how many values differ between this device and a file that was opened, where a clock that was set ahead
// has dated one of the two.
func (j *Judge) Clashing() int {
	if j.Clash.name != j.Journal.name {
		return 0
	}
	return len(j.Clash.list)
}

// Decide settles the clash for one side. The decision knows both, so its stamp is after both, here and in every later
// merge.
func (j *Judge) Decide(theirs bool) {
	if j.Clashing() == 0 || j.Journal.busy() {
		return
	}
	var edits []workspace.Edit
	var records []byte
	for _, c := range j.Clash.list {
		e := c.Mine
		if theirs {
			e = c.Theirs
		}
		edits = append(edits, e)
		records = workspace.AppendRecord(records, &c.Theirs)
	}
	name := j.Clash.name
	j.Clash = Clash{}
	j.Journal.heard(name, records) // seen from now on
	j.Journal.change(edits...)
}

// take appends edits of a file, or of another collection, to a workspace.
func (j *Judge) take(name string, records []byte) {
	d := j.Journal.device()
	if len(records) == 0 {
		return
	}
	j.App.Browser.Remember(state.OwnKey(name), "1")
	d.AppendEdits(name, records, func(problem string) {
		if problem != "" {
			j.App.Notices.Problem = &message.Problem{What: "The queries and grades of the file were not saved: " +
				problem,
				Where: "Documents", Do: "Make room on the device, then open the file again."}
		}
		j.Journal.heard(name, records)
		j.App.View.Draw()
	})
}

// Erase removes the workspace of a collection from the device: queries, grades, notes, and what counts or copies them.
func (j *Judge) Erase(name string) {
	d := j.Journal.device()
	if d == nil {
		return
	}
	if name == j.Journal.name {
		j.begin(name) // nothing of it is written again
	}
	j.App.Browser.Remember(state.OwnKey(name), "")
	j.App.Browser.Remember(state.LedgerKey(name), "")
	d.EraseWorkspace(name, func(problem string) {
		if problem == "" {
			return
		}
		j.App.Notices.Problem = &message.Problem{What: "Your queries, grades and notes were not deleted: " + problem,
			Where: "Documents", Do: "Delete the data of this site in the settings of your browser."}
		j.App.View.Draw()
	})
}

// Rename writes the name of a collection into its workspace, so that other tabs and files have it. The collection
// itself
// is renamed by the worker: if nothing can be written here, it has its name all the same.
func (j *Judge) Rename(name, called string) {
	j.Journal.stored(name, func(w *workspace.Workspace, problem string) {
		if w == nil || w.ReadOnly != "" || problem != "" {
			return
		}
		e := workspace.Edit{Kind: workspace.SetName, Text: called, Stamp: w.Next(time.Now().UnixMilli(), j.Journal.tab)}
		records := workspace.AppendRecord(nil, &e)
		j.Journal.device().AppendEdits(name, records, func(string) {})
		j.Journal.heard(name, records)
	})
}

// Zip calls done with the workspace of a collection as one file without documents, or with why it cannot be read.
func (j *Judge) Zip(name string, done func(zip []byte, problem string)) {
	j.Journal.stored(name, func(w *workspace.Workspace, problem string) {
		if w == nil || problem != "" {
			done(nil, problem)
			return
		}
		b, err := w.Export()
		if err != nil {
			problem = say.Sentence(err)
		}
		done(b, problem)
	})
}

// CopyTo copies queries, grades and notes of a collection to its duplicate.
func (j *Judge) CopyTo(from, to string) { j.copyTo(from, to, nil, func(int, []workspace.Edit) {}) }

// BringOver gives a collection what was made in an earlier state of it. A grade of a document that was renamed goes
// to its new id. Every grade is accounted for.
func (j *Judge) BringOver(from *message.EarlierOne, to string) {
	renamed := map[string]string{}
	for i, id := range from.From {
		renamed[id] = from.To[i]
	}
	j.copyTo(from.ID, to, renamed, func(queries int, grades []workspace.Edit) {
		text := say.Count(len(grades), "grade", "grades") + " and " + say.Count(queries, "query", "queries") +
			" were brought over."
		for _, part := range []struct {
			of        []string
			one, many string
		}{
			{from.Changed, "grade is of a document that has changed since.",
				"grades are of documents that have changed since."},
			{from.Gone, "grade is of a document that is gone: it counts again if the document is back.",
				"grades are of documents that are gone: they count again if the documents are back."},
		} {
			of := map[string]bool{}
			for _, id := range part.of {
				of[id] = true
			}
			n := 0
			for _, e := range grades {
				if of[e.Document] {
					n++
				}
			}
			if n > 0 {
				text += " " + say.Count(n, part.one, part.many)
			}
		}
		j.App.Notices.Say(text)
	})
}

// copyTo copies the edits of a workspace into that of another collection, then calls done with the number of queries
// and the grades.
func (j *Judge) copyTo(from, to string, renamed map[string]string, done func(queries int, grades []workspace.Edit)) {
	j.Journal.stored(from, func(w *workspace.Workspace, problem string) {
		if problem != "" {
			j.App.Notices.Problem = &message.Problem{What: "The duplicate lacks queries and grades of yours: " +
				problem,
				Where: "Documents",
				Do:    "Those of the first collection are as they were. Delete the duplicate and try again."}
			j.App.View.Draw()
		}
		if w == nil {
			return
		}
		var records []byte
		var grades []workspace.Edit
		for _, e := range w.All() {
			if e.Kind == workspace.SetName || e.Kind == workspace.SetClick || e.Kind == workspace.RemoveClick {
				continue
			}
			if id, ok := renamed[e.Document]; ok {
				e.Document = id
			}
			records = workspace.AppendRecord(records, &e)
			if e.Kind == workspace.SetGrade {
				grades = append(grades, e)
			}
		}
		if len(records) > 0 {
			j.Take(to, records)
		}
		done(len(w.Queries()), grades)
	})
}
