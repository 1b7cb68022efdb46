//go:build !first

package state

// clicked tells the screens that a person has opened a document of a ranking, or closed it.
func (a *App) clicked(opened bool) {
	for _, x := range a.screens {
		if x, ok := x.(interface{ Clicked(opened bool) }); ok {
			x.Clicked(opened)
		}
	}
}
