package compare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/state"
)

// MaxName is how many characters the name of a run may have.
const MaxName = 80

// Naming is the field for the name of a run.
type Naming struct {
	app  *state.App
	runs *Runs

	Run   int    // counted from 1; 0 while the field is closed
	Typed string // the name as typed
}

// Open opens the field for the name of a run.
func (n *Naming) Open(i int) {
	if r := n.runs.Report(); r != nil && i < len(r.Systems) {
		n.Run, n.Typed = i+1, r.Systems[i].Label
		n.app.View.Draw()
		n.app.View.FocusOn("name-" + strconv.Itoa(i))
	}
}

// Write takes the typed name of a run.
func (n *Naming) Write(text string) {
	n.Typed = strings.ToValidUTF8(text, "\ufffd")
	n.app.View.Draw()
}

// Keep gives the run the name that was typed; without one it gets that of its file back.
func (n *Naming) Keep() {
	i := n.Run - 1
	n.Run = 0
	if n.runs.Done == nil || i < 0 || i >= len(n.runs.Done.Origins) {
		n.app.View.Draw()
		return
	}
	name := strings.Join(strings.Fields(n.Typed), " ")
	if r := []rune(name); len(r) > MaxName {
		name = string(r[:MaxName])
	}
	if name != n.runs.Done.Report.Systems[i].Label {
		at := n.runs.Done.Origins[i]
		n.runs.change(func(s *message.Setting) {
			s.Names = slices.DeleteFunc(s.Names, func(n message.Name) bool { return n.Origin == at })
			if name != "" {
				s.Names = append(s.Names, message.Name{Origin: at, Name: name})
			}
		})
	}
	n.app.View.Draw()
	n.app.View.FocusOn("rename-" + strconv.Itoa(i))
}

// Leave closes the field without a change.
func (n *Naming) Leave() {
	i := n.Run - 1
	n.Run = 0
	n.app.View.Draw()
	n.app.View.FocusOn("rename-" + strconv.Itoa(i))
}
