package state

import (
	"slices"

	"github.com/rankbox/rankbox/core/link/share"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/wasm/app/screens"
)

// Screens are the screens that this program holds.
type Screens struct {
	names   []string
	list    []Screen // those of them that keep something beside the address
	address *share.Address
}

// add makes the screens.
func (s *Screens) add(a *App, parts []Part) {
	for _, p := range parts {
		s.names = append(s.names, p.Name)
		if p.Make == nil {
			continue
		}
		if x := p.Make(a); x != nil && keepsScreens {
			s.list = append(s.list, x)
		}
	}
}

// kept are the screens that keep something.
func (s *Screens) kept() []Screen {
	if keepsScreens {
		return s.list
	}
	return nil
}

// On is the screen that is open, nil where this program does not hold it or it keeps nothing.
func (s *Screens) On() Screen { return s.Other(s.address.Screen) }

// Other is a screen by its name, nil where this program does not hold it or it keeps nothing.
func (s *Screens) Other(name share.Screen) Screen {
	for _, x := range s.kept() {
		if x.ID() == name {
			return x
		}
	}
	return nil
}

// holds says whether this program has a screen.
func (s *Screens) holds(row *screens.Screen) bool { return slices.Contains(s.names, row.Name) }

// listener is the screen that takes the replies of a kind, nil for the page itself.
func (s *Screens) listener(kind message.Kind) Listener {
	for _, x := range s.kept() {
		if x, ok := as[Listener](x); ok && x.Takes(kind) {
			return x
		}
	}
	return nil
}

// hear tells a listener how far one of its requests is.
func hear(x Listener, p *message.Progress) {
	if x, ok := as[ProgressListener](x); ok {
		x.Hear(p)
	}
}

// save returns the state of each screen that undo goes back to.
func (s *Screens) save() (saved []any) {
	for _, x := range s.kept() {
		var one any
		if x, ok := as[Undoable](x); ok {
			one = x.Save()
		}
		saved = append(saved, one)
	}
	return saved
}

// restore puts back what save returned.
func (s *Screens) restore(saved []any) {
	for i, x := range s.kept() {
		if x, ok := as[Undoable](x); ok {
			x.Restore(saved[i])
		}
	}
}

// fragment is the own fragment of the open screen, with its "#"; own says whether it has one.
func (s *Screens) fragment() (fragment string, own bool) {
	if x, ok := as[Linked](s.On()); ok {
		return x.Fragment()
	}
	return "", false
}

// readPath gives the path that was opened to a screen.
func readPath(x Screen, path string) {
	if x, ok := as[PathReader](x); ok {
		x.ReadPath(path)
	}
}

// readLink gives a fragment without "#" to a screen.
func readLink(x Screen, fragment string) {
	if x, ok := as[LinkReader](x); ok {
		x.ReadLink(fragment)
	}
}

// copyLink has the open screen put its own link onto the clipboard; false where the page's is meant.
func (s *Screens) copyLink() bool {
	x, ok := as[LinkCopier](s.On())
	return ok && x.CopyLink()
}

// begin has the screens ask for what the address holds that was just read.
func (s *Screens) begin() {
	for _, x := range s.kept() {
		if x, ok := as[Beginner](x); ok {
			x.Begin()
		}
	}
}

// found tells the open screen that the query in the address was answered; false where there is none that keeps
// something.
func (s *Screens) found() bool {
	on := s.On()
	if x, ok := as[ResultsListener](on); ok {
		x.Found()
	}
	return on != nil
}

// died tells the screens that the worker is about to be replaced.
func (s *Screens) died(reason string) {
	for _, x := range s.kept() {
		if x, ok := as[Interrupted](x); ok {
			x.Died(reason)
		}
	}
}

// again has the screens ask a new worker for what the last one owed.
func (s *Screens) again() {
	for _, x := range s.kept() {
		if x, ok := as[Repeater](x); ok {
			x.Again()
		}
	}
}

// presented tells the open screen that presenter view has begun or ended.
func (s *Screens) presented() {
	if x, ok := as[Presented](s.On()); ok {
		x.Presented()
	}
}

// fileTaker is the screen that files are for: the open one, or else the first that takes any; nil for none.
func (s *Screens) fileTaker() FileTaker {
	if x, ok := as[FileTaker](s.On()); ok && x.TakesFiles() {
		return x
	}
	for _, x := range s.kept() {
		if x, ok := as[FileTaker](x); ok && x.TakesFiles() {
			return x
		}
	}
	return nil
}

// moved tells the screens that another one than before is open.
func (s *Screens) moved(old share.Screen) {
	if x, ok := as[Entered](s.On()); ok {
		x.Entered()
	}
	s.clicked(false)
	if x, ok := as[Left](s.Other(old)); ok {
		x.Left()
	}
}

// unopened says whether the open screen itself explains why the collection could not be opened.
func (s *Screens) unopened() bool {
	x, ok := as[Unopened](s.On())
	return ok && x.Unopened()
}

// openWorkspace has the workspace of the open collection read; false where no screen does.
func (s *Screens) openWorkspace() bool {
	for _, x := range s.kept() {
		if x, ok := as[WorkspaceKeeper](x); ok {
			x.CollectionOpened()
			return true
		}
	}
	return false
}

// sharer is the open screen, and for Search the one that knows of the collection's workspace; nil where nothing is
// handed on.
func (s *Screens) sharer() Sharer {
	of := s.address.Screen
	if of == share.Search {
		of = "judge"
	}
	x, _ := as[Sharer](s.Other(of))
	return x
}

// weigh has the open screen ask for the sizes of what it offers.
func (s *Screens) weigh() {
	if x, ok := as[Weigher](s.On()); ok {
		x.Weigh()
	}
}
