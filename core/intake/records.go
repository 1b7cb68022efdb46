//go:build !library

package intake

import (
	"bytes"
	"encoding/csv"
	"errors"

	"github.com/rankbox/rankbox/core/collection"
	"github.com/rankbox/rankbox/core/golden"
)

// records reads objects as the rows of a table: {"qid", "docno", "score"}, as data frames write their rows to JSON.
func (f *File) records(b []byte, opt collection.Options) (*collection.Content, error) {
	root, _, err := golden.ParseJSON(f.Name, b)
	if err != nil {
		return nil, err
	}
	var header []string
	at, lines := map[string]int{}, []int{}
	var rows [][]string
	for _, n := range root.Objects() {
		var row []string
		for _, m := range n.Members {
			i, had := at[m.Key]
			if !had {
				i = len(header)
				at[m.Key], header = i, append(header, m.Key)
			}
			for len(row) <= i {
				row = append(row, "")
			}
			if m.Value.Kind == golden.Text || m.Value.Kind == golden.Number {
				row[i] = m.Value.Text
			}
		}
		rows, lines = append(rows, row), append(lines, n.Line)
	}
	var table bytes.Buffer
	w := csv.NewWriter(&table)
	w.Write(header)
	for _, row := range rows {
		for len(row) < len(header) {
			row = append(row, "")
		}
		// A record is a line here, so that the reader's lines can be told back.
		for k := range row {
			row[k] = string(bytes.ReplaceAll([]byte(row[k]), []byte("\n"), []byte(" ")))
		}
		w.Write(row)
	}
	w.Flush()
	c, err := collection.Read(f.Name, &table, opt)
	line := func(n int) int {
		if n >= 2 && n-2 < len(lines) {
			return lines[n-2]
		}
		return n
	}
	if p, is := errors.AsType[*collection.ParseError](err); is {
		p.Line = line(p.Line)
	}
	if c != nil {
		for i := range c.Warnings {
			c.Warnings[i].Line = line(c.Warnings[i].Line)
		}
	}
	return c, err
}
