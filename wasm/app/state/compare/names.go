package compare

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/message"
)

// MaxName is how many characters the name of a run may have.
const MaxName = 80

// Name opens the field for the name of a run.
func (c *Compare) Name(i int) {
	if r := c.Report(); r != nil && i < len(r.Systems) {
		c.Naming, c.NewName = i+1, r.Systems[i].Label
		c.App.View.Draw()
		c.App.View.FocusOn("name-" + strconv.Itoa(i))
	}
}

// WriteName takes what is typed as the name of a run.
func (c *Compare) WriteName(text string) {
	c.NewName = strings.ToValidUTF8(text, "\ufffd")
	c.App.View.Draw()
}

// KeepName gives the run the name that was typed; without one it gets that of its file back.
func (c *Compare) KeepName() {
	i := c.Naming - 1
	c.Naming = 0
	if c.Done == nil || i < 0 || i >= len(c.Done.Origins) {
		c.App.View.Draw()
		return
	}
	name := strings.Join(strings.Fields(c.NewName), " ")
	if r := []rune(name); len(r) > MaxName {
		name = string(r[:MaxName])
	}
	if name != c.Done.Report.Systems[i].Label {
		at := c.Done.Origins[i]
		c.changeRuns(func(s *message.Setting) {
			s.Names = slices.DeleteFunc(s.Names, func(n message.Name) bool { return n.Origin == at })
			if name != "" {
				s.Names = append(s.Names, message.Name{Origin: at, Name: name})
			}
		})
	}
	c.App.View.Draw()
	c.App.View.FocusOn("rename-" + strconv.Itoa(i))
}

// LeaveName closes the field without a change.
func (c *Compare) LeaveName() {
	i := c.Naming - 1
	c.Naming = 0
	c.App.View.Draw()
	c.App.View.FocusOn("rename-" + strconv.Itoa(i))
}
