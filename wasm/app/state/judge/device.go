package judge

import (
	"errors"
	"strings"

	"github.com/rankbox/rankbox/core/say"
	"github.com/rankbox/rankbox/core/workspace"
)

// Kept is what the device has of a workspace.
type Kept struct {
	Tab     string // random name of this tab
	Fold    []byte // as Export wrote it, empty if it was never folded
	Folded  int    // how often it was folded
	Journal []byte
	Last    int // key of the last record
}

// Device keeps workspaces. Every done is called once, with a problem in words or "".
type Device interface {
	LoadWorkspace(name string, done func(k Kept, problem string))
	// AppendEdits is done when the records are on the disk.
	AppendEdits(name string, records []byte, done func(problem string))
	// FoldWorkspace replaces the journal up to the record last, unless another tab has folded meanwhile.
	FoldWorkspace(name string, fold []byte, folded, last int, done func(problem string))
	// FollowWorkspaces calls heard with what other tabs append.
	FollowWorkspaces(heard func(name string, records []byte))
}

// read is the workspace that the device has of a collection, and what of it cannot be read, "" for nothing. w is an
// empty one.
func read(name string, w *workspace.Workspace, k Kept) (_ *workspace.Workspace, lost string) {
	if len(k.Fold) > 0 {
		saved, err := workspace.Import("what is saved of "+name, k.Fold, workspace.Limits{})
		if err != nil {
			lost = say.Sentence(err)
		} else {
			w = saved
		}
	}
	if all := w.Replay(k.Journal); len(all) > 0 {
		said := say.Count(len(all), "saved edit", "saved edits") + " could not be read: " + say.Sentence(all[0])
		if errors.Is(all[0], workspace.ErrUnknown) {
			said = "A newer Rankbox has saved edits here that this one doesn't know. Reload the page to get it."
		}
		lost = strings.TrimSpace(lost + " " + said)
	}
	return w, lost
}
