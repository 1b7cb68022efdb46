package state

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/retrieve/pipeline"
	"github.com/rankbox/rankbox/core/retrieve/stage"
)

// Editor changes the systems: the notation of one that is typed, and which systems there are.
type Editor struct {
	view     *View
	engine   *Engine
	settings *Settings
	programs *Programs
	change   func(kind string, push bool, f func(*share.Address))

	Editing  int    // index of the system whose notation is being edited, −1 for none
	Draft    string // the notation as typed
	DraftErr string
	DraftAt  int // byte of the draft that DraftErr is about, −1 for none

	switches map[int]switched // systems of which stages are switched off
}

// switched is a system of which stages are switched off: all of it, and which, as pipeline.Node.Walk numbers them.
type switched struct {
	whole string
	off   []int
}

// Edit opens the editor of a system; len(Systems()) adds one.
func (e *Editor) Edit(i int) {
	e.Editing, e.DraftErr = i, ""
	e.Draft = Defaults[0]
	if s := e.settings.Systems(); i < len(s) {
		e.Draft = s[i]
	}
	e.programs.ReadAll()
	e.view.Draw()
	e.view.FocusOn("notation-" + strconv.Itoa(i))
}

// Cancel closes the editor without a change.
func (e *Editor) Cancel() {
	i := e.Editing
	e.Editing, e.DraftErr = -1, ""
	e.view.Draw()
	e.view.FocusOn("edit-" + strconv.Itoa(i))
}

// Write takes what is typed into the editor and says at once what is wrong with it.
func (e *Editor) Write(text string) {
	e.Draft = text
	n, err := stage.Parse(text)
	e.refuse(err)
	if err == nil && n.Unread() {
		e.DraftErr = "Loading all stages …"
	}
	if err == nil && e.DraftErr == "" && e.engine.Opened != nil {
		for _, m := range stage.Models(n) {
			if !slices.Contains(e.engine.Opened.Models, m) {
				e.DraftAt = strings.Index(text, m)
				e.DraftErr = stage.Lacking(e.engine.Opened.Ref.Name, m, e.engine.Opened.Models)
			}
		}
	}
	e.view.Draw()
}

// refuse says what is wrong with the draft, nothing where err is nil.
func (e *Editor) refuse(err error) {
	e.DraftErr, e.DraftAt = "", -1
	if at, ok := errors.AsType[*pipeline.Error](err); ok { // the place is shown, not counted
		e.DraftAt, e.DraftErr = at.Pos, at.Reason()
	} else if err != nil {
		e.DraftErr = say.Told(err)
	}
}

// Accept puts the edited system into its place.
func (e *Editor) Accept() {
	e.Write(e.Draft)
	if e.DraftErr != "" {
		return
	}
	n, _ := stage.Parse(e.Draft) // Write has read it
	i := e.Editing
	e.Editing = -1
	e.change("", true, func(p *share.Address) {
		systems := slices.Clone(e.settings.Systems())
		if i >= len(systems) {
			systems = append(systems, n.String())
		} else {
			systems[i] = n.String()
		}
		e.settings.name(p, systems, e.settings.letters(len(systems)))
	})
	e.view.Draw()
	e.view.FocusOn("edit-" + strconv.Itoa(i))
}

// Remove takes a system out.
func (e *Editor) Remove(i int) {
	e.Editing = -1
	e.change("", true, func(p *share.Address) {
		systems := slices.Delete(slices.Clone(e.settings.Systems()), i, i+1)
		if len(systems) == 0 {
			return
		}
		letters := e.settings.letters(len(systems) + 1)
		e.settings.name(p, systems, letters[:i]+letters[i+1:])
		if p.Baseline == i {
			p.Baseline = 0
		} else if p.Baseline > i {
			p.Baseline--
		}
		p.Focus = experiment.Focus{}
	})
	e.view.Draw()
}

// SetBaseline chooses the system that the others are compared with.
func (e *Editor) SetBaseline(i int) {
	e.change("", true, func(p *share.Address) {
		p.Baseline = i
	})
}

// Replace puts another pipeline in the place of a system.
//
//go:noinline
func (e *Editor) Replace(i int, notation string) {
	e.change("", true, func(p *share.Address) {
		systems := slices.Clone(e.settings.Systems())
		systems[i] = notation
		e.settings.name(p, systems, p.Letters)
	})
}

// Reset puts the systems back to the defaults.
//
//go:noinline
func (e *Editor) Reset() {
	e.change("", true, func(p *share.Address) {
		p.Systems, p.Letters, p.Baseline, p.Focus = nil, "", 0, experiment.Focus{}
	})
}
