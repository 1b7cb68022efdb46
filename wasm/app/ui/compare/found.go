package compare

import "github.com/rankbox/rankbox/core/evaluate/analysis"

// Found shows a section of an analysis: its sentence, its tables and its notes.
type Found struct {
	S  *analysis.Section
	ID string // of the part that it stands in
}

// Key tells the sections of a part apart.
func (c *Found) Key() string { return c.ID + "-" + c.S.Name }

// Class aligns a cell: words to the left.
func (c *Found) Class(x analysis.Cell) string {
	if x.Number {
		return ""
	}
	return "words"
}

// HeadClass aligns a column's name.
func (c *Found) HeadClass(t *analysis.Table, column int) string {
	if len(t.Rows) > 0 && !t.Rows[0][column].Number {
		return "words"
	}
	return ""
}

// Rest are the cells of a row after its name.
func (c *Found) Rest(row []analysis.Cell) []analysis.Cell { return row[1:] }
