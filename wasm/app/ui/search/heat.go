//go:build !first

package search

import (
	"strconv"

	"github.com/rankbox/rankbox/core/base/say"
	"github.com/rankbox/rankbox/core/retrieve/rank"
)

func init() { heat = heatOf }

// heatOf is the table of what was compared with what. A cell is its colour, from 0 to 7, and its number.
func heatOf(g *rank.Grid) Table {
	t := Table{Title: "every token of the query beside those of the document that are nearest to one",
		Head: append([]string{""}, g.Columns...), Heat: true}
	most := 1e-9
	for _, v := range g.Values {
		most = max(most, v)
	}
	n := len(g.Columns)
	for i, name := range g.Rows {
		row := []string{name}
		for _, v := range g.Values[i*n : (i+1)*n] {
			row = append(row, strconv.Itoa(max(0, min(7, int(8*v/most))))+say.Page.Number(v, 2))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
