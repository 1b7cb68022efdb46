//go:build !first

package experiment

import (
	"strings"

	"github.com/rankbox/rankbox/core/remote"
	"github.com/rankbox/rankbox/core/say"
)

// SetOutside says that the documents of the collection are elsewhere: the session has their ids only. Stages that need
// more of them are refused, and titles and texts are asked for when they are shown.
func (s *Session) SetOutside(x *remote.Outside) {
	s.beyond, s.rankers = x, nil
	clear(s.runs)
}

// Outside implements stage.Distant.
func (p parts) Outside() *remote.Outside { return p.s.beyond }

func (s *Session) elsewhere() bool { return s.beyond != nil }

// outside returns the title and text of a document that is elsewhere. In place of a text that no backend returns stands
// the reason.
func (s *Session) outside(d int) (title, text string) {
	_ = s.bring([]int{d})
	if found, ok := s.beyond.Kept(s.b.Cards[d].ID); ok {
		return found.Title, found.Text
	}
	return "", s.textMissing(d)
}

// bring asks for the titles and texts of documents that are elsewhere, at once, unless no backend returns any.
func (s *Session) bring(docs []int) error {
	if s.beyond.Refusal() != "" {
		return nil
	}
	ids := make([]string, len(docs))
	for i, d := range docs {
		ids[i] = s.b.Cards[d].ID
	}
	found, err := s.beyond.Have(ids)
	for _, d := range docs {
		if x, ok := found[s.b.Cards[d].ID]; ok {
			s.b.Cards[d].Title = x.Title
		}
	}
	return err
}

// textOf returns the text of a document that is elsewhere, if it was asked for before.
func (s *Session) textOf(d int) (text string, there bool) {
	found, there := s.beyond.Kept(s.b.Cards[d].ID)
	return found.Text, there
}

// textMissing says why there is no text of a document.
func (s *Session) textMissing(d int) string {
	switch {
	case !s.elsewhere():
		return notLoaded
	case s.beyond.Lacks(s.b.Cards[d].ID):
		return "The backend " + say.And(s.beyond.Sources) + " has no document of this id."
	}
	if why := s.beyond.Refusal(); why != "" {
		return strings.ToUpper(why[:1]) + why[1:] + "."
	}
	return notLoaded
}
