package compare

// What the pairs are sorted by.
const (
	PairsByDifference = "difference"
	PairsByP          = "p"
)

// SortPairs sorts the pairs by a column, the smallest p or the largest difference first; again turns the order round, a third time leaves them
// as they come.
func (c *Compare) SortPairs(by string) {
	first := by == PairsByDifference
	switch {
	case c.PairsBy != by:
		c.PairsBy, c.PairsDown = by, first
	case c.PairsDown == first:
		c.PairsDown = !first
	default:
		c.PairsBy, c.PairsDown = "", false
	}
	c.PairsPage = 0
	c.App.Draw()
}

// TurnPairs goes to another page of the table of pairs, of which there are so many.
func (c *Compare) TurnPairs(by, pages int) {
	c.PairsPage = max(0, min(c.PairsPage+by, pages-1))
	c.App.Draw()
}
