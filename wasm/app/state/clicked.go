//go:build !first

package state

// clicked tells the screens that a person has opened a document of a ranking, or closed it.
func (s *Screens) clicked(opened bool) {
	for _, x := range s.kept() {
		if x, ok := as[ClickLogger](x); ok {
			x.Clicked(opened)
		}
	}
}
