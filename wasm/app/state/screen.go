package state

import (
	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
)

// Screen is a screen that keeps something beside the address. What else it does, it declares by the interfaces below:
// each is one capability, and Screens asks for it.
type Screen interface {
	ID() share.Screen
}

// Undoable has state that undo goes back to: Save returns it, and Restore puts it back, after the address.
type Undoable interface {
	Save() any
	Restore(saved any)
}

// Paged has several pages: Path is where on the site it is, "" for the path of its row.
type Paged interface{ Path() string }

// PathReader takes the path that was opened.
type PathReader interface{ ReadPath(path string) }

// Linked may have a fragment of its own, with its "#": own says whether it has one instead of the page's.
type Linked interface {
	Fragment() (fragment string, own bool)
}

// LinkReader takes a fragment that it reads itself, without "#".
type LinkReader interface{ ReadLink(fragment string) }

// LinkCopier puts its own link onto the clipboard; false for the page's link.
type LinkCopier interface{ CopyLink() bool }

// Beginner asks the worker for what the address needs that was just read.
type Beginner interface{ Begin() }

// Listener takes the newest replies of some kinds instead of the page.
type Listener interface {
	Takes(message.Kind) bool
	Receive(message.Reply)
}

// ProgressListener is a Listener that shows how far its requests are.
type ProgressListener interface{ Hear(*message.Progress) }

// ResultsListener is told that the query in the address was answered, while the screen is open.
type ResultsListener interface{ Found() }

// Interrupted is told before the worker is replaced.
type Interrupted interface{ Died(reason string) }

// Repeater asks a new worker for what the last one owed.
type Repeater interface{ Again() }

// Presented is told that presenter view has begun or ended while the screen is open.
type Presented interface{ Presented() }

// FileTaker says whether files that are given to the page are for this screen now, and takes them.
type FileTaker interface {
	TakesFiles() bool
	AddFiles([]message.File)
}

// Entered is told that the screen was opened.
type Entered interface{ Entered() }

// Left is told that another screen was opened.
type Left interface{ Left() }

// Unopened says whether the screen itself explains why the collection could not be opened.
type Unopened interface{ Unopened() bool }

// WorkspaceKeeper reads the workspace of a collection that was opened.
type WorkspaceKeeper interface{ CollectionOpened() }

// CollectionUser is told that a collection was opened while the screen is shown.
type CollectionUser interface{ Opened() }

// ClickLogger is told that a person has opened a document of a ranking, or closed it.
type ClickLogger interface{ Clicked(opened bool) }

// Sharer offers more than a link in the menu Share: Offers are the lines, and HandOn does what one of them says.
type Sharer interface {
	Offers() []Offer
	HandOn(id string)
}

// Weigher is a Sharer that asks for the sizes of what it offers, once they are shown.
type Weigher interface{ Weigh() }

// Offer is a line of the menu Share: its name, and its size or content.
type Offer struct{ ID, Text, Note string }

// as asks a screen, which may be nil, for a capability: this is the one place where screens are asked.
func as[Capability any](s any) (c Capability, ok bool) {
	if keepsScreens {
		c, ok = s.(Capability)
	}
	return c, ok
}

// Subpath is where on the site a screen is, "" for the path of its row.
func Subpath(s Screen) string {
	if x, ok := as[Paged](s); ok {
		return x.Path()
	}
	return ""
}
