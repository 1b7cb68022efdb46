package state

import "github.com/rankbox/rankbox/core/share"

// Offers are what the open screen hands on beside its link.
func (a *App) Offers() []Offer {
	var list []Offer
	if x := a.Screens.sharer(); x != nil {
		list = x.Offers()
	}
	if a.searching() {
		list = append(list, Offer{ID: "embed", Text: "Embed code", Note: "a frame for a slide or course page"})
	}
	return list
}

// searching says whether the open screen is one whose link is its address.
func (a *App) searching() bool { return a.Screen == share.Home || a.Screen == share.Search }

// Weigh is told that the menu of the offers was asked for.
func (a *App) Weigh() {
	a.LinkLength = 0
	if link, err := a.Link(); err == nil && a.searching() {
		a.LinkLength = len(link)
	}
	a.Draw()
	a.Screens.weigh()
}

// HandOn hands on what one of the offers says.
func (a *App) HandOn(id string) {
	if link, err := a.Link(); id == "embed" && err == nil && a.searching() {
		a.CopyFrame(a.EmbedCode(link, "Rankbox", "640"))
		return
	}
	if x := a.Screens.sharer(); x != nil {
		x.HandOn(id)
	}
}
