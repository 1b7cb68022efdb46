package compare

import "strconv"

// CSV returns rows as a CSV file. Cells that a spreadsheet would take for a formula or a command are neutralised, unless they are numbers.
func CSV(rows [][]string) string {
	var b builder
	for _, row := range rows {
		for i, s := range row {
			if i > 0 {
				b.WriteByte(',')
			}
			if _, err := strconv.ParseFloat(s, 64); err != nil {
				s = csvCell(s)
			}
			b.WriteString(s)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
