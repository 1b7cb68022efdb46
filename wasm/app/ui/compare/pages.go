package compare

import "strconv"

// Pages turns the pages of a table.
type Pages struct {
	What   string // its rows: pairs
	At, Of int    // page from 0, and how many there are
	Turn   func(by int)
}

// Label says which page it is.
func (c *Pages) Label() string { return "Page " + strconv.Itoa(c.At+1) + " of " + strconv.Itoa(c.Of) }
