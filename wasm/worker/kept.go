//go:build !first

package worker

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/experiment"
	"github.com/rankbox/rankbox/core/message"
	"github.com/rankbox/rankbox/core/retrieve/bundle"
)

// mostName is how many characters the name of a collection may have.
const mostName = 60

// errGone is the error of a collection that was deleted, perhaps by another tab.
var errGone = errors.New("this collection is no longer on this device. Another tab may have deleted it")

// rename gives a kept collection another name. Its id, its content and everything that was made in it stay.
func (u *uploads) rename(id, name string) error {
	m, err := u.device.keptManifest(id)
	if err != nil {
		return err
	}
	if m.Name, err = nameFor(name); err != nil {
		return err
	}
	if err := u.device.Shelf.Put(id, "manifest.json", m.JSON()); err != nil {
		return err
	}
	for _, s := range []*experiment.Session{u.open.session, u.open.plain} {
		if s != nil && s.Ref().ID == id {
			s.Bundle().Manifest.Name = m.Name
		}
	}
	return nil
}

// nameFor is a name as it is stored.
func nameFor(name string) (string, error) {
	name = say.Brief(strings.Join(strings.Fields(name), " "), mostName)
	if name == "" {
		return "", errors.New("a collection needs a name")
	}
	return name, nil
}

// idOf is the id that a collection has on this device: that of its texts, or of a duplicate of it. Vectors counted too
// when the ids of an earlier version were made.
func idOf(m *bundle.Manifest) string {
	id := UploadPrefix + textsHash(m)[:16]
	for _, own := range []string{id, UploadPrefix + m.Hash[:16]} {
		mark, ok := strings.CutPrefix(m.ID, own)
		if !ok {
			continue
		}
		mark, marked := strings.CutPrefix(mark, "-")
		if mark == "" && !marked || marked && mark != "" &&
			strings.Trim(mark, "0123456789abcdefghijklmnopqrstuvwxyz") == "" {
			return m.ID
		}
	}
	return id
}

// duplicate keeps a second collection of the same documents. Its id has a random mark, so that two tabs never make one
// of the same id.
func (u *uploads) duplicate(r message.Request, ask *message.AskDuplicate) (*message.Uploaded, error) {
	if ask.ID == "" { // the one before is given up
		return nil, nil
	}
	m, err := u.device.keptManifest(ask.ID)
	if err != nil {
		return nil, err
	}
	if m.Name, err = nameFor(ask.Name); err != nil {
		return nil, err
	}
	u.page.tell(r, message.Progress{What: "Reading " + m.Name})
	files, _, err := u.device.shelved(ask.ID)
	if err != nil {
		return nil, err
	}
	m.ID = UploadPrefix + textsHash(m)[:16] + "-" + strconv.FormatUint(rand.Uint64N(1<<40)+1, 36)
	files["manifest.json"] = m.JSON()
	if err := u.keep(r, m, files); errors.Is(err, errStopped) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	out := described(m)
	return &out, nil
}
