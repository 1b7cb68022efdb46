//go:build !first

package worker

import (
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
)

// ahead has the lists of a search answered before its texts, if those take long, until the function that it returns is
// called.
func (sr *searches) ahead(r message.Request) (over func()) {
	texts := sr.open.session.Texts
	texts.Early = func(early *experiment.Results) {
		sr.backends.unfound(early)
		sr.page.reply(message.Reply{ID: r.ID, Kind: r.Kind, Answer: early})
	}
	return func() { texts.Early = nil }
}
