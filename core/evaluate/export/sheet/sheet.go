// Package sheet writes tables for spreadsheets: CSV in which no cell is taken for a formula or a command. It knows no
// report.
package sheet

import (
	"strconv"
	"strings"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/collection"
)

// CSV returns rows as a CSV file, a Cell for each text.
func CSV(rows [][]string) string {
	var b strings.Builder
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

// Cell returns a number as it is, and anything else as Text does. No line feed and no tab is in it.
func Cell(s string) string {
	if _, err := strconv.ParseFloat(s, 64); err != nil {
		return Text(s)
	}
	return s
}

// Text returns s as a cell: quoted if that is needed, and with an apostrophe before what a spreadsheet would take for a
// formula or a command (collection.Guard). A tab is spelled out.
func Text(s string) string {
	s = collection.Guard(say.Visible(s))
	if strings.ContainsAny(s, ",;\"\t") || strings.HasPrefix(s, " ") || strings.HasSuffix(s, " ") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}
