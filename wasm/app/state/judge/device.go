package judge

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/project/workspace"
	"github.com/rankbox/rankbox/wasm/app/state"
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
	// FollowWorkspaces calls heard with what other tabs append, with nothing if they have erased the workspace.
	FollowWorkspaces(heard func(name string, records []byte))
	// CopyWorkspace keeps a second copy apart from the first, in place of the one before.
	CopyWorkspace(name string, fold []byte, done func(problem string))
	// WorkspaceCopies are the second copies, the last one first.
	WorkspaceCopies(name string, done func(folds [][]byte, problem string))
	// EraseWorkspace removes everything that the device has of a workspace.
	EraseWorkspace(name string, done func(problem string))
}

// ledger is a count as the device remembers it: grades, queries, and the last stamp.
func ledger(c workspace.Count) string {
	return fmt.Sprint(c.Grades, " ", c.Queries, " ", c.Last.Time, " ", c.Last.N, " ", c.Last.Tab)
}

func readLedger(text string) (c workspace.Count) {
	f := strings.SplitN(text, " ", 5)
	if len(f) < 5 {
		return c
	}
	var p state.Project
	p.Counted(text)
	c.Grades, c.Queries, c.Last.Time = p.Grades, p.Queries, p.Edited
	c.Last.N, _ = strconv.ParseInt(f[3], 10, 64)
	c.Last.Tab = f[4]
	return c
}

// counted says how many grades and queries there are, "edits" if there are none of either.
func counted(grades, queries int) string {
	var parts []string
	if grades > 0 {
		parts = append(parts, say.Count(grades, "grade", "grades"))
	}
	if queries > 0 {
		parts = append(parts, say.Count(queries, "query", "queries"))
	}
	if len(parts) == 0 {
		return "The last edits"
	}
	return strings.Join(parts, " and ")
}

// places names the lines of a journal, at most five of them.
func places(lost []*workspace.Damage, journal []byte) string {
	var list []string
	for _, d := range lost[:min(len(lost), 5)] {
		list = append(list, strconv.Itoa(d.Line))
	}
	s := "record " + list[0]
	if len(list) > 1 {
		s = "records " + strings.Join(list, ", ")
	}
	if more := len(lost) - len(list); more > 0 {
		s += " and " + strconv.Itoa(more) + " more"
	}
	return s + " of " + strconv.Itoa(bytes.Count(journal, []byte("\n")))
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
		said := say.Count(len(all), "saved edit is", "saved edits are") + " missing or damaged: " +
			places(all, k.Journal) + "."
		if all[len(all)-1].Torn {
			said += " The last one was not written to its end."
		}
		if errors.Is(all[0], workspace.ErrUnknown) {
			said = "A newer Rankbox has saved edits here that this one doesn't know. Reload the page to get it."
		}
		lost = strings.TrimSpace(lost + " " + said)
	}
	return w, lost
}
