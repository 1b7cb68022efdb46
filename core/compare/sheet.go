package compare

import (
	"strconv"

	"github.com/rankbox/rankbox/core/say"
)

// CSV returns rows as a CSV file. Cells that a spreadsheet would take for a formula or a command are neutralised, unless they are numbers.
func CSV(rows [][]string) string {
	var b builder
	for _, row := range rows {
		for i, s := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(Cell(s))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Cell is one cell of such a file. No line feed and no tab is in it.
func Cell(s string) string {
	if _, err := strconv.ParseFloat(s, 64); err != nil {
		return csvCell(s)
	}
	return s
}

// LaTeXText is text that LaTeX sets as it stands; what cannot be seen is spelled out.
func LaTeXText(s string) string { return latexText(say.Visible(s)) }
