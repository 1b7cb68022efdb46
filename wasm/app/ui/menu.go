package ui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"github.com/rankbox/rankbox/core/link/share"
)

// menu is one of the menus of the header. The browser opens and closes it; site/js/menus.js adds the arrow keys.
type menu struct {
	ID    string
	Items []item
}

// item is a line of a menu: a link, which leads to a screen of the page where it names one, or a button.
type item struct{ ID, Href, Screen, Text, Note string }

var menus = []menu{
	{"collection-menu", []item{
		{"search-collection", "/search", "search", "Search this collection", ""},
		{"open-demo", "/search", "demo", "Demo collection", "of this site"},
		{"open-gallery", "/collections", "upload", "All collections", "of this site and on this device"},
		{"add-documents", "/collections", "upload", "Add documents", "folder, zip, CSV, JSONL"},
	}},
	{"share-menu", []item{
		{"copy-link", "", "", "Copy link", "opens this view, without your documents"},
		{"copy-picture", "", "", "Copy as image", "PNG, twice the size"},
	}},
	{"more-menu", []item{
		{"undo", "", "", "Undo", "Ctrl Z"},
		{"present", "", "", "Presenter view", "P"},
		{"show-help", "", "", "Keyboard shortcuts", "?"},
		{"reference", "/measures", "", "Reference", "opens in a new tab"},
		{"models", "/model", "model", "Models for typed queries", ""},
		{"server-status", "/status", "status", "Server status", ""},
		{"privacy", "/privacy", "", "Privacy", "opens in a new tab"},
		{"licences", "/licences.txt", "", "Licences", "opens in a new tab"},
	}},
}

// Items are the lines of a menu: its own, and in Share what the open screen hands on.
func (c *Root) Items(k int) []item {
	m := menus[k]
	if m.ID != "share-menu" {
		return m.Items
	}
	list := slices.Clone(m.Items)
	if n := c.App.Sharing.LinkLength; n > 0 {
		list[0].Note = strconv.Itoa(n) + " characters, without your documents"
	}
	for _, o := range c.App.Sharing.Offers() {
		if o.ID == "link" { // of a line that every screen has
			list[0].Note = o.Note
			continue
		}
		list = append(list, item{ID: "share-" + o.ID, Text: o.Text, Note: o.Note})
	}
	return list
}

// Off says whether a button has nothing to do now.
func (c *Root) Off(id string) bool {
	switch id {
	case "undo":
		return !c.App.History.CanUndo()
	case "copy-picture":
		return false
	}
	return !c.Live()
}

// Picture is what site/js/picture.js draws when a button is pressed.
func (it *item) Picture() interface{} {
	if it.ID == "copy-picture" {
		return "columns leaderboard main"
	}
	return nil
}

// Target opens what is no screen in a tab of its own, so that the page stays.
func (it *item) Target() interface{} {
	if it.Screen == "" {
		return "_blank"
	}
	return nil
}

// Follow takes a click on a link of a menu.
func (c *Root) Follow(event vugu.DOMEvent, screen string) {
	switch {
	case screen == "" || !PlainClick(event):
	case screen == "demo":
		c.App.Search.OpenDefault()
	default:
		c.App.Go(share.Screen(screen))
	}
}

// Do does what a button of a menu says.
func (c *Root) Do(id string) {
	switch id {
	case "copy-link":
		c.App.Sharing.CopyLink()
	case "undo":
		c.App.Undo()
	case "present":
		c.App.TogglePresenter()
	case "show-help":
		c.App.View.ToggleHelp()
	default:
		c.App.Sharing.HandOn(strings.TrimPrefix(id, "share-"))
	}
}

// About is what stands at the foot of the last menu.
func (c *Root) About() string {
	return c.Footer().Status() + " · " + c.Memory() + " · " + c.Release()
}
