//go:build !first

package experiment

import "github.com/rankbox/rankbox/core/remote"

// SetOutside says that the documents of the collection are elsewhere: the session has their ids only. Stages that need
// more of them are refused, and titles and texts are asked for when they are shown.
func (s *Session) SetOutside(x *remote.Outside) {
	s.beyond, s.rankers = x, nil
	clear(s.runs)
}

// Outside implements stage.Distant.
func (p parts) Outside() *remote.Outside { return p.s.beyond }

func (s *Session) elsewhere() bool { return s.beyond != nil }

// outside returns the title and text of a document that is elsewhere. Those that no backend returns are empty.
func (s *Session) outside(d int) (title, text string) {
	found, err := s.beyond.Documents([]string{s.b.Cards[d].ID})
	if err != nil {
		return "", ""
	}
	return found[0].Title, found[0].Text
}
