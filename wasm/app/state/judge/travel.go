package judge

import (
	"strings"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/workspace"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// A workspace travels as one file: with its documents if those are kept on this device, otherwise with the name of
// their collection.

// Offers are what the open collection is handed on as.
func (j *Judge) Offers() []state.Offer {
	if j.App.Opened == nil {
		return nil
	}
	note := "your queries, grades and notes"
	if strings.HasPrefix(j.App.Collection(), "upload-") {
		note = "documents, queries, grades and notes"
	}
	list := []state.Offer{{ID: "workspace", Text: "Save the workspace", Note: note}}
	if n, _ := j.Total(); n > 0 {
		list = append(list, state.Offer{ID: "qrels", Text: "Save your grades", Note: "TREC qrels"})
	}
	return list
}

// HandOn hands it on.
func (j *Judge) HandOn(id string) {
	switch id {
	case "workspace":
		j.ExportWorkspace()
	case "qrels":
		j.Export()
	}
}

// ExportWorkspace saves the workspace of the open collection as one file.
func (j *Judge) ExportWorkspace() { j.pack(j.name, j.w) }

// Pack saves the workspace of any collection on this device as one file.
func (j *Judge) Pack(name string) {
	d := j.device()
	if name == j.name || d == nil {
		j.pack(name, j.w)
		return
	}
	d.LoadWorkspace(name, func(k Kept, problem string) {
		w := workspace.New(workspace.Documents{Collection: name})
		if problem == "" && len(k.Fold) > 0 {
			saved, err := workspace.Import("what is saved of "+name, k.Fold, workspace.Limits{})
			if err != nil {
				problem = say.Sentence(err)
			} else {
				w = saved
			}
		}
		if problem != "" {
			j.unpacked(problem)
			return
		}
		w.Replay(k.Journal)
		j.pack(name, w)
	})
}

func (j *Judge) pack(name string, w *workspace.Workspace) {
	b, err := w.Export()
	if err != nil {
		j.unpacked(say.Sentence(err))
		return
	}
	j.App.Request(message.Pack, &message.AskPack{Collection: name, Zip: b})
	j.App.Draw()
}

func (j *Judge) unpacked(why string) {
	j.App.Problem = &message.Problem{What: "The workspace could not be saved as a file: " + why, Where: "Save the workspace", Do: "Save the grades as qrels on Judge."}
	j.App.Draw()
}

// Take merges the edits of a workspace that was opened into what the device has of its collection. A later edit wins,
// whichever side made it.
func (j *Judge) Take(name string, records []byte) {
	d := j.device()
	if d == nil || len(records) == 0 {
		return
	}
	j.App.Browser().Remember(state.OwnKey(name), "1")
	d.AppendEdits(name, records, func(problem string) {
		if problem != "" {
			j.App.Problem = &message.Problem{What: "The queries and grades of the file were not saved: " + problem, Where: "Documents", Do: "Make room on the device, then open the file again."}
		}
		j.heard(name, records)
		j.App.Draw()
	})
}
