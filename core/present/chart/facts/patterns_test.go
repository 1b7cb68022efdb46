package facts

import (
	"fmt"
	"testing"

	"github.com/rankbox/rankbox/core/evaluate/analysis"
)

func TestPatternsAreThoseOfTheSection(t *testing.T) {
	row := func(name string, n ...int) []analysis.Cell {
		cells := []analysis.Cell{analysis.Words(name)}
		for _, x := range n {
			cells = append(cells, analysis.Whole(x))
		}
		return append(cells, analysis.Words("q1"))
	}
	wrong := analysis.Section{Name: analysis.Wrong,
		Tables: []analysis.Table{{Columns: []string{"Pattern", "A", "B", "All", "An example"},
			Rows: [][]analysis.Cell{row("spelling", 2, 0, 2), row("dates", 0, 0, 0), row("none of these", 0, 1, 1)}}}}
	quiet := wrong
	quiet.Tables = nil
	for _, c := range []struct {
		name     string
		sections []analysis.Section
		systems  int
		want     string
	}{
		{"those that hold somewhere", []analysis.Section{{Name: "places"}, wrong}, 2,
			"[{spelling [2 0]} {none of these [0 1]}]"},
		{"more systems than were looked into", []analysis.Section{wrong}, 3, "[]"},
		{"fewer", []analysis.Section{wrong}, 1, "[]"},
		{"nothing is poor", []analysis.Section{quiet}, 2, "[]"},
		{"nobody looked", nil, 2, "[]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := fmt.Sprint(Patterns(c.sections, c.systems)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
