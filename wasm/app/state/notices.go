package state

import (
	"strconv"

	"github.com/rankbox/rankbox/core/message"
)

// Notices are the sentences above the screen: one about something that happened, and one about a problem.
type Notices struct {
	view *View

	Text    string           // of what happened: link copied, engine restarted; "" for nothing
	Shared  string           // the link that was copied last, while Text says so, where a frame can show what it opens
	Problem *message.Problem // of the last thing that went wrong; nothing typed is lost

	stop func() // the clock that takes Text away, nil for none
}

// Say shows a sentence for a while.
func (n *Notices) Say(s string) {
	n.Text, n.Shared = s, ""
	if n.stop != nil {
		n.stop()
	}
	n.stop = n.view.window.After(12000, func() {
		n.Text, n.Shared = "", ""
		n.stop = nil
		n.view.Draw()
	})
	n.view.Draw()
}

// Silent is told that the worker waits for a file of which nothing has come for so many seconds.
func (n *Notices) Silent(seconds int) {
	n.Say("The server has sent nothing for " + strconv.Itoa(seconds) +
		" seconds. You can go on; Rankbox keeps waiting.")
	n.view.Draw()
}
