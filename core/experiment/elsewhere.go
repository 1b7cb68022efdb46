//go:build !first && (!library || notebook)

package experiment

import (
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/remote"
)

// distant is where the documents are, nil if they are here.
type distant struct{ beyond *remote.Outside }

// goesAhead is whether lists are told before texts that take long.
const goesAhead = true

// Outside implements stage.Distant.
func (x distant) Outside() *remote.Outside { return x.beyond }

func (x distant) elsewhere() bool { return x.beyond != nil }

// SetOutside says that the documents of the collection are elsewhere: the session has their ids only. Stages that need
// more of them are refused, and titles and texts are asked for when they are shown.
func (s *Session) SetOutside(x *remote.Outside) {
	s.Texts.beyond = x
	s.changed()
}

// outside returns the title and text of a document that is elsewhere. In place of a text that no backend returns stands
// the reason.
func (x *Texts) outside(d int) (title, text string) {
	_ = x.bring([]int{d})
	if found, ok := x.beyond.Kept(x.b.Cards[d].ID); ok {
		return found.Title, found.Text
	}
	return "", x.textMissing(d)
}

// bring asks for the titles and texts of documents that are elsewhere, at once, unless no backend returns any.
func (x *Texts) bring(docs []int) error {
	if x.beyond.Refusal() != "" {
		return nil
	}
	ids := make([]string, len(docs))
	for i, d := range docs {
		ids[i] = x.b.Cards[d].ID
	}
	found, err := x.beyond.Have(ids)
	for _, d := range docs {
		if f, ok := found[x.b.Cards[d].ID]; ok {
			x.b.Cards[d].Title = f.Title
		}
	}
	return err
}

// textOf returns the text of a document that is elsewhere, if it was asked for before.
func (x *Texts) textOf(d int) (text string, there bool) {
	found, there := x.beyond.Kept(x.b.Cards[d].ID)
	return found.Text, there
}

// textMissing says why there is no text of a document.
func (x *Texts) textMissing(d int) string {
	switch {
	case !x.elsewhere():
		return notLoaded
	case x.beyond.Lacks(x.b.Cards[d].ID):
		return "The backend " + say.And(x.beyond.Sources) + " has no document of this id."
	}
	if why := x.beyond.Refusal(); why != "" {
		return strings.ToUpper(why[:1]) + why[1:] + "."
	}
	return notLoaded
}
